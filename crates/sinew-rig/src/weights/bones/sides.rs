/// Joint on the other side for every joint, by name: `Left` and `Right`, or `L` and `R` next to
/// `.`, `_`, `-` or a space, in any case. A joint without a partner maps to itself.
///
/// ```
/// use sinew_rig::weights::mirrored_joints;
/// let names = ["hips", "LeftArm", "RightArm", "leg_L_1", "leg_R_1"];
/// assert_eq!(mirrored_joints(&names), [0, 2, 1, 4, 3]);
/// ```
pub fn mirrored_joints(names: &[impl AsRef<str>]) -> Vec<usize> {
    let lower: Vec<String> = names.iter().map(|n| n.as_ref().to_lowercase()).collect();
    let find = |name: &str| lower.iter().position(|n| n == name);
    lower
        .iter()
        .enumerate()
        .map(|(joint, name)| {
            other_side(name)
                .iter()
                .find_map(|n| find(n))
                .unwrap_or(joint)
        })
        .collect()
}

/// Possible names of the partner of a lower-case name.
pub(crate) fn other_side(name: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (one, other) in [("left", "right"), ("right", "left")] {
        if name.contains(one) {
            names.push(name.replacen(one, other, 1));
        }
    }
    let is_apart = |c: Option<char>| c.is_none_or(|c| " ._-".contains(c));
    for (at, letter) in name.char_indices() {
        let other = match letter {
            'l' => 'r',
            'r' => 'l',
            _ => continue,
        };
        let before = name[..at].chars().next_back();
        let after = name[at + 1..].chars().next();
        if is_apart(before) && is_apart(after) {
            names.push(format!("{}{other}{}", &name[..at], &name[at + 1..]));
        }
    }
    names
}
