//! Fields and choices that the panels of the timeline share.

use crate::session::Session;
use egui::{Response, Role, TextEdit, Ui, WidgetInfo};
use sinew_edit::{KeyEdit, Name};

/// Choices of the panel itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Choice {
    /// True to show the whole clip, and all values of the curves.
    pub fit: bool,
    /// True to show curves instead of rows.
    pub curves: bool,
    /// True to scale each curve to the height of the view.
    pub normalised: bool,
    /// True if a dragged tangent leaves the one on the other side.
    pub is_free: bool,
}

/// Choice of the panel that stays.
pub(super) fn kept(ui: &Ui, name: &'static str) -> bool {
    let id = egui::Id::unique(("choice of the timeline", name));
    ui.data(|data| data.get_temp(id)).unwrap_or(false)
}

pub(super) fn keep(ui: &Ui, name: &'static str, on: bool) {
    let id = egui::Id::unique(("choice of the timeline", name));
    ui.data_mut(|data| data.insert_temp(id, on));
}

/// Edit that deletes the selected keys. `None` without any.
pub(crate) fn delete_keys(session: &Session) -> Option<KeyEdit> {
    let keys = &session.state().editing.keys;
    if keys.is_empty() {
        return None;
    }
    Some(KeyEdit::DeleteKeys {
        clip: session.edited_clip()?,
        layer: session.edited_layer().map(Name::Index),
        keys: keys.clone(),
    })
}

/// Text field of one line, with a name.
pub(crate) fn field(ui: &mut Ui, name: &str, text: &mut String, width: f32) -> Response {
    let edit = TextEdit::singleline(text)
        .hint_text(name)
        .desired_width(width);
    let response = ui.add(edit);
    let value = text.clone();
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::TextInput, true, name);
        info.current_text_value = Some(value.clone());
        info
    });
    response
}

pub(crate) fn spin(name: &str, value: f64) -> WidgetInfo {
    let mut info = WidgetInfo::labeled(Role::SpinButton, true, name);
    info.value = Some(value);
    info
}
