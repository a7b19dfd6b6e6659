//! Parts of a four-legged animal, found by its tree and proportions at rest. Names only tell where
//! the head ends. Up is y.
//!
//! A leg is a chain on one side of the body that ends near the ground. A foot that hangs on a
//! control at the ground, as in rigs with inverse kinematics, continues the nearest leg that ends
//! above the ground.

use super::joint_names::{Part, is_helper, meaning};
use super::role_map::Roles;
use glam::Vec3;
use sinew::Skeleton;
use sinew::skeleton::{Role, Side};

/// Heights relative to that of the whole body: max height of the end of a leg, and min length of a
/// leg. Then max distance of a foot from the leg that it continues, min distance of front legs from
/// hind legs, and distance from the middle plane from which a joint belongs to a side.
const NEAR_GROUND: f32 = 0.15;
const LEG: f32 = 0.3;
const APART: f32 = 0.5;
const BETWEEN_LEGS: f32 = 0.25;
const ASIDE: f32 = 0.02;
/// Max slope of bones above a leg, such as shoulder blades: height over length.
const GIRDLE: f32 = 0.6;
/// Heights of hip, knee, hock and ball, and of shoulder, elbow and wrist, relative to the first.
const HIND: [f32; 4] = [1.0, 0.7, 0.36, 0.06];
const SHORT_HIND: [f32; 3] = [1.0, 0.5, 0.12];
const FRONT: [f32; 3] = [1.0, 0.5, 0.14];
/// Max number of joints of an animal, which bounds the time of the search.
const MAX_JOINTS: usize = 1000;

/// Four-legged body.
#[derive(Clone, Debug)]
pub(crate) struct FourLegs {
    pub roles: Roles,
    pub legs: Vec<FoundLeg>,
    pub tail: Vec<usize>,
    /// Feet on controls, each with the last joint of its leg.
    pub hung: Vec<[usize; 2]>,
    /// Mean height of the legs at rest.
    pub leg_height: f64,
}

/// Leg of an animal.
#[derive(Clone, Debug)]
pub(crate) struct FoundLeg {
    pub is_front: bool,
    pub side: Side,
    /// Joints from the top to the ground.
    pub joints: Vec<usize>,
    /// Joint that stands on the ground.
    pub standing: usize,
}

/// Finds the parts of a body. `None` if it does not stand on four legs at rest.
pub(crate) fn find_four_legs(skeleton: &Skeleton) -> Option<FourLegs> {
    if skeleton.len() > MAX_JOINTS {
        return None;
    }
    let search = Search::new(skeleton)?;
    let (chains, hung) = search.legs();
    let [front, hind] = search.front_and_hind(&chains)?;
    let parents = |pair: &[Vec<usize>; 2]| pair.each_ref().map(|leg| leg[0]);
    let (hips, chest) = (
        search.meeting(parents(&hind))?,
        search.meeting(parents(&front))?,
    );
    let way = |pair: &[Vec<usize>; 2]| search.ahead(pair[0][pair[0].len() - 1]);
    let forward = (way(&front) - way(&hind)).signum();
    // Left is up × ahead: +x for a body that faces +z, and −z for one that faces +x.
    let left = if search.axis == 0 { forward } else { -forward };
    let mut roles = Roles::default();
    roles.set(Role::Hips, hips);
    search.trunk(hips, chest, forward, &mut roles);
    let mut legs = Vec::new();
    for (is_front, pair) in [(true, front), (false, hind)] {
        for joints in pair {
            let is_left = search.aside(joints[0]) * left > 0.0;
            let side = if is_left { Side::Left } else { Side::Right };
            legs.push(search.leg(is_front, side, joints, &mut roles)?);
        }
    }
    let tops = legs
        .iter()
        .map(|leg| f64::from(search.height(leg.joints[0])));
    Some(FourLegs {
        leg_height: tops.sum::<f64>() / legs.len() as f64,
        tail: search.tail(forward, &roles, hips),
        roles,
        legs,
        hung,
    })
}

struct Search<'a> {
    skeleton: &'a Skeleton,
    positions: Vec<Vec3>,
    /// Axis from side to side, 0 for x and 2 for z, and the middle plane.
    axis: usize,
    middle: f32,
    ground: f32,
    size: f32,
}

impl<'a> Search<'a> {
    fn new(skeleton: &'a Skeleton) -> Option<Self> {
        let rest = skeleton.rest_model();
        let positions: Vec<Vec3> = rest.as_slice().iter().map(|m| m.translation()).collect();
        let boxes = positions.iter().map(|&p| [p; 2]);
        let [low, high] = boxes.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])?;
        let size = high.y - low.y;
        if !((high - low).is_finite() && size > 0.0) {
            return None;
        }
        let middles = (low + high) / 2.0;
        let off = |axis: usize| mirror_error(&positions, axis, middles[axis]);
        let axis = if off(0) <= off(2) { 0 } else { 2 };
        Some(Self {
            skeleton,
            axis,
            middle: middles[axis],
            ground: low.y,
            size,
            positions,
        })
    }

    fn aside(&self, joint: usize) -> f32 {
        self.positions[joint][self.axis] - self.middle
    }

    fn ahead(&self, joint: usize) -> f32 {
        self.positions[joint][2 - self.axis]
    }

    fn height(&self, joint: usize) -> f32 {
        self.positions[joint].y - self.ground
    }

    /// −1 or 1 for a joint beside the middle plane, 0 for one on it.
    fn side(&self, joint: usize) -> i8 {
        let aside = self.aside(joint);
        i8::from(aside > ASIDE * self.size) - i8::from(aside < -ASIDE * self.size)
    }

    fn is_low(&self, joint: usize) -> bool {
        self.height(joint) < NEAR_GROUND * self.size
    }

    /// Joints from the first one on the side of `end` to `end`.
    fn chain(&self, end: usize) -> Vec<usize> {
        let above = self.skeleton.hierarchy().ancestors(end);
        let mut chain: Vec<usize> = above
            .take_while(|&joint| self.side(joint) == self.side(end))
            .collect();
        chain.reverse();
        chain
    }

    /// Chains that end near the ground, and feet that continue them.
    fn legs(&self) -> (Vec<Vec<usize>>, Vec<[usize; 2]>) {
        let is_end = |joint: &usize| self.skeleton.children(*joint).next().is_none();
        let joints = 0..self.skeleton.len();
        let ends = joints.filter(|joint| is_end(joint) && self.side(*joint) != 0);
        let (low, high): (Vec<usize>, Vec<usize>) = ends.partition(|joint| self.is_low(*joint));
        let (mut legs, mut feet): (Vec<Vec<usize>>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
        for chain in low.into_iter().map(|end| self.chain(end)) {
            let kind = match self.is_low(chain[0]) {
                true => &mut feet,
                false => &mut legs,
            };
            // A paw has several toes: the longest chain counts.
            match kind.iter_mut().find(|other| other[0] == chain[0]) {
                Some(other) if other.len() < chain.len() => *other = chain,
                Some(_) => {}
                None => kind.push(chain),
            }
        }
        let mut hung: Vec<[usize; 2]> = Vec::new();
        for foot in feet {
            let apart = |end: &usize| self.positions[*end].distance(self.positions[foot[0]]);
            let near = |end: &usize| {
                let is_free = hung.iter().all(|[_, leg]| leg != end);
                is_free && self.side(*end) == self.side(foot[0]) && *end < foot[0]
            };
            let ends = high.iter().copied().filter(near);
            let leg = ends.min_by(|a, b| apart(a).total_cmp(&apart(b)));
            if let Some(leg) = leg.filter(|leg| apart(leg) < APART * self.size) {
                hung.push([foot[0], leg]);
                legs.push([self.chain(leg), foot].concat());
            }
        }
        (legs, hung)
    }

    /// Pairs of front legs and hind legs. The front legs hang farther from the root, or else are
    /// nearer to the head.
    fn front_and_hind(&self, legs: &[Vec<usize>]) -> Option<[[Vec<usize>; 2]; 2]> {
        let is_leg = |leg: &&Vec<usize>| leg.len() > 2 && self.height(leg[0]) > LEG * self.size;
        let mut pairs: [Vec<Vec<usize>>; 2] = Default::default();
        for side in [-1, 1] {
            let own = legs.iter().filter(is_leg);
            let mut own: Vec<&Vec<usize>> = own.filter(|leg| self.side(leg[0]) == side).collect();
            let way = |leg: &[usize]| self.ahead(leg[leg.len() - 1]);
            own.sort_by(|a, b| way(a).total_cmp(&way(b)));
            let [back, ahead] = own[..] else {
                return None;
            };
            if way(ahead) - way(back) < BETWEEN_LEGS * self.size {
                return None;
            }
            pairs[0].push(back.clone());
            pairs[1].push(ahead.clone());
        }
        let [back, ahead] = pairs.map(|pair| <[Vec<usize>; 2]>::try_from(pair).ok());
        let (back, ahead) = (back?, ahead?);
        let meet = |pair: &[Vec<usize>; 2]| self.meeting([pair[0][0], pair[1][0]]);
        let (behind, before) = (meet(&back)?, meet(&ahead)?);
        let is_ahead = match (self.is_under(before, behind), self.is_under(behind, before)) {
            (true, false) => true,
            (false, true) => false,
            _ => {
                let between = |pair: &[Vec<usize>; 2]| self.ahead(pair[0][pair[0].len() - 1]);
                let middle = (between(&back) + between(&ahead)) / 2.0;
                self.ahead(self.head()?) > middle
            }
        };
        Some(if is_ahead {
            [ahead, back]
        } else {
            [back, ahead]
        })
    }

    /// Joint named head, or the highest joint in the middle plane.
    fn head(&self) -> Option<usize> {
        let joints = || (0..self.skeleton.len()).filter(|joint| self.side(*joint) == 0);
        let high = |a: &usize, b: &usize| self.height(*a).total_cmp(&self.height(*b));
        joints()
            .find(|j| self.is_head(*j))
            .or_else(|| joints().max_by(high))
    }

    fn is_head(&self, joint: usize) -> bool {
        meaning(self.skeleton.name(joint)).is_some_and(|m| m.part == Part::Head)
    }

    fn is_under(&self, joint: usize, above: usize) -> bool {
        let mut ancestors = self.skeleton.hierarchy().ancestors(joint);
        ancestors.any(|j| j == above)
    }

    /// Lowest joint above both.
    fn meeting(&self, [a, b]: [usize; 2]) -> Option<usize> {
        let mut above = self.skeleton.hierarchy().ancestors(a).skip(1);
        above.find(|&j| j != b && self.is_under(b, j))
    }

    /// Joints below `from` on the way to `to`.
    fn way(&self, from: usize, to: usize) -> Vec<usize> {
        let above = self.skeleton.hierarchy().ancestors(to);
        let mut way: Vec<usize> = above.take_while(|j| *j != from).collect();
        way.reverse();
        way
    }

    /// Spine from hips to chest, neck, and head: the joint farthest ahead in the middle plane.
    fn trunk(&self, hips: usize, chest: usize, forward: f32, roles: &mut Roles) {
        if hips != chest && self.is_under(chest, hips) {
            let spine = self.way(hips, chest).into_iter().enumerate();
            spine.for_each(|(k, joint)| roles.set(Role::Spine(k), joint));
        }
        let below = self.skeleton.hierarchy().subtree(chest);
        let middle = below.filter(|&j| self.side(j) == 0 && j != chest);
        let ahead = |j: usize| self.ahead(j) * forward;
        let Some(nose) = middle.max_by(|a, b| ahead(*a).total_cmp(&ahead(*b))) else {
            return;
        };
        if ahead(nose) <= ahead(chest) {
            return;
        }
        let mut neck = self.way(chest, nose);
        match neck.iter().position(|j| self.is_head(*j)) {
            Some(head) => neck.truncate(head + 1),
            None => {
                while neck.len() > 1 && is_helper(self.skeleton.name(neck[neck.len() - 1])) {
                    neck.pop();
                }
            }
        }
        if let Some((head, neck)) = neck.split_last() {
            roles.set(Role::Head, *head);
            let neck = neck.iter().enumerate();
            neck.for_each(|(k, joint)| roles.set(Role::Neck(k), *joint));
        }
    }

    /// Chain to the joint farthest behind, from the hips or from a joint above them.
    fn tail(&self, forward: f32, roles: &Roles, hips: usize) -> Vec<usize> {
        let behind = |j: usize| -self.ahead(j) * forward;
        let joints = (0..self.skeleton.len()).filter(|j| self.side(*j) == 0);
        let joints = joints.filter(|j| !self.is_low(*j));
        let Some(mut end) = joints.max_by(|a, b| behind(*a).total_cmp(&behind(*b))) else {
            return Vec::new();
        };
        while let Some(next) = self.skeleton.children(end).next() {
            end = next;
        }
        let is_trunk = |j: usize| roles.role(j).is_some() || self.is_under(hips, j);
        let above = self.skeleton.hierarchy().ancestors(end);
        let mut tail: Vec<usize> = above.take_while(|j| !is_trunk(*j)).collect();
        tail.reverse();
        tail
    }

    /// Gives the joints of a leg their roles by their heights.
    fn leg(
        &self,
        is_front: bool,
        side: Side,
        joints: Vec<usize>,
        roles: &mut Roles,
    ) -> Option<FoundLeg> {
        let mut top = 0;
        while joints.len() - top > 3 {
            let bone = self.positions[joints[top + 1]] - self.positions[joints[top]];
            if -bone.y > GIRDLE * bone.length() {
                break;
            }
            top += 1;
        }
        let from = |top: usize| {
            let whole = self.height(joints[top]);
            let heights = joints[top..].iter().map(|j| self.height(*j) / whole);
            let heights: Vec<f32> = heights.collect();
            let stations: &[f32] = match (is_front, heights.len() > 3) {
                (true, _) => &FRONT,
                (false, true) => &HIND,
                (false, false) => &SHORT_HIND,
            };
            Some((top, nearest_in_order(&heights, stations)?))
        };
        // A front leg may begin with a steep shoulder blade.
        let tops = top..=if is_front { joints.len() - 3 } else { top };
        let choices = tops.filter_map(from);
        let (top, (_, found)) = choices.min_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
        let found: Vec<usize> = found.into_iter().map(|k| top + k).collect();
        let mut named: Vec<Role> = match is_front {
            true => vec![Role::UpperArm(side), Role::LowerArm(side), Role::Hand(side)],
            false => vec![
                Role::UpperLeg(side),
                Role::LowerLeg(side),
                Role::Foot(side),
                Role::Toes(side),
            ],
        };
        named.truncate(found.len());
        for (role, k) in named.into_iter().zip(&found) {
            roles.set(role, joints[*k]);
        }
        if is_front && top > 0 {
            roles.set(Role::Shoulder(side), joints[top - 1]);
        }
        let last = found[found.len() - 1];
        let standing = match found.len() {
            3 => joints.get(last + 1).copied().unwrap_or(joints[last]),
            _ => joints[last],
        };
        Some(FoundLeg {
            is_front,
            side,
            joints: joints[top..].to_vec(),
            standing,
        })
    }
}

/// Mean distance of joints from the mirror images of others.
fn mirror_error(positions: &[Vec3], axis: usize, middle: f32) -> f32 {
    let off = |p: &Vec3| {
        let mut image = *p;
        image[axis] = 2.0 * middle - p[axis];
        let apart = positions.iter().map(|q| q.distance_squared(image));
        apart.fold(f32::INFINITY, f32::min).sqrt()
    };
    positions.iter().map(off).sum::<f32>() / positions.len() as f32
}

/// Indices of values in ascending order that are nearest to `stations`, and the sum of distances. Of
/// equal choices, the last.
fn nearest_in_order(values: &[f32], stations: &[f32]) -> Option<(f32, Vec<usize>)> {
    let (rows, columns) = (stations.len(), values.len());
    // Cost of the first stations up to each value, and the value chosen for the station before.
    let mut costs = vec![vec![f32::INFINITY; columns]; rows];
    let mut before = vec![vec![0; columns]; rows];
    for (row, station) in stations.iter().enumerate() {
        for column in row..columns {
            let own = (values[column] - station).abs();
            if row == 0 {
                costs[row][column] = own;
                continue;
            }
            let choices = (row - 1..column).map(|k| (costs[row - 1][k], k));
            let best = choices.reduce(|a, b| if b.0 <= a.0 { b } else { a })?;
            costs[row][column] = best.0 + own;
            before[row][column] = best.1;
        }
    }
    let last = costs.last()?;
    let mut at = (rows - 1..columns).reduce(|a, b| if last[b] <= last[a] { b } else { a })?;
    let cost = last[at];
    let mut found = vec![at];
    for row in (1..rows).rev() {
        at = before[row][at];
        found.push(at);
    }
    found.reverse();
    Some((cost, found))
}
