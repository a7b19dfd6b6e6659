//! Graphs (state machines) and their players.

use crate::actor::sinew_actor;
use crate::arguments::{finite, out, out_handle, slice, text};
use crate::player::{EventName, sinew_event, sinew_event_callback};
use crate::rig::sinew_rig;
use crate::status::sinew_status::SINEW_ERROR_NAME;
use crate::status::{Failure, c_string, call, sinew_status};
use crate::table::{free, handle, keep, read, write};
use crate::values::sinew_placement;
use sinew::graph::{Graph, GraphPlayer, StateMachine};
use sinew::names::hint;
use sinew::root_motion::RootAxes;
use std::ffi::{CString, c_char, c_void};

/// State machine with the clips of a rig, shared by all its players.
#[derive(Debug)]
pub struct sinew_graph {
    _opaque: (),
}
handle!(sinew_graph, Graph, "sinew_graph");

/// State of one character in a graph: parameters, states and phases.
#[derive(Debug)]
pub struct sinew_graph_player {
    _opaque: (),
}
handle!(sinew_graph_player, Playing, "sinew_graph_player");

pub(crate) struct Playing {
    player: GraphPlayer,
    /// Names of the states for C.
    states: Vec<CString>,
    event: EventName,
}

/// Makes a graph from JSON, as docs/graph.md describes it. `json` is UTF-8 and needs no NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_graph_new(
    rig: *const sinew_rig,
    json: *const c_char,
    len: usize,
    graph: *mut *mut sinew_graph,
) -> sinew_status {
    call(|| {
        let graph = out_handle(graph)?;
        let json = std::str::from_utf8(slice("json", json.cast(), len)?);
        let json = json.map_err(|error| {
            let at = error.valid_up_to();
            Failure::argument(format!("json, byte {at}: it is not UTF-8"))
        })?;
        *graph = keep(StateMachine::from_json(json)?.build(&read(rig)?.rig)?)?;
        Ok(())
    })
}

/// Takes the motion of a joint over the ground (+Y is up) out of the poses, as root motion of the
/// character. Affects players that are made afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_graph_set_root(
    graph: *mut sinew_graph,
    joint: *const c_char,
) -> sinew_status {
    call(|| {
        let joint = text("joint", joint)?;
        let graph = &mut *write(graph)?;
        *graph = graph.clone().with_root_joint(joint, RootAxes::GROUND)?;
        Ok(())
    })
}

/// Frees a graph. Its players stay valid. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_graph_free(graph: *mut sinew_graph) -> sinew_status {
    call(|| free(graph))
}

/// Makes a player at the start of the initial state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_graph_player_new(
    graph: *const sinew_graph,
    player: *mut *mut sinew_graph_player,
) -> sinew_status {
    call(|| {
        let player = out_handle(player)?;
        let graph = read(graph)?;
        let events = graph.clips().iter().flat_map(|clip| clip.events());
        *player = keep(Playing {
            player: graph.player(),
            states: graph.states().map(c_string).collect(),
            event: EventName::longest_of(events.map(|event| event.name.as_str())),
        })?;
        Ok(())
    })
}

/// Sets a parameter. Poses change with the next update.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_graph_player_set(
    player: *mut sinew_graph_player,
    parameter: *const c_char,
    value: f32,
) -> sinew_status {
    call(|| {
        let parameter = text("parameter", parameter)?;
        write(player)?.player.set(parameter, value)?;
        Ok(())
    })
}

/// Value of a parameter as set, without smoothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_graph_player_get(
    player: *const sinew_graph_player,
    parameter: *const c_char,
    value: *mut f32,
) -> sinew_status {
    call(|| {
        let (parameter, value) = (text("parameter", parameter)?, out("value", value)?);
        let playing = read(player)?;
        value.write(playing.player.get(parameter).ok_or_else(|| {
            let names = playing.player.graph().parameters();
            let hint = hint(parameter, names);
            let text = format!("there is no parameter \"{parameter}\"{hint}");
            Failure::new(SINEW_ERROR_NAME, text)
        })?);
        Ok(())
    })
}

/// Advances by `dt_secs`, 0 or more, makes transitions, and calls `callback` for each event
/// passed. `callback` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_graph_player_update(
    player: *mut sinew_graph_player,
    dt_secs: f64,
    callback: sinew_event_callback,
    user: *mut c_void,
) -> sinew_status {
    call(|| {
        let Playing {
            player,
            event: name,
            ..
        } = &mut *write(player)?;
        player.update(dt_secs, |event| {
            let Some(callback) = callback else { return };
            let fired = sinew_event {
                name: name.c_str(event.name),
                time_secs: event.time_secs,
                weight: event.weight,
                clip: event.clip as u32,
                layer: event.layer as u32,
            };
            // SAFETY: the caller gave a function of this type, and the event outlives the call.
            unsafe { callback(user, &raw const fired) };
        })?;
        Ok(())
    })
}

/// Poses an actor of the rig of the graph, and sets its morph weights.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_graph_player_pose(
    player: *mut sinew_graph_player,
    actor: *mut sinew_actor,
) -> sinew_status {
    call(|| {
        write(player)?.player.pose(&mut *write(actor)?)?;
        Ok(())
    })
}

/// Name of the state of the base layer. During a transition, name of the new state. Valid until
/// the player is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_graph_player_state(
    player: *const sinew_graph_player,
    state: *mut *const c_char,
) -> sinew_status {
    call(|| {
        let (state, playing) = (out("state", state)?, read(player)?);
        let now = playing.player.state();
        let found = playing.player.graph().states().position(|name| name == now);
        let name = found.and_then(|found| playing.states.get(found));
        state.write(name.map_or(c"".as_ptr(), |name| name.as_ptr()));
        Ok(())
    })
}

/// Phase of the base layer in cycles. It exceeds 1 after a loop.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_graph_player_phase(
    player: *const sinew_graph_player,
    phase: *mut f64,
) -> sinew_status {
    call(|| {
        let phase = out("phase", phase)?;
        phase.write(read(player)?.player.phase());
        Ok(())
    })
}

/// 1 while a layer still shows an earlier state, else 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_graph_player_is_in_transition(
    player: *const sinew_graph_player,
    is_in_transition: *mut i32,
) -> sinew_status {
    call(|| {
        let is_in_transition = out("is_in_transition", is_in_transition)?;
        is_in_transition.write(i32::from(read(player)?.player.is_in_transition()));
        Ok(())
    })
}

/// Enters a state of the base layer at `phase`, in cycles, without a transition or events.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_graph_player_jump(
    player: *mut sinew_graph_player,
    state: *const c_char,
    phase: f64,
) -> sinew_status {
    call(|| {
        finite("phase", phase)?;
        let state = text("state", state)?;
        write(player)?.player.jump(state, phase)?;
        Ok(())
    })
}

/// Root motion of the last update. All zeros without `sinew_graph_set_root`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_graph_player_root_step(
    player: *const sinew_graph_player,
    step: *mut sinew_placement,
) -> sinew_status {
    call(|| {
        let step = out("step", step)?;
        let found = read(player)?.player.root_step();
        step.write(sinew_placement {
            translation: found.translation,
            heading_rad: found.heading_rad,
        });
        Ok(())
    })
}

/// Frees a player. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_graph_player_free(player: *mut sinew_graph_player) -> sinew_status {
    call(|| free(player))
}
