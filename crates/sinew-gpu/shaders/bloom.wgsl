// Bloom: halves the picture repeatedly, then adds the sizes up again from the smallest (Jimenez, "Next generation post
// processing in Call of Duty", 2014, with fewer taps).

@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var linear_sampler: sampler;

override is_first: bool = false;

fn at(uv: vec2f, step: vec2f) -> vec3f {
    return textureSampleLevel(source, linear_sampler, uv + step, 0.0).rgb;
}

// Only light brighter than white spreads, with a soft threshold.
fn bright(color: vec3f) -> vec3f {
    let peak = max(color.r, max(color.g, color.b));
    let over = max(peak - 1.0, 0.0);
    let kept = min(over * over / (over + 0.6), 8.0);
    return color * (kept / max(peak, 1e-4));
}

@fragment
fn halve(in: ScreenOut) -> @location(0) vec4f {
    if is_first {
        return vec4f(bright(at(in.uv, vec2f(0.0))), 1.0);
    }
    let texel = 1.0 / vec2f(textureDimensions(source));
    let sum = at(in.uv, texel)
        + at(in.uv, -texel)
        + at(in.uv, vec2f(texel.x, -texel.y))
        + at(in.uv, vec2f(-texel.x, texel.y));
    return vec4f(sum * 0.25, 1.0);
}

@fragment
fn add_up(in: ScreenOut) -> @location(0) vec4f {
    let texel = 1.0 / vec2f(textureDimensions(source));
    let half = 0.75 * texel;
    let sum = at(in.uv, half)
        + at(in.uv, -half)
        + at(in.uv, vec2f(half.x, -half.y))
        + at(in.uv, vec2f(-half.x, half.y));
    return vec4f(sum * 0.25, 1.0);
}

// Copies the source. From a source twice as large, each pixel is the mean of four texels.
@fragment
fn copied(in: ScreenOut) -> @location(0) vec4f {
    return textureSampleLevel(source, linear_sampler, in.uv, 0.0);
}
