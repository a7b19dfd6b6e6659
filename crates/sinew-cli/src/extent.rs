use glam::Vec3;
use sinew::{Affine, Character, Method, deform};

/// Max height of a figure that is probably in metres.
pub const TALLEST: f32 = 10.0;

/// Size at rest along x, y and z: of skinned vertices, else of all vertices, else of joints. `None` if there are none.
pub fn size(character: &Character) -> Option<Vec3> {
    let mut points = vertices(character);
    if points.is_empty() && character.skeleton.len() > 1 {
        points = joints(character);
    }
    let [low, high] = around(&points)?;
    Some(high - low).filter(|size| size.is_finite())
}

/// Positions of the joints at rest.
pub fn joints(character: &Character) -> Vec<Vec3> {
    let model = character.skeleton.rest_model();
    model.iter().map(Affine::translation).collect()
}

/// Min and max corners of the box around points.
pub fn around(points: &[Vec3]) -> Option<[Vec3; 2]> {
    let ends = points.iter().map(|&point| [point; 2]);
    ends.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
}

/// Positions of skinned vertices at rest, or of all vertices if none is skinned.
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
