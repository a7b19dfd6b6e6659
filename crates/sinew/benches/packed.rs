//! Decoding of packed clips, and of `../shared/conformance/bvh` if present: `cargo bench -p sinew
//! --bench packed`.

use divan::Bencher;
use divan::counter::ItemsCount;
use sinew::clip::packed::PackedClip;
use sinew::{Clip, LocalPose, Skeleton};
use sinew_pack::{PackOptions, pack};
use sinew_rig::units::{Unit, unit_of_person};
use sinew_samples::MotionLoad;
use sinew_samples::mannequin::Mannequin;
use std::path::{Path, PathBuf};

const GOLDEN: f64 = 0.618_033_988_75;

fn main() {
    divan::main();
}

fn packed(skeleton: &Skeleton, clip: &Clip, metres: f64) -> PackedClip<'static> {
    let default = PackOptions::default();
    let options = PackOptions::new()
        .max_error((f64::from(default.max_error) / metres) as f32)
        .shell((f64::from(default.shell) / metres) as f32);
    pack(skeleton, clip, &options).expect("can be packed").clip
}

fn decode(bencher: Bencher<'_, '_>, clip: &PackedClip<'_>, step: f64) {
    let duration = f64::from(clip.duration_secs());
    let mut pose = LocalPose::identity(clip.joints());
    let mut time = 0.0;
    bencher
        .counter(ItemsCount::new(clip.joints()))
        .bench_local(|| {
            time += step;
            if time > duration {
                time -= duration;
            }
            clip.sample(divan::black_box(time), &mut pose);
        });
}

fn synthetic(frames: usize) -> PackedClip<'static> {
    let load = MotionLoad::new(frames);
    packed(&load.skeleton, &load.clip, 1.0)
}

#[divan::bench(args = [300, 3000])]
fn forward(bencher: Bencher<'_, '_>, frames: usize) {
    decode(bencher, &synthetic(frames), 0.7 / 60.0);
}

#[divan::bench(args = [300, 3000])]
fn random(bencher: Bencher<'_, '_>, frames: usize) {
    let clip = synthetic(frames);
    decode(bencher, &clip, frames as f64 / 60.0 * GOLDEN);
}

fn names() -> Vec<String> {
    let made = ["captured", "captured slides", "walk", "run", "sword form"];
    let mut names: Vec<String> = made.map(str::to_owned).into();
    names.extend(files().iter().map(|file| file.display().to_string()));
    names
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance/bvh");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| {
        file.extension().is_some_and(|e| e == "bvh") && !file.ends_with("Geno_bind.bvh")
    });
    files.sort();
    files
}

fn named(name: &str) -> PackedClip<'static> {
    match name {
        "captured" | "captured slides" => {
            let load = MotionLoad::captured(600, name != "captured");
            packed(&load.skeleton, &load.clip, 1.0)
        }
        "walk" | "run" | "sword form" => {
            let person = Mannequin::default().build();
            let mut clips = person.clips.iter();
            let clip = clips.find(|clip| clip.name == name).expect("its clip");
            packed(&person.skeleton, clip, 1.0)
        }
        file => {
            let character = sinew_io::import(file).expect("can be read").character;
            let metres = match unit_of_person(&character.skeleton) {
                Unit::Unknown {
                    longest: Some(longest),
                } if longest > 0.0 => 1.75 / f64::from(longest),
                unit => unit.metres(),
            };
            packed(&character.skeleton, &character.clips[0], metres)
        }
    }
}

#[divan::bench(args = names())]
fn next_frame(bencher: Bencher<'_, '_>, name: &str) {
    let clip = named(name);
    decode(bencher, &clip, 1.0 / clip.frames_per_sec());
}

#[divan::bench(args = names())]
fn anywhere(bencher: Bencher<'_, '_>, name: &str) {
    let clip = named(name);
    decode(bencher, &clip, f64::from(clip.duration_secs()) * GOLDEN);
}
