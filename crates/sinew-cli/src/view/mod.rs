//! `sinew view`: the viewer, or a picture of it. Without the feature `view`, it says how to get it.

mod arguments;
#[cfg(feature = "view")]
mod window;

pub use arguments::Arguments;

#[cfg(feature = "view")]
pub use window::run;

/// Refuses, because this program has no window.
#[cfg(not(feature = "view"))]
pub fn run(_: &Arguments) -> anyhow::Result<()> {
    anyhow::bail!(crate::features::WAY_TO_WINDOW)
}
