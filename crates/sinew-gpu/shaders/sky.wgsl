// What is behind everything: one triangle over the whole picture.

struct SkyOut {
    @builtin(position) clip: vec4f,
    @location(0) on_screen: vec2f,
}

@vertex
fn sky_vertex(@builtin(vertex_index) index: u32) -> SkyOut {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 4.0 - 1.0;
    return SkyOut(vec4f(corner, 1.0, 1.0), corner);
}

@fragment
fn sky_light(in: SkyOut) -> @location(0) vec4f {
    let far = frame.world_from_clip * vec4f(in.on_screen, 1.0, 1.0);
    let direction = normalize(far.xyz / far.w - frame.eye);
    var light = sky(direction);
    if frame.sun_glow > 0.0 {
        let near_sun = max(dot(direction, frame.lamps[0].place.xyz), 0.0);
        let square = near_sun * near_sun;
        let fourth = square * square;
        let sixteenth = fourth * fourth * fourth * fourth;
        var glow = sixteenth * fourth * fourth * 0.12;
        if near_sun > 0.998 {
            glow += pow(near_sun, 4000.0) * 12.0;
        }
        light += frame.lamps[0].diffuse.rgb * glow * frame.sun_glow;
    }
    return vec4f(light, 1.0);
}
