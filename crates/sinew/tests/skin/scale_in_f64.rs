//! Joints scaled along axes that the bind pose rotated: the formula in `f64`, and the paper.

use super::blend_f64::{Motion, NOTHING, by_formula, dual, moved};
use super::scale::{Random, Rig};
use super::*;
use glam::{DMat3, DVec3};

/// Joints one unit apart, bound at any angle, each rotated, moved and scaled along its own axes.
fn rig(seed: u64) -> (Rig, Vec<Motion>) {
    let mut random = Random(seed | 1);
    let joints = (0..5_usize).map(|j| {
        let step = Vec3::new(0.6, 0.3 * random.signed(), 0.3 * random.signed());
        let rest = Transform::from_rotation_translation(random.turn(180.0), step);
        Joint::new(j.to_string(), j.checked_sub(1), rest)
    });
    let (skeleton, _) = Skeleton::new(joints.collect()).expect("a chain");
    let rest = skeleton.rest_model();
    let mut pose = rest.clone();
    let mut motions = Vec::new();
    for j in 0..skeleton.len() {
        // Within 50° of the bind pose, quaternion signs are certain.
        let turn = random.turn(50.0).as_dquat().normalize();
        let factors = random.vector().map(|x| 2.5_f32.powf(x)).as_dvec3();
        let axes = rest.get(j).linear_f64();
        let axes = DMat3::from_cols_array_2d(&axes).transpose();
        let stretch = axes * DMat3::from_diagonal(factors) * axes.transpose();
        let bound = rest.get(j).translation().as_dvec3();
        let now = bound + random.vector().as_dvec3() * 0.3;
        let map = DMat3::from_quat(turn) * stretch;
        let moved = now - map * bound;
        let row = |i: usize| [map.row(i).x, map.row(i).y, map.row(i).z, moved[i]];
        let rows = [0, 1, 2].map(|i| row(i).map(|x| x as f32));
        pose.as_mut_slice()[j] = Affine::from_rows(rows) * *rest.get(j);
        motions.push(Motion {
            turn,
            stretch,
            scale: (factors.x * factors.y * factors.z).cbrt(),
            bound,
            now,
        });
    }
    let bind: Vec<Vec3> = (0..80).map(|_| random.vector() * 1.5).collect();
    let lists: Vec<Vec<_>> = (0..bind.len())
        .map(|_| {
            let first = random.below(4);
            let many = 2 + random.below(3);
            let joints = (0..many).map(|k| ((first + k) % 5) as u16);
            joints.map(|j| (j, 1.1 + random.signed())).collect()
        })
        .collect();
    let rig = Rig {
        skin: Skin::bound_at(rest.as_slice()),
        influences: influences(&lists),
        skeleton,
        pose,
        bind,
    };
    (rig, motions)
}

/// As printed: blends the column lengths of the matrices and scales the vertex before its motion.
fn as_printed(motions: &[Motion], joints: &[(usize, f64)], p: DVec3) -> DVec3 {
    let mut scale = DVec3::ZERO;
    let (mut real, mut other) = (NOTHING, NOTHING);
    for &(j, weight) in joints {
        let m = &motions[j];
        let map = DMat3::from_quat(m.turn) * m.stretch;
        scale += DVec3::new(
            map.x_axis.length(),
            map.y_axis.length(),
            map.z_axis.length(),
        ) * weight;
        real += m.turn * weight;
        other += dual(m.turn, m.now - map * m.bound) * weight;
    }
    moved(real, other, scale * p)
}

#[test]
fn joints_scaled_along_turned_axes_are_blended_as_in_f64() {
    let mut worst_as_printed: f64 = 0.0;
    for seed in 0..40_u64 {
        let (rig, motions) = rig(seed * 7919 + 13);
        let wanted: Vec<DVec3> = (0..rig.bind.len())
            .map(|vertex| {
                let joints = rig.influences.get(vertex).map(|(j, w)| (j, f64::from(w)));
                let joints: Vec<_> = joints.collect();
                let (p, total) = (
                    rig.bind[vertex].as_dvec3(),
                    joints.iter().map(|j| j.1).sum::<f64>(),
                );
                let joints: Vec<_> = joints.into_iter().map(|(j, w)| (j, w / total)).collect();
                let wanted = by_formula(&motions, &joints, p);
                worst_as_printed =
                    worst_as_printed.max(as_printed(&motions, &joints, p).distance(wanted));
                wanted
            })
            .collect();
        let low = wanted.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = wanted.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let extent = (high - low).max_element();
        for (way, found) in rig.skinned(&rig.pose).iter().enumerate() {
            for (vertex, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
                let off = found.as_dvec3().distance(*wanted) / extent;
                assert!(
                    off < 2e-6,
                    "seed {seed}, way {way}, vertex {vertex}: {off} of the extent"
                );
            }
        }
    }
    assert!(
        worst_as_printed > 1.0,
        "the printed method is off by {worst_as_printed}"
    );
}
