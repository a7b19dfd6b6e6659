//! Scores found skeletons, for scripts/score-joints: `find FOLDER [WORD...]`. The folder holds the
//! conformance files. Words select bodies by name. Prints markdown tables. With `WRITE=FOLDER` in the
//! environment it writes each mesh as OBJ, and its known and found joints as lines of text.

#[path = "../tests/find_truth/mod.rs"]
mod find_truth;

use find_truth::bend::bend;
use find_truth::made::{animal, person};
use find_truth::score::{mean, worst};
use find_truth::{Bare, Found, Look, Pose, Score, Truth, find, mannequin, shared};
use glam::Vec3;
use sinew_samples::bodies::{Beast, Build, Gait, Stance};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or("../shared/conformance".into());
    let words: Vec<String> = arguments.collect();
    let mut truths = shared(Path::new(&folder));
    truths.push(mannequin());
    truths.retain(|t| words.is_empty() || words.iter().any(|word| t.name.contains(word)));
    println!(
        "| body | found | limbs and head, mean / worst % | worst joint | spine and collarbones, mean / worst % | outside | toes and fingers, mean % | s |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for truth in &truths {
        row(truth);
    }
    println!();
    println!("| body | p99 with the artist's joints % | with found joints % | ratio |");
    println!("|---|---|---|---|");
    for truth in &truths {
        bent(truth);
    }
    println!();
    println!("| body | {} |", Look::ALL.map(Look::name).join(" | "));
    println!("|---|{}", "---|".repeat(Look::ALL.len()));
    for truth in truths.iter().filter(|t| t.is_posed()) {
        let cells = Look::ALL.map(|look| cell(truth, look));
        println!("| {} | {} |", truth.name, cells.join(" | "));
    }
    made(&words);
}

/// Bodies made by code, a row for each build.
fn made(words: &[String]) {
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word));
    println!(
        "\n| made by code | {} |",
        Stance::ALL.map(|s| format!("{s:?}")).join(" | ")
    );
    println!("|---|---|---|---|---|");
    for build in Build::all().iter().filter(|build| wanted(build.name)) {
        let cells = Stance::ALL.map(|stance| cell(&person(build, stance), Look::bare(Pose::Rest)));
        println!("| {} | {} |", build.name, cells.join(" | "));
    }
    println!(
        "\n| made by code | {} |",
        Gait::ALL.map(|g| format!("{g:?}")).join(" | ")
    );
    println!("|---|---|---|---|---|");
    for beast in Beast::all().iter().filter(|beast| wanted(beast.name)) {
        let cells = Gait::ALL.map(|gait| cell(&animal(beast, gait), Look::bare(Pose::Rest)));
        println!("| {} | {} |", beast.name, cells.join(" | "));
    }
}

fn scored(truth: &Truth, look: Look) -> Result<(Found, Score), String> {
    let case = truth.case(look);
    let mesh = case.mesh();
    let found = find(&mesh.positions, &mesh.triangles);
    if let Some(folder) = std::env::var_os("WRITE") {
        let name = format!("{} {}", truth.name, look.name());
        let joints = found.as_ref().map(|found| &found.joints).ok();
        let written = write(Path::new(&folder), &name, &mesh, &case.joints, joints);
        written.map_err(|error| error.to_string())?;
    }
    let found = found?;
    let score = Score::new(truth, &case, &found);
    Ok((found, score))
}

type Joints = BTreeMap<String, Vec3>;

fn write(
    folder: &Path,
    name: &str,
    mesh: &Bare,
    known: &Joints,
    found: Option<&Joints>,
) -> std::io::Result<()> {
    let mut text = String::new();
    for p in &mesh.positions {
        writeln!(text, "v {} {} {}", p.x, p.y, p.z).map_err(std::io::Error::other)?;
    }
    for t in &mesh.triangles {
        let [a, b, c] = t.map(|v| v + 1);
        writeln!(text, "f {a} {b} {c}").map_err(std::io::Error::other)?;
    }
    std::fs::write(folder.join(format!("{name}.obj")), text)?;
    let mut text = String::new();
    for (kind, joints) in [("known", Some(known)), ("found", found)] {
        for (name, p) in joints.into_iter().flatten() {
            let [x, y, z] = p.to_array();
            writeln!(text, "{kind} {name} {x} {y} {z}").map_err(std::io::Error::other)?;
        }
    }
    std::fs::write(folder.join(format!("{name}.txt")), text)
}

fn row(truth: &Truth) {
    let (found, score) = match scored(truth, Look::bare(Pose::Rest)) {
        Ok(scored) => scored,
        Err(reason) => return println!("| {} | {reason} | | | | | | |", truth.name),
    };
    let (at, most) = score.worst();
    let (spine_at, spine) = worst(&score.spine);
    let body = if score.is_backward {
        "backward"
    } else {
        found.body
    };
    println!(
        "| {} | {} | {:.1} / {most:.1} | {at} | {:.1} / {spine:.1} ({spine_at}) | {} | {:.1} | {:.2} |",
        truth.name,
        body,
        score.mean(),
        mean(&score.spine),
        score.outside.join(", "),
        mean(&score.ends),
        found.secs,
    );
}

fn bent(truth: &Truth) {
    let scored = scored(truth, Look::bare(Pose::Rest));
    match scored.and_then(|(found, _)| bend(truth, &found.template)) {
        Ok([artist, found]) => println!(
            "| {} | {artist:.2} | {found:.2} | {:.2} |",
            truth.name,
            found / artist
        ),
        Err(reason) => println!("| {} | {reason} | | |", truth.name),
    }
}

fn cell(truth: &Truth, look: Look) -> String {
    match scored(truth, look) {
        Ok((_, score)) => {
            let (at, most) = score.worst();
            let outside = score.outside.len();
            let way = if score.is_backward { ", backward" } else { "" };
            format!("{:.1} / {most:.1} {at}, {outside} out{way}", score.mean())
        }
        Err(_) => "refused".to_owned(),
    }
}
