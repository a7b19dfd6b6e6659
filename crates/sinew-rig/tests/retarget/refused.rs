//! Motions that cannot be transferred.

use super::*;

#[test]
fn refused() {
    let (a, b) = (Person::default().skeleton(), stranger().skeleton());
    let clip = people::dance(&a);
    let pairs = pair_joints(&a, &b).unwrap();
    let attempt = |clip: &Clip, pairs: &[Pair], options: &RetargetOptions| {
        retarget(&a, clip, &b, pairs, options)
    };

    let tail = |name: &str| Joint::new(name, Some(0), Transform::from_translation(Vec3::Y));
    let (snake, _) = Skeleton::new(vec![
        Joint::new("Bone", None, Transform::IDENTITY),
        tail("Bone.001"),
    ])
    .unwrap();
    let error = pair_joints(&snake, &b).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the joints of the source (such as \"Bone.001\")"),
        "{error}"
    );
    let error = pair_joints(&a, &snake).unwrap_err();
    assert!(matches!(
        error,
        RetargetError::NoRoles {
            which: "target",
            ..
        }
    ));

    let map = |text: &[(&str, Option<&str>)]| -> NameMap {
        let owned = text
            .iter()
            .map(|(a, b)| (a.to_string(), b.map(String::from)));
        owned.collect()
    };
    let named = |text: &[(&str, Option<&str>)]| {
        pairs_from_names(&a, &b, &map(text))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        named(&[("hipz", Some("hips"))]),
        "the source has no joint \"hipz\", which the map names; did you mean hips?"
    );
    let far = named(&[("hips", Some("pelvis"))]);
    let wanted = "the target has no joint \"pelvis\", which the map names; there are hips, ";
    assert!(far.starts_with(wanted) && far.ends_with(" more"), "{far}");
    assert_eq!(
        named(&[("chest", Some("head")), ("neck", Some("head"))]),
        "the map pairs \"head\" with both \"chest\" and \"neck\"; keep one of these pairs"
    );
    assert_eq!(named(&[("hips", None)]), "the map pairs no joints");

    let error = attempt(&Clip::new("still"), &pairs, &NO_FEET).unwrap_err();
    assert_eq!(error.to_string(), "the clip \"still\" has no keys");
    let mut wide = clip.clone();
    wide.joint_mut(a.len()).rotation = clip.joint(0).unwrap().rotation.clone();
    let error = attempt(&wide, &pairs, &NO_FEET).unwrap_err();
    assert!(matches!(error, RetargetError::Mismatch(_)), "{error}");
    let out = [Pair {
        source: 0,
        target: 999,
    }];
    let error = attempt(&clip, &out, &NO_FEET).unwrap_err();
    assert!(matches!(
        error,
        RetargetError::BadPair {
            which: "target",
            joint: 999,
            ..
        }
    ));
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let options = NO_FEET.scale(Some(scale));
        let error = attempt(&clip, &pairs, &options).unwrap_err();
        assert!(matches!(
            error,
            RetargetError::BadOption { what: "scale", .. }
        ));
    }
    let options = NO_FEET.rest_secs(Some(f64::NAN));
    assert!(matches!(
        attempt(&clip, &pairs, &options),
        Err(RetargetError::BadOption { .. })
    ));
    let mut narrow = clip.clone();
    let values = vec![0.0; 3];
    let wide = Track::new(vec![0.0], values, 3, Interpolation::Linear).unwrap();
    narrow.joint_mut(2).rotation = Some(wide);
    let error = attempt(&narrow, &pairs, &NO_FEET).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a track of joint \"spine_2\" has 3 numbers per key instead of 4"
    );
    // A body at one position has no up direction.
    let point = a
        .joints()
        .into_iter()
        .map(|j| Joint::new(j.name, j.parent, Transform::IDENTITY));
    let (point, _) = Skeleton::new(point.collect()).unwrap();
    let error = retarget(
        &a,
        &clip,
        &point,
        &pair_joints(&a, &point).unwrap(),
        &NO_FEET,
    )
    .unwrap_err();
    assert!(matches!(
        error,
        RetargetError::MissingRole {
            which: "target",
            ..
        }
    ));
}

#[test]
fn a_joint_scaled_to_nothing_is_an_error_that_names_it_or_is_left_alone() {
    let a = Person::default().skeleton();
    let mut joints = a.joints();
    joints
        .iter_mut()
        .for_each(|j| j.parent = Some(j.parent.map_or(0, |p| p + 1)));
    joints.insert(
        0,
        Joint::new(
            "world",
            None,
            Transform {
                scale: Vec3::ZERO,
                ..Transform::IDENTITY
            },
        ),
    );
    let (flat, _) = Skeleton::new(joints).unwrap();
    let pairs = pair_joints(&a, &flat).unwrap();
    let done = retarget(
        &a,
        &people::dance(&a),
        &flat,
        &pairs,
        &RetargetOptions::default(),
    );
    assert!(
        matches!(
            done,
            Err(RetargetError::MissingRole { .. } | RetargetError::NotFinite { .. })
        ),
        "{done:?}"
    );
}
