// A surface in the light.

@fragment
fn lit(in: VertexOut) -> @location(0) vec4f {
    let path = frame.eye - in.place;
    let to_eye = path * inverseSqrt(dot(path, path));
    let away = dot(path, to_eye);
    let base = base_color(in.uv, in.color);
    let normal = surface_normal(in.normal, in.place, in.uv, to_eye);
    if masked && base.a < material.alpha_cutoff {
        discard;
    }
    if unlit {
        return vec4f(base.rgb, base.a);
    }
    let light = shade(base.rgb, normal, in.place, to_eye);
    return vec4f(through_haze(light, away), base.a);
}
