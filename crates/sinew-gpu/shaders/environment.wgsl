// Light from all directions: an environment map or a plain sky.

@group(0) @binding(3) var environment_map: texture_cube<f32>;
@group(0) @binding(4) var environment_sampler: sampler;

override has_environment: bool = false;

// Unoccluded part of the hemisphere over each pixel, at half resolution.
@group(0) @binding(6) var occlusion_map: texture_2d<f32>;

override has_occlusion_map: bool = false;

fn occlusion_at(clip: vec4f) -> f32 {
    if !has_occlusion_map {
        return 1.0;
    }
    return textureSampleLevel(occlusion_map, environment_sampler, clip.xy / frame.viewport, 0.0).r;
}

// Index of the level with roughness 1, which holds diffuse light. In Rust: environment::LEVELS - 1.
const ROUGHEST_LEVEL: f32 = 5.0;

fn light_on(normal: vec3f) -> vec3f {
    if !has_environment {
        return sky_on(normal);
    }
    return environment_at(normal, ROUGHEST_LEVEL);
}

fn environment_at(direction: vec3f, level: f32) -> vec3f {
    return textureSampleLevel(environment_map, environment_sampler, direction, level).rgb * frame.environment;
}

// Light reflected along a direction. The rougher the surface, the closer the direction is to the normal.
fn light_along(direction: vec3f, normal: vec3f, roughness: f32) -> vec3f {
    let square = roughness * roughness;
    let along = normalize(mix(direction, normal, square * square));
    if !has_environment {
        return mix(blurred_sky(along, roughness) * frame.ambient, sky_on(along), roughness);
    }
    let level = roughness * ROUGHEST_LEVEL;
    return environment_at(along, level);
}
