// Ambient occlusion from the depth of nearby pixels (McGuire, Mara and Luebke, "Scalable Ambient Obscurance", 2012).

@group(1) @binding(0) var depth_map: texture_2d<f32>;

fn world_at(texel: vec2i, size: vec2f) -> vec4f {
    let depth = textureLoad(depth_map, clamp(texel, vec2i(0), vec2i(size) - 1), 0).x;
    let ndc = (vec2f(texel) + 0.5) / size * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0);
    let world = frame.world_from_clip * vec4f(ndc, depth, 1.0);
    return vec4f(world.xyz / world.w, depth);
}

// The shorter of two differences, so that a normal is not computed across an edge.
fn shorter(a: vec3f, b: vec3f) -> vec3f {
    return select(b, a, dot(a, a) < dot(b, b));
}

@fragment
fn find_occlusion(in: ScreenOut) -> @location(0) vec4f {
    let size = vec2f(textureDimensions(depth_map));
    let texel = vec2i(in.clip.xy);
    let here = world_at(texel, size);
    if here.w >= 1.0 {
        return vec4f(1.0);
    }
    let right = world_at(texel + vec2i(1, 0), size).xyz - here.xyz;
    let left = here.xyz - world_at(texel - vec2i(1, 0), size).xyz;
    let down = world_at(texel + vec2i(0, 1), size).xyz - here.xyz;
    let above = here.xyz - world_at(texel - vec2i(0, 1), size).xyz;
    let normal = normalize(cross(shorter(down, above), shorter(right, left)));
    let away = frame.clip_from_world * vec4f(here.xyz, 1.0);
    let aside = frame.occlusion_radius * length(vec3f(
        frame.clip_from_world[0].y, frame.clip_from_world[1].y, frame.clip_from_world[2].y,
    ));
    let radius = min(0.5 * size.y * aside / away.w, 0.25 * size.y);
    if radius < 1.0 {
        return vec4f(1.0);
    }
    let at = in.clip.xy + 5.588238 * frame.seed;
    let angle = 6.2831853 * fract(52.9829189 * fract(dot(at, vec2f(0.06711056, 0.00583715))));
    let square = frame.occlusion_radius * frame.occlusion_radius;
    var way = vec2f(cos(angle), sin(angle));
    var hidden = 0.0;
    for (var k = 0u; k < frame.occlusion_taps; k++) {
        let part = (f32(k) + 0.5) / f32(frame.occlusion_taps);
        let side = way * (part * radius);
        way = vec2f(-0.737369 * way.x - 0.675490 * way.y, 0.675490 * way.x - 0.737369 * way.y);
        let other = world_at(texel + vec2i(round(side)), size);
        let way = other.xyz - here.xyz;
        let length2 = dot(way, way);
        let over = dot(way, normal) - 0.02 * frame.occlusion_radius;
        let fall = max(1.0 - length2 / square, 0.0);
        hidden += fall * max(over, 0.0) * inverseSqrt(length2 + 1e-8 * square);
    }
    let occlusion = clamp(1.0 - 1.6 * hidden / f32(frame.occlusion_taps), 0.0, 1.0);
    return vec4f(occlusion);
}

@group(1) @binding(1) var raw_occlusion: texture_2d<f32>;

// Mean over four by four texels. Texels at a similar position count more.
@fragment
fn blur_occlusion(in: ScreenOut) -> @location(0) vec4f {
    let size = vec2f(textureDimensions(raw_occlusion));
    let texel = vec2i(in.clip.xy);
    let here = world_at(texel, size);
    var sum = vec2f(0.0);
    for (var y = -2; y < 2; y++) {
        for (var x = -2; x < 2; x++) {
            let other = clamp(texel + vec2i(x, y), vec2i(0), vec2i(size) - 1);
            let there = world_at(other, size);
            let near = 1.0 - clamp(distance(there.xyz, here.xyz) / frame.occlusion_radius, 0.0, 1.0);
            let weight = near + 1e-4;
            sum += vec2f(textureLoad(raw_occlusion, other, 0).r, 1.0) * weight;
        }
    }
    return vec4f(sum.x / sum.y);
}
