//! Templates, units and retargeting.

use super::{INF, NAN, NO_NUMBERS, chain};
use crate::people::{self, Person};
use glam::Vec3;
use sinew::{Clip, Interpolation, Track};
use sinew_rig::retarget::{
    NameMap, Pair, RetargetError, RetargetOptions, check_limbs, find_roles, names_of_pairs,
    pair_joints, pairs_from_names, retarget, with_biped_limits,
};
use sinew_rig::template::{Biped, BoneChain, TemplateError};
use sinew_rig::units::{METRES, ScaleError, Unit, longest_side, scaled, unit_of};
use std::panic::catch_unwind;

#[test]
fn boxes_that_hold_no_skeleton() {
    let (low, high) = (Vec3::ZERO, Vec3::ONE);
    let wrong = [
        (high, low),
        (low, low),
        (low, Vec3::splat(NAN)),
        (Vec3::splat(NAN), high),
        (low, Vec3::splat(INF)),
        (Vec3::splat(-INF), high),
        (Vec3::splat(f32::MIN), Vec3::splat(f32::MAX)),
    ];
    for (min, max) in wrong {
        let refused = Err(TemplateError::EmptyBox);
        assert_eq!(Biped::default().fitted(min, max), refused, "{min} {max}");
        let chain = BoneChain::default().fitted(min, max);
        assert_eq!(chain, refused, "{min} {max}");
    }
    // A flat box fits a chain, but no person.
    let flat = Vec3::new(1.0, 0.0, 1.0);
    let person = Biped::default().fitted(low, flat);
    assert_eq!(person, Err(TemplateError::EmptyBox));
    assert!(BoneChain::default().fitted(low, flat).is_ok());
}

#[test]
fn counts_of_joints_are_brought_into_their_range() {
    let biped = |spine| Biped {
        spine,
        ..Biped::default()
    };
    let most = biped(usize::MAX).template();
    assert_eq!(most, biped(256).template());
    assert!(most.skeleton().is_ok());
    let chain = |joints| BoneChain {
        joints,
        ..BoneChain::default()
    };
    assert_eq!(chain(0).template().joints().len(), 1);
    assert_eq!(chain(usize::MAX).template().joints().len(), 65536);
}

#[test]
fn templates_that_make_no_skeleton() {
    for bad in NO_NUMBERS {
        let chains = [
            BoneChain {
                from: Vec3::splat(bad),
                ..BoneChain::default()
            },
            BoneChain {
                to: Vec3::splat(bad),
                ..BoneChain::default()
            },
            BoneChain {
                bend_deg: bad,
                ..BoneChain::default()
            },
        ];
        for chain in chains {
            let made = chain.template().skeleton();
            assert!(
                matches!(made, Err(TemplateError::Skeleton(_))),
                "{chain:?}: {made:?}"
            );
        }
        // An invalid front is replaced.
        let front = BoneChain {
            front: Vec3::splat(bad),
            ..BoneChain::default()
        };
        assert!(front.template().skeleton().is_ok());
    }
}

#[test]
fn edits_of_joints_that_a_template_does_not_have() {
    let template = Biped::default().template();
    let none = |result: Result<_, TemplateError>| {
        let refused =
            matches!(&result, Err(TemplateError::NoSuchJoint { name, .. }) if name == "hipz");
        assert!(refused, "{result:?}");
    };
    none(template.find("hipz").map(|_| template.clone()));
    none(template.renamed("hipz", "pelvis"));
    none(template.merged(&["neck", "hipz"]));
    none(template.split("hipz", 2));
    none(template.with_positions(&[("hipz".to_owned(), Vec3::ZERO)].into()));
    for bad in NO_NUMBERS {
        let placed = template.with_positions(&[("head".to_owned(), Vec3::splat(bad))].into());
        let name = "head".to_owned();
        assert_eq!(placed, Err(TemplateError::NotFinite { name }));
    }
    for pieces in [0, 1, 65, usize::MAX] {
        let refused = Err(TemplateError::Pieces { pieces });
        assert_eq!(template.split("neck", pieces), refused);
    }
    let root = template.merged(&["hips"]);
    assert!(matches!(root, Err(TemplateError::Root { .. })), "{root:?}");
    let taken = template.renamed("neck", "head");
    assert!(matches!(taken, Err(TemplateError::NameTaken { .. })));
    assert!(catch_unwind(|| template.end(999)).is_err(), "as a slice");
}

#[test]
fn units_that_are_no_lengths() {
    let person = Person::default().skeleton();
    let found = unit_of(None, &person);
    assert!(METRES.contains(&found.metres()));
    for stated in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
        assert_eq!(unit_of(Some(stated), &person), found, "{stated}");
    }
    assert_eq!(longest_side(&chain(1)), None);
    let far = Unit::Unknown { longest: None };
    assert_eq!(unit_of(None, &chain(2)), far);
}

#[test]
fn factors_that_leave_no_lengths() {
    let tube = sinew_samples::tube_character();
    for factor in NO_NUMBERS {
        let refused = scaled(&tube, factor);
        assert!(matches!(refused, Err(ScaleError::Skeleton(_))), "{factor}");
    }
    // A factor within the range of joints, but not of vertices farther out.
    let place = |character: &sinew::Character| match scaled(character, 1e30) {
        Err(ScaleError::NotFinite {
            location,
            factor: 1e30,
        }) => location,
        other => panic!("{other:?}"),
    };
    let far = 1e10;
    let mut vertex = tube.clone();
    let points = &mut vertex.meshes[0].primitives[0].positions;
    std::sync::Arc::make_mut(points)[7].y = far;
    assert_eq!(place(&vertex), "a vertex of mesh 0");
    let mut node = tube.clone();
    node.nodes[1].parent_from_node.rows[2][3] = far;
    assert_eq!(place(&node), "node 1");
    let mut bind = tube.clone();
    bind.skins[0].joint_from_model[1].rows[0][3] = far;
    assert_eq!(place(&bind), "an inverse bind of skin 0");
    let mut clip = tube.clone();
    let way = Track::vectors(vec![0.0], &[Vec3::X * far], Interpolation::Linear);
    clip.clips = vec![Clip::new("far")];
    clip.clips[0].joint_mut(0).translation = Some(way.expect("a key"));
    let refused = scaled(&clip, 1e30);
    assert!(
        matches!(refused, Err(ScaleError::Clip { .. })),
        "{refused:?}"
    );
}

#[test]
fn pairs_of_joints_that_do_not_exist() {
    let person = Person::default().skeleton();
    let clip = people::dance(&person);
    let pairs = pair_joints(&person, &person).expect("one body");
    let joints = person.len();
    for (source, target, which) in [(joints, 0, "source"), (0, joints, "target")] {
        let mut wrong = pairs.clone();
        wrong.push(Pair { source, target });
        let refused = RetargetError::BadPair {
            which,
            joint: joints,
            joints,
        };
        assert_eq!(
            check_limbs(&person, &person, &wrong).as_ref(),
            Err(&refused)
        );
        let options = RetargetOptions::default();
        let made = retarget(&person, &clip, &person, &wrong, &options);
        assert_eq!(made.map(|_| ()), Err(refused));
        let named = names_of_pairs(&person, &person, &wrong);
        assert_eq!(named, names_of_pairs(&person, &person, &pairs));
    }
    let limbs = check_limbs(&person, &person, &[]);
    assert!(matches!(limbs, Err(RetargetError::FewLimbs { .. })));
    let none = pairs_from_names(&person, &person, &NameMap::new());
    assert_eq!(none, Err(RetargetError::EmptyMap));
    assert_eq!(find_roles(&person).role(joints), None);
    assert_eq!(with_biped_limits(&chain(3)), None);
}

#[test]
fn options_of_retargeting_that_are_no_numbers() {
    let person = Person::default().skeleton();
    let clip = people::dance(&person);
    let pairs = pair_joints(&person, &person).expect("one body");
    let attempt = |options: &RetargetOptions| {
        let made = retarget(&person, &clip, &person, &pairs, options);
        made.map(|_| ())
    };
    for scale in [NAN, INF, -INF, 0.0, -1.0, f32::MAX, f32::MIN_POSITIVE] {
        let refused = attempt(&RetargetOptions::default().scale(Some(scale)));
        let is_scale = matches!(refused, Err(RetargetError::BadOption { what: "scale", .. }));
        assert!(is_scale, "{scale}: {refused:?}");
    }
    for secs in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let refused = attempt(&RetargetOptions::default().rest_secs(Some(secs)));
        assert!(
            matches!(
                refused,
                Err(RetargetError::BadOption {
                    what: "rest time",
                    ..
                })
            ),
            "{secs}: {refused:?}"
        );
    }
    let early = RetargetOptions::default().rest_secs(Some(-1e300));
    assert_eq!(attempt(&early), Ok(()));
    let mut other = clip.clone();
    let way = Track::vectors(vec![0.0], &[Vec3::X], Interpolation::Linear);
    other.joint_mut(person.len()).translation = Some(way.expect("a key"));
    let refused = retarget(
        &person,
        &other,
        &person,
        &pairs,
        &RetargetOptions::default(),
    );
    let is_mismatch = matches!(refused, Err(RetargetError::Mismatch(_)));
    assert!(is_mismatch, "a clip of another skeleton");
}
