//! Moves the skeleton of another file into a mesh, or refuses the skeleton.

use crate::extent;
use crate::files::counted;
use crate::units::Scale;
use anyhow::{Result, bail};
use glam::Vec3;
use sinew::{Character, Skeleton};

/// Max distance of a joint from the box of the mesh, relative to the longest side of the box.
const NEAR: f32 = 0.1;

/// Height of a skeleton that can be moved, relative to the mesh. Joints end at the neck and the ankles.
const FITTING: std::ops::RangeInclusive<f32> = 0.6..=1.1;

/// Checks that a skeleton is inside a mesh. A skeleton of the right size that is outside is moved, because motion files
/// often have the hips at the origin. Returns a message about the move. `names` are the names of mesh and skeleton.
/// `scale` has already converted both to metres.
///
/// # Errors
/// If most joints are outside the mesh.
pub fn move_into(
    rig: &mut Character,
    mesh: &Character,
    names: &[String; 2],
    scale: Scale,
) -> Result<Option<String>> {
    let joints = extent::joints(rig);
    let boxes = extent::around(&extent::vertices(mesh)).zip(extent::around(&joints));
    let Some((around, own)) = boxes else {
        return Ok(None);
    };
    let [mesh_size, size] = [around, own].map(|[low, high]| (high - low).max_element());
    if !(mesh_size.is_finite() && size.is_finite()) {
        return Ok(None);
    }
    let near = NEAR * mesh_size;
    let is_near = |at: Vec3| at.cmpge(around[0] - near).all() && at.cmple(around[1] + near).all();
    if own.into_iter().all(is_near) {
        return Ok(None);
    }
    let [mesh_name, name] = names;
    // Moves the skeleton to the floor of the mesh. Centres it only along axes where it sticks out, because held objects
    // shift the middle of the mesh.
    let foot = |[low, high]: [Vec3; 2]| ((low + high) / 2.0).with_y(low.y);
    let is_within = own[0].cmpge(around[0] - near) & own[1].cmple(around[1] + near);
    let by = foot(around) - foot(own);
    let by = Vec3::select(is_within, Vec3::ZERO, by).with_y(by.y);
    let is_posed = rig.skins.iter().any(|skin| !skin.joints.is_empty());
    let tall = (own[1].y - own[0].y) / (around[1].y - around[0].y);
    if !is_posed && FITTING.contains(&tall) && own.into_iter().all(|corner| is_near(corner + by)) {
        let mut moved = rig.skeleton.joints();
        for joint in moved.iter_mut().filter(|joint| joint.parent.is_none()) {
            joint.rest.translation += by;
        }
        rig.skeleton = Skeleton::new(moved)?.0;
        return Ok(Some(format!(
            "{name}: the skeleton was outside the mesh and was moved into the mesh by ({:.3}, {:.3}, {:.3})",
            by.x, by.y, by.z
        )));
    }
    let outside = joints.iter().filter(|&&joint| !is_near(joint)).count();
    let way_out = match scale {
        _ if FITTING.contains(&tall) => {
            "move the skeleton to the mesh, or remove the skeleton file to fit a template"
        }
        Scale::Auto => {
            "their sizes differ even with --scale auto; scale one of them with `sinew convert --scale`, or remove the skeleton file to fit a template"
        }
        Scale::Factor(_) => {
            "their sizes differ; try --scale auto, or remove the skeleton file to fit a template"
        }
    };
    let message = format!(
        "{name}: {outside} of its {} are outside {mesh_name}; the longest side is {size:.3} for the skeleton and {mesh_size:.3} for the mesh; {way_out}",
        counted(joints.len(), "joint"),
    );
    // Roots, controls and targets may be anywhere.
    if 2 * outside > joints.len() {
        bail!(message)
    } else {
        Ok((10 * outside > joints.len()).then_some(message))
    }
}
