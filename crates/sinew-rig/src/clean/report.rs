//! Report of a cleaned clip: what each step did.

use sinew::Clip;

/// A cleaned clip with its report.
#[derive(Clone, Debug, PartialEq)]
pub struct Cleaned {
    /// Clip with a key per frame. Events, curves and morph weights are unchanged.
    pub clip: Clip,
    /// Changes of each step.
    pub report: CleanReport,
}

/// Changes of each step. `None` for a step that was left out.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CleanReport {
    /// Number of frames.
    pub frames: usize,
    /// Frames per second.
    pub fps: f64,
    /// Gaps that were filled.
    pub gaps: Option<FillReport>,
    /// Spikes that were replaced.
    pub spikes: Option<FillReport>,
    /// Cut-offs of the filter.
    pub filter: Option<FilterReport>,
    /// Rotations that were brought within limits. `None` also if no joint has limits.
    pub limits: Option<ClampReport>,
    /// Feet that were held. `None` also if the skeleton is not a person.
    pub feet: Option<HoldReport>,
}

/// Keys that were replaced by interpolation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FillReport {
    /// Number of joints with a replaced key.
    pub joints: usize,
    /// Number of replaced runs of keys, over all joints.
    pub runs: usize,
    /// Number of replaced keys, over all joints.
    pub keys: usize,
    /// Duration of the longest replaced run, in seconds.
    pub longest_secs: f64,
    /// Number of runs that stay as they are, because they are over 1 s, or at an end of the clip.
    pub left: usize,
}

/// Cut-offs of the low-pass filter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FilterReport {
    /// Name and cut-off, in hertz, of each filtered rotation or path.
    pub cutoffs_hz: Vec<(String, f64)>,
    /// Number of moving rotations and paths without noise, which stay as they are.
    pub unfiltered: usize,
}

impl FilterReport {
    pub(super) fn note(&mut self, joint: &str, what: &str, cutoff: Option<f64>) {
        match cutoff {
            Some(hz) => self.cutoffs_hz.push((format!("{joint} {what}"), hz)),
            None => self.unfiltered += 1,
        }
    }
}

/// Rotations that were brought within limits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClampReport {
    /// Number of changed keys, over all joints.
    pub keys: usize,
    /// Max angle of a change, in degrees.
    pub worst_deg: f64,
    /// Names of joints that stay as they are, because they are beyond their limits too often for
    /// the limits to be those of this body.
    pub left: Vec<String>,
}

/// Feet that were held, in units of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HoldReport {
    /// Number of contacts of feet.
    pub contacts: usize,
    /// Max distance that the hips were moved against their drift.
    pub hips_moved: f64,
    /// Max distance that the hips were lowered.
    pub hips_lowered: f64,
    /// Max distance that a foot was moved.
    pub foot_moved: f64,
    /// Number of frames in which a foot did not reach its position.
    pub unreached_frames: usize,
}
