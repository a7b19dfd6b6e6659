// Diffuse and specular reflection of one light (Phong 1975): k_d max(0, L·N) i_d + k_s max(0, R·V)^α i_s. The original
// has neither the colours i_d and i_s of the light nor the max. Returns the factors of k_d i_d and k_s i_s.

fn phong(to_light: vec3f, normal: vec3f, to_eye: vec3f, shininess: f32) -> vec2f {
    let facing = dot(to_light, normal);
    if facing <= 0.0 {
        return vec2f(0.0);
    }
    let mirrored = 2.0 * facing * normal - to_light;
    let along = dot(mirrored, to_eye);
    if along <= 0.0 {
        return vec2f(facing, 0.0);
    }
    return vec2f(facing, pow(along, shininess));
}
