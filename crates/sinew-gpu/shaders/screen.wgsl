// One triangle over the whole target, with texture coordinates.

struct ScreenOut {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
}

@vertex
fn screen_vertex(@builtin(vertex_index) index: u32) -> ScreenOut {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0;
    return ScreenOut(vec4f(corner.x * 2.0 - 1.0, 1.0 - corner.y * 2.0, 0.0, 1.0), corner);
}
