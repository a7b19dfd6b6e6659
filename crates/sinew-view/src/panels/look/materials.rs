//! Section with the materials of the shown file.

use crate::document::{FileId, OpenFile};
use crate::panels::numbers::grouped;
use crate::panels::style::theme::{Palette, small};
use crate::panels::style::widgets::{focus_ring, list_row, section};
use crate::session::Session;
use crate::state::{Command, PanelKind, Selection, SelectionCommand};
use egui::{
    Color32, CornerRadius, FontId, Id, Rect, Role, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
};
use sinew::{Character, Material};
use sinew_gpu::linear_to_srgb;
use std::sync::Arc;

/// Use of a material by the meshes of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Used {
    triangles: usize,
    /// First node with a mesh that has the material.
    node: Option<usize>,
}

pub(crate) fn show(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    section(
        ui,
        session,
        PanelKind::Materials,
        commands,
        |ui, commands| {
            let Some(file) = session.document().file(session.state().shown) else {
                return;
            };
            let character = &file.character;
            if character.materials.is_empty() {
                ui.weak("This file has no materials.");
                return;
            }
            let used = used(ui, file);
            let materials = character.materials.iter().zip(used.iter());
            for (index, (material, &used)) in materials.enumerate() {
                let name = match material.name.is_empty() {
                    true => format!("material {index}"),
                    false => material.name.clone(),
                };
                if let (true, Some(node)) = (row(ui, &name, material, used), used.node) {
                    let selection = Selection::Node(node);
                    commands.push(SelectionCommand::Select { selection }.into());
                }
            }
        },
    );
}

/// Use of all materials. Cached.
fn used(ui: &Ui, file: &OpenFile) -> Arc<Vec<Used>> {
    type Kept = ((FileId, u32), Arc<Vec<Used>>);
    let id = Id::unique("use of materials");
    let key = (file.id, file.version);
    let kept: Option<Kept> = ui.data(|data| data.get_temp(id));
    if let Some((_, used)) = kept.filter(|(kept, _)| *kept == key) {
        return used;
    }
    let used = Arc::new(count(&file.character));
    let kept: Kept = (key, used.clone());
    ui.data_mut(|data| data.insert_temp(id, kept));
    used
}

fn count(character: &Character) -> Vec<Used> {
    let mut all = vec![Used::default(); character.materials.len()];
    for (index, node) in character.nodes.iter().enumerate() {
        let mesh = node.mesh.and_then(|mesh| character.meshes.get(mesh));
        for primitive in mesh.into_iter().flat_map(|mesh| &mesh.primitives) {
            let material = primitive
                .material
                .and_then(|material| all.get_mut(material));
            if let Some(used) = material {
                used.triangles += primitive.triangles().count();
                used.node = used.node.or(Some(index));
            }
        }
    }
    all
}

/// Shows a material in two lines. True if it was clicked.
fn row(ui: &mut Ui, name: &str, material: &Material, used: Used) -> bool {
    let palette = Palette::of(ui);
    let room = ui.available_width() - 40.0;
    let title = ui.painter().layout(
        name.to_owned(),
        FontId::proportional(12.5),
        palette.text,
        room,
    );
    let about = ui
        .painter()
        .layout(about(material, used), small(), palette.dim, room);
    let height = title.size().y + about.size().y + 8.0;
    let (rect, response) = list_row(ui, Vec2::new(0.0, height), false);
    let swatch = Rect::from_min_size(rect.min + Vec2::new(6.0, 6.0), Vec2::splat(18.0));
    let corner = CornerRadius::same(4);
    ui.painter().rect_filled(swatch, corner, color(material));
    let edge = Stroke::new(1.0, palette.line);
    ui.painter()
        .rect_stroke(swatch, corner, edge, StrokeKind::Inside);
    let place = rect.min + Vec2::new(32.0, 4.0);
    let below = place + Vec2::new(0.0, title.size().y);
    ui.painter().galley(place, title, palette.text);
    ui.painter().galley(below, about, palette.dim);
    focus_ring(ui, &response, rect);
    let spoken = format!("Material {name}");
    response.widget_info(|| WidgetInfo::labeled(Role::ListItem, true, &spoken));
    response.clicked()
}

/// Base colour as the screen shows it, without its texture.
fn color(material: &Material) -> Color32 {
    let [r, g, b, _] = material.base_color;
    let [r, g, b] = [r, g, b].map(|x| (255.0 * linear_to_srgb(x.clamp(0.0, 1.0))).round() as u8);
    Color32::from_rgb(r, g, b)
}

fn about(material: &Material, used: Used) -> String {
    let textures = [
        &material.base_color_texture,
        &material.metallic_roughness_texture,
        &material.normal_texture,
        &material.occlusion_texture,
        &material.emissive_texture,
    ];
    let filled = textures.iter().filter(|texture| texture.is_some()).count();
    let mut words = vec![
        format!("metal {:.2}", material.metallic),
        format!("rough {:.2}", material.roughness),
    ];
    match filled {
        0 => {}
        1 => words.push("1 texture".to_owned()),
        _ => words.push(format!("{filled} textures")),
    }
    words.push(match used.triangles {
        0 => "not used".to_owned(),
        triangles => format!("{} triangles", grouped(triangles)),
    });
    words.join(" · ")
}
