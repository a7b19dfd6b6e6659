// Edges of triangles, a little nearer than the triangles themselves.

@fragment
fn wire(in: VertexOut) -> @location(0) vec4f {
    return vec4f(0.02, 0.03, 0.05, 0.6);
}
