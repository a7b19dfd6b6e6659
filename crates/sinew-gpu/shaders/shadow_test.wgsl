// How much of the sun reaches a place: percentage-closer filtering over 4 × 4 taps, each of which the
// sampler itself takes between four texels (Reeves, Salesin and Cook 1987). Where the four corners of
// the filter agree, the taps between them are taken to agree too.

@group(0) @binding(1) var shadow_map: texture_depth_2d;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;

fn sun_at(place: vec3f, normal: vec3f) -> f32 {
    if frame.shadow_texel == 0.0 {
        return 1.0;
    }
    // The farther off, the more the surface is turned from the sun: there its flat triangles would throw
    // shadows on the round shape that they stand for.
    let turned = 1.0 - clamp(dot(normal, frame.lamps[0].place.xyz), 0.0, 1.0);
    let off = place + normal * (frame.shadow_offset * (1.0 + 3.0 * turned));
    let seen = frame.shadow_from_world * vec4f(off, 1.0);
    let at = seen.xyz;
    if any(at.xy < vec2f(0.0)) || any(at.xy > vec2f(1.0)) || at.z > 1.0 {
        return 1.0;
    }
    var lit = 0.0;
    for (var corner = 0u; corner < 4u; corner++) {
        let side = vec2f(f32(corner & 1u), f32(corner >> 1u)) * 3.0 - 1.5;
        lit += tap(at, side);
    }
    if lit == 0.0 || lit == 4.0 {
        return lit * 0.25;
    }
    for (var k = 0u; k < 16u; k++) {
        let column = k & 3u;
        let row = k >> 2u;
        let is_corner = (column == 0u || column == 3u) && (row == 0u || row == 3u);
        if !is_corner {
            lit += tap(at, vec2f(f32(column), f32(row)) - 1.5);
        }
    }
    return lit / 16.0;
}

fn tap(at: vec3f, side: vec2f) -> f32 {
    return textureSampleCompareLevel(shadow_map, shadow_sampler, at.xy + side * frame.shadow_texel, at.z);
}
