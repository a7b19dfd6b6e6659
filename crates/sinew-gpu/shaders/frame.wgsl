// What all surfaces of a picture share. Twin of render::frame::FrameUniform.

struct Lamp {
    // The way to it where w is 0; its place where w is 1 / (distance of half strength)², or -1 where its
    // light is the less with the square of the distance.
    place: vec4f,
    // In w where the light of a cone is whole, as a cosine.
    diffuse: vec4f,
    // In w 1 / range².
    specular: vec4f,
    // The way along which a cone shines, and where it ends, as a cosine.
    aim: vec4f,
}

struct Frame {
    clip_from_world: mat4x4f,
    world_from_clip: mat4x4f,
    // To texture coordinates and depth of the shadow map.
    shadow_from_world: mat4x4f,
    eye: vec3f,
    ambient: f32,
    zenith: vec3f,
    haze: f32,
    horizon: vec3f,
    sun_glow: f32,
    ground: vec3f,
    // How far a place is moved off its surface before its shadow is looked up.
    shadow_offset: f32,
    // Size of the picture in pixels.
    viewport: vec2f,
    // How far a shadow's edge reaches to either side, over the map.
    shadow_spread: f32,
    // Multiplies the light of the environment.
    environment: f32,
    // How far round a place is looked for what hides it from the light of everywhere; 0 not at all.
    open_radius: f32,
    // Another one for each of the pictures that are laid over each other.
    seed: f32,
    // How much wider a shadow's edge is for a unit of depth behind what throws it, over the map; and how
    // far such edges reach at most. 0 where all edges are as wide.
    penumbra: f32,
    penumbra_most: f32,
    // How often what throws a shadow is looked for, the shadow looked up, and what is open.
    blocker_taps: u32,
    shadow_taps: u32,
    open_taps: u32,
    unused: f32,
    // The sun first.
    lamps: array<Lamp, 8>,
}

@group(0) @binding(0) var<uniform> frame: Frame;

// The light that comes from a direction.
fn sky(direction: vec3f) -> vec3f {
    let up = direction.y;
    let above = mix(frame.horizon, frame.zenith, sqrt(max(up, 0.0)));
    return mix(above, frame.ground, smoothstep(0.0, -0.35, up));
}

// The same as a rough mirror shows it: the rougher, the softer its horizon.
fn blurred_sky(direction: vec3f, roughness: f32) -> vec3f {
    let up = direction.y;
    let above = mix(frame.horizon, frame.zenith, sqrt(max(up, 0.0)));
    return mix(frame.ground, above, smoothstep(-0.35 - roughness, 2.0 * roughness, up));
}

// The light that falls on a surface from everywhere, its sky seen as two halves.
fn sky_on(normal: vec3f) -> vec3f {
    let above = 0.5 * (frame.zenith + frame.horizon);
    return mix(frame.ground, above, 0.5 + 0.5 * normal.y) * frame.ambient;
}

// What is left of a light after the haze on the way to the eye.
fn through_haze(light: vec3f, away: f32) -> vec3f {
    return mix(frame.horizon, light, exp(-frame.haze * away));
}
