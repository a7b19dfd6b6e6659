// What the memory does at best: writing alone, and reading and writing.

struct Params {
    count: u32,
    instances: u32,
    share: u32,
    stride: u32,
    joints: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(3) var<storage, read_write> out_vectors: array<vec4<f32>>;

// `count` vectors, `share` of them a thread.
@compute @workgroup_size(SIZE)
fn fill(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let first = (group.y * groups.x + group.x) * SIZE * params.share + thread;
    for (var i = 0u; i < params.share; i++) {
        let at = first + i * SIZE;
        if at < params.count {
            out_vectors[at] = vec4(0.0);
        }
    }
}

// The first half to the second.
@compute @workgroup_size(SIZE)
fn copy(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let first = (group.y * groups.x + group.x) * SIZE * params.share + thread;
    for (var i = 0u; i < params.share; i++) {
        let at = first + i * SIZE;
        if at < params.count {
            out_vectors[params.count + at] = out_vectors[at];
        }
    }
}
