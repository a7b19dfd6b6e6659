//! Blends of poses into an actor.

use crate::actor::Actor;
use crate::pose::Pose;
use crate::values;
use sinew::blend::{BlendJob, Layer};
use sinew::{LocalPose, Skeleton};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Weight per joint, which restricts a layer of a blend.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Mask {
    mask: Rc<sinew::blend::Mask>,
}

impl Mask {
    pub(crate) fn below(skeleton: &Skeleton, joint: &JsValue) -> Result<Self, JsError> {
        let mask = sinew::blend::Mask::below(skeleton, values::joint(skeleton, joint)?);
        Ok(Self {
            mask: Rc::new(mask),
        })
    }
}

#[wasm_bindgen]
impl Mask {
    /// Mask of all other joints.
    pub fn inverted(&self) -> Self {
        Self {
            mask: Rc::new(self.mask.inverted()),
        }
    }
}

/// Layer that waits for its blend.
#[derive(Clone, Debug)]
pub struct Waiting {
    pose: Rc<LocalPose>,
    weight: f32,
    mask: Option<Rc<sinew::blend::Mask>>,
}

// `Actor.blend` of `index.js` calls these.
#[wasm_bindgen]
impl Actor {
    /// Layer `index` of the next blend, without the layers after it.
    #[wasm_bindgen(js_name = setLayer, skip_typescript)]
    pub fn set_layer(&mut self, index: usize, pose: &Pose, weight: f32) {
        self.layers.truncate(index);
        self.layers.push(Waiting {
            pose: pose.local.clone(),
            weight,
            mask: None,
        });
    }

    /// Mask of the layer that was set last.
    #[wasm_bindgen(js_name = setLayerMask, skip_typescript)]
    pub fn set_layer_mask(&mut self, mask: &Mask) {
        if let Some(layer) = self.layers.last_mut() {
            layer.mask = Some(mask.mask.clone());
        }
    }

    /// Blends the first layers, and forgets all of them.
    #[wasm_bindgen(js_name = runBlend, skip_typescript)]
    pub fn run_blend(&mut self, count: usize) -> Result<(), JsError> {
        let mut waiting = std::mem::take(&mut self.layers);
        waiting.truncate(count);
        let mut layers: Vec<Layer<'_>> = waiting
            .iter()
            .map(|waiting| Layer {
                pose: &*waiting.pose,
                weight: waiting.weight,
                mask: waiting.mask.as_deref(),
            })
            .collect();
        let rig = self.actor.rig().clone();
        BlendJob::new(rig.skeleton().rest(), &mut layers).run(self.actor.pose_mut())?;
        Ok(())
    }
}
