pub(super) mod icons;
mod pen;
pub(super) mod theme;
pub(super) mod widgets;
