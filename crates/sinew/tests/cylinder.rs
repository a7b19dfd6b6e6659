//! Twist and bend of a cylinder with each method, compared with numbers from other programs.

use glam::Vec3;
use sinew::mesh::shapes::bend_test_cylinder;
use sinew::mesh::volume;
use sinew::skin::{DualQuatPalette, Palette, Vertices, VerticesMut, dual_quat, linear};
use sinew::transform::Axis;
use sinew::{
    Affine, Influences, Joint, LocalPose, ModelPose, Primitive, Skeleton, Skin, Transform,
};

const SECTORS: usize = 64;
const RADIUS: f64 = 0.5;
const STEP_DEG: f64 = 0.1;

fn true_motion() -> f64 {
    2.0 * RADIUS * (STEP_DEG / 2.0).to_radians().sin()
}

fn turn(axis: Axis, degrees: f64) -> glam::Quat {
    let (s, c) = (degrees.to_radians() / 2.0).sin_cos();
    let v = axis.vector() * s as f32;
    glam::Quat::from_xyzw(v.x, v.y, v.z, c as f32)
}

fn chain(places: &[f32]) -> Skeleton {
    let joints = places.iter().enumerate().map(|(joint, x)| {
        let before = joint.checked_sub(1).map_or(0.0, |p| places[p]);
        let rest = Transform::from_translation(Vec3::X * (x - before));
        Joint::new(joint.to_string(), joint.checked_sub(1), rest)
    });
    Skeleton::new(joints.collect()).unwrap().0
}

fn posed(skeleton: &Skeleton, local: &LocalPose) -> ModelPose {
    let mut pose = ModelPose::identity(skeleton.len());
    pose.update(skeleton.hierarchy(), local, &Affine::IDENTITY)
        .expect("of this skeleton");
    pose
}

struct Skinned {
    linear: Vec<Vec3>,
    dual_quat: Vec<Vec3>,
}

fn skinned(cylinder: &Primitive, axis: Axis, degrees: f64) -> Skinned {
    let skeleton = chain(&[0.0, 0.0]);
    let skin = Skin::bound_at(skeleton.rest_model().as_slice());
    let mut local = skeleton.rest().clone();
    local.set_rotation(1, turn(axis, degrees));
    let pose = posed(&skeleton, &local);
    let bind = Vertices {
        positions: &cylinder.positions,
        normals: None,
        tangents: None,
    };
    let influences = cylinder.influences.as_ref().unwrap();
    let mut result = Skinned {
        linear: cylinder.positions.to_vec(),
        dual_quat: cylinder.positions.to_vec(),
    };
    let out = |positions| VerticesMut {
        positions,
        normals: None,
        tangents: None,
    };
    let mut palette = Palette::default();
    palette
        .update(&skin, pose.as_slice())
        .expect("of this skeleton");
    let mut into = out(&mut result.linear);
    linear(palette.as_slice(), influences, &bind, &mut into).unwrap();
    let mut palette = DualQuatPalette::new(
        skeleton.hierarchy(),
        skeleton.rest_model().as_slice(),
        &skin,
    )
    .expect("of this skeleton");
    palette.update(pose.as_slice()).expect("of this skeleton");
    let mut into = out(&mut result.dual_quat);
    dual_quat(&palette, influences, &bind, &mut into).unwrap();
    result
}

/// Min over the rings of the mean distance from the centre of the ring, relative to the radius.
fn min_ring_radius(positions: &[Vec3]) -> f64 {
    let rings = positions[..SECTORS * 64].chunks_exact(SECTORS);
    let radius = |ring: &[Vec3]| {
        let points = ring.iter().map(|p| p.as_dvec3());
        let middle = points.clone().sum::<glam::DVec3>() / SECTORS as f64;
        points.map(|p| p.distance(middle)).sum::<f64>() / SECTORS as f64 / RADIUS
    };
    rings.map(radius).fold(f64::INFINITY, f64::min)
}

/// Axis and angle. Relative volume and min ring radius, for linear and for dual quaternion
/// skinning, which is ambiguous at 180°.
type Row = (Axis, f64, [f64; 2], Option<[f64; 2]>);

const TABLE: [Row; 13] = [
    (Axis::X, 0.0, [1.0, 1.0], Some([1.0, 1.0])),
    (Axis::X, 45.0, [0.951313, 0.923959], Some([1.000153, 1.0])),
    (Axis::X, 90.0, [0.833405, 0.707463], Some([1.000203, 1.0])),
    (Axis::X, 135.0, [0.715345, 0.383806], Some([1.000144, 1.0])),
    (Axis::X, 150.0, [0.688775, 0.260629], Some([1.000097, 1.0])),
    (Axis::X, 170.0, [0.668871, 0.092716], Some([1.000011, 1.0])),
    (Axis::X, 179.0, [0.666321, 0.032922], Some([0.999962, 1.0])),
    (Axis::X, 180.0, [0.666291, 0.031746], None),
    (Axis::Z, 0.0, [1.0, 1.0], Some([1.0, 1.0])),
    (Axis::Z, 45.0, [0.975516, 0.962355], Some([0.999923, 1.0])),
    (Axis::Z, 90.0, [0.916407, 0.860008], Some([0.999692, 1.0])),
    (Axis::Z, 120.0, [0.874610, 0.771285], Some([0.999448, 1.0])),
    (Axis::Z, 135.0, [0.857297, 0.726649], Some([0.999298, 1.0])),
];

#[test]
fn volumes_and_radii_of_a_twisted_and_a_bent_cylinder() {
    let cylinder = bend_test_cylinder();
    let whole = volume(&cylinder.positions, cylinder.triangles());
    assert!((whole - 3.136_548_490_546).abs() < 1e-5, "{whole}");
    for (axis, degrees, by_linear, by_dual_quat) in TABLE {
        let found = skinned(&cylinder, axis, degrees);
        let check = |what: &str, positions: &[Vec3], [size, radius]: [f64; 2]| {
            let ratio = volume(positions, cylinder.triangles()) / whole;
            let off = (ratio - size).abs();
            assert!(off < 1e-5, "{what} {axis:?} {degrees}: {ratio}");
            let least = min_ring_radius(positions);
            let off = (least - radius).abs();
            assert!(off < 1e-5, "{what} {axis:?} {degrees}: radius {least}");
        };
        check("linear", &found.linear, by_linear);
        if let Some(wanted) = by_dual_quat {
            check("dual quaternion", &found.dual_quat, wanted);
        }
    }
}

fn one_a_ring(cylinder: &Primitive) -> (Vec<Vec3>, Influences) {
    let influences = cylinder.influences.as_ref().unwrap();
    let picked: Vec<usize> = (0..64).map(|ring| ring * SECTORS).collect();
    let positions = picked.iter().map(|&v| cylinder.positions[v]).collect();
    let lists: Vec<Vec<(u16, f32)>> = picked
        .iter()
        .map(|&v| influences.get(v).map(|(j, w)| (j as u16, w)).collect())
        .collect();
    (positions, Influences::from_lists(&lists, 2).unwrap().0)
}

fn blended(palette: &DualQuatPalette, influences: &Influences, bind: &[Vec3], out: &mut [Vec3]) {
    let bind = Vertices {
        positions: bind,
        normals: None,
        tangents: None,
    };
    let mut out = VerticesMut {
        positions: out,
        normals: None,
        tangents: None,
    };
    dual_quat(palette, influences, &bind, &mut out).unwrap();
}

#[test]
fn from_matrices_alone_a_full_sweep_jumps_four_times_by_a_known_distance() {
    let (bind, influences) = one_a_ring(&bend_test_cylinder());
    let (mut before, mut now) = (bind.clone(), bind.clone());
    let mut jumps = Vec::new();
    for step in 0..14_400 {
        let degrees = -719.95 + STEP_DEG * f64::from(step);
        let map = Transform::from_rotation(turn(Axis::X, degrees)).to_affine();
        let palette = DualQuatPalette::from_matrices(&[Affine::IDENTITY, map], &[Vec3::ZERO; 2])
            .expect("of this skeleton");
        blended(&palette, &influences, &bind, &mut now);
        let moved = || {
            before
                .iter()
                .zip(&now)
                .map(|(a, b)| a.as_dvec3().distance(b.as_dvec3()))
        };
        if step > 0 && moved().any(|m| m > 1.01 * true_motion()) {
            jumps.push((degrees - STEP_DEG / 2.0).round());
            for (ring, moved) in moved().enumerate() {
                let w = ((f64::from(bind[ring].x) + 1.0) / 2.0).clamp(0.0, 1.0);
                let known = 4.0 * RADIUS * w * (1.0 - w) / (w * w + (1.0 - w) * (1.0 - w));
                let off = (moved - known).abs();
                assert!(
                    off < 1.01 * true_motion(),
                    "ring {ring}: {moved}, not {known}"
                );
            }
        }
        std::mem::swap(&mut before, &mut now);
    }
    assert_eq!(jumps, [-540.0, -180.0, 180.0, 540.0]);
}

#[test]
fn with_signs_from_the_pose_a_chain_turns_smoothly_up_to_half_a_turn_each() {
    let places = [-0.5, 0.5, 1.5, 2.5];
    let skeleton = chain(&places);
    let skin = Skin::bound_at(skeleton.rest_model().as_slice());
    let bind: Vec<Vec3> = (0..=50)
        .map(|ring| Vec3::new(-1.0 + 0.1 * ring as f32, RADIUS as f32, 0.0))
        .collect();
    for spread in [0.4_f32, 0.5, 0.6, 0.7] {
        let weight = |x: f32, place: f32| (-((x - place) / spread).powi(2) / 2.0).exp();
        let lists: Vec<Vec<(u16, f32)>> = bind
            .iter()
            .map(|p| (0..4).map(|j| (j as u16, weight(p.x, places[j]))).collect())
            .collect();
        let influences = Influences::from_lists(&lists, 4).unwrap().0;
        let mut palette = DualQuatPalette::new(
            skeleton.hierarchy(),
            skeleton.rest_model().as_slice(),
            &skin,
        )
        .expect("of this skeleton");
        let (mut before, mut now) = (bind.clone(), bind.clone());
        let mut local = skeleton.rest().clone();
        let mut worst = 0.0_f64;
        for step in 0..=3580 {
            let degrees = -179.0 + STEP_DEG * f64::from(step);
            for joint in 1..4 {
                local.set_rotation(joint, turn(Axis::X, degrees));
            }
            palette
                .update(posed(&skeleton, &local).as_slice())
                .expect("of this skeleton");
            blended(&palette, &influences, &bind, &mut now);
            if step > 0 {
                let moved = before
                    .iter()
                    .zip(&now)
                    .map(|(a, b)| a.as_dvec3().distance(b.as_dvec3()));
                worst = moved.fold(worst, f64::max);
            }
            std::mem::swap(&mut before, &mut now);
        }
        // Three joints rotate, so the end rotates three times as fast.
        let limit = 1.01 * 3.0 * true_motion();
        assert!(
            worst <= limit,
            "spread {spread}: a step of {worst}, not {limit}"
        );
        assert!(
            worst > 2.9 * true_motion(),
            "spread {spread}: it does rotate"
        );
    }
}

/// Normal from the gradient of the whole map. The slope of the weights is 1/2 per unit of x.
fn exact_normal(p: Vec3, normal: Vec3, turned: &Affine) -> Vec3 {
    let w = ((p.x + 1.0) / 2.0).clamp(0.0, 1.0);
    let slope = if p.x.abs() < 1.0 { 0.5 } else { 0.0 };
    let mut gradient = Affine::ZERO;
    gradient.add_scaled(&Affine::IDENTITY, 1.0 - w);
    gradient.add_scaled(turned, w);
    let apart = turned.transform_point(p) - p;
    for (row, apart) in gradient.rows.iter_mut().zip(apart.to_array()) {
        row[0] += apart * slope;
    }
    gradient.transform_area(normal).normalize()
}

#[test]
fn normals_without_the_gradient_of_the_weights_are_off_on_a_bend() {
    let cylinder = bend_test_cylinder();
    let turned = Transform::from_rotation(turn(Axis::Z, 90.0)).to_affine();
    let normals: Vec<Vec3> = cylinder
        .positions
        .iter()
        .map(|p| Vec3::new(0.0, p.y, p.z).normalize_or(Vec3::X))
        .collect();
    let (mut positions, mut found) = (cylinder.positions.to_vec(), normals.clone());
    let bind = Vertices {
        positions: &cylinder.positions,
        normals: Some(&normals),
        tangents: None,
    };
    let mut out = VerticesMut {
        positions: &mut positions,
        normals: Some(&mut found),
        tangents: None,
    };
    let influences = cylinder.influences.as_ref().unwrap();
    linear(&[Affine::IDENTITY, turned], influences, &bind, &mut out).unwrap();
    let off = |normal: &dyn Fn(usize) -> Vec3| {
        let side = SECTORS..63 * SECTORS;
        let (mut sum, mut worst) = (0.0, 0.0_f64);
        for v in side.clone() {
            let exact = exact_normal(cylinder.positions[v], normals[v], &turned);
            let angle = f64::from(normal(v).angle_between(exact)).to_degrees();
            sum += angle;
            worst = worst.max(angle);
        }
        (sum / side.len() as f64, worst)
    };
    let (mean, worst) = off(&|v| {
        let weights = influences.get(v);
        weights.fold(Vec3::ZERO, |sum, (joint, w)| {
            let map = [Affine::IDENTITY, turned][joint];
            sum + map.transform_vector(normals[v]) * w
        })
    });
    assert!((mean - 8.1).abs() < 0.05, "mean {mean}");
    assert!((worst - 36.8).abs() < 0.05, "worst {worst}");
    // Cofactors of the blended map are closer, but still approximate.
    let (our_mean, our_worst) = off(&|v| found[v]);
    assert!((our_mean - 6.1).abs() < 0.05, "mean {our_mean}");
    assert!((our_worst - 36.8).abs() < 0.05, "worst {our_worst}");
}
