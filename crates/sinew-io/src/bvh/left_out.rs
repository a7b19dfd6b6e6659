//! Findings about data that a BVH file cannot hold.

use sinew::clip::Clip;
use sinew::{Character, Interpolation};

use super::options::MovedOffsets;
use super::rate::Rate;
use super::standing::Standing;
use crate::report::{FileReport, Severity};

const NAMED: usize = 4;

pub(super) fn report_lost(
    character: &Character,
    clip: Option<&Clip>,
    standing: &Standing<'_>,
    rate: &Rate,
    report: &mut FileReport,
) {
    let mut ignored = |code, message: String| report.add(Severity::Ignored, code, "", message);
    let counts = [
        (character.meshes.len(), "meshes"),
        (character.skins.len(), "skins"),
        (character.lights.len(), "lights"),
        (character.correctives.len(), "correctives"),
        (character.bindings.len(), "bindings"),
    ];
    let counts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if !counts.is_empty() {
        let counts = counts.join(", ");
        ignored(
            "NO_MESHES",
            format!("BVH has only joints and their motion; left out: {counts}"),
        );
    }
    let others = character.clips.len() - usize::from(clip.is_some());
    if let (Some(clip), 1..) = (clip, others) {
        let name = &clip.name;
        ignored(
            "OTHER_CLIPS",
            format!("BVH has one clip; {name:?} was written, the others were left out ({others})"),
        );
    }
    let skeleton = &character.skeleton;
    let rests = (0..skeleton.len()).map(|joint| skeleton.rest().get(joint));
    let is_scaled = rests.into_iter().any(|rest| rest.scale != glam::Vec3::ONE);
    let tracks = clip.map_or(&[][..], |clip| &clip.joints);
    if is_scaled || tracks.iter().any(|tracks| tracks.scale.is_some()) {
        let message = "BVH has no scale; offsets and positions keep the joints in position, but meshes attached to them are not scaled";
        ignored("SCALE", message.to_owned());
    }
    if let Some(clip) = clip {
        for (count, what, code) in [
            (clip.morphs.len(), "tracks of morph weights", "MORPHS"),
            (clip.curves.len(), "curves", "CURVES"),
            (clip.events.len(), "events", "EVENTS"),
        ] {
            if count > 0 {
                ignored(
                    code,
                    format!("BVH cannot store {count} {what}; they were left out"),
                );
            }
        }
    }
    let limited = |&joint: &usize| skeleton.freedom(joint).is_limited();
    let limits = (0..skeleton.len()).filter(limited).count();
    if limits > 0 {
        ignored(
            "LIMITS",
            format!("BVH has no limits; the limits of {limits} joints were left out"),
        );
    }
    if rate.is_resampled && clip.is_some() {
        let fps = rate.frame_secs.recip();
        let message = if tracks_step(clip) {
            "; between frames the motion is linear, even if the clip jumps there"
        } else {
            "; between frames the motion is linear"
        };
        let message = format_args!("the clip was sampled at {fps:.3} frames per second{message}");
        report.add(Severity::Note, "RESAMPLED", "", message);
    }
    if standing.has_rest_rotations() {
        let message = "BVH has no rest rotations; to keep the rest pose, angles were written relative to it, about the axes of the model";
        report.add(Severity::Note, "TURNED_AT_REST", "", message);
    }
}

fn tracks_step(clip: Option<&Clip>) -> bool {
    let tracks = clip.map_or(&[][..], |clip| &clip.joints).iter();
    let mut tracks = tracks.flat_map(|j| [&j.translation, &j.rotation, &j.scale]);
    tracks.any(|track| {
        let how = track.as_ref().map(|track| track.interpolation());
        how == Some(Interpolation::Step)
    })
}

/// Reports changed offsets. `joints` have position channels and nonzero rest positions.
pub(super) fn report_offsets<'a>(
    joints: impl Iterator<Item = &'a str>,
    offsets: MovedOffsets,
    report: &mut FileReport,
) {
    let names: Vec<&str> = joints.collect();
    if names.is_empty() {
        return;
    }
    let mut list = names[..names.len().min(NAMED)].join(", ");
    if names.len() > NAMED {
        list += &format!(" and {} more", names.len() - NAMED);
    }
    let (code, message) = match offsets {
        MovedOffsets::Zero => (
            "OFFSETS_ZERO",
            "their offset is 0, because some programs add positions to offsets, and others replace offsets by positions",
        ),
        MovedOffsets::Rest => (
            "OFFSETS_KEPT",
            "their offset is kept; three.js adds positions to it, other programs replace it",
        ),
    };
    let message = format_args!("{list} have position channels: {message}");
    report.add(Severity::Note, code, "", message);
}
