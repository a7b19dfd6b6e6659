// A thread has two vertices that share their joints. Made before this text: SIZE (threads a workgroup),
// LOCAL (joints that a workgroup may use).
// A record is six planes: two vertices in three; weights of either with two joints each; the joints'
// places among those of their workgroup.

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
@group(0) @binding(2) var<storage, read> palette_rows: array<array<vec4<f32>, ROWS>>;
@group(0) @binding(3) var<storage, read_write> out_vectors: array<vec4<f32>>;
// For every workgroup: how many joints, then which.
@group(0) @binding(4) var<storage, read> locals: array<array<u32, LOCAL>>;

struct Pair {
    v0: vec4<f32>,
    v1: vec4<f32>,
    v2: vec4<f32>,
    a: vec4<f32>,
    b: vec4<f32>,
    joints: vec4<u32>,
}

fn load(at: u32, is_local: bool) -> Pair {
    let n = params.count;
    let a = records[3u * n + at];
    let b = records[4u * n + at];
    var packed = vec2(a.w, b.w);
    if is_local {
        packed = records[5u * n + at].xy;
    }
    let wa = bitcast<vec3<f32>>(a.xyz);
    let wb = bitcast<vec3<f32>>(b.xyz);
    return Pair(
        bitcast<vec4<f32>>(records[at]),
        bitcast<vec4<f32>>(records[n + at]),
        bitcast<vec4<f32>>(records[2u * n + at]),
        vec4(1.0 - wa.x - wa.y - wa.z, wa),
        vec4(1.0 - wb.x - wb.y - wb.z, wb),
        vec4(packed.x & 0xffffu, packed.x >> 16u, packed.y & 0xffffu, packed.y >> 16u),
    );
}

struct Moved {
    v0: vec4<f32>,
    v1: vec4<f32>,
    v2: vec4<f32>,
}

fn move_pair(p: Pair, m0: Map, m1: Map, m2: Map, m3: Map) -> Moved {
    var a = times(m0, p.a.x);
    var b = times(m0, p.b.x);
    a = plus_times(a, m1, p.a.y);
    b = plus_times(b, m1, p.b.y);
    a = plus_times(a, m2, p.a.z);
    b = plus_times(b, m2, p.b.z);
    a = plus_times(a, m3, p.a.w);
    b = plus_times(b, m3, p.b.w);
    let pa = move_position(a, p.v0.xyz);
    let na = move_normal(a, vec3(p.v0.w, p.v1.xy));
    let pb = move_position(b, vec3(p.v1.zw, p.v2.x));
    let nb = move_normal(b, p.v2.yzw);
    return Moved(vec4(pa, na.x), vec4(na.yz, pb.xy), vec4(pb.z, nb));
}

fn moved(p: Pair, instance: u32) -> Moved {
    let base = instance * params.joints;
    return move_pair(
        p,
        palettes[base + p.joints.x],
        palettes[base + p.joints.y],
        palettes[base + p.joints.z],
        palettes[base + p.joints.w],
    );
}

@compute @workgroup_size(SIZE)
fn pair_direct(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= params.count {
        return;
    }
    let pair = load(id.x, false);
    let first = id.y * params.share;
    for (var i = first; i < min(first + params.share, params.instances); i++) {
        let m = moved(pair, i);
        let at = params.stride * i + 3u * id.x;
        out_vectors[at] = m.v0;
        out_vectors[at + 1u] = m.v1;
        out_vectors[at + 2u] = m.v2;
    }
}

var<workgroup> turning: array<vec4<f32>, 3 * SIZE>;

@compute @workgroup_size(SIZE)
fn pair_turned(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let pair = load(min(group.x * SIZE + thread, params.count - 1u), false);
    let vectors = 3u * (params.count - group.x * SIZE);
    let first = group.y * params.share;
    for (var i = first; i < min(first + params.share, params.instances); i++) {
        let m = moved(pair, i);
        turning[3u * thread] = m.v0;
        turning[3u * thread + 1u] = m.v1;
        turning[3u * thread + 2u] = m.v2;
        workgroupBarrier();
        let at = params.stride * i + 3u * group.x * SIZE;
        for (var k = 0u; k < 3u; k++) {
            let vector = k * SIZE + thread;
            if vector < vectors {
                out_vectors[at + vector] = turning[vector];
            }
        }
        workgroupBarrier();
    }
}

var<workgroup> turning_twice: array<vec4<f32>, 6 * SIZE>;

// Two instances before each barrier: half as many barriers, and twice the loads in flight.
@compute @workgroup_size(SIZE)
fn pair_twice(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let pair = load(min(group.x * SIZE + thread, params.count - 1u), false);
    let vectors = 3u * (params.count - group.x * SIZE);
    let first = group.y * params.share;
    for (var i = first; i < min(first + params.share, params.instances); i += 2u) {
        // The last of an odd number is done twice.
        let next = min(i + 1u, params.instances - 1u);
        let m = moved(pair, i);
        turning_twice[3u * thread] = m.v0;
        turning_twice[3u * thread + 1u] = m.v1;
        turning_twice[3u * thread + 2u] = m.v2;
        let n = moved(pair, next);
        turning_twice[3u * (SIZE + thread)] = n.v0;
        turning_twice[3u * (SIZE + thread) + 1u] = n.v1;
        turning_twice[3u * (SIZE + thread) + 2u] = n.v2;
        workgroupBarrier();
        let at = params.stride * i + 3u * group.x * SIZE;
        let at_next = params.stride * next + 3u * group.x * SIZE;
        for (var k = 0u; k < 3u; k++) {
            let vector = k * SIZE + thread;
            if vector < vectors {
                out_vectors[at + vector] = turning_twice[vector];
                out_vectors[at_next + vector] = turning_twice[3u * SIZE + vector];
            }
        }
        workgroupBarrier();
    }
}

// Alternating halves of workgroup memory: one barrier an instance.
@compute @workgroup_size(SIZE)
fn pair_double(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let pair = load(min(group.x * SIZE + thread, params.count - 1u), false);
    let vectors = 3u * (params.count - group.x * SIZE);
    let first = group.y * params.share;
    var half = 0u;
    for (var i = first; i < min(first + params.share, params.instances); i++) {
        let m = moved(pair, i);
        turning_twice[half + 3u * thread] = m.v0;
        turning_twice[half + 3u * thread + 1u] = m.v1;
        turning_twice[half + 3u * thread + 2u] = m.v2;
        workgroupBarrier();
        let at = params.stride * i + 3u * group.x * SIZE;
        for (var k = 0u; k < 3u; k++) {
            let vector = k * SIZE + thread;
            if vector < vectors {
                out_vectors[at + vector] = turning_twice[half + vector];
            }
        }
        half = 3u * SIZE - half;
    }
}

var<workgroup> staged: array<array<vec4<f32>, ROWS>, LOCAL>;

fn staged_map(joint: u32) -> Map {
    return map_of(staged[joint]);
}

// The joints that a workgroup uses in workgroup memory too, those of the next instance on their way
// while this one is done.
@compute @workgroup_size(SIZE)
fn pair_staged(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let pair = load(min(group.x * SIZE + thread, params.count - 1u), true);
    let vectors = 3u * (params.count - group.x * SIZE);
    let first = group.y * params.share;
    let last = min(first + params.share, params.instances);
    let row = thread % ROWS;
    let local = thread / ROWS;
    let loads = local < locals[group.x][0];
    let joint = locals[group.x][min(local + 1u, LOCAL - 1u)];
    var next: vec4<f32>;
    if loads {
        next = palette_rows[first * params.joints + joint][row];
    }
    for (var i = first; i < last; i++) {
        if loads {
            staged[local][row] = next;
        }
        // Rare: more rows than threads.
        for (var k = SIZE + thread; k < ROWS * locals[group.x][0]; k += SIZE) {
            let other = locals[group.x][k / ROWS + 1u];
            staged[k / ROWS][k % ROWS] = palette_rows[i * params.joints + other][k % ROWS];
        }
        workgroupBarrier();
        if loads {
            next = palette_rows[min(i + 1u, params.instances - 1u) * params.joints + joint][row];
        }
        let m = move_pair(
            pair,
            staged_map(pair.joints.x),
            staged_map(pair.joints.y),
            staged_map(pair.joints.z),
            staged_map(pair.joints.w),
        );
        turning[3u * thread] = m.v0;
        turning[3u * thread + 1u] = m.v1;
        turning[3u * thread + 2u] = m.v2;
        workgroupBarrier();
        let at = params.stride * i + 3u * group.x * SIZE;
        for (var k = 0u; k < 3u; k++) {
            let vector = k * SIZE + thread;
            if vector < vectors {
                out_vectors[at + vector] = turning[vector];
            }
        }
    }
}
