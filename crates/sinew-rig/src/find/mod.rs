//! Finds a skeleton in a bare mesh.
//!
//! The surface becomes a graph of small patches (`skin`), in which an arm that touches the trunk
//! stays apart from it. Distances along it from the top of the body have maxima at the tips of
//! limbs, and the level sets around two tips meet where their limbs fork: at the crotch and the
//! armpits. The direction for which these tips look most like hands and feet is up
//! (`stance`, `frame`). Sections at equal distances from a tip give the middle of a limb, from
//! which the joints follow (`landmarks`).

mod bare;
pub mod check;
mod error;
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
use frame::Frame;
use glam::{DMat3, DVec3, Vec3};
use held::without_small_pieces;
use landmarks::{biped, fingers, hints::Hints, quadruped};
use place::Kind;
use sinew::names::did_you_mean;
use skin::graph::Skin;
use stance::Stance;

/// Cells along the longest side of the mesh, to find the frame of the body.
const COARSE: usize = 48;
/// The same to find joints. The wrist of a person is four cells wide.
const FINE: usize = 112;
/// Worth of a quadruped, per worth of a biped with another side up.
const TURNED: f64 = 0.6;
/// Min likeness of a body that is looked for among all bodies, and by its kind.
const LIKENESS: f64 = 0.35;
const LIKENESS_OF_KIND: f64 = 0.15;

/// Finds the skeleton of a biped or a quadruped in a mesh, in any unit and facing any way.
/// `triangles` are indices of `positions`. Points that no triangle uses are ignored. If no body is
/// found, the search is repeated without small pieces, such as a sword in a hand.
///
/// # Errors
/// If the mesh has no body, or a hint names no joint.
pub fn find_skeleton(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    options: &FindOptions,
) -> Result<Found, FindError> {
    let found = search(positions, triangles, options);
    if !matches!(found, Err(FindError::NoBody { .. })) {
        return found;
    }
    match without_small_pieces(positions, triangles) {
        Some(large) => search(positions, &large, options).or(found),
        None => found,
    }
}

fn search(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    options: &FindOptions,
) -> Result<Found, FindError> {
    let mesh = BareMesh::new(positions, triangles)?;
    let hints = Hints::new(options, &mesh)?;
    let axes = axes(&mesh, options, &hints)?;
    let hints = hints.turned(&axes);
    let skin = Skin::new(&mesh.turned(&axes), &mesh.triangles, FINE).body()?;
    let stance = Stance::new(&skin, DVec3::Y);
    let is_quadruped = match options.like {
        Like::Auto => stance.quadruped > stance.biped,
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
            biped::landmarks(&skin, &stance, &hints),
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
        None => Ok(found),
    }
}

/// Axes of the body, from hints or from its shape.
fn axes(mesh: &BareMesh, options: &FindOptions, hints: &Hints) -> Result<DMat3, FindError> {
    if let Some(axes) = hints.axes() {
        return Ok(axes);
    }
    let skin = Skin::new(&mesh.points, &mesh.triangles, COARSE).body()?;
    let worth = |stance: &Stance| match options.like {
        // A person who sits with the hands in front stands on all fours if turned over.
        Like::Auto => stance.biped.max(TURNED * stance.quadruped),
        like => stance.likeness(like),
    };
    let frame = Frame::new(&skin, worth).ok_or_else(|| refused("it has no pair of limbs"))?;
    let least = match options.like {
        Like::Auto => LIKENESS,
        Like::Biped | Like::Quadruped => LIKENESS_OF_KIND,
    };
    if frame.stance.likeness(options.like) < least {
        return Err(refused(frame.stance.lacks()));
    }
    Ok(frame.axes)
}
