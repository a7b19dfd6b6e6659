//! Cleans captured motion: gaps, spikes, noise, limits, sliding feet.
//!
//! [`clean`] runs the steps in this order. Each can be left out, and each reports what it did.
//! [`crate::motion`] measures the motion before and after.

mod channel;
mod clamp;
mod drift;
mod feet;
mod gaps;
mod options;
mod report;
mod smooth;
mod spikes;

pub use crate::motion::MotionError;
pub use options::CleanOptions;
pub use report::{ClampReport, CleanReport, Cleaned, FillReport, FilterReport, HoldReport};

use crate::motion::take::Take;
use crate::retarget::RetargetError;
use crate::retarget::body::model_pose::Local;
use crate::retarget::follow::bake::baked;
use crate::units::longest_side;
use channel::{Channel, Channels};
use sinew::{Clip, Skeleton};
use smooth::Fits;
use std::sync::Arc;

/// Min distance of a spike from its prediction: for rotations as half an angle in radians (6°), for
/// paths relative to the size of the body (about 3 cm).
const SPIKE: [f64; 2] = [0.052, 0.018];
/// Min noise that is filtered: for rotations as half an angle in radians (0.2°), for paths relative
/// to the size of the body (about 1 mm).
const NOISE: [f64; 2] = [0.0018, 0.0006];
/// Time over which the change starts and ends inside a range, in seconds.
const EASE_SECS: f32 = 0.15;

/// Cleans a clip.
///
/// ```
/// use sinew_rig::clean::{CleanOptions, clean};
/// let person = sinew_samples::humanoid_character();
/// let walk = &person.clips[0];
/// let done = clean(&person.skeleton, walk, &CleanOptions::new().feet(false))?;
/// assert_eq!(done.report.spikes.expect("a step that ran").keys, 0);
/// assert!(done.report.feet.is_none(), "a step that was left out");
/// # Ok::<(), sinew_rig::motion::MotionError>(())
/// ```
///
/// # Errors
/// [`MotionError`] if the clip does not move, is too long, does not fit the skeleton, or an option
/// is not valid.
pub fn clean(
    skeleton: &Skeleton,
    clip: &Clip,
    options: &CleanOptions,
) -> Result<Cleaned, MotionError> {
    check_options(options)?;
    let mut take = Take::new(skeleton, clip)?;
    let before = options.range_secs.map(|range| (range, take.frames.clone()));
    let mut report = CleanReport {
        frames: take.times.len(),
        fps: take.fps,
        gaps: None,
        spikes: None,
        filter: None,
        limits: None,
        feet: None,
    };
    let raw = take.models();
    let mut channels = Channels::of(&take);
    let size = size(skeleton);
    let [gaps, spikes] = repair(&mut channels, take.fps, size, options);
    report.gaps = options.gaps.then_some(gaps);
    report.spikes = options.spikes.then_some(spikes);
    if options.filter {
        report.filter = Some(filter(&mut channels, &take, size, options.cutoff_hz));
    }
    channels.write(&mut take.frames);
    if options.limits {
        report.limits = clamp::clamp(&mut take);
    }
    if options.feet {
        report.feet = feet::hold(&mut take, clip, &raw, options.floor);
    }
    if let Some((range, before)) = before {
        keep_outside(range, &take.times, &before, &mut take.frames);
    }
    let clip = baked_clip(skeleton, clip, &take)?;
    Ok(Cleaned { clip, report })
}

/// Longest side of the body at rest, in units of the file.
fn size(skeleton: &Skeleton) -> f64 {
    longest_side(skeleton).map_or(1.0, f64::from)
}

/// Fills gaps and replaces spikes at once, so that neither gives a wrong end to the other.
fn repair(channels: &mut Channels, fps: f64, size: f64, options: &CleanOptions) -> [FillReport; 2] {
    fn one<const N: usize>(
        channel: &mut Channel<N>,
        fps: f64,
        [least, noise]: [f64; 2],
        options: &CleanOptions,
        [gaps, spikes]: &mut [FillReport; 2],
    ) {
        if options.gaps {
            gaps::find_gaps(channel, noise);
        }
        if options.spikes {
            spikes::find_spikes(channel, least);
        }
        gaps::fill(channel, fps, [gaps, spikes]);
    }
    let mut reports = <[FillReport; 2]>::default();
    for channel in &mut channels.rotations {
        one(channel, fps, [SPIKE[0], NOISE[0]], options, &mut reports);
    }
    let least = [SPIKE[1], NOISE[1]].map(|least| least * size);
    for channel in &mut channels.translations {
        one(channel, fps, least, options, &mut reports);
    }
    reports
}

fn filter(channels: &mut Channels, take: &Take<'_>, size: f64, given: Option<f64>) -> FilterReport {
    let mut report = FilterReport::default();
    filter_all(
        &mut channels.rotations,
        take,
        NOISE[0],
        given,
        |joint, hz| {
            report.note(take.skeleton.name(joint), "rotation", hz);
        },
    );
    let least = NOISE[1] * size;
    filter_all(
        &mut channels.translations,
        take,
        least,
        given,
        |joint, hz| {
            report.note(take.skeleton.name(joint), "translation", hz);
        },
    );
    report
}

/// Filters channels with at least the `least` noise, or all with a given cut-off. Notes the cut-off
/// of each.
fn filter_all<const N: usize>(
    channels: &mut [Channel<N>],
    take: &Take<'_>,
    least: f64,
    given: Option<f64>,
    mut note: impl FnMut(usize, Option<f64>),
) {
    if let Some(hz) = given {
        for channel in channels {
            smooth::smooth_at(channel, hz, take.fps);
            note(channel.joint, Some(hz));
        }
        return;
    }
    let fits: Vec<Option<Fits<N>>> = channels.iter().map(Fits::of).collect();
    let usual = spikes::median(fits.iter().flatten().map(|fits| fits.noise).collect());
    for (channel, fits) in channels.iter_mut().zip(fits) {
        let fits = fits.filter(|fits| fits.usual >= least);
        let cutoff = fits.map(|fits| fits.smooth(channel, usual, take.fps));
        note(channel.joint, cutoff);
    }
}

/// Restores the frames outside a range, and fades the change in and out inside it.
fn keep_outside(
    [from, to]: [f32; 2],
    times: &[f32],
    before: &[Vec<Local>],
    frames: &mut [Vec<Local>],
) {
    for ((frame, before), &secs) in frames.iter_mut().zip(before).zip(times) {
        let inside = (secs - from).min(to - secs);
        let t = f64::from((inside / EASE_SECS).clamp(0.0, 1.0));
        let weight = t * t * (3.0 - 2.0 * t);
        for (local, before) in frame.iter_mut().zip(before) {
            if weight == 0.0 {
                *local = *before;
            } else if weight < 1.0 {
                local.rotation = before.rotation.slerp(local.rotation, weight);
                local.translation = before.translation.lerp(local.translation, weight);
            }
        }
    }
}

fn baked_clip(skeleton: &Skeleton, source: &Clip, take: &Take<'_>) -> Result<Clip, MotionError> {
    let frames: Vec<&[Local]> = take.frames.iter().map(Vec::as_slice).collect();
    let times = Arc::new(take.times.clone());
    let baked = baked(skeleton, source, &times, &frames, None);
    let mut clip = baked.map_err(|error| match error {
        RetargetError::NotFinite { joint, source } => MotionError::BadKey { joint, source },
        other => unreachable!("only keys can fail: {other}"),
    })?;
    clip.morphs = source.morphs.clone();
    Ok(clip)
}

fn check_options(options: &CleanOptions) -> Result<(), MotionError> {
    let bad = |what, value, expected| {
        Err(MotionError::BadOption {
            what,
            value,
            expected,
        })
    };
    match *options {
        CleanOptions {
            cutoff_hz: Some(hz),
            ..
        } if !(0.01..=1e4).contains(&hz) => bad("cut-off", hz, "use from 0.01 to 10000 hertz"),
        CleanOptions { floor: Some(f), .. } if !f.is_finite() => {
            bad("floor", f, "use a height in units of the file")
        }
        CleanOptions {
            range_secs: Some([from, to]),
            ..
        } if !(from < to && to.is_finite()) => bad(
            "range from",
            f64::from(from),
            "its end must be after its start",
        ),
        _ => Ok(()),
    }
}
