// From light to display values: exposure, bloom and a tone map. The target applies the sRGB curve.

struct Tone {
    exposure: f32,
    bloom: f32,
    // Factor from the sum of the pictures so far to the sum of all.
    whole: f32,
    unused: f32,
}

@group(0) @binding(0) var<uniform> tone: Tone;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var spread: texture_2d<f32>;
@group(0) @binding(3) var spread_sampler: sampler;

// Index of a shading::ToneMap.
override tone_map_kind: u32 = 0u;

// Fit of ACES (Narkowicz 2015).
fn film(x: vec3f) -> vec3f {
    let y = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
    return clamp(y, vec3f(0.0), vec3f(1.0));
}

// Khronos PBR Neutral: keeps base colours up to a brightness, and desaturates brighter light slowly.
fn neutral(light: vec3f) -> vec3f {
    let begin = 0.8 - 0.04;
    let lowest = min(light.r, min(light.g, light.b));
    let offset = select(0.04, lowest - 6.25 * lowest * lowest, lowest < 0.08);
    let color = light - offset;
    let peak = max(color.r, max(color.g, color.b));
    if peak < begin {
        return color;
    }
    let range = 1.0 - begin;
    let lowered = 1.0 - range * range / (peak + range - begin);
    let kept = 1.0 / (0.15 * (peak - lowered) + 1.0);
    return mix(vec3f(lowered), color * (lowered / peak), kept);
}

fn mapped(light: vec3f) -> vec3f {
    if tone_map_kind == 2u {
        return film(light);
    }
    if tone_map_kind == 1u {
        return neutral(light);
    }
    return light;
}

// Adds noise of up to half an 8-bit step of sRGB, against banding. It is equal in all pictures, against flicker.
fn dithered(color: vec3f, pixel: vec2f) -> vec3f {
    if tone_map_kind != 1u {
        return color;
    }
    let grain = fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715)))) - 0.5;
    let step = 2.2 * pow(clamp(color, vec3f(1e-5), vec3f(1.0)), vec3f(0.545)) / 255.0;
    return max(color + grain * step, vec3f(0.0));
}

@fragment
fn tone_map(in: ScreenOut) -> @location(0) vec4f {
    let color = textureLoad(picture, vec2i(in.clip.xy), 0) * tone.whole;
    // Divides by opacity, to get the light of the covered part.
    var light = color.rgb / max(color.a, 1e-4);
    if tone.bloom > 0.0 {
        light += textureSampleLevel(spread, spread_sampler, in.uv, 0.0).rgb * (tone.bloom * tone.whole);
    }
    return vec4f(dithered(mapped(light * tone.exposure), in.clip.xy), color.a);
}
