//! Automatic weights: scale invariance, symmetry, gaps, rigid parts, corrections and adjustments.

use glam::Vec3;
use sinew::Influences;
use sinew_rig::weights::{
    Adjust, BindMethod, BindOptions, Bones, MAX_SMOOTHING, Surface, bind, bind_character,
    bind_to_skeleton,
};
use std::sync::Arc;

fn boxes(all: &[(Vec3, Vec3)]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    const STEPS: u32 = 8;
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for &(low, high) in all {
        for axis in 0..3 {
            for side in 0..2 {
                let first = positions.len() as u32;
                for i in 0..=STEPS {
                    for j in 0..=STEPS {
                        let mut at = [0.0; 3];
                        at[axis] = side as f32;
                        at[(axis + 1) % 3] = i as f32 / STEPS as f32;
                        at[(axis + 2) % 3] = j as f32 / STEPS as f32;
                        positions.push(low + (high - low) * Vec3::from_array(at));
                    }
                }
                for i in 0..STEPS {
                    for j in 0..STEPS {
                        let v = |di, dj| first + (i + di) * (STEPS + 1) + j + dj;
                        let (mut a, mut b) =
                            ([v(0, 0), v(1, 0), v(1, 1)], [v(0, 0), v(1, 1), v(0, 1)]);
                        if side == 0 {
                            a.swap(1, 2);
                            b.swap(1, 2);
                        }
                        triangles.extend([a, b]);
                    }
                }
            }
        }
    }
    (positions, triangles)
}

fn bound(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    bones: &Bones,
    method: BindMethod,
) -> Influences {
    let surface = Surface {
        positions,
        triangles,
    };
    let options = BindOptions::default().method(method);
    bind(&surface, bones, &options).unwrap()
}

fn weight(influences: &Influences, vertex: usize, joint: usize) -> f32 {
    let mut row = influences.get(vertex);
    row.find(|r| r.0 == joint).map_or(0.0, |r| r.1)
}

fn figure() -> (Vec<Vec3>, Vec<[u32; 3]>, Bones) {
    let (positions, triangles) = boxes(&[
        (Vec3::new(-0.2, 0.0, -0.1), Vec3::new(0.2, 1.0, 0.1)),
        (Vec3::new(0.26, 0.0, -0.05), Vec3::new(0.36, 0.9, 0.05)),
        (Vec3::new(-0.36, 0.0, -0.05), Vec3::new(-0.26, 0.9, 0.05)),
    ]);
    let heads = [
        [0.0, 0.1, 0.0],
        [0.0, 0.5, 0.0],
        [0.31, 0.85, 0.0],
        [0.31, 0.45, 0.0],
        [-0.31, 0.85, 0.0],
        [-0.31, 0.45, 0.0],
    ];
    let parents = vec![None, Some(0), Some(1), Some(2), Some(1), Some(4)];
    let bones = Bones::new(parents, heads.map(Vec3::from_array).to_vec());
    (positions, triangles, bones)
}

#[test]
fn a_vertex_does_not_follow_the_limb_beyond_a_gap() {
    let (positions, triangles, bones) = figure();
    // Nearer to the bone of the arm (0.11) than to the trunk bone (0.2).
    let beside = |p: &Vec3| p.x == 0.2 && p.y > 0.1 && p.y < 0.6 && p.z.abs() < 0.05;
    let vertices: Vec<usize> = (0..positions.len())
        .filter(|&v| beside(&positions[v]))
        .collect();
    assert!(!vertices.is_empty());
    let arm = |method: BindMethod| {
        let influences = bound(&positions, &triangles, &bones, method);
        let arm = |v: &usize| weight(&influences, *v, 2) + weight(&influences, *v, 3);
        vertices.iter().map(arm).fold(0.0, f32::max)
    };
    assert!(arm(BindMethod::Bezier) > 0.9, "the case is no longer hard");
    assert!(arm(BindMethod::Auto) < 0.1, "{}", arm(BindMethod::Auto));
    assert!(arm(BindMethod::Heat) < 0.1, "{}", arm(BindMethod::Heat));
}

#[test]
fn scaling_by_powers_of_ten_changes_nothing() {
    let (positions, triangles, bones) = figure();
    for method in [
        BindMethod::Auto,
        BindMethod::Bezier,
        BindMethod::BezierWide,
        BindMethod::Heat,
    ] {
        let here = bound(&positions, &triangles, &bones, method);
        for power in [-6, -4, -1, 1, 4, 6] {
            let scale = 10.0_f32.powi(power);
            let scaled: Vec<Vec3> = positions.iter().map(|&p| p * scale).collect();
            let mut large = bones.clone();
            large.heads.iter_mut().for_each(|h| *h *= scale);
            let there = bound(&scaled, &triangles, &large, method);
            for vertex in 0..here.len() {
                for joint in 0..bones.len() {
                    let change = weight(&here, vertex, joint) - weight(&there, vertex, joint);
                    assert!(
                        change.abs() < 1e-3,
                        "{method:?} 1e{power} {vertex}: {change}"
                    );
                }
            }
        }
    }
}

#[test]
fn symmetric_figures_get_symmetric_weights() {
    let (positions, triangles, bones) = figure();
    let other = [0, 1, 4, 5, 2, 3];
    for method in [
        BindMethod::Auto,
        BindMethod::Bezier,
        BindMethod::BezierWide,
        BindMethod::Heat,
    ] {
        let influences = bound(&positions, &triangles, &bones, method);
        for (vertex, p) in positions.iter().enumerate() {
            let image = Vec3::new(-p.x, p.y, p.z);
            let near = |q: &Vec3| q.distance(image) < 1e-5;
            let opposite = positions.iter().position(near).unwrap();
            for joint in 0..bones.len() {
                let here = weight(&influences, vertex, joint);
                let there = weight(&influences, opposite, other[joint]);
                assert!(
                    (here - there).abs() < 1e-4,
                    "{method:?} {p} {joint}: {here} {there}"
                );
            }
        }
    }
}

#[test]
fn flesh_of_a_thick_trunk_is_not_the_thin_limbs_whose_bones_are_nearer() {
    let leg = |x: f32| (Vec3::new(x - 0.1, -1.5, -0.1), Vec3::new(x + 0.1, 0.3, 0.1));
    let trunk = (Vec3::new(-0.4, 0.3, -0.25), Vec3::new(0.4, 1.6, 0.25));
    let (positions, triangles) = boxes(&[trunk, leg(0.3), leg(-0.3)]);
    // A spine, and legs whose first bones lead from its lower end out to the hips.
    let mut heads = vec![Vec3::new(0.0, 0.5, -0.1)];
    heads.extend([0.5, 1.0, 1.5].map(|y| Vec3::Y * y));
    for side in [1.0, -1.0] {
        heads.push(Vec3::Y * 0.5);
        heads.extend([0.45, -0.5, -1.4].map(|y| Vec3::new(0.3 * side, y, 0.0)));
    }
    let parents = [-1, 0, 1, 2, 0, 4, 5, 6, 0, 8, 9, 10].map(|p| usize::try_from(p).ok());
    let bones = Bones::new(parents.to_vec(), heads);
    // Above the hip, on the side: 0.45 from the spine, 0.42 from the hip.
    let beside = |p: &Vec3| p.distance(Vec3::new(0.4, 0.79, 0.19)) < 0.05;
    let vertex = positions.iter().position(beside).unwrap();
    let of_legs = |method: BindMethod| -> f32 {
        let influences = bound(&positions, &triangles, &bones, method);
        (4..12)
            .map(|joint| weight(&influences, vertex, joint))
            .sum()
    };
    assert!(
        of_legs(BindMethod::Bezier) > 0.9,
        "the case is no longer hard"
    );
    assert!(
        of_legs(BindMethod::Auto) < 0.3,
        "{}",
        of_legs(BindMethod::Auto)
    );
}

#[test]
fn a_figure_of_rigid_pieces_comes_out_rigid() {
    let pieces = [
        (Vec3::new(-0.1, 0.0, -0.1), Vec3::new(0.1, 0.98, 0.1)),
        (Vec3::new(-0.1, 1.02, -0.1), Vec3::new(0.1, 1.98, 0.1)),
        (Vec3::new(-0.1, 2.02, -0.1), Vec3::new(0.1, 3.0, 0.1)),
    ];
    let (positions, triangles) = boxes(&pieces);
    let heads = [0.0, 1.0, 2.0].map(|y| Vec3::Y * y).to_vec();
    let bones = Bones::new(vec![None, Some(0), Some(1)], heads);
    let influences = bound(&positions, &triangles, &bones, BindMethod::Auto);
    for (vertex, position) in positions.iter().enumerate() {
        let row: Vec<_> = influences.get(vertex).collect();
        assert_eq!(
            row,
            [(position.y.floor().min(2.0) as usize, 1.0)],
            "{position}"
        );
    }
}

#[test]
fn a_joint_that_branches_blends_with_every_bone_that_leaves_it() {
    let bones = Bones::new(
        vec![None, Some(0), Some(1), Some(1)],
        vec![
            Vec3::ZERO,
            Vec3::Y,
            Vec3::new(1.0, 2.0, 0.0),
            Vec3::new(-1.0, 2.0, 0.0),
        ],
    );
    let at = [
        Vec3::Y,
        Vec3::new(0.9, 1.9, 0.0),
        Vec3::new(-0.9, 1.9, 0.0),
        Vec3::Y * 0.1,
    ];
    for method in [BindMethod::Bezier, BindMethod::BezierWide] {
        let influences = bound(&at, &[], &bones, method);
        // Wide curves reach farther along the longer bone.
        let least = if method == BindMethod::Bezier {
            0.4999
        } else {
            0.3
        };
        assert!(weight(&influences, 0, 0) > least && weight(&influences, 0, 1) > least);
        assert!(weight(&influences, 1, 2) > 0.2 && weight(&influences, 1, 1) > 0.2);
        assert!((weight(&influences, 1, 2) - weight(&influences, 2, 3)).abs() < 1e-5);
        assert!(weight(&influences, 3, 0) > 0.8);
    }
}

fn tube() -> sinew::Character {
    let mut character = sinew_samples::tube_character();
    for mesh in &mut character.meshes {
        for primitive in &mut mesh.primitives {
            primitive.influences = None;
        }
    }
    for node in &mut character.nodes {
        node.skin = None;
    }
    character
}

#[test]
fn a_character_is_bound_to_its_own_skin_and_corrected_near_joints() {
    let mut character = tube();
    let before = character.clone();
    let bound = bind_character(&mut character, &BindOptions::default()).unwrap();
    assert!(bound.vertices > 0 && bound.joints_used > 1);
    character.check().unwrap();
    assert_eq!(
        character.meshes[0].primitives[0].positions,
        before.meshes[0].primitives[0].positions
    );
    let node = character.nodes.iter().find(|n| n.mesh.is_some()).unwrap();
    assert_eq!(node.skin, Some(bound.skin));
    // All weights are on joint 0 by mistake: corrected near joints, kept elsewhere.
    let primitive = &mut character.meshes[0].primitives[0];
    let rows = vec![vec![(0, 1.0)]; primitive.len()];
    let joints = character.skins[0].joints.len();
    let (wrong, _) = Influences::from_lists(&rows, joints).unwrap();
    primitive.influences = Some(Arc::new(wrong));
    let options = BindOptions::default()
        .correct(true)
        .method(BindMethod::Bezier);
    bind_character(&mut character, &options).unwrap();
    let corrected = character.meshes[0].primitives[0]
        .influences
        .as_ref()
        .unwrap();
    let rows = 0..corrected.len();
    let kept = rows
        .clone()
        .filter(|&v| weight(corrected, v, 0) == 1.0)
        .count();
    let changed = rows.filter(|&v| weight(corrected, v, 0) < 0.6).count();
    assert!(kept > 0 && changed > 0, "{kept} kept, {changed} changed");
}

#[test]
fn a_mesh_takes_another_characters_skeleton_where_it_stands() {
    let other = sinew_samples::tube_character();
    let mut character = tube();
    character.skins.clear();
    character.clips.clear();
    let bound = bind_to_skeleton(&mut character, &other, &BindOptions::default()).unwrap();
    character.check().unwrap();
    assert_eq!(character.skeleton, other.skeleton);
    assert!(bound.joints_used > 1);
    let deformed = sinew::deform(&character, None, 0.0, sinew::Method::Linear).unwrap();
    let rest = &other.meshes[0].primitives[0].positions;
    let moved = deformed.primitives[0].positions.iter().zip(rest.iter());
    let worst = moved.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(worst < 1e-4, "{worst}");
}

fn strip(columns: u32) -> (Vec<Vec3>, Vec<[u32; 3]>, Influences) {
    let middle = (columns / 2) as f32;
    let positions: Vec<Vec3> = (0..2 * columns)
        .map(|v| Vec3::new((v / 2) as f32 - middle, (v % 2) as f32, 0.0))
        .collect();
    let triangles = (0..2 * columns - 2).map(|v| [v, v + 1, v + 2]).collect();
    let rows: Vec<Vec<(u16, f32)>> = positions
        .iter()
        .map(|p| vec![(if p.x < 0.0 { 0 } else { 1 }, 0.9), (2, 0.1)])
        .collect();
    let (influences, _) = Influences::from_lists(&rows, 3).unwrap();
    (positions, triangles, influences)
}

#[test]
fn smoothing_ends_however_often_it_is_asked_for() {
    let (positions, triangles, influences) = strip(200);
    let smooth = |times| {
        let adjust = Adjust::new(&influences, 3).smooth(&positions, &triangles, times);
        adjust.finish().unwrap()
    };
    assert_eq!(smooth(usize::MAX), smooth(usize::from(MAX_SMOOTHING)));
    assert_ne!(smooth(255), smooth(usize::from(MAX_SMOOTHING)));
}

#[test]
fn smooth_mirror_prune_and_lock() {
    let (positions, triangles, influences) = strip(5);
    let jump = |w: &Influences| (weight(w, 2, 0) - weight(w, 4, 0)).abs();
    let smooth = Adjust::new(&influences, 3)
        .lock([2])
        .smooth(&positions, &triangles, 4);
    let smooth = smooth.finish().unwrap();
    assert!(jump(&smooth) < 0.6 * jump(&influences));
    for vertex in 0..smooth.len() {
        assert!((weight(&smooth, vertex, 2) - 0.1).abs() < 1e-5, "locked");
        let sum: f32 = smooth.get(vertex).map(|r| r.1).sum();
        assert!((sum - 1.0).abs() < 1e-5);
    }
    let swap = |joint: usize| [1, 0, 2][joint];
    let mirrored = Adjust::new(&influences, 3).mirror(&positions, 0.0, 1e-3, swap);
    let mirrored = mirrored.finish().unwrap();
    assert_eq!(weight(&mirrored, 0, 0), weight(&influences, 8, 1));
    assert_eq!(weight(&mirrored, 4, 0), weight(&mirrored, 4, 1));
    let pruned = Adjust::new(&influences, 3).prune(0.2).finish().unwrap();
    assert!(pruned.max_per_vertex() == 1 && weight(&pruned, 0, 0) == 1.0);
    let kept = Adjust::new(&influences, 3)
        .lock([2])
        .prune(0.2)
        .finish()
        .unwrap();
    assert_eq!(kept.max_per_vertex(), 2);
}
