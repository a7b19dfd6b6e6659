//! In which order the members of a crowd are drawn, and how finely.

use crate::draw::camera::Camera;
use glam::Vec3;
use sinew::Affine;
use std::ops::Range;

/// A member among those in order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ordered {
    /// Its transform mirrors it.
    pub mirrored: bool,
    /// Its level of detail; 0 is all of its triangles.
    pub level: usize,
    away: f32,
    pub middle: Vec3,
    pub member: usize,
}

/// Members that are drawn together, among those in order.
pub(super) struct Group {
    pub nearest: Ordered,
    pub members: Range<u32>,
}

/// Max error of the surface of a level in the picture, in pixels.
const MAX_PIXELS_OFF: f32 = 0.5;

/// Members by where they stand and the boxes around them there: those of a kind together, from the front to the back.
/// `errors` are how far the levels of detail are off.
pub(super) fn ordered<'a>(
    members: impl Iterator<Item = (&'a Affine, Option<[Vec3; 2]>)>,
    errors: &[f32],
    camera: &Camera,
    size: [u32; 2],
) -> Vec<Ordered> {
    let tall = 0.5 * size[1] as f32 / (0.5 * camera.fov_y_rad).tan();
    let order = |(member, (place, bounds)): (usize, (&Affine, Option<[Vec3; 2]>))| {
        let [low, high] = bounds.unwrap_or_default();
        let middle = place.transform_point((low + high) / 2.0);
        let away = middle.distance(camera.eye);
        let volume = place.determinant();
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
    for (place, &nearest) in (0..).zip(ordered) {
        match groups.last_mut() {
            Some(last) if kind(&last.nearest) == kind(&nearest) => last.members.end += 1,
            _ => groups.push(Group {
                nearest,
                members: place..place + 1,
            }),
        }
    }
    groups
}
