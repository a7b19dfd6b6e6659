//! What glTF has no place for and this library keeps in `extras`, so that a file written here and
//! read again is the same character.
//!
//! An animation's `extras.sinew` holds `events` (`time`, `name`), `curves` (`name`, `width`,
//! `interpolation`, `times`, `values`) and, where the clip outlasts its keys, `duration`. A mesh's
//! `extras.targetNames` holds the names of its morph targets, as other programs write them too. A node's
//! `extras.sinew` is in `freedom`, a mesh's in `correctives`, the document's own in `bindings`.

use super::GltfError;
use super::accessor::Decoder;
use super::budget::Budget;
use super::json::{self, Rest};
use super::schema::Unread;
use crate::report::{FileReport, Severity};
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};
use sinew::clip::{Clip, Curve, Event, Interpolation, Track};

pub(super) const OURS: &str = "sinew";

/// What a value may grow to when it is read, in bytes a byte of its text.
pub(super) const GROWTH: u64 = 24;

const INTERPOLATIONS: [(&str, Interpolation); 6] = [
    ("STEP", Interpolation::Step),
    ("LINEAR", Interpolation::Linear),
    ("SLERP", Interpolation::Slerp),
    ("QUADRATIC", Interpolation::Quadratic),
    ("CUBICSPLINE", Interpolation::CubicHermite),
    ("CATMULLROM", Interpolation::CatmullRom),
];

type Json = Result<Box<RawValue>, serde_json::Error>;

/// The members of a JSON object; `None` for any other value.
pub(super) fn members(text: &str) -> Option<Rest> {
    let (mut report, mut budget) = (FileReport::default(), Budget::for_json(text.len()));
    let object: Option<Unread> = json::read_document(text, &mut report, &mut budget).ok()?;
    object.map(|object| object.rest)
}

/// A JSON object of these members.
pub(super) fn object(members: Rest) -> Json {
    to_raw_value(&Unread { rest: members })
}

/// The same members but `name`.
pub(super) fn without(members: &Rest, name: &str) -> Rest {
    let mut kept = Rest::default();
    for (other, value) in members.iter().filter(|(other, _)| *other != name) {
        kept.push(other, value.to_owned());
    }
    kept
}

/// Sets or removes the member `name` of the object at `owner` in `rest`. An `owner` that is not an
/// object is left alone, because it belongs to someone else: then the answer is false.
pub(super) fn set_nested(
    rest: &mut Rest,
    owner: &str,
    name: &str,
    value: Option<Box<RawValue>>,
) -> Result<bool, serde_json::Error> {
    let before = match rest.get(owner) {
        None => Rest::default(),
        Some(object) => match members(object.get()) {
            Some(members) => members,
            None => return Ok(false),
        },
    };
    let had = before.get(name).is_some();
    let mut after = before;
    match value {
        Some(value) => after.insert(name, value),
        None if had => after = without(&after, name),
        None => return Ok(true),
    }
    if after.is_empty() {
        *rest = without(rest, owner);
    } else {
        rest.insert(owner, object(after)?);
    }
    Ok(true)
}

/// What stands in the member of our own object in someone's `extras`, and where.
pub(super) fn own_member<'r>(rest: &'r Rest, name: &str) -> Option<&'r str> {
    let extras = rest.get("extras").map(|extras| extras.get());
    json::member(extras.and_then(|extras| json::member(extras, OURS))?, name)
}

/// Sets or removes a member of our own object in someone's `extras`, and leaves what else it has; false when the
/// `extras` is no object and so has no room for it.
pub(super) fn set_own_member(
    rest: &mut Rest,
    name: &str,
    value: Option<Box<RawValue>>,
) -> Result<bool, serde_json::Error> {
    let extras = rest.get("extras").map(|extras| extras.get());
    let ours = extras.and_then(|extras| json::member(extras, OURS));
    let mut ours = match (&value, ours.and_then(members)) {
        (_, Some(ours)) => ours,
        // Not ours, whatever it is called, and nothing to say.
        (None, None) => return Ok(true),
        (Some(_), None) => Rest::default(),
    };
    match value {
        Some(value) => ours.insert(name, value),
        None if ours.get(name).is_some() => ours = without(&ours, name),
        None => return Ok(true),
    }
    let ours = match ours.is_empty() {
        true => None,
        false => Some(object(ours)?),
    };
    set_nested(rest, "extras", OURS, ours)
}

/// Puts a clip's events, curves and duration into its animation's members; false when the
/// animation's `extras` is no object and so has no room for them.
pub(super) fn write_motion(clip: &Clip, rest: &mut Rest) -> Result<bool, serde_json::Error> {
    let mut ours = Rest::default();
    if !clip.events.is_empty() {
        let events: Vec<_> = clip.events.iter().map(event).collect::<Result<_, _>>()?;
        ours.push("events", to_raw_value(&events)?);
    }
    if !clip.curves.is_empty() {
        let curves: Vec<_> = clip.curves.iter().map(curve).collect::<Result<_, _>>()?;
        ours.push("curves", to_raw_value(&curves)?);
    }
    let keyed = clip
        .joints
        .iter()
        .flat_map(|j| [&j.translation, &j.rotation, &j.scale]);
    let keyed = keyed
        .flatten()
        .chain(clip.morphs.iter().map(|m| &m.weights));
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

/// Gives a clip the events, curves and duration that [`write_motion`] put into its animation's
/// members. What cannot be read is left out with a finding; `pointer` is the animation's.
///
/// # Errors
/// [`GltfError::MemoryLimit`] when they would pass the decoder's budget.
pub(super) fn read_motion(
    rest: &Rest,
    clip: &mut Clip,
    pointer: &str,
    decoder: &mut Decoder<'_>,
) -> Result<(), GltfError> {
    let extras = rest.get("extras").map(|extras| extras.get());
    let Some(ours) = extras.and_then(|extras| json::member(extras, OURS)) else {
        return Ok(());
    };
    let pointer = format!("{pointer}/extras/{OURS}");
    let bytes = (ours.len() as u64).saturating_mul(GROWTH);
    decoder
        .budget()
        .charge(bytes, "events and curves", pointer.as_str())?;
    let mut leave_out = |place: &str| {
        let message = "this is not as this library writes it and was left out";
        let report = decoder.report();
        report.add(
            Severity::Ignored,
            "EXTRAS_UNREADABLE",
            format_args!("{pointer}{place}"),
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
