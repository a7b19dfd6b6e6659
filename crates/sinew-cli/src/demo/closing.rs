//! Last lines of the demo: three results and the next steps.

use super::binding::Bound;
use super::figures::Moment;
use super::names::PERSON;
use super::pictures::Pictures;
use super::speed::Speed;
use crate::features::HAS_WINDOW;
use std::fmt::Write;
use std::path::Path;

/// Describes deformation, binding and skinning speed.
pub fn describe(
    twisted: Option<&Moment>,
    bound: Option<&Bound>,
    speed: &Speed,
    out: &mut String,
) -> std::fmt::Result {
    writeln!(out)?;
    if let Some(moment) = twisted {
        writeln!(
            out,
            "deforms    a tube twisted by {:.0}° keeps {:.1} % of its volume with dual quaternions, {:.1} % with linear skinning",
            moment.angle_deg,
            100.0 * moment.dqs,
            100.0 * moment.lbs
        )?;
    }
    if let Some(bound) = bound {
        writeln!(out, "binds      {}", bound.in_short())?;
    }
    writeln!(out, "skins      {}", speed.in_short())
}

/// Describes the page with all pictures, and the window.
pub fn describe_viewing(
    folder: &Path,
    pictures: Option<&Pictures>,
    out: &mut String,
) -> std::fmt::Result {
    writeln!(out)?;
    if let Some(pictures) = pictures {
        writeln!(
            out,
            "pictures   open {} in a browser to see them all",
            pictures.page.display()
        )?;
    }
    let figure = folder.join(PERSON);
    if HAS_WINDOW {
        writeln!(out, "window     sinew {}", figure.display())
    } else {
        writeln!(
            out,
            "window     make view   (builds the window and opens {})",
            figure.display()
        )
    }
}
