//! Class `Player`: a clock on a clip of a rig.

use crate::error::wrong;
use pyo3::prelude::*;
use sinew::Wrap;
use sinew::rig::ClipPlayer;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Playback time of a clip of a rig.
#[pyclass(frozen, module = "sinew")]
pub struct Player {
    state: Mutex<State>,
}

#[derive(Clone)]
struct State {
    player: ClipPlayer,
    speed: f64,
    wrap: Wrap,
}

impl Player {
    pub fn new(player: ClipPlayer) -> Self {
        let state = State {
            player,
            speed: 1.0,
            wrap: Wrap::Loop,
        };
        Self {
            state: Mutex::new(state),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copy of the player as it is now.
    pub fn now(&self) -> ClipPlayer {
        self.state().player.clone()
    }
}

#[pymethods]
impl Player {
    /// Advances by seconds of real time. Returns the names of the events that were passed.
    fn advance(&self, dt_secs: f64) -> Vec<String> {
        let mut fired = Vec::new();
        let mut state = self.state();
        state
            .player
            .advance(dt_secs, |event| fired.push(event.name.clone()));
        fired
    }

    /// Jumps to a time in seconds, without events.
    fn seek(&self, time_secs: f64) {
        self.state().player.seek(time_secs);
    }

    /// Time within the clip, in seconds.
    #[getter]
    fn time_secs(&self) -> f64 {
        self.state().player.clip_time_secs()
    }

    /// Duration of the clip, in seconds.
    #[getter]
    fn duration_secs(&self) -> f32 {
        self.state().player.clip().duration_secs()
    }

    /// Clip seconds per second. Negative values play backwards.
    #[getter]
    fn speed(&self) -> f64 {
        self.state().speed
    }

    #[setter]
    fn set_speed(&self, speed: f64) {
        let mut state = self.state();
        state.speed = speed;
        state.player.set_speed(speed);
    }

    /// Behaviour past the ends: ``"loop"``, ``"clamp"`` or ``"ping_pong"``.
    #[getter]
    fn wrap(&self) -> &'static str {
        match self.state().wrap {
            Wrap::Loop => "loop",
            Wrap::Clamp => "clamp",
            Wrap::PingPong => "ping_pong",
        }
    }

    #[setter]
    fn set_wrap(&self, wrap: &str) -> PyResult<()> {
        let wrap = match wrap {
            "loop" => Wrap::Loop,
            "clamp" => Wrap::Clamp,
            "ping_pong" => Wrap::PingPong,
            _ => {
                return Err(wrong(format!(
                    "wrap is \"{wrap}\"; use \"loop\", \"clamp\" or \"ping_pong\""
                )));
            }
        };
        let mut state = self.state();
        state.wrap = wrap;
        state.player = state.player.clone().wrapping(wrap);
        Ok(())
    }
}
