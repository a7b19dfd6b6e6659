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
        let model = character.skeleton.rest_model();
        let place = |joint: usize| Affine::translation(model.get(joint));
        places = (0..character.skeleton.len()).map(place).collect();
    }
    let first = *places.first()?;
    let ends = places.iter().fold((first, first), |(low, high), &place| {
        (low.min(place), high.max(place))
    });
    Some(ends.1 - ends.0).filter(|size| size.is_finite())
}

fn vertices(character: &Character) -> Vec<Vec3> {
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
