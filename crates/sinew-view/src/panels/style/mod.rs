//! Look of the window: colours, fonts, icons, shared widgets.

pub(super) mod icons;
mod pen;
pub(super) mod theme;
pub(super) mod widgets;
