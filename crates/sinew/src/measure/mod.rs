//! How well a character deforms: what skinning does to volume, limbs, edges and normals, frame by
//! frame and method by method, and checks on it.
//!
//! A twist makes linear skinning collapse a limb like a sweet's wrapper, a bend makes dual quaternions
//! bulge, and either jumps when a joint passes a half turn (Kavan et al. 2008; Jacobson et al. 2014,
//! "Skinning: real-time shape deformation"). These are numbers here, so a rig can be held to them.

mod check;
mod connected;
mod frame;
mod report;
mod sections;
mod surface;

pub use check::{Check, CheckError, Comparison, Metric, Violation};
pub use report::{
    FAR_DEG, FrameReport, JointRotation, Measurement, MethodReport, NormalError, OpenMesh, Reading,
    SectionReport, Stretch, SurfaceReport, WeightReport,
};

use crate::character::Character;
use crate::clip::Clip;
use crate::clip::sample::sample;
use crate::deform::{DeformError, refuse};
use crate::pose::{LocalPose, ModelPose};
use frame::{Moved, Posed};
use sections::{Section, sections};
use sinew_math::transform::Affine;
use sinew_skin::Method;
use surface::Surface;
use thiserror::Error;

/// The most frames that [`frame_times`] gives.
pub const MAX_FRAMES: usize = 100_000;

/// The reason why a character could not be measured.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// A clip that is not there, or a mesh that does not fit its skin.
    #[error(transparent)]
    Deform(#[from] DeformError),
    /// Nothing to measure.
    #[error("no skin moves any vertex of this character")]
    NothingSkinned,
    /// A pose of another skeleton.
    #[error("pose {pose} has {found} joints where the skeleton has {wanted}")]
    PoseLength {
        /// Which pose.
        pose: usize,
        /// Its joints.
        found: usize,
        /// The skeleton's.
        wanted: usize,
    },
    /// A rate or a duration that makes no frames, or too many.
    #[error("{duration_secs} s at {fps} frames per second do not make 1 to {MAX_FRAMES} frames")]
    Frames {
        /// How long.
        duration_secs: f64,
        /// How often.
        fps: f64,
    },
}

/// The times of frames `1 / fps` apart, from 0 to the end, which is one whether it falls on a frame or
/// not.
///
/// ```
/// assert_eq!(sinew::measure::frame_times(0.5, 4.0)?, [0.0, 0.25, 0.5]);
/// # Ok::<(), sinew::measure::MeasureError>(())
/// ```
pub fn frame_times(duration_secs: f64, fps: f64) -> Result<Vec<f64>, MeasureError> {
    let steps = duration_secs * fps;
    if !(fps > 0.0 && (0.0..MAX_FRAMES as f64 - 1.0).contains(&steps)) {
        return Err(MeasureError::Frames { duration_secs, fps });
    }
    // A hair over a whole number of steps is rounding of the duration, not one more frame.
    let whole = (steps * (1.0 - 1e-6)).ceil() as usize;
    let before_the_end = (0..whole).map(|frame| frame as f64 / fps);
    Ok(before_the_end.chain([duration_secs]).collect())
}

/// Measures a clip at some times, ascending; without a clip, the rest pose.
///
/// ```
/// use sinew::Method;
/// use sinew::measure::{frame_times, measure};
/// let tube = sinew_samples::tube_character();
/// let times = frame_times(2.0, 10.0)?;
/// let found = measure(&tube, tube.find_clip("twist"), &times, &[Method::Linear, Method::DualQuat])?;
/// let least = |m: usize| found.methods[m].frames.iter().filter_map(|f| f.volume).fold(1.0, f64::min);
/// assert!(least(0) < 0.7 && least(1) > 0.98);
/// # Ok::<(), sinew::measure::MeasureError>(())
/// ```
pub fn measure(
    character: &Character,
    clip: Option<usize>,
    times_secs: &[f64],
    methods: &[Method],
) -> Result<Measurement, MeasureError> {
    let clip = match clip {
        Some(clip) => Some(character.clips.get(clip).ok_or(DeformError::NoSuchClip {
            clip,
            len: character.clips.len(),
        })?),
        None => None,
    };
    let pose_at = |frame: usize, pose: &mut LocalPose| match clip {
        Some(clip) => sample(clip, &character.skeleton, times_secs[frame], pose),
        None => pose.copy_from(character.skeleton.rest()),
    };
    run(character, clip, times_secs, methods, pose_at)
}

/// Measures poses, which count as a second apart.
pub fn measure_poses(
    character: &Character,
    poses: &[LocalPose],
    methods: &[Method],
) -> Result<Measurement, MeasureError> {
    let wanted = character.skeleton.len();
    if let Some(pose) = poses.iter().position(|p| p.len() != wanted) {
        return Err(MeasureError::PoseLength {
            pose,
            found: poses[pose].len(),
            wanted,
        });
    }
    let times: Vec<f64> = (0..poses.len()).map(|frame| frame as f64).collect();
    let pose_at = |frame: usize, pose: &mut LocalPose| pose.copy_from(&poses[frame]);
    run(character, None, &times, methods, pose_at)
}

fn run(
    character: &Character,
    clip: Option<&Clip>,
    times_secs: &[f64],
    methods: &[Method],
    pose_at: impl Fn(usize, &mut LocalPose),
) -> Result<Measurement, MeasureError> {
    character.check().map_err(DeformError::from)?;
    refuse::too_large(character)?;
    let mut surface = Surface::new(character)?;
    let sections = sections(character, &surface);
    let mut at_rest = Posed::new(character).map_err(DeformError::from)?;
    at_rest
        .update(character, &character.skeleton.rest_model())
        .map_err(DeformError::from)?;
    let mut linear = Moved::new(&surface, Method::Linear);
    linear.set_rest(&surface, &at_rest)?;
    let mut measurement = Measurement {
        times_secs: times_secs.to_vec(),
        surface: surface.report(&linear.rest),
        weights: surface.weights(),
        turns: Vec::new(),
        methods: methods
            .iter()
            .map(|&method| MethodReport {
                method,
                frames: Vec::with_capacity(times_secs.len()),
                sections: Vec::new(),
            })
            .collect(),
    };
    let mut moved: Vec<_> = methods.iter().map(|&m| Moved::new(&surface, m)).collect();
    for moved in &mut moved {
        moved.set_rest(&surface, &at_rest)?;
    }
    let (mut local, mut pose) = (LocalPose::identity(0), ModelPose::identity(0));
    let mut posed = Posed::new(character).map_err(DeformError::from)?;
    for (frame, &time) in times_secs.iter().enumerate() {
        if surface.has_morphs() {
            surface.bind(character, clip, time);
            for moved in &mut moved {
                moved.set_rest(&surface, &at_rest)?;
            }
        }
        pose_at(frame, &mut local);
        pose.update(character.skeleton.hierarchy(), &local, &Affine::IDENTITY)
            .map_err(DeformError::from)?;
        refuse::joint_nowhere(character, &pose, time)?;
        posed.update(character, &pose).map_err(DeformError::from)?;
        note_turns(&mut measurement.turns, &sections, &posed, frame);
        let elapsed = time - times_secs[frame.saturating_sub(1)];
        for (moved, report) in moved.iter_mut().zip(&mut measurement.methods) {
            moved.advance(&surface, &posed)?;
            let seen = moved.report(&surface, &posed.model_from_bind, elapsed);
            report.frames.push(seen);
            let maps = [&*at_rest.model_from_bind, &*posed.model_from_bind];
            note_sections(&mut report.sections, &sections, maps, moved, frame);
        }
    }
    Ok(measurement)
}

/// Keeps the largest turn of each joint.
fn note_turns(turns: &mut Vec<JointRotation>, sections: &[Section], posed: &Posed, frame: usize) {
    for section in sections {
        let joint = section.joint;
        let angle_deg = section.turn_deg(&posed.model_from_bind);
        let seen = JointRotation {
            joint,
            angle_deg,
            frame,
        };
        match turns.iter_mut().find(|t| t.joint == joint) {
            None => turns.push(seen),
            Some(turn) if angle_deg > turn.angle_deg => *turn = seen,
            Some(_) => {}
        }
    }
}

/// Keeps the narrowest and widest of each joint.
fn note_sections(
    reports: &mut Vec<SectionReport>,
    sections: &[Section],
    [at_rest, now]: [&[Affine]; 2],
    moved: &Moved,
    frame: usize,
) {
    for section in sections {
        let joint = section.joint;
        let reading = |value| Reading {
            value,
            frame,
            joint: Some(joint),
        };
        let (rest, positions) = (&moved.rest, &moved.positions);
        let narrowest = reading(section.narrowest(rest, positions));
        let widest = section.widest((rest, at_rest), (positions, now));
        let widest = widest.map(reading);
        let Some(report) = reports.iter_mut().find(|r| r.joint == joint) else {
            reports.push(SectionReport {
                joint,
                narrowest,
                widest,
            });
            continue;
        };
        if narrowest.value < report.narrowest.value {
            report.narrowest = narrowest;
        }
        let is_wider = |new: &Reading| report.widest.is_none_or(|old| new.value > old.value);
        if let Some(wider) = widest.filter(is_wider) {
            report.widest = Some(wider);
        }
    }
}
