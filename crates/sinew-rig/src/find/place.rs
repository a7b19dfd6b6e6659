//! Places the joints of a template at landmarks.

use super::bare::BareMesh;
use super::found::{Body, Found};
use super::landmarks::marks::Marks;
use crate::template::{Biped, Quadruped, Template, TemplateJoint};
use glam::{DMat3, DVec3};

/// Joints at landmarks. The others keep their place relative to the nearest landmark above them.
pub(crate) fn placed(
    marks: &Marks,
    body: Body,
    mesh: &BareMesh,
    axes: &DMat3,
    height: f64,
) -> Found {
    let tail = if marks.at("tail_1").is_some() { 4 } else { 0 };
    let template = match body {
        Body::Biped => Biped::default().template(),
        Body::Quadruped => Quadruped {
            tail,
            ..Quadruped::default()
        }
        .template(),
    };
    let turn = |p: DVec3| (*axes * p).as_vec3();
    let place = |p: DVec3| (mesh.middle + *axes * p * mesh.size).as_vec3();
    let size = template
        .joints()
        .iter()
        .map(|j| j.position.y)
        .fold(0.0, f32::max);
    let scale = height / f64::from(size);
    let mut joints: Vec<TemplateJoint> = template.joints().to_vec();
    let mut at: Vec<DVec3> = Vec::new();
    for (index, old) in template.joints().iter().enumerate() {
        let own = marks.at(&old.name).unwrap_or_else(|| {
            let parent = old.parent.unwrap_or(0);
            let way = old.position - template.joints()[parent].position;
            at.get(parent).copied().unwrap_or(DVec3::ZERO) + way.as_dvec3() * scale
        });
        let tip = marks.at(&format!("{}_tip", old.name));
        let tip = tip.unwrap_or(own + (old.tip - old.position).as_dvec3() * scale);
        at.push(own);
        let joint = &mut joints[index];
        (joint.position, joint.tip) = (place(own), place(tip));
        joint.front = turn(old.front.as_dvec3());
    }
    let confidence = joints.iter().map(|j| marks.sure(&j.name) as f32).collect();
    let is_missing = |j: &&TemplateJoint| marks.at(&j.name).is_none();
    let missing = joints
        .iter()
        .filter(is_missing)
        .map(|j| j.name.clone())
        .collect();
    Found {
        template: Template::new(joints),
        body,
        up: turn(DVec3::Y),
        front: turn(DVec3::Z),
        height: (height * mesh.size) as f32,
        confidence,
        missing,
        findings: Vec::new(),
    }
}
