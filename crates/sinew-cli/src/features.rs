/// True with a window: cargo's feature `view`.
pub const HAS_WINDOW: bool = cfg!(feature = "view");

/// Advice for a program without a window.
pub const WAY_TO_WINDOW: &str =
    "this program was built without the viewer window; `make view` builds one with it";
