//! Fits the skeleton of a person to the bounding box of a mesh, or to the mesh itself.

use super::biped::{ARM_DEG, Biped, HEIGHT};
use super::embed::Flesh;
use super::error::TemplateError;
use super::joints::Template;
use glam::{Quat, Vec3};
use sinew::transform::{Axis, quat};

/// z of the middle of the template body, in metres. It moves to the middle of the box.
const MIDDLE_Z: f32 = 0.02;

impl Biped {
    /// Fits the skeleton to the bounding box of an upright mesh that faces +z. The skeleton gets
    /// the height of the box. Its arms rotate or stretch to the sides of the box. A box says little about
    /// a body: for a mesh, use [`find_skeleton`](crate::find::find_skeleton).
    ///
    /// ```
    /// use glam::Vec3;
    /// use sinew_rig::template::Biped;
    /// let (min, max) = (Vec3::new(-0.5, 0.0, -0.2), Vec3::new(0.5, 2.0, 0.2));
    /// let template = Biped::default().fitted(min, max)?;
    /// assert!(template.positions().values().all(|p| p.cmpge(min).all() && p.cmple(max).all()));
    /// # Ok::<(), sinew_rig::template::TemplateError>(())
    /// ```
    pub fn fitted(&self, min: Vec3, max: Vec3) -> Result<Template, TemplateError> {
        let size = max - min;
        if !(size.is_finite() && size.min_element() >= 0.0 && size.y > 0.0) {
            return Err(TemplateError::EmptyBox);
        }
        let scale = size.y / HEIGHT;
        let mut template = self.template();
        for side in ["left", "right"] {
            reach(&mut template, side, 0.5 * size.x / scale)?;
        }
        let middle = (min + max) * 0.5;
        let from = Vec3::new(middle.x, min.y, middle.z - scale * MIDDLE_Z);
        for joint in &mut template.joints {
            for point in [&mut joint.position, &mut joint.tip] {
                *point = (from + *point * scale).clamp(min, max);
            }
        }
        Ok(template)
    }

    /// Fits the skeleton to a bare, upright mesh that faces +z. Scales it to the bounding box, rotates the
    /// arms to the hands, and moves joints to the middle of their limbs like [`Template::embedded`]. Proportions
    /// decide where shoulders and hips are, so a body with a large head or a hat gets wrong ones:
    /// [`find_skeleton`](crate::find::find_skeleton) searches instead, and [`check`](crate::find::check()) tells.
    ///
    /// ```
    /// use sinew_rig::template::Biped;
    /// let person = sinew_samples::mannequin::Mannequin::default().build();
    /// let body = &person.meshes[0].primitives[0];
    /// let triangles: Vec<[u32; 3]> = body.triangles().map(|t| t.map(|v| v as u32)).collect();
    /// let template = Biped::default().embedded(&body.positions, &triangles)?;
    /// let elbow = person.skeleton.find("left_lower_arm").unwrap();
    /// let elbow = person.skeleton.rest_model().get(elbow).translation();
    /// assert!(template.positions()["left_lower_arm"].distance(elbow) < 0.05);
    /// # Ok::<(), sinew_rig::template::TemplateError>(())
    /// ```
    pub fn embedded(
        &self,
        positions: &[Vec3],
        triangles: &[[u32; 3]],
    ) -> Result<Template, TemplateError> {
        let finite = || positions.iter().filter(|p| p.is_finite());
        let min = finite().fold(Vec3::INFINITY, |min, &p| min.min(p));
        let max = finite().fold(Vec3::NEG_INFINITY, |max, &p| max.max(p));
        let mut template = self.fitted(min, max)?;
        let Some(flesh) = Flesh::new(positions, triangles) else {
            return Ok(template);
        };
        let chest = template.joints[template.find("chest")?].position;
        for (side, sign) in [("left", 1.0), ("right", -1.0)] {
            if let Some(tip) = flesh.tip(chest, sign) {
                aim(&mut template, side, tip)?;
            }
        }
        Ok(template.centred_in(&flesh))
    }
}

/// Rotates and scales an arm about its shoulder so that it ends at a tip. Ignores a tip that would
/// change the length too much, because it is not a hand.
fn aim(template: &mut Template, side: &str, tip: Vec3) -> Result<(), TemplateError> {
    const MOST: f32 = 1.5;
    let shoulder = template.find(&format!("{side}_upper_arm"))?;
    let pivot = template.joints[shoulder].position;
    let below = template.below(shoulder);
    let tips = below
        .iter()
        .map(|&joint| template.joints[joint].tip - pivot);
    let own = tips.fold(Vec3::ZERO, |far, tip| {
        if tip.length() > far.length() {
            tip
        } else {
            far
        }
    });
    let expected = tip - pivot;
    let stretch = expected.length() / own.length().max(1e-6);
    if !(1.0 / MOST..=MOST).contains(&stretch) {
        return Ok(());
    }
    let turn = Quat::from_rotation_arc(own.normalize_or(Vec3::Y), expected.normalize_or(Vec3::Y));
    rotate_and_stretch(template, shoulder, turn, stretch);
    Ok(())
}

/// Rotates an arm about its shoulder until its farthest point is at `half_span`. Stretches a short arm.
fn reach(template: &mut Template, side: &str, half_span: f32) -> Result<(), TemplateError> {
    let shoulder = template.find(&format!("{side}_upper_arm"))?;
    let pivot = template.joints[shoulder].position;
    let below = template.below(shoulder);
    let sign = if side == "left" { 1.0 } else { -1.0 };
    let farthest = |turn: Quat| {
        below.iter().fold(0.0_f32, |far, &joint| {
            let tip = pivot + quat::rotate(turn, template.joints[joint].tip - pivot);
            far.max(tip.x * sign)
        })
    };
    let rotated = |deg: f32| Axis::Z.rotation(sign * deg.to_radians());
    // From hanging down to level; a higher arm reaches farther out.
    let (mut low, mut high) = (ARM_DEG - 86.0, ARM_DEG);
    for _ in 0..24 {
        let middle = 0.5 * (low + high);
        if farthest(rotated(middle)) < half_span {
            low = middle;
        } else {
            high = middle;
        }
    }
    let turn = rotated(low);
    let arm = farthest(turn) - pivot.x * sign;
    let stretch = ((half_span - pivot.x * sign) / arm.max(1e-6)).max(1.0);
    rotate_and_stretch(template, shoulder, turn, stretch);
    Ok(())
}

fn rotate_and_stretch(template: &mut Template, joint: usize, turn: Quat, stretch: f32) {
    let pivot = template.joints[joint].position;
    for below in template.below(joint) {
        let joint = &mut template.joints[below];
        let moved = |p: Vec3| pivot + quat::rotate(turn, p - pivot) * stretch;
        (joint.position, joint.tip) = (moved(joint.position), moved(joint.tip));
        joint.front = quat::rotate(turn, joint.front);
    }
}
