//! Extras of a clip, stored unchanged: name, events, curves and morph weights.

use super::times::TimeArrays;
use super::write::Write;
use sinew::clip::Track;
use sinew::clip::packed::PackedClip;

pub(crate) fn extras_bytes(clip: &PackedClip<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    out.text(clip.name());
    out.u32(clip.events().len());
    for event in clip.events() {
        out.f32s(&[event.time_secs]);
        out.text(&event.name);
    }
    let curves = clip.curves().iter().map(|c| &c.track);
    let tracks: Vec<&Track> = curves
        .chain(clip.morphs().iter().map(|m| &m.weights))
        .collect();
    let times = TimeArrays::of(&tracks);
    times.write(&mut out);
    out.u32(clip.curves().len());
    for curve in clip.curves() {
        out.text(&curve.name);
        out.u32(curve.track.width());
        times.write_track(&curve.track, &mut out);
    }
    out.u32(clip.morphs().len());
    for morph in clip.morphs() {
        out.u32(morph.node);
        out.u32(morph.weights.width());
        times.write_track(&morph.weights, &mut out);
    }
    out
}
