// Values that all surfaces of a picture share. In Rust: render::frame::FrameUniform.

struct Lamp {
    // Direction to the lamp if w is 0, else its position. w: 1 / (distance of half strength)², or -1 for inverse
    // square.
    position: vec4f,
    // w: cosine of the inner angle of the cone.
    diffuse: vec4f,
    // w: 1 / range².
    specular: vec4f,
    // Direction of the cone. w: cosine of its outer angle.
    aim: vec4f,
}

struct Frame {
    clip_from_world: mat4x4f,
    world_from_clip: mat4x4f,
    // Map to texture coordinates and depth of the shadow map.
    shadow_from_world: mat4x4f,
    eye: vec3f,
    ambient: f32,
    zenith: vec3f,
    haze: f32,
    horizon: vec3f,
    sun_glow: f32,
    ground: vec3f,
    // Offset along the normal before the shadow lookup.
    shadow_offset: f32,
    // Width and height of the picture in pixels.
    viewport: vec2f,
    // Half width of a shadow edge, relative to the shadow map.
    shadow_spread: f32,
    environment: f32,
    // Radius of ambient occlusion. 0 disables it.
    occlusion_radius: f32,
    // Number that differs between the pictures that are averaged.
    seed: f32,
    // Growth of a shadow edge per unit of depth behind the blocker, and its max, relative to the map. 0 for no growth.
    penumbra: f32,
    max_penumbra: f32,
    // Number of taps for the blocker search, the shadow and the occlusion.
    blocker_taps: u32,
    shadow_taps: u32,
    occlusion_taps: u32,
    unused: f32,
    // The sun is the first lamp.
    lamps: array<Lamp, 8>,
}

@group(0) @binding(0) var<uniform> frame: Frame;

fn sky(direction: vec3f) -> vec3f {
    let up = direction.y;
    let above = mix(frame.horizon, frame.zenith, sqrt(max(up, 0.0)));
    return mix(above, frame.ground, smoothstep(0.0, -0.35, up));
}

fn blurred_sky(direction: vec3f, roughness: f32) -> vec3f {
    let up = direction.y;
    let above = mix(frame.horizon, frame.zenith, sqrt(max(up, 0.0)));
    return mix(frame.ground, above, smoothstep(-0.35 - roughness, 2.0 * roughness, up));
}

// Light that a surface receives from everywhere: a mix of sky and ground by the direction of the normal.
fn sky_on(normal: vec3f) -> vec3f {
    let above = 0.5 * (frame.zenith + frame.horizon);
    return mix(frame.ground, above, 0.5 + 0.5 * normal.y) * frame.ambient;
}

fn through_haze(light: vec3f, away: f32) -> vec3f {
    return mix(frame.horizon, light, exp(-frame.haze * away));
}
