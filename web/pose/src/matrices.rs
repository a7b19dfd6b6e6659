//! Bone matrices as three.js holds them: 16 numbers per bone, by columns.

use crate::values;
use glam::Mat4;
use sinew::rig::CrowdPlayer;
use sinew::skin::{Palette, PaletteRef, Skin};
use sinew::{Affine, Skeleton};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Numbers per bone.
pub const MATRIX: usize = 16;

/// Number of matrices of a crowd that are copied at once. They fit the cache.
const PIECE: usize = 4096;

/// Skins of a rig, which its actors share.
#[derive(Clone, Debug)]
pub struct Skins {
    skins: Rc<RefCell<Vec<Rc<Skin>>>>,
    /// Working memory. One for all actors, so that it stays in the cache.
    scratch: Rc<RefCell<Scratch>>,
}

#[derive(Debug, Default)]
struct Scratch {
    palette: Palette,
    columns: Vec<[f32; MATRIX]>,
}

impl Skins {
    pub fn new(skins: &[Skin]) -> Self {
        let skins = skins.iter().cloned().map(Rc::new).collect();
        Self {
            skins: Rc::new(RefCell::new(skins)),
            scratch: Rc::default(),
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

    /// Bone inverses of a skin, by columns.
    pub fn inverses(&self, skin: usize) -> Result<Vec<f32>, JsError> {
        let skin = self.get(skin)?;
        let mut columns = vec![[0.0; MATRIX]; skin.joint_from_model.len()];
        write_columns(&skin.joint_from_model, &mut columns);
        Ok(columns.into_flattened())
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

    /// Writes the bone matrices of a model pose to a `Float32Array`.
    pub fn write(
        &self,
        skin: usize,
        model: &[Affine],
        out: &JsValue,
        first: Option<u32>,
    ) -> Result<(), JsError> {
        let skin = self.get(skin)?;
        let Scratch { palette, columns } = &mut *self.scratch.borrow_mut();
        palette.update(&skin, model)?;
        let maps = palette.as_slice();
        columns.resize(maps.len(), [0.0; MATRIX]);
        write_columns(maps, columns);
        values::write(out, first, columns.as_flattened())
    }

    /// Writes the bone matrices of all members of a crowd to a `Float32Array`.
    pub fn write_crowd(
        &self,
        skin: usize,
        crowd: &CrowdPlayer,
        out: &JsValue,
    ) -> Result<(), JsError> {
        let own = self.get(skin)?;
        let bones = own.joints.len();
        values::check_room(out, (MATRIX * bones) as f64 * crowd.len() as f64)?;
        let parts = crowd.rig().parts();
        let part = parts.iter().position(|part| part.skin() == Some(skin));
        let Scratch { palette, columns } = &mut *self.scratch.borrow_mut();
        let piece = (PIECE / bones.max(1)).max(1);
        for first in (0..crowd.len()).step_by(piece) {
            let members = first..crowd.len().min(first + piece);
            columns.resize(bones * members.len(), [0.0; MATRIX]);
            for (member, columns) in members.zip(columns.chunks_exact_mut(bones.max(1))) {
                // The crowd has computed the palettes of its parts.
                match part.and_then(|part| crowd.palette(member, part)) {
                    Some(PaletteRef::Linear(maps)) => write_columns(maps, columns),
                    _ => {
                        palette.update(&own, crowd.model(member))?;
                        write_columns(palette.as_slice(), columns);
                    }
                }
            }
            let first = (MATRIX * bones * first) as u32;
            values::write(out, Some(first), columns.as_flattened())?;
        }
        Ok(())
    }
}

fn write_columns(maps: &[Affine], columns: &mut [[f32; MATRIX]]) {
    for (map, out) in maps.iter().zip(columns) {
        let [x, y, z] = &map.rows;
        *out = [
            x[0], y[0], z[0], 0.0, x[1], y[1], z[1], 0.0, x[2], y[2], z[2], 0.0, x[3], y[3], z[3],
            1.0,
        ];
    }
}
