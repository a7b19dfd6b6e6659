use glam::{Mat4, Vec2, Vec3};

/// Position of a point in [0, 1] from the upper left corner, or `None` behind the camera.
pub fn on_screen(clip_from_world: &Mat4, point: Vec3) -> Option<Vec2> {
    let clip = *clip_from_world * point.extend(1.0);
    let at = clip.truncate().truncate() / clip.w * Vec2::new(0.5, -0.5) + 0.5;
    (clip.w > 0.0 && at.is_finite()).then_some(at)
}
