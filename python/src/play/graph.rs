//! Classes `Graph` and `GraphPlayer`: state machines.

use crate::error::{raise, wrong};
use crate::play::actor::Actor;
use pyo3::prelude::*;
use sinew::root_motion::RootAxes;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// State machine over the clips of a rig.
#[pyclass(frozen, module = "sinew")]
pub struct Graph {
    graph: sinew::graph::Graph,
}

impl Graph {
    pub fn new(graph: sinew::graph::Graph, root: Option<&str>) -> PyResult<Self> {
        let graph = match root {
            Some(joint) => graph
                .with_root_joint(joint, RootAxes::GROUND)
                .map_err(raise)?,
            None => graph,
        };
        Ok(Self { graph })
    }
}

#[pymethods]
impl Graph {
    /// Names of the parameters.
    #[getter]
    fn parameters(&self) -> Vec<String> {
        self.graph.parameters().map(str::to_owned).collect()
    }

    /// Player at the start of the initial states.
    fn player(&self) -> GraphPlayer {
        GraphPlayer {
            player: Mutex::new(self.graph.player()),
        }
    }
}

/// State of one character in a graph: parameters, states and phases.
#[pyclass(frozen, module = "sinew")]
pub struct GraphPlayer {
    player: Mutex<sinew::graph::GraphPlayer>,
}

impl GraphPlayer {
    fn lock(&self) -> MutexGuard<'_, sinew::graph::GraphPlayer> {
        self.player.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl GraphPlayer {
    /// Sets a parameter.
    fn set(&self, parameter: &str, value: f32) -> PyResult<()> {
        self.lock().set(parameter, value).map_err(raise)
    }

    /// Value of a parameter as it was set.
    fn get(&self, parameter: &str) -> PyResult<f32> {
        let value = self.lock().get(parameter);
        value.ok_or_else(|| wrong(format!("there is no parameter \"{parameter}\"")))
    }

    /// Advances by seconds. Returns the events that fired, as ``FiredEvent``.
    fn update(&self, py: Python<'_>, dt_secs: f64) -> PyResult<Vec<Py<PyAny>>> {
        let (updated, fired) = py.detach(|| {
            let mut fired = Vec::new();
            let updated = self.lock().update(dt_secs, |event| {
                let number = event.payload.and_then(|payload| payload.number);
                let text = event.payload.and_then(|payload| payload.text.clone());
                let (name, time) = (event.name.to_owned(), event.time_secs);
                fired.push((
                    name,
                    time,
                    event.clip,
                    event.layer,
                    event.weight,
                    number,
                    text,
                ));
            });
            (updated, fired)
        });
        updated.map_err(raise)?;
        if fired.is_empty() {
            return Ok(Vec::new());
        }
        let class = py.import("sinew")?.getattr("FiredEvent")?;
        let events = fired.into_iter();
        let events = events.map(|event| Ok(class.call1(event)?.unbind()));
        events.collect()
    }

    /// Poses an actor of the same rig.
    fn pose(&self, py: Python<'_>, actor: &Actor) -> PyResult<()> {
        // No other method takes both locks, so none waits for the other.
        actor
            .work(py, |actor| self.lock().pose(actor))
            .map_err(raise)
    }

    /// Name of the state of the base layer.
    #[getter]
    fn state(&self) -> String {
        self.lock().state().to_owned()
    }

    /// Phase of the state of the base layer, in cycles.
    #[getter]
    fn phase(&self) -> f64 {
        self.lock().phase()
    }

    /// True while a layer still shows an earlier state.
    #[getter]
    fn is_in_transition(&self) -> bool {
        self.lock().is_in_transition()
    }

    /// Enters a state of the base layer at a phase, without a transition or events.
    #[pyo3(signature = (state, phase = 0.0))]
    fn jump(&self, state: &str, phase: f64) -> PyResult<()> {
        self.lock().jump(state, phase).map_err(raise)
    }

    /// Movement over the ground in the last update: translation (x, y, z) and rotation about the up
    /// axis in radians. Zero without a root joint.
    #[getter]
    fn root_step(&self) -> ((f64, f64, f64), f64) {
        let step = self.lock().root_step();
        (step.translation.into(), step.heading_rad)
    }
}
