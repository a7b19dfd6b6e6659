/// True if the program has a window: the cargo feature `view`.
pub const HAS_WINDOW: bool = cfg!(feature = "view");

/// Advice on how to get a program with a window.
pub const WAY_TO_WINDOW: &str =
    "this program was built without the viewer window; `make view` builds one with it";
