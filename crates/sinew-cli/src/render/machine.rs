//! A state machine that a picture plays.

use super::arguments::Arguments;
use crate::{files, usage};
use anyhow::{Context, Result};
use serde::Serialize;
use sinew::batch::{Entered, Setting};
use sinew::graph::StateMachine;
use sinew::root_motion::RootAxes;
use sinew::{Character, Method, Rig};

/// Frames per second at which a machine is played.
const FPS: f64 = 60.0;

/// Seconds after the last parameter is set, if the command line gives no duration.
const AFTER_SECS: f64 = 2.0;

/// A state that the machine entered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct State {
    time_secs: f64,
    /// `None` for the base layer.
    layer: Option<String>,
    state: String,
}

/// Parses `speed=1.5@0.4`.
pub fn setting(text: &str) -> Result<Setting, String> {
    let wrong = || {
        "a parameter is NAME=VALUE@SECONDS, like speed=1.5@0.4; without @SECONDS it is set at the start"
            .to_owned()
    };
    let (parameter, rest) = text.rsplit_once('=').ok_or_else(wrong)?;
    let (value, time) = rest.split_once('@').unwrap_or((rest, "0"));
    let value = value.trim().parse().ok().filter(|n: &f32| n.is_finite());
    let at_secs = files::seconds(time).ok().filter(|secs| *secs >= 0.0);
    match (parameter.is_empty(), value, at_secs) {
        (false, Some(value), Some(at_secs)) => Ok(Setting {
            parameter: parameter.to_owned(),
            value,
            at_secs,
        }),
        _ => Err(wrong()),
    }
}

/// Plays the machine of the command line. Adds what it plays as a clip, and returns its index.
pub fn play(arguments: &Arguments, character: &mut Character) -> Result<(usize, Vec<State>)> {
    let path = arguments.machine.as_deref().unwrap_or("-".as_ref());
    let name = || files::name(path);
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", name()))?;
    let machine = StateMachine::from_json(&text).with_context(name)?;
    let settings = settings(arguments)?;
    let rig = Rig::new(character, Method::Linear)?;
    let mut graph = machine.build(&rig).with_context(name)?;
    if let Some(root) = &arguments.root {
        graph = graph.with_root_joint(root, RootAxes::GROUND)?;
    }
    let last = settings.iter().map(|setting| setting.at_secs);
    let duration = last.fold(0.0, f64::max) + AFTER_SECS;
    let duration = arguments.duration.unwrap_or(duration);
    let recording = graph.record(character, &settings, duration, FPS);
    let recording = recording.with_context(name)?;
    character.clips.push(recording.clip);
    let states = recording.entered.into_iter().map(|entered: Entered| State {
        time_secs: entered.time_secs,
        layer: entered.layer,
        state: entered.state,
    });
    Ok((character.clips.len() - 1, states.collect()))
}

fn settings(arguments: &Arguments) -> Result<Vec<Setting>> {
    let settings = arguments.set.iter().map(|text| setting(text));
    settings
        .collect::<Result<_, _>>()
        .map_err(|error| usage::wrong(&format!("--set: {error}")))
}

/// States in a line, such as `stand at 0.00 s, move at 0.42 s`.
pub fn summary(states: &[State]) -> String {
    let state = |state: &State| {
        let layer = state.layer.as_ref();
        let layer = layer.map_or(String::new(), |layer| format!("{layer}: "));
        format!("{layer}{} at {:.2} s", state.state, state.time_secs)
    };
    let all: Vec<String> = states.iter().map(state).collect();
    format!("states: {}", all.join(", "))
}
