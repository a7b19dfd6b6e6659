use super::gizmo::{mirror, reset};
use super::numbers::grouped;
use super::pictures::Pictures;
use super::style::widgets::{heading, number_row, section};
use crate::document::OpenFile;
use crate::session::Session;
use crate::state::{Command, PanelKind, PoseCommand, Selection};
use egui::{Button, Id, Slider, Ui, WidgetInfo};
use glam::{EulerRot, Quat, Vec3};
use sinew::skeleton::limits::{AngleRange, RotationLimit};

pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    pictures: &dyn Pictures,
    commands: &mut Vec<Command>,
) {
    section(
        ui,
        session,
        PanelKind::Selected,
        commands,
        |ui, commands| {
            let Some(file) = session.document().file(session.state().shown) else {
                return;
            };
            match session.state().selection {
                Selection::Joint(joint) if joint < file.character.skeleton.len() => {
                    show_joint(ui, file, joint, pictures);
                    rotate_by_hand(ui, session, joint, commands);
                }
                Selection::Node(node) if node < file.character.nodes.len() => {
                    show_node(ui, file, node);
                }
                Selection::Vertex { primitive, vertex } => {
                    number_row(ui, "Primitive", primitive.to_string());
                    number_row(ui, "Vertex", vertex.to_string());
                }
                _ => {
                    ui.weak("Click a joint in the tree, or the skin in the picture.");
                }
            }
        },
    );
}

fn show_joint(ui: &mut Ui, file: &OpenFile, joint: usize, pictures: &dyn Pictures) {
    let skeleton = &file.character.skeleton;
    number_row(ui, "Joint", skeleton.name(joint));
    let parent = skeleton.parent(joint).map(|p| skeleton.name(p).to_owned());
    number_row(
        ui,
        "Parent",
        parent.unwrap_or_else(|| "none: a root".to_owned()),
    );
    let (vertices, heaviest) = moved(ui, file, joint);
    number_row(ui, "Vertices moved", grouped(vertices));
    number_row(ui, "with the largest weight", grouped(heaviest));
    if let Some((local, model)) = pictures.joint(joint) {
        heading(ui, "Relative to its parent");
        number_row(ui, "position", vector(local.translation));
        number_row(ui, "rotation", degrees(local.rotation));
        if (local.scale - Vec3::ONE).abs().max_element() > 1e-4 {
            number_row(ui, "scale", vector(local.scale));
        }
        heading(ui, "In the model");
        number_row(ui, "position", vector(model.translation()));
    }
    heading(ui, "Limits");
    limits(ui, &skeleton.freedom(joint).rotation);
}

fn rotate_by_hand(ui: &mut Ui, session: &Session, joint: usize, commands: &mut Vec<Command>) {
    pose(ui, session, commands);
    heading(ui, "Rotate by hand");
    let rotations = &session.state().hand_rotations;
    let now = rotations.get(&joint).copied().unwrap_or(Quat::IDENTITY);
    let (x, y, z) = now.to_euler(EulerRot::XYZ);
    let before = [x, y, z].map(f32::to_degrees);
    let mut angles = before;
    for (angle, axis) in angles.iter_mut().zip(["x", "y", "z"]) {
        ui.horizontal(|ui| {
            ui.label(axis);
            ui.spacing_mut().slider_width = (ui.available_width() - 70.0).max(40.0);
            // The second Euler angle is in [−90°, 90°].
            let max = if axis == "y" { 89.0 } else { 180.0 };
            let slider = Slider::new(angle, -max..=max).max_decimals(0).suffix("°");
            let response = ui.add(slider);
            let name = format!("Rotate about {axis}");
            let value = f64::from(*angle);
            response.widget_info(|| WidgetInfo::slider(true, value, &name));
        });
    }
    if angles != before {
        let [x, y, z] = angles.map(f32::to_radians);
        let rotation = Quat::from_euler(EulerRot::XYZ, x, y, z);
        commands.push(PoseCommand::Turn { joint, rotation }.into());
    }
    if !rotations.is_empty() && ui.button("Reset pose").clicked() {
        commands.push(PoseCommand::ResetTurns.into());
    }
}

/// Buttons for the pose of the selected joints and of the whole figure.
fn pose(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let state = session.state();
    let joints = state.selected_joints();
    let has_copy = !state.posing.copied.is_empty();
    let file = session.document().file(state.shown);
    let is_posed = file.is_some_and(|file| !file.pose.is_empty());
    heading(ui, "Pose");
    let buttons: [(&str, &str, bool, Command); 6] = [
        ("Mirror pose", "Ctrl+M", true, mirror(session)),
        ("Copy pose", "Shift+C", true, PoseCommand::CopyPose.into()),
        (
            "Paste pose",
            "Shift+V",
            has_copy,
            PoseCommand::PastePose.into(),
        ),
        ("Reset joint", "Alt+R", is_posed, reset(&joints, false)),
        ("Reset below", "Shift+Alt+R", is_posed, reset(&joints, true)),
        ("Reset all", "Ctrl+Alt+R", is_posed, reset(&[], false)),
    ];
    ui.horizontal_wrapped(|ui| {
        for (name, key, is_enabled, command) in buttons {
            let button = ui.add_enabled(is_enabled, Button::new(name));
            if button.on_hover_text(key).clicked() {
                commands.push(command);
            }
        }
    });
}

fn vector(v: Vec3) -> String {
    format!("{:.3}  {:.3}  {:.3}", v.x, v.y, v.z)
}

fn degrees(rotation: Quat) -> String {
    let (x, y, z) = rotation.to_euler(EulerRot::XYZ);
    let [x, y, z] = [x, y, z].map(|a| a.to_degrees());
    format!("{x:.1}°  {y:.1}°  {z:.1}°")
}

fn limits(ui: &mut Ui, turn: &RotationLimit) {
    let range = |range: &AngleRange| {
        if range.ends() {
            format!(
                "{:.0}° to {:.0}°",
                range.min_rad.to_degrees(),
                range.max_rad.to_degrees()
            )
        } else {
            "unlimited".to_owned()
        }
    };
    match turn {
        RotationLimit::Fixed => number_row(ui, "rotation", "fixed"),
        RotationLimit::Free => number_row(ui, "rotation", "free"),
        RotationLimit::Hinge { range: own, .. } => number_row(ui, "hinge", range(own)),
        RotationLimit::Saddle { axes, ranges } => {
            for (axis, own) in axes.iter().zip(ranges) {
                number_row(ui, &format!("about {axis:?}"), range(own));
            }
        }
        RotationLimit::Ball {
            swing_rad, twist, ..
        } => {
            number_row(ui, "swing", format!("{:.0}°", swing_rad.to_degrees()));
            number_row(ui, "twist", range(twist));
        }
        RotationLimit::Euler { order, ranges } => {
            for (axis, own) in order.axes().iter().zip(ranges) {
                number_row(ui, &format!("about {axis:?}"), range(own));
            }
        }
        RotationLimit::Framed(framed) => limits(ui, &framed.rotation),
    }
}

fn show_node(ui: &mut Ui, file: &OpenFile, index: usize) {
    let node = &file.character.nodes[index];
    number_row(ui, "Node", node.name.clone());
    let parent = node.parent.and_then(|p| file.character.nodes.get(p));
    number_row(
        ui,
        "Parent",
        parent.map_or("none".to_owned(), |p| p.name.clone()),
    );
    number_row(ui, "position", vector(node.parent_from_node.translation()));
    if let Some(mesh) = node.mesh.and_then(|m| file.character.meshes.get(m)) {
        let vertices: usize = mesh.primitives.iter().map(|p| p.len()).sum();
        number_row(ui, "Primitives", mesh.primitives.len().to_string());
        number_row(ui, "Vertices", grouped(vertices));
    }
}

/// Number of vertices that a joint moves, and of those where it is the heaviest joint. Cached.
fn moved(ui: &Ui, file: &OpenFile, joint: usize) -> (usize, usize) {
    let id = Id::unique("vertices moved");
    let key = (file.id, file.version, joint);
    let kept: Option<((_, _, usize), (usize, usize))> = ui.data(|data| data.get_temp(id));
    if let Some((kept, counts)) = kept
        && kept == key
    {
        return counts;
    }
    let mut counts = (0, 0);
    for node in &file.character.nodes {
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else {
            continue;
        };
        let joints = &file.character.skins[skin].joints;
        let Some(own) = joints.iter().position(|&j| j == joint) else {
            continue;
        };
        let primitives = file.character.meshes[mesh].primitives.iter();
        for influences in primitives.filter_map(|p| p.influences.as_ref()) {
            for vertex in 0..influences.len() {
                let weight = |(j, w): (usize, f32)| (j == own).then_some(w);
                let weight: f32 = influences.get(vertex).filter_map(weight).sum();
                counts.0 += usize::from(weight > 0.0);
                let heaviest = influences.heaviest(vertex).map(|h| h.0);
                counts.1 += usize::from(heaviest == Some(own));
            }
        }
    }
    ui.data_mut(|data| data.insert_temp(id, (key, counts)));
    counts
}
