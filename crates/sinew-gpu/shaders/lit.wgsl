// A surface in the light.

@fragment
fn lit(in: VertexOut, @builtin(front_facing) is_front: bool) -> @location(0) vec4f {
    let path = frame.eye - in.place;
    let to_eye = path * inverseSqrt(dot(path, path));
    let away = dot(path, to_eye);
    let base = base_color(in.uvs, in.color);
    let surface = surface_at(base.rgb, in, to_eye, is_front);
    if masked && base.a < material.alpha_cutoff {
        discard;
    }
    if unlit {
        return vec4f(base.rgb, base.a);
    }
    let light = shade(surface, in.place, to_eye, 1.0);
    if is_glass {
        // What is mirrored stays, and of what lies behind it as much as its colour lets through.
        let through = material.transmission * highest(base.rgb) * (1.0 - surface.metallic);
        return vec4f(through_haze(light, away), mix(base.a, 1.0 - through, material.transmission));
    }
    return vec4f(through_haze(light, away), base.a);
}
