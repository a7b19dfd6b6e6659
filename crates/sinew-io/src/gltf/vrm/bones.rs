//! The humanoid map of a VRM file, as roles of joints.
//!
//! VRM names the bones of the spine and the fingers by position, and some may be missing. Roles
//! number them without gaps. Eyes and jaw have no role.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Display;

use super::extension::{Extension, VrmVersion, index, text, unreadable};
use crate::gltf::check::parents;
use crate::gltf::document::json::{elements, entries};
use crate::gltf::document::schema::Document;
use crate::report::FileReport;
use sinew::skeleton::{Finger, Role, Side};

/// A VRM bone. The numbers in its role have gaps where bones are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bone {
    Role(Role),
    Face,
}

pub(super) fn roles(
    extension: &Extension<'_>,
    document: &Document,
    report: &mut FileReport,
) -> BTreeMap<usize, Role> {
    let mut map = Map {
        document,
        nodes: BTreeMap::new(),
        report,
    };
    let pointer = extension.pointer("humanoid/humanBones");
    let bones = extension.at(&["humanoid", "humanBones"]);
    match extension.version {
        VrmVersion::V0 => {
            let bones = bones.and_then(elements).into_iter().flatten();
            for (number, bone) in bones.enumerate() {
                let at = format_args!("{pointer}/{number}");
                map.add(&text(bone, "bone"), bone, at);
            }
        }
        VrmVersion::V1 => {
            for (name, bone) in bones.and_then(entries).into_iter().flatten() {
                map.add(&name, bone, Extension::below(&pointer, &name));
            }
        }
    }
    let nodes = map.in_body_order(&pointer);
    if !nodes.contains_key(&Role::Hips) {
        let message =
            "the humanoid map has no hips and was left out; joints are recognised by their names";
        unreadable(report, pointer, message);
        return BTreeMap::new();
    }
    report_missing(&nodes, &pointer, report);
    counted(&nodes)
}

struct Map<'a> {
    document: &'a Document,
    nodes: BTreeMap<Role, usize>,
    report: &'a mut FileReport,
}

impl Map<'_> {
    /// Adds the bone `name`. `object` holds its node.
    fn add(&mut self, name: &str, object: &str, at: impl Display) {
        let role = match bone(name) {
            Some(Bone::Role(role)) => role,
            Some(Bone::Face) => return,
            None => return unreadable(self.report, at, "this is not the name of a humanoid bone"),
        };
        let Some(node) = index(object, "node", self.document.nodes.len()) else {
            return unreadable(
                self.report,
                at,
                "the bone refers to a node that does not exist",
            );
        };
        if self.nodes.values().any(|other| *other == node) {
            let message = format_args!("node {node} is already used by another bone");
            return unreadable(self.report, at, message);
        }
        match self.nodes.entry(role) {
            Entry::Vacant(vacant) => {
                vacant.insert(node);
            }
            Entry::Occupied(_) => unreadable(self.report, at, "the bone occurs twice"),
        }
    }

    /// Removes bones that are not below the required ancestors.
    fn in_body_order(self, pointer: &str) -> BTreeMap<Role, usize> {
        let parents = parents(self.document);
        let is_under = |node: usize, above: usize| {
            let mut next = parents.get(node).copied().flatten();
            // A path to the root has no more nodes than this.
            for _ in 0..parents.len() {
                match next {
                    Some(found) if found == above => return true,
                    Some(found) => next = parents.get(found).copied().flatten(),
                    None => return false,
                }
            }
            false
        };
        let mut kept: BTreeMap<Role, usize> = BTreeMap::new();
        // Roles are sorted from the hips outward, so ancestors come first.
        for (role, node) in self.nodes {
            let mut above = above(role);
            while let Some(missing) = above.filter(|above| !kept.contains_key(above)) {
                above = self::above(missing);
            }
            match above.map(|above| (above, kept[&above])) {
                Some((above, top)) if !is_under(node, top) => {
                    let message = format_args!(
                        "the {role} (node {node}) is not a descendant of the {above} (node {top}) and was left out"
                    );
                    unreadable(self.report, pointer, message);
                }
                _ => {
                    kept.insert(role, node);
                }
            }
        }
        kept
    }
}

/// The next bone toward the hips.
fn above(role: Role) -> Option<Role> {
    Some(match role {
        Role::Hips => return None,
        Role::Spine(0) | Role::UpperLeg(_) => Role::Hips,
        Role::Spine(k) => Role::Spine(k - 1),
        Role::Neck(_) | Role::Shoulder(_) => Role::Spine(2),
        Role::Head => Role::Neck(0),
        Role::UpperArm(side) => Role::Shoulder(side),
        Role::LowerArm(side) => Role::UpperArm(side),
        Role::Hand(side) => Role::LowerArm(side),
        Role::Finger(side, _, 0) => Role::Hand(side),
        Role::Finger(side, finger, k) => Role::Finger(side, finger, k - 1),
        Role::LowerLeg(side) => Role::UpperLeg(side),
        Role::Foot(side) => Role::LowerLeg(side),
        Role::Toes(side) => Role::Foot(side),
    })
}

fn bone(name: &str) -> Option<Bone> {
    let middle = match name {
        "hips" => Some(Role::Hips),
        "spine" => Some(Role::Spine(0)),
        "chest" => Some(Role::Spine(1)),
        "upperChest" => Some(Role::Spine(2)),
        "neck" => Some(Role::Neck(0)),
        "head" => Some(Role::Head),
        "jaw" | "leftEye" | "rightEye" => return Some(Bone::Face),
        _ => None,
    };
    if let Some(role) = middle {
        return Some(Bone::Role(role));
    }
    let (side, part) = match (name.strip_prefix("left"), name.strip_prefix("right")) {
        (Some(part), _) => (Side::Left, part),
        (_, Some(part)) => (Side::Right, part),
        _ => return None,
    };
    Some(Bone::Role(match part {
        "Shoulder" => Role::Shoulder(side),
        "UpperArm" => Role::UpperArm(side),
        "LowerArm" => Role::LowerArm(side),
        "Hand" => Role::Hand(side),
        "UpperLeg" => Role::UpperLeg(side),
        "LowerLeg" => Role::LowerLeg(side),
        "Foot" => Role::Foot(side),
        "Toes" => Role::Toes(side),
        _ => return finger(side, part),
    }))
}

fn finger(side: Side, part: &str) -> Option<Bone> {
    const FINGERS: [&str; 5] = ["Thumb", "Index", "Middle", "Ring", "Little"];
    // The thumb lacks `Intermediate` in 1.0, and `Metacarpal` in 0.x.
    const SEGMENTS: [&str; 4] = ["Metacarpal", "Proximal", "Intermediate", "Distal"];
    let mut fingers = Finger::ALL.into_iter().zip(FINGERS);
    let (finger, segment) =
        fingers.find_map(|(finger, name)| Some((finger, part.strip_prefix(name)?)))?;
    let segment = SEGMENTS.iter().position(|known| *known == segment)?;
    let exists = segment > 0 || finger == Finger::Thumb;
    exists.then_some(Bone::Role(Role::Finger(side, finger, segment)))
}

fn required() -> impl Iterator<Item = Role> {
    let of_side = [
        Role::UpperArm,
        Role::LowerArm,
        Role::Hand,
        Role::UpperLeg,
        Role::LowerLeg,
        Role::Foot,
    ];
    let sides = Side::ALL.into_iter();
    let limbs = sides.flat_map(move |side| of_side.into_iter().map(move |role| role(side)));
    [Role::Hips, Role::Spine(0), Role::Head]
        .into_iter()
        .chain(limbs)
}

fn report_missing(nodes: &BTreeMap<Role, usize>, pointer: &str, report: &mut FileReport) {
    let missing = required().filter(|role| !nodes.contains_key(role));
    let missing: Vec<String> = missing.map(|role| role.to_string()).collect();
    if !missing.is_empty() {
        let message = format_args!("required bones are missing: {}", missing.join(", "));
        unreadable(report, pointer, message);
    }
}

/// Roles by node. Spine and fingers are counted from 0 without gaps.
fn counted(nodes: &BTreeMap<Role, usize>) -> BTreeMap<usize, Role> {
    let mut roles = BTreeMap::new();
    let (mut spine, mut fingers) = (0, BTreeMap::new());
    for (role, node) in nodes {
        let role = match *role {
            Role::Spine(_) => {
                spine += 1;
                Role::Spine(spine - 1)
            }
            Role::Finger(side, finger, _) => {
                let count = fingers.entry((side, finger)).or_insert(0);
                *count += 1;
                Role::Finger(side, finger, *count - 1)
            }
            role => role,
        };
        roles.insert(*node, role);
    }
    roles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bone_of_both_versions_is_known() {
        let mut names = vec!["hips", "spine", "chest", "upperChest", "neck", "head"];
        names.extend(["jaw", "leftEye", "rightEye"]);
        assert!(names.iter().all(|name| bone(name).is_some()));
        let limbs = ["Shoulder", "UpperArm", "LowerArm", "Hand"];
        let legs = ["UpperLeg", "LowerLeg", "Foot", "Toes"];
        let fingers = ["Index", "Middle", "Ring", "Little"].into_iter();
        let fingers = fingers.flat_map(|finger| {
            ["Proximal", "Intermediate", "Distal"].map(|segment| format!("{finger}{segment}"))
        });
        let thumbs = ["Metacarpal", "Proximal", "Intermediate", "Distal"];
        let thumbs = thumbs.map(|segment| format!("Thumb{segment}"));
        let sided: Vec<String> = limbs.into_iter().chain(legs).map(str::to_owned).collect();
        for part in sided.into_iter().chain(fingers).chain(thumbs) {
            for side in ["left", "right"] {
                assert!(bone(&format!("{side}{part}")).is_some(), "{side}{part}");
            }
        }
        for wrong in [
            "",
            "Hips",
            "left",
            "leftHips",
            "leftIndexMetacarpal",
            "Hand",
        ] {
            assert_eq!(bone(wrong), None, "{wrong}");
        }
    }
}
