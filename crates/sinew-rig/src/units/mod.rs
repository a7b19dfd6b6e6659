//! Length unit of a file: the stated unit, or the unit that gives its person a human height.
//!
//! glTF is in metres. BVH and `.sinew` files state no unit, and may be in metres, centimetres,
//! inches or a unit of their program. C3D files state their unit, and import converts it to metres.

mod scaled;

pub use scaled::{ScaleError, scaled};

use crate::retarget::roles::find_roles;
use glam::Vec3;
use sinew::skeleton::{Role, Side};
use sinew::{Affine, Skeleton};

/// Metres per unit: metre, decimetre, centimetre, millimetre, inch, foot, unit of CMU captures.
pub const METRES: [f64; 7] = [1.0, 0.1, 0.01, 0.001, 0.0254, 0.3048, 0.0564];
/// Heights of people, in metres.
pub const HEIGHTS: std::ops::RangeInclusive<f64> = 1.2..=2.2;
const USUAL: f64 = 1.7;

/// Length unit of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// The format states the unit.
    Stated {
        /// Metres per unit.
        metres: f64,
    },
    /// The unit of [`METRES`] that makes the person nearest to 1.7 m tall.
    Fitting {
        /// Metres per unit.
        metres: f64,
        /// Height of the person, in units of the file.
        height: f32,
    },
    /// No unit gives a human height, or the joints are not those of a person.
    Unknown {
        /// Longest side of the box around the joints, in units of the file. `None` if not a person.
        longest: Option<f32>,
    },
}

impl Unit {
    /// Metres per unit, or 1 if unknown.
    pub fn metres(&self) -> f64 {
        match *self {
            Self::Stated { metres } | Self::Fitting { metres, .. } => metres,
            Self::Unknown { .. } => 1.0,
        }
    }
}

/// Unit of a file: the stated metres per unit, or the unit that fits its skeleton. Ignores a stated
/// value that is not finite or not above 0.
pub fn unit_of(stated: Option<f64>, skeleton: &Skeleton) -> Unit {
    match stated.filter(|metres| metres.is_finite() && *metres > 0.0) {
        Some(metres) => Unit::Stated { metres },
        None => unit_of_person(skeleton),
    }
}

/// Finds the unit that gives a skeleton the height of a person.
///
/// ```
/// use sinew_rig::units::{Unit, unit_of_person};
/// let person = sinew_samples::mannequin::Mannequin::default().build();
/// assert!(matches!(unit_of_person(&person.skeleton), Unit::Fitting { metres: 1.0, .. }));
/// ```
pub fn unit_of_person(skeleton: &Skeleton) -> Unit {
    let roles = find_roles(skeleton);
    let has = |role: Role| roles.joint(role).is_some();
    let is_person = has(Role::Hips) && Side::ALL.into_iter().all(|side| has(Role::UpperLeg(side)));
    // The span of the arms is about the height of a person, so the up axis does not matter.
    let Some(height) = longest_side(skeleton).filter(|_| is_person) else {
        return Unit::Unknown { longest: None };
    };
    unit_of_height(height)
}

/// Finds the unit that makes `height`, in units of the file, a human height.
///
/// ```
/// use sinew_rig::units::{Unit, unit_of_height};
/// assert_eq!(unit_of_height(172.0).metres(), 0.01);
/// assert_eq!(unit_of_height(3e6), Unit::Unknown { longest: Some(3e6) });
/// ```
pub fn unit_of_height(height: f32) -> Unit {
    let off = |metres: f64| (metres * f64::from(height) - USUAL).abs();
    let fitting = METRES
        .into_iter()
        .filter(|metres| HEIGHTS.contains(&(metres * f64::from(height))))
        .min_by(|&a, &b| off(a).total_cmp(&off(b)));
    match fitting {
        Some(metres) => Unit::Fitting { metres, height },
        None => Unit::Unknown {
            longest: Some(height),
        },
    }
}

/// Longest side of the box around the joints at rest. `None` for a single joint, or if not finite.
pub fn longest_side(skeleton: &Skeleton) -> Option<f32> {
    if skeleton.len() < 2 {
        return None;
    }
    let model = skeleton.rest_model();
    let positions = model.as_slice().iter().map(Affine::translation);
    let (low, high) = positions.fold(
        (Vec3::INFINITY, Vec3::NEG_INFINITY),
        |(low, high), position| (low.min(position), high.max(position)),
    );
    Some((high - low).max_element()).filter(|longest| longest.is_finite())
}
