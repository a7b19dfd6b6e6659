//! `sinew view`: the viewer, or a picture of it without a window. A program that was built without the feature `view` says
//! how to get it.

mod arguments;
#[cfg(feature = "view")]
mod window;

pub use arguments::Arguments;

#[cfg(feature = "view")]
pub use window::run;

/// Refuses: there is no window in this program.
#[cfg(not(feature = "view"))]
pub fn run(_: &Arguments) -> anyhow::Result<()> {
    anyhow::bail!(crate::features::WAY_TO_WINDOW)
}
