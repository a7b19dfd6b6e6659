// Linear blend skinning. A joint and a blend of joints are three rows of four numbers.

struct Map {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

const ROWS: u32 = 3u;

fn map_of(rows: array<vec4<f32>, ROWS>) -> Map {
    return Map(rows[0], rows[1], rows[2]);
}

fn times(map: Map, weight: f32) -> Map {
    return Map(map.x * weight, map.y * weight, map.z * weight);
}

fn plus_times(sum: Map, map: Map, weight: f32) -> Map {
    return Map(sum.x + map.x * weight, sum.y + map.y * weight, sum.z + map.z * weight);
}

// The matrices already include the stretch.
fn with_lever(map: Map, lever: vec4<f32>) -> Map {
    return map;
}

// A sum of matrices is always valid.
fn has_vanished(map: Map) -> bool {
    return false;
}

fn move_position(map: Map, p: vec3<f32>) -> vec3<f32> {
    return affine_point(map.x, map.y, map.z, p);
}

fn move_normal(map: Map, n: vec3<f32>) -> vec3<f32> {
    return unit_or(area(map.x.xyz, map.y.xyz, map.z.xyz, n), n);
}

fn move_tangent(map: Map, t: vec3<f32>) -> vec3<f32> {
    return unit_or(vec3(dot(map.x.xyz, t), dot(map.y.xyz, t), dot(map.z.xyz, t)), t);
}
