//! Windows and messages above the panels: help, questions and toasts.

pub(super) mod asking;
pub(super) mod help;
pub(super) mod toasts;
