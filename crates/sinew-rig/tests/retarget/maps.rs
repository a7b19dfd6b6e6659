//! Maps of joints: as files, edited, and for unknown names.

use super::*;

#[test]
fn a_map_goes_to_a_file_and_back_and_can_be_edited() {
    let (a, b) = (Person::default().skeleton(), stranger().skeleton());
    let pairs = pair_joints(&a, &b).unwrap();
    assert_eq!(pairs.len(), a.len(), "everything has a counterpart");
    let mut map = names_of_pairs(&a, &b, &pairs);
    assert_eq!(map["left_hand"], Some("left_hand".to_owned()));
    assert_eq!(pairs_from_names(&a, &b, &map).unwrap(), pairs);
    map.insert(
        "left_upper_arm".to_owned(),
        Some("right_upper_arm".to_owned()),
    );
    map.insert(
        "right_upper_arm".to_owned(),
        Some("left_upper_arm".to_owned()),
    );
    map.insert("neck".to_owned(), None);
    let edited = pairs_from_names(&a, &b, &map).unwrap();
    let done = retarget(&a, &people::dance(&a), &b, &edited, &NO_FEET).unwrap();
    assert_eq!(done.report.shared, ["neck"]);
}

#[test]
fn names_that_say_nothing_work_with_a_map() {
    let a = Person::default().skeleton();
    let mut joints = a.joints();
    joints
        .iter_mut()
        .enumerate()
        .for_each(|(k, j)| j.name = format!("Bone.{k:03}"));
    let (nameless, _) = Skeleton::new(joints).unwrap();
    let b = stranger().skeleton();
    assert!(matches!(
        pair_joints(&nameless, &b),
        Err(RetargetError::NoRoles { .. })
    ));
    let by_name = pair_joints(&a, &b).unwrap();
    let clip = people::dance(&a);
    let [known, mapped] = [&a, &nameless].map(|from| {
        retarget(from, &clip, &b, &by_name, &RetargetOptions::default())
            .unwrap()
            .clip
    });
    assert_eq!(known, mapped);
}
