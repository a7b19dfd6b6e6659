//! Deformation of a character over a clip with one method, measured in the background.

use super::open_file::OpenFile;
use super::task::Task;
use sinew::measure::{FrameReport, Measurement, Measuring, MeshLocation, Reading, frame_times};
use sinew::rig::Part;
use sinew::{Character, Method};

const MAX_FRAMES: f64 = 600.0;

/// Number of partial results of a measurement.
const PARTS: usize = 24;

/// Measure of deformation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// Volume, relative to the rest pose.
    Volume,
    /// Length of the longest drawn edge, relative to the rest pose.
    Stretch,
    /// Width of the narrowest limb, relative to the rest pose.
    Section,
    /// Width of the widest limb, relative to the rest pose.
    Bulge,
    /// Max angle between a skinned normal and the true normal of the surface, in degrees.
    Normals,
    /// Max movement of a vertex between two frames, as a fraction of the size of the figure.
    Jumps,
}

impl Measure {
    /// All measures, in display order.
    pub const ALL: [Self; 6] = [
        Self::Volume,
        Self::Stretch,
        Self::Section,
        Self::Bulge,
        Self::Normals,
        Self::Jumps,
    ];

    /// Value without deformation: 1 for ratios, 0 for angles and movements.
    pub fn ideal(self) -> f64 {
        match self {
            Self::Volume | Self::Stretch | Self::Section | Self::Bulge => 1.0,
            Self::Normals | Self::Jumps => 0.0,
        }
    }

    fn of(self, frame: &FrameReport) -> Option<f64> {
        let value = |reading: Option<Reading>| reading.map(|reading| reading.value);
        match self {
            Self::Volume => frame.volume,
            Self::Stretch => Some(frame.stretch.max),
            Self::Section => value(frame.narrowest),
            Self::Bulge => value(frame.widest),
            Self::Normals => Some(frame.normal_error_deg.max),
            Self::Jumps => Some(frame.step),
        }
    }

    fn location(self, frame: &FrameReport) -> Option<MeshLocation> {
        match self {
            Self::Volume | Self::Section | Self::Bulge => None,
            Self::Stretch => frame.stretch_at,
            Self::Normals => frame.normal_at,
            Self::Jumps => frame.step_at,
        }
    }

    fn joint(self, frame: &FrameReport) -> Option<usize> {
        match self {
            Self::Section => frame.narrowest?.joint,
            Self::Bulge => frame.widest?.joint,
            _ => None,
        }
    }
}

/// Deformation of a character over a clip with one method.
#[derive(Clone, Debug, PartialEq)]
pub struct Deformation {
    /// Time of each frame, in seconds.
    pub times_secs: Vec<f64>,
    /// Curves of the measures that apply to the figure. An open surface has no volume.
    pub curves: Vec<DeformationCurve>,
}

/// Measure over time.
#[derive(Clone, Debug, PartialEq)]
pub struct DeformationCurve {
    /// The measure.
    pub measure: Measure,
    /// One value per frame.
    pub values: Vec<f64>,
    /// Moment at which the value is farthest from [`Measure::ideal`].
    pub worst: WorstMoment,
}

/// Moment of the largest deformation, with its vertex or joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorstMoment {
    /// Time in the clip, in seconds.
    pub time_secs: f64,
    /// Value of the measure at that time.
    pub value: f64,
    /// Index of the primitive, in the order of `sinew::deform`, and of the vertex. `None` for measures without a vertex.
    pub vertex: Option<(usize, usize)>,
    /// Index of the joint, for measures of limbs.
    pub joint: Option<usize>,
}

pub(crate) fn measure_deformation(
    file: &OpenFile,
    clip: Option<usize>,
    method: Method,
    fps: f64,
) -> Task<Result<Deformation, String>> {
    let duration = file.duration_secs(clip);
    let fps = fps.min(MAX_FRAMES / duration.max(f64::MIN_POSITIVE));
    let (character, rig) = (file.edited(), file.rig.clone());
    let mut measuring: Option<Measuring<std::sync::Arc<Character>>> = None;
    let mut frames = 1;
    Task::showing(move |progress, partial| {
        let Some(begun) = &mut measuring else {
            progress.set("measuring", None);
            let times = frame_times(duration, fps).unwrap_or_else(|_| vec![0.0]);
            frames = times.len();
            match Measuring::new(character.clone(), clip, &times, &[method]) {
                Ok(begun) => measuring = Some(begun),
                Err(error) => return Some(Err(error.to_string())),
            }
            return None;
        };
        let fraction = begun.frames_done() as f32 / frames as f32;
        progress.set("measuring", Some(fraction));
        match begun.advance() {
            Ok(true) => {
                let done = begun.frames_done();
                if done * PARTS / frames > (done - 1) * PARTS / frames {
                    partial.set(Ok(deformation(begun.so_far(), rig.parts())));
                }
                None
            }
            Ok(false) => {
                let found = measuring.take()?.finish();
                Some(Ok(deformation(&found, rig.parts())))
            }
            Err(error) => Some(Err(error.to_string())),
        }
    })
}

fn deformation(found: &Measurement, parts: &[Part]) -> Deformation {
    let frames = found.methods.first().map_or(&[][..], |m| &m.frames);
    let curve = |measure: Measure| {
        let values: Option<Vec<f64>> = frames.iter().map(|frame| measure.of(frame)).collect();
        let values = values?;
        let off = |value: f64| (value - measure.ideal()).abs();
        let by_error = |a: &usize, b: &usize| off(values[*a]).total_cmp(&off(values[*b]));
        // Of equal values, the first frame counts.
        let worst = (0..values.len()).rev().max_by(by_error)?;
        let vertex = measure.location(&frames[worst]).and_then(|location| {
            let is_it =
                |part: &Part| (part.node, part.primitive) == (location.node, location.primitive);
            let primitive = parts.iter().position(is_it)?;
            Some((primitive, location.vertex))
        });
        Some(DeformationCurve {
            measure,
            worst: WorstMoment {
                time_secs: found.times_secs[worst],
                value: values[worst],
                vertex,
                joint: measure.joint(&frames[worst]),
            },
            values,
        })
    };
    Deformation {
        times_secs: found.times_secs[..frames.len()].to_vec(),
        curves: Measure::ALL.into_iter().filter_map(curve).collect(),
    }
}
