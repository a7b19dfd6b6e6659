//! Drawing order and level of detail of the members of a crowd.

use crate::draw::camera::Camera;
use glam::Vec3;
use sinew::Affine;
use std::ops::Range;

#[derive(Clone, Copy, Debug)]
pub(super) struct Ordered {
    /// True if the transform mirrors the member.
    pub mirrored: bool,
    /// Level of detail. Level 0 has all triangles.
    pub level: usize,
    away: f32,
    pub middle: Vec3,
    pub member: usize,
}

pub(super) struct Group {
    pub nearest: Ordered,
    pub members: Range<u32>,
}

/// Max error of a level of detail on screen, in pixels.
const MAX_PIXELS_OFF: f32 = 0.5;

/// Sorts members by kind, then front to back. `errors` are the errors of the levels of detail.
pub(super) fn ordered<'a>(
    members: impl Iterator<Item = (&'a Affine, Option<[Vec3; 2]>)>,
    errors: &[f32],
    camera: &Camera,
    size: [u32; 2],
) -> Vec<Ordered> {
    let tall = 0.5 * size[1] as f32 / (0.5 * camera.fov_y_rad).tan();
    let order = |(member, (world_from_model, bounds)): (usize, (&Affine, Option<[Vec3; 2]>))| {
        let [low, high] = bounds.unwrap_or_default();
        let middle = world_from_model.transform_point((low + high) / 2.0);
        let away = middle.distance(camera.eye);
        let volume = world_from_model.determinant();
        let pixels = tall * volume.abs().cbrt() / away.max(camera.near);
        let is_near = |error: &&f32| **error * pixels <= MAX_PIXELS_OFF;
        Ordered {
            mirrored: volume < 0.0,
            level: errors.iter().take_while(is_near).count().saturating_sub(1),
            away,
            middle,
            member,
        }
    };
    let mut ordered: Vec<Ordered> = members.enumerate().map(order).collect();
    ordered.sort_by(|a, b| kind(a).cmp(&kind(b)).then(a.away.total_cmp(&b.away)));
    ordered
}

fn kind(member: &Ordered) -> (bool, usize) {
    (member.mirrored, member.level)
}

pub(super) fn groups(ordered: &[Ordered]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, &nearest) in (0..).zip(ordered) {
        match groups.last_mut() {
            Some(last) if kind(&last.nearest) == kind(&nearest) => last.members.end += 1,
            _ => groups.push(Group {
                nearest,
                members: index..index + 1,
            }),
        }
    }
    groups
}
