// Background: one triangle over the whole picture.

struct SkyOut {
    @builtin(position) clip: vec4f,
    // Vector from the eye to the far plane, which is parallel to the screen.
    @location(0) ahead: vec3f,
}

@vertex
fn sky_vertex(@builtin(vertex_index) index: u32) -> SkyOut {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 4.0 - 1.0;
    let far = frame.world_from_clip * vec4f(corner, 1.0, 1.0);
    return SkyOut(vec4f(corner, 1.0, 1.0), far.xyz / far.w - frame.eye);
}

@fragment
fn sky_light(in: SkyOut) -> @location(0) vec4f {
    let direction = normalize(in.ahead);
    var light = sky(direction);
    if frame.sun_glow > 0.0 {
        let near_sun = max(dot(direction, frame.lamps[0].position.xyz), 0.0);
        let square = near_sun * near_sun;
        let fourth = square * square;
        let sixteenth = fourth * fourth * fourth * fourth;
        var glow = sixteenth * fourth * fourth * 0.12;
        let disc = max(1.0 - (1.0 - near_sun) * 700.0, 0.0);
        glow += disc * disc * disc * 12.0;
        light += frame.lamps[0].diffuse.rgb * glow * frame.sun_glow;
    }
    return vec4f(light, 1.0);
}
