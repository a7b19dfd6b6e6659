// Floor: a lit square at y = 0 that fades into the horizon and mirrors the scene. The reflection is a picture of the
// mirrored scene, sampled at the same screen position.

struct Floor {
    middle: vec2f,
    half_size: f32,
    // Reflectance at normal incidence. It increases at grazing angles.
    mirror: f32,
    // Shift of the reflection by the normal map, as a fraction of the screen.
    distortion: f32,
    // Distance at which the fade into the horizon begins, as a fraction of the half size. 1 for no fade.
    fade: f32,
    // World units per repetition of the texture.
    tile: f32,
    // Distance between the taps that blur the reflection, as a fraction of the screen.
    blur: f32,
    // Colour of the ground outside, and distance from the middle at which it begins.
    outside: vec3f,
    edge: f32,
    grid: f32,
    grid_color: vec3f,
}

@group(2) @binding(0) var<uniform> ground: Floor;

@vertex
fn floor_vertex(@builtin(vertex_index) index: u32) -> VertexOut {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    let at = ground.middle + corner * ground.half_size;
    var out: VertexOut;
    out.position = vec3f(at.x, 0.0, at.y);
    out.normal = vec3f(0.0, 1.0, 0.0);
    out.uvs = (at / ground.tile).xyxy;
    out.tangent = vec4f(1.0, 0.0, 0.0, 1.0);
    out.color = vec4f(1.0);
    out.clip = frame.clip_from_world * vec4f(out.position, 1.0);
    return out;
}

// Texture coordinates increase along x and z, so the normal map needs no tangents.
fn floor_normal(uvs: vec4f, is_outside: f32) -> vec3f {
    if !has(NORMAL) {
        return vec3f(0.0, 1.0, 0.0);
    }
    let bent = textureSample(normal_texture, normal_sampler, uv_of(NORMAL, uvs)).xyz * 2.0 - 1.0;
    let slope = bent.xy * (material.normal_scale * (1.0 - is_outside));
    return normalize(vec3f(slope.x, bent.z, -slope.y));
}

// True to draw only shadows, for pictures with a transparent background.
override catcher: bool = false;
// Number of reflection taps: 0 for no reflection, 1 for a sharp one, 2 for a blurred one.
override mirror_taps: u32 = 0u;

@fragment
fn floor_light(in: VertexOut) -> @location(0) vec4f {
    let path = frame.eye - in.position;
    let to_eye = path * inverseSqrt(dot(path, path));
    let away = dot(path, to_eye);
    let from_middle = distance(in.position.xz, ground.middle);
    let is_outside = smoothstep(ground.edge, ground.edge * 1.15, from_middle);
    let base = mix(base_color(in.uvs, in.color).rgb, ground.outside, is_outside);
    let normal = floor_normal(in.uvs, is_outside);
    let faded = smoothstep(ground.fade, max(ground.fade + 0.02, 0.98), from_middle / ground.half_size);
    pixel = in.clip.xy;
    if catcher {
        let sun = sun_at(in.position, in.normal);
        let kept = (1.0 - 0.4 * (1.0 - sun)) * occlusion_at(in.clip);
        return vec4f(0.0, 0.0, 0.0, (1.0 - kept) * (1.0 - faded));
    }
    var surface: Surface;
    surface.base = base;
    surface.normal = normal;
    surface.roughness = max(material.roughness, SMOOTHEST);
    surface.occlusion = 1.0;
    surface.specular_color = material.specular_color;
    surface.specular = 1.0;
    var light = shade(surface, in.position, to_eye, occlusion_at(in.clip));
    if mirror_taps > 0u {
        let at = in.clip.xy / frame.viewport + normal.xz * ground.distortion;
        let edge_on = 1.0 - clamp(to_eye.y, 0.0, 1.0);
        let square = edge_on * edge_on;
        let part = ground.mirror + (1.0 - ground.mirror) * square * square * 0.35;
        light = mix(light, mirrored(at), part * (1.0 - is_outside));
    }
    light = through_haze(light, away);
    return vec4f(mix(light, frame.horizon, faded), 1.0);
}

fn mirrored(at: vec2f) -> vec3f {
    if mirror_taps == 1u {
        return mirrored_at(at);
    }
    let x = ground.blur * frame.viewport.y / frame.viewport.x;
    let y = ground.blur;
    return 0.5 * (mirrored_at(at + vec2f(x, y)) + mirrored_at(at - vec2f(x, y)));
}

fn mirrored_at(at: vec2f) -> vec3f {
    return textureSampleLevel(picture_behind, environment_sampler, at, 0.0).rgb;
}
