//! Crowds: many characters of one rig and one graph, in one call.

use crate::graph::Graph;
use crate::matrices::Skins;
use crate::values::{self, Events};
use bytemuck::cast_slice;
use sinew::rig::{CrowdPlayer, Part};
use sinew::{Affine, Method, Skin, Transform};
use std::sync::{Mutex, PoisonError};
use wasm_bindgen::prelude::*;

/// Max memory of a crowd, in bytes. Memory of WebAssembly ends at 4 GiB.
const MAX_BYTES: usize = 1 << 30;

/// Crowd whose members play one graph.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Crowd {
    crowd: CrowdPlayer,
    skins: Skins,
}

impl Crowd {
    pub(crate) fn new(
        rig: &sinew::Rig,
        skins: &Skins,
        graph: &Graph,
        members: usize,
    ) -> Result<Self, JsError> {
        let max = MAX_BYTES / member_bytes(rig, &graph.graph);
        if members > max {
            return Err(JsError::new(&format!(
                "a crowd of this rig has at most {max} members, not {members}"
            )));
        }
        Ok(Self {
            crowd: CrowdPlayer::new(&graph.graph, rig, members)?,
            skins: skins.clone(),
        })
    }

    fn player(&mut self, member: usize) -> Result<&mut sinew::graph::GraphPlayer, JsError> {
        self.check(member)?;
        let player = self.crowd.player_mut(member);
        player.ok_or_else(|| JsError::new("the crowd is empty"))
    }

    fn check(&self, member: usize) -> Result<(), JsError> {
        let members = self.crowd.len();
        match member < members {
            true => Ok(()),
            false => Err(JsError::new(&format!(
                "there is no member {member}: the crowd has {members}"
            ))),
        }
    }
}

/// Upper estimate of the memory of a member, in bytes: player, offsets of transitions, maps and palettes.
fn member_bytes(rig: &sinew::Rig, graph: &sinew::graph::Graph) -> usize {
    // Poses and palettes have blocks of 16 joints.
    let joints = rig.skeleton().len() + 16;
    let layer = 512 + 2 * size_of::<Transform>() * joints;
    let layers = (graph.layers().len() + 1) * layer + 16 * graph.parameters().len();
    let palette = |skin: &Skin| match rig.method() {
        Method::DualQuat => 256 * (skin.joints.len() + joints),
        _ => size_of::<Affine>() * skin.joints.len(),
    };
    let palettes: usize = rig.skins().iter().map(palette).sum();
    let part = |part: &Part| 128 + 4 * part.surface().morphs.len();
    let parts: usize = rig.parts().iter().map(part).sum();
    2048 + layers + size_of::<Affine>() * joints + palettes + parts
}

#[wasm_bindgen]
impl Crowd {
    /// Number of members.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.crowd.len()
    }

    /// Sets a parameter of a member, for the next update.
    pub fn set(&mut self, member: usize, parameter: &str, value: f32) -> Result<(), JsError> {
        Ok(self.player(member)?.set(parameter, value)?)
    }

    /// Enters a state at a phase in cycles (default 0), without a transition.
    pub fn jump(&mut self, member: usize, state: &str, phase: Option<f64>) -> Result<(), JsError> {
        Ok(self.player(member)?.jump(state, phase.unwrap_or(0.0))?)
    }

    /// Name of the state of a member.
    pub fn state(&mut self, member: usize) -> Result<String, JsError> {
        Ok(self.player(member)?.state().to_owned())
    }

    /// Updates a member only once every `updates` updates, for example if it is far away.
    #[wasm_bindgen(js_name = setInterval)]
    pub fn set_interval(&mut self, member: usize, updates: u32) -> Result<(), JsError> {
        self.check(member)?;
        self.crowd.set_interval(member, updates);
        Ok(())
    }

    /// Advances and poses all members. Returns the events, each with its member.
    #[wasm_bindgen(unchecked_return_type = "readonly Fired[]")]
    pub fn update(
        &mut self,
        #[wasm_bindgen(js_name = dtSecs)] dt_secs: f64,
    ) -> Result<JsValue, JsError> {
        let found = Mutex::new(Vec::new());
        self.crowd.update(dt_secs, |member, event| {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            let payload = event.payload.cloned();
            found.push((
                member as u32,
                event.name.to_owned(),
                event.time_secs,
                event.weight,
                payload,
            ));
        })?;
        let mut events = Events::default();
        for (member, name, time_secs, weight, payload) in found.into_inner().unwrap_or_default() {
            events.push_fired(&name, time_secs, weight, payload.as_ref(), Some(member));
        }
        Ok(events.into_list())
    }

    /// Root motion of the last update of a member.
    #[wasm_bindgen(js_name = rootStep, unchecked_return_type = "RootStep")]
    pub fn root_step(&mut self, member: usize) -> Result<values::StepObject, JsError> {
        let step = self.player(member)?.root_step();
        let [x, y, z] = step.translation;
        Ok(values::root_step(x, y, z, step.heading_rad))
    }

    /// Maps `model_from_joint` of a member, as `actor.model`.
    #[wasm_bindgen(unchecked_return_type = "Float32Array")]
    pub fn model(&self, member: usize) -> Result<JsValue, JsError> {
        self.check(member)?;
        Ok(values::view(cast_slice(self.crowd.model(member))))
    }

    /// Writes the bone matrices of all members, one after the other, for a skin (default 0), as
    /// `actor.writeBoneMatrices`. `out` may be longer.
    #[wasm_bindgen(js_name = writeBoneMatrices)]
    pub fn write_bone_matrices(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Float32Array")] out: &JsValue,
        skin: Option<u32>,
    ) -> Result<(), JsError> {
        let skin = skin.unwrap_or(0) as usize;
        self.skins.write_crowd(skin, &self.crowd, out)
    }
}
