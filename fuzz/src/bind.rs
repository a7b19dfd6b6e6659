//! Automatic weights for an arbitrary mesh and skeleton.

use crate::dice::Dice;
use glam::Vec3;
use sinew::mesh::shapes;
use sinew::{Influences, Joint, Skeleton, Skin};
use sinew_rig::weights::{
    Adjust, BindMethod, BindOptions, Bones, Surface, bind as bound, keep_heaviest,
};

/// Checks that weights are finite and not negative, and that the weights of a vertex sum to 1.
pub fn bind(bytes: &[u8]) {
    let mut dice = Dice(bytes);
    let options = BindOptions::default()
        .method(match dice.below(8) {
            0 => BindMethod::Auto,
            1 => BindMethod::Heat,
            2 | 3 => BindMethod::Bezier,
            4 | 5 => BindMethod::BezierWide,
            _ => BindMethod::Rigid,
        })
        .influences(dice.below(6))
        .correct(dice.below(4) == 0)
        .radius(None);
    let Some(bones) = bones(&mut dice) else {
        return;
    };
    let (positions, triangles) = surface(&mut dice);
    let surface = Surface {
        positions: &positions,
        triangles: &triangles,
    };
    match bound(&surface, &bones, &options) {
        Err(refusal) => assert!(!refusal.to_string().is_empty()),
        Ok(influences) => {
            let most = options.influences.max(1);
            assert_weights(&influences, positions.len(), bones.len(), most);
            let fewer = keep_heaviest(&influences, 2, bones.len()).expect("fewer will do");
            assert_weights(&fewer, positions.len(), bones.len(), 2);
            let adjusted = Adjust::new(&influences, bones.len())
                .prune(0.1)
                .normalise()
                .finish();
            if let Ok(adjusted) = adjusted {
                assert_weights(&adjusted, positions.len(), bones.len(), most);
            }
        }
    }
}

fn assert_weights(influences: &Influences, vertices: usize, joints: usize, most: usize) {
    assert_eq!(influences.len(), vertices);
    for vertex in 0..vertices {
        let row: Vec<(usize, f32)> = influences.get(vertex).collect();
        assert!(
            !row.is_empty() && row.len() <= most,
            "{} influences",
            row.len()
        );
        let sum: f32 = row.iter().map(|(_, weight)| weight).sum();
        assert!((sum - 1.0).abs() < 1e-4, "weights sum to {sum}");
        for (joint, weight) in row {
            assert!(joint < joints, "joint {joint} of {joints}");
            assert!(weight >= 0.0, "a weight of {weight}");
        }
    }
}

fn bones(dice: &mut Dice<'_>) -> Option<Bones> {
    let names = [
        "Hips",
        "Spine",
        "LeftArm",
        "Head",
        "IK_target",
        "thumb",
        "Bone_end",
        "x",
    ];
    let count = 1 + dice.below(12);
    let joint = |index: usize| {
        let parent = index
            .checked_sub(1)
            .map(|above| above - dice.below(above + 1).min(3));
        Joint::new(names[dice.below(names.len())], parent, dice.transform())
    };
    let (skeleton, _) = Skeleton::new((0..count).map(joint).collect()).ok()?;
    let skin = Skin::bound_at(skeleton.rest_model().as_slice());
    let mut bones = Bones::of_skin(&skeleton, &skin).expect("a skin of the skeleton");
    for _ in 0..dice.below(3) {
        let joint = dice.below(bones.len());
        match dice.below(5) {
            0 => bones.heads[joint] = Vec3::splat(dice.number()),
            1 => bones.tails[joint] = Some(Vec3::splat(dice.number())),
            2 => bones.deforms[joint] = dice.coin(),
            3 => bones.parents[joint] = Some(dice.below(bones.len())),
            _ => drop(bones.flesh.pop()),
        }
    }
    Some(bones)
}

/// A solid with some vertices moved and triangles added, or arbitrary triangles.
fn surface(dice: &mut Dice<'_>) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (mut positions, mut triangles) = match dice.below(4) {
        0 => (Vec::new(), Vec::new()),
        kind => {
            let shape = match kind {
                1 => shapes::sphere(1.0, 6, 8),
                2 => shapes::cuboid(Vec3::new(0.4, 2.0, 0.3)),
                _ => shapes::ellipsoid(Vec3::new(0.2, 1.5, 0.2), 8, 6),
            };
            let triangles = shape.triangles().map(|t| t.map(|v| v as u32)).collect();
            (shape.positions.to_vec(), triangles)
        }
    };
    let (more, faces) = (dice.below(24), dice.below(24));
    positions.extend((0..more).map(|_| Vec3::new(dice.number(), dice.number(), dice.number())));
    let corners = positions.len() + 1;
    triangles.extend((0..faces).map(|_| [0; 3].map(|_| dice.below(corners) as u32)));
    for _ in 0..dice.below(4) {
        if !positions.is_empty() {
            let vertex = dice.below(positions.len());
            positions[vertex] = Vec3::new(dice.number(), dice.number(), dice.number());
        }
    }
    (positions, triangles)
}
