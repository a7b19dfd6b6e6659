//! Quality of deformations: effects of skinning methods on volume, limbs, edges and normals.
//!
//! Linear skinning collapses a twisted limb (candy wrapper). Dual quaternions bulge at a bend. Both
//! methods jump when a joint rotates past 180° (Kavan et al. 2008; Jacobson et al. 2014, "Skinning:
//! real-time shape deformation").

mod check;
mod connected;
mod error;
mod frame;
mod report;
mod sections;
mod surface;

pub use check::{Check, CheckError, Comparison, Metric, Violation};
pub use error::{MAX_FRAMES, MeasureError};
pub use report::{
    FAR_DEG, FrameReport, JointRotation, Measurement, MeshLocation, MethodReport, NormalError,
    OpenMesh, Reading, SectionReport, Stretch, SurfaceReport, WeightReport,
};

use crate::character::Character;
use crate::clip::Clip;
use crate::clip::sample::sample;
use crate::deform::{DeformError, refuse};
use crate::pose::{LocalPose, ModelPose};
use frame::{Moved, Posed};
use glam::Vec3;
use sections::{Section, SectionAtRest, sections};
use sinew_math::transform::Affine;
use sinew_skin::Method;
use std::ops::Deref;
use surface::Surface;

/// Times from 0 to `duration_secs` in steps of `1 / fps`, in seconds. The end is always included.
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
    // Slightly more than a whole number of steps is rounding and not another frame.
    let whole = (steps * (1.0 - 1e-6)).ceil() as usize;
    let before_the_end = (0..whole).map(|frame| frame as f64 / fps);
    Ok(before_the_end.chain([duration_secs]).collect())
}

/// Measures a clip at ascending times, or the rest pose without a clip.
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
    let mut measuring = Measuring::new(character, clip, times_secs, methods)?;
    while measuring.advance()? {}
    Ok(measuring.finish())
}

/// Measures poses as if they were one second apart.
pub fn measure_poses(
    character: &Character,
    poses: &[LocalPose],
    methods: &[Method],
) -> Result<Measurement, MeasureError> {
    let expected = character.skeleton.len();
    if let Some(pose) = poses.iter().position(|p| p.len() != expected) {
        return Err(MeasureError::PoseLength {
            pose,
            found: poses[pose].len(),
            expected,
        });
    }
    let times: Vec<f64> = (0..poses.len()).map(|frame| frame as f64).collect();
    let mut frames = Frames::new(character, &times, methods)?;
    for pose in poses {
        frames.push(character, None, pose)?;
    }
    Ok(frames.measurement)
}

/// Measurement of a clip, frame by frame, for callers that show progress.
///
/// ```
/// use sinew::Method;
/// use sinew::measure::{Measuring, frame_times, measure};
/// let tube = sinew_samples::tube_character();
/// let (twist, times) = (tube.find_clip("twist"), frame_times(2.0, 10.0)?);
/// let mut measuring = Measuring::new(&tube, twist, &times, &[Method::Linear])?;
/// while measuring.advance()? {
///     println!("{} of {}", measuring.frames_done(), times.len());
/// }
/// assert_eq!(measuring.finish(), measure(&tube, twist, &times, &[Method::Linear])?);
/// # Ok::<(), sinew::measure::MeasureError>(())
/// ```
pub struct Measuring<C> {
    character: C,
    clip: Option<usize>,
    local: LocalPose,
    frames: Frames,
}

impl<C> std::fmt::Debug for Measuring<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let done = self.frames.done;
        f.debug_struct("Measuring")
            .field("done", &done)
            .finish_non_exhaustive()
    }
}

impl<C: Deref<Target = Character>> Measuring<C> {
    /// Prepares a measurement. `character` can be a reference or an `Arc`.
    ///
    /// # Errors
    /// If the clip does not exist, or the character has no skinned vertices.
    pub fn new(
        character: C,
        clip: Option<usize>,
        times_secs: &[f64],
        methods: &[Method],
    ) -> Result<Self, MeasureError> {
        let len = character.clips.len();
        if let Some(clip) = clip.filter(|&clip| clip >= len) {
            return Err(DeformError::NoSuchClip { clip, len }.into());
        }
        let frames = Frames::new(&character, times_secs, methods)?;
        Ok(Self {
            character,
            clip,
            local: LocalPose::identity(0),
            frames,
        })
    }

    /// Measures the next frame. Returns false if no frame remains.
    ///
    /// # Errors
    /// If a joint or a vertex is not finite at that time.
    pub fn advance(&mut self) -> Result<bool, MeasureError> {
        let times = &self.frames.measurement.times_secs;
        let Some(&time_secs) = times.get(self.frames.done) else {
            return Ok(false);
        };
        let character = &*self.character;
        let clip = self.clip.map(|clip| &character.clips[clip]);
        match clip {
            Some(clip) => sample(clip, &character.skeleton, time_secs, &mut self.local)
                .map_err(DeformError::from)?,
            None => self.local.copy_from(character.skeleton.rest()),
        }
        self.frames.push(character, clip, &self.local)?;
        Ok(true)
    }

    /// Number of frames measured.
    pub fn frames_done(&self) -> usize {
        self.frames.done
    }

    /// Frames measured so far, one report of frames per method, with the times of all frames.
    pub fn so_far(&self) -> &Measurement {
        &self.frames.measurement
    }

    /// Measurement of the frames so far.
    pub fn finish(mut self) -> Measurement {
        let measurement = &mut self.frames.measurement;
        measurement.times_secs.truncate(self.frames.done);
        self.frames.measurement
    }
}

struct Frames {
    surface: Surface,
    sections: Vec<Section>,
    at_rest: Posed,
    moved: Vec<Moved>,
    /// Sections at the rest pose, by method.
    sections_at_rest: Vec<Vec<SectionAtRest>>,
    pose: ModelPose,
    posed: Posed,
    done: usize,
    measurement: Measurement,
}

impl Frames {
    fn new(
        character: &Character,
        times_secs: &[f64],
        methods: &[Method],
    ) -> Result<Self, MeasureError> {
        character.check().map_err(DeformError::from)?;
        refuse::too_large(character)?;
        let surface = Surface::new(character)?;
        let sections = sections(character, &surface);
        let mut at_rest = Posed::new(character).map_err(DeformError::from)?;
        at_rest
            .update(character, &character.skeleton.rest_model())
            .map_err(DeformError::from)?;
        let mut linear = Moved::new(&surface, Method::Linear);
        linear.set_rest(&surface, &at_rest)?;
        let measurement = Measurement {
            times_secs: times_secs.to_vec(),
            surface: surface.report(&linear.rest),
            weights: surface.weights(),
            rotations: Vec::new(),
            methods: methods
                .iter()
                .map(|&method| MethodReport {
                    method,
                    frames: Vec::with_capacity(times_secs.len()),
                    sections: Vec::new(),
                })
                .collect(),
        };
        let moved: Vec<_> = methods.iter().map(|&m| Moved::new(&surface, m)).collect();
        let mut frames = Self {
            surface,
            sections,
            at_rest,
            moved,
            sections_at_rest: Vec::new(),
            pose: ModelPose::identity(0),
            posed: Posed::new(character).map_err(DeformError::from)?,
            done: 0,
            measurement,
        };
        frames.set_rest()?;
        Ok(frames)
    }

    /// Sets the surfaces at the rest pose, with which frames are compared.
    fn set_rest(&mut self) -> Result<(), DeformError> {
        self.sections_at_rest.clear();
        for moved in &mut self.moved {
            moved.set_rest(&self.surface, &self.at_rest)?;
            let maps = &self.at_rest.model_from_bind;
            let sections = self.sections.iter();
            let at_rest = sections.map(|section| section.at_rest(&moved.rest, maps));
            self.sections_at_rest.push(at_rest.collect());
        }
        Ok(())
    }

    fn push(
        &mut self,
        character: &Character,
        clip: Option<&Clip>,
        local: &LocalPose,
    ) -> Result<(), MeasureError> {
        let (frame, times_secs) = (self.done, &self.measurement.times_secs);
        let time = times_secs[frame];
        let elapsed = time - times_secs[frame.saturating_sub(1)];
        if self.surface.has_morphs() {
            self.surface.bind(character, clip, time, local);
            self.set_rest()?;
        }
        let Self { surface, posed, .. } = self;
        self.pose
            .update(character.skeleton.hierarchy(), local, &Affine::IDENTITY)
            .map_err(DeformError::from)?;
        refuse::joint_nowhere(character, &self.pose, time)?;
        posed
            .update(character, &self.pose)
            .map_err(DeformError::from)?;
        note_turns(
            &mut self.measurement.rotations,
            &self.sections,
            posed,
            frame,
        );
        let reports = self.measurement.methods.iter_mut();
        let at_rest = self.sections_at_rest.iter();
        for ((moved, report), at_rest) in self.moved.iter_mut().zip(reports).zip(at_rest) {
            moved.advance(surface, posed)?;
            let maps = &posed.model_from_bind;
            let mut seen = moved.report(surface, maps, elapsed);
            for (section, at_rest) in self.sections.iter().zip(at_rest) {
                let found = section_at(section, at_rest, (&moved.positions, maps), frame);
                seen.note_section(&found);
                keep_worst(&mut report.sections, &found);
            }
            report.frames.push(seen);
        }
        self.done += 1;
        Ok(())
    }
}

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
            Some(rotation) if angle_deg > rotation.angle_deg => *rotation = seen,
            Some(_) => {}
        }
    }
}

fn section_at(
    section: &Section,
    at_rest: &SectionAtRest,
    (positions, maps): (&[Vec3], &[Affine]),
    frame: usize,
) -> SectionReport {
    let joint = section.joint;
    let reading = |value| Reading {
        value,
        frame,
        joint: Some(joint),
    };
    SectionReport {
        joint,
        narrowest: reading(section.narrowest(at_rest, positions)),
        widest: section.widest(at_rest, positions, maps).map(reading),
    }
}

fn keep_worst(reports: &mut Vec<SectionReport>, found: &SectionReport) {
    let Some(report) = reports.iter_mut().find(|r| r.joint == found.joint) else {
        reports.push(*found);
        return;
    };
    if found.narrowest.value < report.narrowest.value {
        report.narrowest = found.narrowest;
    }
    let is_wider = |new: &Reading| report.widest.is_none_or(|old| new.value > old.value);
    if let Some(wider) = found.widest.filter(is_wider) {
        report.widest = Some(wider);
    }
}
