//! Finds a skeleton in a bare mesh.
//!
//! The surface becomes a graph of small patches (`skin`), in which an arm that touches the trunk
//! stays apart from it. Distances along it from the top of the body have maxima at the tips of
//! limbs, and the level sets around two tips meet where their limbs fork: at the crotch and the
//! armpits. The direction for which these tips look most like hands and feet is up
//! (`stance`, `frame`). Sections at equal distances from a tip give the middle of a limb, from
//! which the joints follow (`landmarks`).
//!
//! A person is also fitted as a whole: capsules with usual lengths in plausible poses (`fit`). This
//! tells up and front where tips mislead, finds limbs that hang against the body or are under
//! cloth, and replaces landmarks that disagree with it.

mod bare;
pub mod check;
mod choose;
#[doc(hidden)]
pub mod constants;
mod error;
mod fit;
mod found;
mod four;
mod frame;
mod held;
mod input;
mod landmarks;
mod options;
mod place;
mod skin;
mod stance;

pub use check::{Finding, check};
pub use error::FindError;
pub use found::{Body, Found};
pub use input::joined::joined_surface;
pub use input::words::joint_of_word;
pub use options::{FindOptions, Like};

use bare::{BareMesh, refused};
use choose::Choice;
use constants::Constants;
use glam::{DVec3, Vec3};
use held::without_small_pieces;
use landmarks::{biped, fingers, hints::Hints, quadruped};
use place::Kind;
use sinew::names::did_you_mean;
use skin::graph::Skin;
use stance::Stance;

/// Cells along the longest side of the mesh. The wrist of a person is four cells wide.
const FINE: usize = 112;

/// Finds the skeleton of a biped or a quadruped in a mesh, in any unit and facing any way.
/// `triangles` are indices of `positions`. Points that no triangle uses are ignored. If no body is
/// found by its stance, the search is repeated without small pieces, such as a sword in a hand.
///
/// # Errors
/// If the mesh has no body, or a hint names no joint.
pub fn find_skeleton(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    options: &FindOptions,
) -> Result<Found, FindError> {
    find_by(positions, triangles, options, &Constants::DEFAULT)
}

/// [`find_skeleton`] with other constants, to measure what they are worth.
///
/// # Errors
/// The same.
#[doc(hidden)]
pub fn find_by(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    options: &FindOptions,
    constants: &Constants,
) -> Result<Found, FindError> {
    let whole = search(positions, triangles, options, constants);
    match &whole {
        Ok((_, None)) => {}
        Ok(_) | Err(FindError::NoBody { .. }) => {
            if let Some(large) = without_small_pieces(positions, triangles)
                && let Ok((found, cost)) = search(positions, &large, options, constants)
            {
                let cost = cost.unwrap_or(0.0);
                if !matches!(whole, Ok((_, Some(other))) if other <= cost) {
                    return Ok(found);
                }
            }
        }
        Err(_) => {}
    }
    whole.map(|(found, _)| found)
}

/// Skeleton in a mesh, and the cost of a fit that alone makes it a body.
fn search(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    options: &FindOptions,
    constants: &Constants,
) -> Result<(Found, Option<f64>), FindError> {
    let mesh = BareMesh::new(positions, triangles)?;
    let hints = Hints::new(options, &mesh)?;
    let choice = Choice::new(&mesh, options, &hints, constants)?;
    let axes = choice.axes;
    let hints = hints.turned(&axes);
    let skin = Skin::new(&mesh.turned(&axes), &mesh.triangles, FINE).body()?;
    let stance = Stance::new(&skin, DVec3::Y);
    let is_quadruped = match options.like {
        Like::Auto => !choice.is_person && stance.quadruped > stance.biped,
        Like::Biped => false,
        Like::Quadruped => true,
    };
    let (mut marks, kind) = if is_quadruped {
        let marks = quadruped::landmarks(&skin, &stance);
        (
            marks.ok_or_else(|| refused(stance.lacks()))?,
            Kind::Quadruped,
        )
    } else {
        let fingers = stance
            .hands
            .is_some_and(|hands| fingers::has(&skin, &hands));
        (
            biped::landmarks(&skin, &stance, &hints, choice.fit.as_ref(), constants),
            Kind::Biped { fingers },
        )
    };
    if is_quadruped && options.like == Like::Auto && marks.at("head").is_none() {
        return Err(refused("it has four limbs to stand on, but no head"));
    }
    hints.pin(&mut marks, stance.height);
    let found = place::placed(&marks, kind, &mesh, &axes, stance.height);
    match hints
        .names()
        .find(|name| *name != "chin" && found.template.find(name).is_err())
    {
        Some(name) => {
            let joints = found.template.joints().iter().map(|j| j.name.as_str());
            let near = did_you_mean(name, joints);
            Err(FindError::NoSuchJoint {
                name: name.clone(),
                near,
            })
        }
        None => Ok((found, choice.by_fit)),
    }
}
