//! Fits a plan to the surface of a mesh: each sample belongs to the bone whose surface it could be,
//! and joints, lengths and radii move to the least sum of squares (iterated closest points with
//! Gauss-Newton steps). Samples that fit no bone, such as hair and cloth, lose their weight.

use super::normal::Normal;
use super::plan::{Build, Place, Plan, Shape};
use super::samples::{Sample, Seen};
use crate::find::constants::Constants;
use glam::DVec3;

/// Weight of all points of bones that should be inside, in independent observations.
const HELD: f64 = 60.0;
/// Usual deviation of the depth of the middle of a bone.
const SHALLOW: f64 = 0.015;
/// Deviation of a length from that of the other side.
const UNEQUAL: f64 = 0.006;
/// Weight of standing still.
const DAMPING: f64 = 0.02;
/// Farthest step of a joint.
const FARTHEST: f64 = 0.08;

/// Cost of a fit by its parts: surface, depth, sizes and pose.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    pub surface: f64,
    pub depth: f64,
    pub sizes: f64,
    pub pose: f64,
    /// Cost of the frame.
    pub doubt: f64,
}

impl Cost {
    pub fn sum(&self) -> f64 {
        self.of_body() + self.doubt
    }

    /// Cost without that of the frame.
    pub fn of_body(&self) -> f64 {
        self.surface + self.depth + self.sizes + self.pose
    }
}

/// Nearest point of a bone to a sample.
#[derive(Clone, Copy)]
pub(crate) struct Contact {
    pub bone: usize,
    pub part: f64,
    /// Distance from the surface of the bone, negative inside.
    pub away: f64,
    pub out: DVec3,
    pub cost: f64,
}

/// Ends and radii of bones.
struct Capsule {
    from: DVec3,
    way: DVec3,
    inverse: f64,
    radii: [f64; 2],
    thickest: f64,
}

pub(crate) struct Solver<'a> {
    pub plan: &'a Plan,
    pub build: &'a Build,
    pub seen: &'a Seen<'a>,
    pub samples: &'a [Sample],
    /// Cost of the frame.
    pub doubt: f64,
    pub constants: &'a Constants,
}

impl Solver<'_> {
    fn capsules(&self, shape: &Shape) -> Vec<Capsule> {
        let capsule = |bone: &super::plan::Bone| {
            let [from, to] = [0, 1].map(|end| shape.place(&bone.ends[end]));
            Capsule {
                from,
                way: to - from,
                inverse: 1.0 / (to - from).length_squared().max(1e-9),
                radii: bone.radii.map(|radius| shape.radii[radius]),
                thickest: shape.radii[bone.radii[0]].max(shape.radii[bone.radii[1]]),
            }
        };
        self.plan.bones.iter().map(capsule).collect()
    }

    /// The bone that explains a sample best.
    fn contact(&self, capsules: &[Capsule], sample: &Sample, per: f64) -> Contact {
        let mut best = Contact {
            bone: 0,
            part: 0.0,
            away: 0.0,
            out: DVec3::Y,
            cost: f64::INFINITY,
        };
        // A bone farther away cannot be better.
        let mut reach = f64::INFINITY;
        for (bone, capsule) in capsules.iter().enumerate() {
            let way = sample.at - capsule.from;
            let part = (way.dot(capsule.way) * capsule.inverse).clamp(0.0, 1.0);
            let beside = way - capsule.way * part;
            let square = beside.length_squared();
            if square > (capsule.thickest + reach).powi(2) {
                continue;
            }
            let long = square.sqrt();
            let away = long - (capsule.radii[0] + (capsule.radii[1] - capsule.radii[0]) * part);
            let near = away * away * per;
            if near >= best.cost {
                continue;
            }
            let out = beside / long.max(1e-9);
            let cost = near + self.constants.facing * (1.0 - out.dot(sample.normal));
            if cost < best.cost {
                best = Contact {
                    bone,
                    part,
                    away,
                    out,
                    cost,
                };
                reach = (cost / per).sqrt();
            }
        }
        best
    }

    /// Moves a shape by some steps. `widths` are the usual distance of samples at the first and the
    /// last step.
    pub fn fit(&self, shape: &mut Shape, steps: usize, widths: [f64; 2]) {
        for step in 0..steps {
            let t = step as f64 / (steps.max(2) - 1) as f64;
            let width = widths[0] + (widths[1] - widths[0]) * t;
            self.step(shape, width);
        }
    }

    fn step(&self, shape: &mut Shape, width: f64) {
        let joints = 3 * self.plan.joints;
        let (lengths, radii) = (joints, joints + shape.lengths.len());
        let size = radii + shape.radii.len();
        let mut normal = Normal::new(size + 1);
        self.add_samples(shape, width, radii, &mut normal);
        self.add_depth(shape, &mut normal);
        self.add_sizes(shape, [lengths, radii, size], &mut normal);
        self.add_rules(shape, &mut normal);
        let x = normal.solve(DAMPING);
        if x.iter().any(|step| !step.is_finite()) {
            return;
        }
        for (joint, at) in shape.at.iter_mut().enumerate() {
            let way = DVec3::new(x[3 * joint], x[3 * joint + 1], x[3 * joint + 2]);
            *at += way.clamp_length_max(FARTHEST);
        }
        for (k, length) in shape.lengths.iter_mut().enumerate() {
            *length = (*length + x[lengths + k]).clamp(0.5 * *length, 2.0 * *length);
        }
        for (k, radius) in shape.radii.iter_mut().enumerate() {
            *radius = (*radius + x[radii + k]).clamp(0.7 * *radius, 1.4 * *radius);
        }
        shape.size = (shape.size + x[size]).clamp(0.5, 2.0);
    }

    fn add_samples(&self, shape: &Shape, width: f64, radii: usize, normal: &mut Normal) {
        let capsules = self.capsules(shape);
        let per = 1.0 / (width * width);
        for sample in self.samples {
            let contact = self.contact(&capsules, sample, per);
            // Geman and McClure: the weight of what is far falls to nothing.
            let weight = (1.0 / (1.0 + 0.25 * contact.cost)).powi(2);
            let bone = &self.plan.bones[contact.bone];
            let mut slopes: [(usize, f64); 14] = [(0, 0.0); 14];
            let mut count = 0;
            for (end, part) in [(0, 1.0 - contact.part), (1, contact.part)] {
                for &(joint, share) in &bone.ends[end] {
                    if share != 0.0 {
                        for (axis, out) in contact.out.to_array().into_iter().enumerate() {
                            slopes[count] = (3 * joint + axis, -share * part * out);
                            count += 1;
                        }
                    }
                }
                slopes[count] = (radii + bone.radii[end], -part);
                count += 1;
            }
            let weight = self.constants.observed * sample.area * weight * per;
            normal.add(&slopes[..count], contact.away, weight);
        }
    }

    /// Points of bones that should be inside: position, radius and weight.
    fn probes(&self, shape: &Shape) -> Vec<(Place, Place, f64, f64)> {
        let mut probes = Vec::new();
        for bone in &self.plan.bones {
            for part in [0.1, 0.5, 0.9] {
                let [a, b] = bone.radii.map(|radius| shape.radii[radius]);
                probes.push((bone.ends[0], bone.ends[1], part, a + (b - a) * part));
            }
        }
        probes
    }

    fn add_depth(&self, shape: &Shape, normal: &mut Normal) {
        let probes = self.probes(shape);
        let each = HELD / probes.len() as f64 / (SHALLOW * SHALLOW);
        for (from, to, part, radius) in probes {
            let at = shape.place(&from).lerp(shape.place(&to), part);
            let (depth, slope) = self.seen.depth(at);
            let lack = self.constants.deep * radius - depth;
            if lack > 0.0 {
                let mut slopes = Vec::with_capacity(12);
                for (place, share) in [(from, 1.0 - part), (to, part)] {
                    for (joint, part) in place {
                        for (axis, slope) in slope.to_array().into_iter().enumerate() {
                            slopes.push((3 * joint + axis, -share * part * slope));
                        }
                    }
                }
                let weight = 1.0 / (1.0 + 0.05 * (lack / SHALLOW).powi(2));
                normal.add(&slopes, lack, each * weight);
            }
        }
    }

    fn add_sizes(&self, shape: &Shape, [lengths, radii, size]: [usize; 3], normal: &mut Normal) {
        for span in &self.plan.spans {
            let [a, b] = span.joints;
            let way = shape.at[b] - shape.at[a];
            let long = way.length().max(1e-6);
            let mut slopes = [(lengths + span.length, -1.0); 7];
            for (axis, part) in (way / long).to_array().into_iter().enumerate() {
                slopes[1 + axis] = (3 * a + axis, -part);
                slopes[4 + axis] = (3 * b + axis, part);
            }
            normal.add(
                &slopes,
                long - shape.lengths[span.length],
                1.0 / (UNEQUAL * UNEQUAL),
            );
        }
        for (first, all, usual) in [
            (lengths, &shape.lengths, &self.build.lengths),
            (radii, &shape.radii, &self.build.radii),
        ] {
            for (k, (&value, &[mean, loose])) in all.iter().zip(usual).enumerate() {
                let off = value - shape.size * mean;
                let weight = 1.0 / (loose * mean * shape.size).powi(2);
                normal.add(&[(first + k, 1.0), (size, -mean)], off, weight);
            }
        }
    }

    fn off(rule: &super::plan::Rule, shape: &Shape) -> f64 {
        let sum: DVec3 = rule
            .terms
            .iter()
            .map(|&(joint, part)| shape.at[joint] * part)
            .sum();
        sum.dot(rule.axis) / shape.lengths[rule.per].max(1e-6) - rule.goal
    }

    fn add_rules(&self, shape: &Shape, normal: &mut Normal) {
        let mut slopes = Vec::with_capacity(12);
        for rule in &self.plan.rules {
            let off = Self::off(rule, shape);
            if rule.is_least && off >= 0.0 {
                continue;
            }
            slopes.clear();
            let per = 1.0 / shape.lengths[rule.per].max(1e-6);
            for &(joint, part) in &rule.terms {
                for (axis, way) in rule.axis.to_array().into_iter().enumerate() {
                    if way != 0.0 {
                        slopes.push((3 * joint + axis, part * way * per));
                    }
                }
            }
            normal.add(&slopes, off, 1.0 / (rule.loose * rule.loose));
        }
    }

    /// Cost of a shape, for a usual distance of samples.
    pub fn cost(&self, shape: &Shape, width: f64) -> Cost {
        let mut cost = Cost::default();
        let capsules = self.capsules(shape);
        let per = 1.0 / (width * width);
        let bounded = |cost: f64| cost / (1.0 + 0.25 * cost);
        for sample in self.samples {
            let contact = self.contact(&capsules, sample, per);
            cost.surface += 0.25 * self.constants.observed * sample.area * bounded(contact.cost);
        }
        let probes = self.probes(shape);
        for (from, to, part, radius) in &probes {
            let at = shape.place(from).lerp(shape.place(to), *part);
            let lack = (self.constants.deep * radius - self.seen.depth(at).0).max(0.0) / SHALLOW;
            cost.depth += HELD / probes.len() as f64 * lack * lack / (1.0 + 0.05 * lack * lack);
        }
        cost.sizes = self.build.rare;
        cost.doubt = self.doubt;
        for (all, usual) in [
            (&shape.lengths, &self.build.lengths),
            (&shape.radii, &self.build.radii),
        ] {
            for (&value, &[mean, loose]) in all.iter().zip(usual) {
                cost.sizes += ((value - shape.size * mean) / (loose * mean * shape.size)).powi(2);
            }
        }
        for rule in &self.plan.rules {
            let off = Self::off(rule, shape) / rule.loose;
            if !rule.is_least || off < 0.0 {
                cost.pose += off * off;
            }
        }
        cost
    }
}
