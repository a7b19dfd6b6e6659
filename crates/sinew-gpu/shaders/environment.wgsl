// The light that comes from all around: of an environment map, or of a plain sky.

@group(0) @binding(3) var environment_map: texture_cube<f32>;
@group(0) @binding(4) var environment_sampler: sampler;

override has_environment: bool = false;

// How much of the half sphere over each place of the picture is open, half as wide and high.
@group(0) @binding(6) var open_map: texture_2d<f32>;

override has_open_map: bool = false;

fn open_at(clip: vec4f) -> f32 {
    if !has_open_map {
        return 1.0;
    }
    return textureSampleLevel(open_map, environment_sampler, clip.xy / frame.viewport, 0.0).r;
}

// The level of roughness 1, which is what a white surface throws back. Twin of environment::LEVELS.
const ROUGHEST_LEVEL: f32 = 5.0;

// What a white surface with a normal throws back of it.
fn light_on(normal: vec3f) -> vec3f {
    if !has_environment {
        return sky_on(normal);
    }
    return environment_at(normal, ROUGHEST_LEVEL);
}

fn environment_at(direction: vec3f, level: f32) -> vec3f {
    return textureSampleLevel(environment_map, environment_sampler, direction, level).rgb * frame.environment;
}

// What a mirror of a roughness shows along a way. A rough one is open to the side of its normal alone.
fn light_along(direction: vec3f, normal: vec3f, roughness: f32) -> vec3f {
    let square = roughness * roughness;
    let along = normalize(mix(direction, normal, square * square));
    if !has_environment {
        return mix(blurred_sky(along, roughness) * frame.ambient, sky_on(along), roughness);
    }
    let level = roughness * ROUGHEST_LEVEL;
    return environment_at(along, level);
}
