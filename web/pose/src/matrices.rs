//! Bone matrices as three.js holds them: 16 numbers per bone, by columns.

use crate::values;
use glam::Mat4;
use sinew::skin::{Palette, Skin};
use sinew::{Affine, Skeleton};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Numbers per bone.
pub const MATRIX: usize = 16;

/// Skins of a rig, which its actors share.
#[derive(Clone, Debug)]
pub struct Skins {
    skins: Rc<RefCell<Vec<Rc<Skin>>>>,
}

impl Skins {
    pub fn new(skins: &[Skin]) -> Self {
        let skins = skins.iter().cloned().map(Rc::new).collect();
        Self {
            skins: Rc::new(RefCell::new(skins)),
        }
    }

    pub fn len(&self) -> usize {
        self.skins.borrow().len()
    }

    pub fn get(&self, skin: usize) -> Result<Rc<Skin>, JsError> {
        let skins = self.skins.borrow();
        skins.get(skin).cloned().ok_or_else(|| {
            let remedy = match skins.len() {
                0 => "; add one with rig.addSkin",
                _ => "",
            };
            JsError::new(&format!(
                "there is no skin {skin}: the rig has {}{remedy}",
                skins.len()
            ))
        })
    }

    pub fn add(
        &self,
        skeleton: &Skeleton,
        joints: &[JsValue],
        inverses: &JsValue,
    ) -> Result<usize, JsError> {
        let mut numbers = vec![0.0; MATRIX * joints.len()];
        values::fill("boneInverses", inverses, &mut numbers)?;
        let joints = joints.iter().map(|joint| values::joint(skeleton, joint));
        let joints: Result<Vec<usize>, JsError> = joints.collect();
        let inverses = numbers.chunks_exact(MATRIX).map(|columns| {
            let [x, y, z, _] = Mat4::from_cols_slice(columns)
                .transpose()
                .to_cols_array_2d();
            Affine::from_rows([x, y, z])
        });
        let skin = Skin {
            name: String::new(),
            joints: joints?,
            joint_from_model: inverses.collect(),
        };
        self.skins.borrow_mut().push(Rc::new(skin));
        Ok(self.len() - 1)
    }
}

/// Bone matrices of one or many characters, with working memory.
#[derive(Clone, Debug, Default)]
pub struct BoneMatrices {
    palette: Palette,
    pub columns: Vec<f32>,
}

impl BoneMatrices {
    /// Makes room for the bones of `members` characters.
    pub fn resize(&mut self, bones: usize, members: usize) {
        self.columns.resize(MATRIX * bones * members, 0.0);
    }

    /// Fills the matrices of a member for a pose.
    pub fn fill(&mut self, member: usize, skin: &Skin, model: &[Affine]) -> Result<(), JsError> {
        self.palette.update(skin, model)?;
        let maps = self.palette.as_slice();
        let columns = self.columns.chunks_exact_mut(MATRIX);
        for (out, map) in columns.skip(member * maps.len()).zip(maps) {
            let [x, y, z] = map.rows;
            for k in 0..4 {
                out[4 * k..4 * k + 4].copy_from_slice(&[
                    x[k],
                    y[k],
                    z[k],
                    f32::from(u8::from(k == 3)),
                ]);
            }
        }
        Ok(())
    }
}
