//! Time of recipes over takes made by code: with one thread and with all cores in turn, and what they write.
//!
//! `cargo bench -p sinew-batch --bench jobs -- TAKES`, 200 without a number. Prints wall time, CPU time and bytes.

use sinew_batch::Batch;
use sinew_batch::steps::retarget::mannequin;
use sinew_io::bvh::{self, BvhOptions};
use std::fs;
use std::path::Path;
use std::time::Instant;

const RECIPES: [(&str, &str); 4] = [
    (
        "retarget",
        "[[step]]\nverb = \"retarget\"\nonto = \"mannequin\"\nreplace = true\noutput = \"out/{name}.glb\"\n",
    ),
    (
        "clean",
        "[[step]]\nverb = \"clean\"\noutput = \"out/{name}.bvh\"\n",
    ),
    (
        "compress",
        "[[step]]\nverb = \"compress\"\nscale = \"auto\"\noutput = \"out/{name}.sinew\"\n",
    ),
    (
        "all three",
        "[[step]]\nverb = \"clean\"\n[[step]]\nverb = \"retarget\"\nonto = \"mannequin\"\nreplace = true\n[[step]]\nverb = \"compress\"\noutput = \"out/{name}.sinew\"\n",
    ),
];

fn main() {
    let mut takes = std::env::args().filter_map(|word| word.parse().ok());
    let takes: usize = takes.next_back().unwrap_or(200);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let folder = std::env::temp_dir().join(format!("sinew-jobs-{}", std::process::id()));
    let frames = write_takes(&folder, takes) * takes;
    let read = size_of(&folder.join("takes"));
    println!(
        "{takes} takes, {frames} frames, {} bytes per frame",
        read / frames as u64
    );
    for (name, steps) in RECIPES {
        fs::write(
            folder.join("r.toml"),
            format!("inputs = \"takes/*.bvh\"\n{steps}"),
        )
        .expect("the folder is ours");
        let mut least = [f64::INFINITY; 2];
        for _ in 0..3 {
            for (at, jobs) in [1, cores].into_iter().enumerate() {
                let _ = fs::remove_dir_all(folder.join("out"));
                let _ = fs::remove_file(folder.join("r.manifest.jsonl"));
                let (begin, cpu) = (Instant::now(), cpu_secs());
                let batch = Batch::open(&folder.join("r.toml")).expect("a recipe");
                let totals = batch.run(jobs, &|_| ()).expect("a run");
                assert_eq!(totals.done, takes);
                let wall = begin.elapsed().as_secs_f64();
                least[at] = least[at].min(wall);
                println!(
                    "{name}, {jobs} threads: {wall:.2} s, {:.2} s of CPU",
                    cpu_secs() - cpu
                );
            }
        }
        let lines = fs::metadata(folder.join("r.manifest.jsonl")).map_or(0, |m| m.len());
        println!(
            "{name}: {:.0} frames per second with one thread, {:.2} times as many with {cores}; {} bytes out per frame, {} in the manifest per take",
            frames as f64 / least[0],
            least[0] / least[1],
            size_of(&folder.join("out")) / frames as u64,
            lines / takes as u64
        );
    }
    let _ = fs::remove_dir_all(&folder);
}

/// Writes walks that differ in their frame time. Returns the frames of each.
fn write_takes(folder: &Path, takes: usize) -> usize {
    let _ = fs::create_dir_all(folder.join("takes"));
    let mut character = mannequin().character;
    let walk = character.find_clip("walk").expect("a walk");
    let once = character.clips[walk].clone();
    for _ in 0..7 {
        let longer = character.clips[walk].joined(&once, &character.skeleton);
        character.clips[walk] = longer.expect("the same joints");
    }
    let options = BvhOptions::new().clip(Some(walk)).fps(Some(30.0));
    let text = bvh::export(&character, &options).expect("a text").text;
    let (begin, rest) = text.split_once("Frame Time:").expect("a frame time");
    let (_, motion) = rest.split_once('\n').expect("frames");
    for take in 0..takes {
        let secs = 1.0 / 30.0 + 1e-7 * take as f64;
        let text = format!("{begin}Frame Time: {secs:.7}\n{motion}");
        fs::write(folder.join(format!("takes/t{take:05}.bvh")), text).expect("the folder is ours");
    }
    motion.lines().count()
}

fn size_of(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files
        .filter_map(|file| Some(file.metadata().ok()?.len()))
        .sum()
}

/// CPU time of this process so far, of all threads, on Linux.
fn cpu_secs() -> f64 {
    const TICKS_PER_SEC: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = fields.split(' ').skip(11).take(2);
    ticks
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum::<f64>()
        / TICKS_PER_SEC
}
