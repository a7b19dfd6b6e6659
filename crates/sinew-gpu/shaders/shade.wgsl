// The light that leaves a surface towards the eye: ambient, and Phong's sum over the lamps.
//
// A plain approximation of glTF's metallic-roughness: with roughness r, Phong's exponent is
// (2 / r⁴ − 2) / 4, which is as wide as the microfacets of that roughness; k_d is the base colour less
// its metallic part, k_s 4 % or that part, and a highlight is the brighter the narrower it is. What lies
// around is the sky alone: metals mirror that, the less the rougher they are.

fn shade(base: vec3f, normal: vec3f, place: vec3f, to_eye: vec3f, sun: f32) -> vec3f {
    let k_d = base * (1.0 - material.metallic);
    let k_s = mix(vec3f(0.04), base, material.metallic);
    let r = max(material.roughness, 0.08);
    let shininess = max(0.5 / (r * r * r * r) - 0.5, 1.0);
    let strength = (shininess + 2.0) / 8.0;

    let grazing = pow(1.0 - clamp(dot(normal, to_eye), 0.0, 1.0), 5.0);
    let mirrored = mix(k_s, max(k_s, vec3f(1.0 - r)), grazing);
    let around = mix(sky(reflect(-to_eye, normal)) * frame.ambient, sky_on(normal), r);
    var light = k_d * sky_on(normal) + mirrored * around * (1.0 - 0.5 * r);

    for (var k = 0u; k < frame.lamp_count; k++) {
        let lamp = frame.lamps[k];
        var to_lamp = lamp.place.xyz;
        var reaches = select(1.0, sun, k == 0u);
        if lamp.place.w > 0.0 {
            to_lamp -= place;
            reaches /= 1.0 + dot(to_lamp, to_lamp) * lamp.place.w;
            to_lamp = normalize(to_lamp);
        }
        let reflected = phong(to_lamp, normal, to_eye, shininess);
        let through = max(-dot(to_lamp, normal), 0.0) * material.through;
        light += reaches * k_d * (reflected.x + through) * lamp.diffuse.rgb;
        light += reaches * k_s * (reflected.y * strength) * lamp.specular.rgb;
    }
    return light + material.emissive;
}
