//! Steps of animals: the paths that the paws of the source give the paws of the target.

use super::pose_transfer::PoseTransfer;
use super::source_motion::SourceFrames;
use crate::retarget::animals::Animals;
use crate::retarget::body::model_pose::{Local, ModelPoseF64, locals};
use crate::retarget::error::RetargetError;
use crate::retarget::feet::contact::{contacts, low};
use crate::retarget::feet::ground::Leg;
use crate::retarget::pair::Pair;
use crate::retarget::roles::four_legs::FoundLeg;
use glam::{DVec3, Quat, Vec3};
use sinew::{Clip, Interpolation, LocalPose, Skeleton, Track, sample};
use std::sync::Arc;

/// Height of the ground of a motion above that of the rest pose, if it differs by more than a
/// quarter of the legs.
pub(crate) fn lift(animals: &Animals, carry: &PoseTransfer<'_>, poses: &SourceFrames) -> f64 {
    let up = carry.rules.rotation.inverse() * carry.up;
    let above = |leg: &FoundLeg| {
        let heights: Vec<f64> = poses.path(leg.standing).map(|p| p.dot(up)).collect();
        low(&heights) - carry.source.rest.position(leg.standing).dot(up)
    };
    let lifts = animals.source.legs.iter().map(above);
    let lift = lifts.fold(f64::INFINITY, f64::min);
    let is_far = lift.abs() > 0.25 * animals.source.leg_height;
    if is_far { lift } else { 0.0 }
}

/// Legs of the target that follow legs of the source, with the path of each paw.
pub(crate) fn steps(
    animals: &Animals,
    carry: &PoseTransfer<'_>,
    pairs: &[Pair],
    poses: &SourceFrames,
    times: &[f32],
) -> (Vec<Leg>, Vec<Vec<DVec3>>) {
    let up = carry.rules.rotation.inverse() * carry.up;
    let both = animals.source.legs.iter().map(|from| {
        let is_same = |leg: &&FoundLeg| (leg.is_front, leg.side) == (from.is_front, from.side);
        let onto = animals.target.legs.iter().find(is_same)?;
        pairs
            .iter()
            .find(|pair| onto.joints.contains(&pair.target))?;
        let way: Vec<DVec3> = poses.path(from.standing).collect();
        let leg = Leg {
            side: onto.side,
            contacts: contacts(times, &way, up, animals.source.leg_height),
            standing: onto.standing,
        };
        let rest = carry.target.rest.position(onto.standing);
        let path = way
            .iter()
            .map(|p| rest + carry.moved_from_rest(from.standing, *p));
        Some((leg, path.collect()))
    });
    both.flatten().unzip()
}

/// A clip of `on_legs`, where feet are children of their legs, for the skeleton `target`, where they
/// are not. Both have the same indices. The feet get keys at `times`.
pub(crate) fn feet_on_controls(
    mut clip: Clip,
    on_legs: &Skeleton,
    target: &Skeleton,
    hung: &[[usize; 2]],
    times: &Arc<Vec<f32>>,
) -> Result<Clip, RetargetError> {
    let mut keys: Vec<(Vec<Vec3>, Vec<Quat>)> = vec![Default::default(); hung.len()];
    let mut pose = LocalPose::identity(on_legs.len());
    let mut model = ModelPoseF64::default();
    for &secs in times.iter() {
        sample(&clip, on_legs, f64::from(secs), &mut pose)?;
        let all: Vec<Local> = locals(&pose);
        model.set(on_legs.hierarchy(), &all);
        for (&[foot, _], (places, turns)) in hung.iter().zip(&mut keys) {
            let (above, turned) = match target.parent(foot) {
                Some(parent) => (model.maps[parent].inverse(), model.rotations[parent]),
                None => Default::default(),
            };
            places.push(above.transform_point3(model.position(foot)).as_vec3());
            let turn = (turned.inverse() * model.rotations[foot]).normalize();
            let opposite = turns
                .last()
                .is_some_and(|q: &Quat| q.as_dquat().dot(turn) < 0.0);
            turns.push((if opposite { -turn } else { turn }).as_quat());
        }
    }
    for (&[foot, _], (places, turns)) in hung.iter().zip(keys) {
        let not_finite = |source| RetargetError::NotFinite {
            joint: target.name(foot).to_owned(),
            source,
        };
        let places = Track::vectors(times.clone(), &places, Interpolation::Linear);
        let turns = Track::rotations(times.clone(), &turns, Interpolation::Slerp);
        let tracks = clip.joint_mut(foot);
        tracks.translation = Some(places.map_err(not_finite)?);
        tracks.rotation = Some(turns.map_err(not_finite)?);
        tracks.scale = None;
    }
    Ok(clip)
}
