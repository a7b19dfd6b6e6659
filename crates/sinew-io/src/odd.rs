//! Findings about odd but readable contents: equal names, and keys far outside the body.

use std::collections::BTreeMap;

use sinew::clip::Track;
use sinew::transform::Affine;
use sinew::{Character, ModelPose};

use crate::report::{FileReport, Severity};

/// Max value of a key. Translations are relative to the size of the body: 2000 km for two metres.
/// Scales and morph weights are absolute.
const MAX_KEY: f32 = 1e6;

const DUPLICATE_NAME: &str = "DUPLICATE_NAME";

pub(crate) fn note(character: &Character, report: &mut FileReport) {
    // Text formats have already reported equal names, with the line.
    let is_said = |report: &FileReport| report.findings.iter().any(|f| f.code == DUPLICATE_NAME);
    if !is_said(report) {
        let joints = (0..character.skeleton.len()).map(|joint| character.skeleton.name(joint));
        let apart = "a search by name finds the first; files and clips refer to each by number";
        note_names("joints", apart, joints, report);
    }
    let clips = character.clips.iter().map(|clip| clip.name.as_str());
    let apart = "a search by name finds the first; `--clip NUMBER` finds any of them";
    note_names("clips", apart, clips, report);
    note_keys(character, report);
}

fn note_names<'a>(
    kind: &str,
    apart: &str,
    names: impl Iterator<Item = &'a str>,
    report: &mut FileReport,
) {
    let mut known: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for (index, name) in names.enumerate() {
        let [count, first, second] = known.entry(name).or_default();
        match count {
            0 => *first = index,
            1 => *second = index,
            _ => {}
        }
        *count += 1;
    }
    for (name, [count, first, second]) in known {
        if count > 1 && !name.is_empty() {
            let more = if count > 2 { ", ..." } else { "" };
            let message = format_args!(
                "{count} {kind} are named {name:?} ({first}, {second}{more}): {apart}"
            );
            report.add(Severity::Note, DUPLICATE_NAME, "", message);
        }
    }
}

fn note_keys(character: &Character, report: &mut FileReport) {
    let size = size_of_body(character);
    let mut check = |clip: &str, target: std::fmt::Arguments<'_>, track: &Track, unit: f32| {
        let keys = (0..track.keys()).flat_map(|key| track.key(key));
        let largest = keys.fold(0.0, |largest, value| value.abs().max(largest));
        if largest > MAX_KEY * unit {
            let message = format_args!(
                "{target} has keys up to {largest:e}, far beyond the size of the body; the clip may be damaged"
            );
            let location = format_args!("clip {clip:?}");
            report.add(Severity::Note, "KEY_OUT_OF_RANGE", location, message);
        }
    };
    for clip in &character.clips {
        for tracks in &clip.joints {
            let joint = character.skeleton.name(tracks.joint);
            if let Some(track) = &tracks.translation {
                check(
                    &clip.name,
                    format_args!("the translation of {joint:?}"),
                    track,
                    size,
                );
            }
            if let Some(track) = &tracks.scale {
                check(
                    &clip.name,
                    format_args!("the scale of {joint:?}"),
                    track,
                    1.0,
                );
            }
        }
        for morph in &clip.morphs {
            let target = format_args!("the morph weights of node {}", morph.node);
            check(&clip.name, target, &morph.weights, 1.0);
        }
    }
}

/// Largest coordinate of the vertices and of the joints at rest. 1 if there are none.
fn size_of_body(character: &Character) -> f32 {
    let skeleton = &character.skeleton;
    let mut pose = ModelPose::identity(0);
    let _ = pose.update(skeleton.hierarchy(), skeleton.rest(), &Affine::IDENTITY);
    let joints = pose.as_slice().iter().map(|joint| joint.translation());
    let primitives = character.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let vertices = primitives.flat_map(|primitive| primitive.positions.iter().copied());
    let parts = joints
        .chain(vertices)
        .map(|location| location.abs().max_element());
    let size = parts.filter(|part| part.is_finite()).fold(0.0, f32::max);
    if size > 0.0 { size } else { 1.0 }
}
