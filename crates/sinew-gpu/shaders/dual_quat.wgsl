// Dual quaternion skinning (Kavan et al. 2008). A joint is a unit dual quaternion. A blend of joints can have any
// length, so rotations use the factor 2/|q|² instead of normalising.

struct Map {
    real: vec4<f32>,
    dual: vec4<f32>,
}

const ROWS: u32 = 2u;

fn map_of(rows: array<vec4<f32>, ROWS>) -> Map {
    return Map(rows[0], rows[1]);
}

fn times(map: Map, weight: f32) -> Map {
    return Map(map.real * weight, map.dual * weight);
}

fn plus_times(sum: Map, map: Map, weight: f32) -> Map {
    return Map(sum.real + map.real * weight, sum.dual + map.dual * weight);
}

// Motion with scaled lever arms. `lever` includes the scale.
fn with_lever(map: Map, lever: vec4<f32>) -> Map {
    return Map(map.real, map.dual - lever);
}

// Rotations that differ by 180° can cancel out.
fn has_vanished(map: Map) -> bool {
    return dot(map.real, map.real) < 1e-12;
}

// The translation is 2/|q|² (w e − e_w q + q × e). One cross product serves the translation and the rotation.
fn move_position(map: Map, p: vec3<f32>) -> vec3<f32> {
    let q = map.real.xyz;
    let inner = cross(q, p) + map.real.w * p + map.dual.xyz;
    let moved = cross(q, inner) + map.real.w * map.dual.xyz - map.dual.w * q;
    return p + (2.0 / dot(map.real, map.real)) * moved;
}

fn rotate(map: Map, v: vec3<f32>) -> vec3<f32> {
    let q = map.real.xyz;
    let inner = cross(q, v) + map.real.w * v;
    return v + (2.0 / dot(map.real, map.real)) * cross(q, inner);
}

fn move_normal(map: Map, n: vec3<f32>) -> vec3<f32> {
    return rotate(map, n);
}

fn move_tangent(map: Map, t: vec3<f32>) -> vec3<f32> {
    return rotate(map, t);
}
