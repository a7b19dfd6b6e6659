//! Bar at the top: files, views, panes, panels, theme and help.

use super::style::icons::{self, Icon};
use super::style::theme::Palette;
use super::style::widgets::{about, icon_button, icon_toggle};
use crate::document::{MadeFigure, OpenFile};
use crate::session::Session;
use crate::state::{
    CameraCommand, Command, FileCommand, PaneCommand, PanelKind, Preset, Projection, Theme,
    WindowCommand,
};
use egui::{
    Align, Button, FontId, Id, Layout, Rect, Role, ScrollArea, Sense, Ui, Vec2, WidgetInfo,
};
use sinew_gpu::method_name;

/// Requests to the window, in addition to commands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Requests {
    /// True to open a file dialog.
    pub open_dialog: bool,
    /// True to cancel the picture that is being written.
    pub stop_filming: bool,
}

/// Width of a bar without the name of the program, in points.
const NARROW: f32 = 760.0;

pub(super) fn show(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) -> Requests {
    let mut requests = Requests::default();
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let is_narrow = ui.available_width() < NARROW;
        if !is_narrow {
            sign(ui);
            ui.add_space(6.0);
        }
        let open = icon_button(
            ui,
            Icon::Open,
            "Open",
            "glTF, GLB, VRM, FBX, BVH, C3D, OBJ, PLY or .sinew; or drop files here. Ctrl+O",
        );
        requests.open_dialog = open.clicked();
        let hint = "Save the shown file to the path it was saved to last; the first time, asks for a path. Ctrl+S. Save as: Ctrl+Shift+S";
        if icon_button(ui, Icon::Save, "Save file", hint).clicked() {
            commands.push(FileCommand::Save.into());
        }
        // The tabs scroll in the room that the other widgets leave.
        let id = Id::unique("width of the menus");
        let menus: f32 = ui.data(|data| data.get_temp(id)).unwrap_or(400.0);
        let room = (ui.available_width() - menus - 8.0).max(40.0);
        ScrollArea::horizontal()
            .id_salt("tabs")
            .max_width(room)
            .auto_shrink([true, false])
            .show(ui, |ui| {
                ui.horizontal_centered(|ui| files(ui, session, room, commands));
            });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let end = ui.max_rect().right();
            right(ui, session, commands);
            let width = end - ui.min_rect().left();
            ui.data_mut(|data| data.insert_temp(id, width));
        });
    });
    requests
}

fn sign(ui: &mut Ui) {
    let palette = Palette::of(ui);
    let (rect, response) = ui.allocate_exact_size(Vec2::new(84.0, 28.0), Sense::hover());
    let mark = Rect::from_min_size(rect.min + Vec2::new(2.0, 2.0), Vec2::splat(24.0));
    icons::paint_sign(ui.painter(), mark, palette.text, palette.accent);
    let words = FontId::proportional(17.0);
    ui.painter().text(
        rect.left_center() + Vec2::new(33.0, 0.0),
        egui::Align2::LEFT_CENTER,
        "Sinew",
        words,
        palette.text,
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, "Sinew"));
}

fn files(ui: &mut Ui, session: &Session, room: f32, commands: &mut Vec<Command>) {
    let shown = session.state().shown;
    let files = session.document().files();
    let each = (room / files.len().max(1) as f32).clamp(90.0, 190.0);
    for file in files {
        let is_on = file.id == shown;
        let is_changed = session.editor(file.id).is_some_and(|e| e.is_changed());
        tab(ui, file, (is_on, is_changed), each, commands);
    }
}

fn tab(
    ui: &mut Ui,
    file: &OpenFile,
    (is_on, is_changed): (bool, bool),
    width: f32,
    commands: &mut Vec<Command>,
) {
    let palette = Palette::of(ui);
    let ink = if is_on { palette.text } else { palette.dim };
    let words = ui
        .painter()
        .layout_no_wrap(file.name.clone(), FontId::proportional(13.0), ink);
    let width = (words.size().x + 40.0).min(width);
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, 26.0), Sense::click());
    let fill = match (is_on, response.hovered()) {
        (true, _) => palette.raised,
        (false, true) => palette.well,
        _ => egui::Color32::TRANSPARENT,
    };
    ui.painter()
        .rect_filled(rect, egui::CornerRadius::same(6), fill);
    let text = rect.with_max_x(rect.right() - 22.0);
    let at = rect.left_center() + Vec2::new(10.0, -words.size().y / 2.0);
    ui.painter().with_clip_rect(text).galley(at, words, ink);
    let name = format!("File {}", file.name);
    response.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_on, &name));
    let path = file.path.as_ref().map(|p| p.display().to_string());
    let response = response.on_hover_text(path.unwrap_or_else(|| "built-in figure".to_owned()));
    if response.clicked() {
        commands.push(FileCommand::Show { file: file.id }.into());
    }
    let cross = Rect::from_center_size(
        rect.right_center() - Vec2::new(13.0, 0.0),
        Vec2::splat(16.0),
    );
    let close = ui.interact(cross, response.id.with("close"), Sense::click());
    let ink = if close.hovered() {
        palette.text
    } else {
        palette.faint
    };
    icons::paint(ui.painter(), cross.shrink(2.0), Icon::Close, ink);
    if is_changed {
        let dot = Rect::from_center_size(rect.left_top() + Vec2::splat(6.0), Vec2::splat(6.0));
        ui.painter()
            .circle_filled(dot.center(), 2.8, palette.accent);
        let mark = ui.interact(dot, response.id.with("changed"), Sense::hover());
        let name = format!("Unsaved changes of {}", file.name);
        mark.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
    }
    let name = format!("Close {}", file.name);
    close.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    if close.clicked() {
        commands.push(FileCommand::Close { file: file.id }.into());
    }
}

fn right(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let state = session.state();
    let is_open = |panel| state.window.panels.contains(&panel);
    let help = is_open(PanelKind::Help);
    if icon_toggle(ui, Icon::Help, "Help", "Keys and mouse. ?", help).clicked() {
        commands.push(
            WindowCommand::Panel {
                panel: PanelKind::Help,
                on: !help,
            }
            .into(),
        );
    }
    let (icon, theme, name) = match state.window.theme {
        Theme::Dark => (Icon::Sun, Theme::Light, "Light theme"),
        Theme::Light => (Icon::Moon, Theme::Dark, "Dark theme"),
    };
    if icon_button(ui, icon, name, "").clicked() {
        commands.push(WindowCommand::Theme { theme }.into());
    }
    ui.menu_button("Samples", |ui| {
        for figure in MadeFigure::ALL {
            if item(ui, figure.name(), "") {
                commands.push(FileCommand::OpenMade { figure }.into());
            }
        }
    })
    .response
    .on_hover_text("Built-in figures");
    ui.menu_button("Panels", |ui| panels_menu(ui, session, commands));
    ui.menu_button("Compare", |ui| compare_menu(ui, session, commands));
    ui.menu_button("View", |ui| view_menu(ui, session, commands));
    let orbiting = state.camera.turntable_rad_per_sec != 0.0;
    let turntable = icon_toggle(
        ui,
        Icon::Turntable,
        "Turntable",
        "The camera orbits by itself",
        orbiting,
    );
    if turntable.clicked() {
        commands.push(
            CameraCommand::Turntable {
                rad_per_sec: if orbiting { 0.0 } else { 0.6 },
            }
            .into(),
        );
    }
    if icon_button(
        ui,
        Icon::Frame,
        "Frame",
        "Frame the selection, or everything. F",
    )
    .clicked()
    {
        commands.push(CameraCommand::Frame.into());
    }
}

fn item(ui: &mut Ui, words: &str, key: &str) -> bool {
    let mut button = Button::new(words)
        .frame(false)
        .min_size(Vec2::new(170.0, 22.0));
    if !key.is_empty() {
        button = button.shortcut_text(key);
    }
    ui.add(button).clicked()
}

fn view_menu(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    for (preset, name, key) in [
        (Preset::Home, "Home", "0"),
        (Preset::Front, "Front", "1"),
        (Preset::Back, "Back", "Ctrl+1"),
        (Preset::Right, "Right", "3"),
        (Preset::Left, "Left", "Ctrl+3"),
        (Preset::Top, "Top", "7"),
        (Preset::Bottom, "Bottom", "Ctrl+7"),
    ] {
        if item(ui, name, key) {
            commands.push(CameraCommand::Preset { preset }.into());
        }
    }
    ui.separator();
    let (projection, name) = match session.state().camera.projection {
        Projection::Perspective => (Projection::Orthographic, "Orthographic"),
        Projection::Orthographic => (Projection::Perspective, "Perspective"),
    };
    if item(ui, name, "5") {
        commands.push(CameraCommand::Projection { projection }.into());
    }
    ui.separator();
    let zoom = session.state().window.zoom;
    for (name, factor) in [("Larger text", 1.1), ("Smaller text", 1.0 / 1.1)] {
        if item(ui, name, "") {
            commands.push(
                WindowCommand::LetterSize {
                    zoom: zoom * factor,
                }
                .into(),
            );
        }
    }
}

fn compare_menu(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    use sinew::Method::{DualQuat, Linear, Quaternion, Rigid};
    let with = |methods: &[sinew::Method]| {
        PaneCommand::CompareMethods {
            methods: methods.iter().map(|&m| m.name().to_owned()).collect(),
        }
        .into()
    };
    let two = format!("{} · {}", method_name(Linear), method_name(DualQuat));
    if item(ui, &two, "") {
        commands.push(with(&[Linear, DualQuat]));
    }
    if item(ui, "All four methods", "") {
        commands.push(with(&[Rigid, Linear, DualQuat, Quaternion]));
    }
    for method in [Rigid, Linear, DualQuat, Quaternion] {
        if item(ui, &format!("Only {}", method_name(method)), "") {
            commands.push(with(&[method]));
        }
    }
    ui.separator();
    let files = session.document().files();
    ui.add_enabled_ui(files.len() > 1, |ui| {
        if item(ui, "Open files", "") {
            commands.push(
                PaneCommand::CompareFiles {
                    files: files.iter().map(|f| f.id).collect(),
                }
                .into(),
            );
        }
    });
    if item(ui, "Clip and packed clip", "") {
        commands.push(PaneCommand::ComparePacked.into());
    }
    ui.separator();
    if item(ui, "One picture", "") {
        commands.push(PaneCommand::CompareNone.into());
    }
}

fn panels_menu(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    for panel in PanelKind::ALL {
        let is_open = session.state().window.panels.contains(&panel);
        let mut on = is_open;
        let (name, help) = about(panel);
        if ui.checkbox(&mut on, name).on_hover_text(help).changed() {
            commands.push(WindowCommand::Panel { panel, on }.into());
        }
    }
}
