//! Measures of motion: slide of feet, floor, limits, jerk, distance from a reference.
//!
//! [`measure_motion`] measures a clip without a mesh. `docs/motion.md` defines each measure with
//! its unit. [`crate::clean`] improves them.

mod error;
mod ground;
pub(crate) mod joints;
pub(crate) mod low_pass;
mod report;
pub(crate) mod stage;
pub(crate) mod support;
pub(crate) mod take;

pub use crate::retarget::Contact;
pub use error::MotionError;
pub use report::{
    GroundReport, LimitReport, MotionReport, PartContacts, ReferenceReport, SlideReport,
};
pub use stage::Part;

use crate::units::{Unit, unit_of_person};
use joints::Measured;
use sinew::skeleton::Role;
use sinew::{Clip, Skeleton};
use stage::Stage;
use take::Take;

/// Options of [`measure_motion`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MotionOptions {
    /// Metres per unit of the file. Default: the unit that gives the person a human height.
    pub metres: Option<f64>,
    /// Height of the floor, in units of the file. Default: found from standing feet.
    pub floor: Option<f64>,
}

impl MotionOptions {
    /// Default options.
    pub const fn new() -> Self {
        Self {
            metres: None,
            floor: None,
        }
    }

    /// Sets [`MotionOptions::metres`].
    #[must_use]
    pub const fn metres(mut self, metres: Option<f64>) -> Self {
        self.metres = metres;
        self
    }

    /// Sets [`MotionOptions::floor`].
    #[must_use]
    pub const fn floor(mut self, floor: Option<f64>) -> Self {
        self.floor = floor;
        self
    }
}

/// Metres per unit of a skeleton: the common unit that gives a person a human height, or else the
/// unit that makes the person 1.7 m tall. 1 for other skeletons.
pub fn person_metres(skeleton: &Skeleton) -> f64 {
    match unit_of_person(skeleton) {
        Unit::Unknown {
            longest: Some(longest),
        } if longest > 0.0 => 1.7 / f64::from(longest),
        unit => unit.metres(),
    }
}

/// Measures a clip, and compares it with a reference: the skeleton and clip of the same take.
///
/// ```
/// use sinew_rig::motion::{MotionOptions, measure_motion};
/// let person = sinew_samples::humanoid_character();
/// let walk = &person.clips[0];
/// let found = measure_motion(&person.skeleton, walk, None, &MotionOptions::default())?;
/// assert_eq!(found.spike_share, 0.0);
/// # Ok::<(), sinew_rig::motion::MotionError>(())
/// ```
///
/// # Errors
/// [`MotionError`] if the clip does not move, is too long, or does not fit the skeleton.
pub fn measure_motion(
    skeleton: &Skeleton,
    clip: &Clip,
    reference: Option<(&Skeleton, &Clip)>,
    options: &MotionOptions,
) -> Result<MotionReport, MotionError> {
    check_options(options)?;
    let take = Take::new(skeleton, clip)?;
    let models = take.models();
    let metres_of = |skeleton| options.metres.unwrap_or_else(|| person_metres(skeleton));
    let metres = metres_of(skeleton);
    let floor = options.floor.map(|floor| metres * floor);
    let stage = Stage::new(&take, clip);
    let ground_of = |stage: &Stage<'_>| ground::ground(stage, &take, &models, metres, floor);
    let ground = stage.as_ref().map(ground_of);
    let hips = stage.as_ref().and_then(|s| s.body.roles.joint(Role::Hips));
    let own = Measured {
        take: &take,
        models: &models,
        ground: ground.as_ref(),
        metres,
    };
    let reference = match reference {
        Some((skeleton, clip)) => {
            let there = Take::at(skeleton, clip, take.times.clone(), take.fps)?;
            Some(compared(&own, &there, clip, metres_of(skeleton))?)
        }
        None => None,
    };
    let jerk = joints::jerks(&take, &models, metres);
    let [speed_max, spike_share] = joints::speeds(&take, &models, hips.unwrap_or(0), metres);
    Ok(MotionReport {
        frames: take.times.len(),
        fps: take.fps,
        metres,
        limits: joints::limits(&take),
        jerk_mean: joints::mean_jerk(&jerk),
        speed_max,
        spike_share,
        reference,
        jerk,
        ground,
    })
}

fn compared(
    own: &Measured<'_>,
    there: &Take<'_>,
    clip: &Clip,
    metres: f64,
) -> Result<ReferenceReport, MotionError> {
    let models = there.models();
    let stage = Stage::new(there, clip);
    let ground = stage.map(|s| ground::ground(&s, there, &models, metres, None));
    let other = Measured {
        take: there,
        models: &models,
        ground: ground.as_ref(),
        metres,
    };
    joints::differences(own, &other).ok_or(MotionError::OtherReference)
}

fn check_options(options: &MotionOptions) -> Result<(), MotionError> {
    let bad = |what, value, expected| {
        Err(MotionError::BadOption {
            what,
            value,
            expected,
        })
    };
    match *options {
        MotionOptions {
            metres: Some(m), ..
        } if !(1e-6..=1e6).contains(&m) => bad("unit", m, "use from 1e-6 to 1e6 metres per unit"),
        MotionOptions { floor: Some(f), .. } if !f.is_finite() => {
            bad("floor", f, "use a height in units of the file")
        }
        _ => Ok(()),
    }
}
