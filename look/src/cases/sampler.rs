//! Texture filters and wrap modes.

use crate::case::Case;
use crate::glb::Glb;
use crate::shape::pane;
use crate::texture::{chart, png};
use anyhow::Result;
use serde_json::{Value, json};

const CLAMP: u32 = 33071;
const MIRROR: u32 = 33648;
const REPEAT: u32 = 10497;
const NEAREST: u32 = 9728;
const LINEAR: u32 = 9729;
const LINEAR_MIPS: u32 = 9987;

pub fn cases() -> Result<Vec<Case>> {
    let edges = |name, s, t| {
        case(
            name,
            &chart()?,
            3.0,
            json!({ "wrapS": s, "wrapT": t, "magFilter": LINEAR, "minFilter": LINEAR_MIPS }),
        )
    };
    let small = png(8, |u, v| [u, v, (u * 40.0).sin().abs(), 1.0])?;
    Ok(vec![
        case(
            "nearest",
            &small,
            1.0,
            json!({ "magFilter": NEAREST, "minFilter": NEAREST }),
        )?,
        case(
            "linear",
            &small,
            1.0,
            json!({ "magFilter": LINEAR, "minFilter": LINEAR }),
        )?,
        edges("clamp", CLAMP, CLAMP)?,
        edges("mirror_repeat", MIRROR, REPEAT)?,
    ])
}

fn case(name: &str, png: &[u8], scale: f32, sampler: Value) -> Result<Case> {
    let mut glb = Glb::default();
    let texture = glb.sampled_texture(png, sampler);
    let material = glb.material(json!({
        "pbrMetallicRoughness": { "baseColorTexture": { "index": texture }, "metallicFactor": 0.0, "roughnessFactor": 0.7 },
    }));
    glb.add(&pane(0.5).with_uv_scale([scale; 2]), material, [0.0; 3]);
    Ok(Case::new(name, &glb, 0.5))
}
