use super::angles::{self, labeled_slider, push_edit};
use super::gizmo::{mirror, reset};
use super::numbers::grouped;
use super::pictures::Pictures;
use super::style::widgets::{heading, number_row, section};
use crate::document::OpenFile;
use crate::session::Session;
use crate::state::{Command, HistoryCommand, PanelKind, PoseCommand, Selection};
use egui::{Button, Id, Ui};
use glam::{EulerRot, Quat, Vec3};
use sinew::skeleton::limits::{AngleRange, RotationLimit};
use sinew_edit::{Moment, Name, PoseEdit, Space};

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
                    angles::show(ui, session, file, &[joint], pictures, commands);
                    pose(ui, session, commands);
                    blend_to_copied(ui, session, commands);
                    rotate_by_hand(ui, session, file, joint, pictures, commands);
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
                    let joints = angles::few(&file.character.skeleton);
                    angles::show(ui, session, file, &joints, pictures, commands);
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
    if let Some(slide) = skeleton.freedom(joint).slide_range {
        number_row(
            ui,
            "slide",
            format!("{:.3} m to {:.3} m", slide.min, slide.max),
        );
    }
}

/// Sliders for the rotation of a joint from its rest rotation. A drag of a slider is one edit.
fn rotate_by_hand(
    ui: &mut Ui,
    session: &Session,
    file: &OpenFile,
    joint: usize,
    pictures: &dyn Pictures,
    commands: &mut Vec<Command>,
) {
    /// Angles and the pose below at the start of a drag.
    type Start = ([f32; 3], Option<Moment>);
    let Some((local, _)) = pictures.joint(joint) else {
        return;
    };
    heading(ui, "Rotate by hand");
    let rest = file.character.skeleton.rest().get(joint).rotation;
    let (x, y, z) = (rest.conjugate() * local.rotation).to_euler(EulerRot::XYZ);
    let now = [x, y, z].map(f32::to_degrees);
    let id = Id::unique("angles at the start");
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        // The second Euler angle is in [−90°, 90°].
        let max = if axis == 1 { 89.0_f32 } else { 180.0 };
        // A slider reports a value that it rounds as a change.
        let mut angle = now[axis].round().clamp(-max, max);
        let title = format!("Rotate about {name}");
        let response = labeled_slider(ui, name, &title, &mut angle, -max..=max, "°");
        if response.drag_started() {
            let start: Start = (now, session.state().moment());
            ui.data_mut(|data| data.insert_temp(id, start));
        }
        if response.changed() {
            let start: Option<Start> = ui.data(|data| data.get_temp(id));
            let start = start.filter(|_| response.dragged() || response.drag_stopped());
            let (from, over) = start.unwrap_or_else(|| (now, session.state().moment()));
            let edit = PoseEdit::Rotate {
                joints: vec![Name::Index(joint)],
                rotation: about(axis, from, angle - from[axis]),
                space: Space::Local,
                over,
                limits: session.state().posing.limits(),
            };
            push_edit(&response, edit, commands);
        }
        if response.drag_stopped() {
            ui.data_mut(|data| data.remove::<Start>(id));
            commands.push(HistoryCommand::Release.into());
        }
    }
}

/// Rotation in the frame of a joint that adds to one of its angles, in degrees.
fn about(axis: usize, angles: [f32; 3], by: f32) -> Quat {
    let [_, y, z] = angles.map(f32::to_radians);
    let inner = [
        Quat::from_rotation_y(y) * Quat::from_rotation_z(z),
        Quat::from_rotation_z(z),
        Quat::IDENTITY,
    ][axis];
    Quat::from_axis_angle(inner.conjugate() * Vec3::AXES[axis], by.to_radians())
}

/// Slider that brings the pose toward the copied one, in percent. A drag is one edit.
fn blend_to_copied(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    if session.toward_copied(1.0).is_none() {
        return;
    }
    heading(ui, "Toward the copied pose");
    let id = Id::unique("weight of the copied pose");
    let mut percent: f32 = ui.data(|data| data.get_temp(id)).unwrap_or(0.0);
    let title = "Weight of the copied pose";
    let response = labeled_slider(ui, "", title, &mut percent, 0.0..=100.0, " %");
    if response.changed() {
        let edit = session.toward_copied((percent / 100.0).clamp(0.0, 1.0));
        edit.into_iter()
            .for_each(|edit| push_edit(&response, edit, commands));
    }
    if response.dragged() {
        ui.data_mut(|data| data.insert_temp(id, percent));
    } else {
        ui.data_mut(|data| data.remove::<f32>(id));
    }
    if response.drag_stopped() {
        commands.push(HistoryCommand::Release.into());
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
