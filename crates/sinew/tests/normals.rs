use glam::{Quat, Vec3};
use sinew::mesh::{Weld, shapes};
use sinew::skin::{
    DualQuatPalette, SkinError, Vertices, VerticesMut, WeightGradients, dual_quat,
    exact_normals_dual_quat, exact_normals_linear, linear, mesh_normals,
};
use sinew::transform::{Axis, quat};
use sinew::{Affine, Influences, Primitive, Transform};
use std::sync::Arc;

const RINGS: usize = 64;
const SECTORS: usize = 64;

fn influences(lists: &[Vec<(u16, f32)>]) -> Influences {
    Influences::from_lists(lists, 64).unwrap().0
}

fn input(primitive: &Primitive) -> Vertices<'_> {
    Vertices {
        positions: &primitive.positions,
        normals: primitive.normals.as_ref().map(|n| n.as_slice()),
        tangents: None,
    }
}

fn shared(second: f32) -> Vec<(u16, f32)> {
    vec![(0, 1.0 - second), (1, second)]
}

#[test]
fn what_exact_normals_refuse_before_touching_the_output() {
    let weights = influences(&[shared(0.5), shared(0.5)]);
    let palette = [Affine::IDENTITY; 2];
    let gradients = WeightGradients::new(&weights, vec![Vec3::ZERO; 4]).unwrap();
    let others = WeightGradients::default();
    let (positions, normals) = ([Vec3::X; 2], [Vec3::Y; 2]);
    let good = Vertices {
        positions: &positions,
        normals: Some(&normals),
        tangents: None,
    };
    let without = Vertices {
        normals: None,
        ..good
    };
    let short = Vertices {
        normals: Some(&normals[..1]),
        ..good
    };
    let length = |what, found| SkinError::Length {
        what,
        found,
        expected: 2,
    };
    let no_such_joint = SkinError::NoSuchJoint { joint: 1, len: 1 };
    let foreign = SkinError::Gradients {
        found: 0,
        expected: 4,
    };
    let missing = SkinError::Missing { what: "normals" };
    let cases: [(&[Affine], &WeightGradients, &Vertices<'_>, usize, SkinError); 5] = [
        (&palette, &gradients, &without, 2, missing),
        (
            &palette,
            &gradients,
            &short,
            2,
            length("the normal stream", 1),
        ),
        (
            &palette,
            &gradients,
            &good,
            1,
            length("the normal output", 1),
        ),
        (&palette, &others, &good, 2, foreign),
        (&palette[..1], &gradients, &good, 2, no_such_joint),
    ];
    for (palette, gradients, bind, out_len, error) in cases {
        let mut out = vec![Vec3::ONE; out_len];
        let refused = exact_normals_linear(palette, &weights, gradients, bind, &mut out);
        assert_eq!(refused, Err(error));
        let duals = DualQuatPalette::from_matrices(palette, &vec![Vec3::ZERO; palette.len()])
            .expect("of this skeleton");
        let refused = exact_normals_dual_quat(&duals, &weights, gradients, bind, &mut out);
        assert_eq!(refused, Err(error));
        assert!(out.iter().all(|n| *n == Vec3::ONE));
    }
    assert_eq!(WeightGradients::new(&weights, vec![]), Err(foreign));
    let cube = shapes::cuboid(Vec3::ONE);
    assert!(WeightGradients::estimate(&cube.vertices(), cube.triangles(), &weights).is_err());
    let weld = Weld::by_position(&positions);
    let refused = mesh_normals(
        &weld,
        std::iter::empty(),
        &positions,
        &normals,
        &mut [Vec3::ONE],
    );
    assert_eq!(refused, Err(length("the normal output", 1)));
}

/// Weight of the second joint along x, and its derivative.
#[derive(Clone, Copy)]
struct Ramp {
    is_smooth: bool,
}

impl Ramp {
    fn weight(self, x: f32) -> f32 {
        let u = ((x + 1.0) / 2.0).clamp(0.0, 1.0);
        if self.is_smooth {
            u * u * (3.0 - 2.0 * u)
        } else {
            u
        }
    }

    fn slope(self, x: f32) -> f32 {
        let u = (x + 1.0) / 2.0;
        match (0.0..=1.0).contains(&u) {
            true if self.is_smooth => 3.0 * u * (1.0 - u),
            true => 0.5,
            false => 0.0,
        }
    }

    fn cylinder(self) -> Primitive {
        let cylinder = shapes::bend_test_cylinder();
        let lists: Vec<_> = cylinder
            .positions
            .iter()
            .map(|p| shared(self.weight(p.x)))
            .collect();
        Primitive {
            influences: Some(Arc::new(influences(&lists))),
            ..cylinder
        }
    }

    fn gradients(self, cylinder: &Primitive) -> WeightGradients {
        let influences = cylinder.influences.as_ref().unwrap();
        let signed = |p: &Vec3, joint| Vec3::X * self.slope(p.x) * [-1.0, 1.0][joint];
        let gradients = cylinder.positions.iter().enumerate().flat_map(|(v, p)| {
            let one = influences.get(v).len() == 1;
            influences
                .get(v)
                .map(move |(joint, _)| if one { Vec3::ZERO } else { signed(p, joint) })
        });
        WeightGradients::new(influences, gradients.collect()).unwrap()
    }
}

fn bend() -> [Affine; 2] {
    let turn = Transform::from_rotation(Axis::Z.rotation(90.0_f32.to_radians()));
    [Affine::IDENTITY, turn.to_affine()]
}

/// Mean and max angle in degrees on the side without its rims, for rings that `pick` accepts.
fn error_deg(normals: &[Vec3], truth: &[Vec3], pick: impl Fn(usize) -> bool) -> (f64, f64) {
    let rings = (1..RINGS - 1).filter(|&ring| pick(ring));
    let side: Vec<usize> = rings.flat_map(|r| r * SECTORS..(r + 1) * SECTORS).collect();
    let degrees = |v: &usize| {
        let (a, b) = (normals[*v].as_dvec3(), truth[*v].as_dvec3());
        a.cross(b).length().atan2(a.dot(b)).to_degrees()
    };
    let mean = side.iter().map(degrees).sum::<f64>() / side.len() as f64;
    (mean, side.iter().map(degrees).fold(0.0, f64::max))
}

fn is_kink(ring: usize) -> bool {
    [15, 16, 47, 48].contains(&ring)
}

struct Bent {
    truth: Vec<Vec3>,
    rotated: Vec<Vec3>,
    approximate: Vec<Vec3>,
    exact: Vec<Vec3>,
    of_mesh: Vec<Vec3>,
}

fn bent(ramp: Ramp) -> Bent {
    let cylinder = ramp.cylinder();
    let influences = cylinder.influences.as_ref().unwrap();
    let (palette, bind) = (bend(), input(&cylinder));
    let blank = || vec![Vec3::ZERO; cylinder.len()];
    let (mut positions, mut approximate) = (blank(), blank());
    let mut out = VerticesMut {
        positions: &mut positions,
        normals: Some(&mut approximate),
        tangents: None,
    };
    linear(&palette, influences, &bind, &mut out).unwrap();
    let exact = |gradients: &WeightGradients| {
        let mut normals = blank();
        exact_normals_linear(&palette, influences, gradients, &bind, &mut normals).unwrap();
        normals
    };
    let mut of_mesh = blank();
    let weld = Weld::smooth(&cylinder.positions, bind.normals);
    mesh_normals(
        &weld,
        cylinder.triangles(),
        &positions,
        &blank(),
        &mut of_mesh,
    )
    .unwrap();
    let rotated = (0..cylinder.len()).map(|v| {
        let parts = influences
            .get(v)
            .map(|(j, w)| palette[j].transform_vector(bind.normals.unwrap()[v]) * w);
        parts.sum::<Vec3>()
    });
    Bent {
        truth: exact(&ramp.gradients(&cylinder)),
        exact: exact(
            &WeightGradients::estimate(&cylinder.vertices(), cylinder.triangles(), influences)
                .unwrap(),
        ),
        rotated: rotated.collect(),
        approximate,
        of_mesh,
    }
}

#[test]
fn normals_of_the_bent_cylinder_with_linear_weights() {
    let bent = bent(Ramp { is_smooth: false });
    let (mean, worst) = error_deg(&bent.rotated, &bent.truth, |_| true);
    assert!(
        (mean - 8.08).abs() < 0.01 && (worst - 36.84).abs() < 0.01,
        "{mean} {worst}"
    );
    let (mean, worst) = error_deg(&bent.approximate, &bent.truth, |_| true);
    assert!(
        (mean - 6.09).abs() < 0.01 && (worst - 36.84).abs() < 0.01,
        "{mean} {worst}"
    );
    let (_, worst) = error_deg(&bent.exact, &bent.truth, |ring| !is_kink(ring));
    assert!(worst < 0.01, "{worst}");
    let (_, worst) = error_deg(&bent.exact, &bent.truth, is_kink);
    assert!(worst < 9.1, "{worst}");
    let (mean, worst) = error_deg(&bent.of_mesh, &bent.truth, |ring| !is_kink(ring));
    assert!(mean < 0.05 && worst < 0.3, "{mean} {worst}");
}

#[test]
fn normals_of_the_bent_cylinder_with_smooth_weights() {
    let bent = bent(Ramp { is_smooth: true });
    let (_, worst) = error_deg(&bent.approximate, &bent.truth, |_| true);
    assert!((worst - 47.85).abs() < 0.05, "{worst}");
    let (mean, worst) = error_deg(&bent.exact, &bent.truth, |ring| !is_kink(ring));
    assert!(mean < 0.02 && worst < 0.2, "{mean} {worst}");
    let (_, worst) = error_deg(&bent.exact, &bent.truth, is_kink);
    assert!(worst < 1.1, "{worst}");
    let (mean, worst) = error_deg(&bent.of_mesh, &bent.truth, |_| true);
    assert!(mean < 0.1 && worst < 2.5, "{mean} {worst}");
}

fn field(p: Vec3) -> (Vec<(u16, f32)>, Vec<Vec3>) {
    let w1 = 0.3 + 0.1 * p.x - 0.05 * p.y;
    let w2 = 0.3 + 0.08 * p.y + 0.1 * p.z * p.x;
    let g1 = Vec3::new(0.1, -0.05, 0.0);
    let g2 = Vec3::new(0.1 * p.z, 0.08, 0.1 * p.x);
    (
        vec![(0, 1.0 - w1 - w2), (1, w1), (2, w2)],
        vec![-g1 - g2, g1, g2],
    )
}

fn stirred() -> ([Affine; 3], [Vec3; 3]) {
    let turn = |x, y, z, degrees: f32| {
        let axis = Vec3::new(x, y, z).normalize();
        Transform::from_rotation(quat::from_axis_angle(axis, degrees.to_radians())).to_affine()
    };
    let stretch = |s: Vec3| {
        let scale = Transform {
            scale: s,
            ..Transform::IDENTITY
        };
        scale.to_affine()
    };
    let about = |at: Vec3, map: Affine, to: Vec3| {
        Affine::from_translation(to) * map * Affine::from_translation(-at)
    };
    let pivots = [Vec3::ZERO, Vec3::X, Vec3::new(0.5, 1.0, 0.0)];
    let far = Vec3::new(20.0, -5.0, 3.0);
    let palette = [
        about(pivots[0], turn(1.0, 0.2, 0.0, 40.0), far),
        about(pivots[1], turn(0.0, 1.0, 0.5, -70.0), far + Vec3::X),
        about(
            pivots[2],
            turn(0.3, 0.2, 1.0, 80.0) * stretch(Vec3::new(1.5, 0.8, 1.0)),
            far + Vec3::Y,
        ),
    ];
    (palette, pivots)
}

fn normal_by_differences(moved: impl Fn(Vec3) -> Vec3, p: Vec3, normal: Vec3) -> Vec3 {
    const STEP: f32 = 0.02;
    let u = normal.any_orthonormal_vector();
    let v = normal.cross(u);
    let along = |d: Vec3| moved(p + d * STEP) - moved(p - d * STEP);
    along(u).cross(along(v)).normalize()
}

#[test]
fn exact_normals_are_those_of_the_moved_surface() {
    let (palette, pivots) = stirred();
    let duals = DualQuatPalette::from_matrices(&palette, &pivots).expect("of this skeleton");
    let with_weights = |p: Vec3, by_duals: bool| {
        let weights = influences(&[field(p).0]);
        let bind = Vertices {
            positions: &[p],
            normals: None,
            tangents: None,
        };
        let mut positions = [Vec3::ZERO];
        let mut out = VerticesMut {
            positions: &mut positions,
            normals: None,
            tangents: None,
        };
        match by_duals {
            true => dual_quat(&duals, &weights, &bind, &mut out),
            false => linear(&palette, &weights, &bind, &mut out),
        }
        .unwrap();
        positions[0]
    };
    for (p, normal) in [
        (Vec3::new(0.3, 0.4, 0.5), Vec3::new(1.0, 2.0, -1.0)),
        (Vec3::new(-0.6, 0.2, 0.1), Vec3::new(0.0, 0.1, 1.0)),
        (Vec3::new(0.9, -0.8, 0.7), Vec3::new(-1.0, 0.5, 0.3)),
    ] {
        let normal = normal.normalize();
        let (list, gradients) = field(p);
        let weights = influences(&[list]);
        let gradients = WeightGradients::new(&weights, gradients).unwrap();
        let bind = Vertices {
            positions: &[p],
            normals: Some(&[normal]),
            tangents: None,
        };
        let mut out = [Vec3::ZERO];
        exact_normals_linear(&palette, &weights, &gradients, &bind, &mut out).unwrap();
        let truth = normal_by_differences(|p| with_weights(p, false), p, normal);
        let off = out[0].angle_between(truth).to_degrees();
        assert!(off < 0.1, "linear: {off}°");
        exact_normals_dual_quat(&duals, &weights, &gradients, &bind, &mut out).unwrap();
        let truth = normal_by_differences(|p| with_weights(p, true), p, normal);
        let off = out[0].angle_between(truth).to_degrees();
        assert!(off < 0.1, "dual quaternions: {off}°");
    }
}

#[test]
fn where_motions_cancel_the_heaviest_joint_carries_the_normal() {
    let turn = |degrees: f32| {
        let rotation = Axis::X.rotation(degrees.to_radians());
        Transform::from_rotation(rotation).to_affine()
    };
    let palette = DualQuatPalette::from_matrices(&[turn(90.0), turn(-90.0)], &[Vec3::ZERO; 2])
        .expect("of this skeleton");
    let weights = influences(&[shared(0.5)]);
    let gradients = WeightGradients::new(&weights, vec![-Vec3::X, Vec3::X]).unwrap();
    let bind = Vertices {
        positions: &[Vec3::ZERO],
        normals: Some(&[Vec3::Y]),
        tangents: None,
    };
    let mut out = [Vec3::NAN];
    exact_normals_dual_quat(&palette, &weights, &gradients, &bind, &mut out).unwrap();
    assert!(out[0].is_finite() && (out[0].length() - 1.0).abs() < 1e-5);
}

fn taken_apart(primitive: &Primitive) -> Primitive {
    let corners: Vec<usize> = primitive.triangles().flatten().collect();
    let pick = |from: &Arc<Vec<Vec3>>| Arc::new(corners.iter().map(|&v| from[v]).collect());
    let lists: Vec<Vec<(u16, f32)>> = match &primitive.influences {
        Some(influences) => corners
            .iter()
            .map(|&v| influences.get(v).map(|(j, w)| (j as u16, w)).collect())
            .collect(),
        None => Vec::new(),
    };
    Primitive {
        positions: pick(&primitive.positions),
        normals: primitive.normals.as_ref().map(pick),
        influences: Some(Arc::new(influences(&lists))),
        ..Primitive::default()
    }
}

#[test]
fn seams_change_neither_gradients_nor_mesh_normals() {
    let whole = Ramp { is_smooth: true }.cylinder();
    let apart = taken_apart(&whole);
    let corners: Vec<usize> = whole.triangles().flatten().collect();
    let of = |p: &Primitive| {
        let influences = p.influences.clone().unwrap();
        let gradients =
            WeightGradients::estimate(&p.vertices(), p.triangles(), &influences).unwrap();
        let blank = vec![Vec3::ZERO; p.len()];
        let mut normals = blank.clone();
        let weld = Weld::smooth(&p.positions, p.normals.as_ref().map(|n| n.as_slice()));
        mesh_normals(&weld, p.triangles(), &p.positions, &blank, &mut normals).unwrap();
        (influences, gradients, normals)
    };
    let (whole_influences, whole_gradients, whole_normals) = of(&whole);
    let (apart_influences, apart_gradients, apart_normals) = of(&apart);
    // In the whole cylinder, the caps share a smooth rim with the side.
    for (vertex, &corner) in corners.iter().enumerate().filter(|(_, c)| **c < 4096) {
        assert!(apart_normals[vertex].distance(whole_normals[corner]) < 1e-5);
        let pair = apart_gradients
            .get(&apart_influences, vertex)
            .iter()
            .zip(whole_gradients.get(&whole_influences, corner));
        for (a, b) in pair {
            assert!(a.distance(*b) < 1e-4, "{a} {b}");
        }
    }
}

#[test]
fn hard_edges_stay_hard_and_turn_with_the_mesh() {
    let turn = Quat::from_rotation_x(0.7);
    for shape in [
        shapes::cuboid(Vec3::new(1.0, 2.0, 3.0)),
        shapes::Cylinder::default().build(),
    ] {
        let moved: Vec<Vec3> = shape.positions.iter().map(|p| turn * *p).collect();
        let bind_normals = shape.normals.as_ref().unwrap();
        let weld = Weld::smooth(&shape.positions, Some(bind_normals));
        let mut normals = vec![Vec3::ZERO; shape.len()];
        mesh_normals(&weld, shape.triangles(), &moved, bind_normals, &mut normals).unwrap();
        for (normal, bind) in normals.iter().zip(bind_normals.iter()) {
            assert!(normal.distance(turn * *bind) < 1e-3);
        }
    }
}

#[test]
fn a_vertex_without_triangles_keeps_its_normal() {
    let positions = [Vec3::ZERO, Vec3::X, Vec3::X, Vec3::Y];
    let weld = Weld::by_position(&positions);
    let (kept, mut normals) = ([Vec3::Z; 4], [Vec3::ZERO; 4]);
    let flat = [[0, 1, 2]].into_iter();
    mesh_normals(&weld, flat, &positions, &kept, &mut normals).unwrap();
    assert_eq!(normals, kept);
}
