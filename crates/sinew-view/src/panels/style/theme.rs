use crate::state::Theme;
use egui::{
    Color32, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, Style, TextStyle, Ui, Vec2,
    Visuals,
};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    /// Background of lists, rulers and fields.
    pub well: Color32,
    /// Background of panels.
    pub panel: Color32,
    /// Buttons on a panel.
    pub raised: Color32,
    /// Button under the pointer.
    pub hovered: Color32,
    /// Separators.
    pub line: Color32,
    pub text: Color32,
    /// Secondary text.
    pub dim: Color32,
    /// Text with the lowest contrast.
    pub faint: Color32,
    /// Selection and current time.
    pub accent: Color32,
    /// Background of chosen items.
    pub chosen: Color32,
    /// Keys of joints.
    pub key: Color32,
    pub good: Color32,
    pub warning: Color32,
    pub error: Color32,
}

const DARK: Palette = Palette {
    well: Color32::from_rgb(0x12, 0x14, 0x17),
    panel: Color32::from_rgb(0x1a, 0x1c, 0x20),
    raised: Color32::from_rgb(0x26, 0x29, 0x2f),
    hovered: Color32::from_rgb(0x31, 0x35, 0x3c),
    line: Color32::from_rgb(0x2a, 0x2d, 0x33),
    text: Color32::from_rgb(0xd9, 0xdc, 0xe1),
    dim: Color32::from_rgb(0x8f, 0x96, 0xa1),
    faint: Color32::from_rgb(0x5a, 0x61, 0x6b),
    accent: Color32::from_rgb(0xf0, 0x86, 0x5c),
    chosen: Color32::from_rgb(0x4b, 0x30, 0x28),
    key: Color32::from_rgb(0x79, 0xa9, 0xd1),
    good: Color32::from_rgb(0x7f, 0xb9, 0x86),
    warning: Color32::from_rgb(0xe0, 0xb3, 0x5c),
    error: Color32::from_rgb(0xe5, 0x71, 0x6d),
};

const LIGHT: Palette = Palette {
    well: Color32::from_rgb(0xff, 0xff, 0xff),
    panel: Color32::from_rgb(0xf4, 0xf3, 0xf1),
    raised: Color32::from_rgb(0xe6, 0xe5, 0xe2),
    hovered: Color32::from_rgb(0xda, 0xd8, 0xd4),
    line: Color32::from_rgb(0xd8, 0xd6, 0xd2),
    text: Color32::from_rgb(0x24, 0x27, 0x2b),
    dim: Color32::from_rgb(0x66, 0x6b, 0x73),
    faint: Color32::from_rgb(0x9a, 0x9d, 0xa3),
    accent: Color32::from_rgb(0xc4, 0x4f, 0x25),
    chosen: Color32::from_rgb(0xf6, 0xd9, 0xcc),
    key: Color32::from_rgb(0x2f, 0x6a, 0x9c),
    good: Color32::from_rgb(0x3b, 0x7d, 0x46),
    warning: Color32::from_rgb(0x97, 0x69, 0x0c),
    error: Color32::from_rgb(0xb5, 0x36, 0x31),
};

impl Palette {
    /// Palette of the current theme.
    pub fn of(ui: &Ui) -> Self {
        if ui.visuals().dark_mode { DARK } else { LIGHT }
    }
}

/// Colours of panes and channels in plots, which colour-blind people can distinguish too.
pub(crate) fn line_color(ui: &Ui, index: usize) -> Color32 {
    const ON_DARK: [[u8; 3]; 4] = [
        [0xf0, 0x86, 0x5c],
        [0x79, 0xa9, 0xd1],
        [0xb6, 0xc4, 0x6a],
        [0xc3, 0x93, 0xd6],
    ];
    const ON_LIGHT: [[u8; 3]; 4] = [
        [0xc4, 0x4f, 0x25],
        [0x2f, 0x6a, 0x9c],
        [0x66, 0x78, 0x1b],
        [0x7c, 0x47, 0x93],
    ];
    let [r, g, b] = if ui.visuals().dark_mode {
        ON_DARK[index % 4]
    } else {
        ON_LIGHT[index % 4]
    };
    Color32::from_rgb(r, g, b)
}

pub(crate) fn small() -> FontId {
    FontId::new(11.0, FontFamily::Proportional)
}

/// Monospace font, so that changing numbers do not move.
pub(crate) fn digits() -> FontId {
    FontId::new(11.5, FontFamily::Monospace)
}

pub(crate) fn style(theme: Theme) -> Style {
    let (palette, mut visuals) = match theme {
        Theme::Dark => (DARK, Visuals::dark()),
        Theme::Light => (LIGHT, Visuals::light()),
    };
    let round = CornerRadius::same(5);
    visuals.panel_fill = palette.panel;
    visuals.window_fill = palette.panel;
    visuals.window_stroke = Stroke::new(1.0, palette.line);
    visuals.window_corner_radius = CornerRadius::same(10);
    visuals.menu_corner_radius = CornerRadius::same(8);
    visuals.extreme_bg_color = palette.well;
    visuals.faint_bg_color = palette.well;
    visuals.code_bg_color = palette.well;
    visuals.hyperlink_color = palette.accent;
    visuals.warn_fg_color = palette.warning;
    visuals.error_fg_color = palette.error;
    visuals.weak_text_color = Some(palette.dim);
    visuals.selection.bg_fill = palette.chosen;
    visuals.selection.stroke = Stroke::new(1.0, palette.accent);
    visuals.slider_trailing_fill = true;
    visuals.button_frame = true;
    visuals.indent_has_left_vline = false;
    let shadow = Shadow {
        offset: [0, 6],
        blur: 24,
        spread: 0,
        color: Color32::from_black_alpha(match theme {
            Theme::Dark => 120,
            Theme::Light => 40,
        }),
    };
    visuals.popup_shadow = shadow;
    visuals.window_shadow = shadow;
    let widgets = &mut visuals.widgets;
    let fills = [
        (&mut widgets.noninteractive, palette.panel, palette.text),
        (&mut widgets.inactive, palette.raised, palette.text),
        (&mut widgets.hovered, palette.hovered, palette.text),
        (&mut widgets.active, palette.chosen, palette.accent),
        (&mut widgets.open, palette.hovered, palette.text),
    ];
    for (widget, fill, ink) in fills {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = Stroke::NONE;
        widget.fg_stroke = Stroke::new(1.0, ink);
        widget.corner_radius = round;
        widget.expansion = 0.0;
    }
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, palette.line);
    let mut style = Style {
        visuals,
        animation_time: 0.08,
        ..Style::default()
    };
    let font = |size, family| FontId::new(size, family);
    style.text_styles = [
        (TextStyle::Small, small()),
        (TextStyle::Body, font(13.0, FontFamily::Proportional)),
        (TextStyle::Button, font(13.0, FontFamily::Proportional)),
        (TextStyle::Heading, font(16.0, FontFamily::Proportional)),
        (TextStyle::Monospace, font(12.0, FontFamily::Monospace)),
    ]
    .into();
    let spacing = &mut style.spacing;
    spacing.item_spacing = Vec2::new(6.0, 4.0);
    spacing.button_padding = Vec2::new(8.0, 3.0);
    spacing.interact_size = Vec2::new(28.0, 22.0);
    spacing.menu_margin = Margin::same(8);
    spacing.window_margin = Margin::same(14);
    spacing.slider_width = 110.0;
    spacing.slider_rail_height = 4.0;
    spacing.indent = 14.0;
    spacing.tooltip_width = 320.0;
    spacing.scroll.bar_width = 6.0;
    spacing.scroll.floating = true;
    style.interaction.tooltip_delay = 0.4;
    style.interaction.selectable_labels = false;
    style.drag_value_text_style = TextStyle::Monospace;
    style
}
