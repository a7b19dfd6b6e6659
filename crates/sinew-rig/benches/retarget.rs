//! Frames per second of retargeting with held feet on one core, from BVH file to GLB and BVH file,
//! for the shared captures on the mannequin. The baseline is the time for splitting the text of the
//! files and parsing the numbers. Each time is that of the fastest of many runs.
//! Run with `cargo bench -p sinew-rig --bench retarget`.

use sinew::Character;
use sinew_io::gltf::{self, ExportOptions};
use sinew_io::{Import, bvh, import_bytes};
use sinew_rig::retarget::{RetargetOptions, Retargeted, Retargeter, pair_joints};
use sinew_samples::mannequin::Mannequin;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const CAPTURES: [&str; 7] = [
    "animateddrawings_fair1_dab",
    "cmu_02_03",
    "cmu_09_01",
    "pybvh_example",
    "pybvh_test3",
    "pymo_AV_8Walk_Meredith",
    "threejs_pirouette",
];
/// Time for runs of each row.
const BUDGET: Duration = Duration::from_secs(4);

fn main() {
    let folder = "../../../shared/conformance/bvh";
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let paths = CAPTURES.map(|name| folder.join(name).with_extension("bvh"));
    if let Some(missing) = paths.iter().find(|path| !path.exists()) {
        println!("skipped: {} is not there", missing.display());
        return;
    }
    let mut body = Mannequin::default().build();
    body.clips.clear();
    let bytes: Vec<Vec<u8>> = paths.iter().map(read).collect();
    let imports: Vec<Import> = bytes.iter().map(|bytes| import(bytes)).collect();
    let done: Vec<Retargeted> = imports.iter().map(|from| retargeted(from, &body)).collect();
    let frames = imports
        .iter()
        .map(|from| keys(&from.character))
        .sum::<usize>();
    println!(
        "{} files, {frames} frames, {} joints",
        paths.len(),
        body.skeleton.len()
    );
    let out = std::env::temp_dir().join(format!("sinew_retarget_{}", std::process::id()));
    let rows: [Row<'_>; 7] = [
        (
            "parse the numbers",
            Box::new(|| each(&bytes, |bytes| numbers(bytes))),
        ),
        ("import", Box::new(|| each(&bytes, |bytes| import(bytes)))),
        (
            "prepare",
            Box::new(|| each(&imports, |from| drop(black_box(prepared(from, &body))))),
        ),
        (
            "retarget",
            Box::new(|| each(&imports, |from| retargeted(from, &body))),
        ),
        (
            "export GLB",
            Box::new(|| each(&done, |done| glb(&body, done))),
        ),
        (
            "file to GLB",
            Box::new(|| each(&paths, |path| file_to_glb(path, &body, &out))),
        ),
        (
            "file to BVH",
            Box::new(|| each(&paths, |path| file_to_bvh(path, &body, &out))),
        ),
    ];
    let mut baseline = None;
    for (name, job) in &rows {
        let secs = best(job);
        let baseline = *baseline.get_or_insert(secs);
        let rate = frames as f64 / secs;
        println!(
            "{name:18} {:>8.2} ms {rate:>9.0} frames/s {:>7.2} times the baseline",
            secs * 1e3,
            secs / baseline
        );
    }
    let _ = std::fs::remove_file(&out);
}

type Row<'a> = (&'static str, Box<dyn Fn() + 'a>);

fn read(path: &PathBuf) -> Vec<u8> {
    std::fs::read(path).expect("a file")
}

fn numbers(bytes: &[u8]) -> f64 {
    let text = std::str::from_utf8(bytes).expect("text");
    let numbers = text.split_ascii_whitespace();
    numbers.filter_map(|n| n.parse::<f64>().ok()).sum()
}

fn import(bytes: &[u8]) -> Import {
    import_bytes(bytes).expect("a motion")
}

fn keys(character: &Character) -> usize {
    let tracks = character.clips[0].tracks();
    tracks.map(|track| track.keys()).max().unwrap_or(0)
}

fn prepared<'a>(from: &'a Import, onto: &'a Character) -> Retargeter<'a> {
    let (source, target) = (&from.character.skeleton, &onto.skeleton);
    let pairs = pair_joints(source, target).expect("pairs");
    Retargeter::new(source, target, &pairs, &RetargetOptions::default()).expect("two bodies")
}

fn retargeted(from: &Import, onto: &Character) -> Retargeted {
    let clip = &from.character.clips[0];
    prepared(from, onto).retarget(clip).expect("a clip")
}

fn with_clip(body: &Character, done: &Retargeted) -> Character {
    let mut body = body.clone();
    body.clips.push(done.clip.clone());
    body
}

fn glb(body: &Character, done: &Retargeted) -> Vec<u8> {
    gltf::to_glb(&with_clip(body, done), &ExportOptions::default()).expect("a file")
}

fn file_to_glb(path: &PathBuf, body: &Character, out: &Path) {
    let done = retargeted(&import(&read(path)), body);
    std::fs::write(out, glb(body, &done)).expect("written");
}

fn file_to_bvh(path: &PathBuf, body: &Character, out: &Path) {
    let done = retargeted(&import(&read(path)), body);
    let export = bvh::export(&with_clip(body, &done), &Default::default()).expect("a file");
    std::fs::write(out, export.text).expect("written");
}

fn each<T, R>(items: &[T], job: impl Fn(&T) -> R) {
    for item in items {
        black_box(job(item));
    }
}

fn best(job: &dyn Fn()) -> f64 {
    let (mut best, begin) = (f64::INFINITY, Instant::now());
    while begin.elapsed() < BUDGET {
        let start = Instant::now();
        job();
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}
