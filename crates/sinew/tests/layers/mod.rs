//! Modules of each crate use only modules before them in `docs/architecture.md`.

mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use sources::{Source, circles, code_alone, long_functions, paths, sources, uses};

const MAX_FUNCTION_LINES: usize = 100;
const MAX_FILES: usize = 16;
/// Folders with one file per command.
const FOLDERS_OF_VERBS: [&str; 1] = ["sinew-cli/src"];
/// Allowed cycles of files: one file of each cycle, with a reason.
const CIRCLES: [(&str, &str); 0] = [];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn modules_use_only_those_before_them() {
    let plan = fs::read_to_string(crates().join("../docs/architecture.md")).expect("the plan");
    let orders = stated_orders(&plan);
    let mut wrong = Vec::new();
    for folder in fs::read_dir(crates()).expect("crates").flatten() {
        let name = folder.file_name().into_string().expect("a name");
        let Some(order) = orders.get(&name) else {
            wrong.push(format!("docs/architecture.md has no order for {name}"));
            continue;
        };
        let sources = sources(&folder.path().join("src"));
        for source in &sources {
            let own = &source.modules[0];
            if !order.contains(own) {
                wrong.push(format!("{name}: {own} is not in the order"));
            }
        }
        for stated in order {
            if !sources.iter().any(|s| s.modules[0] == *stated) {
                wrong.push(format!("{name}: there is no {stated}"));
            }
        }
        let place = |module: &str| order.iter().position(|m| m == module);
        for source in &sources {
            for used in used_modules(source) {
                let (from, to) = (place(&source.modules[0]), place(&used));
                if to.is_none() || to > from {
                    let path = source.path.display();
                    wrong.push(format!("{path}: uses {used}, which is not before it"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_test_file_is_part_of_its_program() {
    for folder in fs::read_dir(crates()).expect("crates").flatten() {
        let tests = folder.path().join("tests");
        let Ok(main) = fs::read_to_string(tests.join("main.rs")) else {
            assert!(!tests.exists(), "{} has no main.rs", tests.display());
            continue;
        };
        let manifest = fs::read_to_string(folder.path().join("Cargo.toml")).expect("a manifest");
        for entry in fs::read_dir(&tests).expect("tests").flatten() {
            let path = entry.path();
            let stem = path.file_stem().and_then(|s| s.to_str()).expect("a name");
            let is_code =
                path.extension().is_some_and(|e| e == "rs") || path.join("mod.rs").exists();
            let is_part = main.contains(&format!("mod {stem};\n"))
                || manifest.contains(&format!("[[test]]\nname = \"{stem}\"\n"));
            assert!(!is_code || is_part, "{} is never run", path.display());
        }
    }
}

#[test]
fn paths_in_code_are_found() {
    let source = |modules: &[&str], code: &str| Source {
        path: PathBuf::new(),
        modules: modules.iter().map(|m| m.to_string()).collect(),
        code: code_alone(code),
    };
    let used = |modules: &[&str], code: &str| used_modules(&source(modules, code));
    assert_eq!(used(&["blend"], "use crate::pose::LocalPose;"), ["pose"]);
    assert_eq!(
        used(&["blend"], "use crate::{pose::{A, B}, clip};"),
        ["pose", "clip"]
    );
    assert_eq!(
        used(&["clip", "packed"], "use super::super::pose::A;"),
        ["pose"]
    );
    assert_eq!(
        used(&["clip", "packed"], "super::track::f(); super::f()"),
        [""; 0]
    );
    assert_eq!(used(&["clip"], "use super::{pose, f};"), ["pose", "f"]);
    assert_eq!(
        used(&["clip"], "// crate::pose\nlet a = \"crate::pose\";"),
        [""; 0]
    );
}

/// Parses lines such as "Order of `sinew`: `names`, `mesh`."
fn stated_orders(plan: &str) -> BTreeMap<String, Vec<String>> {
    let paragraphs = plan.split("\n\n").map(|p| p.replace('\n', " "));
    let stated = paragraphs.filter_map(|paragraph| {
        let (name, list) = paragraph.strip_prefix("Order of `")?.split_once("`:")?;
        let modules = list.split('`').skip(1).step_by(2).map(str::to_owned);
        Some((name.to_owned(), modules.collect()))
    });
    stated.collect()
}

/// Other modules of this crate that the paths of a file name.
fn used_modules(source: &Source) -> Vec<String> {
    let firsts = paths(source)
        .into_iter()
        .filter_map(|path| path.names.first().cloned());
    let mut used: Vec<String> = Vec::new();
    for name in firsts.filter(|name| *name != source.modules[0]) {
        if !used.contains(&name) {
            used.push(name);
        }
    }
    used
}

#[test]
fn files_do_not_use_each_other_in_circles() {
    let mut found = Vec::new();
    let mut named = vec![false; CIRCLES.len()];
    for (name, sources) in crates_with_sources() {
        let uses = uses(&sources);
        for circle in circles(&uses) {
            let file = |at: usize| {
                let root = crates().join(&name).join("src");
                sources[at]
                    .path
                    .strip_prefix(root)
                    .expect("below the root")
                    .display()
                    .to_string()
            };
            let is_named = |file: &str| CIRCLES.iter().position(|(path, _)| *path == file);
            if let Some(at) = circle
                .iter()
                .find_map(|&at| is_named(&format!("{name}/{}", file(at))))
            {
                named[at] = true;
                continue;
            }
            let mut text = format!("{name}: {} files use each other", circle.len());
            for &from in &circle {
                for to in uses[from].iter().filter(|to| circle.contains(to)) {
                    text += &format!("\n  {} -> {}", file(from), file(*to));
                }
            }
            found.push(text);
        }
    }
    assert!(
        found.is_empty(),
        "{} circles\n{}",
        found.len(),
        found.join("\n")
    );
    for ((path, _), named) in CIRCLES.iter().zip(named) {
        assert!(named, "{path} is in no circle any more: take its line out");
    }
}

/// Folders have orders too: "Order of `sinew-gpu/render`: …".
#[test]
fn modules_inside_folders_use_only_those_before_them() {
    let plan = fs::read_to_string(crates().join("../docs/architecture.md")).expect("the plan");
    let orders = stated_orders(&plan);
    let mut wrong = Vec::new();
    for (name, sources) in crates_with_sources() {
        let uses = uses(&sources);
        for (folder, order) in &orders {
            let Some(inside) = folder.strip_prefix(&format!("{name}/")) else {
                continue;
            };
            let folder: Vec<String> = inside.split('/').map(str::to_owned).collect();
            let child = |at: usize| {
                let rest = sources[at].modules.strip_prefix(&folder[..])?;
                rest.first()
            };
            let there: BTreeSet<&String> = (0..sources.len()).filter_map(child).collect();
            if there != order.iter().collect() {
                wrong.push(format!(
                    "{name}/{inside}: {order:?} is stated, there are {there:?}"
                ));
                continue;
            }
            let rank = |at: usize| order.iter().position(|module| Some(module) == child(at));
            for (from, used) in uses.iter().enumerate() {
                for &to in used {
                    if rank(from).is_some() && rank(to) > rank(from) {
                        let [from, to] = [from, to].map(|at| sources[at].modules.join("::"));
                        wrong.push(format!("{name}: {from} uses {to}, which is not before it"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn functions_and_folders_stay_small() {
    let mut large = Vec::new();
    for (name, sources) in crates_with_sources() {
        let mut files: BTreeMap<PathBuf, usize> = BTreeMap::new();
        for source in &sources {
            let path = source.path.strip_prefix(crates()).expect("below crates");
            *files
                .entry(path.parent().expect("a folder").to_owned())
                .or_default() += 1;
            for (function, lines) in long_functions(&source.code, MAX_FUNCTION_LINES) {
                large.push(format!("{}: {function} has {lines} lines", path.display()));
            }
        }
        let root = PathBuf::from(&name).join("src");
        files.entry(root).and_modify(|count| *count += 1);
        for (folder, count) in files {
            let is_of_verbs = FOLDERS_OF_VERBS
                .iter()
                .any(|verbs| folder == Path::new(verbs));
            if count > MAX_FILES && !is_of_verbs {
                large.push(format!("{} has {count} files", folder.display()));
            }
        }
    }
    assert!(large.is_empty(), "{}", large.join("\n"));
}

fn crates_with_sources() -> Vec<(String, Vec<Source>)> {
    let folders = fs::read_dir(crates()).expect("crates").flatten();
    let mut all: Vec<(String, Vec<Source>)> = folders
        .map(|folder| {
            let name = folder.file_name().into_string().expect("a name");
            (name, sources(&folder.path().join("src")))
        })
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}
