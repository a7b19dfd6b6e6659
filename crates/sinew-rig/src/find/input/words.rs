//! Other words for the joints of a template.

use crate::retarget::roles::joint_names::{sided, split_words};
use sinew::skeleton::Side;

/// Name of a template joint for a common word, such as `left_wrist` for `left_hand`, `chin` for `head`, or `knee.L`.
/// Other names are returned unchanged.
///
/// ```
/// use sinew_rig::find::joint_of_word;
/// assert_eq!(joint_of_word("left_wrist"), "left_hand");
/// assert_eq!(joint_of_word("RightKnee"), "right_lower_leg");
/// assert_eq!(joint_of_word("groin"), "hips");
/// assert_eq!(joint_of_word("tail_1"), "tail_1");
/// ```
pub fn joint_of_word(word: &str) -> String {
    let (side, words) = match sided(word) {
        Some((side, words)) => (Some(side), words),
        None => (None, split_words(word)),
    };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let part = match (side.is_some(), words.concat().as_str()) {
        (false, "chin") => "head",
        (false, "groin" | "crotch" | "pelvis" | "hip") => "hips",
        (true, "clavicle" | "collar" | "collarbone") => "shoulder",
        (true, "arm" | "upperarm") => "upper_arm",
        (true, "elbow" | "forearm" | "lowerarm") => "lower_arm",
        (true, "wrist") => "hand",
        (true, "hip" | "thigh" | "upperleg") => "upper_leg",
        (true, "knee" | "shin" | "calf" | "lowerleg") => "lower_leg",
        (true, "ankle") => "foot",
        (true, "toe" | "ball") => "toes",
        (true, "shoulder" | "hand" | "foot" | "toes") => words[0],
        _ => return word.to_owned(),
    };
    match side {
        Some(Side::Left) => format!("left_{part}"),
        Some(Side::Right) => format!("right_{part}"),
        None => part.to_owned(),
    }
}
