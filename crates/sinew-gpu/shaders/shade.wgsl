// Light that a surface reflects toward the eye: ambient light, and Phong's sum over the lamps.
//
// Phong shading approximates the metallic-roughness model of glTF. For roughness r, the exponent is (2 / r⁴ − 2) / 4,
// which makes highlights as wide as those of microfacets. k_d is the base colour without its metallic part. k_s is 4 %,
// or the base colour for metals. Narrow highlights are brighter. Metals mirror only the sky, the rougher the less.

// Number of lamps, including the sun. A constant, because software renderers also run skipped branches.
override lamp_count: u32 = 1u;

override is_phong: bool = true;

// Min roughness. Smoother surfaces would have invisibly small highlights.
const SMOOTHEST: f32 = 0.045;

// Shades a surface. `screen_occlusion` is the unoccluded part of the hemisphere.
fn shade(surface: Surface, position: vec3f, to_eye: vec3f, screen_occlusion: f32) -> vec3f {
    if is_phong {
        return phong_shade(surface.base, surface.emissive, surface.normal, position, to_eye);
    }
    return physical(surface, position, to_eye, screen_occlusion);
}

fn phong_shade(base: vec3f, emissive: vec3f, normal: vec3f, position: vec3f, to_eye: vec3f) -> vec3f {
    let k_d = base * (1.0 - material.metallic);
    let k_s = mix(vec3f(0.04), base, material.metallic);
    let r = max(material.roughness, 0.08);

    let edge_on = 1.0 - clamp(dot(normal, to_eye), 0.0, 1.0);
    let grazing = edge_on * edge_on * edge_on * edge_on * edge_on;
    let mirrored = mix(k_s, max(k_s, vec3f(1.0 - r)), grazing);
    let everywhere = sky_on(normal);
    var around = everywhere;
    if glossy {
        around = mix(blurred_sky(reflect(-to_eye, normal), r) * frame.ambient, everywhere, r);
    }
    var light = k_d * everywhere + mirrored * around * (1.0 - 0.5 * r) + emissive;

    let sun = frame.lamps[0];
    if dot(sun.position.xyz, normal) > 0.0 || material.through > 0.0 {
        let reaches = sun_at(position, normal);
        if reaches > 0.0 {
            light += reaches * reflected(sun, sun.position.xyz, k_d, k_s, normal, to_eye);
        }
    }
    // Unrolled, because a loop over an array takes software renderers twice as long.
    if lamp_count > 1u {
        light += from_lamp(frame.lamps[1], k_d, k_s, normal, position, to_eye);
    }
    if lamp_count > 2u {
        light += from_lamp(frame.lamps[2], k_d, k_s, normal, position, to_eye);
    }
    if lamp_count > 3u {
        light += from_lamp(frame.lamps[3], k_d, k_s, normal, position, to_eye);
    }
    return light;
}

// Reflection of a lamp without shadows. A positioned lamp fades to half at its distance and to 0 at four times that.
fn from_lamp(lamp: Lamp, k_d: vec3f, k_s: vec3f, normal: vec3f, position: vec3f, to_eye: vec3f) -> vec3f {
    var to_lamp = lamp.position.xyz;
    var reaches = 1.0;
    if lamp.position.w != 0.0 {
        to_lamp -= position;
        let away = dot(to_lamp, to_lamp);
        reaches = 1.0 / (1.0 + away * abs(lamp.position.w)) - 0.06;
        to_lamp *= inverseSqrt(away);
    }
    if reaches <= 0.0 {
        return vec3f(0.0);
    }
    return reaches * reflected(lamp, to_lamp, k_d, k_s, normal, to_eye);
}

fn reflected(
    lamp: Lamp,
    to_lamp: vec3f,
    k_d: vec3f,
    k_s: vec3f,
    normal: vec3f,
    to_eye: vec3f,
) -> vec3f {
    let factors = phong(to_lamp, normal, to_eye, material.shininess);
    let through = max(-dot(to_lamp, normal), 0.0) * material.through;
    return k_d * (factors.x + through) * lamp.diffuse.rgb
        + k_s * (factors.y * material.highlight) * lamp.specular.rgb;
}
