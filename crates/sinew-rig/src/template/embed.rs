//! Embeds a template in a mesh: joints move to the middle of their limbs.
//! At every joint, a cut across the bone through the solid of the mesh gives the middle of the
//! limb. Near the trunk, a cut includes the chest, so only flesh within the limb thickness counts.

use super::joints::{Template, TemplateJoint};
use crate::solid::Solid;
use glam::{DVec3, IVec3, Vec3};

/// Number of cells along the longest side. The wrist of a person is four cells wide.
const RESOLUTION: usize = 128;
/// Thickness of a cut, in cells. Thinner cuts would have holes.
const CUT: f64 = 0.87;
/// Radius of the cut around a joint, in radii of its limb.
const AROUND: f64 = 1.5;
/// Min thickness of a limb, in cells. Joints of thinner limbs move with their parent.
const THINNEST: f64 = 1.3;
/// Max movement of a joint, as a fraction of the longest side of the mesh.
const FARTHEST: f64 = 0.12;
/// Min fraction of cells with a mirror image in a symmetric mesh.
const SYMMETRIC: f64 = 0.96;

pub(super) struct Flesh {
    solid: Solid,
    longest: f64,
}

impl Flesh {
    /// Solid of a mesh. `None` without triangles.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Option<Self> {
        let points: Vec<DVec3> = positions.iter().map(|p| p.as_dvec3()).collect();
        let is_sound = |t: &&[u32; 3]| {
            let mut corners = t.iter().map(|&v| points.get(v as usize));
            corners.all(|p| p.is_some_and(|p| p.is_finite()))
        };
        let triangles: Vec<[u32; 3]> = triangles.iter().filter(is_sound).copied().collect();
        let used = triangles.iter().flatten().map(|&v| points[v as usize]);
        let (low, high) = used.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| {
            (low.min(p), high.max(p))
        });
        let longest = (high - low).max_element();
        if !(longest > 0.0 && longest.is_finite()) {
            return None;
        }
        // Points without triangles would enlarge the box.
        let points: Vec<DVec3> = points.into_iter().map(|p| p.clamp(low, high)).collect();
        let points: Vec<DVec3> = points
            .into_iter()
            .map(|p| if p.is_finite() { p } else { low })
            .collect();
        Some(Self {
            solid: Solid::new(&points, &triangles, RESOLUTION),
            longest,
        })
    }

    fn is_solid(&self, cell: IVec3) -> bool {
        let index = self.solid.index(cell);
        index.is_some_and(|index| self.solid.is_solid[index])
    }

    fn middle(&self, cell: IVec3) -> DVec3 {
        self.solid.origin + (cell.as_dvec3() + 0.5) * self.solid.cell
    }

    fn cells(&self) -> impl Iterator<Item = IVec3> + '_ {
        let [nx, ny, _] = self.solid.size;
        let solid = self.solid.is_solid.iter().enumerate();
        solid
            .filter(|(_, is_solid)| **is_solid)
            .map(move |(cell, _)| {
                IVec3::from_array([cell % nx, cell / nx % ny, cell / (nx * ny)].map(|c| c as i32))
            })
    }

    fn nearest(&self, place: DVec3) -> Option<IVec3> {
        let at = self.solid.in_cells(place);
        let cell = at.floor().as_ivec3();
        if self.is_solid(cell) {
            return Some(cell);
        }
        let away = |cell: &IVec3| (cell.as_dvec3() + 0.5).distance_squared(at);
        self.cells().min_by(|a, b| away(a).total_cmp(&away(b)))
    }

    /// True for a position in the mesh or on its surface.
    pub fn holds(&self, place: Vec3) -> bool {
        let at = self.solid.in_cells(place.as_dvec3());
        self.is_solid(at.floor().as_ivec3())
    }

    /// Middle and thickness of the flesh in a cut perpendicular to `along`, within `reach`.
    fn cut(&self, place: DVec3, along: DVec3, reach: f64) -> Option<(DVec3, f64)> {
        let first = self.nearest(place)?;
        let from = self.middle(first);
        let thick = CUT * self.solid.cell;
        let mut seen = std::collections::HashSet::from([first]);
        let mut open = vec![first];
        let mut sum = DVec3::ZERO;
        while let Some(cell) = open.pop() {
            sum += self.middle(cell);
            for step in 0..27 {
                let next = cell + IVec3::new(step % 3, step / 3 % 3, step / 9) - 1;
                let away = self.middle(next) - from;
                let is_near = away.dot(along).abs() <= thick && away.length() <= reach;
                if is_near && self.is_solid(next) && seen.insert(next) {
                    open.push(next);
                }
            }
        }
        let count = seen.len() as f64;
        let area = count * self.solid.cell.powi(2) / (2.0 * CUT);
        Some((sum / count, (area / std::f64::consts::PI).sqrt()))
    }

    /// New position of a joint. `end` is the end of its bone, `along` the normal of the cut. The
    /// joint keeps its position if the limb is too thin.
    fn centred(&self, joint: DVec3, end: DVec3, along: DVec3) -> DVec3 {
        let half = joint.lerp(end, 0.5);
        let bone = (end - joint).try_normalize().unwrap_or(along);
        let Some((_, radius)) = self.cut(half, bone, 0.5 * self.longest) else {
            return joint;
        };
        if radius < THINNEST * self.solid.cell {
            return joint;
        }
        let Some((middle, _)) = self.cut(joint, along, AROUND * radius) else {
            return joint;
        };
        let way = middle - joint;
        let way = if self.holds(joint.as_vec3()) {
            way - along * way.dot(along)
        } else {
            way
        };
        joint + way.clamp_length_max(FARTHEST * self.longest)
    }

    /// x coordinate of the plane of symmetry, if the mesh has one.
    fn plane(&self) -> Option<f64> {
        let last = self.solid.size[0] as i32 - 1;
        let mirrored = |cell: &IVec3| self.is_solid(cell.with_x(last - cell.x));
        let all = self.cells().count() as f64;
        let alike = self.cells().filter(mirrored).count() as f64;
        let middle = self.solid.origin.x + 0.5 * self.solid.size[0] as f64 * self.solid.cell;
        (alike >= SYMMETRIC * all).then_some(middle)
    }

    /// Cell farthest from a position along the flesh, on one side of the box.
    pub fn tip(&self, from: Vec3, sign: f32) -> Option<Vec3> {
        const SIDE: f64 = 0.1;
        let [nx, ny, _] = self.solid.size;
        let index = |cell: IVec3| (cell.x as usize) + nx * (cell.y as usize + ny * cell.z as usize);
        let mut steps = vec![u32::MAX; self.solid.is_solid.len()];
        let first = self.nearest(from.as_dvec3())?;
        steps[index(first)] = 0;
        let mut open = std::collections::VecDeque::from([first]);
        while let Some(cell) = open.pop_front() {
            for axis in [IVec3::X, IVec3::Y, IVec3::Z] {
                for next in [cell - axis, cell + axis] {
                    if self.is_solid(next) && steps[index(next)] == u32::MAX {
                        steps[index(next)] = steps[index(cell)] + 1;
                        open.push_back(next);
                    }
                }
            }
        }
        let half = 0.5 * nx as f64;
        let sideways = |cell: &IVec3| (f64::from(cell.x) + 0.5 - half) * f64::from(sign) / half;
        let outer = self.cells().map(|cell| sideways(&cell)).fold(0.0, f64::max);
        let reached = self.cells().filter(|&cell| steps[index(cell)] != u32::MAX);
        let reached = reached.filter(|cell| sideways(cell) > outer - SIDE);
        let far = reached.max_by_key(|&cell| steps[index(cell)])?;
        Some(self.middle(far).as_vec3())
    }
}

impl Template {
    /// Moves joints from their current positions to the middle of their limbs in a mesh. The result
    /// is symmetric about x if the mesh and the names are. Joints of thin limbs, such as fingers,
    /// move with their parent. A mesh without triangles has no effect.
    pub fn embedded(&self, positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        match Flesh::new(positions, triangles) {
            Some(flesh) => self.centred_in(&flesh),
            None => self.clone(),
        }
    }

    pub(super) fn centred_in(&self, flesh: &Flesh) -> Self {
        let mut template = self.clone();
        for joint in 0..template.joints.len() {
            let at = template.joints[joint].position.as_dvec3();
            let end = template.end(joint).as_dvec3();
            let out = (end - at).normalize_or_zero();
            let parent = template.joints[joint].parent;
            let before = parent.map_or(DVec3::ZERO, |p| {
                (at - template.joints[p].position.as_dvec3()).normalize_or_zero()
            });
            let along = (before + out).try_normalize().unwrap_or(DVec3::Y);
            let mut place = flesh.centred(at, end, along);
            if !flesh.holds(at.as_vec3()) {
                place = flesh.centred(place, end + (place - at), along);
            }
            let way = (place - at).as_vec3();
            for other in template.below(joint) {
                template.joints[other].move_by(way);
            }
        }
        if let Some(plane) = flesh.plane() {
            template.make_symmetric(plane as f32);
        }
        template
    }

    pub(super) fn below(&self, joint: usize) -> Vec<usize> {
        let mut is_below = vec![false; self.joints.len()];
        is_below[joint] = true;
        for other in joint + 1..self.joints.len() {
            is_below[other] = self.joints[other].parent.is_some_and(|p| is_below[p]);
        }
        (joint..self.joints.len())
            .filter(|&j| is_below[j])
            .collect()
    }

    /// Moves `left_` and `right_` joints to mean positions, and other joints onto the plane.
    fn make_symmetric(&mut self, plane: f32) {
        let before = self.joints.clone();
        let mirrored = |p: Vec3| Vec3::new(2.0 * plane - p.x, p.y, p.z);
        for joint in &mut self.joints {
            let other = match joint.name.strip_prefix("left_") {
                Some(part) => Some(format!("right_{part}")),
                None => joint
                    .name
                    .strip_prefix("right_")
                    .map(|p| format!("left_{p}")),
            };
            let Some(name) = other else {
                let way = (plane - joint.position.x) * Vec3::X;
                if way.x.abs() < 0.1 * joint.position.distance(joint.tip).max(1e-6) {
                    joint.move_by(way);
                }
                continue;
            };
            if let Some(other) = before.iter().find(|other| other.name == name) {
                joint.position = 0.5 * (joint.position + mirrored(other.position));
                joint.tip = 0.5 * (joint.tip + mirrored(other.tip));
            }
        }
    }
}

impl TemplateJoint {
    fn move_by(&mut self, way: Vec3) {
        self.position += way;
        self.tip += way;
    }
}
