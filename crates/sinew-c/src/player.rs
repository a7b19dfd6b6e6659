//! Players: a clip with its playback time.

use crate::arguments::{finite, out, out_handle, text};
use crate::rig::sinew_rig;
use crate::status::{Failure, call, sinew_status};
use crate::table::{free, handle, keep, read, write};
use sinew::rig::ClipPlayer;
use sinew::{Playable, Rig, Wrap};
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// Clip of a rig with its playback time.
#[derive(Debug)]
pub struct sinew_player {
    _opaque: (),
}
handle!(sinew_player, Playing, "sinew_player");

pub(crate) struct Playing {
    pub player: ClipPlayer,
    pub rig: Rig,
    clip: u32,
    event: EventName,
}

/// Behaviour of a player past the ends of its clip.
pub type sinew_wrap = i32;
/// Starts over.
pub const SINEW_WRAP_LOOP: sinew_wrap = 0;
/// Stays at the end.
pub const SINEW_WRAP_CLAMP: sinew_wrap = 1;
/// Reverses: every second cycle plays backwards.
pub const SINEW_WRAP_PING_PONG: sinew_wrap = 2;

/// Event of a clip that playback has passed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_event {
    /// Name of the event. Valid during the callback.
    pub name: *const c_char,
    /// Time of the event in its clip, in seconds.
    pub time_secs: f32,
    /// Weight of the clip during the step, in (0, 1]. 1 for a player of one clip.
    pub weight: f32,
    /// Index of the clip in the rig.
    pub clip: u32,
    /// Layer of the graph. 0 is the base layer.
    pub layer: u32,
}

/// Function that receives events in order, with the pointer `user` of the call. It must return
/// normally: a longjmp is not allowed, and a C++ exception ends the program. The object that
/// advances is busy meanwhile.
pub type sinew_event_callback =
    Option<unsafe extern "C-unwind" fn(user: *mut c_void, event: *const sinew_event)>;

/// Memory for the name of an event with its NUL, so that events allocate nothing.
pub(crate) struct EventName(Vec<u8>);

impl EventName {
    pub fn longest_of<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let longest = names.map(str::len).max().unwrap_or(0);
        Self(Vec::with_capacity(longest + 1))
    }

    /// The name as a C string, up to its first NUL.
    pub fn c_str(&mut self, name: &str) -> *const c_char {
        self.0.clear();
        self.0.extend_from_slice(name.as_bytes());
        self.0.push(0);
        self.0.as_ptr().cast()
    }
}

/// Makes a looping player at the start of a clip. `clip` is a name, or an index as text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_player_new(
    rig: *const sinew_rig,
    clip: *const c_char,
    player: *mut *mut sinew_player,
) -> sinew_status {
    call(|| {
        let player = out_handle(player)?;
        let rig = read(rig)?.rig.clone();
        let made = rig.player(text("clip", clip)?)?;
        let events = made.clip().events().iter();
        let event = EventName::longest_of(events.map(|event| event.name.as_str()));
        let is_same = |clip: &Arc<dyn Playable>| std::ptr::addr_eq(&**clip, made.clip());
        let clip = rig.clips().iter().position(is_same).unwrap_or(0);
        *player = keep(Playing {
            player: made,
            rig,
            clip: clip as u32,
            event,
        })?;
        Ok(())
    })
}

/// Advances by `dt_secs` times the speed, and calls `callback` for each event passed. `callback`
/// may be NULL. Steps neither miss nor repeat an event. Only of a step over more than 65,536
/// cycles, the last 65,536 fire events.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_player_advance(
    player: *mut sinew_player,
    dt_secs: f64,
    callback: sinew_event_callback,
    user: *mut c_void,
) -> sinew_status {
    call(|| {
        finite("dt_secs", dt_secs)?;
        let playing = &mut *write(player)?;
        let (event_name, clip) = (&mut playing.event, playing.clip);
        playing.player.advance(dt_secs, |event| {
            let Some(callback) = callback else { return };
            let fired = sinew_event {
                name: event_name.c_str(&event.name),
                time_secs: event.time_secs,
                weight: 1.0,
                clip,
                layer: 0,
            };
            // SAFETY: the caller gave a function of this type, and the event outlives the call.
            unsafe { callback(user, &raw const fired) };
        });
        Ok(())
    })
}

/// Jumps to a time in seconds, without events. A looping player takes any finite time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_player_seek(
    player: *mut sinew_player,
    time_secs: f64,
) -> sinew_status {
    call(|| {
        finite("time_secs", time_secs)?;
        write(player)?.player.seek(time_secs);
        Ok(())
    })
}

/// Sets the speed in clip seconds per second. Negative values play backwards. Default 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_player_set_speed(
    player: *mut sinew_player,
    speed: f64,
) -> sinew_status {
    call(|| {
        finite("speed", speed)?;
        write(player)?.player.set_speed(speed);
        Ok(())
    })
}

/// Sets the behaviour past the ends of the clip, and keeps the time within the clip. Default
/// `SINEW_WRAP_LOOP`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_player_set_wrap(
    player: *mut sinew_player,
    wrap: sinew_wrap,
) -> sinew_status {
    call(|| {
        let wrap = match wrap {
            SINEW_WRAP_LOOP => Wrap::Loop,
            SINEW_WRAP_CLAMP => Wrap::Clamp,
            SINEW_WRAP_PING_PONG => Wrap::PingPong,
            other => {
                let text = format!("{other} is no sinew_wrap; pass a constant SINEW_WRAP_...");
                return Err(Failure::argument(text));
            }
        };
        write(player)?.player.set_wrap(wrap);
        Ok(())
    })
}

/// Playback time within the clip, in seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_player_time_secs(
    player: *const sinew_player,
    time_secs: *mut f64,
) -> sinew_status {
    call(|| {
        let time_secs = out("time_secs", time_secs)?;
        time_secs.write(read(player)?.player.clip_time_secs());
        Ok(())
    })
}

/// Frees a player. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_player_free(player: *mut sinew_player) -> sinew_status {
    call(|| free(player))
}
