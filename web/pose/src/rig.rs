//! Rigs: what is made once per character.

use crate::actor::Actor;
use crate::blend::Mask;
use crate::crowd::Crowd;
use crate::graph::Graph;
use crate::matrices::Skins;
use crate::player::Player;
use crate::pose::Pose;
use crate::values;
use wasm_bindgen::prelude::*;

/// Character ready to play, shared by all actors.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Rig {
    rig: sinew::Rig,
    skins: Skins,
}

impl Rig {
    pub(crate) fn new(rig: sinew::Rig) -> Self {
        let skins = Skins::new(rig.skins());
        Self { rig, skins }
    }
}

#[wasm_bindgen]
impl Rig {
    /// Names of the joints, in the order of `actor.model`.
    #[wasm_bindgen(getter)]
    pub fn joints(&self) -> Vec<String> {
        let skeleton = self.rig.skeleton();
        (0..skeleton.len())
            .map(|joint| skeleton.name(joint).to_owned())
            .collect()
    }

    /// Index of a joint.
    pub fn joint(
        &self,
        #[wasm_bindgen(unchecked_param_type = "JointId")] joint: &JsValue,
    ) -> Result<usize, JsError> {
        values::joint(self.rig.skeleton(), joint)
    }

    /// Names of the clips.
    #[wasm_bindgen(getter)]
    pub fn clips(&self) -> Vec<String> {
        self.rig
            .clips()
            .iter()
            .map(|clip| clip.name().to_owned())
            .collect()
    }

    /// Number of skins: those of the file, then those of `addSkin`.
    #[wasm_bindgen(getter, js_name = skinCount)]
    pub fn skin_count(&self) -> usize {
        self.skins.len()
    }

    /// Names of the joints of a skin, in the order of its bone matrices.
    #[wasm_bindgen(js_name = skinJoints)]
    pub fn skin_joints(&self, skin: usize) -> Result<Vec<String>, JsError> {
        let skin = self.skins.get(skin)?;
        let names = skin
            .joints
            .iter()
            .map(|&joint| self.rig.skeleton().name(joint).to_owned());
        Ok(names.collect())
    }

    /// Bone inverses of a skin, as `addSkin` takes them.
    #[wasm_bindgen(js_name = skinInverses)]
    pub fn skin_inverses(&self, skin: usize) -> Result<Vec<f32>, JsError> {
        self.skins.inverses(skin)
    }

    /// Adds a skin, for bone matrices in another order or for other meshes. `joints`: names in the order
    /// of the bones. `boneInverses`: 16 numbers per bone, by columns, as in three.js. Returns its index.
    #[wasm_bindgen(js_name = addSkin)]
    pub fn add_skin(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string[]")] joints: Vec<JsValue>,
        #[wasm_bindgen(js_name = boneInverses, unchecked_param_type = "ArrayLike<number>")]
        bone_inverses: &JsValue,
    ) -> Result<usize, JsError> {
        self.skins.add(self.rig.skeleton(), &joints, bone_inverses)
    }

    /// Number of vertices of `actor.skin`.
    #[wasm_bindgen(getter)]
    pub fn vertices(&self) -> usize {
        self.rig.vertices()
    }

    /// Actor at rest.
    pub fn actor(&self) -> Actor {
        Actor::new(&self.rig, &self.skins)
    }

    /// Looping player at the start of a clip, by name or by index.
    pub fn player(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string | number")] clip: &JsValue,
    ) -> Result<Player, JsError> {
        Player::new(&self.rig, clip)
    }

    /// Pose of its own, at rest, for blends.
    pub fn pose(&self) -> Pose {
        Pose::new(&self.rig)
    }

    /// Mask of a joint and all joints below it.
    #[wasm_bindgen(js_name = maskBelow)]
    pub fn mask_below(
        &self,
        #[wasm_bindgen(unchecked_param_type = "JointId")] joint: &JsValue,
    ) -> Result<Mask, JsError> {
        Mask::below(self.rig.skeleton(), joint)
    }

    /// State machine over the clips of this rig, from JSON. `root`: joint whose motion over the ground
    /// goes to `rootStep` instead of the poses.
    pub fn graph(&self, json: &str, root: Option<String>) -> Result<Graph, JsError> {
        Graph::new(&self.rig, json, root.as_deref())
    }

    /// Crowd of members that play one graph of this rig.
    pub fn crowd(&self, graph: &Graph, members: usize) -> Result<Crowd, JsError> {
        Crowd::new(&self.rig, &self.skins, graph, members)
    }
}
