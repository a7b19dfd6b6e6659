use super::layer_player::LayerPlayer;
use crate::clip::{Playable, Track};
use crate::graph::checked::{CheckedMode, Shared};

/// Blends a track over all layers into `out`. `track` finds the track in a clip, and `rest` is its
/// value without clips. Override layers replace the value by the weight of their clips with the
/// track. Additive layers add differences from the references.
pub(super) fn blend<'g>(
    graph: &'g Shared,
    layers: &[LayerPlayer],
    parameters: &[f32],
    rest: &[f32],
    values: &mut [f32],
    out: &mut [f32],
    track: impl Fn(&'g dyn Playable) -> Option<&'g Track>,
) {
    out.fill(0.0);
    add_scaled(rest, 1.0, out);
    for (player, layer) in layers.iter().zip(&graph.layers) {
        let layer_weight = layer.weight(parameters);
        let sources = player.sources(graph, parameters);
        let with_track = || {
            let playing = sources.iter().filter(|source| source.weight > 0.0);
            playing.filter_map(|source| {
                let clip = &*graph.clips[source.clip];
                Some((source, clip, track(clip)?))
            })
        };
        let is_additive = matches!(layer.mode, CheckedMode::Additive(_));
        if !is_additive {
            let share: f32 = with_track().map(|(source, ..)| source.weight).sum();
            let kept = (1.0 - layer_weight * share).max(0.0);
            out.iter_mut().for_each(|value| *value *= kept);
        }
        for (source, clip, own) in with_track() {
            let weight = layer_weight * source.weight;
            add_sample(own, source.time_secs(clip).0, weight, values, out);
            if !is_additive {
                continue;
            }
            let reference = layer.reference(source.clip);
            match reference.and_then(|r| Some((r, track(&*graph.clips[r.clip])?))) {
                Some((reference, track)) => {
                    add_sample(track, reference.time_secs, -weight, values, out);
                }
                None => add_scaled(rest, -weight, out),
            }
        }
    }
}

pub(super) fn blend_curve(
    graph: &Shared,
    layers: &[LayerPlayer],
    parameters: &[f32],
    name: &str,
    values: &mut [f32],
    out: &mut [f32],
) {
    blend(graph, layers, parameters, &[], values, out, |clip| {
        let curve = clip.curves().iter().find(|curve| curve.name == name)?;
        Some(&curve.track)
    });
}

fn add_sample(track: &Track, time_secs: f64, weight: f32, values: &mut [f32], out: &mut [f32]) {
    let values = &mut values[..track.width()];
    let sampled = track.sample(time_secs, values);
    sampled.expect("space for as many numbers as the track has");
    add_scaled(values, weight, out);
}

fn add_scaled(values: &[f32], weight: f32, out: &mut [f32]) {
    for (out, value) in out.iter_mut().zip(values) {
        *out += weight * *value;
    }
}
