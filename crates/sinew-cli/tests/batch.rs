//! `sinew batch`.

use crate::mocap::{c3d, walk};
use crate::program::{folder, good, json, refused, run, write};
use crate::retarget::wave;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const EVERY_STEP: &str = r#"
inputs = "takes/**/*.bvh"
summary = "out/summary.csv"

[[step]]
verb = "clean"
no-limits = true
output = "out/clean/{folder}/{name}.bvh"

[[step]]
verb = "measure"
motion = true
from = "input"

[[step]]
name = "moved"
verb = "retarget"
from = "input"
onto = "mannequin"
replace = true
output = "out/moved/{folder}/{name}.glb"

[[step]]
verb = "compress"
from = "input"
scale = "auto"
output = "out/packed/{folder}/{name}.sinew"

[[step]]
verb = "convert"
from = "input"
scale = 0.01
output = "out/converted/{folder}/{name}.glb"

[[step]]
verb = "clip"
from = "input"
trim = "0.2..0.8"
reverse = true
event = ["0.1=grasp", "0.3=drop"]
curve = "fade=0:0,0.5:1"
take = "other.bvh"
clip = "walk"
rename = "step"
output = "out/cut/{folder}/{name}.glb"
"#;

const MOCAP: &str = r#"
inputs = "takes/*.c3d"
[[step]]
verb = "mocap"
symmetric = true
static = "stand.c3d"
output = "out/{name}.glb"
[[step]]
verb = "convert"
output = "out/{name}.bvh"
"#;

const CLEAN: &str =
    "inputs = \"takes/*.bvh\"\n[[step]]\nverb = \"clean\"\noutput = \"out/{name}.bvh\"\n";

/// An empty folder.
fn empty(name: &str) -> PathBuf {
    let _ = fs::remove_dir_all(folder(name));
    folder(name)
}

/// A take that differs from those of other numbers.
fn take(number: usize) -> String {
    let (secs, other) = ("0.0333333", format!("0.0333{number:03}"));
    wave().replace(secs, &other)
}

/// A folder with takes and a recipe.
fn takes(name: &str, recipe: &str, count: usize) -> PathBuf {
    let folder = empty(name);
    fs::create_dir(folder.join("takes")).expect("the folder is ours");
    for number in 0..count {
        write(&folder, &format!("takes/t{number:03}.bvh"), take(number));
    }
    write(&folder, "r.toml", recipe);
    folder
}

/// All files below a folder, with their bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(inside) = open.pop() {
        for entry in fs::read_dir(&inside).into_iter().flatten().flatten() {
            if entry.path().is_dir() {
                open.push(entry.path());
            } else {
                let name = entry.path().strip_prefix(folder).expect("below").to_owned();
                found.insert(name, fs::read(entry.path()).expect("a file"));
            }
        }
    }
    found
}

/// Numbers of inputs at the end of the report.
fn totals(report: &str) -> [u64; 4] {
    let last = json(report.lines().last().expect("a line"));
    ["inputs", "done", "skipped", "failed"].map(|name| last[name].as_u64().expect("a number"))
}

#[test]
fn outputs_are_those_of_the_verbs() {
    let folder = empty("batch_verbs");
    fs::create_dir_all(folder.join("takes/monday")).expect("the folder is ours");
    write(&folder, "takes/monday/walk.bvh", wave());
    write(&folder, "other.bvh", take(7));
    write(&folder, "r.toml", EVERY_STEP);
    good(&folder, &["batch", "r.toml"]);
    let input = "takes/monday/walk.bvh";
    for (verb, output) in [
        ("clean --no-limits", "clean/monday/walk.bvh"),
        (
            "retarget --onto mannequin --replace",
            "moved/monday/walk.glb",
        ),
        ("compress --scale auto", "packed/monday/walk.sinew"),
        ("convert --scale 0.01", "converted/monday/walk.glb"),
        (
            "clip --trim 0.2..0.8 --reverse --event 0.1=grasp --event 0.3=drop --curve fade=0:0,0.5:1 --take other.bvh --clip walk --rename step",
            "cut/monday/walk.glb",
        ),
    ] {
        let alone = Path::new(output)
            .extension()
            .expect("one")
            .to_string_lossy();
        let alone = format!("alone.{alone}");
        let mut words: Vec<&str> = verb.split(' ').collect();
        words.extend([input, "-o", &alone]);
        good(&folder, &words);
        let [ours, theirs] = [format!("out/{output}"), alone]
            .map(|name| fs::read(folder.join(name)).expect("it was written"));
        assert!(ours == theirs, "{verb}");
    }
    let summary = fs::read_to_string(folder.join("out/summary.csv")).expect("a table");
    let rows: Vec<&str> = summary.lines().collect();
    assert_eq!(rows.len(), 4, "{summary}");
    let columns = rows[0].split(',').count();
    for (row, step) in rows[1..]
        .iter()
        .zip(["clean before", "clean after", "measure"])
    {
        let begin = format!("{input},done,{step},walk,31,");
        assert!(
            row.starts_with(&begin) && row.split(',').count() == columns,
            "{row}"
        );
    }
    // Cleaning measures the same as measuring.
    let values = |row: &str| {
        row.split(',')
            .skip(6)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(values(rows[1])[..12], values(rows[3])[..12]);
}

#[test]
fn takes_of_markers_become_motion() {
    let folder = empty("batch_mocap");
    fs::create_dir(folder.join("takes")).expect("the folder is ours");
    let file = c3d(&walk(24)).bytes();
    write(&folder, "takes/walk.c3d", &file);
    write(&folder, "takes/cut.c3d", &file[..700]);
    write(&folder, "stand.c3d", c3d(&walk(12)).bytes());
    write(&folder, "r.toml", MOCAP);
    let report = run(&folder, &["batch", "r.toml", "--json"]);
    let report = String::from_utf8(report.stdout).expect("text");
    assert_eq!(totals(&report), [2, 1, 0, 1], "{report}");
    let alone = "mocap --symmetric --static stand.c3d takes/walk.c3d -o alone.glb";
    good(&folder, &alone.split(' ').collect::<Vec<_>>());
    good(&folder, &["convert", "alone.glb", "-o", "alone.bvh"]);
    for end in ["glb", "bvh"] {
        let names = [format!("out/walk.{end}"), format!("alone.{end}")];
        let [ours, theirs] = names.map(|name| fs::read(folder.join(name)).expect("a file"));
        assert!(ours == theirs, "{end}");
    }
    // Another static trial is another recipe.
    write(&folder, "stand.c3d", c3d(&walk(13)).bytes());
    let again = run(&folder, &["batch", "r.toml", "--json"]);
    let again = String::from_utf8(again.stdout).expect("text");
    assert_eq!(totals(&again), [2, 1, 0, 1], "{again}");
}

#[test]
fn options_of_steps_are_those_of_the_verbs() {
    let folder = takes("batch_options", "", 1);
    for verb in [
        "clean", "clip", "compress", "convert", "measure", "mocap", "retarget",
    ] {
        let recipe = CLEAN.replace("\"clean\"", &format!("\"{verb}\"\nnothing = 1"));
        write(&folder, "r.toml", recipe);
        let said = String::from_utf8(run(&folder, &["batch", "r.toml"]).stderr).expect("text");
        let options: Vec<&str> = said.split('`').skip(3).step_by(2).collect();
        assert!(
            said.contains("unknown field `nothing`") && options.len() > 2,
            "{said}"
        );
        let help = good(&folder, &["help", verb]);
        for option in options {
            assert!(help.contains(&format!("--{option}")), "{verb}: {option}");
        }
    }
}

#[test]
fn a_second_run_does_only_what_changed() {
    let folder = takes("batch_again", CLEAN, 4);
    let batch = ["batch", "r.toml", "--json"];
    let listed = good(&folder, &["batch", "r.toml", "--dry-run"]);
    assert!(
        listed.contains("takes/t003.bvh") && !folder.join("out").exists(),
        "{listed}"
    );
    assert_eq!(totals(&good(&folder, &batch)), [4, 4, 0, 0]);
    let before = files(&folder.join("out"));
    assert_eq!(before.len(), 4);
    let report = good(&folder, &batch);
    assert_eq!((totals(&report), report.lines().count()), ([4, 0, 4, 0], 1));
    // A changed input.
    write(&folder, "takes/t001.bvh", take(100));
    let report = good(&folder, &batch);
    assert_eq!(totals(&report), [4, 1, 3, 0]);
    assert_eq!(
        json(report.lines().next().expect("a line"))["input"],
        "takes/t001.bvh"
    );
    let after = files(&folder.join("out"));
    let changed = before
        .iter()
        .filter(|(name, bytes)| after[*name] != **bytes);
    assert_eq!(changed.count(), 1);
    // A missing output.
    fs::remove_file(folder.join("out/t002.bvh")).expect("it was written");
    assert_eq!(totals(&good(&folder, &batch)), [4, 1, 3, 0]);
    assert!(files(&folder.join("out")) == after);
    // A new input, and a comment in the recipe.
    write(&folder, "takes/t900.bvh", take(900));
    write(&folder, "r.toml", format!("# nightly\n{CLEAN}"));
    assert_eq!(totals(&good(&folder, &batch)), [5, 1, 4, 0]);
    // Another option.
    write(&folder, "r.toml", format!("{CLEAN}no-feet = true\n"));
    assert_eq!(totals(&good(&folder, &batch)), [5, 5, 0, 0]);
}

#[test]
fn a_bad_file_stops_nothing() {
    let folder = takes("batch_bad", &format!("summary = \"s.csv\"\n{CLEAN}"), 3);
    write(&folder, "takes/a.bvh", "not a motion, \"at all\"");
    fs::create_dir(folder.join("takes/b")).expect("the folder is ours");
    let output = run(&folder, &["batch", "r.toml"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("takes/a.bvh: ") && said.contains("1 of 4 inputs failed"),
        "{said}"
    );
    assert_eq!(files(&folder.join("out")).len(), 3);
    let summary = fs::read_to_string(folder.join("s.csv")).expect("a table");
    assert!(summary.contains("\ntakes/a.bvh,failed,,,,,"), "{summary}");
    // It is not tried again, and still fails the run.
    let again = run(&folder, &["batch", "r.toml", "--json"]);
    assert_eq!(again.status.code(), Some(1));
    assert_eq!(
        totals(&String::from_utf8_lossy(&again.stdout)),
        [4, 0, 3, 1]
    );
    write(&folder, "takes/a.bvh", take(10));
    assert_eq!(
        totals(&good(&folder, &["batch", "r.toml", "--json"])),
        [4, 1, 3, 0]
    );
}

fn start(folder: &Path, report: Stdio) -> Child {
    Command::new(env!("CARGO_BIN_EXE_sinew"))
        .current_dir(folder)
        .args(["batch", "r.toml", "--json", "--jobs", "2"])
        .stdout(report)
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs")
}

fn lines(folder: &Path) -> Vec<Value> {
    let manifest = fs::read_to_string(folder.join("r.manifest.jsonl")).unwrap_or_default();
    manifest
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

#[test]
fn a_killed_run_is_completed_by_the_next() {
    const COUNT: usize = 40;
    let folder = takes("batch_killed", CLEAN, COUNT);
    let mut running = start(&folder, Stdio::null());
    let begin = Instant::now();
    while lines(&folder).len() < 5 && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    running.kill().expect("it runs");
    running.wait().expect("it ends");
    let done = lines(&folder).len();
    assert!((5..COUNT).contains(&done), "{done}");
    // The kill may also have cut the last line.
    let manifest = folder.join("r.manifest.jsonl");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    let end = text.rfind('\n').expect("a line");
    fs::write(&manifest, &text[..end - 9]).expect("the folder is ours");
    let [_, now, before, failed] = totals(&good(&folder, &["batch", "r.toml", "--json"]));
    assert_eq!([before, failed], [done as u64 - 1, 0]);
    assert_eq!(now, (COUNT - done) as u64 + 1);
    let whole = takes("batch_whole", CLEAN, COUNT);
    good(&whole, &["batch", "r.toml", "--jobs", "1"]);
    let [ours, theirs] = [&folder, &whole].map(|folder| files(&folder.join("out")));
    let is_output = |name: &PathBuf| !name.to_string_lossy().ends_with(".part");
    let ours: BTreeMap<_, _> = ours
        .into_iter()
        .filter(|(name, _)| is_output(name))
        .collect();
    assert!(ours == theirs);
    assert_eq!(lines(&folder).len(), COUNT);
}

#[test]
fn two_processes_share_the_work() {
    const COUNT: usize = 40;
    let folder = takes("batch_two", CLEAN, COUNT);
    let running = [(); 2].map(|()| start(&folder, Stdio::piped()));
    let done = running.map(|running| {
        let output = running.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0));
        totals(&String::from_utf8(output.stdout).expect("text"))
    });
    for [inputs, done, skipped, failed] in done {
        assert_eq!((done + skipped, failed), (inputs, 0));
    }
    assert_eq!(files(&folder.join("out")).len(), COUNT);
    // Without locks, work could be done twice.
    if cfg!(unix) {
        assert_eq!(done[0][1] + done[1][1], COUNT as u64, "{done:?}");
        assert_eq!(lines(&folder).len(), COUNT);
    }
}

#[test]
fn bad_recipes_are_refused_before_any_work() {
    let folder = takes("batch_wrong", CLEAN, 2);
    fs::create_dir(folder.join("takes/b")).expect("the folder is ours");
    write(&folder, "takes/b/t000.bvh", take(0));
    write(&folder, "file", "no folder");
    write(&folder, "hero.glb", "no character");
    let after = |more: &str| format!("{CLEAN}{more}");
    let step = |more: &str| format!("inputs = \"takes/*.bvh\"\n[[step]]\n{more}\n");
    let circle = "from = \"b\"\nname = \"a\"\n[[step]]\nverb = \"clean\"\nname = \"b\"\noutput = \"b/{name}.bvh\"\n";
    for (recipe, words) in [
        ("inputs = ".to_owned(), &["line 1"][..]),
        (
            CLEAN.replace("\"takes/*.bvh\"", "3"),
            &["line 1", "`inputs`", "pattern"],
        ),
        (CLEAN.replace("inputs", "input"), &["`inputs`"]),
        (
            format!("sumary = \"a\"\n{CLEAN}"),
            &["line 1", "`sumary`", "did you mean summary?"],
        ),
        (
            CLEAN.replace("takes/*", "tales/*"),
            &["no file", "tales/*.bvh"],
        ),
        (
            "inputs = \"takes/*.bvh\"".to_owned(),
            &["no step", "[[step]]"],
        ),
        (
            step("verb = \"claen\""),
            &["line 2", "\"claen\"", "did you mean clean?"],
        ),
        (step("name = \"a\""), &["line 2", "`verb`"]),
        (after("no-foot = true"), &["line 5", "no-foot", "no-feet"]),
        (after("cutoff = \"much\""), &["line 5"]),
        (after("scale = 0"), &["line 5", "1e-9"]),
        (after("range = \"2..1\""), &["line 5", "0.5..2"]),
        (
            after("no-filter = true\ncutoff = 8"),
            &["line 2", "no-filter", "cutoff"],
        ),
        (after(circle), &["line 2", "circle", "a from b"]),
        (
            after("from = \"a\"\nname = \"a\""),
            &["line 2", "circle", "a"],
        ),
        (after("from = \"other\""), &["line 2", "\"other\""]),
        (
            after("name = \"a\"\n[[step]]\nverb = \"clean\"\nname = \"a\""),
            &["line 6", "\"a\""],
        ),
        (
            CLEAN.replace("{name}", "all"),
            &["t000.bvh", "t001.bvh", "out/all.bvh"],
        ),
        (
            CLEAN.replace("/*", "/**/*"),
            &["takes/b/t000.bvh", "out/t000.bvh", "{folder}"],
        ),
        (
            CLEAN.replace("{name}", "{nam}"),
            &["line 2", "{nam}", "{folder}"],
        ),
        (
            CLEAN
                .replace(".bvh\"\n[", ".bvh\"\n\n[")
                .replace("}.bvh", "}.fbx"),
            &["line 3", ".fbx", ".glb"],
        ),
        (
            CLEAN.replace("out/", "takes/"),
            &["takes/t000.bvh", "input"],
        ),
        (CLEAN.replace("out/", "file/"), &["file", "not a folder"]),
        (CLEAN.replace("out/", "/proc/sinew/"), &["/proc/sinew"]),
        (step("verb = \"clean\""), &["line 2", "`clean`", "output"]),
        (step("verb = \"measure\""), &["line 2", "motion = true"]),
        (
            step("verb = \"measure\"\nmotion = true\noutput = \"a.json\""),
            &["line 2", "summary"],
        ),
        (
            step("verb = \"retarget\"\noutput = \"{name}.glb\""),
            &["line 2", "onto"],
        ),
        (
            step("verb = \"retarget\"\nonto = \"zero.glb\"\noutput = \"{name}.glb\""),
            &["line 2", "zero.glb"],
        ),
        (
            step("verb = \"retarget\"\nonto = \"hero.glb\"\noutput = \"{name}.glb\""),
            &["line 2", "hero.glb"],
        ),
        (
            step("verb = \"clip\"\noutput = \"{name}.glb\""),
            &["line 2", "nothing to do", "trim"],
        ),
        (
            step("verb = \"clip\"\nevent = [\"much\"]\noutput = \"{name}.glb\""),
            &["line 4", "SECONDS=NAME"],
        ),
        (
            step("verb = \"clip\"\ntake = \"zero.bvh\"\noutput = \"{name}.glb\""),
            &["line 2", "zero.bvh"],
        ),
        (
            after("[[step]]\nverb = \"mocap\"\noutput = \"{name}.glb\""),
            &["line 5", "`mocap`", "from = \"input\""],
        ),
        (
            step("verb = \"mocap\"\nmarkers = \"hero.glb\"\noutput = \"{name}.glb\""),
            &["line 2", "hero.glb", "marker set"],
        ),
        (
            step("verb = \"convert\"\nfps = 30\noutput = \"{name}.glb\""),
            &["line 2", ".bvh"],
        ),
        (
            step(
                "verb = \"convert\"\noutput = \"{name}.glb\"\n[[step]]\nverb = \"measure\"\nmotion = true",
            ),
            &["line 5", "`convert`", "input"],
        ),
    ] {
        write(&folder, "r.toml", &recipe);
        refused(&folder, &["batch", "r.toml"], words);
        let made: Vec<_> = files(&folder).into_keys().collect();
        assert_eq!(made.len(), 6, "{recipe}: {made:?}");
    }
    refused(&folder, &["batch", "none.toml"], &["none.toml"]);
}

/// Max resident memory of the program, in KiB, while it runs a recipe over copies of 50 takes.
#[cfg(target_os = "linux")]
fn peak(name: &str, count: usize) -> u64 {
    let folder = takes(name, CLEAN, 50);
    for number in 50..count {
        let [from, to] = [number % 50, number].map(|n| folder.join(format!("takes/t{n:03}.bvh")));
        fs::hard_link(from, to).expect("the folder is ours");
    }
    let mut running = start(&folder, Stdio::null());
    let mut peak = 0;
    while running.try_wait().expect("it runs").is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", running.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        peak = peak.max(kib.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(20));
    }
    peak
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_inputs() {
    let many = std::env::var("SINEW_BATCH_CLIPS").ok();
    let is_soak = std::env::var_os("SINEW_SOAK").is_some();
    let many = many
        .and_then(|many| many.parse().ok())
        .or(is_soak.then_some(10_000));
    let Some(many) = many else { return };
    let [few, all] = [100, many].map(|count| peak("batch_memory", count));
    println!("{few} KiB for 100 inputs, {all} KiB for {many}");
    assert!(all as f64 <= 1.1 * few as f64, "{few} KiB, then {all} KiB");
}
