// Variant of shadow_map.wgsl for OpenGL. Shaders of OpenGL cannot load from a depth texture, so the map is bound as
// plain numbers, and the comparisons are filtered here.

@group(0) @binding(1) var shadow_map: texture_2d<f32>;

fn shadow_texels() -> vec2f {
    return vec2f(textureDimensions(shadow_map));
}

fn shadow_depth(texel: vec2i) -> f32 {
    return textureLoad(shadow_map, texel, 0).x;
}

fn is_lit(texel: vec2i, depth: f32) -> f32 {
    let last = vec2i(textureDimensions(shadow_map)) - 1;
    return select(0.0, 1.0, depth <= shadow_depth(clamp(texel, vec2i(0), last)));
}

fn lit_part(at: vec2f, depth: f32) -> f32 {
    let place = at * shadow_texels() - 0.5;
    let corner = floor(place);
    let part = place - corner;
    let texel = vec2i(corner);
    let above = mix(is_lit(texel, depth), is_lit(texel + vec2i(1, 0), depth), part.x);
    let below = mix(is_lit(texel + vec2i(0, 1), depth), is_lit(texel + vec2i(1, 1), depth), part.x);
    return mix(above, below, part.y);
}

