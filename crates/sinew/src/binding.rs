//! Tables that connect the curves and events of clips to their targets.
//!
//! A [`Binding`] connects the name of a curve or an event to a [`Target`]. Curves drive a camera, a
//! light, a material, a morph target or a graph parameter. Events play a sound, raise dust or call
//! the program. An example of its text is `lamp=light.lantern.strength`. An unknown name has no
//! effect. [`Character::check_binding`](crate::Character::check_binding) reports it.
//!
//! ```
//! use sinew::binding::{Binding, Target, curves, events};
//! use sinew::clip::{Clip, Curve, Interpolation, Track};
//! let table: Vec<Binding> = ["glow=light.lamp.strength", "step=sound.gravel"]
//!     .iter()
//!     .map(|line| line.parse())
//!     .collect::<Result<_, _>>()?;
//! let mut clip = Clip::new("walk");
//! let track = Track::new(vec![0.0, 1.0], vec![0.0, 2.0], 1, Interpolation::Linear)?;
//! clip.curves.push(Curve { name: "glow".to_owned(), track });
//! for (target, value) in curves(&table, &clip, 0.5) {
//!     assert_eq!((target, &*value), (&Target::LightStrength("lamp".to_owned()), &[1.0][..]));
//! }
//! // A player fires events; the table says what they mean.
//! assert_eq!(events(&table, "step").next(), Some(&Target::Sound("gravel".to_owned())));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::clip::Playable;
use crate::names::did_you_mean;
use crate::property::{ObjectKind, Property};
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;
use thiserror::Error;

/// One line of a binding table: the name of a curve or an event, and its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Name of the curve or the event.
    pub signal: String,
    /// Property or action that the signal drives.
    pub target: Target,
}

/// Target of a signal. Positions are in model space, angles in radians, colours linear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Position of the camera: `camera.eye`.
    CameraEye,
    /// Point that the camera looks at: `camera.target`.
    CameraTarget,
    /// Vertical field of view of the camera: `camera.fov`.
    CameraFov,
    /// Factor of the original brightness of a light: `light.NAME.strength`.
    LightStrength(String),
    /// Red, green and blue of a light: `light.NAME.color`.
    LightColor(String),
    /// Offset (2 numbers) or affine map (6, two rows) of texture coordinates: `material.NAME.uv`.
    MaterialUv(String),
    /// Base colour of a material, as 3 numbers or 4 with opacity: `material.NAME.color`.
    MaterialColor(String),
    /// Light that a material emits: `material.NAME.emissive`.
    MaterialEmissive(String),
    /// One property of an object of the file: `KIND.NAME.PROPERTY`, for example `camera.front.fov`.
    Property {
        /// Name of the object, or `#` and its index.
        name: String,
        /// The property.
        property: Property,
    },
    /// Weight of the morph targets of this name, instead of the weight of the clip: `morph.NAME`.
    Morph(String),
    /// Parameter of a graph: `parameter.NAME`.
    Parameter(String),
    /// Event that plays a sound: `sound.NAME`.
    Sound(String),
    /// Event that raises dust under a joint: `dust.JOINT`.
    Dust(String),
    /// Event that calls the program: `call.NAME`.
    Call(String),
}

const NOTATION: &str = "camera.eye, camera.target, camera.fov, light.NAME.strength, light.NAME.color, material.NAME.uv, \
    material.NAME.color, material.NAME.emissive, node.NAME.visible, other properties such as light.NAME.intensity, \
    morph.NAME and parameter.NAME for curves, sound.NAME, dust.JOINT and call.NAME for events";

const MAX_WIDTH: usize = 6;

/// Syntax error in a binding, or an unknown name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BindingError {
    /// Line without a name before or after `=`.
    #[error(
        "\"{text}\" is not a binding: write the name of a curve or an event, =, and a target, like lamp=light.key.strength"
    )]
    Form {
        /// Text as written.
        text: String,
    },
    /// Target of an unknown kind.
    #[error("\"{text}\" is not a target{hint}; targets are {NOTATION}")]
    Target {
        /// Text as written.
        text: String,
        /// Similar name. May be empty.
        hint: String,
    },
    /// Name that neither the character nor the stage has.
    #[error("{binding}: there is no {what} \"{name}\"{hint}")]
    Unknown {
        /// Binding as written.
        binding: String,
        /// Kind of the missing item, for example "curve".
        what: &'static str,
        /// Missing name.
        name: String,
        /// Similar or known names.
        hint: String,
    },
    /// Curve with a number of values that its target does not accept.
    #[error(
        "{binding}: the curve of clip \"{clip}\" has {found} numbers, but the target takes {expected}"
    )]
    Width {
        /// Binding as written.
        binding: String,
        /// Name of the clip that has the curve.
        clip: String,
        /// Numbers per key of the curve.
        found: usize,
        /// Numbers per key that the target accepts.
        expected: String,
    },
}

impl Target {
    /// True if events drive this target. False if curves drive it.
    pub fn is_of_event(&self) -> bool {
        matches!(self, Self::Sound(_) | Self::Dust(_) | Self::Call(_))
    }

    /// Allowed numbers per key of a curve for this target. Empty for targets of events.
    pub fn widths(&self) -> &'static [usize] {
        match self {
            Self::CameraEye | Self::CameraTarget => &[3],
            Self::LightColor(_) | Self::MaterialEmissive(_) => &[3],
            Self::MaterialColor(_) => &[3, 4],
            Self::MaterialUv(_) => &[2, 6],
            Self::CameraFov | Self::LightStrength(_) | Self::Morph(_) | Self::Parameter(_) => &[1],
            Self::Property { property, .. } => match property.width() {
                1 => &[1],
                2 => &[2],
                3 => &[3],
                _ => &[4],
            },
            Self::Sound(_) | Self::Dust(_) | Self::Call(_) => &[],
        }
    }

    /// Target that sets a property of the object with this name.
    pub fn of(name: String, property: Property) -> Self {
        match property {
            Property::LightColor => Self::LightColor(name),
            Property::BaseColor => Self::MaterialColor(name),
            property => Self::Property { name, property },
        }
    }

    /// Name of an object and the property that this target sets. `None` for targets of other kinds.
    pub fn property(&self) -> Option<(&str, Property)> {
        match self {
            Self::LightColor(name) => Some((name, Property::LightColor)),
            Self::MaterialColor(name) => Some((name, Property::BaseColor)),
            Self::Property { name, property } => Some((name, *property)),
            _ => None,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CameraEye => write!(f, "camera.eye"),
            Self::CameraTarget => write!(f, "camera.target"),
            Self::CameraFov => write!(f, "camera.fov"),
            Self::LightStrength(name) => write!(f, "light.{name}.strength"),
            Self::LightColor(name) => write!(f, "light.{name}.color"),
            Self::MaterialUv(name) => write!(f, "material.{name}.uv"),
            Self::MaterialColor(name) => write!(f, "material.{name}.color"),
            Self::MaterialEmissive(name) => write!(f, "material.{name}.emissive"),
            Self::Property { name, property } => {
                write!(f, "{}.{name}.{}", property.kind().name(), property.name())
            }
            Self::Morph(name) => write!(f, "morph.{name}"),
            Self::Parameter(name) => write!(f, "parameter.{name}"),
            Self::Sound(name) => write!(f, "sound.{name}"),
            Self::Dust(joint) => write!(f, "dust.{joint}"),
            Self::Call(name) => write!(f, "call.{name}"),
        }
    }
}

impl FromStr for Target {
    type Err = BindingError;

    fn from_str(text: &str) -> Result<Self, BindingError> {
        parsed(text).ok_or_else(|| {
            let kinds = [
                "node",
                "camera",
                "light",
                "material",
                "morph",
                "parameter",
                "sound",
                "dust",
                "call",
            ];
            let whole = ["camera.eye", "camera.target", "camera.fov"];
            let kind = text.split_once('.').map_or(text, |(kind, _)| kind);
            BindingError::Target {
                text: text.to_owned(),
                hint: match kinds.contains(&kind) {
                    true => did_you_mean(text, whole),
                    false => did_you_mean(kind, kinds),
                },
            }
        })
    }
}

fn parsed(text: &str) -> Option<Target> {
    type Make = fn(String) -> Target;
    let (kind, rest) = text.split_once('.')?;
    // Names may contain dots.
    let property = |of: &[(&str, Make)]| {
        let (name, last) = rest.rsplit_once('.').filter(|(name, _)| !name.is_empty())?;
        let (_, make) = of.iter().find(|(property, _)| *property == last)?;
        Some(make(name.to_owned()))
    };
    let named = |make: Make| (!rest.is_empty()).then(|| make(rest.to_owned()));
    let other = |kind: ObjectKind| {
        let (name, property) = Property::split(kind, rest)?;
        Some(Target::of(name.to_owned(), property))
    };
    match kind {
        "camera" => match rest {
            "eye" => Some(Target::CameraEye),
            "target" => Some(Target::CameraTarget),
            "fov" => Some(Target::CameraFov),
            _ => other(ObjectKind::Camera),
        },
        "light" => {
            property(&[("strength", Target::LightStrength)]).or_else(|| other(ObjectKind::Light))
        }
        "material" => property(&[
            ("uv", Target::MaterialUv),
            ("emissive", Target::MaterialEmissive),
        ])
        .or_else(|| other(ObjectKind::Material)),
        "node" => other(ObjectKind::Node),
        "morph" => named(Target::Morph),
        "parameter" => named(Target::Parameter),
        "sound" => named(Target::Sound),
        "dust" => named(Target::Dust),
        "call" => named(Target::Call),
        _ => None,
    }
}

impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.signal, self.target)
    }
}

impl FromStr for Binding {
    type Err = BindingError;

    fn from_str(text: &str) -> Result<Self, BindingError> {
        let sides = text
            .split_once('=')
            .filter(|(signal, _)| !signal.is_empty());
        let (signal, target) = sides.ok_or_else(|| BindingError::Form {
            text: text.to_owned(),
        })?;
        Ok(Self {
            signal: signal.to_owned(),
            target: target.parse()?,
        })
    }
}

/// Value of a curve at one time, with the numbers of one key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    numbers: [f32; MAX_WIDTH],
    width: usize,
}

impl Deref for Value {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.numbers[..self.width]
    }
}

/// Targets that the curves of a clip drive at `time_secs`, with their values, in table order. Skips
/// curves of the wrong width and values that are not finite. Allocates nothing.
pub fn curves<'b>(
    table: &'b [Binding],
    clip: &dyn Playable,
    time_secs: f64,
) -> impl Iterator<Item = (&'b Target, Value)> {
    table.iter().filter_map(move |binding| {
        let value = curve_value(clip, &binding.signal, time_secs)?;
        let fits = binding.target.widths().contains(&value.width);
        fits.then_some((&binding.target, value))
    })
}

pub(crate) fn curve_value(clip: &dyn Playable, name: &str, time_secs: f64) -> Option<Value> {
    let curve = clip.curves().iter().find(|curve| curve.name == name)?;
    let mut value = Value {
        numbers: [0.0; MAX_WIDTH],
        width: curve.track.width(),
    };
    let numbers = value.numbers.get_mut(..value.width)?;
    curve.track.sample(time_secs, numbers).ok()?;
    value
        .iter()
        .all(|number| number.is_finite())
        .then_some(value)
}

/// Targets of all events with this name.
pub fn events<'b>(table: &'b [Binding], event: &str) -> impl Iterator<Item = &'b Target> {
    let own = table.iter().filter(move |binding| binding.signal == event);
    own.map(|binding| &binding.target)
        .filter(|target| target.is_of_event())
}
