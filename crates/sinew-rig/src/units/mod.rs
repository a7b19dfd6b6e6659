//! The unit of a file: as it states, or as a person in it is as tall as people are.
//!
//! glTF is in metres. BVH and `.sinew` files state nothing, and are met in metres, centimetres, inches and in
//! units of the program that made them. (C3D names its unit, and is read to metres.)

mod scaled;

pub use scaled::{ScaleError, scaled};

use crate::retarget::roles::find_roles;
use glam::Vec3;
use sinew::skeleton::{Role, Side};
use sinew::{Affine, Skeleton};

/// Metres per unit, of units that are in use: metre, decimetre, centimetre, millimetre, inch, foot, and that of CMU's
/// captures.
pub const METRES: [f64; 7] = [1.0, 0.1, 0.01, 0.001, 0.0254, 0.3048, 0.0564];
/// The heights of people, in metres.
pub const HEIGHTS: std::ops::RangeInclusive<f64> = 1.2..=2.2;
/// The usual height of a person, in metres.
const USUAL: f64 = 1.7;

/// The unit of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// Its format states it.
    Stated {
        /// Metres per unit.
        metres: f64,
    },
    /// In this one of [`METRES`], of all that fit, the person in it is nearest to 1.7 m.
    Fitting {
        /// Metres per unit.
        metres: f64,
        /// Of the person, in units of the file.
        height: f32,
    },
    /// In none is the figure as tall as a person, or it is none.
    Unknown {
        /// Of the box round its joints, in units of the file; nothing where they are no person's.
        longest: Option<f32>,
    },
}

impl Unit {
    /// Metres per unit; 1 where that is not known.
    pub fn metres(&self) -> f64 {
        match *self {
            Self::Stated { metres } | Self::Fitting { metres, .. } => metres,
            Self::Unknown { .. } => 1.0,
        }
    }
}

/// The unit of a file that was read: what it states, metres per unit, or what its skeleton is in. What is not finite
/// and above 0 states nothing.
pub fn unit_of(stated: Option<f64>, skeleton: &Skeleton) -> Unit {
    match stated.filter(|metres| metres.is_finite() && *metres > 0.0) {
        Some(metres) => Unit::Stated { metres },
        None => unit_of_person(skeleton),
    }
}

/// The unit in which a skeleton is that of a person.
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
    // Arms that are held out are about as wide as a person is tall, whichever axis is up.
    let Some(height) = longest_side(skeleton).filter(|_| is_person) else {
        return Unit::Unknown { longest: None };
    };
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

/// The longest side of the box round the joints at rest. `None` for a single joint, or where numbers end.
pub fn longest_side(skeleton: &Skeleton) -> Option<f32> {
    if skeleton.len() < 2 {
        return None;
    }
    let model = skeleton.rest_model();
    let places = model.as_slice().iter().map(Affine::translation);
    let (low, high) = places.fold(
        (Vec3::INFINITY, Vec3::NEG_INFINITY),
        |(low, high), place| (low.min(place), high.max(place)),
    );
    Some((high - low).max_element()).filter(|longest| longest.is_finite())
}
