// How a surface looks. Twin of material::MaterialUniform.

struct Material {
    base_color: vec4f,
    emissive: vec3f,
    metallic: f32,
    // Rows of the affine maps from a vertex's texture coordinates to those of its textures.
    base_row_u: vec4f,
    base_row_v: vec4f,
    normal_row_u: vec4f,
    normal_row_v: vec4f,
    roughness: f32,
    // Phong's exponent, and how bright that makes a highlight.
    shininess: f32,
    highlight: f32,
    // Light that shines through a leaf, as a part of what would fall on its other side.
    through: f32,
    normal_scale: f32,
    alpha_cutoff: f32,
    unused: vec2f,
}

@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var base_texture: texture_2d<f32>;
@group(1) @binding(2) var base_sampler: sampler;
@group(1) @binding(3) var normal_texture: texture_2d<f32>;
@group(1) @binding(4) var normal_sampler: sampler;

override textured: bool = false;
override normal_mapped: bool = false;
override masked: bool = false;
override flat_shaded: bool = false;
override two_sided: bool = false;
override unlit: bool = false;
// Smooth enough to mirror the sky.
override glossy: bool = false;

fn base_color(vertex_uv: vec2f, vertex_color: vec4f) -> vec4f {
    // At an edge it may be that of a place beside the triangle, and no colour at all.
    var color = material.base_color * max(vertex_color, vec4f(0.0));
    if textured {
        let at = vec3f(vertex_uv, 1.0);
        let uv = vec2f(dot(material.base_row_u.xyz, at), dot(material.base_row_v.xyz, at));
        color *= textureSample(base_texture, base_sampler, uv);
    }
    return color;
}

// The normal of a surface, bent by its normal map. The tangents are those along which texture
// coordinates grow on the screen, so that no mesh needs tangents of its own (Schüler, "Normal mapping
// without precomputed tangents", ShaderX5); on a mesh that has some, the map is laid a little otherwise
// than its maker did.
fn surface_normal(vertex_normal: vec3f, place: vec3f, vertex_uv: vec2f, to_eye: vec3f) -> vec3f {
    var normal = vertex_normal;
    if flat_shaded {
        normal = cross(dpdx(place), dpdy(place));
        normal *= sign(dot(normal, to_eye));
    }
    normal = normalize(normal);
    if two_sided && dot(normal, to_eye) < 0.0 {
        normal = -normal;
    }
    if normal_mapped {
        let at = vec3f(vertex_uv, 1.0);
        let uv = vec2f(dot(material.normal_row_u.xyz, at), dot(material.normal_row_v.xyz, at));
        let place_x = dpdx(place);
        let place_y = dpdy(place);
        let uv_x = dpdx(uv);
        let uv_y = dpdy(uv);
        // Rows of a picture run downward and a mirror turns everything round: which way, the normal tells.
        let turned = sign(dot(cross(place_x, place_y), normal));
        let across_y = cross(place_y, normal) * turned;
        let across_x = cross(normal, place_x) * turned;
        let along_u = across_y * uv_x.x + across_x * uv_y.x;
        let along_v = across_y * uv_x.y + across_x * uv_y.y;
        let longest = max(dot(along_u, along_u), dot(along_v, along_v));
        let bent = textureSample(normal_texture, normal_sampler, uv).xyz * 2.0 - 1.0;
        if longest > 0.0 {
            // v grows downward in a texture and its green upward.
            let slope = bent.xy * vec2f(1.0, -1.0) * material.normal_scale * inverseSqrt(longest);
            normal = normalize(along_u * slope.x + along_v * slope.y + normal * bent.z);
        }
    }
    return normal;
}
