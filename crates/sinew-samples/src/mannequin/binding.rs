//! Weights of the mannequin. They change from joint to joint over about the radius of the limb.

use super::figure::JointPositions;
use glam::Vec3;
use sinew_rig::template::FINGERS;

/// Joint names and weights of a vertex.
pub type Weights = Vec<(String, f32)>;

pub struct Binder<'a> {
    joint_positions: &'a JointPositions,
    /// Joints of the spine from hips to head, with the direction in which their weight grows.
    trunk: Vec<(String, Vec3)>,
}

/// Smoothstep around a joint: 0 at `-reach`, 1 at `reach`.
fn taken(along: f32, reach: f32) -> f32 {
    let t = (0.5 + 0.5 * along / reach).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn from_segment(p: Vec3, a: Vec3, b: Vec3) -> f32 {
    let along = b - a;
    let t = (p - a).dot(along) / along.length_squared().max(1e-12);
    p.distance(a + along * t.clamp(0.0, 1.0))
}

impl<'a> Binder<'a> {
    pub fn new(joint_positions: &'a JointPositions) -> Self {
        let mut trunk: Vec<(String, Vec3)> = vec![("hips".to_owned(), Vec3::Y)];
        let spine = (1..).map(|k| format!("spine_{k}"));
        trunk.extend(
            spine
                .take_while(|name| joint_positions.contains_key(name))
                .map(|name| (name, Vec3::Y)),
        );
        trunk.push(("chest".to_owned(), Vec3::Y));
        trunk.push(("neck".to_owned(), Vec3::new(0.0, 0.94, 0.34)));
        // The chin follows the head, and the nape follows the neck.
        trunk.push(("head".to_owned(), Vec3::new(0.0, 0.72, 0.69)));
        Self {
            joint_positions,
            trunk,
        }
    }

    fn at(&self, name: &str) -> Vec3 {
        self.joint_positions[name]
    }

    /// Weights of a vertex with x ≥ 0: at most four, in descending order, with sum 1.
    pub fn weights(&self, p: Vec3) -> Weights {
        let (arm, leg) = (self.arm_part(p), self.leg_part(p));
        let mut weights = Weights::new();
        let rest = 1.0 - arm - leg;
        for (name, weight) in self.on_trunk(p) {
            weights.push((name, weight * rest));
        }
        if arm > 0.0 {
            for (name, weight) in self.on_arm(p) {
                weights.push((format!("left_{name}"), weight * arm));
            }
        }
        if leg > 0.0 {
            // Vertices between the legs follow the two legs.
            let left = 0.5 + 0.5 * taken(2.0 * p.x - 0.025, 0.025);
            for (name, weight) in self.on_leg(p) {
                weights.push((format!("left_{name}"), weight * leg * left));
                weights.push((format!("right_{name}"), weight * leg * (1.0 - left)));
            }
        }
        heaviest_four(weights)
    }

    fn on_trunk(&self, p: Vec3) -> Weights {
        let mut weights: Weights = vec![("hips".to_owned(), 1.0)];
        for (name, along) in &self.trunk[1..] {
            let reach = match name.as_str() {
                "head" => 0.035,
                "neck" => 0.045,
                _ => 0.075,
            };
            take(
                &mut weights,
                name,
                taken((p - self.at(name)).dot(*along), reach),
            );
        }
        let aside = taken(p.x - 0.085, 0.075) * taken(p.y - 1.385, 0.06);
        let chest = weights.iter_mut().find(|w| w.0 == "chest");
        if let Some(chest) = chest.filter(|_| aside > 0.0) {
            let moved = 0.75 * aside * chest.1;
            chest.1 -= moved;
            weights.push(("left_shoulder".to_owned(), moved));
        }
        weights
    }

    fn arm_part(&self, p: Vec3) -> f32 {
        let (shoulder, elbow) = (self.at("left_upper_arm"), self.at("left_lower_arm"));
        let along = (p - shoulder).dot(Vec3::new(0.94, -0.34, 0.0));
        // Vertices below the armpit follow only the chest.
        let beside = from_segment(p, shoulder, elbow);
        let near = if p.x > 0.34 {
            1.0
        } else {
            1.0 - taken(beside - 0.088, 0.022)
        };
        taken(along - 0.004, 0.062) * near
    }

    fn on_arm(&self, p: Vec3) -> Weights {
        let [elbow, wrist] = ["left_lower_arm", "left_hand"].map(|n| self.at(n));
        let upper = (elbow - self.at("left_upper_arm")).normalize();
        let lower = (wrist - elbow).normalize();
        let mut weights: Weights = vec![("upper_arm".to_owned(), 1.0)];
        let bend = (upper + lower).normalize();
        take(
            &mut weights,
            "lower_arm",
            taken((p - elbow).dot(bend), 0.045),
        );
        let down = (p - wrist).dot(lower);
        take(&mut weights, "hand", taken(down, 0.024));
        if down > 0.0 && self.joint_positions.contains_key("left_thumb_1") {
            self.fingers(p, &mut weights);
        }
        weights
    }

    /// Moves weights from the hand to the nearest finger, or to two adjacent fingers.
    fn fingers(&self, p: Vec3, weights: &mut Weights) {
        let joints = FINGERS.map(|f| [1, 2, 3].map(|k| self.at(&format!("left_{f}_{k}"))));
        let ends = joints.map(|[_, b, c]| c + (c - b) * 0.9);
        let apart: [f32; 5] = std::array::from_fn(|f| {
            let [a, b, c] = joints[f];
            let d = from_segment(p, a, b).min(from_segment(p, b, c));
            d.min(from_segment(p, c, ends[f]))
        });
        let nearest = apart.iter().copied().fold(f32::INFINITY, f32::min);
        let shares = apart.map(|d| (1.0 - (d - nearest) / 0.006).max(0.0));
        let all: f32 = shares.iter().sum();
        let Some(hand) = weights.pop() else { return };
        let mut left = hand.1;
        for (f, name) in FINGERS.iter().enumerate().filter(|(f, _)| shares[*f] > 0.0) {
            let [a, b, c] = joints[f];
            let along = (b - a).normalize();
            let reach = if f == 0 { 0.018 } else { 0.012 };
            let mut first = taken((p - a).dot(along), reach);
            if f == 0 {
                first *= 1.0 - taken(apart[0] - 0.020, 0.007);
            }
            let mut finger: Weights = vec![("hand".to_owned(), 1.0)];
            take(&mut finger, &format!("{name}_1"), first);
            let knuckles = [(b, c - a, 0.0085), (c, ends[f] - b, 0.007)];
            for (k, (at, along, reach)) in knuckles.into_iter().enumerate() {
                let taken = taken((p - at).dot(along.normalize()), reach);
                take(&mut finger, &format!("{name}_{}", k + 2), taken);
            }
            for (name, weight) in finger.into_iter().filter(|w| w.0 != "hand") {
                let weight = weight * hand.1 * shares[f] / all;
                left -= weight;
                weights.push((name, weight));
            }
        }
        weights.push(("hand".to_owned(), left.max(0.0)));
    }

    /// Weight of the legs. It is 0 above a line from the crotch to the hip bone. At the back, the
    /// line is lower.
    fn leg_part(&self, p: Vec3) -> f32 {
        if p.x > 0.25 {
            return 0.0;
        }
        let from = p - self.at("left_upper_leg");
        let along = from.dot(Vec3::new(0.5, -0.866, 0.0)) + 0.45 * p.z.min(0.0) - 0.012;
        taken(along, 0.08)
    }

    fn on_leg(&self, p: Vec3) -> Weights {
        let [hip, knee, ankle] =
            ["left_upper_leg", "left_lower_leg", "left_foot"].map(|n| self.at(n));
        let bend = ((knee - hip).normalize() + (ankle - knee).normalize()).normalize();
        let mut weights: Weights = vec![("upper_leg".to_owned(), 1.0)];
        take(&mut weights, "lower_leg", taken((p - knee).dot(bend), 0.06));
        let down = (ankle - knee).normalize();
        let instep = (down + Vec3::Z * 0.75).normalize();
        take(
            &mut weights,
            "foot",
            taken((p - ankle).dot(instep) + 0.01, 0.038),
        );
        if let Some(ball) = self.joint_positions.get("left_toes") {
            let ahead = (*ball - ankle).with_y(0.0).normalize();
            take(&mut weights, "toes", taken((p - *ball).dot(ahead), 0.03));
        }
        weights
    }
}

fn take(weights: &mut Weights, name: &str, taken: f32) {
    if let Some(last) = weights.last_mut() {
        let moved = last.1 * taken;
        last.1 -= moved;
        weights.push((name.to_owned(), moved));
    }
}

fn heaviest_four(mut weights: Weights) -> Weights {
    weights.retain(|w| w.1 > 1e-3);
    weights.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    // On the plane x = 0, left and right weights must stay paired.
    let mut kept = weights.len().min(4);
    while kept > 1 && kept < weights.len() && weights[kept - 1].1 == weights[kept].1 {
        kept -= 1;
    }
    weights.truncate(kept);
    let sum: f32 = weights.iter().map(|w| w.1).sum();
    for weight in &mut weights {
        weight.1 /= sum;
    }
    weights
}
