//! Pulls by inverse kinematics: the limb, its pole, and the edits.

use crate::panels::pictures::Pictures;
use crate::session::Session;
use crate::state::State;
use glam::{Quat, Vec3};
use sinew::{Skeleton, Transform};
use sinew_edit::{KeyEdit, Name, Reach};
use sinew_rig::retarget::{Role as BodyPart, Side, find_roles};

/// Distance of a new pole from the knee or elbow, relative to the length of the limb.
const POLE_DISTANCE: f32 = 0.5;

/// Bend of a limb, relative to its length, from which on its direction is known.
const BENT: f32 = 0.02;

/// The pulled joint, as it is at the start of a drag.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pull {
    pub joint: usize,
    /// Position in model space.
    pub position: Vec3,
    /// Rotation in model space.
    pub rotation: Quat,
    /// First joint that may rotate. `None` for the limb of the joint.
    from: Option<usize>,
    /// The joints above: knee or elbow, and the joint above it. `None` if the chain is not a limb.
    limb: Option<[Vec3; 2]>,
    /// Point to which the knee or elbow bends.
    pub pole: Option<Vec3>,
}

impl Pull {
    /// Pull of a joint. `None` if it has no parent that could rotate, or is not drawn yet.
    pub fn new(session: &Session, joint: usize, pictures: &dyn Pictures) -> Option<Self> {
        let state = session.state();
        let skeleton = &session.document().file(state.shown)?.character.skeleton;
        let at = |joint: usize| Some(pictures.joint(joint)?.1.translation());
        let middle = skeleton.parent(joint)?;
        let from = first_moving(state, skeleton, joint);
        let upper = skeleton.parent(middle).filter(|_| from.is_none());
        let limb = upper.and_then(|upper| Some([at(middle)?, at(upper)?]));
        let (_, model) = pictures.joint(joint)?;
        Some(Self {
            joint,
            position: model.translation(),
            rotation: Transform::from_affine(&model).0.rotation,
            from,
            limb,
            pole: state.posing.poles.get(&joint).copied(),
        })
    }

    /// Pole to begin with, in the direction of the bend. For a straight limb, before a knee and behind an elbow.
    /// `None` if the chain is not a limb.
    pub fn first_pole(&self, session: &Session) -> Option<Vec3> {
        let state = session.state();
        let skeleton = &session.document().file(state.shown)?.character.skeleton;
        let [middle, upper] = self.limb?;
        let length = middle.distance(upper) + middle.distance(self.position);
        let along = (self.position - upper).normalize_or_zero();
        let bend = (middle - upper).reject_from_normalized(along);
        let out = if along != Vec3::ZERO && bend.length() > BENT * length {
            bend.normalize()
        } else {
            let (sin, cos) = state.camera.front_rad.sin_cos();
            let side = if is_hand(skeleton, self.joint) {
                -1.0
            } else {
                1.0
            };
            Vec3::new(sin, 0.0, cos) * side
        };
        Some(middle + out * (POLE_DISTANCE * length))
    }

    /// Goal with what holds other joints.
    pub fn reach(&self, state: &State) -> Reach {
        let names = |joints: &std::collections::BTreeSet<usize>| {
            joints.iter().map(|&joint| Name::Index(joint)).collect()
        };
        Reach {
            joint: self.joint.into(),
            position: self.position,
            rotation: state.posing.keeps_rotation.then_some(self.rotation),
            from: self.from.map(Name::from),
            pole: self.limb.and(self.pole),
            pins: names(&state.posing.pins),
            locked: names(&state.posing.locks),
            over: state.moment(),
        }
    }
}

/// Edit that keys the limb over the played range, so that the pulled joint stays at its position. `None` for the rest
/// pose and for a joint without a parent.
pub(super) fn key_over_range(
    session: &Session,
    joint: usize,
    pictures: &dyn Pictures,
) -> Option<KeyEdit> {
    let state = session.state();
    let pull = Pull::new(session, joint, pictures)?;
    let [from, to] = state.playback.played_secs(session.duration_secs());
    Some(KeyEdit::KeyReach {
        clip: session.edited_clip()?,
        layer: session.edited_layer().map(Name::Index),
        reach: Reach {
            over: None,
            ..pull.reach(state)
        },
        from_secs: from as f32,
        to_secs: to as f32,
        fps: (state.playback.fps as f32).clamp(1.0, 240.0),
    })
}

/// Position of the knee or elbow of a limb, and of its pole. `None` without a pole, and with pins.
pub(super) fn pole_line(
    state: &State,
    skeleton: &Skeleton,
    joint: usize,
    pictures: &dyn Pictures,
) -> Option<[Vec3; 2]> {
    let pole = state.posing.poles.get(&joint)?;
    let middle = skeleton.parent(joint)?;
    skeleton.parent(middle)?;
    let (_, model) = pictures.joint(middle)?;
    let has_pins = state.posing.pins.iter().any(|&pin| pin != joint);
    (!has_pins).then_some([model.translation(), *pole])
}

/// First joint that a pull may rotate. `None` for the limb of the joint. With pins, the hips.
fn first_moving(state: &State, skeleton: &Skeleton, joint: usize) -> Option<usize> {
    if state.posing.pins.iter().all(|&pin| pin == joint) {
        return None;
    }
    let hips = find_roles(skeleton).joint(BodyPart::Hips);
    let above = || skeleton.hierarchy().ancestors(joint).skip(1);
    hips.filter(|&hips| above().any(|joint| joint == hips))
        .or_else(|| above().last())
}

fn is_hand(skeleton: &Skeleton, joint: usize) -> bool {
    let roles = find_roles(skeleton);
    [Side::Left, Side::Right]
        .into_iter()
        .any(|side| roles.joint(BodyPart::Hand(side)) == Some(joint))
}
