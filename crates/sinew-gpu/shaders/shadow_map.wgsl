// Lookups in the shadow map: comparisons filtered over four texels, and depths.

@group(0) @binding(1) var shadow_map: texture_depth_2d;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;

fn shadow_texels() -> vec2f {
    return vec2f(textureDimensions(shadow_map));
}

fn shadow_depth(texel: vec2i) -> f32 {
    return textureLoad(shadow_map, texel, 0);
}

fn lit_part(at: vec2f, depth: f32) -> f32 {
    return textureSampleCompareLevel(shadow_map, shadow_sampler, at, depth);
}

