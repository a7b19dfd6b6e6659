/// True with a window: cargo's feature `view`.
pub const HAS_WINDOW: bool = cfg!(feature = "view");

/// Advice for a program without a window.
pub const WAY_TO_WINDOW: &str =
    "this program was built without its window: `make view` builds the one that has it";
