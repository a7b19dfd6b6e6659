//! Marker sets: the joint and offset of each marker.

use super::plug_in_gait::{BOTH_SIDES, MIDDLE};
use crate::template::Biped;
use glam::Vec3;
use sinew::Skeleton;

/// A marker on a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// Label in the capture. Case does not matter.
    pub label: String,
    /// Name of the joint that carries the marker.
    pub joint: String,
    /// Position in the frame of the joint, in metres.
    pub offset: Vec3,
}

/// Markers of a body.
///
/// ```
/// use sinew_rig::mocap::MarkerSet;
/// let set = MarkerSet::standard();
/// assert_eq!(set.find("lknE").unwrap().joint, "left_upper_leg");
/// assert_eq!(set.find("left_hand_2").unwrap().joint, "left_hand");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarkerSet {
    /// Markers in any order. Of equal labels, the first counts.
    pub markers: Vec<Marker>,
}

/// Central joints of the biped that carry a plate of markers.
const MIDDLE_PLATES: [&str; 6] = ["hips", "spine_1", "spine_2", "chest", "neck", "head"];
const SIDE_PLATES: [&str; 8] = [
    "shoulder",
    "upper_arm",
    "lower_arm",
    "hand",
    "upper_leg",
    "lower_leg",
    "foot",
    "toes",
];

/// Distance of the markers of a plate from the bone, in metres.
const ARM_M: f32 = 0.05;
/// Assumed length of a bone without a joint at its end, in metres.
const LAST_BONE_M: f32 = 0.08;

impl MarkerSet {
    /// Markers of [`MarkerSet::plates`] and [`MarkerSet::plug_in_gait`], which share no label.
    pub fn standard() -> Self {
        let mut set = Self::plug_in_gait();
        set.markers.extend(Self::plates().markers);
        set
    }

    /// Four markers on each segment of the biped except fingers, 5 cm from the bone. They determine
    /// the joint alone. Labels are the joint name and a number: `left_hand_1` to `left_hand_4`.
    pub fn plates() -> Self {
        let skeleton = biped();
        let sides = SIDE_PLATES.map(|part| ["left", "right"].map(|side| format!("{side}_{part}")));
        let joints = MIDDLE_PLATES.map(str::to_owned).into_iter();
        let joints = joints.chain(sides.into_iter().flatten());
        let markers = joints.flat_map(|joint| {
            let length = bone_length(&skeleton, &joint);
            let offsets = [
                [ARM_M, 0.3 * length, 0.0],
                [-ARM_M, 0.7 * length, 0.0],
                [0.0, 0.5 * length, ARM_M],
                [0.0, 0.5 * length, -ARM_M],
            ];
            let place = |(k, offset): (usize, [f32; 3])| Marker {
                label: format!("{joint}_{}", k + 1),
                joint: joint.clone(),
                offset: offset.into(),
            };
            let markers: Vec<Marker> = offsets.into_iter().enumerate().map(place).collect();
            markers
        });
        Self {
            markers: markers.collect(),
        }
    }

    /// Common labels of Plug-in Gait (`LFHD`, `C7`, `RASI`, …), on the surface of the mannequin.
    pub fn plug_in_gait() -> Self {
        let skeleton = biped();
        let model = skeleton.rest_model();
        let place = |label: String, joint: String, at: [f32; 3]| {
            let index = skeleton.find(&joint).expect("the biped has these joints");
            let joint_from_model = model.get(index).inverse().expect("a joint is no scale");
            let offset = joint_from_model.transform_point(at.into());
            Marker {
                label,
                joint,
                offset,
            }
        };
        let mut markers = Vec::new();
        for (label, joint, [x, y, z]) in BOTH_SIDES {
            for (letter, side, sign) in [("L", "left_", 1.0), ("R", "right_", -1.0)] {
                let joint = if MIDDLE_PLATES.contains(&joint) {
                    joint.to_owned()
                } else {
                    format!("{side}{joint}")
                };
                markers.push(place(format!("{letter}{label}"), joint, [sign * x, y, z]));
            }
        }
        let middle = MIDDLE.map(|(label, joint, at)| place(label.to_owned(), joint.to_owned(), at));
        markers.extend(middle);
        Self { markers }
    }

    /// Finds a marker by label. Case does not matter.
    pub fn find(&self, label: &str) -> Option<&Marker> {
        self.markers
            .iter()
            .find(|m| m.label.eq_ignore_ascii_case(label))
    }
}

fn biped() -> Skeleton {
    let template = Biped::default().template();
    template.skeleton().expect("the biped is a skeleton")
}

fn bone_length(skeleton: &Skeleton, joint: &str) -> f32 {
    let joint = skeleton.find(joint).expect("the biped has these joints");
    let ends = skeleton.children(joint);
    let far = ends.map(|child| skeleton.rest().get(child).translation.y);
    match far.fold(0.0, f32::max) {
        0.0 => LAST_BONE_M,
        length => length,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plates_have_three_markers_a_segment_and_arms_of_4_cm() {
        let set = MarkerSet::plates();
        for marker in &set.markers {
            let across = Vec3::new(marker.offset.x, 0.0, marker.offset.z).length();
            assert!(across > 0.04, "{marker:?}");
            let beside = set.markers.iter().filter(|m| m.joint == marker.joint);
            assert!(beside.count() >= 3);
        }
        let standard = MarkerSet::standard();
        let mut labels: Vec<String> = standard
            .markers
            .iter()
            .map(|m| m.label.to_lowercase())
            .collect();
        labels.sort();
        labels.dedup();
        assert_eq!(labels.len(), standard.markers.len(), "labels differ");
    }
}
