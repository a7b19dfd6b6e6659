//! A skeleton of another file in a mesh: where it is not, it is stood into it or refused.

use crate::extent;
use crate::files::counted;
use anyhow::{Result, bail};
use glam::Vec3;
use sinew::{Character, Skeleton};

/// How far from the box around a mesh a joint may be, as a part of the box's longest side.
const NEAR: f32 = 0.1;

/// How tall a skeleton is beside the mesh that it can be stood into: joints end in the neck and ankles.
const FITTING: std::ops::RangeInclusive<f32> = 0.6..=1.1;

/// Sees to it that most joints of a skeleton are in a mesh. One that only stands elsewhere, as those of motion files do whose
/// hips rest at the origin, is moved there, which is said. `names` are those of the mesh and of the skeleton.
///
/// # Errors
/// When most of its joints are beside the mesh.
pub fn place(rig: &mut Character, mesh: &Character, names: &[String; 2]) -> Result<Option<String>> {
    let joints = extent::joints(rig);
    let Some([low, high]) = extent::around(&extent::vertices(mesh)) else {
        return Ok(None);
    };
    let Some(own) = extent::around(&joints) else {
        return Ok(None);
    };
    let (mesh_size, size) = ((high - low).max_element(), (own[1] - own[0]).max_element());
    let near = NEAR * mesh_size;
    let inside = |by: Vec3| {
        let is_inside = |&&joint: &&Vec3| {
            let at = joint + by;
            at.cmpge(low - near).all() && at.cmple(high + near).all()
        };
        joints.iter().filter(is_inside).count()
    };
    let are_most = |count: usize| 2 * count >= joints.len();
    let found = inside(Vec3::ZERO);
    if are_most(found) || !(mesh_size.is_finite() && size.is_finite()) {
        return Ok(None);
    }
    let [mesh_name, name] = names;
    let foot = |[low, high]: [Vec3; 2]| ((low + high) / 2.0).with_y(low.y);
    let by = foot([low, high]) - foot(own);
    let is_posed = rig.skins.iter().any(|skin| !skin.joints.is_empty());
    let tall = (own[1].y - own[0].y) / (high.y - low.y);
    if !is_posed && FITTING.contains(&tall) && are_most(inside(by)) {
        let mut moved = rig.skeleton.joints();
        for joint in moved.iter_mut().filter(|joint| joint.parent.is_none()) {
            joint.rest.translation += by;
        }
        rig.skeleton = Skeleton::new(moved)?.0;
        return Ok(Some(format!(
            "{name}: its skeleton stood beside the mesh and was moved by ({:.3}, {:.3}, {:.3}) into it",
            by.x, by.y, by.z
        )));
    }
    let way_out = match tall > *FITTING.end() || tall < 0.5 * FITTING.start() {
        true => "they are not in one unit, which --scale auto may mend",
        false => {
            "bring one to where the other is, or leave the skeleton out to have a template fitted"
        }
    };
    bail!(
        "{name}: {} of its {} rest outside {mesh_name}; the skeleton is {size:.3} across, the mesh {mesh_size:.3}: {way_out}",
        joints.len() - found,
        counted(joints.len(), "joint"),
    )
}
