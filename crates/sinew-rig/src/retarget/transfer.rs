//! Transfers clips from one skeleton to another.

use super::animals::{Animals, with_feet_on_legs};
use super::body::frames::Frames;
use super::body::model_pose::{Local, ModelPoseF64};
use super::body::standing::Body;
use super::body::world_axes::{snapped, torso};
use super::checks::{MAX_FRAMES, check_options, check_tracks, frame_times, same_body};
use super::error::RetargetError;
use super::feet::contact::{fastest, slide};
use super::feet::ground::{Done, Ground, Leg, LegTree, REACH, leg_roles};
use super::follow::bake::{LegKeys, baked};
use super::follow::hands::bring_hands;
use super::follow::pose_transfer::{Carrier, PoseTransfer};
use super::follow::rotation_rules::RotationRules;
use super::follow::source_motion::{
    SourceFrames, SourceMotion, SourceTrajectories, standing_floor, upright,
};
use super::follow::steps::{feet_on_controls, lift, steps};
use super::options::RetargetOptions;
use super::pair::Pair;
use super::pairs::{check_pairs, roles_of_pairs};
use super::report::{FootSlideReport, RetargetReport, Retargeted};
use super::roles::role_map::Roles;
use glam::DVec3;
use sinew::skeleton::{Role, Side};
use sinew::{Clip, Skeleton, sample_joint};
use std::sync::Arc;

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
    Retargeter::new(source, target, pairs, options)?.retarget(clip)
}

/// Two skeletons and their pairs, prepared once for any number of clips. The result for a clip does
/// not depend on other clips, so that threads can share a retargeter.
///
/// ```
/// use sinew_rig::retarget::{RetargetOptions, Retargeter, pair_joints};
/// let person = sinew_samples::humanoid_character();
/// let body = &person.skeleton;
/// let pairs = pair_joints(body, body)?;
/// let retargeter = Retargeter::new(body, body, &pairs, &RetargetOptions::default())?;
/// for clip in &person.clips {
///     let done = retargeter.retarget(clip)?;
///     assert_eq!(done.clip.name, clip.name);
/// }
/// # Ok::<(), sinew_rig::retarget::RetargetError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Retargeter<'a> {
    source: &'a Skeleton,
    source_roles: Roles,
    /// The source in the rest pose of its file. `None` if a clip has its rest pose.
    source_body: Option<Body<'a>>,
    target: Body<'a>,
    pairs: Vec<Pair>,
    /// Two animals whose parts are known by shape.
    animals: Option<Animals>,
    /// The target with its feet on its legs, if they are on controls.
    on_legs: Option<Skeleton>,
    options: RetargetOptions,
    same: bool,
}

impl<'a> Retargeter<'a> {
    /// Prepares the transfer of clips of `source` to `target`.
    ///
    /// # Errors
    /// [`RetargetError`] names the joint, role or option that is not valid.
    pub fn new(
        source: &'a Skeleton,
        target: &'a Skeleton,
        pairs: &[Pair],
        options: &RetargetOptions,
    ) -> Result<Self, RetargetError> {
        check_pairs(source, target, pairs)?;
        check_options(options)?;
        let same = options.scale.is_none_or(|s| s == 1.0) && same_body(source, target, pairs);
        let pairs: Vec<Pair> = if same {
            let every = 0..source.len();
            let itself = |joint| Pair {
                source: joint,
                target: joint,
            };
            every.map(itself).collect()
        } else {
            pairs.to_vec()
        };
        let [source_roles, target_roles] = roles_of_pairs(source, target, &pairs);
        let rest = |skeleton: &Skeleton| ModelPoseF64::of_pose(skeleton, skeleton.rest());
        let source_body = if options.rest_secs.is_some() {
            None
        } else {
            let body = Body::new(source, source_roles.clone(), rest(source));
            Some(body.ok_or_else(|| no_body("source"))?)
        };
        let body = Body::new(target, target_roles, rest(target));
        let animals = Animals::of(source, target).filter(|_| !same);
        let on_legs = animals
            .as_ref()
            .and_then(|a| with_feet_on_legs(target, &a.target.hung));
        Ok(Self {
            source,
            source_roles,
            source_body,
            target: body.ok_or_else(|| no_body("target"))?,
            pairs,
            animals,
            on_legs,
            options: *options,
            same,
        })
    }

    /// Transfers a clip of the source.
    ///
    /// # Errors
    /// [`RetargetError`] if the clip has no keys or does not fit the source.
    pub fn retarget(&self, clip: &Clip) -> Result<Retargeted, RetargetError> {
        self.retarget_watched(clip, &mut |_| {})
    }

    /// Transfers a clip of the source, and reports the completed fraction, in [0, 1], to `watch`.
    ///
    /// # Errors
    /// Same as [`Retargeter::retarget`].
    pub fn retarget_watched(
        &self,
        clip: &Clip,
        watch: &mut dyn FnMut(f32),
    ) -> Result<Retargeted, RetargetError> {
        check_tracks(self.source, clip)?;
        let times = frame_times(clip);
        if times.is_empty() {
            let clip = clip.name.clone();
            return Err(RetargetError::EmptyClip { clip });
        }
        let motion = SourceMotion::new(self.source, clip)?;
        let poses = motion.frames(&times);
        watch(0.1);
        let source = self.source_at_rest(&motion)?;
        let paths = SourceTrajectories::of(&poses, &source);
        // The trunk of an animal is level, so it does not tell whether the body stands.
        let source = if self.same || self.animals.is_some() {
            source
        } else {
            upright(source, &paths).ok_or_else(|| no_body("source"))?
        };
        let on_legs = self.target_on_legs();
        let target = on_legs.as_ref().unwrap_or(&self.target);
        let (mut carry, hip_heights) = self.pose_transfer(&source, target, &paths);
        if let Some(animals) = &self.animals {
            carry.lift = lift(animals, &carry, &poses);
        }
        let mut frames = carried(&carry, &motion, &poses, &times);
        watch(0.3);
        let (mut legs, expected) = match &self.animals {
            Some(animals) => steps(animals, &carry, &self.pairs, &poses, &times),
            None => carry.legs(&paths, &times, hip_heights[0]),
        };
        let tree = LegTree::new(target.skeleton, self.leg_ends(&legs));
        let mut leg_frames = frames.some(&tree.joints);
        let places = tree.places(&legs, &leg_frames);
        let slides_before = legs.iter().zip(&places);
        let slides_before: Vec<f32> = slides_before
            .map(|(leg, places)| slide(&times, places, &leg.contacts) as f32)
            .collect();
        let ground = Ground {
            target,
            legs: tree,
            up: carry.up,
            floor: carry.floors[1],
            hip_height: hip_heights[1].unwrap_or(0.0),
            reach: REACH,
        };
        let holds = self.options.feet && !self.same && hip_heights[1].is_some();
        let mut done = Done::default();
        if holds {
            done = ground.correct(
                &legs,
                [&expected, &places],
                &times,
                &mut leg_frames,
                self.animals.is_some(),
            );
            frames.set_some(&ground.legs.joints, &leg_frames);
        }
        watch(0.4);
        let mut hands = Vec::new();
        if self.options.hands && !self.same {
            let mut watch = |part| watch(0.4 + 0.4 * part);
            hands = bring_hands(&carry, &motion, &times, &mut frames, &mut watch)?;
            leg_frames = frames.some(&ground.legs.joints);
        }
        watch(0.8);
        let times = Arc::new(times);
        let leg_keys = holds.then(|| held_keys(ground, &mut legs, &times, leg_frames));
        watch(0.9);
        let rows: Vec<&[Local]> = frames.rows().collect();
        let skeleton = self.target.skeleton;
        let mut baked = baked(target.skeleton, clip, &times, &rows, leg_keys.as_ref())?;
        let times = leg_keys.map_or(times, |keys| keys.times);
        if let (Some(animals), Some(on_legs)) = (&self.animals, &self.on_legs) {
            let hung = &animals.target.hung;
            baked = feet_on_controls(baked, on_legs, skeleton, hung, &times)?;
        }
        let report = RetargetReport {
            feet: foot_reports(
                [&self.target, target],
                &baked,
                &times,
                &legs,
                &slides_before,
            ),
            hands,
            hips_lowered: done.lowered as f32,
            unreached_frames: done.unreached,
            ..carry.report(&self.pairs, times.len())
        };
        Ok(Retargeted {
            clip: baked,
            report,
        })
    }

    fn source_at_rest(&self, motion: &SourceMotion<'_>) -> Result<Body<'a>, RetargetError> {
        let body = match (&self.source_body, self.options.rest_secs) {
            (Some(body), _) => Some(body.clone()),
            (None, secs) => {
                let rest = motion.at(secs.unwrap_or(0.0)).1;
                Body::new(self.source, self.source_roles.clone(), rest)
            }
        };
        body.ok_or_else(|| no_body("source"))
    }

    fn target_on_legs(&self) -> Option<Body<'_>> {
        let skeleton = self.on_legs.as_ref()?;
        Some(Body {
            skeleton,
            ..self.target.clone()
        })
    }

    fn pose_transfer<'b>(
        &'b self,
        source: &'b Body<'b>,
        target: &'b Body<'b>,
        paths: &SourceTrajectories,
    ) -> (PoseTransfer<'b>, [Option<f64>; 2]) {
        let rotation = snapped(target.frame * source.frame.inverse());
        let up = target.up();
        let source_up = rotation.inverse() * up;
        let hip_heights = match &self.animals {
            Some(Animals { source, target }) => [source, target].map(|a| Some(a.leg_height)),
            None => [source.hip_height(source_up), target.hip_height(up)],
        };
        let scale = match (self.options.scale, hip_heights) {
            (Some(scale), _) => f64::from(scale),
            (None, [Some(from), Some(onto)]) => onto / from,
            (None, _) => torso_ratio(source, target),
        };
        let floor = paths.floor(source, source_up, hip_heights[0]);
        let target_floor = match &self.animals {
            _ if self.same => floor,
            Some(_) => target.sole(up).unwrap_or(0.0),
            None => standing_floor(target, up, hip_heights[1]),
        };
        let transfer = PoseTransfer {
            rules: RotationRules::new(
                source,
                target,
                &self.pairs,
                rotation,
                up,
                self.animals.is_some(),
            ),
            source,
            target,
            scale,
            up,
            floors: [floor, target_floor],
            same: self.same,
            is_animal: self.animals.is_some(),
            lift: 0.0,
        };
        (transfer, hip_heights)
    }

    /// Joints that decide where feet are.
    fn leg_ends(&self, legs: &[Leg]) -> Vec<usize> {
        let is_animal = self.animals.is_some();
        let hind = Side::ALL
            .into_iter()
            .flat_map(|side| leg_roles(side, false));
        let front = Side::ALL.into_iter().filter(|_| is_animal);
        let front = front.flat_map(|side| leg_roles(side, true));
        let parts = hind.chain(front).chain([Role::Hips]);
        let joints = parts.filter_map(|role| self.target.roles.joint(role));
        joints.chain(legs.iter().map(|leg| leg.standing)).collect()
    }
}

fn no_body(which: &'static str) -> RetargetError {
    RetargetError::MissingRole {
        which,
        role: "hips, legs or head",
    }
}

fn torso_ratio(source: &Body<'_>, target: &Body<'_>) -> f64 {
    let length = |body: &Body<'_>| torso(&body.roles, &body.rest).map_or(0.0, DVec3::length);
    let ratio = length(target) / length(source);
    if ratio.is_normal() { ratio } else { 1.0 }
}

fn carried(
    carry: &PoseTransfer<'_>,
    motion: &SourceMotion<'_>,
    poses: &SourceFrames,
    times: &[f32],
) -> Frames {
    let mut frames = Frames::new(carry.target.skeleton.len(), times.len());
    let mut carrier = Carrier::new(carry);
    for (frame, secs) in times.iter().enumerate() {
        let own = carry.same.then(|| motion.at(f64::from(*secs)).0);
        let locals = carrier.frame(poses.frame(frame), own.as_deref());
        frames.push(locals.iter().copied());
    }
    frames
}

fn held_keys(
    ground: Ground<'_>,
    legs: &mut [Leg],
    body_times: &Arc<Vec<f32>>,
    mut frames: Frames,
) -> LegKeys {
    let mut times = body_times.to_vec();
    let tangents = ground.hold_between(legs, &mut times, &mut frames, MAX_FRAMES);
    let times = if times.len() == body_times.len() {
        body_times.clone()
    } else {
        Arc::new(times)
    };
    LegKeys {
        times,
        joints: ground.legs.joints,
        frames,
        tangents,
    }
}

/// The second body has its feet on its legs.
fn foot_reports(
    [body, on_legs]: [&Body<'_>; 2],
    clip: &Clip,
    times: &[f32],
    legs: &[Leg],
    slides_before: &[f32],
) -> Vec<FootSlideReport> {
    let report = |(leg, &slide_before): (&Leg, &f32)| FootSlideReport {
        side: leg.side,
        is_front: leg.is_front(on_legs),
        contacts: leg.contacts.clone(),
        slide_before,
        slide_after: slide_between(body.skeleton, clip, times, leg) as f32,
    };
    legs.iter().zip(slides_before).map(report).collect()
}

/// Max speed of a foot during contacts, measured at keys and three times between keys.
fn slide_between(skeleton: &Skeleton, clip: &Clip, times: &[f32], leg: &Leg) -> f64 {
    let path = LegTree::new(skeleton, [leg.standing]);
    let (mut locals, mut model) = (Vec::new(), ModelPoseF64::default());
    let mut position = |secs: &f32| {
        let local = |&joint| Local::new(&sample_joint(clip, skeleton, joint, f64::from(*secs)));
        locals.clear();
        locals.extend(path.joints.iter().map(local));
        model.set(&path.tree, &locals);
        model.position(locals.len() - 1)
    };
    let mut slide: f64 = 0.0;
    for contact in &leg.contacts {
        let step = |f: usize| {
            let moment = move |k: u8| times[f] + f32::from(k) / 4.0 * (times[f + 1] - times[f]);
            (0..4).map(moment)
        };
        let moments = (contact.first..contact.last).flat_map(step);
        let moments: Vec<f32> = moments.chain([times[contact.last]]).collect();
        let positions: Vec<DVec3> = moments.iter().map(&mut position).collect();
        slide = slide.max(fastest(&moments, &positions));
    }
    slide
}
