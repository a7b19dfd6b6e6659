//! Poses of their own, as inputs of blends.

use crate::player::Player;
use crate::values;
use glam::{Quat, Vec3};
use sinew::{ActorError, LocalPose, Transform};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Numbers of a joint: translation, rotation x, y, z, w and scale.
pub const JOINT: usize = 10;

/// Local pose of a rig.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Pose {
    rig: sinew::Rig,
    /// Shared with the layers of a blend that was not run.
    pub(crate) local: Rc<LocalPose>,
}

impl Pose {
    pub(crate) fn new(rig: &sinew::Rig) -> Self {
        Self {
            rig: rig.clone(),
            local: Rc::new(rig.skeleton().rest().clone()),
        }
    }
}

#[wasm_bindgen]
impl Pose {
    /// Samples the clip of a player at its time.
    pub fn sample(&mut self, player: &Player) -> Result<(), JsError> {
        let (found, expected) = (player.rig.skeleton().len(), self.rig.skeleton().len());
        if !self.rig.is_same(&player.rig) {
            return Err(ActorError::OtherRig { found, expected }.into());
        }
        let (clip, time_secs) = (player.player.clip(), player.player.clip_time_secs());
        clip.sample_into(
            self.rig.skeleton(),
            time_secs,
            Rc::make_mut(&mut self.local),
        )?;
        Ok(())
    }

    /// Ten numbers of a joint: translation, rotation x, y, z, w and scale, relative to its parent.
    pub fn get(
        &self,
        #[wasm_bindgen(unchecked_param_type = "JointId")] joint: &JsValue,
    ) -> Result<Vec<f32>, JsError> {
        let joint = values::joint(self.rig.skeleton(), joint)?;
        Ok(to_numbers(&self.local.get(joint)).to_vec())
    }

    /// Sets ten numbers of a joint, as of `get`.
    pub fn set(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "JointId")] joint: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "ArrayLike<number>")] numbers: &JsValue,
    ) -> Result<(), JsError> {
        let joint = values::joint(self.rig.skeleton(), joint)?;
        let transform = from_numbers(values::numbers("the transform", numbers)?).checked()?;
        Rc::make_mut(&mut self.local).set(joint, transform);
        Ok(())
    }
}

pub fn to_numbers(transform: &Transform) -> [f32; JOINT] {
    let [tx, ty, tz] = transform.translation.to_array();
    let [rx, ry, rz, rw] = transform.rotation.to_array();
    let [sx, sy, sz] = transform.scale.to_array();
    [tx, ty, tz, rx, ry, rz, rw, sx, sy, sz]
}

pub fn from_numbers([tx, ty, tz, rx, ry, rz, rw, sx, sy, sz]: [f32; JOINT]) -> Transform {
    Transform {
        translation: Vec3::new(tx, ty, tz),
        rotation: Quat::from_xyzw(rx, ry, rz, rw),
        scale: Vec3::new(sx, sy, sz),
    }
}
