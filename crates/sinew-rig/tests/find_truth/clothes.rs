//! A jacket and a skirt made by code over a body in a pose.

use super::bare::{Bare, Limb};
use super::files::{Case, Truth};
use super::names::SIDES;
use glam::Vec3;
use sinew_samples::bodies::Body;

/// Distance of cloth from the skin, and edge length of cloth, as parts of the height.
const GAP: f32 = 0.012;
const CELL: f32 = 0.012;

/// Rounded limb of a jacket. Cloth beyond an open end is cut away.
struct Sleeve {
    from: Vec3,
    to: Vec3,
    radius: f32,
    is_open: [bool; 2],
}

impl Sleeve {
    fn distance(&self, at: Vec3) -> f32 {
        let part = self.part(at).clamp(0.0, 1.0);
        at.distance(self.from.lerp(self.to, part)) - self.radius
    }

    fn part(&self, at: Vec3) -> f32 {
        let way = self.to - self.from;
        (at - self.from).dot(way) / way.length_squared().max(1e-12)
    }

    fn is_cut(&self, at: Vec3) -> bool {
        let part = self.part(at);
        (self.is_open[0] && part < 0.0) || (self.is_open[1] && part > 1.0)
    }
}

/// Jacket over trunk and arms, with sleeves that end above the wrists. Hanging sleeves are sewn to
/// the jacket where they touch it, as in scans.
pub fn jacket(truth: &Truth, case: &Case) -> Bare {
    let mut sleeves = trunk(truth, case);
    for side in SIDES {
        let at = |part: &str| case.joints[&format!("{side}_{part}")];
        let (shoulder, elbow, wrist) = (at("upper_arm"), at("lower_arm"), at("hand"));
        let cuff = elbow.lerp(wrist, 0.8);
        let arms = [
            (shoulder, elbow, [false, false]),
            (elbow, cuff, [false, true]),
        ];
        for (from, to, is_open) in arms {
            let radius = thickness(truth, case, from, to) + GAP * truth.height;
            sleeves.push(Sleeve {
                from,
                to,
                radius,
                is_open,
            });
        }
    }
    let mut body = Body::new("jacket", CELL * truth.height);
    for sleeve in &sleeves {
        let [from, to] = [sleeve.from.to_array(), sleeve.to.to_array()];
        body.limb("sleeve", from, to, sleeve.radius, &[]);
    }
    body.joint("root", "", [0.0; 3]);
    let character = body.character();
    let whole = &character.meshes[0].primitives[0];
    let stays = |vertex: &usize| {
        let at = whole.positions[*vertex];
        let near = |a: &&Sleeve, b: &&Sleeve| a.distance(at).total_cmp(&b.distance(at));
        let nearest = sleeves.iter().min_by(near);
        nearest.is_some_and(|sleeve| !sleeve.is_cut(at))
    };
    let triangles = whole.triangles().filter(|t| t.iter().all(stays));
    Bare {
        triangles: triangles.map(|t| t.map(|v| v as u32)).collect(),
        positions: whole.positions.to_vec(),
        heaviest: Vec::new(),
    }
}

/// Upright limbs side by side as wide as the trunk.
fn trunk(truth: &Truth, case: &Case) -> Vec<Sleeve> {
    let at = |name: &str| case.joints[name];
    let hips = 0.5 * (at("left_upper_leg") + at("right_upper_leg"));
    let top = 0.5 * (at("left_upper_arm") + at("right_upper_arm"));
    let out = (at("left_upper_leg") - at("right_upper_leg")).normalize();
    let along = (top - hips).normalize();
    let through = out.cross(along);
    let vertices = of_limb(truth, case, |limb| limb == Limb::Trunk);
    let inner = vertices.filter(|p| {
        let part = (*p - hips).dot(along) / top.distance(hips);
        (0.1..0.9).contains(&part)
    });
    let inner: Vec<Vec3> = inner.collect();
    let wide = percentile(inner.iter().map(|p| (*p - hips).dot(out).abs()), 0.95);
    let depths = || inner.iter().map(|p| (*p - hips).dot(through));
    let (back, front) = (percentile(depths(), 0.05), percentile(depths(), 0.95));
    let radius = 0.5 * (front - back);
    let middle = 0.5 * (front + back) * through;
    let side = (wide - radius).max(0.0) * out;
    [-side, Vec3::ZERO, side]
        .map(|beside| Sleeve {
            from: hips + middle + beside,
            to: top + middle + beside - 0.5 * radius * along,
            radius: radius + GAP * truth.height,
            is_open: [true, false],
        })
        .into()
}

/// Skirt from the waist to the middle of the shins, around both legs, with oval rings.
pub fn skirt(truth: &Truth, case: &Case) -> Bare {
    const COLUMNS: u32 = 40;
    const ROWS: u32 = 36;
    let middle = |part: &str| {
        let [left, right] = SIDES.map(|side| case.joints[&format!("{side}_{part}")]);
        0.5 * (left + right)
    };
    let (hips, knees, feet) = (middle("upper_leg"), middle("lower_leg"), middle("foot"));
    let top = hips + 0.06 * truth.height * Vec3::Y;
    let hem = knees.lerp(feet, 0.5);
    let is_low = |v: u32| {
        let limb = truth.limbs[case.bare.heaviest[v as usize]];
        matches!(limb, Limb::Leg(_) | Limb::Trunk)
    };
    // Triangles may be long.
    let mut surface = Vec::new();
    for &[a, b, c] in &case.bare.triangles {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            if is_low(from) && is_low(to) {
                let [from, to] = [from, to].map(|v| case.bare.positions[v as usize]);
                surface.extend((0_u8..8).map(|k| from.lerp(to, f32::from(k) / 8.0)));
            }
        }
    }
    let gap = GAP * truth.height;
    let mut skirt = Bare::default();
    let (mut low, mut high) = (hips - 2.0 * gap, hips + 2.0 * gap);
    for row in 0..=ROWS {
        let part = row as f32 / ROWS as f32;
        let level = top.lerp(hem, part);
        // A skirt falls from where it is widest.
        let near = |p: &&Vec3| (p.y - level.y).abs() < 0.02 * truth.height;
        for p in surface.iter().filter(near) {
            (low, high) = (low.min(*p - gap), high.max(*p + gap));
        }
        let centre = (0.5 * (low + high)).with_y(level.y);
        let half = 0.53 * (high - low);
        for column in 0..COLUMNS {
            let (sin, cos) = libm::sincosf(std::f32::consts::TAU * column as f32 / COLUMNS as f32);
            let round = half * Vec3::new(cos, 0.0, sin);
            skirt.positions.push(centre + round);
            if row > 0 {
                let (here, there) = (row * COLUMNS, (row - 1) * COLUMNS);
                let next = (column + 1) % COLUMNS;
                let [a, b, c, d] = [here + column, here + next, there + next, there + column];
                skirt.triangles.extend([[a, c, b], [a, d, c]]);
            }
        }
    }
    skirt
}

fn of_limb(
    truth: &Truth,
    case: &Case,
    is_one: impl Fn(Limb) -> bool,
) -> impl Iterator<Item = Vec3> {
    let bare = &case.bare;
    let vertices = bare.positions.iter().zip(&bare.heaviest);
    vertices.filter_map(move |(p, j)| is_one(truth.limbs[*j]).then_some(*p))
}

/// Distance of the skin from a bone of an arm.
fn thickness(truth: &Truth, case: &Case, from: Vec3, to: Vec3) -> f32 {
    let bone = Sleeve {
        from,
        to,
        radius: 0.0,
        is_open: [false; 2],
    };
    let arms = of_limb(truth, case, |limb| matches!(limb, Limb::Arm(_)));
    let reach = 0.5 * from.distance(to);
    let beside = arms.filter(|p| (0.25..0.9).contains(&bone.part(*p)));
    let near = beside.map(|p| bone.distance(p)).filter(|d| *d < reach);
    percentile(near, 0.9)
}

fn percentile(values: impl Iterator<Item = f32>, part: f32) -> f32 {
    let mut values: Vec<f32> = values.collect();
    values.sort_by(f32::total_cmp);
    let last = values.len().saturating_sub(1);
    values
        .get((part * last as f32) as usize)
        .copied()
        .unwrap_or(0.0)
}
