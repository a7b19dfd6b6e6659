//! Trees of joints and nodes, with search. A click on an item selects it.

use super::style::icons::{self, Icon};
use super::style::theme::Palette;
use super::style::widgets::{chip, focus_ring, list_row, search, section};
use crate::document::OpenFile;
use crate::session::Session;
use crate::state::{CameraCommand, Command, LookCommand, PanelKind, Selection, SelectionCommand};
use egui::{FontId, Rect, Role, ScrollArea, Sense, Ui, Vec2, WidgetInfo};
use sinew::names::namespace;

const ROW: f32 = 20.0;
/// Indentation of the deepest row, in points.
const INDENTED: f32 = 90.0;
/// Rows that a tree has at least, or all if it has fewer. The panel scrolls below them.
const MIN_ROWS: usize = 9;

struct Line {
    name: String,
    depth: usize,
    icon: Icon,
    selection: Selection,
    /// True if a mesh at or below the node is shown. `None` if there is none.
    is_seen: Option<bool>,
}

pub(super) fn show(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>, height: f32) {
    section(ui, session, PanelKind::Joints, commands, |ui, commands| {
        let state = session.state();
        let Some(file) = session.document().file(state.shown) else {
            return;
        };
        let id = ui.scope_id().with("tree");
        let mut is_scene: bool = ui.data(|data| data.get_temp(id)).unwrap_or(false);
        ui.horizontal(|ui| {
            if chip(ui, "Joints", "The skeleton", !is_scene).clicked() {
                is_scene = false;
            }
            if chip(ui, "Scene", "All nodes of the file", is_scene).clicked() {
                is_scene = true;
            }
            ui.data_mut(|data| data.insert_temp(id, is_scene));
            if !is_scene {
                controls_chip(ui, file);
            }
        });
        let wanted = search(ui, "Search names");
        let skeleton = &file.character.skeleton;
        let names = (0..skeleton.len()).map(|joint| skeleton.name(joint));
        let namespace = if is_scene { "" } else { namespace(names) };
        if !namespace.is_empty() {
            ui.weak(format!("Names without {namespace}"));
        }
        let folded = wanted.strip_prefix(&namespace.to_lowercase());
        let wanted = folded.unwrap_or(&wanted).to_owned();
        let lines = if is_scene {
            nodes(file, session)
        } else {
            joints(file, namespace, shows_controls(ui))
        };
        let shown: Vec<&Line> = lines
            .iter()
            .filter(|l| wanted.is_empty() || l.name.to_lowercase().contains(&wanted))
            .collect();
        if shown.is_empty() {
            ui.weak(if wanted.is_empty() {
                "This file has none."
            } else {
                "No name contains this text."
            });
            return;
        }
        let is_flat = !wanted.is_empty();
        tree(ui, session, &shown, is_flat, height, commands);
    });
}

fn tree(
    ui: &mut Ui,
    session: &Session,
    lines: &[&Line],
    is_flat: bool,
    height: f32,
    commands: &mut Vec<Command>,
) {
    let selection = session.state().selection;
    let further = &session.state().further_joints;
    let row_index = lines.iter().position(|l| l.selection == selection);
    let height = height.max(lines.len().min(MIN_ROWS) as f32 * ROW);
    let seen_id = ui.scope_id().with("seen");
    let seen: Option<Selection> = ui.data(|data| data.get_temp(seen_id));
    // A deep tree is indented less, and names that are still too long scroll sideways.
    let deepest = lines.iter().map(|line| line.depth).max().unwrap_or(0);
    let indent = if is_flat {
        0.0
    } else {
        (INDENTED / deepest.max(1) as f32).min(9.0)
    };
    let mut area = ScrollArea::both()
        .id_salt("tree")
        .max_height(height)
        .auto_shrink([false, true]);
    // Scrolls to an item that another panel selected.
    if seen != Some(selection) {
        ui.data_mut(|data| data.insert_temp(seen_id, selection));
        if let Some(row_index) = row_index.filter(|_| seen.is_some()) {
            let middle = row_index as f32 * ROW - height / 2.0;
            area = area.vertical_scroll_offset(middle.max(0.0));
        }
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    area.show_rows(ui, ROW, lines.len(), |ui, range| {
        for line in &lines[range] {
            let is_further = |joint: &usize| line.selection == Selection::Joint(*joint);
            let is_on = line.selection == selection || further.iter().any(is_further);
            row(ui, line, indent, is_on, commands);
        }
    });
}

fn row(ui: &mut Ui, line: &Line, indent: f32, is_on: bool, commands: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let (ink, icon_ink) = if is_on {
        (palette.accent, palette.accent)
    } else {
        (palette.text, palette.faint)
    };
    let font = FontId::proportional(12.5);
    let words = ui.painter().layout_no_wrap(line.name.clone(), font, ink);
    let inset = 4.0 + indent * line.depth as f32;
    let eye_width = if line.is_seen.is_some() { 24.0 } else { 4.0 };
    let width = inset + 18.0 + words.size().x + eye_width;
    let (rect, response) = list_row(ui, Vec2::new(width, ROW), is_on);
    let left = rect.left() + inset;
    for step in (0..line.depth).filter(|_| indent > 0.0) {
        let x = rect.left() + 10.0 + indent * step as f32;
        let stroke = egui::Stroke::new(1.0, palette.line);
        ui.painter().vline(x, rect.y_range(), stroke);
    }
    let icon = Rect::from_min_size(egui::pos2(left, rect.top() + 3.0), Vec2::splat(14.0));
    icons::paint(ui.painter(), icon.shrink(1.0), line.icon, icon_ink);
    let place = egui::pos2(left + 18.0, rect.center().y - words.size().y / 2.0);
    ui.painter().galley(place, words, ink);
    eye(ui, line, rect, &response, commands);
    focus_ring(ui, &response, rect);
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, is_on, &line.name));
    if response.clicked() && ui.input(|input| input.modifiers.shift) {
        if let Selection::Joint(joint) = line.selection {
            commands.push(SelectionCommand::AddJoint { joint }.into());
        }
    } else if response.clicked() {
        commands.push(
            SelectionCommand::Select {
                selection: if is_on {
                    Selection::None
                } else {
                    line.selection
                },
            }
            .into(),
        );
    }
    if response.double_clicked() {
        commands.push(
            SelectionCommand::Select {
                selection: line.selection,
            }
            .into(),
        );
        commands.push(CameraCommand::Frame.into());
    }
}

/// Eye at the end of a row, which hides and shows the meshes at and below a node.
fn eye(ui: &Ui, line: &Line, row: Rect, response: &egui::Response, commands: &mut Vec<Command>) {
    let (Some(is_seen), Selection::Node(node)) = (line.is_seen, line.selection) else {
        return;
    };
    // The list may be wider than the panel.
    let right = row.right().min(ui.clip_rect().right());
    let middle = egui::pos2(right - 12.0, row.center().y);
    let place = Rect::from_center_size(middle, Vec2::splat(18.0));
    let click = ui.interact(place, response.id.with("eye"), Sense::click());
    let (icon, verb) = match is_seen {
        true => (Icon::Eye, "Hide"),
        false => (Icon::EyeClosed, "Show"),
    };
    let palette = Palette::of(ui);
    let ink = match click.hovered() || !is_seen {
        true => palette.text,
        false => palette.faint,
    };
    icons::paint(ui.painter(), place.shrink(2.0), icon, ink);
    let name = format!("{verb} {}", line.name);
    click.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    if click.clicked() {
        commands.push(LookCommand::Visible { node, on: !is_seen }.into());
    }
}

fn in_order(parents: &[Option<usize>]) -> Vec<(usize, usize)> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (index, parent) in parents.iter().enumerate() {
        match parent {
            Some(parent) if *parent < parents.len() => children[*parent].push(index),
            _ => open.push((index, 0)),
        }
    }
    open.reverse();
    let mut order = Vec::with_capacity(parents.len());
    while let Some((index, depth)) = open.pop() {
        order.push((index, depth));
        let below = children[index].iter().rev();
        open.extend(below.map(|&child| (child, depth + 1)));
    }
    order
}

/// True if the tree lists control joints.
fn shows_controls(ui: &Ui) -> bool {
    let id = egui::Id::unique("control joints");
    ui.data(|data| data.get_temp(id)).unwrap_or(false)
}

/// Chip that lists the control joints, if there are any.
fn controls_chip(ui: &mut Ui, file: &OpenFile) {
    if !file.character.controls().contains(&true) {
        return;
    }
    let is_on = shows_controls(ui);
    let hint = "Also list joints that move no mesh";
    if chip(ui, "Controls", hint, is_on).clicked() {
        let id = egui::Id::unique("control joints");
        ui.data_mut(|data| data.insert_temp(id, !is_on));
    }
}

/// Joints without the namespace of most names. Control joints are left out unless they are asked for.
fn joints(file: &OpenFile, namespace: &str, with_controls: bool) -> Vec<Line> {
    let skeleton = &file.character.skeleton;
    let parents: Vec<Option<usize>> = (0..skeleton.len()).map(|j| skeleton.parent(j)).collect();
    let line = |(joint, depth): (usize, usize)| Line {
        name: named(without(skeleton.name(joint), namespace), "joint", joint),
        depth,
        icon: Icon::Joint,
        selection: Selection::Joint(joint),
        is_seen: None,
    };
    let controls = file.character.controls();
    let order = in_order(&parents).into_iter();
    let listed = order.filter(|(joint, _)| with_controls || !controls[*joint]);
    listed.map(line).collect()
}

fn nodes(file: &OpenFile, session: &Session) -> Vec<Line> {
    let nodes = &file.character.nodes;
    let parents: Vec<Option<usize>> = nodes.iter().map(|n| n.parent).collect();
    let order = in_order(&parents);
    let hidden = &session.state().hidden;
    let own = |index: usize| {
        nodes[index]
            .mesh
            .map(|_| !hidden.contains(&(file.id, index)))
    };
    let mut is_seen: Vec<Option<bool>> = (0..nodes.len()).map(own).collect();
    for &(index, _) in order.iter().rev() {
        let below = is_seen[index];
        if let Some(above) = parents[index].and_then(|parent| is_seen.get_mut(parent)) {
            // One shown mesh below is enough.
            *above = (*above).max(below);
        }
    }
    let line = |&(index, depth): &(usize, usize)| Line {
        name: named(&nodes[index].name, "node", index),
        depth,
        icon: match nodes[index].mesh {
            Some(_) => Icon::Mesh,
            None => Icon::Node,
        },
        selection: Selection::Node(index),
        is_seen: is_seen[index],
    };
    order.iter().map(line).collect()
}

fn without<'a>(name: &'a str, namespace: &str) -> &'a str {
    name.strip_prefix(namespace).unwrap_or(name)
}

fn named(name: &str, kind: &str, index: usize) -> String {
    if name.is_empty() {
        format!("{kind} {index}")
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_comes_before_its_children_and_after_its_elder_siblings() {
        let parents = [None, Some(0), Some(0), Some(1), None, Some(9)];
        let order = in_order(&parents);
        assert_eq!(order, [(0, 0), (1, 1), (3, 2), (2, 1), (4, 0), (5, 0)]);
    }
}
