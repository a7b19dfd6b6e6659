use super::TableError;
use super::members::{Members, document, name_text, numbers_text, transform_text};
use serde_json::Value;
use sinew::skeleton::denavit_hartenberg::{Chain, Moves, Row};
use sinew::skeleton::limits::AngleRange;

const FORMAT: &str = "sinew-rows/1";

/// JSON of a chain in Denavit–Hartenberg rows.
///
/// ```
/// use sinew::skeleton::denavit_hartenberg::{Chain, Row};
/// use sinew_io::tables::{rows_from_json, rows_json};
/// let link = |name: &str| (name.to_owned(), Row { a: 0.4, ..Row::default() });
/// let arm = Chain { rows: vec![link("shoulder"), link("elbow")], ..Chain::default() };
/// assert_eq!(rows_from_json(&rows_json(&arm))?, arm);
/// # Ok::<(), sinew_io::tables::TableError>(())
/// ```
pub fn rows_json(chain: &Chain) -> String {
    let rows = chain.rows.iter().map(|(name, row)| {
        let Row {
            theta_rad,
            d,
            a,
            alpha_rad,
            ..
        } = row;
        let (moves, range) = match row.moves {
            Moves::Theta(range) if !range.ends() => ("theta", String::new()),
            Moves::Theta(AngleRange { min_rad, max_rad }) => ("theta", range_text(min_rad, max_rad)),
            Moves::D { min, max } => ("d", range_text(min, max)),
        };
        let name = name_text(name);
        format!(
            "    {{\"joint\": {name}, \"moves\": \"{moves}\", \"theta_rad\": {theta_rad}, \"d\": {d}, \"a\": {a}, \"alpha_rad\": {alpha_rad}{range}}}"
        )
    });
    let rows = rows.collect::<Vec<_>>().join(",\n");
    let base = transform_text(&chain.base);
    let base = base.strip_prefix(", ").unwrap_or_default();
    let tool = name_text(&chain.tool);
    format!(
        "{{\n  \"format\": \"{FORMAT}\",\n  \"base\": {{{base}}},\n  \"rows\": [\n{rows}\n  ],\n  \"tool\": {tool}\n}}\n"
    )
}

/// Reads a chain in Denavit–Hartenberg rows from JSON.
///
/// # Errors
/// [`TableError`] for invalid JSON and for members that are unknown, missing or wrong.
pub fn rows_from_json(text: &str) -> Result<Chain, TableError> {
    let value = document(text)?;
    let all = Members::new(String::new(), &value, &["format", "base", "rows", "tool"])?;
    if all.text("format")? != FORMAT {
        return Err(all.wrong("format", &format!("\"{FORMAT}\" is expected here")));
    }
    let mut chain = Chain {
        tool: match all.get("tool") {
            None => "tool".to_owned(),
            Some(_) => all.text("tool")?.to_owned(),
        },
        ..Chain::default()
    };
    if let Some(base) = all.get("base") {
        let base = Members::new("base".to_owned(), base, &["translation", "rotation"])?;
        chain.base = base.transform()?;
    }
    for (index, row) in all.list("rows")?.iter().enumerate() {
        chain.rows.push(read_row(index, row)?);
    }
    Ok(chain)
}

fn read_row(index: usize, row: &Value) -> Result<(String, Row), TableError> {
    let known = [
        "joint",
        "moves",
        "theta_rad",
        "d",
        "a",
        "alpha_rad",
        "range",
    ];
    let row = Members::new(format!("rows[{index}]"), row, &known)?;
    let name = match row.get("joint") {
        None => format!("joint {}", index + 1),
        Some(_) => row.text("joint")?.to_owned(),
    };
    let range = row.numbers("range")?;
    let moves = match (
        row.get("moves").map(|_| row.text("moves")).transpose()?,
        range,
    ) {
        (None | Some("theta"), None) => Moves::default(),
        (None | Some("theta"), Some([min_rad, max_rad])) => {
            Moves::Theta(AngleRange { min_rad, max_rad })
        }
        (Some("d"), Some([min, max])) => Moves::D { min, max },
        (Some("d"), None) => return Err(row.wrong("range", "a slide needs a range of d")),
        _ => return Err(row.wrong("moves", "\"theta\" or \"d\" is expected here")),
    };
    let row = Row {
        theta_rad: row.number("theta_rad", 0.0)?,
        d: row.number("d", 0.0)?,
        a: row.number("a", 0.0)?,
        alpha_rad: row.number("alpha_rad", 0.0)?,
        moves,
    };
    Ok((name, row))
}

fn range_text(min: f32, max: f32) -> String {
    format!(", \"range\": {}", numbers_text(&[min, max]))
}
