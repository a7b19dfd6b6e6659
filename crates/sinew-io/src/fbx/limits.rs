//! Rotation limits of joints. FBX states them as Euler angles between pre and post rotation.

use super::plain;
use glam::Quat;
use sinew::skeleton::limits::{AngleRange, FramedRotation, Freedom, RotationFrame, RotationLimit};
use sinew::transform::{Axis, EulerOrder};
use ufbx::{MirrorAxis, Node, RotationOrder};

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

pub(super) fn has(node: &Node) -> bool {
    freedom_of(node).is_some()
}

/// Degrees of freedom of a node. `None` if it has no limits, or limits that Sinew does not support.
pub(super) fn freedom_of(node: &Node) -> Option<Freedom> {
    if !is_set(node, "RotationActive") || node.adjust_mirror_axis != MirrorAxis::None {
        return None;
    }
    let (min, max) = (vector(node, "RotationMin"), vector(node, "RotationMax"));
    let range = |axis: Axis| {
        let letter = ["X", "Y", "Z"][axis.index()];
        let ends = is_set(node, &format!("RotationMin{letter}"))
            && is_set(node, &format!("RotationMax{letter}"));
        if ends {
            AngleRange::degrees(min[axis.index()], max[axis.index()])
        } else {
            AngleRange::FULL
        }
    };
    if AXES.iter().all(|axis| range(*axis) == AngleRange::FULL) {
        return None;
    }
    let order = order_of(node.rotation_order)?;
    // The rotation is `before · euler · after`. From rest it is `after⁻¹ · rest⁻¹ · euler · after`.
    let post = vector(node, "PostRotation").map(f64::from);
    let post = if node.use_rotation_space {
        ufbx::Vec3 {
            x: post[0],
            y: post[1],
            z: post[2],
        }
    } else {
        ufbx::zero_vec3()
    };
    let post = plain::quat(ufbx::euler_to_quat(post, RotationOrder::Xyz));
    let axes = plain::quat(node.adjust_post_rotation).conjugate() * post;
    let rest = plain::quat(ufbx::euler_to_quat(
        node.euler_rotation,
        node.rotation_order,
    ));
    let frame = RotationFrame { axes, rest };
    let limit = RotationLimit::Euler {
        order,
        ranges: order.axes().map(range),
    };
    let limit = if frame.axes == Quat::IDENTITY && frame.rest == Quat::IDENTITY {
        limit
    } else {
        RotationLimit::Framed(Box::new(FramedRotation {
            frame,
            rotation: limit,
        }))
    };
    let freedom = Freedom {
        rotation: limit,
        ..Freedom::default()
    };
    freedom.check().is_ok().then_some(freedom)
}

/// Order of the axes, outermost first. FBX names the innermost axis first.
fn order_of(order: RotationOrder) -> Option<EulerOrder> {
    let [x, y, z] = AXES;
    EulerOrder::new(match order {
        RotationOrder::Xyz => [z, y, x],
        RotationOrder::Xzy => [y, z, x],
        RotationOrder::Yzx => [x, z, y],
        RotationOrder::Yxz => [z, x, y],
        RotationOrder::Zxy => [y, x, z],
        RotationOrder::Zyx => [x, y, z],
        RotationOrder::Spheric => return None,
    })
}

fn is_set(node: &Node, name: &str) -> bool {
    ufbx::find_prop(&node.element.props, name).is_some_and(|prop| prop.value_int != 0)
}

fn vector(node: &Node, name: &str) -> [f32; 3] {
    let prop = ufbx::find_prop(&node.element.props, name);
    prop.map_or([0.0; 3], |prop| {
        plain::vec4(prop.value_vec4).truncate().to_array()
    })
}
