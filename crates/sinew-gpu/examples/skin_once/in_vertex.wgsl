// Skinning in the vertex shader, for comparison only: what the skin-once kernel does, in every pass anew.

@group(0) @binding(1) var<storage, read> palettes: array<Map>;

struct Bind {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) joints: vec4<u32>,
    @location(3) weights: vec4<f32>,
}

fn blend(in: Bind, instance: u32) -> Map {
    let palette = instance * JOINTS;
    // Rounded weights need not add up to 1: the first is what the others leave.
    let first = 1.0 - in.weights.y - in.weights.z - in.weights.w;
    var sum = times(palettes[palette + in.joints.x], first);
    sum = plus_times(sum, palettes[palette + in.joints.y], in.weights.y);
    sum = plus_times(sum, palettes[palette + in.joints.z], in.weights.z);
    return plus_times(sum, palettes[palette + in.joints.w], in.weights.w);
}

@vertex
fn each_lit(in: Bind, @builtin(instance_index) instance: u32) -> Lit {
    let map = blend(in, instance);
    return lit_at(move_position(map, in.position), move_normal(map, in.normal));
}

// Shadows need no normals, so none are skinned.
@vertex
fn each_depth(in: Bind, @builtin(instance_index) instance: u32) -> @builtin(position) vec4<f32> {
    let position = move_position(blend(in, instance), in.position);
    return view.clip_from_world * vec4(position, 1.0);
}
