//! Inverse kinematics of actors.

use crate::actor::Actor;
use crate::values;
use glam::Vec3;
use sinew::ik::{
    Aim, Ccd, Chain, Fabrik, Foot, FootPlacement, FootReport, Share, Tip, TwoBone, Up,
};
use wasm_bindgen::prelude::*;

/// Chains that were solved, which keep their working memory.
#[derive(Debug, Default)]
pub struct Chains {
    chains: Vec<([usize; 2], Chain)>,
}

fn vector(what: &str, list: &JsValue) -> Result<Vec3, JsError> {
    Ok(Vec3::from_array(values::numbers(what, list)?))
}

fn vector_if_given(what: &str, list: &JsValue) -> Result<Option<Vec3>, JsError> {
    match list.is_undefined() || list.is_null() {
        true => Ok(None),
        false => vector(what, list).map(Some),
    }
}

#[wasm_bindgen]
impl Actor {
    /// Bends an arm or a leg so that the tip reaches the goal in model space. `pole`: point toward which
    /// the elbow or knee points. `weight` in [0, 1], default 1. Returns true if the tip reaches the goal.
    #[wasm_bindgen(js_name = twoBone)]
    pub fn two_bone(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "JointId")] upper: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "JointId")] lower: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "JointId")] tip: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Vector")] goal: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Vector | null")] pole: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "number")] weight: Option<f32>,
    ) -> Result<bool, JsError> {
        let [upper, lower, tip] = [upper, lower, tip].map(|joint| self.joint_index(joint));
        let mut job = TwoBone::new(upper?, lower?, Tip::of(tip?), vector("the goal", goal)?);
        job.pole_in_model = vector_if_given("the pole", pole)?;
        Ok(self
            .actor
            .solve(&job.weight(weight.unwrap_or(1.0)))?
            .reached)
    }

    /// Turns joints so that an axis of the eye points at the target in model space. `shares`: fraction of
    /// the rotation for each joint of `joints`, from the body outward. `up`: six numbers, an axis of the eye
    /// and the direction in model space in which it should point. Returns true if the line of sight meets
    /// the target.
    #[expect(
        clippy::too_many_arguments,
        reason = "positional, as in the other languages"
    )]
    pub fn aim(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "JointId[]")] joints: Vec<JsValue>,
        #[wasm_bindgen(unchecked_param_type = "ArrayLike<number>")] shares: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "JointId")] eye: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Vector")] axis: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Vector")] target: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "ArrayLike<number> | null")] up: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "number")] weight: Option<f32>,
    ) -> Result<bool, JsError> {
        let mut parts = vec![0.0; joints.len()];
        values::fill("shares", shares, &mut parts)?;
        let shares: Result<Vec<Share>, JsError> = joints
            .iter()
            .zip(parts)
            .map(|(joint, part)| {
                Ok(Share {
                    joint: self.joint_index(joint)?,
                    part,
                })
            })
            .collect();
        let shares = shares?;
        let eye = Tip::of(self.joint_index(eye)?);
        let job = Aim::new(
            &shares,
            eye,
            vector("the axis", axis)?,
            vector("the target", target)?,
        );
        let mut job = job.weight(weight.unwrap_or(1.0));
        if !up.is_undefined() && !up.is_null() {
            let [x, y, z, dx, dy, dz] = values::numbers("up", up)?;
            job = job.up(Up {
                axis: Vec3::new(x, y, z),
                direction_in_model: Vec3::new(dx, dy, dz),
            });
        }
        Ok(self.actor.solve(&job)?.reached)
    }

    /// Bends the chain from `base` to `tip` toward a goal, joint by joint from the tip inward. Returns true
    /// if the tip reaches the goal.
    pub fn ccd(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "JointId")] base: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "JointId")] tip: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Vector")] goal: &JsValue,
    ) -> Result<bool, JsError> {
        let goal = vector("the goal", goal)?;
        let at = self.chain(base, tip)?;
        let chain = &mut self.chains.chains[at].1;
        Ok(self.actor.solve(Ccd::new(chain, goal))?.reached)
    }

    /// As `ccd`, by positions of the joints forward and backward.
    pub fn fabrik(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "JointId")] base: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "JointId")] tip: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Vector")] goal: &JsValue,
    ) -> Result<bool, JsError> {
        let goal = vector("the goal", goal)?;
        let at = self.chain(base, tip)?;
        let chain = &mut self.chains.chains[at].1;
        Ok(self.actor.solve(Fabrik::new(chain, goal))?.reached)
    }

    /// Puts feet on the ground: three joints and nine numbers per foot. `placeFeet` of `index.js` calls it.
    #[wasm_bindgen(js_name = placeFeetAt, skip_typescript)]
    pub fn place_feet_at(
        &mut self,
        pelvis: &JsValue,
        joints: Vec<JsValue>,
        numbers: &JsValue,
    ) -> Result<f32, JsError> {
        let pelvis = self.joint_index(pelvis)?;
        let joints: Result<Vec<usize>, JsError> =
            joints.iter().map(|j| self.joint_index(j)).collect();
        let joints = joints?;
        let mut points = vec![0.0; 3 * joints.len()];
        values::fill("the points of the feet", numbers, &mut points)?;
        let legs = joints.chunks_exact(3).zip(points.chunks_exact(9));
        let feet: Vec<Foot> = legs
            .map(|(leg, points)| Foot {
                hip: leg[0],
                knee: leg[1],
                ankle: leg[2],
                sole: Vec3::from_slice(&points[..3]),
                ground_in_model: Vec3::from_slice(&points[3..6]),
                ground_normal: Vec3::from_slice(&points[6..]),
            })
            .collect();
        let mut reports = vec![FootReport::default(); feet.len()];
        let placement = FootPlacement::new(pelvis);
        Ok(self.actor.place_feet(&placement, &feet, &mut reports)?)
    }
}

impl Actor {
    /// Place of a chain in the list, where it is put if it is new.
    fn chain(&mut self, base: &JsValue, tip: &JsValue) -> Result<usize, JsError> {
        let ends = [self.joint_index(base)?, self.joint_index(tip)?];
        let chains = &mut self.chains.chains;
        if let Some(at) = chains.iter().position(|(known, _)| *known == ends) {
            return Ok(at);
        }
        let chain = Chain::new(self.actor.rig().skeleton(), ends[0], Tip::of(ends[1]))?;
        chains.push((ends, chain));
        Ok(chains.len() - 1)
    }
}
