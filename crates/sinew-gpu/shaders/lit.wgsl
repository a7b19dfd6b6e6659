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
    var opacity = select(1.0, base.a, blended);
    if unlit {
        // A screen shows the middle of a colour for a direction that has nothing of an axis.
        let direction = pow(max(surface.normal * 0.5 + 0.5, vec3f(0.0)), vec3f(2.2));
        return vec4f(mix(base.rgb, direction, material.shows_normals), opacity);
    }
    pixel = in.clip.xy;
    let light = shade(surface, in.place, to_eye, open_at(in.clip));
    if is_glass && !is_phong {
        opacity = mix(1.0, seen_through(surface, in.place, to_eye).a, material.transmission);
    }
    return vec4f(through_haze(light, away), opacity);
}
