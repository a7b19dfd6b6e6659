//! `sinew view`: opens the viewer, or writes a picture of it. Without the feature `view`, prints how to get the viewer.

mod arguments;
#[cfg(feature = "view")]
mod window;

pub use arguments::Arguments;

#[cfg(feature = "view")]
pub use window::run;

/// Fails, because this program has no window.
#[cfg(not(feature = "view"))]
pub fn run(_: &Arguments) -> anyhow::Result<()> {
    anyhow::bail!(crate::features::WAY_TO_WINDOW)
}
