//! Chooses the frame of a body and its kind, from hints, from its stance, or by the fit of a person.

use super::bare::{BareMesh, refused};
use super::constants::Constants;
use super::error::FindError;
use super::fit::{self, Fit, samples::Evidence};
use super::frame::Frame;
use super::landmarks::hints::Hints;
use super::options::{FindOptions, Like};
use super::skin::graph::Skin;
use super::stance::Stance;
use glam::{DMat3, DVec3};

/// Cells along the longest side of the mesh.
const COARSE: usize = 48;
/// Worth of a quadruped, per worth of a biped with another side up.
const TURNED: f64 = 0.6;
/// Min likeness of a body that is looked for among all bodies, and by its kind.
const LIKENESS: f64 = 0.35;
const LIKENESS_OF_KIND: f64 = 0.15;
/// Max cost of the fit of a person who could be an animal by its stance, and of one who stands, per
/// max cost of a body of which the stance tells nothing.
const ON_FOUR: f64 = 0.6;
const PERHAPS: f64 = 1.74;

/// Frame of a body. Columns of the axes: left, up and front.
pub(super) struct Choice {
    pub axes: DMat3,
    /// Fit of a person that is good enough to use.
    pub fit: Option<Fit>,
    /// Cost of the fit, if the stance alone would be refused.
    pub by_fit: Option<f64>,
    /// True if the fit makes it a person, whatever its stance.
    pub is_person: bool,
}

impl Choice {
    pub fn new(
        mesh: &BareMesh,
        options: &FindOptions,
        hints: &Hints,
        constants: &Constants,
    ) -> Result<Self, FindError> {
        if let Some(axes) = hints.axes() {
            return Ok(Self {
                axes,
                fit: None,
                by_fit: None,
                is_person: false,
            });
        }
        let skin = Skin::new(&mesh.points, &mesh.triangles, COARSE).body()?;
        let worth = |stance: &Stance| match options.like {
            // A person who sits with the hands in front stands on all fours if turned over.
            Like::Auto => stance.biped.max(TURNED * stance.quadruped),
            like => stance.likeness(like),
        };
        let frames = Frame::all(&skin, worth);
        let first = frames.first();
        let first = first.ok_or_else(|| refused("it has no pair of limbs"))?;
        let least = match options.like {
            Like::Auto => LIKENESS,
            Like::Biped | Like::Quadruped => LIKENESS_OF_KIND,
        };
        let is_upright = first.stance.biped > first.stance.quadruped;
        let stands = first.stance.likeness(options.like) >= least;
        let fit = (options.like != Like::Quadruped).then(|| {
            let is_clear = stands && is_upright && is_axis(first.axes.col(0));
            let frames = candidates(&frames, is_clear, constants.backward);
            fit::person(&Evidence::new(mesh), &frames, constants)
        });
        let cost = fit
            .as_ref()
            .map_or(f64::INFINITY, |(_, fit)| fit.cost.of_body());
        // The more the stance is that of a person, the less the fit has to tell.
        let most = match (is_upright, stands) {
            (true, _) => 1.0 + (PERHAPS - 1.0) * (first.stance.biped / least).min(1.0),
            (false, true) => ON_FOUR,
            (false, false) => 1.0,
        };
        let is_person = cost <= constants.person * most;
        if !is_person && !stands {
            return Err(refused(first.stance.lacks()));
        }
        let (axes, fit) = match fit.filter(|_| is_person) {
            Some((axes, fit)) => (axes, Some(fit)),
            None => (first.axes, None),
        };
        Ok(Self {
            axes,
            fit,
            by_fit: (!stands).then_some(cost),
            is_person,
        })
    }
}

/// Frames in which a person may be, with what speaks against each. Feet of a stride, or a skirt, may
/// have told left from right wrongly, so bodies that are not clear may also stand along the axes.
fn candidates(frames: &[Frame], is_clear: bool, backward: f64) -> Vec<(DMat3, f64)> {
    let mut candidates = Vec::new();
    let frames = if is_clear { &frames[..1] } else { frames };
    for (k, frame) in frames.iter().enumerate() {
        let doubt = if k == 0 { 0.0 } else { backward };
        let up = frame.axes.col(1);
        let mut ways = vec![
            (frame.axes.col(2), doubt),
            (-frame.axes.col(2), doubt + backward),
        ];
        if !is_clear {
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                for way in [axis, -axis] {
                    let is_new = ways.iter().all(|other| other.0.dot(way) < 0.999);
                    if way.dot(up).abs() < 0.5 && is_new {
                        let is_front = way.dot(frame.axes.col(2)) > 0.0;
                        ways.push((way, doubt + if is_front { 0.5 } else { 1.0 } * backward));
                    }
                }
            }
        }
        let turned =
            |(front, doubt): (DVec3, f64)| (DMat3::from_cols(up.cross(front), up, front), doubt);
        candidates.extend(ways.into_iter().map(turned));
    }
    candidates
}

/// True if a direction is that of an axis.
fn is_axis(way: DVec3) -> bool {
    way.abs().max_element() > 0.999
}
