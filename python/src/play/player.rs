//! Class `Player`: a clock on a clip of a rig.

use crate::error::wrong;
use pyo3::prelude::*;
use sinew::Wrap;
use sinew::rig::ClipPlayer;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Playback time of a clip of a rig.
#[pyclass(frozen, module = "sinew")]
pub struct Player {
    player: Mutex<ClipPlayer>,
}

impl Player {
    pub fn new(player: ClipPlayer) -> Self {
        Self {
            player: Mutex::new(player),
        }
    }

    fn player(&self) -> MutexGuard<'_, ClipPlayer> {
        self.player.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copy of the player as it is now.
    pub fn now(&self) -> ClipPlayer {
        self.player().clone()
    }
}

#[pymethods]
impl Player {
    /// Advances by seconds of real time. Returns the names of the events that were passed.
    fn advance(&self, dt_secs: f64) -> Vec<String> {
        let mut fired = Vec::new();
        self.player()
            .advance(dt_secs, |event| fired.push(event.name.clone()));
        fired
    }

    /// Jumps to a time in seconds, without events.
    fn seek(&self, time_secs: f64) {
        self.player().seek(time_secs);
    }

    /// Time within the clip, in seconds.
    #[getter]
    fn time_secs(&self) -> f64 {
        self.player().clip_time_secs()
    }

    /// Duration of the clip, in seconds.
    #[getter]
    fn duration_secs(&self) -> f32 {
        self.player().clip().duration_secs()
    }

    /// Clip seconds per second. Negative values play backwards.
    #[getter]
    fn speed(&self) -> f64 {
        self.player().speed()
    }

    #[setter]
    fn set_speed(&self, speed: f64) {
        self.player().set_speed(speed);
    }

    /// Behaviour past the ends: ``"loop"``, ``"clamp"`` or ``"ping_pong"``.
    #[getter]
    fn wrap(&self) -> &'static str {
        match self.player().wrap() {
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
        self.player().set_wrap(wrap);
        Ok(())
    }
}
