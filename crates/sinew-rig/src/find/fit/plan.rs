//! Description of a body that is fitted: joints, tapered capsules between them, lengths and radii
//! that both sides share, and rules of plausible poses. Lengths are in heights of the body.

use glam::DVec3;

/// Mean of two joints, with weights.
pub(crate) type Place = [(usize, f64); 2];

/// Tapered capsule.
#[derive(Clone, Debug)]
pub(crate) struct Bone {
    pub ends: [Place; 2],
    /// Indices of the radii at its ends.
    pub radii: [usize; 2],
}

/// Distance of two joints, and the index of its length.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub joints: [usize; 2],
    pub length: usize,
}

/// Sum of positions along an axis, per a length: usually `goal`, and off by `loose`.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub terms: Vec<(usize, f64)>,
    pub axis: DVec3,
    pub per: usize,
    pub goal: f64,
    pub loose: f64,
    /// True if more than the goal is as good.
    pub is_least: bool,
}

/// Usual sizes of a build: value and usual deviation, as a fraction of the value.
#[derive(Clone, Debug)]
pub(crate) struct Build {
    /// Cost of a build that is rare.
    pub rare: f64,
    pub lengths: Vec<[f64; 2]>,
    pub radii: Vec<[f64; 2]>,
}

/// A kind of body.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub joints: usize,
    pub bones: Vec<Bone>,
    pub spans: Vec<Span>,
    pub rules: Vec<Rule>,
}

impl Plan {
    /// Adds a rule about the sum of some positions along an axis, per a length: its usual value
    /// and deviation.
    pub fn usual(
        &mut self,
        terms: &[(usize, f64)],
        axis: DVec3,
        per: usize,
        [goal, loose]: [f64; 2],
    ) {
        let terms = terms.to_vec();
        self.rules.push(Rule {
            terms,
            axis,
            per,
            goal,
            loose,
            is_least: false,
        });
    }

    /// Adds a rule for which more is as good.
    pub fn at_least(&mut self, terms: &[(usize, f64)], axis: DVec3, per: usize, usual: [f64; 2]) {
        self.usual(terms, axis, per, usual);
        if let Some(rule) = self.rules.last_mut() {
            rule.is_least = true;
        }
    }
}

/// A body of a plan, in its frame.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub at: Vec<DVec3>,
    pub lengths: Vec<f64>,
    pub radii: Vec<f64>,
    /// Size relative to the build.
    pub size: f64,
}

impl Shape {
    pub fn place(&self, place: &Place) -> DVec3 {
        place
            .iter()
            .map(|&(joint, part)| self.at[joint] * part)
            .sum()
    }
}
