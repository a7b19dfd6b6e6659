// How much of the sun reaches a place: percentage-closer filtering (Reeves, Salesin and Cook 1987) over
// four taps on a turned square, each of which the sampler itself takes between four texels, or over
// sixteen where an edge reaches farther than those can fill.

// 0 where there are no shadows.
override shadow_taps: u32 = 0u;

@group(0) @binding(1) var shadow_map: texture_depth_2d;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;

fn sun_at(place: vec3f, normal: vec3f) -> f32 {
    if shadow_taps == 0u {
        return 1.0;
    }
    // The farther off, the more the surface is turned from the sun: there its flat triangles would throw
    // shadows on the round shape that they stand for.
    let turned = 1.0 - clamp(dot(normal, frame.lamps[0].place.xyz), 0.0, 1.0);
    let off = place + normal * (frame.shadow_offset * (1.0 + 3.0 * turned));
    let at = (frame.shadow_from_world * vec4f(off, 1.0)).xyz;
    if any(abs(at - 0.5) > vec3f(0.5)) {
        return 1.0;
    }
    let far = frame.shadow_spread;
    let near = 0.36 * far;
    if shadow_taps == 16u {
        var sum = 0.0;
        for (var row = 0; row < 4; row++) {
            let y = (f32(row) - 1.5) / 1.5 * far;
            sum += tap(at, vec2f(-far, y))
                + tap(at, vec2f(-near, y))
                + tap(at, vec2f(near, y))
                + tap(at, vec2f(far, y));
        }
        return sum / 16.0;
    }
    let lit = tap(at, vec2f(near, far))
        + tap(at, vec2f(far, -near))
        + tap(at, vec2f(-near, -far))
        + tap(at, vec2f(-far, near));
    return lit * 0.25;
}

fn tap(at: vec3f, side: vec2f) -> f32 {
    return textureSampleCompareLevel(shadow_map, shadow_sampler, at.xy + side, at.z);
}
