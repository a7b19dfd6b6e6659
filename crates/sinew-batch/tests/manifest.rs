//! Lines of the manifest.

use sinew_batch::{ContentHash, Manifest, Record, write_summary};
use sinew_rig::motion::{MotionOptions, measure_motion};
use std::fs;
use std::path::PathBuf;

fn path(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

fn record(input: &str, hash: &[u8]) -> Record {
    Record {
        input: input.to_owned(),
        hash: ContentHash::of(hash),
        recipe: ContentHash::of(b"recipe"),
        error: None,
        again: false,
        outputs: Vec::new(),
        measured: Vec::new(),
        notes: vec!["a \"note\"\nin two lines".to_owned()],
        secs: 0.5,
    }
}

#[test]
fn a_line_cut_anywhere_loses_only_itself() {
    let path = path("cut.jsonl");
    let mut manifest = Manifest::open(&path).expect("a file");
    manifest.append(&record("a", b"1")).expect("a line");
    let first = fs::metadata(&path).expect("a file").len() as usize;
    manifest.append(&record("b", b"1")).expect("a line");
    let whole = fs::read(&path).expect("a file");
    for cut in first..whole.len() {
        fs::write(&path, &whole[..cut]).expect("ours");
        let mut manifest = Manifest::open(&path).expect("a file");
        assert!(
            manifest.known("a").is_some() && manifest.known("b").is_none(),
            "{cut}"
        );
        manifest.append(&record("c", b"1")).expect("a line");
        let mut again = Manifest::open(&path).expect("a file");
        for input in ["a", "c"] {
            let found = again.record(input).expect("a file").expect("a line");
            assert_eq!(found.input, input, "{cut}");
            assert_eq!(found.notes, record("", b"").notes);
        }
    }
}

#[test]
fn processes_see_the_lines_of_each_other() {
    let path = path("shared.jsonl");
    let [mut one, mut two] = [(); 2].map(|()| Manifest::open(&path).expect("a file"));
    one.append(&record("a", b"1")).expect("a line");
    two.append(&record("a", b"2")).expect("a line");
    two.append(&record("b", b"1")).expect("a line");
    one.refresh().expect("a file");
    for manifest in [&one, &two] {
        let known = manifest.known("a").expect("a line");
        assert_eq!(known.hash, ContentHash::of(b"2"), "the newest counts");
        assert!(manifest.known("b").is_some());
    }
}

#[test]
fn columns_of_the_summary_are_the_measures() {
    let person = sinew_samples::humanoid_character();
    let options = MotionOptions::default();
    let report = measure_motion(&person.skeleton, &person.clips[0], None, &options);
    let values = report.expect("it walks").values();
    let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
    let mut manifest = Manifest::open(&path("empty.jsonl")).expect("a file");
    let mut table = Vec::new();
    write_summary(&mut table, &[], &mut manifest).expect("memory");
    let header = String::from_utf8(table).expect("text");
    let measures = names.join(",");
    assert_eq!(
        header,
        format!("input,state,step,clip,frames,fps,{measures},secs,error\n")
    );
}
