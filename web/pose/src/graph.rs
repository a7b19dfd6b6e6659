//! State machines and their players.

use crate::actor::Actor;
use crate::values::{self, Events, StepObject};
use sinew::graph::StateMachine;
use sinew::root_motion::{RootAxes, RootMotion};
use wasm_bindgen::prelude::*;

/// State machine with its clips.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Graph {
    pub(crate) graph: sinew::graph::Graph,
}

impl Graph {
    pub(crate) fn new(rig: &sinew::Rig, json: &str, root: Option<&str>) -> Result<Self, JsError> {
        let graph = StateMachine::from_json(json)?.build(rig)?;
        let Some(root) = root else {
            return Ok(Self { graph });
        };
        let skeleton = rig.skeleton();
        let root = values::joint(skeleton, &JsValue::from_str(root))?;
        let motions: Result<Vec<_>, _> = graph
            .clips()
            .iter()
            .map(|clip| RootMotion::of_clip(&**clip, skeleton, root, RootAxes::GROUND))
            .collect();
        Ok(Self {
            graph: graph.with_root_motion(motions?)?,
        })
    }
}

#[wasm_bindgen]
impl Graph {
    /// Player at the start of the graph.
    pub fn player(&self) -> GraphPlayer {
        GraphPlayer {
            player: self.graph.player(),
        }
    }

    /// Names of the parameters.
    #[wasm_bindgen(getter)]
    pub fn parameters(&self) -> Vec<String> {
        self.graph.parameters().map(str::to_owned).collect()
    }

    /// Names of the states of the base layer.
    #[wasm_bindgen(getter)]
    pub fn states(&self) -> Vec<String> {
        self.graph.states().map(str::to_owned).collect()
    }
}

/// State of one character: parameters, states and phases.
#[wasm_bindgen]
#[derive(Debug)]
pub struct GraphPlayer {
    player: sinew::graph::GraphPlayer,
}

#[wasm_bindgen]
impl GraphPlayer {
    /// Sets a parameter, for the next update.
    pub fn set(&mut self, parameter: &str, value: f32) -> Result<(), JsError> {
        Ok(self.player.set(parameter, value)?)
    }

    /// Value of a parameter as set. `undefined` for an unknown parameter.
    pub fn get(&self, parameter: &str) -> Option<f32> {
        self.player.get(parameter)
    }

    /// Advances by seconds and returns the events that playback passed.
    #[wasm_bindgen(unchecked_return_type = "readonly Fired[]")]
    pub fn update(
        &mut self,
        #[wasm_bindgen(js_name = dtSecs)] dt_secs: f64,
    ) -> Result<JsValue, JsError> {
        let mut events = Events::default();
        self.player.update(dt_secs, |event| {
            events.push_fired(
                event.name,
                event.time_secs,
                event.weight,
                event.payload,
                None,
            );
        })?;
        Ok(events.into_list())
    }

    /// Poses an actor of the same rig.
    pub fn pose(&mut self, actor: &mut Actor) -> Result<(), JsError> {
        Ok(self.player.pose(&mut actor.actor)?)
    }

    /// Name of the state of the base layer; during a transition, of the new state.
    #[wasm_bindgen(getter)]
    pub fn state(&self) -> String {
        self.player.state().to_owned()
    }

    /// Phase of the motion of the base layer, in cycles.
    #[wasm_bindgen(getter)]
    pub fn phase(&self) -> f64 {
        self.player.phase()
    }

    /// True while a layer still shows an earlier state.
    #[wasm_bindgen(getter, js_name = isInTransition)]
    pub fn is_in_transition(&self) -> bool {
        self.player.is_in_transition()
    }

    /// Enters a state of the base layer at a phase in cycles (default 0), without a transition.
    pub fn jump(&mut self, state: &str, phase: Option<f64>) -> Result<(), JsError> {
        Ok(self.player.jump(state, phase.unwrap_or(0.0))?)
    }

    /// Root motion of the last update.
    #[wasm_bindgen(getter, js_name = rootStep, unchecked_return_type = "RootStep")]
    pub fn root_step(&self) -> StepObject {
        let step = self.player.root_step();
        let [x, y, z] = step.translation;
        values::root_step(x, y, z, step.heading_rad)
    }
}
