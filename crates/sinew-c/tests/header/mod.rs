//! `include/sinew.h` is made from the sources of this crate, in the order of its modules.
//!
//! `SINEW_UPDATE_HEADER=1 cargo test -p sinew-c --test main header` writes it again.

mod parse;

use parse::{Item, Kind, items};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Modules with exported items, in an order in which C knows each type before its use.
const MODULES: [&str; 10] = [
    "status",
    "values",
    "bytes",
    "character",
    "tools",
    "rig",
    "player",
    "pose",
    "actor",
    "ik",
];
const LAST_MODULE: &str = "graph";
const MAX_WIDTH: usize = 100;

#[test]
fn the_header_is_made_from_the_sources() {
    let path = root().join("include/sinew.h");
    let made = header();
    if std::env::var_os("SINEW_UPDATE_HEADER").is_some() {
        fs::write(&path, &made).expect("a folder");
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    let same = made.lines().zip(stored.lines()).take_while(|(a, b)| a == b);
    let line = same.count();
    assert!(
        made == stored,
        "include/sinew.h differs from the sources at line {}: `SINEW_UPDATE_HEADER=1 cargo test \
         -p sinew-c --test main header` writes it again",
        line + 1
    );
}

#[test]
fn every_exported_function_is_in_the_header() {
    let header = header();
    let mut exported = 0;
    for entry in fs::read_dir(root().join("src")).expect("sources").flatten() {
        let source = fs::read_to_string(entry.path()).expect("a source");
        for (attribute, next) in source.lines().zip(source.lines().skip(1)) {
            if attribute != "#[unsafe(no_mangle)]" {
                continue;
            }
            let name = next
                .split("fn ")
                .nth(1)
                .and_then(|rest| rest.split('(').next());
            let name = name.expect("a function");
            assert!(header.contains(&format!("{name}(")), "{name}");
            exported += 1;
        }
    }
    assert_eq!(exported, header.matches("sinew_status sinew_").count() + 2);
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn header() -> String {
    let mut text = include_str!("head.h").to_owned();
    for module in MODULES.iter().chain([&LAST_MODULE]) {
        let path = root().join(format!("src/{module}.rs"));
        let source = fs::read_to_string(path).expect("a source");
        let title = source.lines().map_while(|line| line.strip_prefix("//!"));
        let title: Vec<&str> = title.map(str::trim).collect();
        let rule = "-".repeat(MAX_WIDTH - 3);
        let _ = write!(text, "\n// {rule}\n// {}\n// {rule}\n", title.join("\n// "));
        let mut group = String::new();
        for item in items(&source) {
            // Constants stay together with the type before them: SINEW_WRAP_LOOP with sinew_wrap.
            let prefix: Vec<&str> = item.name.splitn(3, '_').take(2).collect();
            let prefix = prefix.join("_").to_lowercase();
            if !(matches!(item.kind, Kind::Constant { .. }) && prefix == group) {
                text.push('\n');
            }
            group = match item.kind {
                Kind::Alias { .. } | Kind::Constant { .. } => prefix,
                _ => String::new(),
            };
            comment(&mut text, "", &item.docs);
            declare(&mut text, &item);
        }
    }
    text.push_str("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    text
}

fn comment(text: &mut String, indent: &str, docs: &[String]) {
    for line in docs {
        let line = line.replace('`', "");
        let _ = writeln!(text, "{}", format!("{indent}// {line}").trim_end());
    }
}

fn declare(text: &mut String, item: &Item) {
    let name = &item.name;
    let _ = match &item.kind {
        Kind::Constant { value } => writeln!(text, "#define {name} {value}"),
        Kind::Alias { of } => writeln!(text, "typedef {};", of.declared(name)),
        Kind::Callback { arguments } => {
            writeln!(text, "typedef void (*{name})({});", arguments.join(", "))
        }
        Kind::Opaque => writeln!(text, "typedef struct {name} {name};"),
        Kind::Struct { members } | Kind::Enum { members } => {
            let (keyword, end) = match item.kind {
                Kind::Enum { .. } => ("enum", ","),
                _ => ("struct", ";"),
            };
            let _ = writeln!(text, "typedef {keyword} {name} {{");
            for (docs, declared) in members {
                comment(text, "    ", docs);
                let _ = writeln!(text, "    {declared}{end}");
            }
            writeln!(text, "}} {name};")
        }
        Kind::Function {
            returned,
            arguments,
        } => {
            let arguments = match arguments.is_empty() {
                true => "void".to_owned(),
                false => arguments.join(", "),
            };
            let start = returned.declared(name);
            let line = format!("{start}({arguments});");
            if line.len() <= MAX_WIDTH {
                writeln!(text, "{line}")
            } else {
                writeln!(
                    text,
                    "{start}(\n    {});",
                    arguments.replace(", ", ",\n    ")
                )
            }
        }
    };
}
