use glam::{Quat, Vec3};
use sinew::skeleton::EditError;
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit, SlideRange};
use sinew::transform::{Axis, EulerOrder, quat};
use sinew::{
    Affine, Clip, Interpolation, Joint, LocalPose, ModelPose, Skeleton, SkeletonError, Skin, Track,
    Transform, sample, skin::Palette,
};

fn at(x: f32, y: f32, z: f32) -> Transform {
    Transform::from_translation(Vec3::new(x, y, z))
}

fn joint(name: &str, parent: Option<usize>) -> Joint {
    Joint::new(name, parent, at(0.0, 1.0, 0.0))
}

fn hinge(range: AngleRange) -> Freedom {
    Freedom {
        rotation: RotationLimit::Hinge {
            axis: Vec3::X,
            range,
        },
        ..Freedom::default()
    }
}

/// pelvis ─┬─ spine1 ─ spine2 ─ spine3 ─ spine4 ─ head
///         └─ leg ─ foot
fn body() -> Skeleton {
    let bent = |name: &str, parent: usize, angle: f32| {
        let rotation = EulerOrder::XYZ.to_quat([angle, -0.5 * angle, 0.2]);
        let rest = Transform::from_rotation_translation(rotation, Vec3::new(0.1, 0.4, -0.05));
        Joint::new(name, Some(parent), rest)
    };
    let joints = vec![
        Joint::new("pelvis", None, at(0.0, 1.0, 0.0)),
        bent("spine1", 0, 0.3),
        bent("spine2", 1, -0.2),
        bent("spine3", 2, 0.25),
        bent("spine4", 3, 0.1),
        bent("head", 4, -0.6),
        bent("leg", 0, 2.5),
        bent("foot", 6, 1.2),
    ];
    Skeleton::new(joints).unwrap().0
}

fn model(skeleton: &Skeleton, pose: &LocalPose) -> ModelPose {
    let mut model = ModelPose::identity(skeleton.len());
    model
        .update(skeleton.hierarchy(), pose, &Affine::IDENTITY)
        .expect("of this skeleton");
    model
}

fn assert_same_place(a: &Affine, b: &Affine, what: &str) {
    let off = a.max_difference(b);
    assert!(off < 2e-6, "{what} is off by {off}");
}

#[test]
fn what_is_not_a_skeleton_is_refused() {
    let with_rest = |rest| vec![joint("root", None), Joint::new("odd", Some(0), rest)];
    let long_quat = Transform::from_rotation(Quat::from_xyzw(0.0, 0.0, 0.0, 2.0));
    let no_quat = Transform::from_rotation(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    let table = vec![
        ("no joints", vec![], None),
        (
            "no such parent",
            vec![joint("root", None), joint("odd", Some(7))],
            Some("odd"),
        ),
        (
            "its own parent",
            vec![joint("root", None), joint("odd", Some(1))],
            Some("odd"),
        ),
        (
            "a loop",
            vec![joint("odd", Some(1)), joint("odd", Some(0))],
            Some("odd"),
        ),
        (
            "two roots",
            vec![joint("root", None), joint("odd", None)],
            Some("odd"),
        ),
        (
            "NaN at rest",
            with_rest(at(f32::NAN, 0.0, 0.0)),
            Some("odd"),
        ),
        (
            "infinite at rest",
            with_rest(at(0.0, f32::INFINITY, 0.0)),
            Some("odd"),
        ),
        ("a rotation too long", with_rest(long_quat), Some("odd")),
        ("a rotation of nothing", with_rest(no_quat), Some("odd")),
        (
            "an empty range",
            vec![joint("odd", None).with_freedom(hinge(AngleRange::degrees(10.0, -10.0)))],
            Some("odd"),
        ),
    ];
    for (what, joints, named) in table {
        let error = Skeleton::new(joints).expect_err(what);
        let message = error.to_string();
        assert!(
            named.is_none_or(|n| message.contains(n)),
            "{what}: {message}"
        );
    }
    assert_eq!(Skeleton::new(vec![]), Err(SkeletonError::Empty));
}

#[test]
fn the_tree_answers_for_parents_children_root_and_names() {
    let body = body();
    assert!(body.is_root(0) && !body.is_root(1));
    assert_eq!(body.parent(0), None);
    assert_eq!(body.parent(7), Some(6));
    assert_eq!(body.children(0).collect::<Vec<_>>(), [1, 6]);
    assert_eq!(body.children(5).count(), 0);
    assert_eq!(body.find("head"), Some(5));
    assert_eq!(body.find("tail"), None);
    assert_eq!(body.name(6), "leg");
}

#[test]
fn joints_in_any_order_are_sorted_parents_first() {
    let sorted = body();
    let joints = sorted.joints();
    let reversed: Vec<_> = joints
        .iter()
        .rev()
        .map(|j| Joint {
            parent: j.parent.map(|p| 7 - p),
            ..j.clone()
        })
        .collect();
    let (skeleton, map) = Skeleton::new(reversed.clone()).unwrap();
    for (given, joint) in reversed.iter().enumerate() {
        let new = map.get(given).unwrap();
        assert_eq!(skeleton.name(new), joint.name);
        assert_eq!(skeleton.rest().get(new), joint.rest);
        let parent = joint.parent.map(|p| map.get(p).unwrap());
        assert_eq!(skeleton.parent(new), parent);
        assert!(parent.is_none_or(|p| p < new));
    }
    assert!(skeleton.is_root(0));
    assert_eq!(map.get(8), None);
}

#[test]
fn moving_a_joint_moves_all_descendants_and_nothing_else() {
    let body = body();
    let before = body.rest_model();
    let mut pose = body.rest().clone();
    let turned = quat::mul(pose.get(2).rotation, Axis::Z.rotation(0.8));
    pose.set_rotation(2, turned);
    let after = model(&body, &pose);
    for joint in 0..body.len() {
        let below = body.hierarchy().ancestors(joint).any(|a| a == 2);
        assert_eq!(
            before.get(joint) != after.get(joint),
            below,
            "{}",
            body.name(joint)
        );
        if below {
            let (then, now) = (before.frame(2, joint), after.frame(2, joint));
            assert_same_place(&then.unwrap(), &now.unwrap(), body.name(joint));
        }
    }
}

#[test]
fn degrees_of_freedom_are_data() {
    let free = |turn| Freedom {
        rotation: turn,
        ..Freedom::default()
    };
    let saddle = RotationLimit::Saddle {
        axes: [Axis::Y, Axis::Z],
        ranges: [AngleRange::FULL; 2],
    };
    let root = Freedom {
        rotation: RotationLimit::Free,
        slides: [true; 3],
        ..Freedom::default()
    };
    let (skeleton, _) = Skeleton::new(vec![
        joint("root", None).with_freedom(root),
        joint("shoulder", Some(0)).with_freedom(free(RotationLimit::Free)),
        joint("elbow", Some(1)).with_freedom(free(saddle)),
        joint("neck", Some(0)).with_freedom(free(RotationLimit::Free)),
        joint("knee", Some(0)).with_freedom(hinge(AngleRange::FULL)),
        joint("skull", Some(3)).with_freedom(free(RotationLimit::Fixed)),
    ])
    .unwrap();
    let counts: Vec<_> = (0..6).map(|j| skeleton.freedom(j).count()).collect();
    assert_eq!(counts, [6, 3, 2, 3, 1, 0]);
    assert_eq!(skeleton.degrees_of_freedom(), 15);
}

#[test]
fn edits_that_make_no_sense_are_refused() {
    let body = body();
    let no_such = EditError::NoSuchJoint { joint: 8, len: 8 };
    assert_eq!(body.merge_into_parents(&[8]), Err(no_such.clone()));
    assert_eq!(body.reparented(1, 8), Err(no_such.clone()));
    assert_eq!(body.renamed(8, "x"), Err(no_such));
    let root = EditError::Root {
        name: "pelvis".into(),
    };
    assert_eq!(body.merge_into_parents(&[0]), Err(root.clone()));
    assert_eq!(body.reparented(0, 1), Err(root));
    let below_itself = body.reparented(1, 3).unwrap_err();
    assert!(matches!(
        below_itself,
        EditError::Skeleton(SkeletonError::Hierarchy { .. })
    ));
    let second_root = body.with_joint(joint("x", None)).unwrap_err();
    assert!(matches!(
        second_root,
        EditError::Skeleton(SkeletonError::SeveralRoots { .. })
    ));
    let bad_limits = body
        .with_freedom(1, hinge(AngleRange::degrees(1.0, 0.0)))
        .unwrap_err();
    assert!(matches!(
        bad_limits,
        EditError::Skeleton(SkeletonError::BadLimits { .. })
    ));

    let mut joints = body.joints();
    joints[2].rest.scale = Vec3::new(1.0, 2.0, 1.0);
    let (stretched, _) = Skeleton::new(joints).unwrap();
    let would_shear = EditError::UnevenScale {
        name: "spine3".into(),
    };
    assert_eq!(stretched.merge_into_parents(&[2]), Err(would_shear.clone()));
    assert_eq!(stretched.reparented(3, 6), Err(would_shear));
}

#[test]
fn four_spine_bones_merge_into_one() {
    let body = body();
    let (short, map) = body.merge_into_parents(&[2, 3, 4]).unwrap();
    assert_eq!(short.len(), 5);
    let (before, after) = (body.rest_model(), short.rest_model());
    for old in 0..body.len() {
        match map.get(old) {
            Some(new) => {
                assert_eq!(short.name(new), body.name(old));
                assert_same_place(after.get(new), before.get(old), body.name(old));
            }
            None => {
                let (carrier, carrier_from_joint) = map.carrier(old).unwrap();
                assert_eq!(short.name(carrier), "spine1");
                let place = *after.get(carrier) * carrier_from_joint.to_affine();
                assert_same_place(&place, before.get(old), body.name(old));
            }
        }
    }
    assert_eq!(
        short.parent(short.find("head").unwrap()),
        short.find("spine1")
    );
    let mask = map.per_joint(&[0, 1, 2, 3, 4, 5, 6, 7], 9);
    assert_eq!(mask, [0, 1, 5, 6, 7]);
}

#[test]
fn merging_a_branch_removes_it() {
    let (armless, map) = body().merge_into_parents(&[7, 6]).unwrap();
    assert_eq!(armless.len(), 6);
    assert_eq!(armless.find("foot"), None);
    assert_eq!(map.carrier(7).unwrap().0, 0);
}

#[test]
fn reparenting_keeps_every_joint_where_it_is() {
    let body = body();
    let (edited, map) = body.reparented(6, 5).unwrap();
    let (before, after) = (body.rest_model(), edited.rest_model());
    for old in 0..body.len() {
        let new = map.get(old).unwrap();
        assert_eq!(edited.name(new), body.name(old));
        assert_same_place(after.get(new), before.get(old), body.name(old));
    }
    assert_eq!(
        edited.parent(edited.find("leg").unwrap()),
        edited.find("head")
    );
    let (sorted, map) = body.reparented(1, 7).unwrap();
    assert_eq!(map.get(7), sorted.find("foot"));
    assert_same_place(
        sorted.rest_model().get(map.get(5).unwrap()),
        before.get(5),
        "head",
    );
}

#[test]
fn joints_are_added_renamed_and_freed() {
    let body = body();
    let (tailed, map) = body.with_joint(joint("tail", Some(0))).unwrap();
    assert_eq!((tailed.len(), tailed.find("tail")), (9, Some(8)));
    assert_eq!((map.get(7), map.get(8)), (Some(7), None));
    assert_eq!(map.per_joint(&[1; 8], 0), [1, 1, 1, 1, 1, 1, 1, 1, 0]);
    assert_eq!(body.renamed(5, "skull").unwrap().find("skull"), Some(5));
    let stiff = hinge(AngleRange::degrees(0.0, 0.0));
    assert_eq!(
        body.with_freedom(3, stiff.clone()).unwrap().freedom(3),
        &stiff
    );
}

/// Moves spine1, head, leg and foot. Joints that tests merge or reparent stay at rest.
fn nod() -> Clip {
    let mut clip = Clip::new("nod");
    let times = vec![0.0, 0.5, 1.0];
    let turns = [
        Axis::X.rotation(0.2),
        Axis::Y.rotation(-0.7),
        Axis::Z.rotation(1.1),
    ];
    let places = [Vec3::X, Vec3::new(0.1, 0.2, 0.3), Vec3::Y];
    for joint in [1, 5, 6, 7] {
        let tracks = clip.joint_mut(joint);
        tracks.rotation =
            Some(Track::rotations(times.clone(), &turns, Interpolation::Slerp).unwrap());
        let keys: Vec<f32> = places
            .iter()
            .flat_map(|p| [Vec3::new(0.3, -0.2, 0.1), *p, Vec3::new(-0.4, 0.0, 0.5)])
            .flat_map(|v| v.to_array())
            .collect();
        let cubic = Track::new(times.clone(), keys, 3, Interpolation::CubicHermite).unwrap();
        tracks.translation = Some(cubic);
        let sizes = [Vec3::ONE, Vec3::splat(1.5), Vec3::splat(0.5)];
        tracks.scale = Some(Track::vectors(times.clone(), &sizes, Interpolation::Linear).unwrap());
    }
    clip.fit_duration();
    clip
}

#[test]
fn a_remapped_clip_and_skin_move_the_merged_skeleton_the_same_way() {
    let body = body();
    let (short, map) = body.merge_into_parents(&[2, 3, 4]).unwrap();
    let (clip, skin) = (nod(), Skin::bound_at(body.rest_model().as_slice()));
    let (short_clip, short_skin) = (clip.remapped(&map), map.remap_skin(&skin));
    assert_eq!(short_clip.joints.len(), clip.joints.len());
    assert_eq!(short_skin.joints, [0, 1, 1, 1, 1, 2, 3, 4]);
    for time in [0.0, 0.2, 0.5, 0.81, 1.0] {
        let (mut pose, mut short_pose) = (body.rest().clone(), short.rest().clone());
        sample(&clip, &body, time, &mut pose).unwrap();
        sample(&short_clip, &short, time, &mut short_pose).unwrap();
        let (mut palette, mut short_palette) = (Palette::default(), Palette::default());
        palette
            .update(&skin, model(&body, &pose).as_slice())
            .expect("of this skeleton");
        short_palette
            .update(&short_skin, model(&short, &short_pose).as_slice())
            .expect("of this skeleton");
        for (place, (a, b)) in palette
            .as_slice()
            .iter()
            .zip(short_palette.as_slice())
            .enumerate()
        {
            assert_same_place(a, b, body.name(place));
        }
    }
}

#[test]
fn tracks_of_a_merged_joint_are_dropped_and_the_others_stay_in_order() {
    let (_, map) = body().merge_into_parents(&[1, 5]).unwrap();
    let joints: Vec<_> = nod()
        .remapped(&map)
        .joints
        .iter()
        .map(|t| t.joint)
        .collect();
    assert_eq!(joints, [4, 5]);
}

#[test]
fn edits_keep_the_limits_of_joints_that_stay() {
    let mut joints = body().joints();
    for (index, joint) in joints.iter_mut().enumerate() {
        joint.freedom = hinge(AngleRange::degrees(-1.0 - index as f32, 1.0));
    }
    let (limited, _) = Skeleton::new(joints).unwrap();
    let last = limited.len() - 1;
    let edits = [
        limited.merge_into_parents(&[2]).unwrap(),
        limited.reparented(last, 0).unwrap(),
        limited.with_joint(joint("new", Some(0))).unwrap(),
    ];
    for (edited, map) in edits {
        let kept = (0..=last).filter_map(|old| Some((old, map.get(old)?)));
        let kept: Vec<(usize, usize)> = kept.collect();
        assert!(kept.len() >= last);
        for (old, new) in kept {
            assert_eq!(edited.freedom(new), limited.freedom(old));
        }
    }
    let renamed = limited.renamed(1, "other").unwrap();
    assert_eq!(renamed.freedom(1), limited.freedom(1));
}

#[test]
fn roles_stay_with_their_joints() {
    use sinew::skeleton::{MetaJoints, Role, Side};
    let up = Transform::from_translation(Vec3::Y);
    let joint = |name: &str, parent, role| Joint {
        role,
        ..Joint::new(name, parent, up)
    };
    let hand = Some(Role::Hand(Side::Left));
    let (arm, map) = Skeleton::new(vec![
        joint("hand", Some(2), hand),
        joint("hips", None, Some(Role::Hips)),
        joint("elbow", Some(1), None),
    ])
    .unwrap();
    let role = |skeleton: &Skeleton, name: &str| skeleton.role(skeleton.find(name).unwrap());
    assert_eq!(map.get(0), arm.find("hand"));
    assert_eq!(role(&arm, "hand"), hand);
    assert_eq!(role(&arm, "elbow"), None);
    let (again, _) = Skeleton::new(arm.joints()).unwrap();
    assert_eq!(again, arm);
    let (short, _) = arm
        .merge_into_parents(&[arm.find("elbow").unwrap()])
        .unwrap();
    assert_eq!(role(&short, "hand"), hand);
    assert_eq!(role(&short, "hips"), Some(Role::Hips));
    let whole: Vec<usize> = (0..arm.len()).collect();
    let split = MetaJoints::split(&arm, &whole, EulerOrder::XYZ).unwrap();
    assert_eq!(role(split.split_skeleton(), "hand"), hand);
    let merged = MetaJoints::merge(split.split_skeleton()).unwrap();
    assert_eq!(role(merged.combined_skeleton(), "hand"), hand);
}

#[test]
fn a_slide_keeps_its_line_in_model_space_when_its_parent_changes() {
    let turned = Transform {
        scale: Vec3::splat(2.0),
        ..Transform::from_rotation_translation(Axis::Z.rotation(0.5), Vec3::new(0.0, 1.0, 0.0))
    };
    let slide = SlideRange {
        axis: Vec3::X,
        min: -0.25,
        max: 0.5,
    };
    let freedom = Freedom {
        rotation: RotationLimit::Fixed,
        slide_range: Some(slide),
        ..Freedom::default()
    };
    let bone = |name, parent, rest| Joint::new(name, parent, rest);
    let (skeleton, _) = Skeleton::new(vec![
        bone(
            "root",
            None,
            Transform::from_rotation(Axis::Y.rotation(1.0)),
        ),
        bone("arm", Some(0), turned),
        bone("spindle", Some(1), Transform::from_translation(Vec3::Y)).with_freedom(freedom),
    ])
    .unwrap();
    let end = |skeleton: &Skeleton, max: bool| {
        let joint = skeleton.find("spindle").unwrap();
        let slide = skeleton.freedom(joint).slide_range.unwrap();
        let mut pose = skeleton.rest().clone();
        let rest = pose.get(joint).translation;
        let distance = if max { slide.max } else { slide.min };
        pose.set_translation(joint, slide.at(rest, distance));
        let mut model = ModelPose::identity(skeleton.len());
        model
            .update(skeleton.hierarchy(), &pose, &Affine::IDENTITY)
            .unwrap();
        model.get(joint).translation()
    };
    let moved = skeleton.reparented(2, 0).unwrap().0;
    let merged = skeleton.merge_into_parents(&[1]).unwrap().0;
    for changed in [&moved, &merged] {
        for max in [false, true] {
            let (found, wanted) = (end(changed, max), end(&skeleton, max));
            assert!(found.distance(wanted) < 1e-6, "{found} {wanted}");
        }
    }
    assert!(end(&skeleton, true).distance(end(&skeleton, false)) > 1.4);
}
