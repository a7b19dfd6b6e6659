//! Measures of a skeleton of a person in a mesh, by the roles of its joints.

use crate::retarget::{Roles, find_roles};
use crate::solid::Solid;
use glam::{DVec3, IVec3};
use sinew::Skeleton;
use sinew::skeleton::{Role, Side};
use std::ops::RangeInclusive;

/// Number of cells along the longest side.
const RESOLUTION: usize = 128;
/// Number of points on a bone.
const POINTS: usize = 16;

/// Heights of the cuts that count legs, in heights of the mesh.
const LAYERS: [f64; 5] = [0.04, 0.07, 0.1, 0.13, 0.16];
/// Min number of cells of a cut through a leg.
const SMALLEST_PILLAR: f64 = 4.0;

/// Number of cuts between the lowest and the highest point that look for the neck, and the height of the lowest one.
const CUTS: usize = 64;
const LOWEST_NECK: f64 = 0.45;
/// Max width of a head, in heights of the mesh. What is wider has arms.
const WIDEST_HEAD: f64 = 0.6;
/// Min ratio of the cuts through head and trunk to the cut through the neck.
const THICKER: f64 = 1.5;

/// Bones of a limb: roles of their first and last joint.
pub(super) fn limb_bones(side: Side) -> [[Role; 2]; 4] {
    [
        [Role::UpperArm(side), Role::LowerArm(side)],
        [Role::LowerArm(side), Role::Hand(side)],
        [Role::UpperLeg(side), Role::LowerLeg(side)],
        [Role::LowerLeg(side), Role::Foot(side)],
    ]
}

/// A skeleton that stands in a mesh.
pub(super) struct Placed<'a> {
    pub skeleton: &'a Skeleton,
    pub roles: Roles,
    heads: Vec<DVec3>,
    solid: Solid,
    /// Corners of the box around the triangles.
    around: [DVec3; 2],
}

impl<'a> Placed<'a> {
    /// `None` without triangles, or if a joint has no position.
    pub fn new(
        skeleton: &'a Skeleton,
        heads: &[DVec3],
        positions: &[DVec3],
        triangles: &[[u32; 3]],
    ) -> Option<Self> {
        if heads.len() != skeleton.len() || heads.iter().any(|head| !head.is_finite()) {
            return None;
        }
        let is_sound = |triangle: &&[u32; 3]| {
            let mut corners = triangle.iter().map(|&v| positions.get(v as usize));
            corners.all(|corner| corner.is_some_and(|corner| corner.is_finite()))
        };
        let triangles: Vec<[u32; 3]> = triangles.iter().filter(is_sound).copied().collect();
        let used = triangles.iter().flatten().map(|&v| positions[v as usize]);
        let (low, high) = used.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| {
            (low.min(p), high.max(p))
        });
        let longest = (high - low).max_element();
        if !(longest > 0.0 && longest.is_finite()) {
            return None;
        }
        // Points without triangles would enlarge the grid.
        let inside = |p: &DVec3| {
            if p.is_finite() {
                p.clamp(low, high)
            } else {
                low
            }
        };
        let points: Vec<DVec3> = positions.iter().map(inside).collect();
        Some(Self {
            skeleton,
            roles: find_roles(skeleton),
            heads: heads.to_vec(),
            solid: Solid::new(&points, &triangles, RESOLUTION),
            around: [low, high],
        })
    }

    /// Position of the joint with a role.
    pub fn at(&self, role: Role) -> Option<DVec3> {
        Some(self.heads[self.roles.joint(role)?])
    }

    /// Name of the joint with a role.
    pub fn name(&self, role: Role) -> Option<String> {
        Some(self.skeleton.name(self.roles.joint(role)?).to_owned())
    }

    /// Joints of the trunk, from the hips to the head.
    pub fn trunk(&self) -> Vec<Role> {
        let spine = (0..self.roles.spine_len()).map(Role::Spine);
        let neck = (0..self.roles.neck_len()).map(Role::Neck);
        let all = std::iter::once(Role::Hips).chain(spine).chain(neck);
        let all = all.chain([Role::Head]);
        all.filter(|&role| self.roles.joint(role).is_some())
            .collect()
    }

    fn is_near_flesh(&self, place: DVec3) -> bool {
        let at = self.solid.in_cells(place).floor().as_ivec3();
        (0..27).any(|step| {
            let by = IVec3::new(step % 3, step / 3 % 3, step / 9) - 1;
            let cell = self.solid.index(at + by);
            cell.is_some_and(|cell| self.solid.is_solid[cell])
        })
    }

    /// Part of a bone that is outside the mesh, in [0, 1].
    pub fn outside(&self, [from, to]: [Role; 2]) -> Option<f64> {
        let (from, to) = (self.at(from)?, self.at(to)?);
        let point = |k: usize| from.lerp(to, (k as f64 + 0.5) / POINTS as f64);
        let out = (0..POINTS).filter(|&k| !self.is_near_flesh(point(k)));
        Some(out.count() as f64 / POINTS as f64)
    }

    /// Direction from the feet to the hips of a person: an axis of the file. `None` without arms and legs.
    pub fn up(&self) -> Option<DVec3> {
        let mut up = DVec3::ZERO;
        for side in Side::ALL {
            self.at(Role::UpperArm(side))?;
            let foot = self.at(Role::Foot(side));
            let foot = foot.or_else(|| self.at(Role::LowerLeg(side)))?;
            up += self.at(Role::UpperLeg(side))? - foot;
        }
        let axis = up.abs().max_position();
        let mut axes = [DVec3::X, DVec3::Y, DVec3::Z];
        axes[axis] *= up[axis].signum();
        (up.length() > 0.0).then_some(axes[axis])
    }

    /// True if the trunk is more level than upright: the skeleton is that of an animal on four legs.
    pub fn is_level(&self, up: DVec3) -> bool {
        let shoulders = Side::ALL.map(|side| self.at(Role::UpperArm(side)));
        let hips = Side::ALL.map(|side| self.at(Role::UpperLeg(side)));
        let [Some(a), Some(b)] = [shoulders, hips].map(|[left, right]| Some(left? + right?)) else {
            return false;
        };
        let trunk = a - b;
        trunk.dot(up) < trunk.reject_from(up).length()
    }

    /// Ends of the mesh along a direction.
    pub fn mesh_range(&self, along: DVec3) -> RangeInclusive<f64> {
        let ends = self.around.map(|corner| corner.dot(along));
        ends[0].min(ends[1])..=ends[0].max(ends[1])
    }

    /// Lowest and highest joint with a role, along a direction.
    pub fn joint_range(&self, along: DVec3) -> [f64; 2] {
        let joints = self
            .roles
            .iter()
            .map(|(_, joint)| self.heads[joint].dot(along));
        joints.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], at| {
            [low.min(at), high.max(at)]
        })
    }

    /// Numbers of separate pillars in layers near the lowest end of the mesh, where they stand at least this far apart.
    pub fn pillars(&self, up: DVec3, apart: f64) -> usize {
        let axis = up.abs().max_position();
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let range = self.mesh_range(up);
        let height = range.end() - range.start();
        let mut counts: Vec<usize> = LAYERS
            .iter()
            .map(|part| {
                let level = range.start() + part * height;
                let places = self.islands(up, level, [u, v]);
                let spread = |k: usize| {
                    let ends = places.iter().map(|(p, _)| p[k]);
                    let ends = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| {
                        (l.min(x), h.max(x))
                    });
                    ends.1 - ends.0
                };
                let is_spread = spread(0).max(spread(1)) > apart;
                if is_spread {
                    places.len()
                } else {
                    places.len().min(2)
                }
            })
            .collect();
        counts.sort_unstable();
        counts[counts.len() / 2]
    }

    /// Middles of the connected areas of a level cut, and the numbers of their cells.
    fn islands(&self, up: DVec3, level: f64, [u, v]: [usize; 2]) -> Vec<([f64; 2], f64)> {
        let axis = up.abs().max_position();
        let place = axis_point(axis, level * up[axis].signum());
        let row = self.solid.in_cells(place)[axis].floor() as i32;
        let size = [self.solid.size[u], self.solid.size[v]];
        let cell = |i: usize, j: usize| {
            let mut cell = IVec3::ZERO;
            (cell[axis], cell[u], cell[v]) = (row, i as i32, j as i32);
            let cell = self.solid.index(cell);
            cell.is_some_and(|cell| self.solid.is_solid[cell])
        };
        let mut is_open = vec![false; size[0] * size[1]];
        for j in 0..size[1] {
            for i in 0..size[0] {
                is_open[i + size[0] * j] = cell(i, j);
            }
        }
        let mut islands = Vec::new();
        for first in 0..is_open.len() {
            if !std::mem::take(&mut is_open[first]) {
                continue;
            }
            let (mut open, mut sum, mut count) = (vec![first], [0.0; 2], 0.0);
            while let Some(at) = open.pop() {
                let (i, j) = (at % size[0], at / size[0]);
                (sum[0], sum[1], count) = (sum[0] + i as f64, sum[1] + j as f64, count + 1.0);
                for (di, dj) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                    let (i, j) = (i as i32 + di, j as i32 + dj);
                    if i < 0 || j < 0 || i >= size[0] as i32 || j >= size[1] as i32 {
                        continue;
                    }
                    let next = i as usize + size[0] * j as usize;
                    if std::mem::take(&mut is_open[next]) {
                        open.push(next);
                    }
                }
            }
            if count >= SMALLEST_PILLAR {
                islands.push((sum.map(|sum| sum / count * self.solid.cell), count));
            }
        }
        islands
    }

    /// Level of the neck: the thinnest cut through the middle of the body with much thicker ones below and above it,
    /// above which there are no arms: a waist is thin, too. `None` if there is none.
    pub fn neck(&self, up: DVec3) -> Option<f64> {
        let axis = up.abs().max_position();
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let range = self.mesh_range(up);
        let height = range.end() - range.start();
        let levels: Vec<f64> = (0..CUTS)
            .map(|k| range.start() + (k as f64 + 0.5) / CUTS as f64 * height)
            .collect();
        let cuts = levels.iter().map(|&level| {
            let islands = self.islands(up, level, [u, v]);
            let area: f64 = islands.iter().map(|island| island.1).sum();
            (area, islands.len())
        });
        let (areas, counts): (Vec<f64>, Vec<usize>) = cuts.unzip();
        let lowest = (LOWEST_NECK * CUTS as f64) as usize;
        let is_neck = |&k: &usize| {
            let thickest = |range: &[f64]| range.iter().copied().fold(0.0, f64::max);
            let sides = [thickest(&areas[..k]), thickest(&areas[k + 1..])];
            // Arms hang beside a waist, and hands beside a gap between parts.
            let is_alone = counts[k] == 1 && sides.iter().all(|&side| side > THICKER * areas[k]);
            is_alone && self.width_above(up, levels[k]) < WIDEST_HEAD * height
        };
        let necks = (lowest..CUTS).filter(is_neck);
        let neck = necks.min_by(|&a, &b| areas[a].total_cmp(&areas[b]))?;
        Some(levels[neck])
    }

    /// Width of the solid above a level, from left to right.
    fn width_above(&self, up: DVec3, level: f64) -> f64 {
        let [left, right] = Side::ALL.map(|side| self.at(Role::UpperArm(side)));
        let (Some(left), Some(right)) = (left, right) else {
            return 0.0;
        };
        let side = (left - right).reject_from(up).abs().max_position();
        let cells = self.solid.is_solid.iter().enumerate();
        let solid = cells.filter(|cell| *cell.1);
        let places = solid.map(|(cell, _)| {
            self.solid.origin + (self.solid.cell_at(cell).as_dvec3() + 0.5) * self.solid.cell
        });
        let above = places.filter(|place| place.dot(up) > level);
        let ends = above.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), place| {
            (low.min(place[side]), high.max(place[side]))
        });
        (ends.1 - ends.0).max(0.0)
    }

    /// Part of the solid that is farther than `reach` from every bone, in [0, 1]. Heads and hats have few bones, so
    /// what is above the joint of the head does not count.
    pub fn bare(&self, reach: f64, up: DVec3) -> f64 {
        let head = self
            .at(Role::Head)
            .map_or(f64::INFINITY, |head| head.dot(up));
        let bones = self.bones();
        let (mut all, mut bare) = (0.0, 0.0);
        for (index, _) in self
            .solid
            .is_solid
            .iter()
            .enumerate()
            .filter(|cell| *cell.1)
        {
            let cell = self.solid.cell_at(index).as_dvec3() + 0.5;
            let at = self.solid.origin + cell * self.solid.cell;
            all += 1.0;
            let is_near = |[from, to]: &[DVec3; 2]| nearest(at, *from, *to) <= reach;
            if at.dot(up) < head && !bones.iter().any(is_near) {
                bare += 1.0;
            }
        }
        bare / f64::max(all, 1.0)
    }

    /// Ends of all bones. The last bone of a chain is as long as the one before it.
    fn bones(&self) -> Vec<[DVec3; 2]> {
        let mut bones = Vec::new();
        for joint in 0..self.skeleton.len() {
            let Some(parent) = self.skeleton.parent(joint) else {
                continue;
            };
            let [from, to] = [parent, joint].map(|joint| self.heads[joint]);
            bones.push([from, to]);
            if self.skeleton.children(joint).next().is_none() {
                bones.push([to, to + (to - from)]);
            }
        }
        bones
    }
}

/// Distance of a point from a line between two points.
fn nearest(point: DVec3, from: DVec3, to: DVec3) -> f64 {
    let along = to - from;
    let part = (point - from).dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
    point.distance(from + along * part.clamp(0.0, 1.0))
}

fn axis_point(axis: usize, value: f64) -> DVec3 {
    let mut point = DVec3::ZERO;
    point[axis] = value;
    point
}
