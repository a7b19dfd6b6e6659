// Draws one face of one level of an environment, for the roughness of the level (Karis, "Real Shading in Unreal Engine
// 4", 2013). Each sample reads a mip level as coarse as the spacing of the samples, so few samples suffice.

struct Prefilter {
    face: u32,
    roughness: f32,
    samples: u32,
    pixels: f32,
}

@group(0) @binding(0) var<uniform> prefilter: Prefilter;
@group(0) @binding(1) var longitudes: texture_2d<f32>;
@group(0) @binding(2) var longitude_sampler: sampler;

const PI: f32 = 3.14159265;

// Light of the map in a direction. In Rust: environment_map::direction.
fn light_from(direction: vec3f, level: f32) -> vec3f {
    let u = atan2(direction.z, direction.x) / (2.0 * PI) + 0.5;
    let v = acos(clamp(direction.y, -1.0, 1.0)) / PI;
    return textureSampleLevel(longitudes, longitude_sampler, vec2f(u, v), level).rgb;
}

fn through_face(face: u32, uv: vec2f) -> vec3f {
    let a = uv.x * 2.0 - 1.0;
    let b = uv.y * 2.0 - 1.0;
    switch face {
        case 0u: { return vec3f(1.0, -b, -a); }
        case 1u: { return vec3f(-1.0, -b, a); }
        case 2u: { return vec3f(a, 1.0, b); }
        case 3u: { return vec3f(a, -1.0, -b); }
        case 4u: { return vec3f(a, -b, 1.0); }
        default: { return vec3f(-a, -b, -1.0); }
    }
}

@fragment
fn blur(in: ScreenOut) -> @location(0) vec4f {
    let normal = normalize(through_face(prefilter.face, in.uv));
    if prefilter.samples == 1u {
        return vec4f(light_from(normal, 0.0), 1.0);
    }
    let up = select(vec3f(0.0, 0.0, 1.0), vec3f(1.0, 0.0, 0.0), abs(normal.z) > 0.9);
    let right = normalize(cross(up, normal));
    let ahead = cross(normal, right);
    let alpha = prefilter.roughness * prefilter.roughness;
    let square = alpha * alpha;
    var sum = vec4f(0.0);
    for (var k = 0u; k < prefilter.samples; k++) {
        let part = (f32(k) + 0.5) / f32(prefilter.samples);
        let angle = 2.0 * PI * f32(reverseBits(k)) * 2.3283064e-10;
        let cos_half = sqrt((1.0 - part) / (1.0 + (square - 1.0) * part));
        let sin_half = sqrt(1.0 - cos_half * cos_half);
        let half_way = right * (cos(angle) * sin_half) + ahead * (sin(angle) * sin_half) + normal * cos_half;
        let to_light = 2.0 * dot(normal, half_way) * half_way - normal;
        let reached = dot(normal, to_light);
        if reached > 0.0 {
            let spread = cos_half * cos_half * (square - 1.0) + 1.0;
            let density = square / (PI * spread * spread) * 0.25;
            let wide = 1.0 / (f32(prefilter.samples) * density + 1e-4);
            let level = max(0.5 * log2(wide * prefilter.pixels / (4.0 * PI)) + 0.5, 0.0);
            sum += vec4f(light_from(to_light, level), 1.0) * reached;
        }
    }
    return vec4f(sum.rgb / max(sum.w, 1e-6), 1.0);
}
