//! Humanoid as a skinned character: its ten parts become joints, and their surfaces one mesh.

use super::part::HumanoidPart;
use super::{shapes as figure, walk};
use crate::parts::skinned_character;
use glam::{Vec3, Vec4};
use sinew::character::Character;
use sinew::mesh::{Influences, Primitive, shapes};
use sinew::pose::ModelPose;
use sinew::skeleton::{Joint, Skeleton};
use std::sync::Arc;

/// Person 1.75 m tall with ten joints, one mesh that bends smoothly, and a clip "walk" of one
/// stride.
///
/// ```
/// use sinew::{Method, deform};
/// use sinew_samples::humanoid_character;
/// let person = humanoid_character();
/// let walk = person.find_clip("walk");
/// let moved = deform(&person, walk, 0.3, Method::Linear)?;
/// assert_eq!(moved.primitives.len(), 1);
/// # Ok::<(), sinew::DeformError>(())
/// ```
pub fn humanoid_character() -> Character {
    let joints = HumanoidPart::ALL.map(|part| {
        let parent = part.parent().map(HumanoidPart::index);
        Joint::new(part.name(), parent, part.rest()).with_freedom(part.freedom())
    });
    let (skeleton, _) = Skeleton::new(joints.to_vec()).expect("parts are a tree, parents first");
    let surface = surface(&skeleton.rest_model());
    let mut character = skinned_character("humanoid", skeleton, surface);
    character.clips.push(walk::clip(&character.skeleton));
    character
}

fn surface(rest: &ModelPose) -> Primitive {
    let mut whole = Vec::new();
    let mut lists = Vec::new();
    let mut colors = Vec::new();
    for part in HumanoidPart::ALL {
        let surface = figure::surface(part);
        let model_from_part = *rest.get(part.index());
        let in_model = |p: &Vec3| model_from_part.transform_point(*p);
        lists.extend(
            surface
                .positions
                .iter()
                .map(|p| weights(part, in_model(p), rest)),
        );
        colors.extend(surface.colors.iter().flat_map(|c| c.iter().copied()));
        whole.push((surface, model_from_part, Vec4::ONE));
    }
    let (influences, _) =
        Influences::from_lists(&lists, HumanoidPart::ALL.len()).expect("a few influences a vertex");
    Primitive {
        colors: vec![Arc::new(colors)],
        influences: Some(Arc::new(influences)),
        ..shapes::merged(&whole)
    }
}

/// Half the length along the limb over which a joint bends, in metres.
fn reach(part: HumanoidPart) -> f32 {
    use HumanoidPart::*;
    match part {
        Torso | Head => 0.06,
        LeftUpperArm | RightUpperArm => 0.08,
        LeftLowerArm | RightLowerArm => 0.07,
        LeftUpperLeg | RightUpperLeg => 0.12,
        LeftLowerLeg | RightLowerLeg => 0.09,
    }
}

/// Joints and weights of a vertex. Along a limb they depend only on the position, so that
/// overlapping parts bend together. Next to the torso they depend on the distance from the joint.
fn weights(part: HumanoidPart, p: Vec3, rest: &ModelPose) -> Vec<(u16, f32)> {
    let children = |parent| {
        let all = HumanoidPart::ALL.into_iter();
        all.filter(move |c| c.parent() == Some(parent))
    };
    if part == HumanoidPart::Torso {
        let mut list: Vec<(u16, f32)> = children(part)
            .map(|child| {
                let apart = (p - rest.get(child.index()).translation()).length();
                (
                    child.index() as u16,
                    0.5 - 0.5 * smoothstep(apart / reach(child)),
                )
            })
            .collect();
        let rest_of_it = 1.0 - list.iter().map(|l| l.1).sum::<f32>();
        list.push((part.index() as u16, rest_of_it));
        return list;
    }
    let top = part.parent().filter(|&p| p != HumanoidPart::Torso);
    let top = top.unwrap_or(part);
    let mut list = vec![(HumanoidPart::Torso.index() as u16, 1.0)];
    for joint in std::iter::once(top).chain(children(top)) {
        let along = along_limb(joint, p, rest);
        let taken = smoothstep(0.5 + 0.5 * along / reach(joint));
        let left = list.last_mut().expect("the torso is there");
        let above = left.1;
        left.1 = above * (1.0 - taken);
        list.push((joint.index() as u16, above * taken));
    }
    list
}

/// Distance of a point from a joint, in metres: along the limb, or upward for the head.
fn along_limb(joint: HumanoidPart, p: Vec3, rest: &ModelPose) -> f32 {
    let joint_from_model = rest.get(joint.index()).inverse();
    let in_joint = joint_from_model.map_or(p, |m| m.transform_point(p));
    match joint {
        HumanoidPart::Head => in_joint.y,
        _ => -in_joint.y,
    }
}

fn smoothstep(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
