//! Comparison of what guests wrote with what Rust wrote.

use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::Path;

/// Stored table. Its hashes change only together with the bits of poses (`docs/stability.md`).
const TABLE: &str = include_str!("../table.txt");
/// Max distance of a skinned vertex from the scalar reference, as a fraction of the extent. Max
/// difference of a component of its normal.
const TOLERANCE: f32 = 1e-5;
const NORMAL_TOLERANCE: f32 = 1e-4;
const FLOATS: usize = 6;

/// Compares `rust.txt` with the stored table, and the files of each name with those of Rust.
pub fn compare(folder: &Path, names: &[&str]) -> Result<()> {
    let read = |name: &str, kind: &str| {
        let path = folder.join(format!("{name}.{kind}"));
        fs::read(&path).with_context(|| path.display().to_string())
    };
    let table = |name: &str| Ok::<_, anyhow::Error>(String::from_utf8(read(name, "txt")?)?);
    let reference = floats(&read("rust", "vertices")?);
    let mut different = Vec::new();
    let rust = table("rust")?;
    for name in ["rust"].iter().chain(names) {
        let own = table(name)?;
        let steps = differences(TABLE, &own);
        let vertices = match *name {
            "rust" => String::new(),
            _ => format!(
                ", vertices within {:.1e} of the extent",
                apart(&floats(&read(name, "vertices")?), &reference)?
            ),
        };
        println!(
            "{name:<12} {} of {} steps equal{vertices}",
            rust.lines().count() - steps.len(),
            rust.lines().count()
        );
        different.extend(steps.into_iter().map(|step| format!("{name}: {step}")));
    }
    ensure!(
        different.is_empty(),
        "these steps differ from guests/table.txt:\n{}\nIf the poses were meant to change, copy rust.txt there and say so in CHANGELOG.md.",
        different.join("\n")
    );
    Ok(())
}

/// Lines of `expected` that `found` lacks, with what it has.
fn differences(expected: &str, found: &str) -> Vec<String> {
    let mut found = found.lines();
    let pairs = expected
        .lines()
        .map(|line| (line, found.next().unwrap_or("nothing")));
    let unequal = pairs.filter(|(expected, found)| expected != found);
    let mut lines: Vec<String> = unequal
        .map(|(e, f)| format!("{e}, but found {f}"))
        .collect();
    lines.extend(found.map(|line| format!("nothing, but found {line}")));
    lines
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    let words = bytes.as_chunks::<4>().0.iter();
    words.map(|&word| f32::from_le_bytes(word)).collect()
}

/// Max distance of two sets of vertices, as a fraction of the extent.
fn apart(found: &[f32], reference: &[f32]) -> Result<f32> {
    ensure!(
        found.len() == reference.len() && !found.is_empty(),
        "{} floats, but Rust wrote {}",
        found.len(),
        reference.len()
    );
    let axis = |axis: usize| reference.iter().skip(axis).step_by(FLOATS).copied();
    let side = |a: usize| axis(a).fold(f32::MIN, f32::max) - axis(a).fold(f32::MAX, f32::min);
    let extent = (0..3).map(side).fold(0.0, f32::max);
    let odd = found.iter().position(|number| !number.is_finite());
    if let Some(odd) = odd {
        bail!("vertex {} is not finite", odd / FLOATS);
    }
    let mut worst = 0.0_f32;
    for (vertex, (found, expected)) in found
        .chunks(FLOATS)
        .zip(reference.chunks(FLOATS))
        .enumerate()
    {
        let [position, normal] = [0..3, 3..6].map(|range| {
            let pairs = found[range.clone()].iter().zip(&expected[range]);
            pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
        });
        if position > TOLERANCE * extent || normal > NORMAL_TOLERANCE {
            bail!("vertex {vertex} is {found:?}, but the reference is {expected:?}");
        }
        worst = worst.max(position / extent);
    }
    Ok(worst)
}

#[cfg(test)]
mod tests {
    use super::{apart, differences};

    #[test]
    fn differences_are_named() {
        assert!(differences("a 1\nb 2\n", "a 1\nb 2\n").is_empty());
        assert_eq!(
            differences("a 1\nb 2\n", "a 1\nb 3\n"),
            ["b 2, but found b 3"]
        );
        assert_eq!(
            differences("a 1\nb 2\n", "a 1\n"),
            ["b 2, but found nothing"]
        );
        assert_eq!(
            differences("a 1\n", "a 1\nb 2\n"),
            ["nothing, but found b 2"]
        );
    }

    #[test]
    fn vertices_far_from_the_reference_are_refused() {
        let reference = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        let with = |at: usize, value: f32| {
            let mut vertices = reference;
            vertices[at] = value;
            vertices
        };
        assert_eq!(apart(&reference, &reference).ok(), Some(0.0));
        assert!(apart(&with(6, 2.000_01), &reference).is_ok_and(|worst| worst > 4e-6));
        for wrong in [with(6, 2.000_1), with(5, 0.999), with(0, f32::NAN)] {
            assert!(apart(&wrong, &reference).is_err(), "{wrong:?}");
        }
        assert!(apart(&reference[..6], &reference).is_err());
    }
}
