// Skins every vertex of every instance, once per frame.
//
// A thread keeps a pair of vertices with the same joints in registers and moves the pair for several instances, so a
// joint is read once for two vertices. Results (48 bytes per pair) go through workgroup memory, so that neighbouring
// threads store neighbouring vectors of 16 bytes. Direct stores would fill only half of each 32-byte sector.
//
// If STAGED is true, the joints of a workgroup also go through workgroup memory. Each joint is then read once per
// instance, while the previous instance is computed.
//
// Constants prepended to this text: PAIRS (threads per workgroup), LOCAL (max joints of a workgroup), BLOCK, NONE and
// STAGED. Features: WITH_TANGENTS, WITH_STRETCHES, WITH_MORPHS and WITH_MORE (more than four joints per pair). A
// disabled feature costs nothing, even on a software adapter.

struct Mesh {
    // Five planes of `pairs` vectors: three planes for the two vertices of a pair, two for their weights and joints.
    records: u32,
    pairs: u32,
    // One vector per BLOCK of pairs: number of joints per pair, and offset of the joints after the fourth.
    blocks: u32,
    // One vector per pair: first morph delta and number of deltas, for each vertex. Or NONE.
    morphs: u32,
    // Two vectors per pair. Or NONE.
    tangents: u32,
    // Number of vectors per morph delta.
    morph_stride: u32,
    // Start of the data of the mesh. Offsets within the data are relative to it.
    start: u32,
    // Four bytes per pair: the indices of its first four joints among the joints of its workgroup. Then, for every
    // PAIRS pairs, the number of joints and LOCAL / 4 vectors of joints. Or NONE.
    locals: u32,
}

// Task of a workgroup: PAIRS pairs, for consecutive instances.
struct Work {
    mesh: u32,
    first_pair: u32,
    first_instance: u32,
    instances: u32,
}

struct Instance {
    // Index of the first pair, among all pairs of the output.
    first_pair: u32,
    // Index of the first joint in `palettes`.
    palette: u32,
    // Index of the first stretch in `extras`, with STRETCH vectors per joint. Or NONE.
    stretch: u32,
    // Index in `extras` of the vector with the first four morph weights. Or NONE.
    morph_weights: u32,
    // Common scale of all joints, if the instance has no stretches.
    scale: f32,
}

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> meshes: array<Mesh>;
@group(0) @binding(2) var<storage, read> work: array<Work>;
@group(0) @binding(3) var<storage, read> instances: array<Instance>;
@group(0) @binding(4) var<storage, read> palettes: array<array<vec4<f32>, ROWS>>;
@group(0) @binding(5) var<storage, read> extras: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> vertices: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> tangents: array<vec4<f32>>;

// As small as possible, because it takes memory from the cache through which joints are read.
var<workgroup> moved: array<vec4<f32>, 3 * PAIRS>;
var<workgroup> staged: array<array<vec4<f32>, ROWS>, LOCAL>;

struct Vertex {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec3<f32>,
}

struct Pair {
    a: Vertex,
    b: Vertex,
}

struct Influences {
    joints: vec4<u32>,
    // Indices of the same joints within the workgroup.
    indices: vec4<u32>,
    a: vec4<f32>,
    b: vec4<f32>,
    // Number of further groups of four joints, and the offset of the first. Their vectors are BLOCK apart.
    more_count: u32,
    more: u32,
}

struct More {
    joints: vec4<u32>,
    a: vec4<f32>,
    b: vec4<f32>,
}

fn unpack_joints(low: u32, high: u32) -> vec4<u32> {
    return vec4(low & 0xffffu, low >> 16u, high & 0xffffu, high >> 16u);
}

fn more_joints(influences: Influences, nth: u32) -> More {
    let at = influences.more + nth * 3u * BLOCK;
    let joints = data[at];
    let a = bitcast<vec4<f32>>(data[at + BLOCK]);
    let b = bitcast<vec4<f32>>(data[at + 2u * BLOCK]);
    return More(unpack_joints(joints.x, joints.y), a, b);
}

fn load_pair(mesh: Mesh, pair: u32) -> Pair {
    let v0 = bitcast<vec4<f32>>(data[mesh.records + pair]);
    let v1 = bitcast<vec4<f32>>(data[mesh.records + mesh.pairs + pair]);
    let v2 = bitcast<vec4<f32>>(data[mesh.records + 2u * mesh.pairs + pair]);
    var out = Pair(
        Vertex(v0.xyz, vec3(v0.w, v1.xy), vec3(0.0)),
        Vertex(vec3(v1.zw, v2.x), v2.yzw, vec3(0.0)),
    );
    if WITH_TANGENTS && mesh.tangents != NONE {
        out.a.tangent = bitcast<vec3<f32>>(data[mesh.tangents + 2u * pair].xyz);
        out.b.tangent = bitcast<vec3<f32>>(data[mesh.tangents + 2u * pair + 1u].xyz);
    }
    return out;
}

// Reads the influences of a pair. The first weight is not stored: it is 1 minus the other weights.
fn load_influences(mesh: Mesh, pair: u32) -> Influences {
    let a = data[mesh.records + 3u * mesh.pairs + pair];
    let b = data[mesh.records + 4u * mesh.pairs + pair];
    let others_a = bitcast<vec3<f32>>(a.xyz);
    let others_b = bitcast<vec3<f32>>(b.xyz);
    var out: Influences;
    out.joints = unpack_joints(a.w, b.w);
    if STAGED {
        let indices = data[mesh.locals + pair / 4u][pair % 4u];
        out.indices = (vec4(indices) >> vec4(0u, 8u, 16u, 24u)) & vec4(0xffu);
    }
    var rest_a = 1.0 - others_a.x - others_a.y - others_a.z;
    var rest_b = 1.0 - others_b.x - others_b.y - others_b.z;
    if WITH_MORE {
        let block = data[mesh.blocks + pair / BLOCK];
        out.more_count = (max(block.x, 1u) - 1u) / 4u;
        out.more = mesh.start + block.y + pair % BLOCK;
        for (var i = 0u; i < out.more_count; i++) {
            let more = more_joints(out, i);
            rest_a -= dot(more.a, vec4(1.0));
            rest_b -= dot(more.b, vec4(1.0));
        }
    }
    out.a = vec4(rest_a, others_a);
    out.b = vec4(rest_b, others_b);
    return out;
}

// Heaviest joint of a vertex. It is rarely needed, and storing it would take registers from every thread.
fn heaviest(mesh: Mesh, pair: u32, is_a: bool) -> u32 {
    let influences = load_influences(mesh, pair);
    let weights = select(influences.b, influences.a, is_a);
    var best = heavier(Heaviest(influences.joints.x, weights.x), influences.joints, weights);
    if WITH_MORE {
        for (var i = 0u; i < influences.more_count; i++) {
            let more = more_joints(influences, i);
            best = heavier(best, more.joints, select(more.b, more.a, is_a));
        }
    }
    return best.joint;
}

struct Heaviest {
    joint: u32,
    weight: f32,
}

// The heaviest of the best joint so far and four more joints. Of equal weights, the first joint counts.
fn heavier(best: Heaviest, joints: vec4<u32>, weights: vec4<f32>) -> Heaviest {
    var out = best;
    if weights.x > out.weight {
        out = Heaviest(joints.x, weights.x);
    }
    if weights.y > out.weight {
        out = Heaviest(joints.y, weights.y);
    }
    if weights.z > out.weight {
        out = Heaviest(joints.z, weights.z);
    }
    if weights.w > out.weight {
        out = Heaviest(joints.w, weights.w);
    }
    return out;
}

// Adds the morph deltas of one vertex, times the morph weights of the instance.
fn morph(mesh: Mesh, deltas: vec2<u32>, weights: u32, vertex: Vertex) -> Vertex {
    var out = vertex;
    for (var i = 0u; i < deltas.y; i++) {
        let at = mesh.start + deltas.x + i * mesh.morph_stride;
        let position = data[at];
        let weight_index = position.w;
        let weight = extras[weights + weight_index / 4u][weight_index % 4u];
        if weight != 0.0 {
            out.position += weight * bitcast<vec3<f32>>(position.xyz);
            out.normal += weight * bitcast<vec3<f32>>(data[at + 1u].xyz);
            if WITH_TANGENTS && mesh.morph_stride > 2u {
                out.tangent += weight * bitcast<vec3<f32>>(data[at + 2u].xyz);
            }
        }
    }
    return out;
}

struct Four {
    first: Map,
    second: Map,
    third: Map,
    fourth: Map,
}

fn first_four(influences: Influences, palette: u32) -> Four {
    if STAGED {
        let indices = influences.indices;
        return Four(
            map_of(staged[indices.x]),
            map_of(staged[indices.y]),
            map_of(staged[indices.z]),
            map_of(staged[indices.w]),
        );
    }
    let joints = influences.joints;
    return Four(
        map_of(palettes[palette + joints.x]),
        map_of(palettes[palette + joints.y]),
        map_of(palettes[palette + joints.z]),
        map_of(palettes[palette + joints.w]),
    );
}

struct Maps {
    a: Map,
    b: Map,
}

// Unused joints have weight 0. Adding them is cheaper than a test.
fn blend(influences: Influences, palette: u32) -> Maps {
    let four = first_four(influences, palette);
    var a = times(four.first, influences.a.x);
    var b = times(four.first, influences.b.x);
    a = plus_times(a, four.second, influences.a.y);
    b = plus_times(b, four.second, influences.b.y);
    a = plus_times(a, four.third, influences.a.z);
    b = plus_times(b, four.third, influences.b.z);
    a = plus_times(a, four.fourth, influences.a.w);
    b = plus_times(b, four.fourth, influences.b.w);
    if WITH_MORE {
        for (var i = 0u; i < influences.more_count; i++) {
            let more = more_joints(influences, i);
            for (var k = 0u; k < 4u; k++) {
                let joint = map_of(palettes[palette + more.joints[k]]);
                a = plus_times(a, joint, more.a[k]);
                b = plus_times(b, joint, more.b[k]);
            }
        }
    }
    return Maps(a, b);
}

const STRETCH: u32 = 5u;

// Weighted sum of stretches. For a joint with the symmetric matrix S, the bind position c and the rotation q: x, y and
// z are the rows of x ↦ S (x − c), `centre` is c and the cube root of the determinant, and `lever` is q c / 2.
struct Stretch {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
    centre: vec4<f32>,
    lever: vec4<f32>,
}

fn add_stretch(sum: Stretch, first: u32, joint: u32, weight: f32) -> Stretch {
    let at = first + STRETCH * joint;
    return Stretch(
        sum.x + extras[at] * weight,
        sum.y + extras[at + 1u] * weight,
        sum.z + extras[at + 2u] * weight,
        sum.centre + extras[at + 3u] * weight,
        sum.lever + extras[at + 4u] * weight,
    );
}

fn stretch_of(first: u32, joint: u32) -> Stretch {
    var none: Stretch;
    return add_stretch(none, first, joint, 1.0);
}

fn blend_stretches(influences: Influences, is_a: bool, first: u32) -> Stretch {
    let weights = select(influences.b, influences.a, is_a);
    let joints = influences.joints;
    var s: Stretch;
    s = add_stretch(s, first, joints.x, weights.x);
    s = add_stretch(s, first, joints.y, weights.y);
    s = add_stretch(s, first, joints.z, weights.z);
    s = add_stretch(s, first, joints.w, weights.w);
    if WITH_MORE {
        for (var i = 0u; i < influences.more_count; i++) {
            let more = more_joints(influences, i);
            let weights = select(more.b, more.a, is_a);
            for (var k = 0u; k < 4u; k++) {
                s = add_stretch(s, first, more.joints[k], weights[k]);
            }
        }
    }
    return s;
}

// Applies the common scale of all joints before the motion. A negative scale mirrors and flips tangents.
fn scaled(scale: f32, vertex: Vertex) -> Vertex {
    var out = vertex;
    out.position *= scale;
    if WITH_TANGENTS && scale < 0.0 {
        out.tangent = -out.tangent;
    }
    return out;
}

fn move_vertex(map: Map, vertex: Vertex) -> Vertex {
    var out = vertex;
    out.position = move_position(map, vertex.position);
    out.normal = move_normal(map, vertex.normal);
    if WITH_TANGENTS {
        out.tangent = move_tangent(map, vertex.tangent);
    }
    return out;
}

// Applies the blended stretch, then the motion. The common scale of the joints, centre.w, also scales the lever arms.
fn stretch_and_move(s: Stretch, map: Map, vertex: Vertex) -> Vertex {
    var out = vertex;
    out.position = affine_point(s.x, s.y, s.z, vertex.position) + s.centre.w * s.centre.xyz;
    out.normal = area(s.x.xyz, s.y.xyz, s.z.xyz, vertex.normal);
    if WITH_TANGENTS {
        let t = vertex.tangent;
        out.tangent = vec3(dot(s.x.xyz, t), dot(s.y.xyz, t), dot(s.z.xyz, t));
    }
    out = move_vertex(with_lever(map, s.lever * s.centre.w), out);
    out.normal = unit_or(out.normal, vertex.normal);
    if WITH_TANGENTS {
        out.tangent = unit_or(out.tangent, vertex.tangent);
    }
    return out;
}

fn store(first: u32, vector: u32, vectors: u32) {
    if vector < vectors {
        vertices[first + vector] = moved[vector];
    }
}

@compute @workgroup_size(PAIRS)
fn skin(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let item = work[group.y * groups.x + group.x];
    let mesh = meshes[item.mesh];
    // Threads after the last pair repeat it.
    let pair = min(item.first_pair + thread, mesh.pairs - 1u);
    let bind = load_pair(mesh, pair);
    let influences = load_influences(mesh, pair);
    let vectors = 3u * (mesh.pairs - item.first_pair);

    // Reads the record of the next instance in advance.
    var ahead = instances[item.first_instance];

    let row = thread % ROWS;
    let local_index = thread / ROWS;
    var list = 0u;
    var local_joints = 0u;
    var joint = 0u;
    var staged_row: vec4<f32>;
    if STAGED {
        list = mesh.locals + mesh.pairs / 4u + item.first_pair / PAIRS * (1u + LOCAL / 4u);
        local_joints = data[list].x;
        if local_index < local_joints {
            joint = data[list + 1u + local_index / 4u][local_index % 4u];
            staged_row = palettes[ahead.palette + joint][row];
        }
    }

    for (var nth = 0u; nth < item.instances; nth++) {
        let instance = ahead;
        ahead = instances[item.first_instance + min(nth + 1u, item.instances - 1u)];
        if STAGED {
            if local_index < local_joints {
                staged[local_index][row] = staged_row;
            }
            for (var k = PAIRS + thread; k < ROWS * local_joints; k += PAIRS) {
                let at = k / ROWS;
                let other = data[list + 1u + at / 4u][at % 4u];
                staged[at][k % ROWS] = palettes[instance.palette + other][k % ROWS];
            }
            workgroupBarrier();
            if local_index < local_joints {
                staged_row = palettes[ahead.palette + joint][row];
            }
        }
        var a = bind.a;
        var b = bind.b;
        if WITH_MORPHS && mesh.morphs != NONE && instance.morph_weights != NONE {
            let deltas = data[mesh.morphs + pair];
            a = morph(mesh, deltas.xy, instance.morph_weights, a);
            b = morph(mesh, deltas.zw, instance.morph_weights, b);
        }
        var maps = blend(influences, instance.palette);
        // If the motions of the joints cancel out, only the heaviest joint moves the vertex.
        var alone_a = NONE;
        var alone_b = NONE;
        if has_vanished(maps.a) {
            alone_a = heaviest(meshes[item.mesh], pair, true);
            maps.a = map_of(palettes[instance.palette + alone_a]);
        }
        if has_vanished(maps.b) {
            alone_b = heaviest(meshes[item.mesh], pair, false);
            maps.b = map_of(palettes[instance.palette + alone_b]);
        }
        if WITH_STRETCHES && instance.stretch != NONE {
            var s = blend_stretches(influences, true, instance.stretch);
            if alone_a != NONE {
                s = stretch_of(instance.stretch, alone_a);
            }
            a = stretch_and_move(s, maps.a, a);
            s = blend_stretches(influences, false, instance.stretch);
            if alone_b != NONE {
                s = stretch_of(instance.stretch, alone_b);
            }
            b = stretch_and_move(s, maps.b, b);
        } else {
            if WITH_STRETCHES {
                a = scaled(instance.scale, a);
                b = scaled(instance.scale, b);
            }
            a = move_vertex(maps.a, a);
            b = move_vertex(maps.b, b);
        }

        moved[3u * thread] = vec4(a.position, a.normal.x);
        moved[3u * thread + 1u] = vec4(a.normal.yz, b.position.xy);
        moved[3u * thread + 2u] = vec4(b.position.z, b.normal);
        workgroupBarrier();
        let first = 3u * (instance.first_pair + item.first_pair);
        store(first, thread, vectors);
        store(first, PAIRS + thread, vectors);
        store(first, 2u * PAIRS + thread, vectors);
        if !STAGED {
            // All reads must end before the next writes. If STAGED, an earlier barrier in the loop ensures it.
            workgroupBarrier();
        }

        if WITH_TANGENTS && mesh.tangents != NONE {
            let at = 2u * (instance.first_pair + pair);
            tangents[at] = vec4(a.tangent, bitcast<f32>(data[mesh.tangents + 2u * pair].w));
            tangents[at + 1u] = vec4(b.tangent, bitcast<f32>(data[mesh.tangents + 2u * pair + 1u].w));
        }
    }
}
