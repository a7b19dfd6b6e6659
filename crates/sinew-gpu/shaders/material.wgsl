// Material parameters. In Rust: material::MaterialUniform.

// Rows of the affine map from the texture coordinates of a vertex to those of a texture. u.w is the index of the set.
struct UvMap {
    u: vec4f,
    v: vec4f,
}

struct Material {
    base_color: vec4f,
    emissive: vec3f,
    metallic: f32,
    sheen_color: vec3f,
    sheen_roughness: f32,
    // Reflectance of dielectrics: colour at normal incidence, and strength at grazing angles.
    specular_color: vec3f,
    specular: f32,
    roughness: f32,
    normal_scale: f32,
    occlusion: f32,
    alpha_cutoff: f32,
    clearcoat: f32,
    clearcoat_roughness: f32,
    clearcoat_normal_scale: f32,
    transmission: f32,
    // Phong exponent, and brightness of the highlight.
    shininess: f32,
    highlight: f32,
    // Fraction of the light on the back that shines through, as through a leaf.
    through: f32,
    ior: f32,
    // Absorption per world unit, per colour.
    attenuation: vec3f,
    thickness: f32,
    // Direction of anisotropy. Its length is the strength.
    brushed: vec2f,
    dispersion: f32,
    // 1 to show normals as colours.
    shows_normals: f32,
    uv_maps: array<UvMap, 12>,
}

@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var base_texture: texture_2d<f32>;
@group(1) @binding(2) var base_sampler: sampler;
@group(1) @binding(3) var metallic_roughness_texture: texture_2d<f32>;
@group(1) @binding(4) var metallic_roughness_sampler: sampler;
@group(1) @binding(5) var normal_texture: texture_2d<f32>;
@group(1) @binding(6) var normal_sampler: sampler;
@group(1) @binding(7) var occlusion_texture: texture_2d<f32>;
@group(1) @binding(8) var occlusion_sampler: sampler;
@group(1) @binding(9) var emissive_texture: texture_2d<f32>;
@group(1) @binding(10) var emissive_sampler: sampler;
@group(1) @binding(11) var specular_texture: texture_2d<f32>;
@group(1) @binding(12) var specular_sampler: sampler;
@group(1) @binding(13) var specular_color_texture: texture_2d<f32>;
@group(1) @binding(14) var specular_color_sampler: sampler;
@group(1) @binding(15) var clearcoat_texture: texture_2d<f32>;
@group(1) @binding(16) var clearcoat_sampler: sampler;
@group(1) @binding(17) var clearcoat_roughness_texture: texture_2d<f32>;
@group(1) @binding(18) var clearcoat_roughness_sampler: sampler;
@group(1) @binding(19) var clearcoat_normal_texture: texture_2d<f32>;
@group(1) @binding(20) var clearcoat_normal_sampler: sampler;
@group(1) @binding(21) var sheen_color_texture: texture_2d<f32>;
@group(1) @binding(22) var sheen_color_sampler: sampler;
@group(1) @binding(23) var sheen_roughness_texture: texture_2d<f32>;
@group(1) @binding(24) var sheen_roughness_sampler: sampler;

// One bit per texture, set if the material has it. A constant, because software renderers also run skipped branches.
override textures: u32 = 0u;
override masked: bool = false;
override flat_shaded: bool = false;
override two_sided: bool = false;
override inverted: bool = false;
override unlit: bool = false;
override glossy: bool = false;
// True with a clearcoat. The next constant is true with sheen.
override coated: bool = false;
override is_cloth: bool = false;
override is_glass: bool = false;
override is_brushed: bool = false;
// True to blend by opacity. Otherwise opacity is ignored.
override blended: bool = false;

const BASE: u32 = 0u;
const METALLIC_ROUGHNESS: u32 = 1u;
const NORMAL: u32 = 2u;
const OCCLUSION: u32 = 3u;
const EMISSIVE: u32 = 4u;
const SPECULAR: u32 = 5u;
const SPECULAR_COLOR: u32 = 6u;
const CLEARCOAT: u32 = 7u;
const CLEARCOAT_ROUGHNESS: u32 = 8u;
const CLEARCOAT_NORMAL: u32 = 9u;
const SHEEN_COLOR: u32 = 10u;
const SHEEN_ROUGHNESS: u32 = 11u;

fn has(texture: u32) -> bool {
    return (textures & (1u << texture)) != 0u;
}

fn uv_of(texture: u32, uvs: vec4f) -> vec2f {
    let map = material.uv_maps[texture];
    let at = vec3f(select(uvs.xy, uvs.zw, map.u.w > 0.5), 1.0);
    return vec2f(dot(map.u.xyz, at), dot(map.v.xyz, at));
}

fn base_color(uvs: vec4f, vertex_color: vec4f) -> vec4f {
    // Extrapolation at an edge can give negative colours.
    var color = material.base_color * max(vertex_color, vec4f(0.0));
    if has(BASE) {
        color *= textureSample(base_texture, base_sampler, uv_of(BASE, uvs));
    }
    return color;
}
