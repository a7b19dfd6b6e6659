//! Actors: poses, and what three.js takes from them.

use crate::blend::Waiting;
use crate::matrices::Skins;
use crate::player::Player;
use crate::pose::{JOINT, from_numbers, to_numbers};
use crate::solve::Chains;
use crate::values;
use bytemuck::cast_slice;
use sinew::skin::{Layout, Order};
use wasm_bindgen::prelude::*;

/// Numbers of a vertex: position and normal.
const VERTEX: usize = 6;

/// Playing instance of a rig.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Actor {
    pub(crate) actor: sinew::Actor,
    pub(crate) layers: Vec<Waiting>,
    pub(crate) chains: Chains,
    skins: Skins,
    local: Vec<f32>,
    vertices: Vec<f32>,
}

impl Actor {
    pub(crate) fn new(rig: &sinew::Rig, skins: &Skins) -> Self {
        Self {
            actor: rig.actor(),
            layers: Vec::new(),
            chains: Chains::default(),
            skins: skins.clone(),
            local: vec![0.0; JOINT * rig.skeleton().len()],
            vertices: Vec::new(),
        }
    }

    pub(crate) fn joint_index(&self, joint: &JsValue) -> Result<usize, JsError> {
        values::joint(self.actor.rig().skeleton(), joint)
    }
}

#[wasm_bindgen]
impl Actor {
    /// Names of the joints, in the order of `model`.
    #[wasm_bindgen(getter)]
    pub fn joints(&self) -> Vec<String> {
        let skeleton = self.actor.rig().skeleton();
        (0..skeleton.len())
            .map(|joint| skeleton.name(joint).to_owned())
            .collect()
    }

    /// Index of a joint.
    pub fn joint(
        &self,
        #[wasm_bindgen(unchecked_param_type = "JointId")] joint: &JsValue,
    ) -> Result<usize, JsError> {
        self.joint_index(joint)
    }

    /// Samples the clip of a player at its time.
    pub fn sample(&mut self, player: &Player) -> Result<(), JsError> {
        Ok(self.actor.sample(&player.player)?)
    }

    /// Goes to the rest pose.
    pub fn rest(&mut self) {
        let rig = self.actor.rig().clone();
        self.actor.pose_mut().copy_from(rig.skeleton().rest());
    }

    /// Ten numbers of a joint: translation, rotation x, y, z, w and scale, relative to its parent.
    pub fn get(
        &self,
        #[wasm_bindgen(unchecked_param_type = "JointId")] joint: &JsValue,
    ) -> Result<Vec<f32>, JsError> {
        let joint = self.joint_index(joint)?;
        Ok(to_numbers(&self.actor.pose().get(joint)).to_vec())
    }

    /// Sets ten numbers of a joint, as of `get`.
    pub fn set(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "JointId")] joint: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "ArrayLike<number>")] numbers: &JsValue,
    ) -> Result<(), JsError> {
        let joint = self.joint_index(joint)?;
        let transform = from_numbers(values::numbers("the transform", numbers)?).checked()?;
        self.actor.pose_mut().set(joint, transform);
        Ok(())
    }

    /// Maps `model_from_joint`: 12 numbers per joint, three rows of four. View of the memory of the
    /// program, valid until the next call. Read it again for every use.
    #[wasm_bindgen(getter, unchecked_return_type = "Float32Array")]
    pub fn model(&mut self) -> Result<JsValue, JsError> {
        Ok(values::view(cast_slice(
            self.actor.model_pose()?.as_slice(),
        )))
    }

    /// Local pose: ten numbers per joint, as of `get`. View like `model`.
    #[wasm_bindgen(getter, unchecked_return_type = "Float32Array")]
    pub fn local(&mut self) -> JsValue {
        let joints = self.local.chunks_exact_mut(JOINT);
        for (out, transform) in joints.zip(self.actor.pose().iter()) {
            out.copy_from_slice(&to_numbers(&transform));
        }
        values::view(&self.local)
    }

    /// Writes the bone matrices of a skin (default 0), as in `THREE.Skeleton.boneMatrices`: 16 numbers per
    /// bone, by columns, from index `first` (default 0).
    #[wasm_bindgen(js_name = writeBoneMatrices)]
    pub fn write_bone_matrices(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Float32Array")] out: &JsValue,
        skin: Option<u32>,
        first: Option<u32>,
    ) -> Result<(), JsError> {
        let model = self.actor.model_pose()?.as_slice();
        self.skins
            .write(skin.unwrap_or(0) as usize, model, out, first)
    }

    /// Writes the skinned vertices, in the order of the meshes: position and normal, six numbers each.
    /// `out` needs six times `rig.vertices` numbers.
    pub fn skin(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Float32Array")] out: &JsValue,
    ) -> Result<(), JsError> {
        let layout = Layout {
            stride: VERTEX,
            position: 0,
            normal: Some(3),
            tangent: None,
            order: Order::Mesh,
        };
        self.vertices
            .resize(VERTEX * self.actor.rig().vertices(), 0.0);
        self.actor.skin_into(&mut self.vertices[..], &layout)?;
        values::write(out, None, &self.vertices)
    }

    /// Morph weights of a part in this pose.
    #[wasm_bindgen(js_name = morphWeights)]
    pub fn morph_weights(&mut self, part: usize) -> Vec<f32> {
        self.actor.morph_weights(part).to_vec()
    }
}
