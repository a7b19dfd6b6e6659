//! The table of requirements names only tests that exist.

use std::collections::HashMap;
use std::path::Path;

const LINES: usize = 126;

#[test]
fn every_line_is_in_the_table_and_every_test_it_names_exists() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let table = std::fs::read_to_string(crates.join("../docs/records/coverage.md")).unwrap();
    let mut lines = vec![0; LINES + 1];
    for row in table.lines() {
        let first = row.split('|').nth(1).map(str::trim).unwrap_or_default();
        if let Ok(line) = first.parse::<usize>() {
            lines[line] += 1;
        }
    }
    let wrong: Vec<_> = (1..=LINES).filter(|&line| lines[line] != 1).collect();
    assert!(wrong.is_empty(), "missing or there twice: {wrong:?}");

    let named = every_named_test_exists(&crates, &table);
    assert!(named > 100, "only {named} tests are named");
}

#[test]
fn every_row_of_the_formats_names_tests_that_exist() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let table = std::fs::read_to_string(crates.join("../docs/formats.md")).unwrap();
    let rows = table.lines().filter(|row| row.contains(".rs: ")).count();
    let named = every_named_test_exists(&crates, &table);
    assert!(rows > 30 && named >= rows, "{named} tests in {rows} rows");
}

fn every_named_test_exists(crates: &Path, table: &str) -> usize {
    let mut sources = HashMap::new();
    let mut named = 0;
    for (file, function) in table.split('`').filter_map(|code| code.split_once(".rs: ")) {
        let source = sources.entry(file).or_insert_with(|| {
            let path = crates.join(format!("{file}.rs"));
            std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        });
        let (before, _) = source
            .split_once(&format!("fn {function}("))
            .unwrap_or_else(|| panic!("{file}.rs has no test {function}"));
        // Attributes or settings of `proptest!` may come between.
        let above = before.lines().rev().take(4);
        assert!(
            above.map(str::trim).any(|line| line == "#[test]"),
            "{file}.rs: {function} is not a #[test]"
        );
        named += 1;
    }
    named
}
