//! Automatic weights and their adjustment.

use super::{INF, NAN, NO_NUMBERS, chain};
use glam::{DVec3, Vec3};
use sinew::skin::SkinError;
use sinew::{Character, CharacterError, Influences, Skin};
use sinew_rig::weights::{
    Adjust, BezierCurve, BindCharacterError, BindError, BindHooks, BindMethod, BindOptions, Bones,
    Flesh, Surface, bind, bind_character, bind_to_skeleton, bind_to_skeleton_with, keep_heaviest,
    mirrored_joints,
};
use std::sync::Arc;

const METHODS: [BindMethod; 5] = [
    BindMethod::Auto,
    BindMethod::Bezier,
    BindMethod::BezierWide,
    BindMethod::Heat,
    BindMethod::Rigid,
];

fn bones() -> Bones {
    Bones::new(vec![None, Some(0)], vec![Vec3::ZERO, Vec3::Y])
}

fn influences() -> Influences {
    let lists = [vec![(0, 0.75), (1, 0.25)], vec![(0, 0.5), (1, 0.5)]];
    Influences::from_lists(&lists, 2)
        .expect("two influences each")
        .0
}

/// Checks that joints exist, weights are not negative and sums are 1.
#[track_caller]
fn assert_valid(influences: &Influences, vertices: usize, joints: usize) {
    assert_eq!(influences.len(), vertices);
    for vertex in 0..vertices {
        let row: Vec<_> = influences.get(vertex).collect();
        let sum: f32 = row.iter().map(|r| r.1).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{row:?}");
        assert!(row.iter().all(|r| r.0 < joints && r.1 >= 0.0), "{row:?}");
    }
}

#[test]
fn bones_that_are_no_tree() {
    let surface = Surface {
        positions: &[Vec3::ZERO],
        triangles: &[],
    };
    let made = |bones: &Bones| bind(&surface, bones, &BindOptions::default()).map(|_| ());
    let mismatch = |heads, other| Err(BindError::Mismatch { heads, other });
    assert_eq!(made(&Bones::default()), Err(BindError::NoJoints));
    let wrong = Bones::new(vec![None; 3], vec![Vec3::ZERO; 2]);
    assert_eq!(made(&wrong), mismatch(2, 3));
    let short: [fn(&mut Bones); 3] = [
        |bones| bones.tails.truncate(1),
        |bones| bones.deforms.truncate(1),
        |bones| bones.flesh.truncate(1),
    ];
    for shorten in short {
        let mut bones = bones();
        shorten(&mut bones);
        assert_eq!(made(&bones), mismatch(2, 1));
    }
    for parents in [
        vec![None, Some(2)],
        vec![Some(1), Some(0)],
        vec![Some(0), None],
    ] {
        let refused = made(&Bones { parents, ..bones() });
        assert!(matches!(refused, Err(BindError::Parents(_))), "{refused:?}");
    }
    let still = Bones {
        deforms: vec![false; 2],
        ..bones()
    };
    assert_eq!(made(&still), Err(BindError::NoJoints));
    let many = Bones::new(vec![None; 65537], vec![Vec3::ZERO; 65537]);
    assert_eq!(made(&many), Err(BindError::TooManyJoints(65537)));
}

#[test]
fn surfaces_bones_and_options_of_any_numbers_are_bound() {
    let odd = [
        Vec3::ZERO,
        Vec3::splat(NAN),
        Vec3::new(INF, 0.0, -INF),
        Vec3::MAX,
        Vec3::MIN,
        Vec3::splat(f32::MIN_POSITIVE),
    ];
    let triangles = [[0, 1, 2], [3, 4, 5], [0, 3, 99], [u32::MAX; 3], [1, 1, 1]];
    let bulge = Bones {
        flesh: vec![Flesh::Around, Flesh::Bulge(Vec3::splat(NAN))],
        ..bones()
    };
    let nowhere = Bones {
        heads: vec![Vec3::splat(NAN), Vec3::splat(INF)],
        tails: vec![None, Some(Vec3::splat(-INF))],
        ..bones()
    };
    for method in METHODS {
        for influences in [0, 1, usize::MAX] {
            for correct in [false, true] {
                let options = BindOptions::default()
                    .method(method)
                    .influences(influences)
                    .correct(correct)
                    .radius(None);
                for bones in [bones(), bulge.clone(), nowhere.clone()] {
                    for positions in [&odd[..], &odd[..1], &[]] {
                        let surface = Surface {
                            positions,
                            triangles: &triangles,
                        };
                        let bound = bind(&surface, &bones, &options).expect("any mesh will do");
                        assert_valid(&bound, positions.len(), 2);
                        let most = influences.clamp(1, 2);
                        assert!(bound.max_per_vertex() <= most, "{options:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn skins_of_another_skeleton() {
    let skeleton = chain(2);
    let skin = Skin::bound_at(chain(3).rest_model().as_slice());
    let refused = SkinError::SkinJoint {
        joint: 2,
        joints: 2,
    };
    assert_eq!(Bones::of_skin(&skeleton, &skin), Err(refused));
    let uneven = Skin {
        joints: vec![0],
        ..skin.clone()
    };
    let refused = SkinError::InverseBinds {
        found: 3,
        expected: 1,
    };
    assert_eq!(Bones::of_skin(&skeleton, &uneven), Err(refused));
    let none = Bones::of_skin(&skeleton, &Skin::default());
    assert_eq!(none, Ok(Bones::default()));
}

fn wrong_characters() -> Vec<Character> {
    let edits: [fn(&mut Character); 6] = [
        |c| c.nodes[0].parent = Some(999),
        |c| c.nodes[0].joint = Some(999),
        |c| c.nodes[0].mesh = Some(999),
        |c| c.nodes[0].skin = Some(999),
        |c| c.skins[0].joints[0] = 999,
        |c| c.skins[0].joint_from_model.truncate(1),
    ];
    edits
        .into_iter()
        .map(|edit| {
            let mut character = sinew_samples::tube_character();
            edit(&mut character);
            character
        })
        .collect()
}

#[test]
fn characters_that_contradict_themselves_are_not_bound() {
    let options = BindOptions::default();
    let good = sinew_samples::tube_character();
    for wrong in wrong_characters() {
        let refused = |result: Result<_, BindCharacterError>| match result {
            Err(BindCharacterError::Character(
                CharacterError::Nodes(_)
                | CharacterError::Reference { .. }
                | CharacterError::Count { .. },
            )) => {}
            other => panic!("{other:?}"),
        };
        let mut character = wrong.clone();
        refused(bind_character(&mut character, &options));
        refused(bind_to_skeleton(&mut character, &good, &options));
        assert_eq!(character, wrong, "as it was");
        let mut character = good.clone();
        refused(bind_to_skeleton(&mut character, &wrong, &options));
        assert_eq!(character, good, "as it was");
    }
}

#[test]
fn characters_that_cannot_be_bound_stay_as_they_were() {
    let options = BindOptions::default();
    let tube = sinew_samples::tube_character();
    let still = |mut character: Character, expected: BindCharacterError| {
        let before = character.clone();
        let hooks = BindHooks {
            deforms: &|_| Some(false),
            ..BindHooks::default()
        };
        let refused = bind_to_skeleton_with(&mut character, &tube, &options, &hooks);
        assert_eq!(refused, Err(expected));
        assert_eq!(character, before);
    };
    let mesh = Character::from_mesh(tube.meshes[0].clone());
    still(mesh, BindCharacterError::Bind(BindError::NoJoints));
    let bare = Character::from_skeleton(chain(2));
    still(bare.clone(), BindCharacterError::NothingToBind);
    let mut skinless = bare;
    let refused = bind_character(&mut skinless, &options);
    assert_eq!(refused, Err(BindCharacterError::NoSkin));
    let correct = options.correct(true);
    let mut bound = tube.clone();
    bound.nodes.iter_mut().for_each(|node| node.skin = None);
    let refused = bind_character(&mut bound, &correct);
    assert_eq!(refused, Err(BindCharacterError::NothingToCorrect));

    let mut beyond = tube.clone();
    let primitive = &mut beyond.meshes[0].primitives[0];
    let lists = vec![vec![(999, 1.0)]; primitive.len()];
    let (influences, _) = Influences::from_lists(&lists, 1000).expect("one each");
    primitive.influences = Some(Arc::new(influences));
    bind_character(&mut beyond, &correct).expect("there are weights");
    let primitive = &beyond.meshes[0].primitives[0];
    let influences = primitive.influences.as_ref().expect("new ones");
    assert_valid(influences, primitive.len(), tube.skins[0].joints.len());
}

#[test]
fn adjustments_by_wrong_numbers() {
    let before = influences();
    let same = |adjust: Adjust| assert_eq!(adjust.finish().as_ref(), Ok(&before));
    let (here, away) = ([Vec3::X, Vec3::NEG_X], [Vec3::splat(NAN), Vec3::splat(INF)]);
    let start = || Adjust::new(&before, 2);
    same(start().lock([2, 99, usize::MAX]));
    same(start().smooth(&[], &[[0, 1, 0]], 9));
    same(start().smooth(&here, &[[0, 1, 2], [u32::MAX; 3]], usize::MAX));
    same(start().smooth(&away, &[[0, 1, 0]], 9));
    same(start().mirror(&[], 0.0, 0.1, |joint| joint));
    same(start().mirror(&away, 0.0, 0.1, |joint| joint));
    for bad in [NAN, -INF] {
        same(start().mirror(&here, bad, 0.1, |joint| joint));
        same(start().mirror(&here, 0.0, bad, |joint| joint));
        same(start().prune(bad));
    }
    let kept = start().mirror(&here, 0.0, 0.1, |_| usize::MAX).finish();
    assert_valid(&kept.expect("influences"), 2, 2);
    let heaviest = start().prune(INF).finish().expect("influences");
    assert_eq!(heaviest.get(0).collect::<Vec<_>>(), [(0, 1.0)]);
    for (joints, left) in [(0, 0), (1, 1), (2, 2), (usize::MAX, 2)] {
        let made = Adjust::new(&before, joints).finish().expect("influences");
        assert!(made.max_joint().is_none_or(|joint| joint < left.max(1)));
        let made = keep_heaviest(&before, usize::MAX, joints).expect("influences");
        assert!(made.max_joint().is_none_or(|joint| joint < left.max(1)));
    }
    let one = keep_heaviest(&before, 0, 2).expect("influences");
    assert_eq!(one.max_per_vertex(), 1);
    assert!(mirrored_joints(&[""; 0]).is_empty());
}

#[test]
fn curves_of_no_length_or_no_numbers() {
    let (a, b) = (DVec3::X, DVec3::NEG_X);
    let point = BezierCurve::wide(DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
    for radius in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
        assert_eq!(BezierCurve::narrow(a, DVec3::ZERO, b, radius), point);
    }
    let wide = BezierCurve::wide(a, DVec3::ZERO, b);
    assert_eq!(BezierCurve::narrow(a, DVec3::ZERO, b, f64::INFINITY), wide);
    let nearest = |curve: &BezierCurve, at: DVec3| [curve.nearest(at), curve.smooth(at)];
    for foot in nearest(&point, DVec3::Y) {
        assert!((0.0..=1.0).contains(&foot.weight) && foot.distance == 1.0);
    }
    for bad in NO_NUMBERS.map(|n| DVec3::splat(f64::from(n))) {
        for foot in nearest(&wide, bad) {
            assert!((0.0..=1.0).contains(&foot.weight), "{foot:?}");
        }
        for foot in nearest(&BezierCurve::wide(a, bad, b), DVec3::Y) {
            assert!((0.0..=1.0).contains(&foot.weight), "{foot:?}");
        }
    }
}
