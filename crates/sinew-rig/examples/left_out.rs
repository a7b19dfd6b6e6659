//! Scores found joints of each person with constants that the other persons chose, for
//! scripts/leave-one-out-joints: `left_out FOLDER [WORD...]`. The folder holds the conformance files.
//! Words select bodies by name. The word `rest` leaves out the other poses. Prints markdown tables.

#[path = "../tests/find_truth/mod.rs"]
mod find_truth;

use find_truth::score::find_with;
use find_truth::{Bare, Case, Look, Pose, Score, Truth, mannequin, shared};
use sinew_rig::find::constants::Constants;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

/// A constant, the field with its value, and values besides the shipped one.
type Choice = (&'static str, fn(&mut Constants) -> &mut f64, [f64; 2]);
const CHOICES: [Choice; 9] = [
    ("loose", |c| &mut c.loose, [0.45, 0.8]),
    ("girth", |c| &mut c.girth, [0.15, 0.3]),
    ("observed", |c| &mut c.observed, [270.0, 600.0]),
    ("facing", |c| &mut c.facing, [0.8, 2.5]),
    ("deep", |c| &mut c.deep, [0.45, 0.8]),
    ("share", |c| &mut c.share, [0.3, 0.7]),
    ("hip", |c| &mut c.hip, [0.1, 0.18]),
    ("backward", |c| &mut c.backward, [5.0, 20.0]),
    ("person", |c| &mut c.person, [100.0, 140.0]),
];
/// Rest comes first.
const LOOKS: [Look; 3] = [
    Look::bare(Pose::Rest),
    Look::bare(Pose::Stride),
    Look::dressed(Pose::Hanging),
];
/// Distance that stands for a refused body, and the most that counts, in percent.
const REFUSED: f32 = 15.0;

/// Value of each constant: 0 is the shipped one.
type Chosen = [usize; CHOICES.len()];
/// Mean distance of limbs and head, in percent, by body and look.
type Scores = Vec<Vec<f32>>;

struct Table {
    truths: Vec<Truth>,
    /// Number of looks.
    looks: usize,
    /// Body, look, case and its mesh.
    cases: Vec<(usize, usize, Case, Bare)>,
    known: BTreeMap<Chosen, Scores>,
}

fn constants(chosen: &Chosen) -> Constants {
    let mut constants = Constants::DEFAULT;
    for ((_, place, values), &value) in CHOICES.iter().zip(chosen) {
        if value > 0 {
            *place(&mut constants) = values[value - 1];
        }
    }
    constants
}

fn single(choice: usize, value: usize) -> Chosen {
    let mut chosen = Chosen::default();
    chosen[choice] = value;
    chosen
}

fn words(chosen: &Chosen) -> String {
    let named = CHOICES.iter().zip(chosen).filter(|(_, value)| **value > 0);
    let named = named.map(|((name, _, values), value)| format!("{name} {}", values[value - 1]));
    let named = named.collect::<Vec<_>>().join(", ");
    if named.is_empty() {
        "as shipped".into()
    } else {
        named
    }
}

impl Table {
    fn new(truths: Vec<Truth>, looks: &'static [Look]) -> Self {
        let mut cases = Vec::new();
        for (body, truth) in truths.iter().enumerate() {
            for (look, &of) in looks.iter().enumerate() {
                let case = truth.case(of);
                let mesh = case.mesh();
                cases.push((body, look, case, mesh));
            }
        }
        Self {
            truths,
            looks: looks.len(),
            cases,
            known: BTreeMap::new(),
        }
    }

    fn scores(&mut self, chosen: Chosen) -> &Scores {
        if !self.known.contains_key(&chosen) {
            let scores = self.measured(&constants(&chosen));
            self.known.insert(chosen, scores);
        }
        &self.known[&chosen]
    }

    fn measured(&self, constants: &Constants) -> Scores {
        let scores = Mutex::new(vec![vec![REFUSED; self.looks]; self.truths.len()]);
        let left = Mutex::new(self.cases.iter());
        let work = || {
            loop {
                let next = left.lock().expect("no thread panics").next();
                let Some((body, look, case, mesh)) = next else {
                    break;
                };
                let found = find_with(&mesh.positions, &mesh.triangles, constants);
                if let Ok(found) = found {
                    let mean = Score::new(&self.truths[*body], case, &found).mean();
                    scores.lock().expect("no thread panics")[*body][*look] = mean.min(REFUSED);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(work);
            }
        });
        scores.into_inner().expect("no thread panics")
    }

    /// Mean distance of some bodies, per distance with the shipped constants.
    fn cost(&mut self, chosen: Chosen, bodies: &[usize]) -> f32 {
        let shipped = self.scores(Chosen::default()).clone();
        let scores = self.scores(chosen);
        let part = |&body: &usize| mean(&scores[body]) / mean(&shipped[body]);
        mean(&bodies.iter().map(part).collect::<Vec<_>>())
    }

    /// Constants that some bodies choose: the best value of each, or one of them if all together are worse.
    fn chosen(&mut self, bodies: &[usize]) -> Chosen {
        let (mut all, mut best) = (Chosen::default(), (1.0, Chosen::default()));
        for choice in 0..CHOICES.len() {
            let mut least = 1.0;
            for value in 1..=2 {
                let cost = self.cost(single(choice, value), bodies);
                if cost < least {
                    (least, all[choice]) = (cost, value);
                }
                if cost < best.0 {
                    best = (cost, single(choice, value));
                }
            }
        }
        if self.cost(all, bodies) < best.0 {
            all
        } else {
            best.1
        }
    }
}

fn mean(values: &[f32]) -> f32 {
    values.iter().sum::<f32>() / values.len().max(1) as f32
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or("../shared/conformance".into());
    let mut names: Vec<String> = arguments.collect();
    let looks = match names.iter().position(|name| name == "rest") {
        Some(word) => {
            names.remove(word);
            &LOOKS[..1]
        }
        None => &LOOKS,
    };
    let mut truths = shared(Path::new(&folder));
    truths.push(mannequin());
    // The hero is not among the twelve of the record.
    truths.retain(|t| t.is_posed() && t.name != "q-hero");
    truths.retain(|t| names.is_empty() || names.iter().any(|name| t.name.contains(name)));
    let everyone: Vec<usize> = (0..truths.len()).collect();
    let mut table = Table::new(truths, looks);
    println!("| constants | mean distance, parts of the shipped |\n|---|---|");
    for choice in 0..CHOICES.len() {
        for value in 1..=2 {
            let chosen = single(choice, value);
            let cost = table.cost(chosen, &everyone);
            println!("| {} | {cost:.3} |", words(&chosen));
        }
    }
    println!(
        "\n| left out | chosen by the others | rest %, shipped | rest %, left out | others %, shipped | others %, left out |\n|---|---|---|---|---|---|"
    );
    let mut sums = [0.0; 4];
    for &body in &everyone {
        let others: Vec<usize> = everyone.iter().copied().filter(|b| *b != body).collect();
        let chosen = table.chosen(&others);
        let mut cells = [0.0; 4];
        for (k, chosen) in [Chosen::default(), chosen].into_iter().enumerate() {
            let scores = &table.scores(chosen)[body];
            (cells[k], cells[2 + k]) = (scores[0], mean(&scores[1..]));
        }
        for (sum, cell) in sums.iter_mut().zip(cells) {
            *sum += cell / everyone.len() as f32;
        }
        let [a, b, c, d] = cells;
        let name = &table.truths[body].name;
        println!(
            "| {name} | {} | {a:.1} | {b:.1} | {c:.1} | {d:.1} |",
            words(&chosen)
        );
    }
    let [a, b, c, d] = sums;
    println!("| mean | | {a:.2} | {b:.2} | {c:.2} | {d:.2} |");
}
