//! The look of the window: colours and type, icons, widgets that panels share.

pub(super) mod icons;
mod pen;
pub(super) mod theme;
pub(super) mod widgets;
