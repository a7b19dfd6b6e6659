//! Limit of the number of kernel bodies, which dominate the compile time of their crate.

use std::fs;
use std::path::Path;

fn source(path: &str) -> String {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::read_to_string(crates.join(path)).expect("a file of this repository")
}

fn count(path: &str, what: &str) -> usize {
    source(path).matches(what).count()
}

#[test]
fn kernels_have_eighteen_bodies() {
    let maps = count("sinew-skin/src/kernel/blended.rs", "impl BlendedMap<");
    let sets = count("sinew-skin/src/kernel/pass.rs", "simd => skin::<_, M, N, ");
    let dispatch = source("sinew-math/src/simd.rs");
    let x86 = dispatch.split("macro_rules! dispatch").nth(1);
    let levels = x86.expect("the first is that of x86").matches("=> $op,");
    assert_eq!([maps, sets, levels.count()], [3, 2, 3]);

    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = fs::read_dir(crates.join("sinew-skin/src/kernel")).expect("a folder");
    let mut calls = Vec::new();
    for file in folder {
        let name = file.expect("a file").file_name();
        let name = name.to_string_lossy().into_owned();
        let found = count(&format!("sinew-skin/src/kernel/{name}"), "dispatch!(");
        calls.extend((found > 0).then_some((name, found)));
    }
    calls.sort();
    assert_eq!(
        calls,
        [("bounds.rs".to_owned(), 1), ("pass.rs".to_owned(), 2)]
    );
}
