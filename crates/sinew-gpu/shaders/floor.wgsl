// The floor: a square at y = 0 that goes on to the horizon, in the light like any surface, with what
// stands on it mirrored in it. The mirrored picture is taken from below and found again at the same
// place of the screen.

struct Floor {
    middle: vec2f,
    half_size: f32,
    // How much is mirrored straight from above; at grazing angles it is the more.
    mirror: f32,
    // How far waves and grain shift what is mirrored, in parts of the screen.
    distortion: f32,
    // Where it begins to fade into the horizon, in parts of its half size; 1 never fades.
    fade: f32,
    // Units to a repeat of its texture.
    tile: f32,
    // How far apart the taps are that make the mirror dull, in parts of the screen at its far end.
    blur: f32,
    // What it is of outside, and how far from its middle that begins.
    outside: vec3f,
    edge: f32,
    // Between the lines of the grid.
    grid: f32,
    grid_color: vec3f,
}

@group(2) @binding(0) var<uniform> ground: Floor;

@vertex
fn floor_vertex(@builtin(vertex_index) index: u32) -> VertexOut {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    let at = ground.middle + corner * ground.half_size;
    var out: VertexOut;
    out.place = vec3f(at.x, 0.0, at.y);
    out.normal = vec3f(0.0, 1.0, 0.0);
    out.uvs = (at / ground.tile).xyxy;
    out.tangent = vec4f(1.0, 0.0, 0.0, 1.0);
    out.color = vec4f(1.0);
    out.clip = frame.clip_from_world * vec4f(out.place, 1.0);
    return out;
}

// Texture coordinates grow along x and z, so its map needs no tangents.
fn floor_normal(uvs: vec4f, is_outside: f32) -> vec3f {
    if !has(NORMAL) {
        return vec3f(0.0, 1.0, 0.0);
    }
    let bent = textureSample(normal_texture, normal_sampler, uv_of(NORMAL, uvs)).xyz * 2.0 - 1.0;
    let slope = bent.xy * (material.normal_scale * (1.0 - is_outside));
    return normalize(vec3f(slope.x, bent.z, -slope.y));
}

// Nothing but the shadows on it, for pictures with a clear background.
override catcher: bool = false;
// How often what it mirrors is looked up; two make it dull.
override mirror_taps: u32 = 0u;

@fragment
fn floor_light(in: VertexOut) -> @location(0) vec4f {
    let path = frame.eye - in.place;
    let to_eye = path * inverseSqrt(dot(path, path));
    let away = dot(path, to_eye);
    let from_middle = distance(in.place.xz, ground.middle);
    let is_outside = smoothstep(ground.edge, ground.edge * 1.15, from_middle);
    let base = mix(base_color(in.uvs, in.color).rgb, ground.outside, is_outside);
    let normal = floor_normal(in.uvs, is_outside);
    let faded = smoothstep(ground.fade, max(ground.fade + 0.02, 0.98), from_middle / ground.half_size);
    pixel = in.clip.xy;
    if catcher {
        let sun = sun_at(in.place, in.normal);
        let kept = (1.0 - 0.4 * (1.0 - sun)) * open_at(in.clip);
        return vec4f(0.0, 0.0, 0.0, (1.0 - kept) * (1.0 - faded));
    }
    var surface: Surface;
    surface.base = base;
    surface.normal = normal;
    surface.roughness = max(material.roughness, SMOOTHEST);
    surface.occlusion = 1.0;
    surface.specular_color = material.specular_color;
    surface.specular = 1.0;
    var light = shade(surface, in.place, to_eye, open_at(in.clip));
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
