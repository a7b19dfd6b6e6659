//! Small stretches under a unit of 0.01 or 100, by the formula in `f64`. The skins omit joints.

use super::blend_f64::{Motion, by_formula};
use super::palette::{affine, models, wide};
use super::scale::{Random, Rig};
use super::*;
use glam::{DAffine3, DMat3, DQuat, DVec3};

const JOINTS: usize = 12;
/// The root and two inner joints. A skin often lists only joints with weights.
const OUTSIDE: [usize; 3] = [0, 3, 6];
/// Max stretch of a joint, as in a clip of a lumberjack.
const STRETCH: f32 = 0.024;

#[derive(Clone, Copy, Debug)]
enum Stretch {
    None,
    Common,
    /// Each joint by its own factor along all axes.
    Uniform,
    /// Each joint by its own factors along its axes.
    Axes,
}

struct Case {
    rig: Rig,
    motions: Vec<Motion>,
}

/// Chain under a root of scale `unit`, bound in a separate frame and in another pose than rest.
fn case(seed: u64, unit: f32, mesh_unit: f32, stretch: Stretch) -> Case {
    let mut random = Random(seed | 1);
    let step = |random: &mut Random| Vec3::new(0.5, 0.2 * random.signed(), 0.2 * random.signed());
    let joints = (0..JOINTS).map(|j| {
        let rest = Transform {
            rotation: random.turn(if j == 0 { 180.0 } else { 40.0 }),
            translation: step(&mut random) / if j == 0 { 1.0 } else { unit },
            scale: Vec3::splat(if j == 0 { unit } else { 1.0 }),
        };
        Joint::new(j.to_string(), j.checked_sub(1), rest)
    });
    let (skeleton, _) = Skeleton::new(joints.collect()).expect("a chain");
    let turned = |random: &mut Random, max_degrees: f32| {
        let mut local = skeleton.rest().clone();
        for j in 1..JOINTS {
            let rotation = quat::mul(random.turn(max_degrees), local.get(j).rotation);
            local.set_rotation(j, rotation);
        }
        local
    };
    let bind = turned(&mut random, 30.0);
    let mut local = turned(&mut random, 30.0);
    let common = Vec3::splat(1.0 + STRETCH);
    for j in 1..JOINTS {
        let scale = match stretch {
            Stretch::None => Vec3::ONE,
            Stretch::Common if j == 1 => common,
            Stretch::Common => Vec3::ONE,
            Stretch::Uniform => Vec3::splat(1.0 + STRETCH * random.signed()),
            Stretch::Axes => Vec3::ONE + STRETCH * random.vector(),
        };
        local.set_scale(j, scale);
    }
    let mesh = DAffine3::from_scale_rotation_translation(
        DVec3::splat(f64::from(mesh_unit)),
        random.turn(180.0).as_dquat().normalize(),
        random.vector().as_dvec3(),
    );
    let (bound, now) = (models(&skeleton, &bind), models(&skeleton, &local));
    let joints: Vec<usize> = (0..JOINTS).filter(|j| !OUTSIDE.contains(j)).collect();
    let inverse_bind = |&j: &usize| affine(&(bound[j].inverse() * mesh));
    let skin = Skin {
        name: String::new(),
        joint_from_model: joints.iter().map(inverse_bind).collect(),
        joints,
    };
    let mut motions: Vec<Motion> = Vec::new();
    for (place, &joint) in skin.joints.iter().enumerate() {
        let inverse_bind = wide(&skin.joint_from_model[place]);
        let beside = motions.last().map(|motion| motion.turn);
        motions.push(motion(
            now[joint] * inverse_bind,
            inverse_bind.inverse().translation,
            beside,
        ));
    }
    let model_from_mesh = mesh.inverse();
    let places = skin.joints.len();
    let (mut lists, mut vertices) = (Vec::new(), Vec::new());
    for _ in 0..80 {
        let many = 2 + random.below(3);
        let first = random.below(places - many + 1);
        let middle = bound[skin.joints[first + many / 2]].translation;
        let vertex = middle + random.vector().as_dvec3() * 0.4;
        vertices.push(model_from_mesh.transform_point3(vertex).as_vec3());
        let joints = (first..first + many).map(|j| (j as u16, 1.1 + random.signed()));
        lists.push(joints.collect::<Vec<_>>());
    }
    let rig = Rig {
        pose: posed(&skeleton, &local),
        influences: influences(&lists),
        bind: vertices,
        skin,
        skeleton,
    };
    Case { rig, motions }
}

/// Map decomposed in `f64`. Its quaternion has the sign nearest to `beside`.
fn motion(map: DAffine3, bound: DVec3, beside: Option<DQuat>) -> Motion {
    let mut rotation = map.matrix3;
    // Higham 1986: converges to the rotation nearest to the map.
    for _ in 0..60 {
        rotation = (rotation + rotation.inverse().transpose()) * 0.5;
    }
    let turn = DQuat::from_mat3(&rotation);
    let stretch: DMat3 = rotation.transpose() * map.matrix3;
    Motion {
        turn: if beside.is_some_and(|other| other.dot(turn) < 0.0) {
            -turn
        } else {
            turn
        },
        stretch,
        scale: map.matrix3.determinant().cbrt(),
        bound,
        now: map.transform_point3(bound),
    }
}

#[test]
fn small_stretches_in_any_unit_are_blended_as_in_f64() {
    let mut worst: f64 = 0.0;
    for seed in 0..60_u64 {
        for (unit, mesh_unit) in [(0.01, 1.0), (0.01, 0.01), (100.0, 1.0), (100.0, 100.0)] {
            for stretch in [
                Stretch::None,
                Stretch::Common,
                Stretch::Uniform,
                Stretch::Axes,
            ] {
                let Case { rig, motions } = case(seed * 7919 + 5, unit, mesh_unit, stretch);
                let wanted: Vec<DVec3> = (0..rig.bind.len())
                    .map(|vertex| {
                        let joints = rig.influences.get(vertex).map(|(j, w)| (j, f64::from(w)));
                        let joints: Vec<_> = joints.collect();
                        by_formula(&motions, &joints, rig.bind[vertex].as_dvec3())
                    })
                    .collect();
                let low = wanted.iter().copied().fold(DVec3::INFINITY, DVec3::min);
                let high = wanted.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
                let extent = (high - low).max_element();
                for (way, found) in rig.skinned(&rig.pose).iter().enumerate() {
                    for (vertex, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
                        let off = found.as_dvec3().distance(*wanted) / extent;
                        worst = worst.max(off);
                        // Forward kinematics of twelve joints in `f32`.
                        assert!(
                            off < 1e-5,
                            "seed {seed}, unit {unit}, mesh {mesh_unit}, {stretch:?}, way {way}, vertex {vertex}: {off}"
                        );
                    }
                }
            }
        }
    }
    println!("at most {worst} of the extent");
}
