use clap::error::ErrorKind;

/// Error about arguments that are in conflict.
pub fn wrong(text: &str) -> anyhow::Error {
    clap::Error::raw(ErrorKind::ArgumentConflict, format!("{text}\n")).into()
}

/// True if the help or the version must be printed.
pub fn is_help(error: &clap::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    )
}

/// The error and its advice, without line breaks.
pub fn in_one_line(error: &clap::Error, verb: Option<&str>) -> String {
    let text = error.to_string();
    let lines = text.lines().map(str::trim);
    let mut parts: Vec<&str> = lines
        .filter(|line| !line.is_empty() && !line.starts_with("For more information"))
        .map(|line| line.strip_prefix("error: ").unwrap_or(line))
        .collect();
    // The usage line helps only with a missing argument.
    if error.kind() != ErrorKind::MissingRequiredArgument {
        parts.retain(|line| !line.starts_with("Usage:"));
    }
    let help = match verb {
        Some(verb) => format!("`sinew {verb} --help`"),
        None => "`sinew --help`".to_owned(),
    };
    let mut text = String::new();
    for line in parts {
        text += match line {
            _ if text.is_empty() => "",
            _ if line.starts_with("tip:") || line.starts_with("Usage:") => "; ",
            _ => " ",
        };
        text += line;
    }
    format!("{text}; see {help}")
}

/// An error and its causes in one line, without repetitions.
pub fn message(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.contains(&cause) {
            continue;
        }
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.push_str(&cause);
    }
    text
}
