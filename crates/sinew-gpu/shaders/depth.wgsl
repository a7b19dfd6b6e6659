// A surface seen from the sun: nothing but its depth, and its holes where it has any.

@fragment
fn holes(in: VertexOut) {
    let base = base_color(in.uvs, in.color);
    if masked && base.a < material.alpha_cutoff {
        discard;
    }
}
