//! Transfers a whole clip from one skeleton to another.

use super::body::model_pose::{Local, ModelPoseF64};
use super::body::standing::Body;
use super::body::world_axes::{snapped, torso};
use super::error::RetargetError;
use super::feet::contact::{fastest, slide};
use super::feet::foot_lock_keys::Tangents;
use super::feet::ground::{Done, Ground, Leg};
use super::follow::bake::baked;
use super::follow::hands::bring_hands;
use super::follow::pose_transfer::PoseTransfer;
use super::follow::rotation_rules::RotationRules;
use super::follow::source_motion::{SourceMotion, SourceTrajectories, standing_floor, upright};
use super::options::RetargetOptions;
use super::pairs::{Pair, check_pairs, roles_of_pairs};
use super::report::{FootSlideReport, RetargetReport, Retargeted};
use glam::{DVec3, Vec3};
use sinew::{Clip, Skeleton, Track};
use std::ops::RangeInclusive;

/// Max time between frames, in seconds. Longer steps would be interpolated to other poses.
const LONGEST_STEP_SECS: f32 = 1.0 / 30.0;
const MAX_FRAMES: usize = 200_000;
/// Valid scales. Outside this range, hip positions leave too few digits for the legs.
const SCALES: RangeInclusive<f32> = 1e-9..=1e9;

/// Transfers a clip of `source` to `target`. The target joint of a pair follows the source joint.
///
/// ```
/// use sinew_samples::humanoid_character;
/// use sinew_rig::retarget::{RetargetOptions, pair_joints, retarget};
/// let person = humanoid_character();
/// let (body, walk) = (&person.skeleton, &person.clips[0]);
/// let pairs = pair_joints(body, body)?;
/// let done = retarget(body, walk, body, &pairs, &RetargetOptions::default())?;
/// assert!(done.report.same_skeleton);
/// assert_eq!(done.clip.duration_secs, walk.duration_secs);
/// # Ok::<(), sinew_rig::retarget::RetargetError>(())
/// ```
///
/// # Errors
/// [`RetargetError`] names the joint, role or option that is not valid.
#[doc(alias = "ik retargeter")]
#[doc(alias = "humanoid")]
pub fn retarget(
    source: &Skeleton,
    clip: &Clip,
    target: &Skeleton,
    pairs: &[Pair],
    options: &RetargetOptions,
) -> Result<Retargeted, RetargetError> {
    retarget_watched(source, clip, target, pairs, options, &mut |_| {})
}

/// Transfers a clip like [`retarget`], and reports the completed fraction, in [0, 1], to `watch`.
///
/// # Errors
/// Same as [`retarget`].
pub fn retarget_watched(
    source: &Skeleton,
    clip: &Clip,
    target: &Skeleton,
    pairs: &[Pair],
    options: &RetargetOptions,
    watch: &mut dyn FnMut(f32),
) -> Result<Retargeted, RetargetError> {
    check(source, clip, target, pairs, options)?;
    let mut times = frame_times(clip);
    if times.is_empty() {
        let clip = clip.name.clone();
        return Err(RetargetError::EmptyClip { clip });
    }
    let same = options.scale.is_none_or(|s| s == 1.0) && same_body(source, target, pairs);
    let every: Vec<Pair> = (0..source.len())
        .map(|j| Pair {
            source: j,
            target: j,
        })
        .collect();
    let pairs = if same { &every } else { pairs };
    let motion = SourceMotion::new(source, clip)?;
    let [source, target] = rest_bodies(&motion, target, pairs, options.rest_secs)?;
    let source_paths = SourceTrajectories::of(&motion, &source, &times);
    watch(0.1);
    let source = if same {
        source
    } else {
        upright(source, &source_paths).ok_or_else(|| no_body("source"))?
    };
    let (carry, hip_heights) = pose_transfer(
        [&source, &target],
        pairs,
        &source_paths,
        options.scale,
        same,
    );
    let mut frames: Vec<Vec<Local>> = Vec::with_capacity(times.len());
    for (frame, secs) in times.iter().enumerate() {
        frames.push(carry.frame(&motion.at(f64::from(*secs))));
        watch(0.1 + 0.2 * frame as f32 / times.len() as f32);
    }
    let (mut legs, expected) = carry.legs(&source_paths, &times, hip_heights[0]);
    let slides_before = slides(target.skeleton, &legs, &times, &frames);
    let hip_height = hip_heights[1].filter(|_| options.feet && !same);
    let ground = hip_height.map(|hip_height| Ground {
        target: &target,
        up: carry.up,
        floor: carry.floors[1],
        hip_height,
    });
    let done = ground.as_ref().map_or_else(Done::default, |ground| {
        ground.correct(&legs, &expected, &times, &mut frames)
    });
    watch(0.4);
    let hands = if options.hands && !same {
        let mut watch = |part| watch(0.4 + 0.4 * part);
        bring_hands(&carry, &motion, &times, &mut frames, &mut watch)?
    } else {
        Vec::new()
    };
    watch(0.8);
    let (tangents, is_between) = match &ground {
        Some(ground) => ground.hold_between(&mut legs, &mut times, &mut frames, MAX_FRAMES),
        None => (Tangents::new(), vec![false; frames.len()]),
    };
    watch(0.9);
    let skeleton = target.skeleton;
    let baked = baked(skeleton, clip, &times, &frames, &tangents, &is_between)?;
    let report = RetargetReport {
        feet: foot_reports(skeleton, &baked, &times, &legs, &slides_before)?,
        hands,
        hips_lowered: done.lowered as f32,
        unreached_frames: done.unreached,
        ..carry.report(pairs, times.len())
    };
    Ok(Retargeted {
        clip: baked,
        report,
    })
}

/// Source and target at rest. The pose at `rest_secs`, if given, is the source at rest.
fn rest_bodies<'a>(
    motion: &SourceMotion<'a>,
    target: &'a Skeleton,
    pairs: &[Pair],
    rest_secs: Option<f64>,
) -> Result<[Body<'a>; 2], RetargetError> {
    let source = motion.skeleton;
    let [from, onto] = roles_of_pairs(source, target, pairs);
    let rest = match rest_secs {
        Some(secs) => motion.at(secs).1,
        None => ModelPoseF64::of_pose(source, source.rest()),
    };
    let source = Body::new(source, from, rest).ok_or_else(|| no_body("source"))?;
    let rest = ModelPoseF64::of_pose(target, target.rest());
    let target = Body::new(target, onto, rest).ok_or_else(|| no_body("target"))?;
    Ok([source, target])
}

fn no_body(which: &'static str) -> RetargetError {
    RetargetError::MissingRole {
        which,
        role: "hips, legs or head",
    }
}

fn pose_transfer<'a>(
    [source, target]: [&'a Body<'a>; 2],
    pairs: &[Pair],
    source_paths: &SourceTrajectories,
    scale: Option<f32>,
    same: bool,
) -> (PoseTransfer<'a>, [Option<f64>; 2]) {
    let rotation = snapped(target.frame * source.frame.inverse());
    let up = target.up();
    let source_up = rotation.inverse() * up;
    let hip_heights = [source.hip_height(source_up), target.hip_height(up)];
    let scale = match (scale, hip_heights) {
        (Some(scale), _) => f64::from(scale),
        (None, [Some(from), Some(onto)]) => onto / from,
        (None, _) => torso_ratio(source, target),
    };
    let floor = source_paths.floor(source, source_up, hip_heights[0]);
    let target_floor = if same {
        floor
    } else {
        standing_floor(target, up, hip_heights[1])
    };
    let transfer = PoseTransfer {
        rules: RotationRules::new(source, target, pairs, rotation, up),
        source,
        target,
        scale,
        up,
        floors: [floor, target_floor],
        same,
    };
    (transfer, hip_heights)
}

fn torso_ratio(source: &Body<'_>, target: &Body<'_>) -> f64 {
    let length = |body: &Body<'_>| torso(&body.roles, &body.rest).map_or(0.0, DVec3::length);
    let ratio = length(target) / length(source);
    if ratio.is_normal() { ratio } else { 1.0 }
}

fn foot_reports(
    skeleton: &Skeleton,
    clip: &Clip,
    times: &[f32],
    legs: &[Leg],
    slides_before: &[f32],
) -> Result<Vec<FootSlideReport>, RetargetError> {
    let report = |(leg, &slide_before): (&Leg, &f32)| {
        let slide_after = slide_between(skeleton, clip, times, leg);
        slide_after.map(|slide_after| FootSlideReport {
            side: leg.side,
            contacts: leg.contacts.clone(),
            slide_before,
            slide_after: slide_after as f32,
        })
    };
    legs.iter().zip(slides_before).map(report).collect()
}

fn slides(skeleton: &Skeleton, legs: &[Leg], times: &[f32], frames: &[Vec<Local>]) -> Vec<f32> {
    let mut positions = vec![Vec::with_capacity(frames.len()); legs.len()];
    for frame in frames {
        let pose = ModelPoseF64::of_locals(skeleton, frame);
        for (positions, leg) in positions.iter_mut().zip(legs) {
            positions.push(pose.position(leg.standing));
        }
    }
    let slides = legs.iter().zip(&positions);
    slides
        .map(|(leg, positions)| slide(times, positions, &leg.contacts) as f32)
        .collect()
}

/// Max speed of a foot during contacts, measured at keys and three times between keys.
fn slide_between(
    skeleton: &Skeleton,
    clip: &Clip,
    times: &[f32],
    leg: &Leg,
) -> Result<f64, RetargetError> {
    let motion = SourceMotion::new(skeleton, clip)?;
    let mut slide: f64 = 0.0;
    for contact in &leg.contacts {
        let step = |f: usize| {
            let moment = move |k: u8| times[f] + f32::from(k) / 4.0 * (times[f + 1] - times[f]);
            (0..4).map(moment)
        };
        let moments = (contact.first..contact.last).flat_map(step);
        let moments: Vec<f32> = moments.chain([times[contact.last]]).collect();
        let position = |t: &f32| motion.at(f64::from(*t)).1.position(leg.standing);
        let positions: Vec<DVec3> = moments.iter().map(position).collect();
        slide = slide.max(fastest(&moments, &positions));
    }
    Ok(slide)
}

fn check(
    source: &Skeleton,
    clip: &Clip,
    target: &Skeleton,
    pairs: &[Pair],
    options: &RetargetOptions,
) -> Result<(), RetargetError> {
    check_pairs(source, target, pairs)?;
    for tracks in clip.joints.iter().filter(|t| t.joint < source.len()) {
        let widths = [
            (&tracks.translation, 3),
            (&tracks.rotation, 4),
            (&tracks.scale, 3),
        ];
        for (track, expected) in widths {
            if let Some(found) = track.as_ref().map(Track::width).filter(|w| *w != expected) {
                let joint = source.name(tracks.joint).to_owned();
                return Err(RetargetError::BadTrack {
                    joint,
                    found,
                    expected,
                });
            }
        }
    }
    let bad = |what, value: f64, expected| {
        Err(RetargetError::BadOption {
            what,
            value,
            expected,
        })
    };
    match options {
        RetargetOptions { scale: Some(s), .. } if !SCALES.contains(s) => {
            bad("scale", f64::from(*s), "use a scale from 1e-9 to 1e9")
        }
        RetargetOptions {
            rest_secs: Some(t), ..
        } if !t.is_finite() => bad("rest time", *t, "use a number of seconds"),
        _ => Ok(()),
    }
}

fn frame_times(clip: &Clip) -> Vec<f32> {
    let tracks = clip
        .joints
        .iter()
        .flat_map(|j| [&j.translation, &j.rotation, &j.scale]);
    let mut keys: Vec<f32> = tracks
        .flatten()
        .flat_map(|t| t.times().iter().copied())
        .collect();
    keys.sort_unstable_by(f32::total_cmp);
    keys.dedup();
    let (Some(first), Some(last)) = (keys.first(), keys.last()) else {
        return keys;
    };
    if (last - first) / LONGEST_STEP_SECS > MAX_FRAMES as f32 {
        return keys;
    }
    let mut times = Vec::with_capacity(keys.len());
    for step in keys.windows(2) {
        // The margin keeps keys at 30 per second in one piece despite rounding.
        let parts = ((step[1] - step[0]) / LONGEST_STEP_SECS - 0.01)
            .ceil()
            .max(1.0);
        let between = (0..parts as usize).map(|k| step[0] + (step[1] - step[0]) * k as f32 / parts);
        times.extend(between);
    }
    times.push(*last);
    times.dedup();
    times
}

/// True if both skeletons are equal except for names, and every joint follows itself.
fn same_body(source: &Skeleton, target: &Skeleton, pairs: &[Pair]) -> bool {
    let near = |a: Vec3, b: Vec3| a.abs_diff_eq(b, 1e-6 * (1.0 + a.length()));
    source.len() == target.len()
        && pairs.iter().all(|p| p.source == p.target)
        && (0..source.len()).all(|j| {
            let (a, b) = (source.rest().get(j), target.rest().get(j));
            source.parent(j) == target.parent(j)
                && near(a.translation, b.translation)
                && near(a.scale, b.scale)
                && a.rotation.dot(b.rotation).abs() > 1.0 - 1e-6
        })
}
