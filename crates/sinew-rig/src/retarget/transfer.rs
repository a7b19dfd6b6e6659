//! The way of a whole clip from one skeleton to another.

use super::body::{Body, nearest_axis, shortest, snapped};
use super::contact::{contacts, slide};
use super::feet::{Done, Ground, Leg, lowest};
use super::pairs::{Pair, roles_of_pairs};
use super::role::{Role, Side};
use super::rules::{Rule, Rules};
use super::stance::{Local, Stance, locals};
use super::{FootReport, NamedPair, RetargetError, RetargetOptions, RetargetReport, Retargeted};
use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use sinew::{Clip, Interpolation, LocalPose, Skeleton, Track, sample};
use std::sync::Arc;

/// Keys farther apart get others between them, as a pose between two poses is not what it was on
/// another body.
const LONGEST_STEP_SECS: f32 = 1.0 / 30.0;
/// But not more than these.
const MOST_FRAMES: usize = 200_000;

/// Carries a clip of `source` over to `target`, joint by joint as `pairs` says.
///
/// ```
/// use sinew::examples::humanoid_character;
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
/// [`RetargetError`] names the joint, the role or the option that is at fault.
pub fn retarget(
    source: &Skeleton,
    clip: &Clip,
    target: &Skeleton,
    pairs: &[Pair],
    options: &RetargetOptions,
) -> Result<Retargeted, RetargetError> {
    check(source, clip, target, pairs, options)?;
    let times = frame_times(clip);
    if times.is_empty() {
        let clip = clip.name.clone();
        return Err(RetargetError::EmptyClip { clip });
    }
    let same = same_body(source, target, pairs);
    let every: Vec<Pair> = (0..source.len())
        .map(|j| Pair {
            source: j,
            target: j,
        })
        .collect();
    let pairs = if same { &every } else { pairs };
    let [from, onto] = roles_of_pairs(source, target, pairs);
    let missing = |which| RetargetError::MissingRole {
        which,
        role: "hips, legs or head",
    };
    let motion = Motion {
        skeleton: source,
        clip,
    };
    let rest = match options.rest_secs {
        Some(secs) => motion.at(secs).1,
        None => Stance::of_pose(source, source.rest()),
    };
    let source = Body::new(source, from, rest).ok_or_else(|| missing("source"))?;
    let rest = Stance::of_pose(target, target.rest());
    let target = Body::new(target, onto, rest).ok_or_else(|| missing("target"))?;
    let seen = Seen::of(&motion, &source, &times);
    let source = if same {
        source
    } else {
        upright(source, &seen).ok_or_else(|| missing("source"))?
    };

    let turn = snapped(target.frame * source.frame.inverse());
    let up = upward(target.frame * DVec3::Y);
    let source_up = turn.inverse() * up;
    let heights = [source.hip_height(source_up), target.hip_height(up)];
    let scale = match (options.scale, heights) {
        (Some(scale), _) => f64::from(scale),
        (None, [Some(from), Some(onto)]) => onto / from,
        (None, _) => torso(&target)
            .zip(torso(&source))
            .map_or(1.0, |(onto, from)| onto / from),
    };
    let floor = seen.floor(&source, source_up, heights[0]);
    let carry = Carry {
        rules: Rules::new(&source, &target, pairs, turn, up),
        source: &source,
        target: &target,
        scale,
        up,
        floors: [
            floor,
            if same {
                floor
            } else {
                standing_floor(&target, up, heights[1])
            },
        ],
        same,
    };
    let mut frames: Vec<Vec<Local>> = times
        .iter()
        .map(|t| carry.frame(&motion.at(f64::from(*t))))
        .collect();
    let legs = carry.legs(&seen, &times, heights[0]);
    let balls = |frames: &[Vec<Local>]| -> Vec<Vec<DVec3>> {
        let stances = frames.iter().map(|f| Stance::of_locals(target.skeleton, f));
        let places = stances.map(|s| legs.iter().map(|leg| s.place(leg.standing)).collect());
        places.collect()
    };
    let before = balls(&frames);
    let done = match heights[1].filter(|_| options.feet) {
        Some(hip_height) => {
            let floor = carry.floors[1];
            let target = &target;
            let times = &times;
            Ground {
                target,
                times,
                up,
                floor,
                hip_height,
            }
            .correct(&legs, &mut frames)
        }
        None => Done::default(),
    };
    let after = balls(&frames);
    let feet = legs.iter().enumerate().map(|(k, leg)| {
        let speed = |places: &[Vec<DVec3>]| {
            let places: Vec<DVec3> = places.iter().map(|frame| frame[k]).collect();
            slide(&times, &places, &leg.contacts) as f32
        };
        FootReport {
            side: leg.side,
            contacts: leg.contacts.clone(),
            slide_before: speed(&before),
            slide_after: speed(&after),
        }
    });
    let report = RetargetReport {
        feet: feet.collect(),
        hips_lowered: done.lowered as f32,
        unreached_frames: done.unreached,
        ..carry.report(pairs, times.len())
    };
    let clip = carry.clip(clip, times, &frames)?;
    Ok(Retargeted { clip, report })
}

fn check(
    source: &Skeleton,
    clip: &Clip,
    target: &Skeleton,
    pairs: &[Pair],
    options: &RetargetOptions,
) -> Result<(), RetargetError> {
    for pair in pairs {
        let places = [
            ("source", pair.source, source.len()),
            ("target", pair.target, target.len()),
        ];
        if let Some((which, joint, joints)) = places
            .into_iter()
            .find(|(_, joint, joints)| joint >= joints)
        {
            return Err(RetargetError::BadPair {
                which,
                joint,
                joints,
            });
        }
    }
    for tracks in clip.joints.iter().filter(|t| t.joint < source.len()) {
        let widths = [
            (&tracks.translation, 3),
            (&tracks.rotation, 4),
            (&tracks.scale, 3),
        ];
        for (track, wanted) in widths {
            if let Some(found) = track.as_ref().map(Track::width).filter(|w| *w != wanted) {
                let joint = source.name(tracks.joint).to_owned();
                return Err(RetargetError::BadTrack {
                    joint,
                    found,
                    wanted,
                });
            }
        }
    }
    let bad = |what, value: f64| Err(RetargetError::BadOption { what, value });
    match options {
        RetargetOptions { scale: Some(s), .. } if !(s.is_finite() && *s > 0.0) => {
            bad("scale", f64::from(*s))
        }
        RetargetOptions {
            rest_secs: Some(t), ..
        } if !t.is_finite() => bad("rest time", *t),
        _ => Ok(()),
    }
}

/// Every time at which something has a key, and some between where these are far apart.
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
    if (last - first) / LONGEST_STEP_SECS > MOST_FRAMES as f32 {
        return keys;
    }
    let mut times = Vec::with_capacity(keys.len());
    for step in keys.windows(2) {
        // Frames at 30 a second are as near as they need be, whatever rounding made of them.
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

/// Whether the two are one skeleton, whatever its joints are called, and every joint follows itself.
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

struct Motion<'a> {
    skeleton: &'a Skeleton,
    clip: &'a Clip,
}

impl Motion<'_> {
    fn at(&self, secs: f64) -> (Vec<Local>, Stance) {
        let mut pose = LocalPose::identity(self.skeleton.len());
        sample(self.clip, self.skeleton, secs, &mut pose);
        let locals = locals(&pose);
        let stance = Stance::of_locals(self.skeleton, &locals);
        (locals, stance)
    }
}

/// What has to be known of the whole motion before any of it is carried over.
struct Seen {
    /// From the hips up, in each frame.
    torso: Vec<DVec3>,
    /// For each side the balls of the feet and the ankles; empty where there are none.
    balls: [Vec<DVec3>; 2],
    ankles: [Vec<DVec3>; 2],
}

impl Seen {
    fn of(motion: &Motion<'_>, body: &Body<'_>, times: &[f32]) -> Self {
        let mut seen = Self {
            torso: Vec::new(),
            balls: Default::default(),
            ankles: Default::default(),
        };
        for time in times {
            let (_, now) = motion.at(f64::from(*time));
            let ends = [Role::Hips]
                .into_iter()
                .filter_map(|r| body.roles.joint(r))
                .zip(top(body));
            seen.torso
                .extend(ends.map(|(hips, top)| now.place(top) - now.place(hips)));
            for (k, side) in Side::ALL.into_iter().enumerate() {
                seen.balls[k].extend(body.ball(side).map(|j| now.place(j)));
                seen.ankles[k].extend(body.roles.joint(Role::Foot(side)).map(|j| now.place(j)));
            }
        }
        seen
    }

    /// Where the source stands: on the plane through the origin, or where its rest pose does, whichever its
    /// feet come nearer to.
    fn floor(&self, body: &Body<'_>, up: DVec3, hip_height: Option<f64>) -> f64 {
        let feet: Vec<Vec<DVec3>> = self.balls.iter().chain(&self.ankles).cloned().collect();
        let (Some(low), Some(sole), Some(hip_height)) =
            (lowest(&feet, up), body.sole(up), hip_height)
        else {
            return 0.0;
        };
        // A little nearer is no reason to think that the floor is not where it mostly is.
        if (low - sole).abs() + 0.25 * hip_height < low.abs() {
            sole
        } else {
            0.0
        }
    }
}

fn top(body: &Body<'_>) -> Option<usize> {
    let spine = (0..body.roles.spine_len()).rev().map(Role::Spine);
    let roles = [Role::Head, Role::Neck(0)].into_iter().chain(spine);
    roles.filter_map(|role| body.roles.joint(role)).next()
}

fn torso(body: &Body<'_>) -> Option<f64> {
    let hips = body.place(Role::Hips)?;
    let length = body.rest.place(top(body)?).distance(hips);
    (length > 0.0).then_some(length)
}

/// Some files' rest pose lies on its back in the world of their motion: then it is turned so that it
/// stands in it.
fn upright<'a>(body: Body<'a>, seen: &Seen) -> Option<Body<'a>> {
    let rest = body.frame * DVec3::Y;
    let ups = seen.torso.iter().filter_map(|t| t.try_normalize());
    let mean = ups.sum::<DVec3>() / seen.torso.len().max(1) as f64;
    if mean.length() < 0.7 || mean.normalize().dot(rest) > 0.5 {
        return Some(body);
    }
    let turn = shortest(
        nearest_axis(rest),
        nearest_axis(mean),
        body.frame * DVec3::X,
    );
    Body::new(body.skeleton, body.roles, body.rest.turned(turn))
}

/// The axis that is meant.
fn upward(up: DVec3) -> DVec3 {
    let axis = nearest_axis(up);
    if axis.dot(up) > 0.9 { axis } else { up }
}

/// Where a body stands at rest: on the plane through the origin, if it nearly does or if its hips are the
/// root and at the origin, as those of motion files are.
fn standing_floor(body: &Body<'_>, up: DVec3, hip_height: Option<f64>) -> f64 {
    let (Some(sole), Some(hip_height), Some(hips)) =
        (body.sole(up), hip_height, body.place(Role::Hips))
    else {
        return 0.0;
    };
    let from_file = body.roles.joint(Role::Hips) == Some(0) && hips.length() < 0.25 * hip_height;
    if from_file || sole.abs() < 0.25 * hip_height {
        0.0
    } else {
        sole
    }
}

struct Carry<'a> {
    rules: Rules,
    source: &'a Body<'a>,
    target: &'a Body<'a>,
    scale: f64,
    /// The target's.
    up: DVec3,
    /// The source's and the target's.
    floors: [f64; 2],
    same: bool,
}

impl Carry<'_> {
    /// A place of the source's world in the target's.
    fn place(&self, place: DVec3) -> DVec3 {
        let [from, onto] = self.floors;
        (self.rules.turn * place - self.up * from) * self.scale + self.up * onto
    }

    fn frame(&self, (source_locals, now): &(Vec<Local>, Stance)) -> Vec<Local> {
        let skeleton = self.target.skeleton;
        let mut locals = locals(skeleton.rest());
        let mut done = Stance {
            turns: Vec::new(),
            maps: Vec::new(),
        };
        for joint in 0..skeleton.len() {
            let parent = skeleton.parent(joint);
            let parent_turn = parent.map_or(DQuat::IDENTITY, |p| done.turns[p]);
            let parent_map = parent.map_or(DAffine3::IDENTITY, |p| done.maps[p]);
            let local = &mut locals[joint];
            if let Some(turn) = self.rules.turn(joint, self.source, now, self.target) {
                local.turn = (parent_turn.inverse() * turn).normalize();
            }
            if self.same {
                (local.place, local.scale) =
                    (source_locals[joint].place, source_locals[joint].scale);
            } else if let Some(place) = self.placed(joint, now) {
                local.place = parent_map.inverse().transform_point3(place);
            }
            let map =
                DAffine3::from_scale_rotation_translation(local.scale, local.turn, local.place);
            done.turns.push(parent_turn * local.turn);
            done.maps.push(parent_map * map);
        }
        locals
    }

    /// Where the hips, and joints above them that follow, have to be.
    fn placed(&self, joint: usize, now: &Stance) -> Option<DVec3> {
        let Rule::Follow { source, .. } = self.rules.of[joint] else {
            return None;
        };
        let hips = self.target.roles.joint(Role::Hips)?;
        if joint == hips {
            return Some(self.place(now.place(source)));
        }
        let is_above = self
            .target
            .skeleton
            .hierarchy()
            .ancestors(hips)
            .any(|j| j == joint);
        let moved = self.rules.turn * (now.place(source) - self.source.rest.place(source));
        is_above.then(|| self.target.rest.place(joint) + moved * self.scale)
    }

    fn legs(&self, seen: &Seen, times: &[f32], hip_height: Option<f64>) -> Vec<Leg> {
        let up = self.rules.turn.inverse() * self.up;
        let mut legs = Vec::new();
        for (k, side) in Side::ALL.into_iter().enumerate() {
            let Some(ankle) = self.target.roles.joint(Role::Foot(side)) else {
                continue;
            };
            let ball = self.target.ball(side).filter(|_| !seen.balls[k].is_empty());
            let places = if ball.is_some() {
                &seen.balls[k]
            } else {
                &seen.ankles[k]
            };
            let Some(hip_height) = hip_height.filter(|_| places.len() == times.len()) else {
                continue;
            };
            legs.push(Leg {
                side,
                contacts: contacts(times, places, up, hip_height),
                standing: ball.unwrap_or(ankle),
                wanted: places.iter().map(|p| self.place(*p)).collect(),
            });
        }
        legs
    }

    fn report(&self, pairs: &[Pair], frames: usize) -> RetargetReport {
        let (from, onto) = (self.source.skeleton, self.target.skeleton);
        let named = |pair: &Pair| NamedPair {
            role: self.target.roles.role(pair.target),
            source: from.name(pair.source).to_owned(),
            target: onto.name(pair.target).to_owned(),
        };
        let of_target = |wanted: fn(&Rule) -> bool| -> Vec<String> {
            let joints = (0..onto.len()).filter(|j| wanted(&self.rules.of[*j]));
            joints.map(|j| onto.name(j).to_owned()).collect()
        };
        let used = |joint: usize| {
            self.rules.of.iter().any(|rule| match rule {
                Rule::Rest => false,
                Rule::Follow { source, .. } => *source == joint,
                Rule::Between { sources, .. } => sources.contains(&joint),
            })
        };
        let unused = (0..from.len()).filter(|j| !used(*j));
        RetargetReport {
            pairs: pairs.iter().map(named).collect(),
            shared: of_target(|rule| matches!(rule, Rule::Between { .. })),
            unused_source: unused.map(|j| from.name(j).to_owned()).collect(),
            still_target: of_target(|rule| matches!(rule, Rule::Rest)),
            scale: self.scale as f32,
            turn: self.rules.turn.as_quat(),
            same_skeleton: self.same,
            frames,
            feet: Vec::new(),
            hips_lowered: 0.0,
            unreached_frames: 0,
        }
    }

    /// Tracks for what differs from rest at some time.
    fn clip(
        &self,
        source: &Clip,
        times: Vec<f32>,
        frames: &[Vec<Local>],
    ) -> Result<Clip, RetargetError> {
        let skeleton = self.target.skeleton;
        let mut clip = Clip::new(source.name.clone());
        clip.events = source.events.clone();
        clip.curves = source.curves.clone();
        let times = Arc::new(times);
        for joint in 0..skeleton.len() {
            let rest = skeleton.rest().get(joint);
            let mut turns: Vec<Quat> = Vec::with_capacity(frames.len());
            for frame in frames {
                let turn = frame[joint].turn.as_quat();
                let before = turns.last().copied().unwrap_or(rest.rotation);
                turns.push(if before.dot(turn) < 0.0 { -turn } else { turn });
            }
            let vectors = |of: fn(&Local) -> DVec3| -> Vec<Vec3> {
                frames.iter().map(|f| of(&f[joint]).as_vec3()).collect()
            };
            let (places, scales) = (vectors(|l| l.place), vectors(|l| l.scale));
            let named = |source| RetargetError::NotFinite {
                joint: skeleton.name(joint).to_owned(),
                source,
            };
            // What is at rest but for rounding needs no track.
            let turned = turns.iter().any(|q| !q.abs_diff_eq(rest.rotation, 1e-7));
            let vector_track = |keys: &[Vec3], rest: Vec3| {
                let moved = keys.iter().any(|v| *v != rest);
                let (times, keys) = shortened(&times, keys);
                moved
                    .then(|| Track::vectors(times, keys, Interpolation::Linear))
                    .transpose()
            };
            let translation = vector_track(&places, rest.translation).map_err(named)?;
            let scale = vector_track(&scales, rest.scale).map_err(named)?;
            let (key_times, keys) = shortened(&times, &turns);
            let rotation = turned.then(|| Track::rotations(key_times, keys, Interpolation::Slerp));
            let rotation = rotation.transpose().map_err(named)?;
            if translation.is_some() || rotation.is_some() || scale.is_some() {
                let tracks = clip.joint_mut(joint);
                (tracks.translation, tracks.rotation, tracks.scale) =
                    (translation, rotation, scale);
            }
        }
        clip.fit_duration();
        clip.duration_secs = clip.duration_secs.max(source.duration_secs);
        Ok(clip)
    }
}

/// One key where all are the same.
fn shortened<'a, T: PartialEq>(times: &Arc<Vec<f32>>, keys: &'a [T]) -> (Arc<Vec<f32>>, &'a [T]) {
    match keys.iter().all(|k| *k == keys[0]) {
        true => (Arc::new(vec![times[0]]), &keys[..1]),
        false => (times.clone(), keys),
    }
}
