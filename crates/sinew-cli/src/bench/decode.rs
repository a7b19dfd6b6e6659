//! Decoding of packed clips, and playing of the same clips without packing, forward and at random times: synthetic
//! motion, the mannequin, and files.

use super::plain_pose::PlainFrames;
use super::table::{Bench, Row};
use super::times::{FRAMES, random_times};
use crate::files;
use anyhow::{Context, Result};
use sinew::clip::packed::PackedClip;
use sinew::simd::Level;
use sinew_pack::{PackOptions, pack};
use sinew_rig::units::{Unit, unit_of};
use sinew_samples::MotionLoad;
use sinew_samples::mannequin::Mannequin;
use std::cell::LazyCell;
use std::hint::black_box;
use std::path::{Path, PathBuf};

const POSES: usize = 200;

pub fn run(bench: &mut Bench<'_>, clips: Option<&Path>) -> Result<()> {
    let synthetic = MotionLoad::new(FRAMES);
    by_joint(bench, &synthetic)?;
    for (name, slides) in [("captured", false), ("captured-slides", true)] {
        let load = || Ok(MotionLoad::captured(FRAMES, slides));
        by_pose(bench, name, 1.0, load)?;
    }
    let person = LazyCell::new(|| Mannequin::default().build());
    for clip in ["walk", "run", "wave", "sword form"] {
        let name = format!("mannequin-{}", clip.replace(' ', "-"));
        by_pose(bench, &name, 1.0, || {
            let found = files::find_clip(&person, clip)?;
            Ok(MotionLoad {
                skeleton: person.skeleton.clone(),
                clip: person.clips[found].clone(),
            })
        })?;
    }
    for path in clips.map(files_in).transpose()?.unwrap_or_default() {
        let import = files::load_quietly(&path)?;
        let unit = unit_of(import.metres_per_unit(), &import.character.skeleton);
        let (metres, character) = (metres(unit), import.character);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        for (number, clip) in character.clips.iter().enumerate() {
            let name = match number {
                0 => stem.to_string(),
                _ => format!("{stem}-{number}"),
            };
            by_pose(bench, &name, metres, || {
                Ok(MotionLoad {
                    skeleton: character.skeleton.clone(),
                    clip: clip.clone(),
                })
            })?;
        }
    }
    Ok(())
}

/// Metres per unit. A figure of unknown unit is scaled to 1.75 m.
fn metres(unit: Unit) -> f64 {
    match unit {
        Unit::Unknown {
            longest: Some(longest),
        } if longest > 0.0 => 1.75 / f64::from(longest),
        known => known.metres(),
    }
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder);
    let entries = entries.with_context(|| format!("cannot read {}", folder.display()))?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut paths = paths.collect::<Result<Vec<_>>>()?;
    paths.retain(|path| {
        let extension = files::extension(path);
        ["bvh", "gltf", "glb", "vrm", "sinew"].contains(&extension.as_str())
    });
    paths.sort();
    Ok(paths)
}

fn times(packed: &PackedClip<'_>) -> [Vec<f64>; 2] {
    let frames = packed.frames().max(1);
    let forward = (0..POSES).map(|n| (n % frames) as f64 / packed.frames_per_sec());
    let random = random_times(POSES, f64::from(packed.duration_secs()));
    [forward.collect(), random]
}

/// Measures decoding. The plain code interpolates two frames of uncompressed `f32` per component, and normalises.
fn seconds(
    bench: &Bench<'_>,
    load: &MotionLoad,
    packed: &PackedClip<'_>,
    times: &[f64],
) -> [f64; 2] {
    let frames = PlainFrames::new(load, packed.frames_per_sec());
    let mut pose = load.skeleton.rest().clone();
    let mut plain = frames.pose();
    bench.fastest([
        &mut || {
            for &time in times {
                packed.sample(time, black_box(&mut pose));
            }
        },
        &mut || {
            for &time in times {
                frames.sample(time, black_box(&mut plain));
            }
        },
    ])
}

/// Measures the plain clip as a rig plays it, and the packed clip.
fn plain_and_packed(
    bench: &Bench<'_>,
    load: &MotionLoad,
    packed: &PackedClip<'_>,
    times: &[f64],
) -> Result<[f64; 2]> {
    let prepared = load.clip.clone().prepared();
    let mut pose = load.skeleton.rest().clone();
    prepared.sample_into(&load.skeleton, 0.0, &mut pose)?;
    let mut other = pose.clone();
    Ok(bench.fastest([
        &mut || {
            for &time in times {
                // It fits, as it did above.
                let _ = prepared.sample_into(&load.skeleton, time, black_box(&mut pose));
            }
        },
        &mut || {
            for &time in times {
                packed.sample(time, black_box(&mut other));
            }
        },
    ]))
}

/// Measures the time per joint of a figure whose joints all rotate.
fn by_joint(bench: &mut Bench<'_>, load: &MotionLoad) -> Result<()> {
    let names = ["clip/decode/forward", "clip/decode/random"];
    if !names.iter().any(|name| bench.wants(name)) {
        return Ok(());
    }
    let packed = pack(&load.skeleton, &load.clip, &PackOptions::default())?;
    let packed = packed.clip.at_level(bench.level);
    for (name, times) in names.into_iter().zip(times(&packed)) {
        if bench.wants(name) {
            let [fast, slow] = seconds(bench, load, &packed, &times);
            bench.add_motion(name, times.len() * load.skeleton.len(), fast, slow);
        }
    }
    Ok(())
}

/// Measures the time per pose of a clip packed within 0.1 mm, and of the plain clip. Counts the tracks that move; the counts of translations,
/// rotations and scales are rounded up to multiples of sixteen.
fn by_pose(
    bench: &mut Bench<'_>,
    name: &str,
    metres: f64,
    load: impl FnOnce() -> Result<MotionLoad>,
) -> Result<()> {
    let ways = ["forward", "random"];
    let names = ways.map(|way| format!("clip/decode/{name}/{way}"));
    let plain_names = ways.map(|way| format!("clip/plain/{name}/{way}"));
    let are_wanted = names
        .iter()
        .chain(&plain_names)
        .map(|name| bench.wants(name));
    if are_wanted.filter(|is_wanted| *is_wanted).count() == 0 {
        return Ok(());
    }
    let load = load()?;
    let default = PackOptions::default();
    let options = PackOptions::new()
        .max_error((f64::from(default.max_error) / metres) as f32)
        .shell((f64::from(default.shell) / metres) as f32);
    let packed = pack(&load.skeleton, &load.clip, &options)?;
    let packed = packed.clip.at_level(bench.level);
    let slots = packed.packed_tracks().map(|n| n.next_multiple_of(16));
    let slots = slots.into_iter().sum();
    if slots == 0 {
        return Ok(());
    }
    let times = times(&packed);
    for (name, times) in names.into_iter().zip(&times) {
        if bench.wants(&name) {
            let [fast, slow] = seconds(bench, &load, &packed, times);
            bench.add(Row {
                name,
                slots: Some(slots),
                items: times.len(),
                ns_per_item: fast * 1e9 / times.len() as f64,
                times_plain: Some(fast / slow),
                level: bench.level.name(),
                ..Row::default()
            });
        }
    }
    // A plain clip always plays with the best instruction set.
    let (packed, level) = (packed.at_level(Level::best()), Level::best().name());
    for (name, times) in plain_names.into_iter().zip(&times) {
        if bench.wants(&name) {
            let [plain, fast] = plain_and_packed(bench, &load, &packed, times)?;
            bench.add(Row {
                name,
                slots: Some(slots),
                items: times.len(),
                ns_per_item: plain * 1e9 / times.len() as f64,
                times_packed: Some(plain / fast),
                level,
                ..Row::default()
            });
        }
    }
    Ok(())
}
