@fragment
fn lit(in: VertexOut, @builtin(front_facing) is_front: bool) -> @location(0) vec4f {
    let base = base_color(in.uvs, in.color);
    let color = lit_color(in, base, is_front);
    if masked && base.a < material.alpha_cutoff {
        discard;
    }
    return color;
}

struct Masked {
    @location(0) color: vec4f,
    @builtin(sample_mask) samples: u32,
}

// Lit surface with holes. At the edge of a hole, it covers only some of the four samples of a pixel.
@fragment
fn lit_mask(in: VertexOut, @builtin(front_facing) is_front: bool) -> Masked {
    let base = base_color(in.uvs, in.color);
    let change = max(fwidth(base.a), 1e-4);
    let color = lit_color(in, base, is_front);
    let covered = clamp((base.a - material.alpha_cutoff) / change + 0.5, 0.0, 1.0);
    // The choice of samples varies by pixel, so that no side is preferred.
    pixel = in.clip.xy;
    let count = u32(4.0 * covered + 0.5);
    let shift = u32(4.0 * grain());
    let first = (1u << count) - 1u;
    let samples = ((first << shift) | (first >> (4u - shift))) & 15u;
    if count == 0u {
        discard;
    }
    return Masked(color, samples);
}

fn lit_color(in: VertexOut, base: vec4f, is_front: bool) -> vec4f {
    let path = frame.eye - in.position;
    let to_eye = path * inverseSqrt(dot(path, path));
    let away = dot(path, to_eye);
    let surface = surface_at(base.rgb, in, to_eye, is_front);
    var opacity = select(1.0, base.a, blended);
    if unlit {
        // A component of 0 becomes mid grey on screen.
        let direction = pow(max(surface.normal * 0.5 + 0.5, vec3f(0.0)), vec3f(2.2));
        return vec4f(mix(base.rgb, direction, material.shows_normals), opacity);
    }
    pixel = in.clip.xy;
    let light = shade(surface, in.position, to_eye, occlusion_at(in.clip));
    if is_glass && !is_phong {
        opacity = mix(1.0, seen_through(surface, in.position, to_eye).a, material.transmission);
    }
    return vec4f(through_haze(light, away), opacity);
}
