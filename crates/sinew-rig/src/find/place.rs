//! Moves the joints of a template at landmarks.

use super::bare::BareMesh;
use super::found::{Body, Found};
use super::landmarks::marks::Marks;
use crate::template::{Biped, Quadruped, Template, TemplateJoint};
use glam::{DMat3, DQuat, DVec3};

/// Template that is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Biped { fingers: bool },
    Quadruped,
}

/// Length of the hand of the template to the tip of the middle finger, in metres.
const HAND: f64 = 0.18;
/// Joints with less confidence count as missing.
const FOUND: f64 = 0.35;

/// Joints at landmarks. The others keep their position relative to the joint above them. Fingers rotate
/// and grow with the hand.
pub(crate) fn placed(
    marks: &Marks,
    kind: Kind,
    mesh: &BareMesh,
    axes: &DMat3,
    height: f64,
) -> Found {
    let tail = if marks.at("tail_1").is_some() { 4 } else { 0 };
    let (body, template) = match kind {
        Kind::Biped { fingers } => {
            let biped = Biped {
                fingers,
                ..Biped::default()
            };
            (Body::Biped, biped.template())
        }
        Kind::Quadruped => {
            let quadruped = Quadruped {
                tail,
                ..Quadruped::default()
            };
            (Body::Quadruped, quadruped.template())
        }
    };
    let turn = |p: DVec3| (*axes * p).as_vec3();
    let place = |p: DVec3| (mesh.middle + *axes * p * mesh.size).as_vec3();
    let olds = template.joints();
    let size = olds
        .iter()
        .map(|j| j.tip.y.max(j.position.y))
        .fold(0.0, f32::max);
    let scale = height / f64::from(size);
    let mut joints: Vec<TemplateJoint> = olds.to_vec();
    let mut at: Vec<DVec3> = Vec::new();
    let mut frames: Vec<(DQuat, f64)> = Vec::new();
    for (index, old) in olds.iter().enumerate() {
        let parent = old.parent.unwrap_or(0);
        let (mut rotation, mut grown) = frames
            .get(parent)
            .copied()
            .unwrap_or((DQuat::IDENTITY, scale));
        let own = marks.at(&old.name).unwrap_or_else(|| {
            let way = (old.position - olds[parent].position).as_dvec3();
            at.get(parent).copied().unwrap_or(DVec3::ZERO) + rotation * way * grown
        });
        let tip = marks.at(&format!("{}_tip", old.name));
        if let Some(tip) = tip
            && old.name.ends_with("_hand")
        {
            let usual = (old.position - olds[parent].position).as_dvec3();
            let now = tip - own;
            if let (Some(from), Some(to)) = (usual.try_normalize(), now.try_normalize()) {
                rotation = DQuat::from_rotation_arc(from, to);
                grown = now.length() / HAND;
            }
        }
        let bone = rotation * (old.tip - old.position).as_dvec3() * grown;
        let is_palm = old.points_at.is_none() && old.name.ends_with("_hand");
        let end = tip.filter(|_| !is_palm || kind == Kind::Biped { fingers: false });
        at.push(own);
        frames.push((rotation, grown));
        let joint = &mut joints[index];
        (joint.position, joint.tip) = (place(own), place(end.unwrap_or(own + bone)));
        joint.front = turn(rotation * old.front.as_dvec3());
    }
    let confidence = joints.iter().map(|j| marks.sure(&j.name) as f32).collect();
    let is_missing = |j: &&TemplateJoint| marks.sure(&j.name) < FOUND;
    let missing = joints.iter().filter(is_missing).map(|j| j.name.clone());
    Found {
        body,
        up: turn(DVec3::Y),
        front: turn(DVec3::Z),
        height: (height * mesh.size) as f32,
        confidence,
        missing: missing.collect(),
        findings: Vec::new(),
        template: Template::new(joints),
    }
}
