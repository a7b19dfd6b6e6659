//! Report of a fit, measured on the fitted body.

use super::markers::Marker;
use super::motion::Motion;
use super::pose::body::{Body, MarkerFrame, Placed};
use sinew::Skeleton;
use sinew::markers::Gap;

/// Errors, gaps and bone lengths of a fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitReport {
    /// Root mean square distance of all markers from the fitted body, in metres.
    pub rms_m: f64,
    /// Root mean square distance in each frame, in metres.
    pub frame_rms_m: Vec<f64>,
    /// Errors of each marker that was used.
    pub markers: Vec<MarkerReport>,
    /// Labels of the trial that repeat, are not in the marker set, or belong to an unknown joint.
    pub unknown_labels: Vec<String>,
    /// Labels of the marker set that are not in the trial.
    pub missing_labels: Vec<String>,
    /// Number of sightings that are not finite or too far away. They count as gaps.
    pub impossible_sightings: usize,
    /// Joints and frames that no marker determines. Their rotations are interpolated.
    pub carried: Vec<Carried>,
    /// Size of the subject relative to the template; 1 is equal.
    pub size: f64,
    /// Fitted bone lengths.
    pub bones: Vec<Bone>,
}

/// Error and gaps of a marker.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerReport {
    /// Label in the trial.
    pub label: String,
    /// Name of the joint that carries the marker.
    pub joint: String,
    /// Root mean square distance from the fitted marker, in metres.
    pub rms_m: f64,
    /// Max distance from the fitted marker, in metres.
    pub max_m: f64,
    /// Frames in which the marker was not seen and its position was filled in.
    pub gaps: Vec<Gap>,
}

/// Frames in which no marker determined the rotation of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried {
    /// Name of the joint.
    pub joint: String,
    /// First frame and number of frames.
    pub gap: Gap,
}

/// A fitted bone.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Name of the joint at the end of the bone.
    pub joint: String,
    /// Distance from the parent joint, in metres.
    pub length_m: f64,
    /// Length as a factor of the length in the template.
    pub of_template: f64,
    /// Fraction of the prior variance of the length that the markers removed, in [0, 1]. At 0, the
    /// length is the scaled length of the template.
    pub determined: f64,
}

impl Bone {
    /// True if the markers more than halve the prior standard deviation. Otherwise the length comes
    /// mostly from the template.
    pub fn is_determined(&self) -> bool {
        self.determined > 0.75
    }
}

impl FitReport {
    pub(super) fn measure(
        &mut self,
        skeleton: &Skeleton,
        body: &Body,
        known: &[Marker],
        frames: &[MarkerFrame],
        motion: &Motion,
    ) {
        let mut sums = vec![(0.0, 0.0_f64, 0_u32); known.len()];
        let mut placed = Placed::default();
        for (seen, q) in frames.iter().zip(&motion.poses) {
            body.pose_into(q, &mut placed);
            let mut of_frame = (0.0, 0_u32);
            for (marker, seen) in seen.iter().enumerate() {
                if let Some(seen) = seen {
                    let off = body.marker(&placed, marker).distance(*seen);
                    let (sum, max, count) = &mut sums[marker];
                    (*sum, *max, *count) = (*sum + off * off, max.max(off), *count + 1);
                    of_frame = (of_frame.0 + off * off, of_frame.1 + 1);
                }
            }
            let (sum, count) = of_frame;
            let rms = (sum / f64::from(count.max(1))).sqrt();
            self.frame_rms_m.push(rms);
        }
        let all = sums
            .iter()
            .fold((0.0, 0), |all, s| (all.0 + s.0, all.1 + s.2));
        self.rms_m = (all.0 / f64::from(all.1.max(1))).sqrt();
        let markers = known.iter().zip(sums).enumerate();
        self.markers = markers
            .map(|(m, (k, (sum, max_m, count)))| MarkerReport {
                label: k.label.clone(),
                joint: k.joint.clone(),
                rms_m: (sum / f64::from(count.max(1))).sqrt(),
                max_m,
                gaps: runs(frames.len(), |f| frames[f][m].is_none()),
            })
            .collect();
        for (joint, segment) in body.segments.iter().enumerate().filter(|(_, s)| s.moves) {
            let name = || skeleton.name(joint).to_owned();
            let own = segment.first..segment.first + segment.coordinates.count();
            let gaps = runs(frames.len(), |f| {
                motion.carried[f][own.clone()].contains(&true)
            });
            let carried = gaps.into_iter().map(|gap| Carried { joint: name(), gap });
            self.carried.extend(carried);
        }
    }

    /// Adds the bones; `determined` has the value of [`Bone::determined`] for each joint.
    pub(super) fn list_bones(
        &mut self,
        skeleton: &Skeleton,
        [template, body]: [&Body; 2],
        determined: &[f64],
    ) {
        for (joint, segment) in body.segments.iter().enumerate().filter(|(_, s)| s.moves) {
            let before = template.segments[joint].offset.length();
            if segment.parent.is_some() && before > 0.0 {
                self.bones.push(Bone {
                    joint: skeleton.name(joint).to_owned(),
                    length_m: segment.offset.length(),
                    of_template: segment.offset.length() / before,
                    determined: determined[joint],
                });
            }
        }
    }
}

fn runs(frames: usize, is_so: impl Fn(usize) -> bool) -> Vec<Gap> {
    let mut gaps: Vec<Gap> = Vec::new();
    for frame in (0..frames).filter(|&f| is_so(f)) {
        match gaps.last_mut() {
            Some(gap) if gap.first_frame + gap.frames == frame => gap.frames += 1,
            _ => gaps.push(Gap {
                first_frame: frame,
                frames: 1,
            }),
        }
    }
    gaps
}
