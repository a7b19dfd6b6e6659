// Edges of triangles, drawn slightly nearer to the eye than the triangles.

@vertex
fn wire_vertex(in: VertexIn) -> VertexOut {
    var out = transformed(in);
    out.clip.z *= 0.9997;
    return out;
}

@fragment
fn wire(in: VertexOut) -> @location(0) vec4f {
    return vec4f(0.02, 0.03, 0.05, 0.55);
}
