//! Source files as text: modules, paths to other files, and long functions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// File of a crate without comments and strings, with its modules, as `["clip", "packed"]`.
pub struct Source {
    pub path: PathBuf,
    pub modules: Vec<String>,
    pub code: String,
}

/// All files of a crate except its root.
pub fn sources(root: &Path) -> Vec<Source> {
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
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// Code without line comments, strings and the tests at its end.
pub fn code_alone(text: &str) -> String {
    let mut code = String::new();
    for line in text.lines() {
        if line.starts_with("mod tests {") {
            break;
        }
        let mut line = line.replace("\\\"", "");
        for quoted in ["'\"'", "'{'", "'}'"] {
            line = line.replace(quoted, "");
        }
        let outside = line.split('"').step_by(2).collect::<Vec<_>>().join("\"\"");
        code += outside.split("//").next().unwrap_or_default();
        code.push('\n');
    }
    code
}

/// Names and lengths of functions longer than `max` lines.
pub fn long_functions(code: &str, max: usize) -> Vec<(String, usize)> {
    let lines: Vec<&str> = code.lines().collect();
    let mut long = Vec::new();
    for (first, line) in lines.iter().enumerate() {
        let Some(name) = line.split("fn ").nth(1).filter(|_| is_definition(line)) else {
            continue;
        };
        // In rustfmt style, a function ends at the first brace of its indentation.
        let indent = line.len() - line.trim_start().len();
        let end = format!("{}}}", " ".repeat(indent));
        let length = lines[first..].iter().position(|l| *l == end).unwrap_or(0) + 1;
        if length > max {
            let name = name.split(['(', '<']).next().unwrap_or_default();
            long.push((name.to_owned(), length));
        }
    }
    long
}

fn is_definition(line: &str) -> bool {
    let before = line.trim_start().split("fn ").next().unwrap_or_default();
    before
        .split_whitespace()
        .all(|word| word.starts_with("pub") || ["const", "unsafe", "async"].contains(&word))
}

/// Indices of the files that each file uses, with re-exports resolved.
pub fn uses(sources: &[Source]) -> Vec<BTreeSet<usize>> {
    let by_modules: BTreeMap<&[String], usize> = sources
        .iter()
        .enumerate()
        .map(|(i, s)| (&s.modules[..], i))
        .collect();
    let passed_on: Vec<BTreeMap<String, Vec<String>>> =
        sources.iter().map(imported_names).collect();
    let file_of = |path: &[String]| -> Option<usize> {
        let mut path = path.to_vec();
        // Max number of re-exports in a row.
        for _ in 0..8 {
            let depth = (1..=path.len())
                .rev()
                .find(|&n| by_modules.contains_key(&path[..n]))?;
            let file = by_modules[&path[..depth]];
            match path.get(depth).and_then(|name| passed_on[file].get(name)) {
                Some(target) => path = [target, &path[depth + 1..]].concat(),
                None => return Some(file),
            }
        }
        None
    };
    let uses_of = |(at, source): (usize, &Source)| {
        let paths = paths(source).into_iter().filter(|path| !path.is_passed_on);
        paths
            .filter_map(|path| file_of(&path.names))
            .filter(|&to| to != at)
            .collect()
    };
    sources.iter().enumerate().map(uses_of).collect()
}

/// Path from the root of this crate.
pub struct CratePath {
    pub names: Vec<String>,
    /// True for a part of a `pub use`.
    pub is_passed_on: bool,
    is_import: bool,
}

/// Paths of a file that begin with `crate`, `self`, `super` or a submodule.
pub fn paths(source: &Source) -> Vec<CratePath> {
    let code = &source.code;
    let children: Vec<String> = declared_modules(code);
    let inline = inline_modules(code);
    let mut found = Vec::new();
    let starts = ["crate::", "self::", "super::"]
        .map(str::to_owned)
        .into_iter();
    for start in starts.chain(children.iter().map(|child| format!("{child}::"))) {
        for (at, _) in code.match_indices(&start) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || "_$:".contains(c)) {
                continue;
            }
            let depth = inline.iter().filter(|range| range.contains(&at)).count();
            let Some((base, rest)) = base_of(&source.modules, &code[at..], depth) else {
                continue;
            };
            let statement = code[..at].rfind([';', '}']).map_or(0, |end| end + 1);
            let before = code[statement..at].trim_start();
            let is_import = before.contains("use ");
            let is_passed_on = is_import && before.contains("pub");
            for names in expanded(rest) {
                let names = [&base[..], &names].concat();
                found.push(CratePath {
                    names,
                    is_passed_on,
                    is_import,
                });
            }
        }
    }
    found
}

/// Modules of the first words of a path, and the remaining path. `None` within an inline module.
fn base_of<'a>(modules: &[String], path: &'a str, depth: usize) -> Option<(Vec<String>, &'a str)> {
    if let Some(rest) = path.strip_prefix("crate::") {
        return Some((Vec::new(), rest));
    }
    let mut rest = path.strip_prefix("self::").unwrap_or(path);
    let mut up: usize = 0;
    while let Some(inner) = rest.strip_prefix("super::") {
        (rest, up) = (inner, up + 1);
    }
    let up = up.saturating_sub(depth);
    Some((modules[..modules.len().checked_sub(up)?].to_vec(), rest))
}

fn imported_names(source: &Source) -> BTreeMap<String, Vec<String>> {
    let imports = paths(source).into_iter().filter(|path| path.is_import);
    let named = imports.filter_map(|path| Some((path.names.last()?.clone(), path.names)));
    // A submodule of the same name would cause an endless loop.
    named
        .filter(|(name, path)| path[..path.len() - 1] != source.modules[..] && name != "*")
        .collect()
}

fn declared_modules(code: &str) -> Vec<String> {
    let lines = code.lines().map(str::trim);
    let declared = lines.filter_map(|line| {
        let name = line.strip_suffix(';')?.split("mod ").nth(1)?;
        line.starts_with("mod ")
            .then_some(name)
            .or(line.starts_with("pub").then_some(name))
    });
    declared.map(str::to_owned).collect()
}

fn inline_modules(code: &str) -> Vec<std::ops::Range<usize>> {
    let starts = code.match_indices("mod ").filter(|(at, _)| {
        let line = code[*at..].lines().next().unwrap_or_default();
        line.ends_with('{') && !code[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
    });
    let end = |start: usize| {
        let mut depth = 0;
        for (at, c) in code[start..].char_indices() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if c == '}' && depth == 0 {
                return start + at;
            }
        }
        code.len()
    };
    starts.map(|(at, _)| at..end(at)).collect()
}

/// Expands groups: `a::{b, c::d}` gives `a::b` and `a::c::d`.
fn expanded(path: &str) -> Vec<Vec<String>> {
    let mut rest = path.trim_start();
    let mut names = Vec::new();
    loop {
        if let Some(group) = rest.strip_prefix('{') {
            let parts = split_group(group);
            return parts
                .iter()
                .flat_map(|part| expanded(part))
                .map(|tail| [&names[..], &tail].concat())
                .collect();
        }
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        if &rest[..end] != "self" && end > 0 {
            names.push(rest[..end].to_owned());
        }
        match rest[end..].strip_prefix("::") {
            Some(inner) => rest = inner,
            None => return vec![names],
        }
    }
}

fn split_group(group: &str) -> Vec<String> {
    let (mut parts, mut part, mut depth) = (Vec::new(), String::new(), 0);
    for c in group.chars() {
        match c {
            '}' | ',' if depth == 0 => {
                let whole = std::mem::take(&mut part);
                parts.extend((!whole.trim().is_empty()).then_some(whole));
                if c == '}' {
                    break;
                }
            }
            _ => {
                depth += i32::from(c == '{') - i32::from(c == '}');
                part.push(c);
            }
        }
    }
    parts
}

/// Groups of files that all use each other, directly or indirectly.
pub fn circles(uses: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let reached: Vec<BTreeSet<usize>> = (0..uses.len()).map(|from| reach(uses, from)).collect();
    let mut circles = BTreeSet::new();
    for (at, all) in reached.iter().enumerate() {
        let circle: Vec<usize> = all
            .iter()
            .copied()
            .filter(|&other| reached[other].contains(&at))
            .collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

fn reach(uses: &[BTreeSet<usize>], from: usize) -> BTreeSet<usize> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(at) = open.pop() {
        open.extend(uses[at].iter().copied().filter(|&to| reached.insert(to)));
    }
    reached
}
