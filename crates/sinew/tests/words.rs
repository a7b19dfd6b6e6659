//! Plain words, counted over all sources. The numbers below may only fall.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Max number per folder of retired words (`place`, `turn`) in comments and text, and of names that
/// begin with `most_` or `least_`. `docs/glossary.md` has the words to use instead.
const MAX_RETIRED: [(&str, usize); 15] = [
    ("conformance", 0),
    ("crates/sinew", 16),
    ("crates/sinew-c", 0),
    ("crates/sinew-cli", 0),
    ("crates/sinew-edit", 0),
    ("crates/sinew-gpu", 1),
    ("crates/sinew-io", 14),
    ("crates/sinew-math", 0),
    ("crates/sinew-pack", 0),
    ("crates/sinew-rig", 0),
    ("crates/sinew-samples", 0),
    ("crates/sinew-skin", 1),
    ("crates/sinew-view", 0),
    ("fuzz", 0),
    ("look", 0),
];

#[test]
fn comments_do_not_begin_with_questions() {
    let words = ["What", "How", "Where", "Which", "Whether", "Who", "Why"];
    let mut found = Vec::new();
    for (folder, _) in MAX_RETIRED {
        for (path, text) in sources(folder) {
            for line in text.lines().filter_map(comment) {
                let first = line.split(|c: char| !c.is_alphabetic()).next();
                if first.is_some_and(|first| words.contains(&first)) {
                    found.push(format!("{}: {line}", path.display()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn retired_words_only_become_fewer() {
    let counted: BTreeMap<&str, usize> = MAX_RETIRED
        .map(|(folder, _)| {
            (
                folder,
                sources(folder).iter().map(|(_, text)| retired(text)).sum(),
            )
        })
        .into();
    let more = MAX_RETIRED
        .iter()
        .any(|(folder, max)| counted[folder] > *max);
    assert!(
        !more,
        "more retired words than {MAX_RETIRED:?}: {counted:?}"
    );
}

#[test]
fn words_are_found_in_comments_and_text_alone() {
    assert_eq!(retired("// a place\nlet place = \"in turn\"; // Turns"), 3);
    assert_eq!(retired("let most_joints = least_error(turning);"), 2);
    assert_eq!(retired("/// Replaces and returns."), 0);
}

fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.trim_start_matches(['/', '!']).trim_start())
}

fn retired(text: &str) -> usize {
    let mut count = 0;
    for line in text.lines() {
        let (code, comment) = line.split_once("//").unwrap_or((line, ""));
        let texts = code.split('"').skip(1).step_by(2).chain([comment]);
        let words = |text: &str| {
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.map(str::to_lowercase).collect::<Vec<String>>()
        };
        for text in texts {
            let is_retired =
                |word: &&String| ["place", "places", "turn", "turns"].contains(&&***word);
            count += words(text).iter().filter(is_retired).count();
        }
        let is_name = |word: &&String| word.starts_with("most_") || word.starts_with("least_");
        count += words(line).iter().filter(is_name).count();
    }
    count
}

fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut found, mut open) = (Vec::new(), vec![root.join(folder)]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("target") {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs" || e == "wgsl") {
                let text = fs::read_to_string(&path).expect("a source");
                found.push((path, text));
            }
        }
    }
    found
}
