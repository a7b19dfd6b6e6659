use crate::files::one_line;

pub(super) fn quoted(name: &str) -> String {
    if name.is_empty() {
        "(unnamed)".to_owned()
    } else {
        format!("\"{}\"", one_line(name))
    }
}

pub(super) fn listed(names: &[String]) -> String {
    const SHOWN: usize = 6;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| quoted(name)).collect();
    let more = if names.len() > SHOWN { ", ..." } else { "" };
    format!(" ({}{more})", shown.join(", "))
}
