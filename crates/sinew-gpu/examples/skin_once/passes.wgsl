// The passes of the comparison, on vertices that are skinned already or that are skinned here.
//
// Made before this text, where vertices are skinned here: JOINTS (of a palette) and what a blend is.

struct View {
    clip_from_world: mat4x4<f32>,
    to_sun: vec4<f32>,
    to_eye: vec4<f32>,
}

@group(0) @binding(0) var<uniform> view: View;

struct Lit {
    @builtin(position) clip: vec4<f32>,
    @location(0) normal: vec3<f32>,
}

fn lit_at(position: vec3<f32>, normal: vec3<f32>) -> Lit {
    return Lit(view.clip_from_world * vec4(position, 1.0), normal);
}

@vertex
fn once_lit(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>) -> Lit {
    return lit_at(position, normal);
}

@vertex
fn once_depth(@location(0) position: vec3<f32>) -> @builtin(position) vec4<f32> {
    return view.clip_from_world * vec4(position, 1.0);
}

@fragment
fn light(in: Lit) -> @location(0) vec4<f32> {
    let normal = normalize(in.normal);
    let facing = max(dot(normal, view.to_sun.xyz), 0.0);
    let mirrored = 2.0 * dot(normal, view.to_sun.xyz) * normal - view.to_sun.xyz;
    let along = max(dot(mirrored, view.to_eye.xyz), 0.0);
    let base = vec3(0.75, 0.42, 0.2);
    return vec4(base * (0.2 + 0.7 * facing) + 0.3 * pow(along, 24.0), 1.0);
}
