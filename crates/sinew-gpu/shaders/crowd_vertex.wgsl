// Vertex of one member of a crowd, read from the buffer of all skinned members. In Rust: draw::crowd::PulledUniform.

struct MemberIn {
    @builtin(vertex_index) vertex: u32,
    @location(0) member: u32,
    @location(3) uvs: vec4f,
    @location(4) color: vec4f,
    @location(6) world_row_x: vec4f,
    @location(7) world_row_y: vec4f,
    @location(8) world_row_z: vec4f,
    @location(9) instance_color: vec4f,
}

struct Pulled {
    // Index of the first vertex of the first member, and number of vertices per member.
    first: u32,
    stride: u32,
}

// Positions and normals, three numbers each.
@group(2) @binding(0) var<storage, read> skinned: array<f32>;
@group(2) @binding(1) var<storage, read> skinned_tangents: array<vec4f>;
@group(2) @binding(2) var<uniform> pulled: Pulled;

fn three(at: u32) -> vec3f {
    return vec3f(skinned[at], skinned[at + 1u], skinned[at + 2u]);
}

@vertex
fn crowd_vertex(in: MemberIn) -> VertexOut {
    let vertex = pulled.first + in.member * pulled.stride + in.vertex;
    var out = transformed(VertexIn(
        three(6u * vertex),
        three(6u * vertex + 3u),
        in.uvs,
        in.color,
        in.world_row_x,
        in.world_row_y,
        in.world_row_z,
        in.instance_color,
    ));
    if has_tangents {
        let tangent = skinned_tangents[vertex];
        let rows = mat3x3f(in.world_row_x.xyz, in.world_row_y.xyz, in.world_row_z.xyz);
        out.tangent = vec4f(tangent.xyz * rows, tangent.w);
    }
    return out;
}
