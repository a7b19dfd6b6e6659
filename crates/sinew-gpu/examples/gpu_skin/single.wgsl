// A thread has one vertex. Made before this text: SIZE (threads a workgroup).
// A record is three planes: position and normal.x; normal.yz and four joints; four weights.

struct Params {
    // Records.
    count: u32,
    instances: u32,
    // Instances a thread does.
    share: u32,
    // Vectors of 16 bytes from one instance to the next.
    stride: u32,
    joints: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> records: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> palettes: array<Map>;
@group(0) @binding(3) var<storage, read_write> out_floats: array<f32>;
@group(0) @binding(3) var<storage, read_write> out_halves: array<vec2<f32>>;
@group(0) @binding(3) var<storage, read_write> out_vectors: array<vec4<f32>>;

struct Vertex {
    position: vec3<f32>,
    normal: vec3<f32>,
    joints: vec4<u32>,
    weights: vec4<f32>,
}

fn load(at: u32) -> Vertex {
    let a = records[at];
    let b = records[params.count + at];
    let c = records[2u * params.count + at];
    let joints = vec4(b.z & 0xffffu, b.z >> 16u, b.w & 0xffffu, b.w >> 16u);
    return Vertex(
        bitcast<vec3<f32>>(a.xyz),
        bitcast<vec3<f32>>(vec3(a.w, b.x, b.y)),
        joints,
        bitcast<vec4<f32>>(c),
    );
}

struct Moved {
    position: vec3<f32>,
    normal: vec3<f32>,
}

fn moved(v: Vertex, instance: u32) -> Moved {
    let base = instance * params.joints;
    var map = times(palettes[base + v.joints.x], v.weights.x);
    map = plus_times(map, palettes[base + v.joints.y], v.weights.y);
    map = plus_times(map, palettes[base + v.joints.z], v.weights.z);
    map = plus_times(map, palettes[base + v.joints.w], v.weights.w);
    return Moved(move_position(map, v.position), move_normal(map, v.normal));
}

fn store_floats(m: Moved, vertex: u32, instance: u32) {
    let at = 4u * params.stride * instance + 6u * vertex;
    out_floats[at] = m.position.x;
    out_floats[at + 1u] = m.position.y;
    out_floats[at + 2u] = m.position.z;
    out_floats[at + 3u] = m.normal.x;
    out_floats[at + 4u] = m.normal.y;
    out_floats[at + 5u] = m.normal.z;
}

@compute @workgroup_size(SIZE)
fn plain(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < params.count {
        store_floats(moved(load(id.x), id.y), id.x, id.y);
    }
}

@compute @workgroup_size(SIZE)
fn held(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= params.count {
        return;
    }
    let vertex = load(id.x);
    let first = id.y * params.share;
    for (var i = first; i < min(first + params.share, params.instances); i++) {
        store_floats(moved(vertex, i), id.x, i);
    }
}

// Four vertices of one instance, 96 bytes, as six vectors.
@compute @workgroup_size(SIZE)
fn quad(@builtin(global_invocation_id) id: vec3<u32>) {
    if 4u * id.x >= params.count {
        return;
    }
    let first = id.y * params.share;
    for (var i = first; i < min(first + params.share, params.instances); i++) {
        let a = moved(load(4u * id.x), i);
        let b = moved(load(4u * id.x + 1u), i);
        let c = moved(load(4u * id.x + 2u), i);
        let d = moved(load(4u * id.x + 3u), i);
        let at = params.stride * i + 6u * id.x;
        out_vectors[at] = vec4(a.position, a.normal.x);
        out_vectors[at + 1u] = vec4(a.normal.yz, b.position.xy);
        out_vectors[at + 2u] = vec4(b.position.z, b.normal);
        out_vectors[at + 3u] = vec4(c.position, c.normal.x);
        out_vectors[at + 4u] = vec4(c.normal.yz, d.position.xy);
        out_vectors[at + 5u] = vec4(d.position.z, d.normal);
    }
}

var<workgroup> turning: array<vec2<f32>, 3 * SIZE>;

// Through workgroup memory: neighbouring threads store neighbouring pieces of 8 bytes.
@compute @workgroup_size(SIZE)
fn turned(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let vertex = load(min(group.x * SIZE + thread, params.count - 1u));
    let pieces = 3u * (params.count - group.x * SIZE);
    let first = group.y * params.share;
    for (var i = first; i < min(first + params.share, params.instances); i++) {
        let m = moved(vertex, i);
        turning[3u * thread] = m.position.xy;
        turning[3u * thread + 1u] = vec2(m.position.z, m.normal.x);
        turning[3u * thread + 2u] = m.normal.yz;
        workgroupBarrier();
        let at = 2u * params.stride * i + 3u * group.x * SIZE;
        for (var k = 0u; k < 3u; k++) {
            let piece = k * SIZE + thread;
            if piece < pieces {
                out_halves[at + piece] = turning[piece];
            }
        }
        workgroupBarrier();
    }
}
