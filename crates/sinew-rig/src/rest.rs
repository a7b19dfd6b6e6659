//! Changes the rest pose of a bound person to a T pose.

use crate::retarget::{Role, Roles, Side, find_roles, with_biped_limits};
use glam::{Quat, Vec3};
use sinew::clip::{Clip, Interpolation, Track};
use sinew::transform::quat;
use sinew::{Character, DeformError, Method, Skeleton, SkeletonError, Skin, Transform, deform};
use std::sync::Arc;
use thiserror::Error;

/// Reason why the rest pose cannot become a T pose.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RestError {
    /// The skeleton lacks the arms or legs of a person.
    #[error("there is no {missing}, so there is no T pose; bind to the skeleton of a person")]
    NoPerson {
        /// Role of the joint that is missing.
        missing: String,
    },
    /// A mesh is used twice, so its vertices cannot have two positions.
    #[error("mesh \"{mesh}\" is used by two nodes; give each node its own mesh for a T pose")]
    Shared {
        /// Name of the mesh.
        mesh: String,
    },
    /// Morph targets are differences from the old rest pose.
    #[error(
        "mesh \"{mesh}\" has morph targets, which are lost in another rest pose; keep the rest pose"
    )]
    Morphs {
        /// Name of the mesh.
        mesh: String,
    },
    /// The mesh cannot be deformed.
    #[error(transparent)]
    Deform(#[from] DeformError),
    /// The new skeleton is not valid.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
}

/// Rotates the arms of a bound person to horizontal and its legs to vertical, and makes this the rest pose and the bind
/// pose. Skinned vertices move along; the limits of a person are set anew, because limits count from the rest pose.
/// Clips keep their motion.
///
/// # Errors
/// [`RestError`] for a body without arms and legs, or a mesh that cannot be posed anew. Nothing changes then.
pub fn rest_in_t_pose(character: &mut Character) -> Result<(), RestError> {
    check_meshes(character)?;
    let roles = find_roles(&character.skeleton);
    let turned = rotations(&character.skeleton, &t_pose(&character.skeleton, &roles)?);
    let mut clip = Clip::new("T pose");
    let mut joints = character.skeleton.joints();
    for (joint, rotation) in turned.into_iter().enumerate() {
        let keys = Track::rotations(Arc::new(vec![0.0]), &[rotation], Interpolation::Slerp);
        clip.joint_mut(joint).rotation = keys.ok();
        joints[joint].rest.rotation = rotation;
    }
    clip.fit_duration();
    let mut posed = character.clone();
    (posed.clips, posed.layers) = (vec![clip], Vec::new());
    let moved = deform(&posed, Some(0), 0.0, Method::DualQuat)?;
    let (skeleton, _) = Skeleton::new(joints)?;
    let skeleton = with_biped_limits(&skeleton).map_or(skeleton, |limited| limited.skeleton);
    for part in moved.primitives {
        if character.nodes[part.node].skin.is_none() {
            continue;
        }
        let primitive = &mut character.meshes[part.mesh].primitives[part.primitive];
        primitive.positions = Arc::new(part.positions);
        primitive.normals = part.normals.map(Arc::new);
        primitive.tangents = part.tangents.map(Arc::new);
    }
    let model = skeleton.rest_model();
    for skin in &mut character.skins {
        let frames: Vec<_> = skin.joints.iter().map(|&joint| *model.get(joint)).collect();
        skin.joint_from_model = Skin::bound_at(&frames).joint_from_model;
    }
    character.skeleton = skeleton;
    Ok(())
}

fn check_meshes(character: &Character) -> Result<(), RestError> {
    let mut used = Vec::new();
    for node in character.nodes.iter().filter(|node| node.skin.is_some()) {
        let Some(mesh) = node.mesh else { continue };
        let name = || character.meshes[mesh].name.clone();
        if used.contains(&mesh) {
            return Err(RestError::Shared { mesh: name() });
        }
        used.push(mesh);
        let mut primitives = character.meshes[mesh].primitives.iter();
        if primitives.any(|primitive| !primitive.morphs.is_empty()) {
            return Err(RestError::Morphs { mesh: name() });
        }
    }
    Ok(())
}

/// Direction of the bone of a joint in the T pose, or the rotation that it keeps.
#[derive(Clone, Copy)]
enum Turn {
    Toward { end: usize, direction: Vec3 },
    Keep,
}

fn t_pose(skeleton: &Skeleton, roles: &Roles) -> Result<Vec<Option<Turn>>, RestError> {
    let rest = skeleton.rest_model();
    let joint = |role: Role| {
        let missing = || RestError::NoPerson {
            missing: format!("{role:?}"),
        };
        roles.joint(role).ok_or_else(missing)
    };
    let at = |role: Role| Ok::<_, RestError>(rest.get(joint(role)?).translation());
    let left = at(Role::UpperLeg(Side::Left))? - at(Role::UpperLeg(Side::Right))?;
    let feet = at(Role::Foot(Side::Left))? + at(Role::Foot(Side::Right))?;
    let hips = at(Role::UpperLeg(Side::Left))? + at(Role::UpperLeg(Side::Right))?;
    let left = on_axis(left.normalize_or(Vec3::X));
    let up = (hips - feet).reject_from_normalized(left);
    let up = on_axis(up.normalize_or(Vec3::Y))
        .reject_from_normalized(left)
        .normalize_or(Vec3::Y);
    let mut turns = vec![None; skeleton.len()];
    for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
        let chains = [
            (
                [Role::UpperArm(side), Role::LowerArm(side), Role::Hand(side)],
                sign * left,
            ),
            (
                [Role::UpperLeg(side), Role::LowerLeg(side), Role::Foot(side)],
                -up,
            ),
        ];
        for (chain, direction) in chains {
            for pair in chain.windows(2) {
                let end = joint(pair[1])?;
                turns[joint(pair[0])?] = Some(Turn::Toward { end, direction });
            }
        }
        turns[joint(Role::Foot(side))?] = Some(Turn::Keep);
    }
    Ok(turns)
}

/// A direction, or the axis of the model that is at most 15 degrees away.
fn on_axis(direction: Vec3) -> Vec3 {
    let axis = direction.abs().max_position();
    if direction[axis].abs() < 15.0_f32.to_radians().cos() {
        return direction;
    }
    let mut whole = Vec3::ZERO;
    whole[axis] = direction[axis].signum();
    whole
}

/// Local rotations of all joints in the new rest pose.
fn rotations(skeleton: &Skeleton, turns: &[Option<Turn>]) -> Vec<Quat> {
    let rest = skeleton.rest_model();
    let world = |joint: usize| Transform::from_affine(rest.get(joint)).0;
    let mut turned = vec![Quat::IDENTITY; skeleton.len()];
    (0..skeleton.len())
        .map(|joint| {
            let parent = skeleton.parent(joint);
            let above = parent.map_or(Quat::IDENTITY, |parent| turned[parent]);
            turned[joint] = match turns[joint] {
                Some(Turn::Toward { end, direction }) => {
                    let bone = world(end).translation - world(joint).translation;
                    let bone = quat::rotate(above, bone).normalize_or(direction);
                    quat::mul(Quat::from_rotation_arc(bone, direction), above)
                }
                Some(Turn::Keep) => Quat::IDENTITY,
                None => above,
            };
            let own = quat::mul(turned[joint], world(joint).rotation);
            let parent = parent.map_or(Quat::IDENTITY, |parent| {
                quat::mul(turned[parent], world(parent).rotation)
            });
            quat::mul(quat::conjugate(parent), own).normalize()
        })
        .collect()
}
