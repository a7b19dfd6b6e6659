//! Events, curves and duration of a clip, in `extras.sinew` of its animation: `events` (`time`,
//! `name`), `curves` (`name`, `width`, `interpolation`, `times`, `values`), and `duration` if the
//! clip is longer than its keys; `empty` if the clip has no tracks, and its only channel stands for none. A sampler with
//! one key has `tangents` (before, after) if its track is cubic: a spline of glTF needs two keys.

use super::own::{GROWTH, OURS, own, own_member, set_own_member};
use crate::gltf::bytes::accessor::Decoder;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::json::Rest;
use crate::gltf::document::nested::{members, object, set_nested};
use crate::gltf::document::schema::Animation;
use crate::report::Severity;
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};
use sinew::clip::{Clip, Curve, Event, Interpolation, Track};
use std::collections::HashSet;

const INTERPOLATIONS: [(&str, Interpolation); 6] = [
    ("STEP", Interpolation::Step),
    ("LINEAR", Interpolation::Linear),
    ("SLERP", Interpolation::Slerp),
    ("QUADRATIC", Interpolation::Quadratic),
    ("CUBICSPLINE", Interpolation::CubicHermite),
    ("CATMULLROM", Interpolation::CatmullRom),
];

const EMPTY: &str = "empty";

/// Marks an animation whose only channel stands for none. False if `extras` is not an object.
pub(in crate::gltf) fn write_empty(rest: &mut Rest) -> Result<bool, serde_json::Error> {
    set_own_member(rest, EMPTY, Some(to_raw_value(&true)?))
}

/// True if an animation is a clip without tracks. A program that adds channels makes it an ordinary clip.
pub(in crate::gltf) fn is_empty(animation: &Animation) -> bool {
    animation.channels.len() == 1 && own_member(&animation.rest, EMPTY) == Some("true")
}

const TANGENTS: &str = "tangents";

/// Writes the tangents of a cubic track with one key into its sampler, and removes those of other tracks.
pub(in crate::gltf) fn write_tangents(
    track: &Track,
    sampler: &mut Rest,
) -> Result<bool, serde_json::Error> {
    let tangents = track.tangents(0).filter(|_| track.keys() == 1);
    let tangents = tangents.map(|sides| to_raw_value(&sides));
    set_own_member(sampler, TANGENTS, tangents.transpose()?)
}

/// The cubic track of one key that [`write_tangents`] wrote. `None` for other tracks.
pub(in crate::gltf) fn with_tangents(track: &Track, sampler: &Rest) -> Option<Track> {
    let text = own_member(sampler, TANGENTS).filter(|_| track.keys() == 1)?;
    let [before, after]: [Vec<f32>; 2] = serde_json::from_str(text).ok()?;
    let width = track.width();
    if [&before, &after].iter().any(|side| side.len() != width) {
        return None;
    }
    let values = [&before, track.key(0), &after].concat();
    Track::new(
        track.times().clone(),
        values,
        width,
        Interpolation::CubicHermite,
    )
    .ok()
}

const CURVE: &str = "curve";

/// Name of the curve of a channel with a pointer, as JSON, if it is not that of its target.
pub(in crate::gltf) fn pointer_curve(channel: &Rest) -> Option<&str> {
    own_member(channel, CURVE)
}

/// Writes or removes the name of the curve of a channel with a pointer.
pub(in crate::gltf) fn write_pointer_curve(
    name: Option<&str>,
    channel: &mut Rest,
) -> Result<bool, serde_json::Error> {
    set_own_member(channel, CURVE, name.map(to_raw_value).transpose()?)
}

type Json = Result<Box<RawValue>, serde_json::Error>;

/// Writes events, duration and the curves of a clip, except those that channels hold. False if `extras` is not an object.
pub(in crate::gltf) fn write_motion(
    clip: &Clip,
    pointed: &HashSet<String>,
    rest: &mut Rest,
) -> Result<bool, serde_json::Error> {
    let is_pointed = |curve: &&Curve| pointed.contains(&curve.name);
    let mut ours = Rest::default();
    if !clip.events.is_empty() {
        let events: Vec<_> = clip.events.iter().map(event).collect::<Result<_, _>>()?;
        ours.push("events", to_raw_value(&events)?);
    }
    let curves = clip.curves.iter().filter(|own| !is_pointed(own));
    let curves: Vec<_> = curves.map(curve).collect::<Result<_, _>>()?;
    if !curves.is_empty() {
        ours.push("curves", to_raw_value(&curves)?);
    }
    let keyed = clip
        .joints
        .iter()
        .flat_map(|j| [&j.translation, &j.rotation, &j.scale]);
    let keyed = keyed
        .flatten()
        .chain(clip.morphs.iter().map(|m| &m.weights));
    let curves = clip.curves.iter().filter(is_pointed);
    let keyed = keyed.chain(curves.map(|curve| &curve.track));
    if clip.duration_secs > keyed.map(Track::end_secs).fold(0.0, f32::max) {
        ours.push("duration", to_raw_value(&clip.duration_secs)?);
    }
    let ours = if ours.is_empty() {
        None
    } else {
        Some(object(ours)?)
    };
    set_nested(rest, "extras", OURS, ours)
}

fn event(event: &Event) -> Json {
    let mut members = Rest::default();
    members.push("time", to_raw_value(&event.time_secs)?);
    members.push("name", to_raw_value(&event.name)?);
    object(members)
}

fn curve(curve: &Curve) -> Json {
    let track = &curve.track;
    let spelling = INTERPOLATIONS
        .iter()
        .find(|(_, known)| *known == track.interpolation());
    let mut members = Rest::default();
    members.push("name", to_raw_value(&curve.name)?);
    members.push("width", to_raw_value(&track.width())?);
    members.push(
        "interpolation",
        to_raw_value(&spelling.map(|(name, _)| *name))?,
    );
    members.push("times", to_raw_value(&**track.times())?);
    members.push("values", to_raw_value(&**track.values())?);
    object(members)
}

/// Reads the data of [`write_motion`] into a clip. Reports and omits unreadable parts.
///
/// # Errors
/// [`GltfError::MemoryLimit`] if the data exceeds the budget of the decoder.
pub(in crate::gltf) fn read_motion(
    rest: &Rest,
    clip: &mut Clip,
    pointer: &str,
    decoder: &mut Decoder<'_>,
) -> Result<(), GltfError> {
    let Some(ours) = own(rest) else {
        return Ok(());
    };
    let pointer = format!("{pointer}/extras/{OURS}");
    let bytes = (ours.len() as u64).saturating_mul(GROWTH);
    decoder
        .budget()
        .charge(bytes, "events and curves", pointer.as_str())?;
    let mut leave_out = |member: &str| {
        let message = "the value is invalid and was left out";
        let report = decoder.report();
        report.add(
            Severity::Ignored,
            "EXTRAS_UNREADABLE",
            format_args!("{pointer}{member}"),
            message,
        );
    };
    let Some(ours) = members(ours) else {
        leave_out("");
        return Ok(());
    };
    let list = |name: &str| match ours.get(name) {
        Some(list) => serde_json::from_str::<Vec<Box<RawValue>>>(list.get()).ok(),
        None => Some(Vec::new()),
    };
    let events = list("events").and_then(|list| list.iter().map(|e| read_event(e)).collect());
    match events {
        Some(events) => clip.events = events,
        None => leave_out("/events"),
    }
    clip.events
        .sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
    let curves = list("curves").and_then(|list| list.iter().map(|c| read_curve(c)).collect());
    match curves {
        Some(curves) => clip.curves = curves,
        None => leave_out("/curves"),
    }
    let mut end_secs = clip.duration_secs;
    if let Some(duration) = ours.get("duration") {
        match value::<f32>(duration).filter(|d| d.is_finite()) {
            Some(duration) => end_secs = end_secs.max(duration),
            None => leave_out("/duration"),
        }
    }
    clip.fit_duration();
    clip.duration_secs = clip.duration_secs.max(end_secs);
    Ok(())
}

fn value<T: DeserializeOwned>(value: &RawValue) -> Option<T> {
    serde_json::from_str(value.get()).ok()
}

fn read_event(event: &RawValue) -> Option<Event> {
    let event = members(event.get())?;
    let time_secs: f32 = value(event.get("time")?)?;
    Some(Event {
        time_secs: Some(time_secs).filter(|t| t.is_finite() && *t >= 0.0)?,
        name: value(event.get("name")?)?,
    })
}

fn read_curve(curve: &RawValue) -> Option<Curve> {
    let curve = members(curve.get())?;
    let spelling: String = value(curve.get("interpolation")?)?;
    let known = INTERPOLATIONS.iter().find(|(name, _)| **name == *spelling);
    let (times, values): (Vec<f32>, Vec<f32>) =
        (value(curve.get("times")?)?, value(curve.get("values")?)?);
    Some(Curve {
        name: value(curve.get("name")?)?,
        track: Track::new(times, values, value(curve.get("width")?)?, known?.1).ok()?,
    })
}
