//! Found joints do not depend on unit, axes, handedness, order of vertices or density of the mesh.

use crate::find_truth::made::{animal, person};
use crate::find_truth::{Bare, Found, Pose, Truth, find, mannequin};
use glam::{Mat3, Vec3};
use proptest::prelude::*;
use sinew_samples::bodies::{Beast, Build, Gait, Stance};
use std::collections::HashMap;

/// Max movement of a joint, in percent of the height.
const STILL: f32 = 0.3;
/// The same with half of the vertices.
const COARSE: f32 = 1.5;
/// Least number of vertices of a mesh that is made coarse.
const DENSE: usize = 5000;

fn is_soak() -> bool {
    std::env::var_os("SINEW_SOAK").is_some()
}

/// The 24 rotations of the axes.
fn rotations() -> Vec<Mat3> {
    let mut rotations = Vec::new();
    for axes in [
        [0, 1, 2],
        [1, 2, 0],
        [2, 0, 1],
        [0, 2, 1],
        [2, 1, 0],
        [1, 0, 2],
    ] {
        for signs in 0..8 {
            let column = |k: usize| {
                let sign = if signs >> k & 1 == 0 { 1.0 } else { -1.0 };
                sign * Vec3::AXES[axes[k]]
            };
            let map = Mat3::from_cols(column(0), column(1), column(2));
            if map.determinant() > 0.0 {
                rotations.push(map);
            }
        }
    }
    rotations
}

fn found(bare: &Bare) -> Found {
    find(&bare.positions, &bare.triangles).expect("a body is found")
}

/// Bare mesh that a map moves. A mirror keeps the surface outward.
fn moved(bare: &Bare, map: &Mat3) -> Bare {
    let turned = |[a, b, c]: [u32; 3]| {
        if map.determinant() < 0.0 {
            [a, c, b]
        } else {
            [a, b, c]
        }
    };
    Bare {
        positions: bare.positions.iter().map(|p| *map * *p).collect(),
        triangles: bare.triangles.iter().map(|t| turned(*t)).collect(),
        heaviest: Vec::new(),
    }
}

fn other_side(name: &str) -> String {
    match (name.strip_prefix("left_"), name.strip_prefix("right_")) {
        (Some(part), _) => format!("right_{part}"),
        (_, Some(part)) => format!("left_{part}"),
        _ => name.to_owned(),
    }
}

/// Checks that joints found in another mesh are `map` of the joints found in this one.
fn check(truth: &Truth, here: &Found, there: &Found, map: &Mat3, most: f32, what: &str) {
    let is_mirror = map.determinant() < 0.0;
    let size = map.col(0).length() * truth.height;
    assert_eq!(here.body, there.body, "{}, {what}", truth.name);
    let (mut worst, mut at) = (0.0_f32, "");
    for (name, place) in &here.joints {
        let other = if is_mirror {
            other_side(name)
        } else {
            name.clone()
        };
        // Fingers may be found in one only.
        let Some(moved) = there.joints.get(&other) else {
            continue;
        };
        let away = moved.distance(*map * *place) * 100.0 / size;
        if away > worst {
            (worst, at) = (away, name);
        }
    }
    println!("{}, {what}: {worst:.3} % at {at}", truth.name);
    assert!(worst <= most, "{}, {what}: {worst} % at {at}", truth.name);
}

fn bodies() -> Vec<Truth> {
    vec![
        person(&Build::AVERAGE, Stance::A),
        person(&Build::all()[9], Stance::Stride),
        animal(&Beast::all()[2], Gait::Standing),
    ]
}

#[test]
fn joints_turn_with_the_axes_and_grow_with_the_unit() {
    for truth in bodies() {
        let bare = truth.posed(Pose::Rest).bare;
        let here = found(&bare);
        let step = if is_soak() { 1 } else { 5 };
        for (k, rotation) in rotations().into_iter().enumerate().step_by(step) {
            let unit = [0.01, 1.0, 100.0, 1000.0][k % 4];
            let map = rotation * unit;
            let what = format!("rotation {k}, unit {unit}");
            check(
                &truth,
                &here,
                &found(&moved(&bare, &map)),
                &map,
                STILL,
                &what,
            );
        }
    }
}

#[test]
fn a_mirror_exchanges_left_and_right() {
    for truth in bodies() {
        let bare = truth.posed(Pose::Rest).bare;
        let map = Mat3::from_diagonal(Vec3::new(-1.0, 1.0, 1.0));
        let there = found(&moved(&bare, &map));
        check(&truth, &found(&bare), &there, &map, STILL, "mirrored");
    }
}

#[test]
fn joints_stay_when_triangles_are_divided() {
    for truth in bodies() {
        let bare = truth.posed(Pose::Rest).bare;
        let there = found(&divided(&bare));
        check(
            &truth,
            &found(&bare),
            &there,
            &Mat3::IDENTITY,
            STILL,
            "divided",
        );
    }
}

#[test]
fn joints_hardly_move_on_half_of_the_vertices() {
    let mut truths = vec![mannequin()];
    if is_soak() {
        truths.extend(bodies());
    }
    for truth in truths {
        let bare = truth.posed(Pose::Rest).bare;
        let bare = if bare.positions.len() < DENSE {
            divided(&bare)
        } else {
            bare
        };
        let half = coarse(&bare);
        let what = format!(
            "{} of {} vertices",
            half.positions.len(),
            bare.positions.len()
        );
        let (here, there) = (found(&bare), found(&half));
        check(&truth, &here, &there, &Mat3::IDENTITY, COARSE, &what);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if is_soak() { 24 } else { 2 }))]

    #[test]
    fn the_order_of_vertices_and_triangles_does_not_matter(
        which in 0..3_usize,
        step in prop::sample::select(vec![7_usize, 11, 101, 997]),
        axes in 0..24_usize,
    ) {
        let bodies = bodies();
        let truth = &bodies[which];
        let bare = truth.posed(Pose::Rest).bare;
        let map = rotations()[axes];
        let there = found(&shuffled(&moved(&bare, &map), step));
        check(truth, &found(&bare), &there, &map, STILL, "shuffled");
    }
}

/// Mesh with vertices and triangles in another order. The step should be prime.
fn shuffled(bare: &Bare, step: usize) -> Bare {
    let order = |count: usize| {
        let step = if count.is_multiple_of(step) { 1 } else { step };
        (0..count).map(move |k| k * step % count)
    };
    let new: Vec<usize> = order(bare.positions.len()).collect();
    let mut positions = vec![Vec3::ZERO; new.len()];
    for (old, &new) in new.iter().enumerate() {
        positions[new] = bare.positions[old];
    }
    let triangle = |k: usize| {
        let [a, b, c] = bare.triangles[k].map(|v| new[v as usize] as u32);
        [b, c, a]
    };
    Bare {
        positions,
        triangles: order(bare.triangles.len()).map(triangle).collect(),
        heaviest: Vec::new(),
    }
}

/// Mesh with four triangles instead of each.
fn divided(bare: &Bare) -> Bare {
    let mut positions = bare.positions.clone();
    let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
    let mut triangles = Vec::new();
    for &[a, b, c] in &bare.triangles {
        let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[from, to]| {
            *middles
                .entry([from.min(to), from.max(to)])
                .or_insert_with(|| {
                    positions.push(0.5 * (positions[from as usize] + positions[to as usize]));
                    positions.len() as u32 - 1
                })
        });
        triangles.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
    }
    Bare {
        positions,
        triangles,
        heaviest: Vec::new(),
    }
}

/// Mesh with half of the vertices: short edges become points, in rounds of edges without a common
/// vertex. Vertices at one position are one, so that the surface keeps together.
fn coarse(bare: &Bare) -> Bare {
    let mut first = HashMap::new();
    let bits = |p: &Vec3| p.to_array().map(f32::to_bits);
    let vertices = (0..).zip(&bare.positions);
    let into: Vec<u32> = vertices
        .map(|(v, p)| *first.entry(bits(p)).or_insert(v))
        .collect();
    let mut mesh = packed(bare, &into);
    let goal = mesh.positions.len() / 2;
    while mesh.positions.len() > goal {
        let length = |[a, b]: &[u32; 2]| {
            mesh.positions[*a as usize].distance_squared(mesh.positions[*b as usize])
        };
        let edges = mesh.triangles.iter();
        let mut edges: Vec<[u32; 2]> = edges
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect();
        edges.sort_by(|a, b| length(a).total_cmp(&length(b)).then(a.cmp(b)));
        edges.dedup();
        let mut into: Vec<u32> = (0..mesh.positions.len() as u32).collect();
        let mut is_free = vec![true; into.len()];
        let most = (mesh.positions.len() - goal).min(into.len() / 8 + 1);
        let mut merged = 0;
        for [a, b] in edges {
            if merged < most && is_free[a as usize] && is_free[b as usize] {
                (is_free[a as usize], is_free[b as usize]) = (false, false);
                let middle = mesh.positions[a as usize].midpoint(mesh.positions[b as usize]);
                mesh.positions[a as usize] = middle;
                into[b as usize] = a;
                merged += 1;
            }
        }
        if merged == 0 {
            break;
        }
        mesh = packed(&mesh, &into);
    }
    mesh
}

/// Mesh without the vertices that became others, and without triangles that became edges.
fn packed(mesh: &Bare, into: &[u32]) -> Bare {
    let mut numbers = vec![0; into.len()];
    let mut positions = Vec::new();
    for (old, &new) in into.iter().enumerate() {
        if old as u32 == new {
            numbers[old] = positions.len() as u32;
            positions.push(mesh.positions[old]);
        }
    }
    let triangles = mesh.triangles.iter();
    let triangles = triangles.map(|t| t.map(|v| numbers[into[v as usize] as usize]));
    Bare {
        positions,
        triangles: triangles
            .filter(|[a, b, c]| a != b && b != c && c != a)
            .collect(),
        heaviest: Vec::new(),
    }
}
