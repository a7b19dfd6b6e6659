//! Required number of the motion's limbs.

use super::people::beasts::{Names, beast};
use super::*;
use sinew_rig::retarget::check_limbs;

#[test]
fn a_body_without_known_limbs_is_told_apart_from_one_with_half_of_them() {
    let person = Person::default().skeleton();
    let checked = |body: &Skeleton| {
        let pairs = pair_joints(&person, body).unwrap();
        check_limbs(&person, body, &pairs)
    };
    assert_eq!(checked(&beast(Names::Person)), Ok(()));
    let error = checked(&beast(Names::Beast)).unwrap_err();
    let RetargetError::FewLimbs {
        found,
        limbs,
        missing,
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!((*found, *limbs, missing.len()), (0, 12, 12));
    let text = error.to_string();
    for name in ["left_upper_arm", "right_foot", "only 0 of the 12"] {
        assert!(text.contains(name), "{text}");
    }
    // Legs alone are half.
    let mut joints = person.joints();
    let arm = |name: &str| ["arm", "hand", "shoulder"].iter().any(|a| name.contains(a));
    for joint in joints.iter_mut().filter(|j| arm(&j.name)) {
        joint.name = joint.name.replace(['a', 'o'], "x");
    }
    let (wings, _) = Skeleton::new(joints.clone()).unwrap();
    assert_eq!(checked(&wings), Ok(()));
    let lamed = joints.iter_mut().find(|j| j.name == "left_upper_leg");
    lamed.unwrap().name = "left_xxx".to_owned();
    let (lame, _) = Skeleton::new(joints).unwrap();
    assert!(matches!(
        checked(&lame),
        Err(RetargetError::FewLimbs { .. })
    ));
}

#[test]
fn a_motion_without_limbs_has_none_to_lose() {
    let bone = |name: &str, parent| Joint::new(name, parent, Transform::from_translation(Vec3::Y));
    let (torso, _) = Skeleton::new(vec![
        bone("hips", None),
        bone("spine", Some(0)),
        bone("head", Some(1)),
    ])
    .unwrap();
    let person = Person::default().skeleton();
    let pairs = pair_joints(&torso, &person).unwrap();
    assert_eq!(check_limbs(&torso, &person, &pairs), Ok(()));
}
