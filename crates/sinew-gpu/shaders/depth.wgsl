// Depth of a surface seen from the sun. The more transparent a blended surface is, the more texels are left out
// (pattern of Jimenez 2014, as in shadow_test.wgsl).

@fragment
fn holes(in: VertexOut) {
    let base = base_color(in.uvs, in.color);
    if masked && base.a < material.alpha_cutoff {
        discard;
    }
    let grain = fract(52.9829189 * fract(dot(in.clip.xy, vec2f(0.06711056, 0.00583715))));
    if blended && base.a <= grain {
        discard;
    }
}
