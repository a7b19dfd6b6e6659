// Soft balls of dust that face the eye. In Rust: dust::DustParticle.

struct PuffIn {
    @location(0) position: vec4f,
    @location(1) color: vec4f,
}

struct PuffOut {
    @builtin(position) clip: vec4f,
    @location(0) at: vec2f,
    @location(1) @interpolate(flat) color: vec4f,
    @location(2) position: vec3f,
}

@vertex
fn puff_vertex(@builtin(vertex_index) index: u32, in: PuffIn) -> PuffOut {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    let to_eye = normalize(frame.eye - in.position.xyz);
    let right = normalize(cross(vec3f(0.0, 1.0, 1e-5), to_eye));
    let up = cross(to_eye, right);
    var out: PuffOut;
    out.position = in.position.xyz + (right * corner.x + up * corner.y) * in.position.w;
    out.clip = frame.clip_from_world * vec4f(out.position, 1.0);
    out.at = corner;
    out.color = in.color;
    return out;
}

@fragment
fn puff_light(in: PuffOut) -> @location(0) vec4f {
    let thick = max(1.0 - dot(in.at, in.at), 0.0);
    // Fades out at the floor, so that no edge is visible.
    let above = clamp(in.position.y * 12.0, 0.0, 1.0);
    let light = sky_on(vec3f(0.0, 1.0, 0.0)) + frame.lamps[0].diffuse.rgb * 0.35;
    return vec4f(in.color.rgb * light, in.color.a * thick * thick * above);
}
