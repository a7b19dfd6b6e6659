//! Stance of a body, for a direction that may be up: which tips are feet, hands and crown, and
//! how much this looks like a body on two legs or four.

use super::four::Four;
use super::options::Like;
use super::skin::graph::Skin;
use super::skin::limb::Limb;
use super::skin::reach::{Tip, distances, tips};
use glam::DVec3;

/// Min rise of a limb above its fork, as a fraction of the height of the body.
const LIMB: f64 = 0.08;
/// Largest such rise that is asked for where toes are apart.
const LARGEST: f64 = 0.16;
/// Max height of the tip of a foot, as a fraction of the height of the body.
const LOW: f64 = 0.1;

/// Rise of a limb that is clearly one, in heights: the legs of a figure with a large head.
const SHORT: f64 = 0.12;
/// Fraction of the skin that is on the ground where a body stands: the soles of a person.
const SOLE: f64 = 0.02;
/// Height that a patch loses as the top of a body, per distance from the middle.
const OFF_MIDDLE: f64 = 2.0;

/// Two tips, one on each side.
pub(crate) type Pair = [Tip; 2];

/// Body seen with a direction as up.
#[derive(Clone, Debug)]
pub(crate) struct Stance {
    pub up: DVec3,
    /// Heights of the sole and the crown along `up`.
    pub low: f64,
    pub height: f64,
    pub crown: usize,
    pub tips: Vec<Tip>,
    pub feet: Option<Pair>,
    /// Legs of an animal, if there may be four.
    pub four: Option<Four>,
    pub hands: Option<Pair>,
    /// Likeness to a body on two legs and on four, in [0, 1].
    pub biped: f64,
    pub quadruped: f64,
}

/// Likeness of two distances, in [0, 1].
fn alike(a: f64, b: f64) -> f64 {
    (1.0 - 3.0 * (a - b).abs() / a.max(b).max(1e-9)).max(0.0)
}

fn horizontal(way: DVec3, up: DVec3) -> DVec3 {
    way - up * way.dot(up)
}

impl Stance {
    /// Looks at a body whose longest side is 1.
    pub fn new(skin: &Skin, up: DVec3) -> Self {
        let along = |n: usize| skin.at[n].dot(up);
        let low = (0..skin.len()).map(along).fold(f64::INFINITY, f64::min);
        let high = (0..skin.len()).map(along).fold(f64::NEG_INFINITY, f64::max);
        let height = high - low;
        let crown = top(skin, up);
        let far = distances(skin, &[crown]);
        let above = |n: usize| (along(n) - low) / height;
        // Toes that are apart are no feet: what forks on the ground is one limb.
        let is_toe = |t: &Tip| above(t.node) < LOW && above(t.fork) < LOW;
        let mut least = LIMB;
        let mut found = tips(skin, &far, least * height);
        while least < LARGEST && found.iter().any(is_toe) {
            least *= 1.3;
            found = tips(skin, &far, least * height);
        }
        let tips = found;
        let mut stance = Self {
            up,
            low,
            height,
            crown,
            tips,
            feet: None,
            four: None,
            hands: None,
            biped: 0.0,
            quadruped: 0.0,
        };
        stance.find_feet(skin);
        stance.four = Four::new(skin, up, height, &stance.tips, |p| stance.above(p));
        stance.find_hands(skin);
        stance.rate(skin);
        stance
    }

    /// Likeness to a kind of body, in [0, 1].
    pub fn likeness(&self, like: Like) -> f64 {
        match like {
            Like::Auto => self.biped.max(self.quadruped),
            Like::Biped => self.biped,
            Like::Quadruped => self.quadruped,
        }
    }

    /// Height of a point above the sole, as a fraction of the height.
    pub fn above(&self, point: DVec3) -> f64 {
        (point.dot(self.up) - self.low) / self.height
    }

    fn find_feet(&mut self, skin: &Skin) {
        let lows = self
            .tips
            .iter()
            .filter(|t| self.above(skin.at[t.node]) < LOW);
        let mut pairs = pairs(lows.copied().collect(), |a, b| {
            let rise = |t: &Tip| (t.far - t.fork_far) / self.height;
            let level =
                1.0 - (self.above(skin.at[a.node]) - self.above(skin.at[b.node])).abs() / LOW;
            alike(a.far, b.far) * (0.2 + rise(a).min(rise(b)).min(0.3)) * (0.5 + 0.5 * level)
                // Of four feet, a pair is side by side, not across.
                / (1.0 + skin.at[a.node].distance(skin.at[b.node]) / self.height)
        });
        self.feet = (!pairs.is_empty()).then(|| pairs.remove(0));
    }

    fn find_hands(&mut self, skin: &Skin) {
        let Some(feet) = &self.feet else {
            let all = self.tips.clone();
            self.hands = pairs(all, |a, b| alike(a.far, b.far)).first().copied();
            return;
        };
        let is_foot = |t: &Tip| {
            let more = self
                .four
                .iter()
                .flat_map(|four| four.legs)
                .flat_map(|legs| legs.feet);
            feet.iter().copied().chain(more).any(|f| f.node == t.node)
        };
        let above_crotch =
            |t: &Tip| self.above(skin.at[t.fork]) > self.above(skin.at[feet[0].fork]).min(0.6);
        let rest = self.tips.iter().filter(|t| !is_foot(t) && above_crotch(t));
        let middle = horizontal(
            0.5 * (skin.at[feet[0].node] + skin.at[feet[1].node]),
            self.up,
        );
        let found = pairs(rest.copied().collect(), |a, b| {
            let [left, right] = [a, b].map(|t| horizontal(skin.at[t.node], self.up) - middle);
            let opposite =
                1.0 - (left + right).length() / (left.length() + right.length()).max(1e-9);
            let rise = |t: &Tip| (t.far - t.fork_far) / self.height;
            alike(a.far, b.far)
                * (0.1 + rise(a).min(rise(b)).min(0.4))
                * (0.3 + 0.7 * opposite.max(0.0))
                // Ears and wings start higher than arms.
                * (1.3 - self.above(skin.at[a.fork])).max(0.1)
        });
        self.hands = found.first().copied();
    }

    fn rate(&mut self, skin: &Skin) {
        let tall = (self.height / 0.7).min(1.0);
        let rise = |pair: &Pair| {
            let rise = pair.map(|t| (t.far - t.fork_far) / self.height);
            alike(pair[0].far, pair[1].far) * (rise[0].min(rise[1]) / SHORT).min(1.0)
        };
        let legs = self.feet.as_ref().map_or(0.0, rise);
        let arms = self.hands.as_ref().map_or(0.0, rise);
        let crown = skin.at[self.crown];
        let over = self.feet.as_ref().map_or(0.0, |feet| {
            let middle = 0.5 * (skin.at[feet[0].node] + skin.at[feet[1].node]);
            let beside = horizontal(crown - middle, self.up).length() / self.height;
            (1.2 - 2.0 * beside).clamp(0.1, 1.0)
        });
        let stands = (self.contact(skin) / SOLE).min(1.0);
        self.biped =
            legs * (self.armless(skin) + 0.7 * arms).min(1.0) * tall * over * (0.4 + 0.6 * stands);
        if let Some(four) = &self.four {
            self.quadruped = four.likeness;
            self.biped *= 1.0 - four.stands;
        }
    }

    /// Likeness of a body without arms that stand out: more if it has the outline of a person, with
    /// legs at most up to the middle (a skirt hides a part of them) and a head narrower than the rest.
    fn armless(&self, skin: &Skin) -> f64 {
        const PERSON: f64 = 0.6;
        const OTHER: f64 = 0.3;
        let Some(feet) = &self.feet else {
            return OTHER;
        };
        let crown = skin.at[self.crown];
        let (mut head, mut body) = (0.0_f64, 0.0_f64);
        for at in &skin.at {
            let out = horizontal(*at - crown, self.up).length();
            match self.above(*at) {
                above if above > 0.92 => head = head.max(out),
                above if (0.5..0.8).contains(&above) => body = body.max(out),
                _ => {}
            }
        }
        let fork = self.above(skin.at[feet[0].fork]);
        let is_person =
            (0.08..0.62).contains(&fork) && head < 1.1 * body && body < 0.4 * self.height;
        if is_person { PERSON } else { OTHER }
    }

    /// Fraction of the skin that is on the ground.
    fn contact(&self, skin: &Skin) -> f64 {
        let is_low = |n: &usize| self.above(skin.at[*n]) < 0.02;
        let on_ground: f64 = (0..skin.len()).filter(is_low).map(|n| skin.area[n]).sum();
        on_ground / skin.area.iter().sum::<f64>()
    }

    /// Missing parts of a body, in words.
    pub fn lacks(&self) -> String {
        let limbs = match self.tips.len() {
            0 => "it has no limbs".to_owned(),
            1 => "it has one limb".to_owned(),
            count => format!("it has {count} limbs"),
        };
        let rise = |pair: &Pair| {
            let rise = pair.map(|t| t.far - t.fork_far);
            100.0 * rise[0].min(rise[1]) / self.height
        };
        match (&self.feet, &self.hands) {
            (None, _) => format!("{limbs}, and no two of them stand on the ground side by side"),
            (Some(_), None) if self.four.is_none() => {
                format!(
                    "{limbs}: two legs, but no arms; if this is a person, give the positions of head, hands and knees"
                )
            }
            (Some(feet), _) => format!(
                "{limbs} that are not those of a body: the legs are {:.0} % of the height, the likeness is {:.0} %",
                rise(feet),
                100.0 * self.biped.max(self.quadruped),
            ),
        }
    }

    /// Direction from right to left or back, horizontal: across shoulders and hips.
    pub fn across(&self, skin: &Skin) -> Option<DVec3> {
        let side = |pair: &Option<Pair>, like: DVec3| {
            let Some(pair) = pair else { return DVec3::ZERO };
            let ends = pair.map(|t| {
                let limb = Limb::new(skin, t.node, t.fork);
                limb.middle(limb.length)
            });
            let way = horizontal(ends[0] - ends[1], self.up);
            if way.dot(like) < 0.0 { -way } else { way }
        };
        if let Some(four) = self.four.filter(|_| self.quadruped > self.biped) {
            return four.across(self.up);
        }
        let sum = side(&self.feet, DVec3::ZERO);
        (sum + side(&self.hands, sum)).try_normalize()
    }

    /// Evidence that a body faces `front`: its toes are in front of its ankles. Of round feet, the
    /// side to which the face and the chest stand out decides.
    pub fn faces(&self, skin: &Skin, front: DVec3) -> f64 {
        const CHEST: f64 = 1.0;
        const ROUND: f64 = 0.02;
        let (mut upper, mut lower) = ((0.0, 0.0), (0.0, 0.0));
        for n in 0..skin.len() {
            let above = self.above(skin.at[n]);
            let sum = if above > 0.55 { &mut upper } else { &mut lower };
            if !(0.3..=0.55).contains(&above) {
                *sum = (
                    sum.0 + skin.at[n].dot(front) * skin.area[n],
                    sum.1 + skin.area[n],
                );
            }
        }
        let chest = upper.0 / upper.1.max(1e-9) - lower.0 / lower.1.max(1e-9);
        let toes = self.toes(skin, front);
        if toes.abs() > ROUND {
            return toes;
        }
        toes + CHEST * chest / self.height
    }

    /// Mean distance of the toes in front of the ankles, along `front`, in heights.
    fn toes(&self, skin: &Skin, front: DVec3) -> f64 {
        let four = self.four.filter(|_| self.quadruped > self.biped);
        let feet: Vec<Tip> = match four {
            Some(four) => four.legs.iter().flat_map(|legs| legs.feet).collect(),
            None => self.feet.iter().flatten().copied().collect(),
        };
        let toes = |tip: &Tip| {
            let limb = Limb::new(skin, tip.node, tip.fork);
            let far = distances(skin, &[tip.node]);
            let fork = self.above(skin.at[tip.fork]).max(1e-9);
            let (mut sole, mut shin) = ((DVec3::ZERO, 0.0), (DVec3::ZERO, 0.0));
            for (n, &far) in far.iter().enumerate() {
                if far < limb.length {
                    let above = self.above(skin.at[n]) / fork;
                    let sum = if above < 0.1 {
                        &mut sole
                    } else if (0.15..0.35).contains(&above) {
                        &mut shin
                    } else {
                        continue;
                    };
                    *sum = (sum.0 + skin.at[n] * skin.area[n], sum.1 + skin.area[n]);
                }
            }
            if sole.1 > 0.0 && shin.1 > 0.0 {
                let toe = 0.5 * (sole.0 / sole.1 + skin.at[tip.node]);
                (toe - shin.0 / shin.1).dot(front) / self.height
            } else {
                0.0
            }
        };
        feet.iter().map(toes).sum()
    }
}

/// Patch at the top of the body, above its middle: ears, horns and raised hands are farther out.
fn top(skin: &Skin, up: DVec3) -> usize {
    let total: f64 = skin.area.iter().sum();
    let sum = (0..skin.len()).fold(DVec3::ZERO, |sum, n| sum + skin.at[n] * skin.area[n]);
    let middle = sum / total;
    let worth = |n: usize| {
        let way = skin.at[n] - middle;
        way.dot(up) - OFF_MIDDLE * horizontal(way, up).length()
    };
    (0..skin.len())
        .max_by(|&a, &b| worth(a).total_cmp(&worth(b)))
        .unwrap_or(0)
}

/// Pairs of tips by falling worth. Pairs without worth are left out.
fn pairs(tips: Vec<Tip>, worth: impl Fn(&Tip, &Tip) -> f64) -> Vec<Pair> {
    let mut rated = Vec::new();
    for (index, a) in tips.iter().enumerate() {
        for b in &tips[index + 1..] {
            let worth = worth(a, b);
            if worth > 0.0 {
                rated.push((worth, [*a, *b]));
            }
        }
    }
    rated.sort_by(|a, b| b.0.total_cmp(&a.0));
    rated.into_iter().map(|(_, pair)| pair).collect()
}
