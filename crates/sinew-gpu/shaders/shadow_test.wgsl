// Visible part of the sun: percentage-closer filtering (Reeves, Salesin and Cook 1987). It uses four taps on a rotated
// square, or sixteen taps for wide edges. The sampler filters each tap over four texels.

// Number of taps. 0 without shadows.
override shadow_taps: u32 = 0u;

fn sun_at(position: vec3f, normal: vec3f) -> f32 {
    if shadow_taps == 0u {
        return 1.0;
    }
    // The offset grows on surfaces that face away: flat triangles would shadow the round shape that they approximate.
    let slant = 1.0 - clamp(dot(normal, frame.lamps[0].position.xyz), 0.0, 1.0);
    let off = position + normal * (frame.shadow_offset * (1.0 + 3.0 * slant));
    let at = (frame.shadow_from_world * vec4f(off, 1.0)).xyz;
    let is_outside = any(abs(at - 0.5) > vec3f(0.5));
    if !is_phong && frame.penumbra > 0.0 {
        return soft_sun_at(at, slant, is_outside);
    }
    if is_outside {
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
    return lit_part(at.xy + side, at.z);
}

var<private> pixel: vec2f;

// Number in [0, 1) per pixel and picture (Jimenez, "Next Generation Post Processing in Call of Duty", 2014).
fn grain() -> f32 {
    let at = pixel + 5.588238 * frame.seed;
    return fract(52.9829189 * fract(dot(at, vec2f(0.06711056, 0.00583715))));
}

// Rotates a direction by the golden angle, so that a few taps cover a disc evenly.
fn next_way(way: vec2f) -> vec2f {
    return vec2f(-0.737369 * way.x - 0.675490 * way.y, 0.675490 * way.x - 0.737369 * way.y);
}

fn outward(k: u32, count: u32) -> f32 {
    return sqrt((f32(k) + 0.5) / f32(count));
}

// Shadows with edges that widen with the distance to the blocker (Fernando, "Percentage-Closer Soft Shadows", 2005).
// Uses loops instead of branches: software renderers run skipped branches, but no iterations of an empty loop.
fn soft_sun_at(at: vec3f, slant: f32, is_outside: bool) -> f32 {
    let start_angle = 6.2831853 * grain();
    var way = vec2f(cos(start_angle), sin(start_angle));
    let texels = shadow_texels();
    // On a slope, the depth of the surface changes with the distance of a tap.
    let slope = 0.7 * min(slant / max(1.0 - slant, 0.25), 3.0);
    // Surfaces that face away get no light.
    let looks = select(frame.blocker_taps, 0u, is_outside || slant >= 1.0);
    var depth = 0.0;
    var blockers = 0u;
    for (var k = 0u; k < looks; k++) {
        let reach = outward(k, frame.blocker_taps) * frame.max_penumbra;
        let side = way * reach;
        way = next_way(way);
        let texel = vec2i(clamp((at.xy + side) * texels, vec2f(0.0), texels - 1.0));
        let found = shadow_depth(texel);
        if found < at.z - reach * slope {
            depth += found;
            blockers += 1u;
        }
    }
    // If all taps are blocked, the shadow is full. If no tap is blocked, the light is full.
    let is_edge = blockers > 0u && blockers < looks;
    let wide = (at.z - depth / max(f32(blockers), 1.0)) * frame.penumbra;
    let radius = clamp(wide, frame.shadow_spread, frame.max_penumbra);
    let taps = select(0u, frame.shadow_taps, is_edge);
    var lit = 0.0;
    for (var k = 0u; k < taps; k++) {
        let reach = outward(k, frame.shadow_taps) * radius;
        lit += tap(vec3f(at.xy, at.z - reach * slope), way * reach);
        way = next_way(way);
    }
    if is_edge {
        return lit / f32(frame.shadow_taps);
    }
    return select(0.0, 1.0, blockers == 0u);
}
