//! Compares a skeleton with the mesh that it is to move.

mod measures;

use glam::{DVec3, Vec3};
use measures::{Placed, limb_bones};
use sinew::Skeleton;
use sinew::skeleton::{Role, Side};
use std::fmt;

/// Min part of a limb bone, and of a bone of the trunk, outside the mesh.
const OUTSIDE: f64 = 0.25;
/// Min ratio of the lengths of left and right bones.
const DIFFERENT: f64 = 1.25;
/// Min distance of a foot or hand beyond the one of the other side, in heights of the mesh.
const CROSSED: f64 = 0.02;
/// Heights of skeletons relative to their meshes, from the lowest to the highest joint.
const HEIGHTS: std::ops::RangeInclusive<f64> = 0.36..=1.1;
/// Min height of both shoulders above the neck of the mesh, in heights of the mesh.
const IN_HEAD: f64 = 0.02;
/// Number of legs that a skeleton of two legs does not have, and the min distance between them, in heights of the mesh.
const MANY_LEGS: usize = 4;
const APART: f64 = 0.25;
/// Distance from every bone, in heights of the mesh, and the part of the volume beyond it that needs more bones.
const FAR: f64 = 0.15;
const BONELESS: f64 = 0.25;

/// Finding about a skeleton that stands in a mesh, with figures. [`Display`](fmt::Display) gives a plain sentence.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Finding {
    /// Bones of a person that are partly outside the mesh.
    BonesOutside {
        /// Names of the first joints of these bones, with the part of each bone that is outside, in [0, 1].
        bones: Vec<(String, f32)>,
    },
    /// A left hand or foot on the right of the right one.
    LimbsCross {
        /// Names of the left and the right joint.
        joints: [String; 2],
        /// Distance of the left joint beyond the right one, in units of the mesh.
        by: f32,
    },
    /// A bone that is longer than the same bone of the other side.
    SidesDiffer {
        /// Names of the first joints of the left and the right bone.
        joints: [String; 2],
        /// Lengths of both bones, in units of the mesh.
        lengths: [f32; 2],
    },
    /// A head that is larger than the skeleton allows for: the joint of the neck or a shoulder is in the head.
    HeadLarge {
        /// Name of the joint in the head.
        joint: String,
        /// Part of the mesh above the joint, in [0, 1].
        above: f32,
        /// Part of the mesh above its neck, in [0, 1].
        head: f32,
    },
    /// A skeleton that is much smaller or larger than the mesh.
    OtherSize {
        /// Height from the lowest to the highest joint, in units of the mesh.
        skeleton: f32,
        /// Height of the mesh.
        mesh: f32,
    },
    /// A skeleton of two legs in a body on four or more.
    MoreLegs {
        /// Number of legs of the mesh.
        legs: usize,
    },
    /// Much of the body is far from every bone: a tail, wings, the trunk of an animal.
    Boneless {
        /// Part of the volume that is far from every bone, in [0, 1].
        share: f32,
        /// Distance that is far, in units of the mesh.
        distance: f32,
    },
}

impl Finding {
    /// Name of the joint that the finding is about. `None` if it is about the whole skeleton.
    pub fn joint(&self) -> Option<&str> {
        match self {
            Self::BonesOutside { bones } => bones.first().map(|bone| bone.0.as_str()),
            Self::LimbsCross { joints, .. } | Self::SidesDiffer { joints, .. } => Some(&joints[0]),
            Self::HeadLarge { joint, .. } => Some(joint),
            Self::OtherSize { .. } | Self::MoreLegs { .. } | Self::Boneless { .. } => None,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BonesOutside { bones } => {
                for (index, (name, share)) in bones.iter().enumerate() {
                    let before = match index {
                        0 => "",
                        _ if index + 1 == bones.len() => " and ",
                        _ => ", ",
                    };
                    write!(
                        f,
                        "{before}{:.0} % of the bone of \"{name}\"",
                        100.0 * share
                    )?;
                }
                let are = if bones.len() == 1 { "is" } else { "are" };
                write!(
                    f,
                    " {are} outside the mesh; move these joints into their limbs"
                )
            }
            Self::LimbsCross {
                joints: [left, right],
                by,
            } => write!(
                f,
                "the limbs cross: \"{left}\" is {by:.3} beyond \"{right}\"; exchange left and right, or move these joints"
            ),
            Self::SidesDiffer {
                joints: [left, right],
                lengths: [of_left, of_right],
            } => write!(
                f,
                "the bone of \"{left}\" is {of_left:.3} long and that of \"{right}\" {of_right:.3}; move one of these joints"
            ),
            Self::HeadLarge { joint, above, head } => write!(
                f,
                "\"{joint}\" is in the head: {:.0} % of the height is above this joint, and {:.0} % above the neck of the mesh; the head is larger than that of the skeleton",
                100.0 * above,
                100.0 * head
            ),
            Self::OtherSize { skeleton, mesh } => write!(
                f,
                "the joints are {skeleton:.3} high from the lowest to the highest, and the mesh is {mesh:.3} high; scale one of them"
            ),
            Self::MoreLegs { legs } => write!(
                f,
                "the mesh stands on {legs} legs and the skeleton on 2; use the skeleton of such an animal"
            ),
            Self::Boneless { share, distance } => write!(
                f,
                "{:.0} % of the body is more than {distance:.3} away from every bone; use a skeleton that fits this body",
                100.0 * share
            ),
        }
    }
}

/// Compares a skeleton with the mesh that it is to move. `heads` are the positions of all joints in the space of the
/// mesh. A skeleton without the limbs of a person has no findings, and neither has a mesh without triangles.
///
/// ```
/// use glam::Vec3;
/// use sinew_rig::find::check;
/// use sinew_rig::template::Biped;
/// let person = sinew_samples::mannequin::Mannequin::default().build();
/// let body = &person.meshes[0].primitives[0];
/// let triangles: Vec<[u32; 3]> = body.triangles().map(|t| t.map(|v| v as u32)).collect();
/// let skeleton = Biped::default().template().skeleton()?;
/// let rest = skeleton.rest_model();
/// let heads: Vec<Vec3> = rest.iter().map(|joint| joint.translation()).collect();
/// assert!(check(&skeleton, &heads, &body.positions, &triangles).is_empty());
/// let beside: Vec<Vec3> = heads.iter().map(|&head| head + Vec3::X).collect();
/// assert!(!check(&skeleton, &beside, &body.positions, &triangles).is_empty());
/// # Ok::<(), sinew_rig::template::TemplateError>(())
/// ```
pub fn check(
    skeleton: &Skeleton,
    heads: &[Vec3],
    positions: &[Vec3],
    triangles: &[[u32; 3]],
) -> Vec<Finding> {
    let exact = |points: &[Vec3]| points.iter().map(|p| p.as_dvec3()).collect::<Vec<DVec3>>();
    let placed = Placed::new(skeleton, &exact(heads), &exact(positions), triangles);
    let Some(placed) = placed else {
        return Vec::new();
    };
    let Some(up) = placed.up() else {
        return Vec::new();
    };
    let range = placed.mesh_range(up);
    let height = range.end() - range.start();
    let mut findings = Vec::new();
    findings.extend(other_size(&placed, up, height));
    if !placed.is_level(up) {
        findings.extend(more_legs(&placed, up, height));
        findings.extend(head_large(&placed, up, height));
    }
    findings.extend(outside(&placed));
    findings.extend(sides_differ(&placed));
    findings.extend(crossed(&placed, up, height));
    findings.extend(boneless(&placed, up, height));
    findings
}

fn other_size(placed: &Placed<'_>, up: DVec3, height: f64) -> Option<Finding> {
    let [low, high] = placed.joint_range(up);
    (!HEIGHTS.contains(&((high - low) / height))).then_some(Finding::OtherSize {
        skeleton: (high - low) as f32,
        mesh: height as f32,
    })
}

fn more_legs(placed: &Placed<'_>, up: DVec3, height: f64) -> Option<Finding> {
    let legs = placed.pillars(up, APART * height);
    (legs >= MANY_LEGS).then_some(Finding::MoreLegs { legs })
}

fn outside(placed: &Placed<'_>) -> Option<Finding> {
    let mut pairs: Vec<[Role; 2]> = Side::ALL.into_iter().flat_map(limb_bones).collect();
    // The root of a file may have the role of the hips and stand on the floor.
    let trunk = placed.trunk();
    pairs.extend(trunk.windows(2).skip(1).map(|pair| [pair[0], pair[1]]));
    let mut bones: Vec<(String, f32)> = pairs
        .into_iter()
        .filter_map(|pair| Some((placed.name(pair[0])?, placed.outside(pair)? as f32)))
        .filter(|bone| f64::from(bone.1) > OUTSIDE)
        .collect();
    bones.sort_by(|a, b| b.1.total_cmp(&a.1));
    (!bones.is_empty()).then_some(Finding::BonesOutside { bones })
}

fn head_large(placed: &Placed<'_>, up: DVec3, height: f64) -> Option<Finding> {
    let neck = placed.neck(up)?;
    let range = placed.mesh_range(up);
    let level = |side| Some(placed.at(Role::UpperArm(side))?.dot(up));
    let (left, right) = (level(Side::Left)?, level(Side::Right)?);
    let above = |level: f64| ((range.end() - level) / height) as f32;
    (left.min(right) > neck + IN_HEAD * height).then_some(Finding::HeadLarge {
        joint: placed.name(Role::UpperArm(Side::Left))?,
        above: above(left),
        head: above(neck),
    })
}

fn sides_differ(placed: &Placed<'_>) -> Option<Finding> {
    let length = |[from, to]: [Role; 2]| Some(placed.at(from)?.distance(placed.at(to)?));
    let pairs = limb_bones(Side::Left)
        .into_iter()
        .zip(limb_bones(Side::Right));
    let pairs = pairs.filter_map(|(left, right)| {
        let lengths = [length(left)?, length(right)?];
        let ratio = (lengths[0] / lengths[1]).max(lengths[1] / lengths[0]);
        Some((
            [placed.name(left[0])?, placed.name(right[0])?],
            lengths,
            ratio,
        ))
    });
    let (joints, lengths, ratio) = pairs.max_by(|a, b| a.2.total_cmp(&b.2))?;
    (ratio > DIFFERENT).then_some(Finding::SidesDiffer {
        joints,
        lengths: lengths.map(|length| length as f32),
    })
}

fn crossed(placed: &Placed<'_>, up: DVec3, height: f64) -> Option<Finding> {
    let [left, right] = Side::ALL.map(|side| placed.at(Role::UpperLeg(side)));
    let left = (left? - right?).reject_from(up).normalize_or_zero();
    let by = |[of_left, of_right]: [Role; 2]| {
        let over = (placed.at(of_right)? - placed.at(of_left)?).dot(left);
        Some(([placed.name(of_left)?, placed.name(of_right)?], over))
    };
    let ends: [fn(Side) -> Role; 3] = [Role::LowerLeg, Role::Foot, Role::Hand];
    let ends = ends
        .into_iter()
        .filter_map(|role| by([role(Side::Left), role(Side::Right)]));
    let (joints, over) = ends.max_by(|a, b| a.1.total_cmp(&b.1))?;
    (over > CROSSED * height).then_some(Finding::LimbsCross {
        joints,
        by: over as f32,
    })
}

fn boneless(placed: &Placed<'_>, up: DVec3, height: f64) -> Option<Finding> {
    let share = placed.bare(FAR * height, up);
    (share > BONELESS).then_some(Finding::Boneless {
        share: share as f32,
        distance: (FAR * height) as f32,
    })
}
