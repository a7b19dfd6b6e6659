//! Packs a clip in the background and measures its error over time.

use super::open_file::OpenFile;
use super::task::Task;
use sinew::clip::packed::PackedClip;
use sinew::{Affine, Character, Clip, LocalPose, ModelPose, Playable};
use sinew_pack::{PackOptions, PackReport, pack};
use std::sync::Arc;

/// Assumed height of a person in metres, for files without a unit.
const PERSON_M: f32 = 1.7;

const MAX_MOMENTS: f64 = 1000.0;

const MOMENTS_A_STEP: usize = 16;

/// Packed clip and its error.
#[derive(Clone, Debug)]
pub struct PackedMotion {
    /// Packed clip.
    pub clip: Arc<PackedClip<'static>>,
    /// Size and max error.
    pub report: PackReport,
    /// Times of the measured errors, in seconds.
    pub times_secs: Vec<f64>,
    /// At each time, the max error of points around the joints, in the unit of the file.
    pub error: Vec<f64>,
}

/// Starts to pack a clip of a file. `None` if the file does not have the clip.
pub(crate) fn pack_motion(
    file: &OpenFile,
    clip: usize,
) -> Option<Task<Result<PackedMotion, String>>> {
    file.clip(clip)?;
    let character = file.edited();
    let options = options(&character, file.source.is_some());
    let mut motion: Option<PackedMotion> = None;
    Some(Task::start(move |progress| {
        let clip = &character.clips[clip];
        let Some(packed) = &mut motion else {
            progress.set("packing", None);
            let packed = match pack(&character.skeleton, clip, &options) {
                Ok(packed) => packed,
                Err(error) => return Some(Err(error.to_string())),
            };
            motion = Some(PackedMotion {
                clip: Arc::new(packed.clip.into_owned()),
                report: packed.report,
                times_secs: moments(clip),
                error: Vec::new(),
            });
            return None;
        };
        let done = packed.error.len();
        let coming = packed.times_secs.iter().skip(done).take(MOMENTS_A_STEP);
        let both: [&dyn Playable; 2] = [clip, &packed.clip];
        let error = |&time: &f64| error_at(&character, both, time, options.shell);
        let found: Vec<f64> = coming.map(error).collect();
        packed.error.extend(found);
        let (done, all) = (packed.error.len(), packed.times_secs.len());
        progress.set("measuring", Some(done as f32 / all.max(1) as f32));
        if done < all {
            None
        } else {
            motion.take().map(Ok)
        }
    }))
}

/// Options with an error of at most 0.1 mm on a person.
fn options(character: &Character, is_in_metres: bool) -> PackOptions {
    let default = PackOptions::default();
    let pose = character.skeleton.rest_model();
    let heights = pose.as_slice().iter().map(|m| m.translation().y);
    let low_high = heights.fold([f32::MAX, f32::MIN], |[l, h], y| [l.min(y), h.max(y)]);
    let scale = (low_high[1] - low_high[0]) / PERSON_M;
    if !is_in_metres && scale > 0.0 && scale.is_finite() {
        PackOptions::new()
            .max_error(default.max_error * scale)
            .shell(default.shell * scale)
    } else {
        default
    }
}

fn moments(clip: &Clip) -> Vec<f64> {
    let duration = f64::from(clip.duration_secs);
    let steps = (duration * 60.0).ceil().clamp(1.0, MAX_MOMENTS);
    let moment = |step: u32| duration * f64::from(step) / steps;
    (0..=steps as u32).map(moment).collect()
}

/// Max distance between the positions that two clips give to the points around the joints.
fn error_at(character: &Character, clips: [&dyn Playable; 2], time_secs: f64, shell: f32) -> f64 {
    let skeleton = &character.skeleton;
    let poses = clips.map(|clip| {
        let (mut local, mut model) = (LocalPose::identity(0), ModelPose::identity(0));
        clip.sample_into(skeleton, time_secs, &mut local).ok()?;
        let posed = model.update(skeleton.hierarchy(), &local, &Affine::IDENTITY);
        posed.is_ok().then_some(model)
    });
    let [Some(plain), Some(packed)] = poses else {
        return 0.0;
    };
    let points = glam::Mat3::from_diagonal(glam::Vec3::splat(shell)).to_cols_array_2d();
    let pairs = plain.as_slice().iter().zip(packed.as_slice());
    let apart = pairs.flat_map(|(a, b)| {
        points.map(|point| {
            let [a, b] = [a, b].map(|m| m.transform_point(point.into()).as_dvec3());
            a.distance(b)
        })
    });
    apart.fold(0.0, f64::max)
}
