/// True if the program was built with the cargo feature `view`, which has the window.
pub const HAS_WINDOW: bool = cfg!(feature = "view");

/// Advice on how to get a program with a window.
pub const WAY_TO_WINDOW: &str = "this program was built without the viewer window; `make view` builds a program with the window";
