//! Names of the joints that are compared, and the joints of artists' files that have these roles.

use sinew::Skeleton;
use sinew::skeleton::{Role, Side};
use sinew_rig::retarget::find_roles;
use std::collections::BTreeMap;

pub const SIDES: [&str; 2] = ["left", "right"];
/// Limb joints of a person.
pub const LIMBS: [&str; 6] = [
    "upper_arm",
    "lower_arm",
    "hand",
    "upper_leg",
    "lower_leg",
    "foot",
];
/// Limb joints of a four-legged animal.
pub const LEGS: [&str; 6] = [
    "front_upper_leg",
    "front_lower_leg",
    "front_foot",
    "upper_leg",
    "lower_leg",
    "foot",
];

/// Facts that names and tree of a file do not tell.
pub struct Known {
    /// Name of the file without its ending.
    pub file: &'static str,
    pub has_four_legs: bool,
    /// Template name and joint. `*` is the side.
    pub roles: &'static [(&'static str, &'static str)],
    /// Letters of the sides in joint names.
    pub sides: [&'static str; 2],
    /// Joint that is a control without a limb, and the joint that carries it. `*` is the side.
    pub carried: &'static [(&'static str, &'static str)],
    /// Height without hat, ears or plume, if the mesh is higher.
    pub height: Option<f32>,
    /// Parts of node names that are not worn: things held in the hand.
    pub held: &'static [&'static str],
    /// Template names whose joint the artist put elsewhere on the limb, as ankles on the sole. The
    /// found joint is compared with the bones before and after it.
    pub on_the_bone: &'static [&'static str],
}

const PLAIN: Known = Known {
    file: "",
    has_four_legs: false,
    roles: &[],
    sides: ["L", "R"],
    carried: &[],
    height: None,
    held: &[],
    on_the_bone: &[],
};

/// Bodies made by code, whose joints have template names.
pub const MADE: Known = PLAIN;
pub const MADE_FOUR: Known = Known {
    has_four_legs: true,
    ..PLAIN
};

const QUATERNIUS: &[(&str, &str)] = &[
    ("hips", "Back"),
    ("chest", "Torso2"),
    ("head", "Head"),
    ("*_front_upper_leg", "FrontUpperLeg.*"),
    ("*_front_lower_leg", "FrontLowerLeg.*"),
    ("*_front_foot", "IKFrontLeg.*"),
    ("*_upper_leg", "BackLeg.*"),
    ("*_lower_leg", "BackUpperLeg.*"),
    ("*_foot", "BackLowerLeg.*"),
    ("*_toes", "IKBackLeg.*"),
];
const CARRIED: &[(&str, &str)] = &[
    ("IKBackLeg.*", "BackLowerLeg.*"),
    ("IKFrontLeg.*", "FrontLowerLeg.*"),
];

pub const KNOWN: &[Known] = &[
    Known {
        file: "kaykit-mage",
        roles: &[("*_hand", "wrist.*")],
        sides: ["l", "r"],
        held: &["Spellbook", "1H_Wand", "2H_Staff"],
        height: Some(2.2),
        ..PLAIN
    },
    Known {
        file: "Fox",
        has_four_legs: true,
        roles: &[
            ("chest", "b_Spine02_03"),
            ("neck_1", "b_Neck_04"),
            ("head", "b_Head_05"),
            ("right_front_upper_leg", "b_RightUpperArm_06"),
            ("right_front_lower_leg", "b_RightForeArm_07"),
            ("right_front_foot", "b_RightHand_08"),
            ("left_front_upper_leg", "b_LeftUpperArm_09"),
            ("left_front_lower_leg", "b_LeftForeArm_010"),
            ("left_front_foot", "b_LeftHand_011"),
            ("left_upper_leg", "b_LeftLeg01_015"),
            ("left_lower_leg", "b_LeftLeg02_016"),
            ("left_foot", "b_LeftFoot01_017"),
            ("left_toes", "b_LeftFoot02_018"),
            ("right_upper_leg", "b_RightLeg01_019"),
            ("right_lower_leg", "b_RightLeg02_020"),
            ("right_foot", "b_RightFoot01_021"),
            ("right_toes", "b_RightFoot02_022"),
            ("hips", "b_Hip_01"),
        ],
        ..PLAIN
    },
    Known {
        file: "m2m-dog",
        has_four_legs: true,
        roles: &[
            ("hips", "Hips"),
            ("chest", "Spine_2"),
            ("head", "Head"),
            ("*_front_upper_leg", "Front_Leg_Upper_*"),
            ("*_front_lower_leg", "Front_Leg_Lower_*"),
            ("*_front_foot", "Front_Leg_Ankle_*"),
            ("*_upper_leg", "Back_Leg_Upper_*"),
            ("*_lower_leg", "Back_Leg_Lower_*"),
            ("*_foot", "Back_Leg_Ankle_*"),
            ("*_toes", "Back_Leg_Foot_*"),
        ],
        ..PLAIN
    },
    Known {
        file: "m2m-t-rex",
        roles: &[
            ("hips", "Hips"),
            ("head", "Head"),
            ("*_upper_arm", "Front_Leg_Upper_*"),
            ("*_lower_arm", "Front_Leg_Lower_*"),
            ("*_hand", "Hand_*"),
            ("*_upper_leg", "Back_Leg_Upper_*"),
            ("*_lower_leg", "Back_Leg_Lower_*"),
            ("*_foot", "Back_Leg_Ankle_*"),
        ],
        ..PLAIN
    },
    Known {
        file: "q-horse",
        has_four_legs: true,
        roles: QUATERNIUS,
        carried: CARRIED,
        ..PLAIN
    },
    Known {
        file: "q-husky",
        has_four_legs: true,
        roles: QUATERNIUS,
        carried: CARRIED,
        // High at the elbow; other artists bend the leg in its middle.
        on_the_bone: &["left_front_lower_leg", "right_front_lower_leg"],
        ..PLAIN
    },
    Known {
        file: "q-triceratops",
        has_four_legs: true,
        roles: &[
            ("hips", "Hips"),
            ("chest", "Shoulders"),
            ("head", "Head"),
            ("*_front_upper_leg", "FrontUpLeg.*"),
            ("*_front_lower_leg", "FrontLowLeg.*"),
            ("*_front_foot", "FrontFoot.*"),
            ("*_upper_leg", "BackUpLeg.*"),
            ("*_lower_leg", "BackLowLeg.*"),
            ("*_foot", "BackFoot.*"),
        ],
        carried: &[
            ("BackFoot.*", "BackLowLeg.*"),
            ("FrontFoot.*", "FrontLowLeg.*"),
        ],
        on_the_bone: &[
            "left_foot",
            "right_foot",
            "left_front_foot",
            "right_front_foot",
        ],
        ..PLAIN
    },
    Known {
        file: "q-hero",
        roles: &[("hips", "Hips"), ("*_foot", "Foot.*"), ("*_hand", "Fist.*")],
        carried: &[("Foot.*", "LowerLeg.*")],
        on_the_bone: &["left_foot", "right_foot"],
        height: Some(2.85),
        ..PLAIN
    },
    Known {
        file: "q-knight",
        roles: &[("hips", "Hips"), ("*_foot", "Foot.*"), ("*_hand", "Palm.*")],
        carried: &[("Foot.*", "LowerLeg.*")],
        on_the_bone: &["left_foot", "right_foot"],
        ..PLAIN
    },
    Known {
        file: "q-man-adventurer",
        on_the_bone: &["left_foot", "right_foot"],
        ..PLAIN
    },
    Known {
        file: "q-woman-medieval",
        roles: &[("hips", "Hips")],
        carried: &[("UpperLeg.*", "Hips")],
        on_the_bone: &["left_foot", "right_foot"],
        ..PLAIN
    },
    Known {
        file: "q-woman-suit",
        roles: &[("hips", "Hips")],
        carried: &[("UpperLeg.*", "Hips")],
        on_the_bone: &["left_foot", "right_foot"],
        ..PLAIN
    },
    Known {
        file: "q-woman-witch",
        roles: &[("hips", "Hips")],
        carried: &[("UpperLeg.*", "Hips")],
        on_the_bone: &["left_foot", "right_foot"],
        height: Some(1.85),
        ..PLAIN
    },
];

/// Known facts of a file, or none.
pub fn known(file: &str) -> &'static Known {
    KNOWN
        .iter()
        .find(|known| known.file == file)
        .unwrap_or(&PLAIN)
}

fn name_of(role: Role, spine: usize) -> Option<String> {
    let side = |side: Side| match side {
        Side::Left => "left",
        Side::Right => "right",
    };
    Some(match role {
        Role::Hips => "hips".into(),
        Role::Head => "head".into(),
        Role::Spine(k) if k + 1 == spine => "chest".into(),
        Role::Spine(k) => format!("spine_{}", k + 1),
        Role::Neck(0) => "neck".into(),
        Role::Neck(_) => return None,
        Role::Shoulder(s) => format!("{}_shoulder", side(s)),
        Role::UpperArm(s) => format!("{}_upper_arm", side(s)),
        Role::LowerArm(s) => format!("{}_lower_arm", side(s)),
        Role::Hand(s) => format!("{}_hand", side(s)),
        Role::UpperLeg(s) => format!("{}_upper_leg", side(s)),
        Role::LowerLeg(s) => format!("{}_lower_leg", side(s)),
        Role::Foot(s) => format!("{}_foot", side(s)),
        Role::Toes(s) => format!("{}_toes", side(s)),
        Role::Finger(s, finger, k) => {
            let finger = format!("{finger:?}").to_lowercase();
            format!("{}_{finger}_{}", side(s), k + 1)
        }
    })
}

/// Joints by template name.
pub fn joints(skeleton: &Skeleton, known: &Known) -> BTreeMap<String, usize> {
    let mut joints = BTreeMap::new();
    if !known.has_four_legs {
        let roles = find_roles(skeleton);
        let spine = roles.spine_len();
        joints.extend(
            roles
                .iter()
                .filter_map(|(role, joint)| Some((name_of(role, spine)?, joint))),
        );
    }
    if known.roles.is_empty() && known.has_four_legs {
        joints.extend((0..skeleton.len()).map(|j| (skeleton.name(j).to_owned(), j)));
    }
    for (name, joint) in both(known.roles, SIDES, known.sides) {
        joints.insert(name, find(skeleton, &joint));
    }
    joints
}

fn find(skeleton: &Skeleton, name: &str) -> usize {
    let joint = skeleton.find(name);
    joint.unwrap_or_else(|| panic!("the file has no joint {name}"))
}

/// Parents, with controls below the limb that carries them.
pub fn parents(skeleton: &Skeleton, known: &Known) -> Vec<Option<usize>> {
    let mut parents: Vec<_> = (0..skeleton.len()).map(|j| skeleton.parent(j)).collect();
    for (child, parent) in both(known.carried, known.sides, known.sides) {
        parents[find(skeleton, &child)] = Some(find(skeleton, &parent));
    }
    parents
}

/// Pairs of names of both sides, with the words of the sides instead of `*`.
fn both(names: &[(&str, &str)], first: [&str; 2], second: [&str; 2]) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for (one, other) in names {
        let sides = if one.contains('*') { 0..2 } else { 0..1 };
        pairs.extend(sides.map(|s| (one.replace('*', first[s]), other.replace('*', second[s]))));
    }
    pairs
}
