// Refraction: samples the picture behind a surface at the point where the bent ray exits.

// Picture of all opaque surfaces, in levels of increasing blur. For the floor: the reflection.
@group(0) @binding(5) var picture_behind: texture_2d<f32>;

fn seen_through(surface: Surface, position: vec3f, to_eye: vec3f) -> vec4f {
    if material.dispersion <= 0.0 {
        return bent(surface, position, to_eye, material.ior);
    }
    let apart = (material.ior - 1.0) * 0.025 * material.dispersion;
    let red = bent(surface, position, to_eye, material.ior - apart);
    let green = bent(surface, position, to_eye, material.ior);
    let blue = bent(surface, position, to_eye, material.ior + apart);
    return vec4f(red.r, green.g, blue.b, green.a);
}

fn bent(surface: Surface, position: vec3f, to_eye: vec3f, ior: f32) -> vec4f {
    let ray = refract(-to_eye, surface.normal, 1.0 / ior) * material.thickness;
    let clip = frame.clip_from_world * vec4f(position + ray, 1.0);
    let uv = clip.xy / clip.w * vec2f(0.5, -0.5) + 0.5;
    let blur = surface.roughness * clamp(ior * 2.0 - 2.0, 0.0, 1.0);
    let seen = textureSampleLevel(picture_behind, environment_sampler, uv, log2(frame.viewport.x) * blur);
    return vec4f(seen.rgb * exp(-material.attenuation * length(ray)), seen.a);
}
