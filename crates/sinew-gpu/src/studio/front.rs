use super::posed::{duration_secs, posed};
use glam::{Vec2, Vec3};
use sinew::skeleton::{Role, Side};
use sinew::{Character, ModelPose, Skeleton};
use std::collections::BTreeMap;
use std::fmt;

/// Direction that a character faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Front {
    /// Angle about y from +Z toward +X, in radians.
    pub azimuth_rad: f32,
    /// Rule that determined the front.
    pub by: FrontRule,
}

/// Rule that determines the front of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrontRule {
    /// Left and right hips, shoulders or other joints, known by name or role.
    Sides,
    /// Direction from the feet to the toes.
    Feet,
    /// No other rule applied: +Z, as in glTF.
    Axis,
}

impl fmt::Display for FrontRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sides => "from joints named left and right",
            Self::Feet => "from its toes",
            Self::Axis => "no joint shows the front, so +Z is assumed",
        })
    }
}

const MOMENTS: u32 = 24;

/// Min length of the mean of the unit directions over a clip, for the clip to have a single front.
const COHERENT: f32 = 0.7;

/// Mean front over a clip, or the front at rest without a clip. If the character rotates too far
/// for a mean, the front at `time_secs`.
pub fn find_front(character: &Character, clip: Option<usize>, time_secs: f64) -> Front {
    let duration = duration_secs(character, clip);
    let at = |time| facing(&character.skeleton, &posed(character, clip, time));
    let now = at(time_secs);
    let (mut toward, by) = now;
    if duration > 0.0 && by != FrontRule::Axis {
        let times = (0..MOMENTS).map(|m| duration * f64::from(m) / f64::from(MOMENTS));
        let mean = times.map(|time| at(time).0).sum::<Vec2>() / MOMENTS as f32;
        if mean.length() > COHERENT {
            toward = mean;
        }
    }
    Front {
        azimuth_rad: toward.x.atan2(toward.y),
        by,
    }
}

fn facing(skeleton: &Skeleton, pose: &ModelPose) -> (Vec2, FrontRule) {
    let at = |joint: usize| pose.get(joint).translation();
    let level = |v: Vec3| Vec2::new(v.x, v.z);
    let height = {
        let heights = pose.as_slice().iter().map(|m| m.translation().y);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(l, h), y| (l.min(y), h.max(y)));
        (high - low).max(0.0)
    };
    let clear = |v: Vec2| (v.is_finite() && v.length() > 1e-3 * height).then(|| v.normalize());
    let across = |pairs: &[[usize; 2]]| {
        let sides = pairs.iter().map(|&[left, right]| at(left) - at(right));
        // The left side of a figure that faces z is toward x.
        clear(level(sides.sum::<Vec3>().cross(Vec3::Y)))
    };
    let [trunk, others, face] = sides(skeleton);
    if let Some(toward) = across(&trunk).or_else(|| across(&others)) {
        return (toward, FrontRule::Sides);
    }
    let toes = (0..skeleton.len()).filter_map(|joint| {
        let name = skeleton.name(joint).to_lowercase();
        let ankle = skeleton.parent(joint)?;
        name.contains("toe").then(|| at(joint) - at(ankle))
    });
    if let Some(toward) = clear(level(toes.sum())) {
        return (toward, FrontRule::Feet);
    }
    // In files with only a head, left and right are often those of the viewer. Joints of the face
    // therefore count only if they give a front toward +Z.
    match across(&face).filter(|toward| toward.y > 0.0) {
        Some(toward) => (toward, FrontRule::Sides),
        None => (Vec2::Y, FrontRule::Axis),
    }
}

/// Pairs of left and right joints, found by role, or by names that differ only in the side. Three
/// lists: hips and shoulders; other joints; eyes, ears and brows.
fn sides(skeleton: &Skeleton) -> [Vec<[usize; 2]>; 3] {
    let stated = stated_sides(skeleton);
    if !stated.is_empty() {
        return [stated, Vec::new(), Vec::new()];
    }
    const TRUNK: [&str; 10] = [
        "hip", "thigh", "upleg", "upperleg", "legup", "shoulder", "clavicle", "collar", "upperarm",
        "uparm",
    ];
    let mut found: BTreeMap<String, [Option<usize>; 2]> = BTreeMap::new();
    for joint in 0..skeleton.len() {
        if let Some((side, rest)) = side_of(skeleton.name(joint)) {
            found.entry(rest).or_default()[side].get_or_insert(joint);
        }
    }
    let mut pairs = [const { Vec::new() }; 3];
    for (name, pair) in found {
        if let [Some(left), Some(right)] = pair {
            let is_trunk = TRUNK.iter().any(|part| name.contains(part));
            let kind = match is_trunk {
                true => 0,
                false => 1 + usize::from(is_of_face(&name)),
            };
            pairs[kind].push([left, right]);
        }
    }
    pairs
}

/// True for eyes, ears and brows, but not for forearms, rear legs or gears.
fn is_of_face(name: &str) -> bool {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let ends_in_ear = name.ends_with("ear") && !name.ends_with("rear") && !name.ends_with("gear");
    name.contains("eye") || name.contains("brow") || name.starts_with("ear") || ends_in_ear
}

fn stated_sides(skeleton: &Skeleton) -> Vec<[usize; 2]> {
    let stated = |role| (0..skeleton.len()).find(|joint| skeleton.role(*joint) == Some(role));
    let pair = |role: fn(Side) -> Role| {
        let [left, right] = Side::ALL.map(|side| stated(role(side)));
        Some([left?, right?])
    };
    let trunk = [Role::UpperLeg, Role::Shoulder, Role::UpperArm];
    trunk.into_iter().filter_map(pair).collect()
}

/// Side of a joint (0 left, 1 right), and the rest of its name in lower case without separators.
fn side_of(name: &str) -> Option<(usize, String)> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    let mut letters = name.chars().peekable();
    while let Some(c) = letters.next() {
        let is_new_word = c.is_uppercase() && last.is_lowercase();
        // The L of "LHip" is a separate word. The L of "LEFT" is not.
        let alone = c.is_uppercase()
            && letters.peek().is_some_and(|next| next.is_lowercase())
            && words.last().is_some_and(|w| w == "l" || w == "r");
        if c.is_alphanumeric() {
            if !last.is_alphanumeric() || is_new_word || alone {
                words.push(c.to_lowercase().collect());
            } else {
                words.last_mut()?.extend(c.to_lowercase());
            }
        }
        last = c;
    }
    const SIDES: [[&str; 3]; 2] = [["l", "left", "左"], ["r", "right", "右"]];
    for (side, [letter, word, sign]) in SIDES.into_iter().enumerate() {
        if let Some(at) = words.iter().position(|w| w == letter || w == word) {
            words.remove(at);
            return Some((side, words.concat()));
        }
        let whole = words.concat();
        for part in [word, sign] {
            if let Some(at) = words
                .iter()
                .position(|w| w.starts_with(part) || w.ends_with(part))
            {
                words[at] = words[at].replacen(part, "", 1);
                return Some((side, words.concat())).filter(|(_, rest)| *rest != whole);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::Joint;
    use sinew::transform::Transform;

    #[test]
    fn sides_are_read_from_the_names_that_programs_give() {
        let same = [
            ["LeftUpLeg", "RightUpLeg"],
            ["mixamorig:LeftShoulder", "mixamorig:RightShoulder"],
            ["thigh.L", "thigh.R"],
            ["upperarm_l", "upperarm_r"],
            ["L_Hip", "R_Hip"],
            ["Bip01 L Thigh", "Bip01 R Thigh"],
            ["lThigh", "rThigh"],
            ["LHipJoint", "RHipJoint"],
            ["left_upper_leg", "right_upper_leg"],
            ["lefthip", "righthip"],
            ["LEFT_HIP", "RIGHT_HIP"],
            ["b_LeftUpLeg01", "b_RightUpLeg01"],
            ["左足", "右足"],
        ];
        for [left, right] in same {
            let (l, r) = (side_of(left).expect(left), side_of(right).expect(right));
            assert_eq!((l.0, r.0), (0, 1), "{left}");
            assert_eq!(l.1, r.1, "{left}");
        }
        for middle in [
            "Hips",
            "spine.001",
            "Root",
            "LowerBack",
            "Collar",
            "Ruler",
            "neck",
        ] {
            assert_eq!(side_of(middle), None, "{middle}");
        }
    }

    fn rotated(character: &Character, degrees: f32) -> (f32, FrontRule) {
        let rotation = glam::Quat::from_rotation_y(degrees.to_radians());
        let world = Transform::from_rotation(rotation).to_affine();
        let mut pose = ModelPose::identity(0);
        let skeleton = &character.skeleton;
        pose.update(skeleton.hierarchy(), skeleton.rest(), &world)
            .unwrap();
        let (toward, by) = facing(skeleton, &pose);
        (toward.x.atan2(toward.y).to_degrees(), by)
    }

    #[test]
    fn a_rotated_figure_is_found_rotated() {
        let person = sinew_samples::mannequin::Mannequin::default().build();
        for degrees in [0.0_f32, 90.0, 180.0, -90.0, 37.0] {
            let (found, by) = rotated(&person, degrees);
            assert_eq!(by, FrontRule::Sides);
            let apart = (found - degrees).rem_euclid(360.0);
            assert!(apart.min(360.0 - apart) < 0.5, "{degrees}: {found}");
        }
        let walk = person.find_clip("walk");
        let front = find_front(&person, walk, 0.3);
        assert!(front.azimuth_rad.abs() < 0.05, "{front:?}");
    }

    #[test]
    fn stated_sides_tell_whatever_names_say() {
        let joint = |name: &str, parent, x, role| Joint {
            role,
            ..Joint::new(name, parent, Transform::from_translation(Vec3::X * x))
        };
        let legs = vec![
            joint("hips", None, 0.0, Some(Role::Hips)),
            joint("thigh.R", Some(0), 0.1, Some(Role::UpperLeg(Side::Left))),
            joint("thigh.L", Some(0), -0.1, Some(Role::UpperLeg(Side::Right))),
        ];
        let legs = Character::from_skeleton(Skeleton::new(legs).unwrap().0);
        for degrees in [0.0_f32, 180.0] {
            let (found, by) = rotated(&legs, degrees);
            assert_eq!(by, FrontRule::Sides);
            let apart = (found - degrees).rem_euclid(360.0);
            assert!(apart.min(360.0 - apart) < 0.01, "{degrees}: {found}");
        }
    }

    /// Head whose left eye is on the left of the viewer.
    #[test]
    fn eyes_tell_only_where_nothing_else_does_and_never_against_z() {
        let joint = |name: &str, parent, at: [f32; 3]| {
            Joint::new(name, parent, Transform::from_translation(at.into()))
        };
        let head = |left: f32, more: Vec<Joint>| {
            let mut joints = vec![
                joint("head", None, [0.0, 1.0, 0.0]),
                joint("eyeLeft", Some(0), [left, 0.1, 0.1]),
                joint("eyeRight", Some(0), [-left, 0.1, 0.1]),
                joint("ear.L", Some(0), [left, 0.0, 0.0]),
                joint("ear.R", Some(0), [-left, 0.0, 0.0]),
            ];
            joints.extend(more);
            Character::from_skeleton(Skeleton::new(joints).unwrap().0)
        };
        let seen = find_front(&head(-0.03, vec![]), None, 0.0);
        assert_eq!((seen.azimuth_rad, seen.by), (0.0, FrontRule::Axis));
        let own = find_front(&head(0.03, vec![]), None, 0.0);
        assert_eq!((own.azimuth_rad, own.by), (0.0, FrontRule::Sides));
        let rotated_head = rotated(&head(0.03, vec![]), 40.0);
        assert!((rotated_head.0 - 40.0).abs() < 0.01, "{rotated_head:?}");
        // Forearms are not ears, so they count.
        let arms = vec![
            joint("forearm.L", Some(0), [-0.5, -0.5, 0.0]),
            joint("forearm.R", Some(0), [0.5, -0.5, 0.0]),
        ];
        let back = find_front(&head(0.03, arms), None, 0.0);
        assert_eq!(back.by, FrontRule::Sides);
        assert!(back.azimuth_rad.abs() > 3.1, "{back:?}");
    }

    #[test]
    fn toes_tell_where_names_of_sides_do_not_and_z_where_nothing_does() {
        let joint = |name: &str, parent, at: [f32; 3]| {
            Joint::new(name, parent, Transform::from_translation(at.into()))
        };
        let foot = vec![
            joint("ankle", None, [0.0, 0.1, 0.0]),
            joint("toes", Some(0), [0.2, -0.1, 0.0]),
        ];
        let leg = Character::from_skeleton(Skeleton::new(foot).unwrap().0);
        let front = find_front(&leg, None, 0.0);
        assert_eq!(front.by, FrontRule::Feet);
        assert!((front.azimuth_rad.to_degrees() - 90.0).abs() < 1e-3);
        let rod = Skeleton::new(vec![joint("rod", None, [0.0; 3])]).unwrap().0;
        let nothing = find_front(&Character::from_skeleton(rod), None, 0.0);
        assert_eq!((nothing.azimuth_rad, nothing.by), (0.0, FrontRule::Axis));
    }
}
