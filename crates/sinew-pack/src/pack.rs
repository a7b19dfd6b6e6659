//! Packs a clip and measures its error. Each try chooses the error that a joint passes on to its
//! children, then decodes and measures the result. If the error exceeds the bound, the next try is
//! more careful. After several tries, the worst tracks are stored unchanged.

use crate::encode::encoder::Encoder;
use crate::encode::motion_chunk::{Coded, CodedJoint};
use crate::encode::plan;
use crate::encode::plan::{Kept, Plan};
use crate::encode::vectors::VectorTrack;
use crate::error::PackError;
use crate::file::file_bytes;
use crate::measure;
use crate::options::PackOptions;
use crate::report::{PackReport, report};
use crate::sampled::{rows, source};
use sinew::clip::Clip;
use sinew::clip::packed::PackedClip;
use sinew::clip::packed::format::clip_from_chunks;
use sinew::skeleton::Skeleton;

/// Fraction of the bound for the encoder. The rest is for `f32` arithmetic in the decoder.
const MARGIN: f64 = 0.997;
/// Relative margin on the stated error, because other programs may round differently.
const STATED_UP: f64 = 1e-4;
/// Fraction of the bound above which the rounding of the clip's own numbers counts.
const ROUNDING: f64 = 0.01;
/// Fraction of the bound above which rounding suggests a bound in the wrong unit.
const WRONG_UNIT: f64 = 0.07;
/// Fractions of the bound that a joint may pass on, tried in order.
const PASSED_ON: [f64; 3] = [0.38, 0.52, 0.68];
/// Max number of more careful tries before tracks are kept unchanged.
const TRIES: usize = 8;
/// Like [`TRIES`], if another choice of rows remains.
const FEWER_TRIES: usize = 4;
/// Max distance of lines from their track, as a fraction of the bound. [`STRAYS`] always works.
const MAY_STRAY: f64 = 0.8;
const STRAYS: f64 = 0.25;
/// Overhead of a chunk of finer frames, in bytes, besides its tracks and a byte per joint.
const CHUNK_BYTES: usize = 128;

/// Packed clip with its report.
#[derive(Clone, Debug)]
pub struct Packed {
    /// Clip in packed form, ready to sample or to write with [`crate::file_bytes`].
    pub clip: PackedClip<'static>,
    /// Sizes, measured error and unchanged channels.
    pub report: PackReport,
}

/// Packs clips and writes them with their skeleton: bytes of a `.sinew` file, as
/// [`file_bytes`](crate::file_bytes).
///
/// # Errors
/// As [`pack`], with the name of the clip, and as `file_bytes`.
pub fn pack_file(
    skeleton: &Skeleton,
    clips: &[Clip],
    options: &PackOptions,
) -> Result<Vec<u8>, PackError> {
    let packed = clips.iter().map(|clip| {
        let packed = pack(skeleton, clip, options);
        packed.map_err(|source| PackError::InClip {
            name: clip.name.clone(),
            source: Box::new(source),
        })
    });
    let packed = packed.collect::<Result<Vec<_>, _>>()?;
    let clips: Vec<_> = packed.iter().map(|packed| &packed.clip).collect();
    file_bytes(skeleton, &clips)
}

/// Packs a clip for its skeleton. Returns the smallest result whose error, as sampled and as
/// unpacked, does not exceed `options.max_error`. See [`crate::object_space_error`].
///
/// Curved tracks, and tracks with their own key times, are sampled at the frames of other tracks or
/// at finer frames. A track is stored unchanged if it is stepped, if it is then smaller, or if no
/// other encoding keeps to the bound. [`PackReport::kept`] lists these tracks with the reason.
///
/// # Errors
/// [`PackError`] describes the problem with the clip or the options.
#[doc(alias = "compress")]
pub fn pack(skeleton: &Skeleton, clip: &Clip, options: &PackOptions) -> Result<Packed, PackError> {
    check(skeleton, clip, options)?;
    let choices = rows::choices(clip);
    let snapped = choices[0].snapped();
    let is_plain = choices.len() == 1 && choices[0].times.len() == 1;
    let mut best: Option<Packed> = None;
    // True for each channel that some choice of rows can pack.
    let mut held = vec![[false; 3]; skeleton.len()];
    // Rows that often work, rows that always work, then only the clip's own row.
    let mut tries = vec![(&choices[0], MAY_STRAY), (&choices[0], STRAYS)];
    if is_plain {
        // Movement between a rounded time and the frame is an error. Regular times have none.
        tries.truncate(1);
        tries.extend(snapped.iter().map(|row| (row, MAY_STRAY)));
    }
    tries.extend(choices.get(1).map(|own| (own, MAY_STRAY)));
    let mut off_bytes = 0;
    for (index, (rows, strays)) in tries.into_iter().enumerate() {
        if let Some(best) = &best {
            let is_all = best.report.kept.iter().all(|k| k.2 != Kept::Bound);
            let size = best.report.motion_bytes;
            if (index == 1 && is_all) || (index == 2 && off_bytes >= size) {
                continue;
            }
        }
        let mut encoder = Encoder::new(skeleton, clip, rows, options, strays);
        for (joint, (held, plan)) in held.iter_mut().zip(&mut encoder.plans).enumerate() {
            let channels = plan.channels(clip.joint(joint)).into_iter();
            for (held, (plan, track)) in held.iter_mut().zip(channels) {
                *held |= plan.is_packed();
                if index == 0 && plan.row().is_some_and(|row| row > 0) {
                    off_bytes += track.map_or(0, plan::raw_bytes);
                }
            }
        }
        let (mut packed, joints) = at_rows(skeleton, clip, options, &mut encoder, is_plain)?;
        if !is_plain && keep_small(&mut encoder, clip, &joints) {
            (packed, _) = at_rows(skeleton, clip, options, &mut encoder, is_plain)?;
        }
        let size = best.as_ref().map(|b| b.report.motion_bytes);
        if size.is_none_or(|size| packed.report.motion_bytes < size) {
            best = Some(packed);
        }
    }
    let Some(mut packed) = best else {
        return Err(PackError::TooLarge);
    };
    let (requested, reached) = (options.max_error, packed.report.measured_error);
    if reached > requested {
        return Err(PackError::TooFine { requested, reached });
    }
    for (joint, channel, why) in packed.report.kept.iter_mut().filter(|_| choices.len() > 1) {
        if *why == Kept::Bound && held[*joint][*channel as usize] {
            *why = Kept::Size;
        }
    }
    Ok(packed)
}

fn at_rows(
    skeleton: &Skeleton,
    clip: &Clip,
    options: &PackOptions,
    encoder: &mut Encoder<'_>,
    is_plain: bool,
) -> Result<(Packed, Vec<CodedJoint>), PackError> {
    let bound = f64::from(options.max_error);
    // For a very small bound, the rounding of the clip's own numbers matters too.
    let rounding = Some(encoder.rounding()).filter(|r| *r > ROUNDING * bound);
    let (mut careful, rounding) = match rounding {
        Some(rounding) => ((1.0 - 2.0 * rounding / bound).max(0.5), rounding),
        None => (MARGIN, 0.0),
    };
    encoder.is_hasty = rounding > WRONG_UNIT * bound;
    // No packed track can keep to such a bound.
    while rounding > bound && plan::is_lossy(&encoder.plans, clip) {
        plan::keep_raw(&mut encoder.plans, clip, skeleton, 0);
    }
    let mut ways = if is_plain {
        PASSED_ON.to_vec()
    } else {
        PASSED_ON[1..2].to_vec()
    };
    let mut tries = 0;
    let max_tries = if is_plain { TRIES } else { FEWER_TRIES };
    loop {
        let is_lossy = plan::is_lossy(&encoder.plans, clip);
        if !is_lossy {
            ways.truncate(1);
        }
        let mut best: Option<(usize, f64, Vec<CodedJoint>)> = None;
        for &passed_on in &ways {
            let joints = encoder.encode(bound * careful, passed_on);
            let chunks = encoder.chunks(options, 0.0, &joints);
            let size = chunks.iter().map(Vec::len).sum();
            if best.as_ref().is_none_or(|b| size < b.0) {
                best = Some((size, passed_on, joints));
            }
        }
        let Some((_, passed_on, joints)) = best else {
            return Err(PackError::TooLarge);
        };
        let mut packed = build(skeleton, clip, encoder.chunks(options, 0.0, &joints))?;
        let worst = measure::worst(skeleton, clip, &packed, options.shell);
        let error = worst.error() + rounding;
        if error <= bound || !is_lossy {
            // Rounds up, so that the stated error holds.
            let error = error.min(f64::from(f32::MAX));
            let rounded = ((1.0 + STATED_UP) * error).min(f64::from(f32::MAX)) as f32;
            let measured = rounded.min(options.max_error.max((error as f32).next_up()));
            packed = build(skeleton, clip, encoder.chunks(options, measured, &joints))?;
            let report = report(skeleton, clip, &packed, &joints, &encoder.plans, options);
            let packed = Packed {
                clip: packed,
                report,
            };
            return Ok((packed, joints));
        }
        let was_even = std::mem::replace(&mut encoder.is_even, true);
        if !was_even && worst.sampled + rounding <= bound {
            continue;
        }
        // The best fraction hardly changes in later tries.
        ways = vec![passed_on];
        tries += 1;
        if tries < max_tries {
            careful *= (0.995 * (bound - rounding) / error).clamp(0.5, 0.995);
        } else {
            plan::keep_raw(&mut encoder.plans, clip, skeleton, worst.joint);
        }
    }
}

/// Marks tracks that are smaller when stored unchanged. Returns true if a plan changed.
fn keep_small(encoder: &mut Encoder<'_>, clip: &Clip, joints: &[CodedJoint]) -> bool {
    let mut any = false;
    for row in 0..encoder.rows.len() {
        let frames = encoder.rows[row].times.len();
        let sizes = |joint: &CodedJoint| {
            let vector = |coded: &Coded<_, VectorTrack>| {
                let track = coded.packed(row)?;
                Some(28 + 6 * track.knots.len() + track.residuals.bits(frames) / 8)
            };
            let rotation = joint
                .rotation
                .packed(row)
                .map(|track| 17 + 4 * track.knots.len() + track.residuals.bits(frames) / 8);
            [vector(&joint.translation), rotation, vector(&joint.scale)]
        };
        let mut saved = 0;
        for is_all in [false, true] {
            for (joint, coded) in joints.iter().enumerate() {
                let own_row = encoder.plans[joint].own_row;
                let plans = encoder.plans[joint].channels(clip.joint(joint));
                let plans = plans.into_iter().zip([false, true, false]);
                for (((plan, track), is_rotation), size) in plans.zip(sizes(coded)) {
                    let (Some(track), Some(size), Plan::Pack(_)) = (track, size, *plan) else {
                        continue;
                    };
                    let raw = plan::raw_bytes(track);
                    if is_all || raw < size {
                        let own = own_row.filter(|_| is_rotation);
                        *plan = own.map_or(Plan::Raw(Kept::Size), Plan::Pack);
                        any = true;
                    } else {
                        saved += raw - size;
                    }
                }
            }
            if row == 0 || saved > CHUNK_BYTES + joints.len() {
                break;
            }
        }
    }
    any
}

fn check(skeleton: &Skeleton, clip: &Clip, options: &PackOptions) -> Result<(), PackError> {
    for (what, found) in [("bound", options.max_error), ("shell", options.shell)] {
        if !(found > 0.0 && found.is_finite()) {
            return Err(PackError::NotALength { what, found });
        }
    }
    source::check(skeleton, clip)
}

fn build(
    skeleton: &Skeleton,
    clip: &Clip,
    chunks: Vec<Vec<u8>>,
) -> Result<PackedClip<'static>, PackError> {
    let mut chunks = chunks.into_iter();
    let main = chunks.next().ok_or(PackError::TooLarge)?;
    // Reading back fails only for counts that need more than four gigabytes.
    clip_from_chunks(skeleton, clip, main, chunks).map_err(|_| PackError::TooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::quantise::FRAMES;
    use crate::measure::object_space_error;
    use sinew_samples::MotionLoad;

    /// A skeleton that is larger by a factor at the same bound is the same as a smaller bound and shell.
    #[test]
    fn a_bound_in_the_wrong_unit_takes_at_most_three_times_the_work() {
        let MotionLoad { skeleton, clip } = MotionLoad::captured(60, false);
        let work = |factor: f32| {
            let options = PackOptions {
                max_error: 1e-4 / factor,
                shell: 0.03 / factor,
            };
            FRAMES.set(0);
            let packed = pack(&skeleton, &clip, &options).unwrap();
            let error = object_space_error(&skeleton, &clip, &packed.clip, options.shell);
            assert!(error <= f64::from(options.max_error), "{factor}: {error}");
            FRAMES.get()
        };
        let right = work(1.0);
        for factor in [10.0, 20.0, 30.0, 50.0] {
            let wrong = work(factor);
            println!("{factor} times: {wrong} frames, and {right} in the right unit");
            assert!(wrong <= 3 * right, "{factor}: {wrong} and {right}");
        }
    }
}
