//! `sinew retarget`: a motion onto another character.

use crate::files;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use sinew_io::gltf::{self, ExportOptions};
use sinew_io::{Import, Report};
use sinew_rig::mannequin::Mannequin;
use sinew_rig::retarget::{
    NameMap, RetargetOptions, RetargetReport, names_of_pairs, pair_joints, pairs_from_names,
    retarget,
};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// A file with a skeleton and a clip: glTF, GLB, BVH or .sinew, or - for standard input
    motion: PathBuf,
    /// The character that is to move: a file, or `mannequin` for the built-in one
    #[arg(long, value_name = "CHARACTER")]
    onto: PathBuf,
    /// Where to: .glb, or .gltf with its buffer inside; - for GLB on standard output
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &["glb", "gltf"]))]
    output: PathBuf,
    /// Only this clip, by name or number; all of them otherwise
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// Who follows whom, as JSON: {"source joint": "target joint" or null, …}
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Write the map that was used, to be edited
    #[arg(long, value_name = "FILE")]
    write_map: Option<PathBuf>,
    /// Let feet slide
    #[arg(long)]
    no_feet: bool,
    /// Bring hands to where the motion has them, seen from the shoulders and in spans of the arms; limits
    /// hold. Without it they follow by the turns of arms
    #[arg(long)]
    hands: bool,
    /// From the motion's lengths to the character's, in place of the ratio of hip heights
    #[arg(long, value_name = "FACTOR")]
    scale: Option<f32>,
    /// When the motion's figure stands as at rest (0 for a T pose in its first frame), if its own rest pose is
    /// none to stand in
    #[arg(long, value_name = "SECONDS", value_parser = files::seconds)]
    rest_time: Option<f64>,
    /// Say who follows whom, and what feet do
    #[arg(long)]
    report: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary {
    scale: f32,
    /// x, y, z, w of target_from_source.
    turn: [f32; 4],
    pairs: Vec<PairSummary>,
    shared: Vec<String>,
    unused_source: Vec<String>,
    still_target: Vec<String>,
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
    name: String,
    /// Of the new clip, as are those of feet.
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
    contacts: usize,
    contact_frames: usize,
    slide_before: f32,
    slide_after: f32,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let says = arguments.json || arguments.report;
    if arguments.json && files::is_standard(&arguments.output) {
        let message = "--json and the file cannot both go to standard output";
        return Err(clap::Error::raw(clap::error::ErrorKind::ArgumentConflict, message).into());
    }
    let motion = files::load(&arguments.motion)?;
    let mut onto = character(&arguments.onto)?;
    let file = || files::name(&arguments.motion);
    let (from, target) = (&motion.character, &onto.character.skeleton);
    let clips = match &arguments.clip {
        Some(name) => vec![files::find_clip(from, name).with_context(file)?],
        None => (0..from.clips.len()).collect(),
    };
    if clips.is_empty() {
        bail!("{}: there is no clip to carry over", file());
    }
    let pairs = match &arguments.map {
        Some(path) => pairs_from_names(&from.skeleton, target, &read_map(path)?)
            .with_context(|| files::name(path))?,
        None => pair_joints(&from.skeleton, target)?,
    };
    if let Some(path) = &arguments.write_map {
        let map = names_of_pairs(&from.skeleton, target, &pairs);
        let text = format!("{}\n", serde_json::to_string_pretty(&map)?);
        files::write(path, |out| out.write_all(text.as_bytes()))?;
    }
    let options = RetargetOptions {
        feet: !arguments.no_feet,
        hands: arguments.hands,
        scale: arguments.scale,
        rest_secs: arguments.rest_time,
    };
    let mut carried = Vec::new();
    let mut reports: Vec<(String, RetargetReport)> = Vec::new();
    for clip in clips {
        let clip = &from.clips[clip];
        let what = || format!("{}: clip \"{}\"", file(), clip.name);
        let done = retarget(&from.skeleton, clip, target, &pairs, &options).with_context(what)?;
        reports.push((clip.name.clone(), done.report));
        carried.push(done.clip);
    }
    onto.character.clips = carried;
    let options = ExportOptions {
        source: onto.source.as_ref(),
    };
    let export = gltf::export(&onto.character, &options)?;
    files::say_findings(&export.report);
    let bytes = match files::extension(&arguments.output).as_str() {
        "gltf" => export.to_gltf()?.into_bytes(),
        _ => export.to_glb()?,
    };
    files::write(&arguments.output, |out| out.write_all(&bytes))?;
    if !says {
        return Ok(());
    }
    let summary = summary(reports);
    let text = match arguments.json {
        true => format!("{}\n", serde_json::to_string_pretty(&summary)?),
        false => describe(&summary),
    };
    if files::is_standard(&arguments.output) {
        files::say(text.trim_end());
        return Ok(());
    }
    files::write("-".as_ref(), |out| out.write_all(text.as_bytes()))
}

/// The character to move: a file, unless it is called mannequin and there is no such file.
fn character(path: &Path) -> Result<Import> {
    if path.as_os_str() != "mannequin" || path.exists() {
        return files::load(path);
    }
    Ok(Import {
        character: Mannequin::default().build(),
        report: Report::default(),
        source: None,
    })
}

fn read_map(path: &Path) -> Result<NameMap> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| {
        let wanted = "{\"source joint\": \"target joint\", \"other\": null}";
        format!("{}: a map is JSON such as {wanted}", path.display())
    })
}

fn summary(reports: Vec<(String, RetargetReport)>) -> Summary {
    let first = &reports[0].1;
    let clips = reports.iter().map(|(name, report)| ClipSummary {
        name: name.clone(),
        frames: report.frames,
        hips_lowered: report.hips_lowered,
        unreached_frames: report.unreached_frames,
        feet: (report.feet.iter())
            .map(|foot| FootSummary {
                side: format!("{:?}", foot.side).to_lowercase(),
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
        scale: first.scale,
        turn: first.turn.to_array(),
        pairs: (first.pairs.iter())
            .map(|pair| PairSummary {
                role: pair.role.map(|role| role.to_string()),
                source: pair.source.clone(),
                target: pair.target.clone(),
            })
            .collect(),
        shared: first.shared.clone(),
        unused_source: first.unused_source.clone(),
        still_target: first.still_target.clone(),
        clips: clips.collect(),
    }
}

fn describe(summary: &Summary) -> String {
    let mut text = String::new();
    for pair in &summary.pairs {
        let role = pair.role.as_deref().unwrap_or("same name");
        text += &format!("{role:18} {} -> {}\n", pair.source, pair.target);
    }
    let lists = [
        ("share out what is between", &summary.shared),
        ("not followed", &summary.unused_source),
        ("at rest", &summary.still_target),
    ];
    for (what, names) in lists {
        if !names.is_empty() {
            text += &format!("{what}: {}\n", names.join(", "));
        }
    }
    text += &format!("scale {:.5}\n", summary.scale);
    for clip in &summary.clips {
        text += &format!(
            "\"{}\": {} in the new clip, hips lowered by {:.4} at most, {} out of reach\n",
            clip.name,
            files::counted(clip.frames, "frame"),
            clip.hips_lowered,
            files::counted(clip.unreached_frames, "frame"),
        );
        for foot in &clip.feet {
            text += &format!(
                "  {} foot: stands {}, for {} of the new clip; slid at {:.4} a second at most, now {:.4}\n",
                foot.side,
                files::counted(foot.contacts, "time"),
                files::counted(foot.contact_frames, "frame"),
                foot.slide_before,
                foot.slide_after,
            );
        }
        for hand in &clip.hands {
            text += &format!(
                "  {} hand: was off by {:.4} at most, now {:.4}\n",
                hand.side, hand.off_before, hand.off_after,
            );
        }
    }
    text
}
