use egui::TextureId;
use sinew::{Affine, Transform};

/// Pictures of the panes, and the poses in them.
pub(crate) trait Pictures {
    /// Texture of a pane.
    fn texture(&self, pane: usize) -> Option<TextureId>;
    /// Screen positions of joints in [0, 1], `None` for joints behind the camera.
    fn joints(&self, pane: usize, aspect: f32) -> Vec<Option<glam::Vec2>>;
    /// Local transform and model matrix of a joint in the first pane.
    fn joint(&self, joint: usize) -> Option<(Transform, Affine)>;
    /// Reason why a pane has no picture, if it has none.
    fn problem(&self, pane: usize) -> Option<String>;
    /// True if a picture is being prepared.
    fn is_preparing(&self) -> bool;
}
