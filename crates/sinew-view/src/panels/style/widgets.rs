//! Shared widgets. Each has a name for screen readers.

use super::icons::{self, Icon};
use super::theme::{Palette, small};
use crate::session::Session;
use crate::state::{Command, PanelKind, WindowCommand};
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    Align2, Color32, CornerRadius, FontId, PopupCloseBehavior, Rect, Response, RichText, Role,
    Sense, Slider, TextEdit, Ui, Vec2, WidgetInfo,
};

/// Button with an icon. Screen readers read `name`. `hint` is a tooltip with details.
pub(crate) fn icon_button(ui: &mut Ui, icon: Icon, name: &str, hint: &str) -> Response {
    icon_toggle(ui, icon, name, hint, false)
}

/// Icon button with a state. It is highlighted if on.
pub(crate) fn icon_toggle(
    ui: &mut Ui,
    icon: Icon,
    name: &str,
    hint: &str,
    is_on: bool,
) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::new(26.0, 24.0), Sense::click());
    let palette = Palette::of(ui);
    let is_enabled = ui.is_enabled();
    let fill = match (
        is_on,
        response.is_pointer_button_down_on(),
        response.hovered(),
    ) {
        (true, ..) => palette.chosen,
        (_, true, _) => palette.chosen,
        (_, _, true) => palette.raised,
        _ => Color32::TRANSPARENT,
    };
    let ink = match (is_enabled, is_on) {
        (false, _) => palette.faint,
        (_, true) => palette.accent,
        (_, false) => palette.text,
    };
    ui.painter().rect_filled(rect, CornerRadius::same(5), fill);
    focus_ring(ui, &response, rect);
    icons::paint(ui.painter(), rect.shrink(4.0), icon, ink);
    response.widget_info(|| WidgetInfo::selected(Role::Button, is_enabled, is_on, name));
    response.on_hover_ui(|ui| explain(ui, name, hint))
}

/// List row of full width or wider, highlighted if on or under the pointer.
pub(crate) fn list_row(ui: &mut Ui, min_size: Vec2, is_on: bool) -> (Rect, Response) {
    let palette = Palette::of(ui);
    let size = Vec2::new(ui.available_width().max(min_size.x), min_size.y);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let fill = match (is_on, response.hovered()) {
        (true, _) => palette.chosen,
        (false, true) => palette.raised,
        (false, false) => Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(rect, CornerRadius::same(4), fill);
    (rect, response)
}

pub(crate) fn focus_ring(ui: &Ui, response: &Response, rect: Rect) {
    if response.has_focus() {
        let stroke = egui::Stroke::new(1.5, Palette::of(ui).accent);
        let inside = egui::StrokeKind::Inside;
        ui.painter()
            .rect_stroke(rect, CornerRadius::same(5), stroke, inside);
    }
}

fn explain(ui: &mut Ui, name: &str, hint: &str) {
    ui.label(name);
    if !hint.is_empty() {
        ui.label(RichText::new(hint).small().weak());
    }
}

/// Toggle button with a text.
pub(crate) fn chip(ui: &mut Ui, name: &str, hint: &str, is_on: bool) -> Response {
    let palette = Palette::of(ui);
    let font = FontId::proportional(12.5);
    let ink = if is_on { palette.accent } else { palette.text };
    let words = ui.painter().layout_no_wrap(name.to_owned(), font, ink);
    let size = Vec2::new(words.size().x + 16.0, 22.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let fill = match (is_on, response.hovered()) {
        (true, _) => palette.chosen,
        (false, true) => palette.hovered,
        (false, false) => palette.raised,
    };
    ui.painter().rect_filled(rect, CornerRadius::same(11), fill);
    focus_ring(ui, &response, rect);
    let place = Align2::CENTER_CENTER.anchor_size(rect.center(), words.size());
    ui.painter().galley(place.min, words, ink);
    let is_enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, is_enabled, is_on, name));
    if hint.is_empty() {
        response
    } else {
        response.on_hover_text(hint)
    }
}

/// Collapsible part of a side panel, with a heading.
pub(crate) fn section(
    ui: &mut Ui,
    session: &Session,
    panel: PanelKind,
    commands: &mut Vec<Command>,
    body: impl FnOnce(&mut Ui, &mut Vec<Command>),
) {
    let (title, help) = about(panel);
    let is_open = session.state().window.panels.contains(&panel);
    let palette = Palette::of(ui);
    let width = ui.available_width();
    ui.add_space(2.0);
    let (rect, _) = ui.allocate_exact_size(Vec2::new(width, 26.0), Sense::hover());
    let fold = Rect::from_min_max(rect.min, rect.max - Vec2::new(24.0, 0.0));
    let head = ui.interact(fold, ui.scope_id().with(title), Sense::click());
    let chevron = Rect::from_min_size(rect.min, Vec2::new(16.0, rect.height()));
    let icon = if is_open {
        Icon::Unfolded
    } else {
        Icon::Folded
    };
    let ink = if head.hovered() {
        palette.text
    } else {
        palette.dim
    };
    icons::paint(
        ui.painter(),
        chevron.shrink2(Vec2::new(2.0, 0.0)),
        icon,
        ink,
    );
    ui.painter().text(
        rect.left_center() + Vec2::new(20.0, 0.0),
        Align2::LEFT_CENTER,
        title,
        FontId::proportional(13.5),
        palette.text,
    );
    focus_ring(ui, &head, fold);
    head.widget_info(|| WidgetInfo::selected(Role::DisclosureTriangle, true, is_open, title));
    if head.clicked() {
        commands.push(
            WindowCommand::Panel {
                panel,
                on: !is_open,
            }
            .into(),
        );
    }
    let mark = Rect::from_min_max(
        rect.max - Vec2::new(22.0, 24.0),
        rect.max - Vec2::new(2.0, 2.0),
    );
    let what = ui.interact(mark, ui.scope_id().with((title, "help")), Sense::click());
    let ink = if what.hovered() {
        palette.text
    } else {
        palette.faint
    };
    icons::paint(ui.painter(), mark.shrink(3.0), Icon::Help, ink);
    let name = format!("Help about {title}");
    what.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    let what = what.on_hover_text(help);
    if what.clicked() {
        what.show_tooltip_text(help);
    }
    if is_open {
        ui.push_id(title, |ui| body(ui, commands));
        ui.add_space(8.0);
    }
    let line = ui.cursor().top() + 1.0;
    ui.painter()
        .hline(rect.x_range(), line, egui::Stroke::new(1.0, palette.line));
    ui.add_space(3.0);
}

pub(crate) fn about(panel: PanelKind) -> (&'static str, &'static str) {
    match panel {
        PanelKind::Files => (
            "Clips",
            "The clips of the shown file. Click a clip to play it from its beginning. The sliders below blend in other clips.",
        ),
        PanelKind::Joints => (
            "Joints and scene",
            "The skeleton, or all nodes of the file, as a tree. Click an item to select it. The tree also shows what you select in the picture.",
        ),
        PanelKind::Look => (
            "Look",
            "The surface, the overlays on it, the light effects and the background. While something moves, the picture is drawn fast. When nothing moves, its quality improves.",
        ),
        PanelKind::Timeline => (
            "Timeline",
            "The clip over time. Drag on the ruler to scrub, also during playback. Diamonds are keys: click to select, drag to move. Flags are events, graphs are curves of the clip.",
        ),
        PanelKind::Findings => (
            "Findings",
            "Problems that the importer found, repaired or ignored. Click a finding to select the item that it names.",
        ),
        PanelKind::Selected => (
            "Selected",
            "Numbers of the selection: position and rotation of a joint, its limits, and the number of vertices that it moves.",
        ),
        PanelKind::Deformation => (
            "Deformation",
            "Deformation of the skin over the whole clip, with a line for each pane. Click a pane in the legend to go to its worst moment.",
        ),
        PanelKind::Numbers => ("Numbers", "Time per frame, and the amount of data to draw."),
        PanelKind::Export => (
            "Export",
            "Save keeps all edits and is what a file is opened from again. Export writes a copy: a picture, an animation, the character or a packed clip. Below is the command line for the same picture.",
        ),
        PanelKind::History => (
            "History",
            "Edits of the shown file, oldest first. Click one to go back or forth to it. Ctrl+Z undoes, Ctrl+Shift+Z redoes.",
        ),
        PanelKind::Layers => (
            "Layers",
            "Layers over the clip that plays. A layer corrects the motion and leaves the keys of the clip. The chosen layer gets new keys.",
        ),
        PanelKind::Materials => (
            "Material list",
            "The materials of the shown file, with their base colours. Click one to select a mesh that has it.",
        ),
        PanelKind::Morphs => (
            "Morph targets",
            "Weights of the morph targets of the shown file. A weight that is set by hand replaces that of the clip, in the picture only.",
        ),
        PanelKind::Help => ("Help", "Keys and camera control."),
    }
}

pub(crate) fn search(ui: &mut Ui, name: &'static str) -> String {
    let id = ui.scope_id().with(name);
    let mut text: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let field = TextEdit::singleline(&mut text)
        .hint_text(name)
        .desired_width(f32::INFINITY);
    let response = ui.add(field);
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::TextInput, true, name);
        info.current_text_value = Some(text.clone());
        info
    });
    if response.changed() {
        ui.data_mut(|data| data.insert_temp(id, text.clone()));
    }
    text.to_lowercase()
}

pub(crate) fn number_row(ui: &mut Ui, name: &str, value: impl Into<String>) {
    let palette = Palette::of(ui);
    let width = ui.available_width();
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, 18.0), Sense::hover());
    let value = value.into();
    ui.painter().text(
        rect.left_center(),
        Align2::LEFT_CENTER,
        name,
        FontId::proportional(12.5),
        palette.dim,
    );
    ui.painter().text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        &value,
        super::theme::digits(),
        palette.text,
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name}: {value}")));
}

/// Slider as wide as the panel, with a name for screen readers.
pub(crate) fn named_slider(ui: &mut Ui, label: &str, title: &str, slider: Slider<'_>) {
    ui.horizontal(|ui| {
        ui.label(label);
        ui.spacing_mut().slider_width = (ui.available_width() - 70.0).max(40.0);
        let response = ui.add(slider);
        response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, title));
    });
}

pub(crate) fn heading(ui: &mut Ui, words: &str) {
    ui.add_space(4.0);
    ui.label(
        RichText::new(words)
            .font(small())
            .color(Palette::of(ui).dim),
    );
}

/// Menu that stays open until a click beside it.
pub(crate) fn menu(ui: &mut Ui, name: &str, body: impl FnOnce(&mut Ui)) {
    let close = PopupCloseBehavior::CloseOnClickOutside;
    let config = MenuConfig::new().close_behavior(close);
    MenuButton::new(name).config(config).ui(ui, |ui| {
        ui.set_min_width(230.0);
        body(ui);
    });
}
