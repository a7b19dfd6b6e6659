use crate::files;
use serde::Serialize;
use sinew_batch::steps::retarget::Retargeted;
use sinew_rig::retarget::Stance;

#[derive(Serialize)]
pub struct Summary {
    notes: Vec<String>,
    /// Number of legs that motion and character stand on. `None` if unknown.
    motion_legs: Option<u8>,
    character_legs: Option<u8>,
    /// Clips whose first frame, a T pose for calibration, was left out.
    first_frame_left_out: Vec<String>,
    /// True for animals whose parts were paired by the shape of the bodies.
    by_shape: bool,
    scale: f32,
    /// Rotation `target_from_source`: x, y, z, w.
    rotation: [f32; 4],
    pairs: Vec<PairSummary>,
    shared: Vec<String>,
    unused_source: Vec<String>,
    resting_target: Vec<String>,
    clips: Vec<ClipSummary>,
}

#[derive(Serialize)]
struct PairSummary {
    role: Option<String>,
    source: String,
    target: String,
}

#[derive(Serialize)]
struct ClipSummary {
    /// Name and index in the written file.
    name: String,
    number: usize,
    frames: usize,
    hips_lowered: f32,
    unreached_frames: usize,
    feet: Vec<FootSummary>,
    hands: Vec<HandSummary>,
}

#[derive(Serialize)]
struct HandSummary {
    side: String,
    off_before: f32,
    off_after: f32,
}

#[derive(Serialize)]
struct FootSummary {
    side: String,
    front: bool,
    contacts: usize,
    contact_frames: usize,
    slide_before: f32,
    slide_after: f32,
}

/// Summarises what was done.
pub fn summary(notes: Vec<String>, done: &Retargeted) -> Summary {
    let [motion_legs, character_legs] = done.stances.map(|stance| {
        stance.map(|stance| match stance {
            Stance::TwoLegs => 2,
            Stance::FourLegs => 4,
        })
    });
    let first = &done.reports[0].1;
    let clips = done.reports.iter().map(|(number, report)| ClipSummary {
        name: done.import.character.clips[*number].name.clone(),
        number: *number,
        frames: report.frames,
        hips_lowered: report.hips_lowered,
        unreached_frames: report.unreached_frames,
        feet: (report.feet.iter())
            .map(|foot| FootSummary {
                side: format!("{:?}", foot.side).to_lowercase(),
                front: foot.is_front,
                contacts: foot.contacts.len(),
                contact_frames: foot.contact_frames(),
                slide_before: foot.slide_before,
                slide_after: foot.slide_after,
            })
            .collect(),
        hands: (report.hands.iter())
            .map(|hand| HandSummary {
                side: format!("{:?}", hand.side).to_lowercase(),
                off_before: hand.off_before,
                off_after: hand.off_after,
            })
            .collect(),
    });
    Summary {
        notes,
        motion_legs,
        character_legs,
        first_frame_left_out: done.left_out.clone(),
        by_shape: first.by_shape,
        scale: first.scale,
        rotation: first.rotation.to_array(),
        pairs: (first.pairs.iter())
            .map(|pair| PairSummary {
                role: pair.role.map(|role| role.to_string()),
                source: pair.source.clone(),
                target: pair.target.clone(),
            })
            .collect(),
        shared: first.shared.clone(),
        unused_source: first.unused_source.clone(),
        resting_target: first.resting_target.clone(),
        clips: clips.collect(),
    }
}

/// Formats the report as text.
pub fn describe(summary: &Summary) -> String {
    let mut text = String::new();
    for pair in &summary.pairs {
        let role = pair.role.as_deref().unwrap_or(match summary.by_shape {
            true => "shape or name",
            false => "same name",
        });
        let (source, target) = (files::one_line(&pair.source), files::one_line(&pair.target));
        text += &format!("{role:18} {source} -> {target}\n");
    }
    let lists = [
        ("joints interpolated between pairs", &summary.shared),
        ("unused joints of the motion", &summary.unused_source),
        (
            "joints of the character that stay at rest",
            &summary.resting_target,
        ),
    ];
    for (what, names) in lists {
        if !names.is_empty() {
            text += &format!("{what}: {}\n", files::names(names));
        }
    }
    text += &format!("scale {:.5}\n", summary.scale);
    for clip in &summary.clips {
        text += &format!(
            "\"{}\": {} in the new clip, hips lowered by up to {:.4}, {} in which a foot did not reach its position\n",
            files::one_line(&clip.name),
            files::counted(clip.frames, "frame"),
            clip.hips_lowered,
            files::counted(clip.unreached_frames, "frame"),
        );
        for foot in &clip.feet {
            text += &format!(
                "  {}{} foot: {} with the ground, in {} of the new clip; max slide {:.4} per second without the lock, {:.4} with it\n",
                if foot.front { "front " } else { "" },
                foot.side,
                files::counted(foot.contacts, "contact"),
                files::counted(foot.contact_frames, "frame"),
                foot.slide_before,
                foot.slide_after,
            );
        }
        for hand in &clip.hands {
            text += &format!(
                "  {} hand: max error {:.4} without --hands, {:.4} with it\n",
                hand.side, hand.off_before, hand.off_after,
            );
        }
    }
    text
}
