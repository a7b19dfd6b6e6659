//! Deformation with found joints, compared with that of the artist.

use super::bare::{Bare, wide};
use super::files::Truth;
use super::pose::Pose;
use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use sinew::mesh::{Mesh, Primitive};
use sinew::{Character, Skeleton, Skin};
use sinew_rig::template::Template;
use sinew_rig::weights::{BindOptions, bind_to_skeleton};
use std::collections::BTreeMap;
use std::sync::Arc;

const POSES: u32 = 16;
/// Joints that both skeletons have. Each rotates by up to 30 degrees.
const TURNED: [&str; 16] = [
    "hips",
    "chest",
    "neck",
    "head",
    "left_upper_arm",
    "left_lower_arm",
    "left_hand",
    "right_upper_arm",
    "right_lower_arm",
    "right_hand",
    "left_upper_leg",
    "left_lower_leg",
    "left_foot",
    "right_upper_leg",
    "right_lower_leg",
    "right_foot",
];

/// Mean 99th percentile of distances of vertices from where the artist's joints and weights put
/// them, in percent of the diagonal: with the artist's joints and our weights, and with the joints
/// of a template and our weights.
pub fn bend(truth: &Truth, template: &Template) -> Result<[f64; 2], String> {
    let bare = truth.posed(Pose::Rest).bare;
    let skeleton = template.skeleton().map_err(|error| error.to_string())?;
    let found = Rigged::new(&bare, &Character::from_skeleton(skeleton))?;
    let artist = Rigged::new(&bare, &at_rest(truth))?;
    let named: BTreeMap<String, usize> = TURNED
        .iter()
        .filter(|name| found.character.skeleton.find(name).is_some())
        .filter_map(|name| Some(((*name).to_owned(), *truth.joints.get(*name)?)))
        .collect();
    let [low, high] = bare.bounds();
    let diagonal = f64::from(low.distance(high));
    let mut sums = [0.0; 2];
    for pose in 0..POSES {
        let turns: BTreeMap<&str, DQuat> = (named.keys().enumerate())
            .map(|(k, name)| (name.as_str(), turn(pose * 64 + k as u32)))
            .collect();
        let by_artist = |joint: usize| {
            let name = named.iter().find(|(_, j)| **j == joint)?.0;
            turns.get(name.as_str()).copied()
        };
        let skeleton = &found.character.skeleton;
        let by_name = |joint: usize| turns.get(skeleton.name(joint)).copied();
        let frames = turned(&truth.rest, &truth.parents, by_artist);
        let goal = Bare::new(&truth.character, &frames, truth.known.held).positions;
        let parents: Vec<_> = (0..skeleton.len()).map(|j| skeleton.parent(j)).collect();
        let ours = turned(&rest(skeleton), &parents, by_name);
        for (sum, (rigged, frames)) in sums.iter_mut().zip([(&artist, &frames), (&found, &ours)]) {
            let moved = Bare::new(&rigged.character, frames, &[]).positions;
            *sum += percentile_99(&goal, &moved) * 100.0 / diagonal;
        }
    }
    Ok(sums.map(|sum| sum / f64::from(POSES)))
}

/// The artist's skeleton, bound where the bare mesh stands.
fn at_rest(truth: &Truth) -> Character {
    let skeleton = &truth.character.skeleton;
    let all = Skin::bound_at(skeleton.rest_model().as_slice());
    let skins = truth.character.skins.iter();
    let skins = skins.map(|skin| Skin {
        joint_from_model: (skin.joints.iter())
            .map(|&joint| all.joint_from_model[joint])
            .collect(),
        ..skin.clone()
    });
    Character {
        skins: skins.collect(),
        ..Character::from_skeleton(skeleton.clone())
    }
}

struct Rigged {
    character: Character,
}

impl Rigged {
    fn new(bare: &Bare, skeleton: &Character) -> Result<Self, String> {
        let primitive = Primitive {
            positions: Arc::new(bare.positions.clone()),
            indices: Some(Arc::new(bare.triangles.iter().flatten().copied().collect())),
            ..Primitive::default()
        };
        let mut character = Character::from_mesh(Mesh {
            primitives: vec![primitive],
            ..Mesh::default()
        });
        let bound = bind_to_skeleton(&mut character, skeleton, &BindOptions::default());
        bound.map_err(|error| error.to_string())?;
        Ok(Self { character })
    }
}

fn rest(skeleton: &Skeleton) -> Vec<DAffine3> {
    skeleton.rest_model().iter().map(wide).collect()
}

/// Rotation by up to 30 degrees about an axis in model space.
fn turn(seed: u32) -> DQuat {
    let mut state = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1_u32 << 24)
    };
    let mut signed = || 2.0 * next() - 1.0;
    let axis = DVec3::new(signed(), signed(), signed());
    let angle = 30.0_f64.to_radians() * signed();
    DQuat::from_axis_angle(axis.normalize_or(DVec3::X), angle)
}

/// Frames with some joints turned, by rotations in model space at rest.
fn turned(
    rest: &[DAffine3],
    parents: &[Option<usize>],
    turn: impl Fn(usize) -> Option<DQuat>,
) -> Vec<DAffine3> {
    let depth = |j: &usize| std::iter::successors(parents[*j], |&p| parents[p]).count();
    let mut order: Vec<usize> = (0..rest.len()).collect();
    order.sort_by_key(depth);
    let mut frames = rest.to_vec();
    for joint in order {
        if let Some(parent) = parents[joint] {
            frames[joint] = frames[parent] * (rest[parent].inverse() * rest[joint]);
        }
        if let Some(turn) = turn(joint) {
            let at_rest = rest[joint].matrix3;
            let own = at_rest.inverse() * DMat3::from_quat(turn) * at_rest;
            frames[joint].matrix3 *= own;
        }
    }
    frames
}

fn percentile_99(goal: &[Vec3], moved: &[Vec3]) -> f64 {
    let pairs = goal.iter().zip(moved);
    let mut apart: Vec<f64> = pairs.map(|(a, b)| f64::from(a.distance(*b))).collect();
    apart.sort_by(f64::total_cmp);
    let last = apart.len().saturating_sub(1);
    apart.get(last * 99 / 100).copied().unwrap_or(0.0)
}
