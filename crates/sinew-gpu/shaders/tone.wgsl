// From light to what a screen shows: exposure, bloom and a film's shoulder (Narkowicz 2015, a fit of
// ACES). The target itself puts it onto sRGB's curve.

struct Tone {
    exposure: f32,
    bloom: f32,
    unused: vec2f,
}

@group(0) @binding(0) var<uniform> tone: Tone;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var spread: texture_2d<f32>;
@group(0) @binding(3) var spread_sampler: sampler;

fn film(x: vec3f) -> vec3f {
    let y = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
    return clamp(y, vec3f(0.0), vec3f(1.0));
}

@fragment
fn tone_map(in: ScreenOut) -> @location(0) vec4f {
    let color = textureLoad(picture, vec2i(in.clip.xy), 0);
    // Where a picture is partly clear, its light is that of the part which is not.
    var light = color.rgb / max(color.a, 1e-4);
    if tone.bloom > 0.0 {
        light += textureSampleLevel(spread, spread_sampler, in.uv, 0.0).rgb * tone.bloom;
    }
    return vec4f(film(light * tone.exposure), color.a);
}
