// Skinned or static vertex of one instance. In Rust: vertex::{SkinnedVertex, SurfaceVertex} and instance::Instance.

struct VertexIn {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(3) uvs: vec4f,
    @location(4) color: vec4f,
    @location(6) world_row_x: vec4f,
    @location(7) world_row_y: vec4f,
    @location(8) world_row_z: vec4f,
    @location(9) instance_color: vec4f,
}

// True if the mesh has tangents.
override has_tangents: bool = false;

struct VertexOut {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uvs: vec4f,
    @location(3) color: vec4f,
    @location(4) tangent: vec4f,
}

fn transformed(in: VertexIn) -> VertexOut {
    let rows = mat3x3f(in.world_row_x.xyz, in.world_row_y.xyz, in.world_row_z.xyz);
    let at = vec3f(in.world_row_x.w, in.world_row_y.w, in.world_row_z.w);
    var out: VertexOut;
    // The matrix has the rows of the map as columns, so a vector is multiplied from the left.
    out.position = in.position * rows + at;
    // Normals use the cofactor matrix, which is the inverse transpose without its scale.
    let sign = sign(dot(rows[0], cross(rows[1], rows[2])));
    let cofactors = mat3x3f(cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1]));
    out.normal = (in.normal * cofactors) * sign;
    out.uvs = in.uvs;
    out.tangent = vec4f(0.0);
    out.color = in.color * in.instance_color;
    out.clip = frame.clip_from_world * vec4f(out.position, 1.0);
    return out;
}

@vertex
fn surface_vertex(in: VertexIn) -> VertexOut {
    return transformed(in);
}

@vertex
fn tangent_vertex(in: VertexIn, @location(2) tangent: vec4f) -> VertexOut {
    var out = transformed(in);
    let rows = mat3x3f(in.world_row_x.xyz, in.world_row_y.xyz, in.world_row_z.xyz);
    out.tangent = vec4f(tangent.xyz * rows, tangent.w);
    return out;
}
