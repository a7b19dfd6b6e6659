//! Captures cleaned, with their measures before and after.

use super::checks::counted;
use super::tracks::{below_layers, set_below};
use crate::document::Document;
use crate::edit::Clean;
use crate::error::Reason;
use crate::report::Report;
use sinew::clip::ClipSpace;
use sinew_rig::clean::{CleanOptions, CleanReport, clean};
use sinew_rig::motion::{MotionOptions, MotionReport, measure_motion};

/// Cleans the motion below the layers.
pub fn run(document: &mut Document, edit: &Clean) -> Result<Report, Reason> {
    let at = document.find_clip(&edit.clip)?;
    if edit.no_filter && edit.cutoff.is_some() {
        return Err(Reason::Nothing("`cutoff` has no effect with `no_filter`"));
    }
    if edit.no_feet && edit.floor.is_some() {
        return Err(Reason::Nothing("`floor` has no effect with `no_feet`"));
    }
    let skeleton = document.skeleton().clone();
    let before = document.motions()[at].clone();
    if before.clip.space == ClipSpace::Model {
        return Err(Reason::InModel(before.clip.name.clone()));
    }
    let options = CleanOptions::new()
        .gaps(!edit.no_gaps)
        .spikes(!edit.no_spikes)
        .filter(!edit.no_filter)
        .cutoff_hz(edit.cutoff)
        .limits(!edit.no_limits)
        .feet(!edit.no_feet)
        .floor(edit.floor)
        .range_secs(edit.range);
    let below = below_layers(&before);
    let done = clean(&skeleton, &below, &options)?;
    let measures = MotionOptions::new().floor(edit.floor);
    let measured = |clip| measure_motion(&skeleton, clip, None, &measures);
    let text = text(
        &done.report,
        [measured(&below)?, measured(&done.clip)?].each_ref(),
    );
    set_below(document.motion_mut(at), &skeleton, done.clip, &before);
    Ok(Report::clip(at, format!("cleaned {}: {text}", edit.clip)))
}

/// Summary of the steps, then slide and jerk before and after.
fn text(steps: &CleanReport, [before, after]: [&MotionReport; 2]) -> String {
    let mut parts = Vec::new();
    let filled = [(&steps.gaps, "gap"), (&steps.spikes, "spike")];
    for (report, what) in filled {
        parts.extend(report.as_ref().map(|r| counted(r.runs, what)));
    }
    let filter = steps.filter.as_ref();
    parts.extend(filter.map(|r| format!("{} filtered", counted(r.cutoffs_hz.len(), "channel"))));
    let limits = steps.limits.as_ref();
    parts.extend(limits.map(|r| format!("{} clamped", counted(r.keys, "key"))));
    let feet = steps.feet.as_ref();
    parts.extend(feet.map(|r| format!("{} held", counted(r.contacts, "contact"))));
    let slide = |report: &MotionReport| Some(report.ground.as_ref()?.slide?.mean_cm_s);
    if let [Some(from), Some(to)] = [slide(before), slide(after)] {
        parts.push(format!("slide {from:.1} to {to:.1} cm/s"));
    }
    let [from, to] = [before.jerk_mean, after.jerk_mean];
    parts.push(format!("jerk {from:.0} to {to:.0} m/s³"));
    parts.join(", ")
}
