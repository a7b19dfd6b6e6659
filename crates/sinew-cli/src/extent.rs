//! How large a character is.

use glam::Vec3;
use sinew::{Affine, Character, Method, deform};

/// Above this a figure is hardly in metres.
pub const TALLEST: f32 = 10.0;

/// Along x, y and z at rest: of its vertices, of those alone that joints move where there are such, or of its
/// joints when there are no vertices. `None` when there is nothing.
pub fn size(character: &Character) -> Option<Vec3> {
    let mut places = vertices(character);
    if places.is_empty() && character.skeleton.len() > 1 {
        places = joints(character);
    }
    let [low, high] = around(&places)?;
    Some(high - low).filter(|size| size.is_finite())
}

/// Where its joints rest.
pub fn joints(character: &Character) -> Vec<Vec3> {
    let model = character.skeleton.rest_model();
    model.iter().map(Affine::translation).collect()
}

/// The lowest and the highest corner of a box around places.
pub fn around(places: &[Vec3]) -> Option<[Vec3; 2]> {
    let ends = places.iter().map(|&place| [place; 2]);
    ends.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
}

/// Where its vertices are at rest; those alone that joints move where there are such.
pub fn vertices(character: &Character) -> Vec<Vec3> {
    // A figure that cannot be posed is not measured.
    let Ok(still) = deform(character, None, 0.0, Method::Linear) else {
        return Vec::new();
    };
    let is_skinned = |node: usize| character.nodes[node].skin.is_some();
    let some = still.primitives.iter().any(|part| is_skinned(part.node));
    let parts = still.primitives.into_iter();
    let parts = parts.filter(|part| !some || is_skinned(part.node));
    parts.flat_map(|part| part.positions).collect()
}
