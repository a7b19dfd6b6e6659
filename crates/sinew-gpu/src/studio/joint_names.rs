use crate::draw::camera::Camera;
use crate::draw::marks::stroke_font::{draw_outlined_text, text_width};
use crate::image::picture::Picture;
use glam::Vec2;
use sinew::{Affine, Character, ModelPose};

const INK: [u8; 4] = [250, 250, 245, 255];
const OUTLINE: [u8; 4] = [18, 20, 24, 255];

/// Writes the names of visible joints without namespaces, unless they overlap another name.
pub(super) fn draw_names(
    picture: &mut Picture,
    character: &Character,
    pose: &ModelPose,
    world_from_model: &Affine,
    camera: &Camera,
) {
    let size = Vec2::new(picture.width() as f32, picture.height() as f32);
    let height = (size.y * 0.015).max(7.0);
    let away = Vec2::new((size.y * 0.01).max(6.0), -height / 2.0);
    let clip_from_world = camera.clip_from_world(size.x / size.y);
    let mut taken: Vec<[Vec2; 2]> = Vec::new();
    for joint in 0..character.skeleton.len() {
        let name = character.skeleton.name(joint);
        let name = name.rsplit([':', '|']).next().unwrap_or(name);
        let at = world_from_model.transform_point(pose.get(joint).translation());
        let clip = clip_from_world * at.extend(1.0);
        let at = (clip.truncate().truncate() / clip.w * Vec2::new(0.5, -0.5) + 0.5) * size;
        let is_seen = clip.w > 0.0 && at.cmpge(Vec2::ZERO).all() && at.cmplt(size).all();
        if !is_seen || name.is_empty() {
            continue;
        }
        let wide = text_width(height, name);
        let positions = [at + away, at + Vec2::new(-away.x - wide, away.y)];
        let free = positions.into_iter().find(|&position| {
            let [low, high] = [position - 2.0, position + Vec2::new(wide, height) + 2.0];
            let is_inside = low.cmpge(Vec2::ZERO).all() && high.cmple(size).all();
            let is_over =
                |other: &[Vec2; 2]| low.cmplt(other[1]).all() && other[0].cmplt(high).all();
            is_inside && !taken.iter().any(is_over)
        });
        if let Some(position) = free {
            draw_outlined_text(picture, position.to_array(), height, [INK, OUTLINE], name);
            taken.push([position - 2.0, position + Vec2::new(wide, height) + 2.0]);
        }
    }
}
