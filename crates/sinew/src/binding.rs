//! What a clip's curves and events drive: a table that belongs to a character, or lies beside it.
//!
//! A [`Binding`] connects the name of a curve or an event to a [`Target`]: a camera, a light, a material, a morph
//! target or a parameter of a graph for curves; a sound, dust or a call of the program's own for events. It is data with
//! one notation, in files and on the command line: `lamp=light.lantern.strength`. What is named is looked for where the
//! table is used, so one that no clip or stage has does nothing there, and [`Character::check_binding`] says so.
//!
//! [`Character::check_binding`]: crate::Character::check_binding
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
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;
use thiserror::Error;

/// A line of the table: a curve or an event, by name, and what it drives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The name of the curve or the event.
    pub signal: String,
    /// What it drives.
    pub target: Target,
}

/// What a signal can drive. Places are in model space, angles in radians, colours linear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Where the camera stands: `camera.eye`.
    CameraEye,
    /// What it looks at: `camera.target`.
    CameraTarget,
    /// Its angle of view from the lower to the upper edge: `camera.fov`.
    CameraFov,
    /// How many times as bright a light is as it was made: `light.NAME.strength`.
    LightStrength(String),
    /// A light's red, green and blue: `light.NAME.color`.
    LightColor(String),
    /// A material's texture coordinates, `material.NAME.uv`: how far they are shifted, or the two rows of a map.
    MaterialUv(String),
    /// A material's base colour, `material.NAME.color`, with or without its opacity.
    MaterialColor(String),
    /// The light that a material gives off: `material.NAME.emissive`.
    MaterialEmissive(String),
    /// The weight of the morph targets of a name, in every mesh that has one, in place of the clip's: `morph.NAME`.
    Morph(String),
    /// A parameter of a graph: `parameter.NAME`.
    Parameter(String),
    /// The event plays a sound: `sound.NAME`.
    Sound(String),
    /// The event raises dust under a joint: `dust.JOINT`.
    Dust(String),
    /// The event calls something of the program's own: `call.NAME`.
    Call(String),
}

/// How targets are written, in the order in which they are listed.
const NOTATION: &str = "camera.eye, camera.target, camera.fov, light.NAME.strength, light.NAME.color, material.NAME.uv, \
    material.NAME.color, material.NAME.emissive, morph.NAME and parameter.NAME for curves, sound.NAME, dust.JOINT and \
    call.NAME for events";

/// The widest target.
const MAX_WIDTH: usize = 6;

/// A line that is no binding, or that names what is not there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BindingError {
    /// A line without a name on one of its sides.
    #[error(
        "\"{text}\" is no binding: write the name of a curve or an event, =, and a target, like lamp=light.key.strength"
    )]
    Form {
        /// What was written.
        text: String,
    },
    /// A target of no kind that there is.
    #[error("\"{text}\" is nothing that can be driven{hint}: there are {NOTATION}")]
    Target {
        /// What was written.
        text: String,
        /// What may have been meant.
        hint: String,
    },
    /// A name of nothing that there is.
    #[error("{binding}: there is no {what} \"{name}\"{hint}")]
    Unknown {
        /// The line.
        binding: String,
        /// What was looked for: "curve".
        what: &'static str,
        /// Its name.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// A curve of more or fewer numbers than its target takes.
    #[error(
        "{binding}: the curve of clip \"{clip}\" has {found} numbers, and the target takes {wanted}"
    )]
    Width {
        /// The line.
        binding: String,
        /// The clip that has the curve.
        clip: String,
        /// How many it has.
        found: usize,
        /// How many there may be.
        wanted: String,
    },
}

impl Target {
    /// Whether an event drives it, and not a curve.
    pub fn is_of_event(&self) -> bool {
        matches!(self, Self::Sound(_) | Self::Dust(_) | Self::Call(_))
    }

    /// How many numbers its curve may have; none for an event's.
    pub fn widths(&self) -> &'static [usize] {
        match self {
            Self::CameraEye | Self::CameraTarget => &[3],
            Self::LightColor(_) | Self::MaterialEmissive(_) => &[3],
            Self::MaterialColor(_) => &[3, 4],
            Self::MaterialUv(_) => &[2, 6],
            Self::CameraFov | Self::LightStrength(_) | Self::Morph(_) | Self::Parameter(_) => &[1],
            Self::Sound(_) | Self::Dust(_) | Self::Call(_) => &[],
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
    // Names may have dots of their own.
    let property = |of: &[(&str, Make)]| {
        let (name, last) = rest.rsplit_once('.').filter(|(name, _)| !name.is_empty())?;
        let (_, make) = of.iter().find(|(property, _)| *property == last)?;
        Some(make(name.to_owned()))
    };
    let named = |make: Make| (!rest.is_empty()).then(|| make(rest.to_owned()));
    match kind {
        "camera" => match rest {
            "eye" => Some(Target::CameraEye),
            "target" => Some(Target::CameraTarget),
            "fov" => Some(Target::CameraFov),
            _ => None,
        },
        "light" => property(&[
            ("strength", Target::LightStrength),
            ("color", Target::LightColor),
        ]),
        "material" => property(&[
            ("uv", Target::MaterialUv),
            ("color", Target::MaterialColor),
            ("emissive", Target::MaterialEmissive),
        ]),
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

/// The value of a curve at a moment: as many numbers as its target takes.
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

/// What a clip drives at a time, in the order of the table: every target whose curve it has, with its value. A curve of
/// another width than the target takes, or of numbers that are none, drives nothing. Nothing is allocated.
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

/// The finite value of a clip's curve.
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

/// What an event of that name drives.
pub fn events<'b>(table: &'b [Binding], event: &str) -> impl Iterator<Item = &'b Target> {
    let own = table.iter().filter(move |binding| binding.signal == event);
    own.map(|binding| &binding.target)
        .filter(|target| target.is_of_event())
}
