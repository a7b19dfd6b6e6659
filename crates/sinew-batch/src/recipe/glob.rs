//! Patterns of paths: `*` and `?` within a name, `**` for any folders.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

/// A pattern of paths, with `/` between names. `*` stands for any characters of a name, `?` for one, and `**` for any
/// number of folders. Names that begin with a dot match only if the pattern has the dot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    /// Folder before the first name with a wildcard, like `takes/`, or empty.
    fixed: String,
    /// Names of the rest, at least one.
    names: Vec<String>,
}

impl Glob {
    /// A pattern from text.
    pub fn new(text: &str) -> Self {
        let text = text.trim_start_matches("./");
        let mut names: Vec<String> = text.split('/').map(str::to_owned).collect();
        let is_wild = |name: &String| name.contains(['*', '?']);
        let first = names.iter().position(is_wild);
        let rest = names.split_off(first.unwrap_or(names.len().saturating_sub(1)));
        let mut fixed = names.join("/");
        if !names.is_empty() {
            fixed.push('/');
        }
        Self { fixed, names: rest }
    }

    /// Folder before the first name with a wildcard, like `takes/`, or empty. All files that match lie below it.
    pub fn folder(&self) -> &str {
        &self.fixed
    }

    /// The part of a path after the folder without wildcards, if the path matches.
    pub fn matched<'a>(&self, path: &'a str) -> Option<&'a str> {
        let rest = path.strip_prefix(&self.fixed)?;
        let names: Vec<&str> = rest.split('/').collect();
        let is_any = |name: &String| name == "**";
        let is_hidden = |name: &&str| name.starts_with('.');
        let is_there = match_all(&self.names, &names, is_any, |p, n| match is_any(p) {
            true => !is_hidden(n),
            false => is_name(p, n),
        });
        is_there.then_some(rest)
    }

    /// Files below `folder` that match, in order.
    ///
    /// # Errors
    /// If a folder cannot be read. A missing folder has no files.
    pub fn files(&self, folder: &Path) -> io::Result<Vec<String>> {
        let is_deep = self.names.iter().any(|name| name == "**");
        let depth = if is_deep {
            usize::MAX
        } else {
            self.names.len()
        };
        let mut found = Vec::new();
        let mut open = vec![(self.fixed.clone(), depth)];
        while let Some((inside, depth)) = open.pop() {
            // An empty path is the current folder for files in it, but not for the list of them.
            let listed = Path::new(".").join(folder).join(&inside);
            let entries = match fs::read_dir(listed) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries?,
            };
            for entry in entries {
                let entry = entry?;
                let path = format!("{inside}{}", entry.file_name().to_string_lossy());
                // A link to a folder could lead back.
                if entry.file_type()?.is_dir() {
                    if depth > 1 {
                        open.push((path + "/", depth - 1));
                    }
                } else if self.matched(&path).is_some() {
                    found.push(path);
                }
            }
        }
        found.sort_unstable();
        Ok(found)
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.fixed, self.names.join("/"))
    }
}

fn is_name(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let [pattern, name]: [Vec<char>; 2] = [pattern, name].map(|text| text.chars().collect());
    match_all(
        &pattern,
        &name,
        |&c| c == '*',
        |&p, &c| p == '*' || p == '?' || p == c,
    )
}

/// True if items match a pattern in which some parts stand for any number of items. `is_match` is also asked about
/// these parts. Takes at most the product of both lengths.
fn match_all<P, T>(
    pattern: &[P],
    items: &[T],
    is_any: impl Fn(&P) -> bool,
    is_match: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut at, mut item) = (0, 0);
    // The last part of any length, and the first item after it.
    let mut last: Option<(usize, usize)> = None;
    while item < items.len() {
        match pattern.get(at) {
            Some(part) if is_any(part) => {
                last = Some((at, item));
                at += 1;
            }
            Some(part) if is_match(part, &items[item]) => {
                at += 1;
                item += 1;
            }
            _ => match &mut last {
                Some((any, end)) if is_match(&pattern[*any], &items[*end]) => {
                    *end += 1;
                    (at, item) = (*any + 1, *end);
                }
                _ => return false,
            },
        }
    }
    pattern[at..].iter().all(is_any)
}
