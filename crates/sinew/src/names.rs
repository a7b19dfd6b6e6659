//! Suggestions of similar or existing names, for messages about unknown joints or clips, and names with `*` and `?`.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Max length of names to compare, because names in files can be arbitrarily long.
const LONGEST: usize = 64;
const SAID: usize = 3;
const LISTED: usize = 12;

/// True if `name` has the form of `pattern`, in which `*` stands for any text and `?` for one character.
///
/// ```
/// use sinew::names::matches;
/// assert!(matches("sword*", "sword_02"));
/// assert!(matches("sword_?2", "sword_02"));
/// assert!(!matches("sword", "sword_02"));
/// ```
pub fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut read) = (0, 0);
    // Index after the last `*`, and the end of the text that it stands for.
    let mut star: Option<(usize, usize)> = None;
    while read < name.len() {
        match pattern.get(at) {
            Some('*') => {
                at += 1;
                star = Some((at, read));
            }
            Some(&letter) if letter == '?' || letter == name[read] => {
                (at, read) = (at + 1, read + 1);
            }
            _ => {
                let Some((after, end)) = star else {
                    return false;
                };
                (at, read) = (after, end + 1);
                star = Some((after, end + 1));
            }
        }
    }
    pattern[at..].iter().all(|&letter| letter == '*')
}

/// Namespace that more than half of the names begin with, up to its `:` or `|`. Empty without one.
///
/// ```
/// use sinew::names::namespace;
/// let joints = ["Armature", "mixamorig:Hips", "mixamorig:Spine"];
/// assert_eq!(namespace(joints), "mixamorig:");
/// assert_eq!(namespace(["Armature", "mixamorig:Hips"]), "");
/// ```
pub fn namespace<'a>(names: impl IntoIterator<Item = &'a str>) -> &'a str {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut total = 0;
    for name in names {
        total += 1;
        if let Some(at) = name.rfind([':', '|']) {
            *counts.entry(&name[..=at]).or_default() += 1;
        }
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    let most = most.filter(|(_, count)| 2 * count > total);
    most.map_or("", |(namespace, _)| namespace)
}

/// End of a message about an unknown name: similar names or, without these, the first few names.
///
/// ```
/// use sinew::names::hint;
/// let clips = ["idle", "walk", "run"];
/// assert_eq!(hint("wlak", clips), "; did you mean walk?");
/// assert_eq!(hint("crawl", clips), "; there are idle, walk and run");
/// assert_eq!(hint("crawl", ["idle"]), "; there is only idle");
/// assert_eq!(hint("crawl", []), "; there are none");
/// ```
pub fn hint<'a>(requested: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match near(requested, &mut names.iter().copied()).as_slice() {
        [] => there_are(&names),
        near => meant(near),
    }
}

fn there_are(names: &[&str]) -> String {
    let mut listed: Vec<&str> = Vec::new();
    let mut more = 0_usize;
    for &name in names {
        match listed.contains(&name) {
            true => {}
            false if listed.len() < LISTED && name.len() <= LONGEST => listed.push(name),
            false => more += 1,
        }
    }
    match (listed.as_slice(), more) {
        ([], 0) => "; there are none".to_owned(),
        ([], more) => format!("; there are {more} of other names"),
        ([one], 0) => format!("; there is only {one}"),
        ([some @ .., last], 0) => format!("; there are {} and {last}", some.join(", ")),
        (some, more) => format!("; there are {} and {more} more", some.join(", ")),
    }
}

/// End of a message, such as "; did you mean `left_hand`?". Empty without similar names.
///
/// ```
/// use sinew::names::did_you_mean;
/// let joints = ["hips", "left_hand", "right_hand"];
/// assert_eq!(did_you_mean("HandLeft", joints), "; did you mean left_hand?");
/// assert_eq!(did_you_mean("hand", joints), "; did you mean left_hand or right_hand?");
/// assert_eq!(did_you_mean("tail", joints), "");
/// ```
pub fn did_you_mean<'a>(requested: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    meant(&near(requested, &mut names.into_iter()))
}

fn meant(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        [some @ .., last] => format!("; did you mean {} or {last}?", some.join(", ")),
    }
}

/// Up to three similar names, the best first. Similar names have the same words in any order
/// ("`LeftHand`", "hand.L"), or differ in few letters.
pub fn near_names<'a>(requested: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    near(requested, &mut names.into_iter())
}

/// Not generic, so that it is compiled only once.
fn near<'a>(requested: &str, names: &mut dyn Iterator<Item = &'a str>) -> Vec<&'a str> {
    if requested.len() > LONGEST {
        return Vec::new();
    }
    let requested = Words::new(requested);
    let mut near: Vec<(f64, &str)> = Vec::new();
    for name in names.filter(|name| name.len() <= LONGEST) {
        if let Some(off) = requested.off(&Words::new(name))
            && near.iter().all(|(_, known)| *known != name)
        {
            near.push((off, name));
            near.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(Ordering::Equal));
            near.truncate(SAID);
        }
    }
    // A name that is much more similar is the only result.
    let best = near.first().map_or(0.0, |(off, _)| *off);
    near.retain(|(off, _)| *off <= 2.0 * best + 0.1);
    near.into_iter().map(|(_, name)| name).collect()
}

struct Words {
    sorted: Vec<String>,
    letters: Vec<char>,
}

impl Words {
    fn new(name: &str) -> Self {
        // Some programs put a namespace before each name.
        let name = name.rsplit([':', '|']).next().unwrap_or(name);
        let mut words = vec![String::new()];
        let mut before = ' ';
        for letter in name.chars() {
            let begins = (letter.is_uppercase() && before.is_lowercase())
                || letter.is_numeric() != before.is_numeric();
            if !letter.is_alphanumeric() || begins {
                words.push(String::new());
            }
            if letter.is_alphanumeric()
                && let Some(word) = words.last_mut()
            {
                word.extend(letter.to_lowercase());
            }
            before = letter;
        }
        words.retain(|word| !word.is_empty());
        let letters = words.concat().chars().collect();
        for word in &mut words {
            match word.as_str() {
                "l" => *word = "left".to_owned(),
                "r" => *word = "right".to_owned(),
                _ => {}
            }
        }
        words.sort();
        Self {
            sorted: words,
            letters,
        }
    }

    fn off(&self, other: &Self) -> Option<f64> {
        if self.letters.is_empty() || other.letters.is_empty() {
            return None;
        }
        if self.sorted == other.sorted || self.letters == other.letters {
            return Some(0.0);
        }
        let has_all = self.sorted.iter().all(|word| other.sorted.contains(word));
        let more = other.sorted.len().saturating_sub(self.sorted.len());
        let by_words = has_all.then_some(1.0 + 0.1 * more as f64);
        let edits = edits(&self.letters, &other.letters);
        let most = (self.letters.len() / 3).max(1);
        let by_letters = (edits <= most).then_some(edits as f64);
        match (by_words, by_letters) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

/// Edit distance: insertions, deletions, replacements and swaps of neighbours.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut rows = [(0..=b.len()).collect::<Vec<_>>(), Vec::new(), Vec::new()];
    for i in 1..=a.len() {
        let [above, two_above, row] = &mut rows;
        row.clear();
        row.push(i);
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(two_above[j - 2] + 1);
            }
            row.push(least);
        }
        rows.rotate_right(1);
    }
    rows[0][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOINTS: [&str; 8] = [
        "hips",
        "left_upper_arm",
        "left_lower_arm",
        "left_hand",
        "right_hand",
        "left_index_1",
        "left_index_2",
        "mixamorig:LeftFoot",
    ];

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let cases: [(&str, &[&str]); 9] = [
            ("left_hnad", &["left_hand"]),
            ("lefthand", &["left_hand"]),
            ("hand.L", &["left_hand"]),
            ("Hand", &["left_hand", "right_hand"]),
            ("LeftFoot", &["mixamorig:LeftFoot"]),
            ("hip", &["hips"]),
            ("left_index_3", &["left_index_1", "left_index_2"]),
            ("tail", &[]),
            ("", &[]),
        ];
        for (requested, near) in cases {
            assert_eq!(near_names(requested, JOINTS), near, "{requested}");
        }
    }

    #[test]
    fn stars_and_question_marks_stand_for_text_and_letters() {
        for (pattern, name, fits) in [
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("?", "é", true),
            ("?", "", false),
            ("*arm*", "left_arm", true),
            ("*_arm", "left_arm_arm", true),
            ("l*t_*m", "left_arm", true),
            ("l*t_*n", "left_arm", false),
            ("a*b?c", "axxbxbyc", true),
            ("**a**", "a", true),
            ("[ab]", "a", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
        let long = "a".repeat(10_000);
        assert!(!matches("*a*a*a*a*a*b", &long), "and quickly");
    }

    #[test]
    fn names_that_nothing_is_near_to_are_listed_but_not_all_of_a_thousand() {
        let names: Vec<String> = (0..1000).map(|n| format!("{n}")).collect();
        let said = hint("crawl", names.iter().map(String::as_str));
        let listed = "; there are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 988 more";
        assert_eq!(said, listed);
        let long = "x".repeat(LONGEST + 1);
        let many = [long.as_str(), "a", "b", "a"];
        assert_eq!(hint("crawl", many), "; there are a, b and 1 more");
        assert_eq!(
            hint("crawl", [long.as_str()]),
            "; there are 1 of other names"
        );
    }

    #[test]
    fn letters_put_in_left_out_replaced_and_swapped_count_one_each() {
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        for (a, b, count) in [
            ("walk", "walk", 0),
            ("walk", "wlak", 1),
            ("walk", "walks", 1),
            ("walk", "wak", 1),
            ("walk", "talk", 1),
            ("walk", "run", 4),
            ("", "run", 3),
        ] {
            assert_eq!(edits(&letters(a), &letters(b)), count, "{a} {b}");
        }
    }
}
