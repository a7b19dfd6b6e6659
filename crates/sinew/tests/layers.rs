//! The floor plan of `docs/architecture.md` is that of the code: in every crate, modules use only those before them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A file of a crate, without comments and text, and the modules it lies in: `["clip", "packed"]`.
struct Source {
    path: PathBuf,
    modules: Vec<String>,
    code: String,
}

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
                wrong.push(format!("{name}: {own} has no place in the order"));
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

/// Lines such as "Order of `sinew`: `names`, `mesh`."
fn stated_orders(plan: &str) -> BTreeMap<String, Vec<String>> {
    let paragraphs = plan.split("\n\n").map(|p| p.replace('\n', " "));
    let stated = paragraphs.filter_map(|paragraph| {
        let (name, list) = paragraph.strip_prefix("Order of `")?.split_once("`:")?;
        let modules = list.split('`').skip(1).step_by(2).map(str::to_owned);
        Some((name.to_owned(), modules.collect()))
    });
    stated.collect()
}

fn sources(root: &Path) -> Vec<Source> {
    let (mut found, mut folders) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inside = path
                .strip_prefix(root)
                .expect("below the root")
                .with_extension("");
            let mut modules: Vec<String> = inside
                .iter()
                .map(|part| part.to_str().expect("a name").to_owned())
                .collect();
            modules.pop_if(|last| last == "mod");
            // The root itself only lists modules and passes their names on.
            if path.extension().is_some_and(|e| e == "rs")
                && !["lib", "main"].contains(&&*modules[0])
            {
                let code = code_alone(&fs::read_to_string(&path).expect("a source"));
                found.push(Source {
                    path,
                    modules,
                    code,
                });
            }
        }
    }
    found
}

/// Without comments to the end of a line and without what stands between quotes.
fn code_alone(text: &str) -> String {
    let mut code = String::new();
    for line in text.lines() {
        let line = line.replace("'\"'", "").replace("\\\"", "");
        let outside = line.split('"').step_by(2).collect::<Vec<_>>().join("\"\"");
        code += outside.split("//").next().unwrap_or_default();
        code.push('\n');
    }
    code
}

/// The first modules, of this crate, of all paths that leave the one that the file lies in.
fn used_modules(source: &Source) -> Vec<String> {
    let mut used = Vec::new();
    for (at, _) in source.code.match_indices("crate::") {
        let before = source.code[..at].chars().next_back();
        if before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '$') {
            used.extend(first_names(&source.code[at + "crate::".len()..]));
        }
    }
    for (at, _) in source.code.match_indices("super::") {
        if source.code[..at].ends_with("super::") {
            continue;
        }
        let mut rest = &source.code[at..];
        let mut up = 0;
        while let Some(inner) = rest.strip_prefix("super::") {
            (rest, up) = (inner, up + 1);
        }
        if up >= source.modules.len() {
            used.extend(first_names(rest));
        }
    }
    // `super::*` in a module of tests is the file itself.
    used.retain(|name| !name.is_empty() && *name != source.modules[0]);
    used
}

/// What a path begins with: one name, or those of a group.
fn first_names(path: &str) -> Vec<String> {
    let Some(group) = path.strip_prefix('{') else {
        let end = path.find(|c: char| !c.is_alphanumeric() && c != '_');
        return vec![path[..end.unwrap_or(path.len())].to_owned()];
    };
    let (mut names, mut depth, mut name) = (Vec::new(), 0, String::new());
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' | ',' if depth == 0 => {
                let first = name.trim().split("::").next().unwrap_or_default();
                names.extend((!first.is_empty()).then(|| first.to_owned()));
                name.clear();
                if c == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ if depth == 0 => name.push(c),
            _ => {}
        }
    }
    names
}
