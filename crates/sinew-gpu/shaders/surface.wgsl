// Material at one point of a surface.

struct Surface {
    base: vec3f,
    metallic: f32,
    emissive: vec3f,
    roughness: f32,
    normal: vec3f,
    occlusion: f32,
    // Reflectance at normal incidence (of dielectrics), and at grazing angles (of all surfaces).
    specular_color: vec3f,
    specular: f32,
    sheen_color: vec3f,
    sheen_roughness: f32,
    coat_normal: vec3f,
    coat: f32,
    coat_roughness: f32,
    groove: vec3f,
}

fn surface_at(base: vec3f, in: VertexOut, to_eye: vec3f, is_front: bool) -> Surface {
    var surface: Surface;
    surface.base = base;
    surface.metallic = material.metallic;
    surface.roughness = material.roughness;
    if has(METALLIC_ROUGHNESS) {
        let uv = uv_of(METALLIC_ROUGHNESS, in.uvs);
        let read = textureSample(metallic_roughness_texture, metallic_roughness_sampler, uv);
        surface.roughness *= read.g;
        surface.metallic *= read.b;
    }
    surface.emissive = material.emissive;
    if has(EMISSIVE) {
        let uv = uv_of(EMISSIVE, in.uvs);
        surface.emissive *= textureSample(emissive_texture, emissive_sampler, uv).rgb;
    }
    surface.occlusion = 1.0;
    if has(OCCLUSION) {
        let uv = uv_of(OCCLUSION, in.uvs);
        let sampled = textureSample(occlusion_texture, occlusion_sampler, uv).r;
        surface.occlusion = 1.0 + material.occlusion * (sampled - 1.0);
    }
    var specular = material.specular;
    if has(SPECULAR) {
        let uv = uv_of(SPECULAR, in.uvs);
        specular *= textureSample(specular_texture, specular_sampler, uv).a;
    }
    var specular_color = material.specular_color;
    if has(SPECULAR_COLOR) {
        let uv = uv_of(SPECULAR_COLOR, in.uvs);
        specular_color *= textureSample(specular_color_texture, specular_color_sampler, uv).rgb;
    }
    surface.specular_color = min(specular_color, vec3f(1.0)) * specular;
    surface.specular = mix(specular, 1.0, surface.metallic);

    let facing = facing_normal(in, to_eye, is_front);
    surface.normal = facing;
    if has(NORMAL) {
        let uv = uv_of(NORMAL, in.uvs);
        let bent = textureSample(normal_texture, normal_sampler, uv).xyz * 2.0 - 1.0;
        surface.normal = bend(facing, bent, material.normal_scale, in, uv, is_front);
    }
    if is_brushed {
        // Gets the tangents by bending the normal along each of them.
        let uv = uv_of(NORMAL, in.uvs);
        let along_u = bend(facing, vec3f(1.0, 0.0, 0.0), 1.0, in, uv, is_front);
        let along_v = bend(facing, vec3f(0.0, 1.0, 0.0), 1.0, in, uv, is_front);
        let way = along_u * material.brushed.y - along_v * material.brushed.x;
        surface.groove = normalize(way);
    }
    if is_cloth {
        surface.sheen_color = material.sheen_color;
        surface.sheen_roughness = material.sheen_roughness;
        if has(SHEEN_COLOR) {
            let uv = uv_of(SHEEN_COLOR, in.uvs);
            surface.sheen_color *= textureSample(sheen_color_texture, sheen_color_sampler, uv).rgb;
        }
        if has(SHEEN_ROUGHNESS) {
            let uv = uv_of(SHEEN_ROUGHNESS, in.uvs);
            surface.sheen_roughness *=
                textureSample(sheen_roughness_texture, sheen_roughness_sampler, uv).a;
        }
        surface.sheen_roughness = max(surface.sheen_roughness, 1e-3);
    }
    // Widens highlights by the change of the normal within a pixel.
    let difference = max(abs(dpdx(facing)), abs(dpdy(facing)));
    let wider = max(difference.x, max(difference.y, difference.z));
    if coated {
        surface.coat = material.clearcoat;
        if has(CLEARCOAT) {
            let uv = uv_of(CLEARCOAT, in.uvs);
            surface.coat *= textureSample(clearcoat_texture, clearcoat_sampler, uv).r;
        }
        var coat_roughness = material.clearcoat_roughness;
        if has(CLEARCOAT_ROUGHNESS) {
            let uv = uv_of(CLEARCOAT_ROUGHNESS, in.uvs);
            coat_roughness *=
                textureSample(clearcoat_roughness_texture, clearcoat_roughness_sampler, uv).g;
        }
        surface.coat_roughness = min(max(coat_roughness, SMOOTHEST) + wider, 1.0);
        surface.coat_normal = facing;
        if has(CLEARCOAT_NORMAL) {
            let uv = uv_of(CLEARCOAT_NORMAL, in.uvs);
            let bent = textureSample(clearcoat_normal_texture, clearcoat_normal_sampler, uv).xyz * 2.0 - 1.0;
            surface.coat_normal = bend(facing, bent, material.clearcoat_normal_scale, in, uv, is_front);
        }
    }
    surface.roughness = min(max(surface.roughness, SMOOTHEST) + wider, 1.0);
    return surface;
}

fn facing_normal(in: VertexOut, to_eye: vec3f, is_front: bool) -> vec3f {
    if flat_shaded {
        let normal = normalize(cross(dpdx(in.position), dpdy(in.position)));
        return normal * sign(dot(normal, to_eye));
    }
    let normal = normalize(in.normal);
    if inverted != (two_sided && !is_front) {
        return -normal;
    }
    return normal;
}

// Normal bent by a normal map. Without tangents in the mesh, it uses the screen-space derivatives of texture
// coordinates (Schüler, "Normal mapping without precomputed tangents", ShaderX5).
fn bend(normal: vec3f, bent: vec3f, scale: f32, in: VertexOut, uv: vec2f, is_front: bool) -> vec3f {
    let position_x = dpdx(in.position);
    let position_y = dpdy(in.position);
    let uv_x = dpdx(uv);
    let uv_y = dpdy(uv);
    var slope = bent.xy * scale;
    if has_tangents {
        var along_u = in.tangent.xyz;
        var along_v = cross(in.normal, in.tangent.xyz) * in.tangent.w;
        if two_sided && !is_front {
            along_u = -along_u;
            along_v = -along_v;
        }
        return normalize(along_u * slope.x + along_v * slope.y + normal * bent.z);
    }
    // Screen rows run downward, and mirroring flips the derivatives. The normal gives the right sign.
    let winding = sign(dot(cross(position_x, position_y), normal));
    let across_y = cross(position_y, normal) * winding;
    let across_x = cross(normal, position_x) * winding;
    let along_u = across_y * uv_x.x + across_x * uv_y.x;
    let along_v = across_y * uv_x.y + across_x * uv_y.y;
    let longest = max(dot(along_u, along_u), dot(along_v, along_v));
    if longest <= 0.0 {
        return normal;
    }
    // v increases downward in a texture, but green in a normal map means upward.
    slope *= vec2f(1.0, -1.0) * inverseSqrt(longest);
    return normalize(along_u * slope.x + along_v * slope.y + normal * bent.z);
}
