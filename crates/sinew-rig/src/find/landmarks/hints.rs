//! Hints: positions of joints that are given, and what follows from them.

use super::marks::Marks;
use crate::find::bare::BareMesh;
use crate::find::error::FindError;
use crate::find::frame::snapped;
use crate::find::options::FindOptions;
use glam::{DMat3, DQuat, DVec3};
use std::collections::BTreeMap;

/// Up by hints is an axis if it is within this angle of it, in degrees: bodies stand, clicks do not.
const UP_DEG: f64 = 25.0;
const AXIS_DEG: f64 = 7.0;
/// The chin is this far below and in front of the joint of the head, in heights.
const CHIN: [f64; 2] = [0.01, 0.05];
/// Proportions of a person, in heights: shoulders below the head and beside the middle, the ankle
/// above the sole, and the way from knee to hip per way from ankle to knee.
const SHOULDER: [f64; 2] = [0.078, 0.1];
const ANKLE: f64 = 0.052;
const THIGH: f64 = 1.03;
const ELBOW: f64 = 0.51;
const FOOT: f64 = 0.12;

const SPINE: [&str; 6] = ["hips", "spine_1", "spine_2", "chest", "neck", "head"];
const ARM: [&str; 4] = ["upper_arm", "lower_arm", "hand", "hand_tip"];
const LEG: [&str; 5] = ["upper_leg", "lower_leg", "foot", "toes", "toes_tip"];
const FORE: [&str; 4] = [
    "front_upper_leg",
    "front_lower_leg",
    "front_foot",
    "front_foot_tip",
];

/// Given positions by joint name, in the scaled mesh or in the frame of the body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hints(BTreeMap<String, DVec3>);

impl Hints {
    pub fn new(options: &FindOptions, mesh: &BareMesh) -> Result<Self, FindError> {
        let mut hints = BTreeMap::new();
        for (name, at) in &options.positions {
            if !at.is_finite() {
                return Err(FindError::NotFinite { name: name.clone() });
            }
            hints.insert(name.clone(), (at.as_dvec3() - mesh.middle) / mesh.size);
        }
        Ok(Self(hints))
    }

    /// Names of the joints.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    /// The same in other axes.
    pub fn turned(&self, axes: &DMat3) -> Self {
        let into = axes.transpose();
        Self(self.0.iter().map(|(n, &p)| (n.clone(), into * p)).collect())
    }

    fn at(&self, name: &str) -> Option<DVec3> {
        self.0.get(name).copied()
    }

    fn pair(&self, part: &str) -> Option<[DVec3; 2]> {
        Some([
            self.at(&format!("left_{part}"))?,
            self.at(&format!("right_{part}"))?,
        ])
    }

    fn head(&self) -> Option<DVec3> {
        ["head", "chin", "neck"]
            .iter()
            .find_map(|name| self.at(name))
    }

    /// Axes of the body, if the hints tell its top, its legs and a left and a right.
    pub fn axes(&self) -> Option<DMat3> {
        let legs = ["lower_leg", "foot", "upper_leg"];
        let low = legs
            .iter()
            .find_map(|part| self.pair(part))
            .map(|[l, r]| 0.5 * (l + r));
        let low = low.or_else(|| self.at("hips"))?;
        let up = snapped((self.head()? - low).try_normalize()?, UP_DEG);
        let sides = [
            "upper_arm",
            "lower_arm",
            "hand",
            "upper_leg",
            "lower_leg",
            "foot",
        ];
        let across = sides
            .iter()
            .filter_map(|part| self.pair(part))
            .map(|[l, r]| l - r)
            .sum::<DVec3>();
        let across = (across - up * across.dot(up)).try_normalize()?;
        let across = snapped(across, AXIS_DEG);
        Some(DMat3::from_cols(across, up, across.cross(up)))
    }

    /// Limbs of a person that were not found in the mesh, by proportions. `low` is the sole.
    pub fn fill(&self, marks: &mut Marks, low: f64, height: f64) {
        const GUESS: f64 = 0.3;
        let Some(head) = self
            .at("head")
            .or_else(|| marks.at("head"))
            .or_else(|| self.head())
        else {
            return;
        };
        for (side, sign) in [("left", 1.0), ("right", -1.0)] {
            let of = |part: &str| format!("{side}_{part}");
            if marks.sure(&of("upper_leg")) < GUESS
                && let Some(knee) = self.at(&of("lower_leg"))
            {
                let ankle = DVec3::new(knee.x, low + ANKLE * height, knee.z - 0.01 * height);
                let hip = knee + (knee - ankle) * THIGH;
                let hip = hip.with_x(head.x + 0.9 * (hip.x - head.x));
                let toes = DVec3::new(ankle.x, low + 0.01 * height, ankle.z + FOOT * height);
                let leg = [hip, knee, ankle, ankle.lerp(toes, 0.62), toes];
                for (part, at) in LEG.iter().zip(leg) {
                    marks.set(of(part), at, GUESS);
                }
            }
            if marks.sure(&of("upper_arm")) < GUESS {
                let [down, out] = SHOULDER.map(|part| part * height);
                let shoulder = head + DVec3::new(sign * out, -down, 0.0);
                marks.set(of("upper_arm"), shoulder, GUESS);
                marks.set(
                    of("shoulder"),
                    shoulder.lerp(head - DVec3::Y * down, 0.7),
                    GUESS,
                );
                if let Some(wrist) = self.at(&of("hand")) {
                    marks.set(of("lower_arm"), shoulder.lerp(wrist, ELBOW), GUESS);
                    marks.set(of("hand"), wrist, GUESS);
                }
            }
        }
    }

    /// Moves joints to their given positions. Joints between them follow.
    pub fn pin(&self, marks: &mut Marks, height: f64) {
        if let (Some(chin), None) = (self.at("chin"), self.at("head")) {
            let [up, back] = CHIN.map(|part| part * height);
            marks.set("head", chin + DVec3::new(0.0, up, -back), 0.9);
        }
        self.pin_chain(marks, &SPINE.map(str::to_owned));
        for side in ["left", "right"] {
            for chain in [&ARM[..], &LEG, &FORE] {
                let names: Vec<String> =
                    chain.iter().map(|part| format!("{side}_{part}")).collect();
                self.pin_chain(marks, &names);
            }
        }
        for (name, &at) in &self.0 {
            if name != "chin" {
                marks.set(name, at, 1.0);
            }
        }
    }

    fn pin_chain(&self, marks: &mut Marks, chain: &[String]) {
        let known: Vec<(&String, DVec3)> = chain
            .iter()
            .filter_map(|n| Some((n, marks.at(n)?)))
            .collect();
        let last_stays = chain.last().is_some_and(|name| name == "head");
        let mut from = 0;
        for place in 0..known.len() {
            let (name, _) = known[place];
            let is_end = last_stays && place + 1 == known.len();
            if self.at(name).is_none() && !is_end {
                continue;
            }
            let goal = |k: usize| self.at(known[k].0).unwrap_or(known[k].1);
            let old = known[place].1 - known[from].1;
            let new = goal(place) - goal(from);
            if place > from && old.length() > 0.0 {
                let turn =
                    DQuat::from_rotation_arc(old.normalize(), new.normalize_or(old.normalize()));
                let scale = new.length() / old.length();
                for &(between, at) in &known[from + 1..place] {
                    let moved = goal(from) + turn * (at - known[from].1) * scale;
                    marks.set(between.clone(), moved, marks.sure(between));
                }
            }
            from = place;
        }
        let Some(&(name, old)) = known.get(from) else {
            return;
        };
        let way = self.at(name).map_or(DVec3::ZERO, |at| at - old);
        for &(after, at) in &known[from + 1..] {
            marks.set(after.clone(), at + way, marks.sure(after));
        }
    }
}
