//! Cloth: open pieces on the skin of other pieces, such as shirts, trousers, gloves and hair cards.
//! It is removed before the solid is built, and added again when the skin has weights. Near the
//! skin, it gets the weights of the skin beneath it if their normals agree (Abdrashitov et al.
//! 2023). The influence of the skin falls with the square of the distance. Where it is weak, the
//! weights vary smoothly along the cloth. Skirts and capes far from the skin are bound like flesh.

use super::inpaint::{Row, fill};
use super::nearest::{Facing, NearPoint, Query, Tree, Triangles};
use super::parts;
use crate::weights::bones::joints::Bones;
use crate::weights::rows::Rows;
use crate::weights::shape::Shape;
use crate::weights::surface::Surface;
use glam::DVec3;
use std::collections::BTreeMap;

/// Max distance of cloth from the skin, in diagonals of the mesh.
const ON_SKIN: f64 = 0.05;
/// Min fraction of the points of a piece of cloth that lie on the skin of other pieces.
const COVERED: f64 = 0.75;
const FAR: f64 = 0.15;
const AGREE: f64 = 0.5;
/// Max depth of a point of cloth below the plane of a skin triangle, relative to its distance from
/// the triangle. Not 0, because a nearest point on an edge is not straight below the cloth.
const BENEATH: f64 = 0.2;
/// Skin that is farther away than the nearest skin by up to this fraction also counts, but less
/// with distance. So rounding does not decide which triangle counts.
const BESIDE: f64 = 0.1;
/// Max size of a group of triangles that one of them represents, relative to the distance from the
/// skin.
const FINE: f64 = 0.15;
/// Group size for a search without groups: every triangle is tested.
const ALL: f64 = -1.0;
/// Extra share of the nearest triangle.
const NEAREST: f64 = 1e-3;

pub(crate) struct Cloth {
    /// Index of the piece of each point. `None` for flesh.
    pieces: Vec<Option<usize>>,
    normals: Vec<DVec3>,
    count: usize,
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

struct Skin {
    tree: Tree,
    triangles: Vec<[u32; 3]>,
}

impl Skin {
    /// Skin made of the triangles for which `owner` returns a number.
    fn new(shape: &Shape, owner: impl Fn(u32) -> Option<u32>) -> Self {
        let owned = shape.triangles.iter().map(|t| (*t, owner(t[0])));
        let owned = owned.filter_map(|(t, owner)| Some((t, owner?)));
        let (triangles, owners): (Vec<[u32; 3]>, Vec<u32>) = owned.unzip();
        let corners = triangles.iter().map(|t| corners(&shape.points, t));
        let corners: Vec<[DVec3; 3]> = corners.collect();
        let normals = corners.iter().map(|c| area(c).normalize_or_zero());
        let normals = normals.collect();
        let all = Triangles {
            corners,
            normals,
            owners,
        };
        let facing = Facing {
            agree: AGREE,
            below: BENEATH,
        };
        Self {
            tree: Tree::new(all, facing),
            triangles,
        }
    }

    /// Nearest skin beneath a point of cloth, except the skin of one owner.
    fn nearest(
        &self,
        point: DVec3,
        normal: DVec3,
        distance: f64,
        except: Option<u32>,
    ) -> Option<NearPoint> {
        let query = Query {
            point,
            normal,
            except,
            distance,
            fine: ALL,
        };
        let mut nearest = None;
        self.tree.near(query, |near, _, distance| {
            *distance = near.distance;
            nearest = Some(near);
        });
        nearest
    }

    /// Weights beneath a point of cloth, and the distance of the skin. `fine` is [`FINE`] or [`ALL`].
    fn weights(
        &self,
        (point, normal): (DVec3, DVec3),
        rows: &Rows,
        number: &[u32],
        fine: f64,
    ) -> Option<(Row, f64)> {
        let nearest = self.nearest(point, normal, FAR, None)?;
        let mut sums: BTreeMap<u16, f64> = BTreeMap::new();
        let mut total = 0.0;
        let mut add = |near: &NearPoint, share: f64| {
            total += share;
            for (&corner, part) in self.triangles[near.triangle].iter().zip(near.parts) {
                for &(joint, weight) in rows.get(number[corner as usize] as usize) {
                    *sums.entry(joint).or_default() += share * part * f64::from(weight);
                }
            }
        };
        // The nearest triangle is added separately, because the search below tests only one
        // triangle of a group.
        add(&nearest, NEAREST);
        let around = nearest.distance * (1.0 + BESIDE);
        let query = Query {
            point,
            normal,
            except: None,
            distance: around,
            fine: fine * nearest.distance,
        };
        self.tree.near(query, |near, count, _| {
            let share = if around > nearest.distance {
                (around - near.distance) / (around - nearest.distance)
            } else {
                1.0
            };
            add(&near, count as f64 * share);
        });
        let sums = sums.into_iter().map(|(joint, sum)| (joint, sum / total));
        Some((sums.collect(), nearest.distance))
    }
}

impl Cloth {
    /// Finds the cloth of a shape. `None` if there is none.
    pub fn find(shape: &Shape) -> Option<Self> {
        let parts = parts::parts(shape);
        let count = parts::count(&parts);
        if count < 2 {
            return None;
        }
        let is_closed = parts::closed(shape, &parts, count);
        let mut normals = vec![DVec3::ZERO; shape.points.len()];
        let mut has_triangles = vec![false; count];
        for triangle in &shape.triangles {
            let area = area(&corners(&shape.points, triangle));
            for &point in triangle {
                normals[point as usize] += area;
                has_triangles[parts[point as usize] as usize] = true;
            }
        }
        normals.iter_mut().for_each(|n| *n = n.normalize_or_zero());
        let may: Vec<bool> = (0..count)
            .map(|part| has_triangles[part] && !is_closed[part])
            .collect();
        if !may.contains(&true) {
            return None;
        }
        // `on_others`: pieces that lie on any other piece. A body is not one of them, because its
        // shirt is above it. `on_skin`: pieces that lie on skin, not only on cloth.
        let on_others = facing(shape, &parts, &normals, &may, |_| true);
        let may: Vec<bool> = on_others.iter().map(|way| way.is_some()).collect();
        let on_skin = facing(shape, &parts, &normals, &may, |part| !may[part as usize]);
        let mut number = vec![None; count];
        let mut pieces = 0;
        for (number, way) in number.iter_mut().zip(&on_skin) {
            if way.is_some() {
                *number = Some(pieces);
                pieces += 1;
            }
        }
        for (normal, &part) in normals.iter_mut().zip(&parts) {
            *normal *= on_skin[part as usize].unwrap_or(1.0);
        }
        (pieces > 0).then(|| Self {
            pieces: parts.iter().map(|&part| number[part as usize]).collect(),
            normals,
            count: pieces,
            points: Vec::new(),
            triangles: Vec::new(),
        })
    }

    /// Triangles of a surface without its cloth. `None` if there is no cloth.
    pub fn bare(surface: &Surface<'_>, bones: &Bones) -> Option<Vec<[u32; 3]>> {
        let shape = Shape::new(surface, bones, None);
        let cloth = Self::find(&shape)?;
        let is_flesh = |vertex: &u32| {
            let point = shape.point_of_vertex.get(*vertex as usize);
            point.is_some_and(|&point| cloth.pieces[point as usize].is_none())
        };
        let triangles = surface.triangles.iter().copied();
        Some(triangles.filter(|t| t.iter().all(is_flesh)).collect())
    }

    /// Removes the cloth from a shape.
    pub fn take_off(&mut self, shape: &mut Shape) {
        let is_flesh = |point: &u32| self.pieces[*point as usize].is_none();
        let mut number = 0;
        let numbers: Vec<u32> = (0..self.pieces.len() as u32)
            .map(|point| {
                let own = number;
                number += u32::from(is_flesh(&point));
                own
            })
            .collect();
        let points = shape.points.iter().zip(&self.pieces);
        let points = points.filter(|(_, piece)| piece.is_none());
        let points = points.map(|(&point, _)| point).collect();
        let triangles = shape.triangles.iter().filter(|t| is_flesh(&t[0]));
        let triangles = triangles.map(|t| t.map(|point| numbers[point as usize]));
        let triangles = triangles.collect();
        self.points = std::mem::replace(&mut shape.points, points);
        self.triangles = std::mem::replace(&mut shape.triangles, triangles);
    }

    /// Adds the cloth again, with weights from the skin beneath it.
    pub fn put_on(&mut self, shape: &mut Shape, rows: &Rows) -> Rows {
        shape.points = std::mem::take(&mut self.points);
        shape.triangles = std::mem::take(&mut self.triangles);
        let mut numbers = Vec::with_capacity(shape.points.len());
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); self.count];
        let mut flesh = 0;
        for (point, piece) in (0..).zip(&self.pieces) {
            match piece {
                Some(piece) => {
                    numbers.push(members[*piece].len() as u32);
                    members[*piece].push(point);
                }
                None => {
                    numbers.push(flesh);
                    flesh += 1;
                }
            }
        }
        let is_flesh = |point: u32| self.pieces[point as usize].is_none();
        let skin = Skin::new(shape, |point| is_flesh(point).then_some(0));
        let mut around: Vec<Vec<Vec<u32>>> =
            members.iter().map(|m| vec![Vec::new(); m.len()]).collect();
        for triangle in &shape.triangles {
            let Some(piece) = self.pieces[triangle[0] as usize] else {
                continue;
            };
            let [a, b, c] = triangle.map(|point| numbers[point as usize]);
            for [from, to] in [[a, b], [b, c], [c, a], [b, a], [c, b], [a, c]] {
                let others = &mut around[piece][from as usize];
                if from != to && !others.contains(&to) {
                    others.push(to);
                }
            }
        }
        let worn: Vec<Vec<Row>> = members
            .iter()
            .zip(&around)
            .map(|(members, around)| {
                let points: Vec<DVec3> =
                    members.iter().map(|&p| shape.points[p as usize]).collect();
                let beneath = members.iter().map(|&point| {
                    let point = point as usize;
                    let at = (shape.points[point], self.normals[point]);
                    skin.weights(at, rows, &numbers, FINE)
                });
                let beneath: Vec<_> = beneath.collect();
                fill(&points, around, &beneath)
            })
            .collect();
        let mut dressed = Rows::with_capacity(shape.points.len(), 4);
        for (piece, &number) in self.pieces.iter().zip(&numbers) {
            match piece {
                Some(piece) => {
                    for &(joint, weight) in &worn[*piece][number as usize] {
                        dressed.add(usize::from(joint), weight);
                    }
                }
                None => {
                    for &(joint, weight) in rows.get(number as usize) {
                        dressed.add(usize::from(joint), f64::from(weight));
                    }
                }
            }
            dressed.end_point();
        }
        dressed
    }

    /// Vertices of each piece.
    pub fn vertices(&self, shape: &Shape) -> Vec<Vec<usize>> {
        let mut pieces = vec![Vec::new(); self.count];
        for (vertex, &point) in shape.point_of_vertex.iter().enumerate() {
            if let Some(piece) = self.pieces[point as usize] {
                pieces[piece].push(vertex);
            }
        }
        pieces
    }
}

/// Orientation of each part that may be cloth: 1 if its normals point away from the skin of other
/// pieces, −1 if they point toward it. `None` if too little of the part lies on that skin.
fn facing(
    shape: &Shape,
    parts: &[u32],
    normals: &[DVec3],
    may: &[bool],
    is_skin: impl Fn(u32) -> bool,
) -> Vec<Option<f64>> {
    let skin = Skin::new(shape, |point| {
        Some(parts[point as usize]).filter(|&part| is_skin(part))
    });
    let mut counts = vec![[0_usize; 3]; may.len()];
    for (point, &part) in parts.iter().enumerate() {
        if !may[part as usize] {
            continue;
        }
        let counts = &mut counts[part as usize];
        counts[2] += 1;
        for (count, way) in counts.iter_mut().zip([1.0, -1.0]) {
            let (at, normal) = (shape.points[point], way * normals[point]);
            let beneath = skin.nearest(at, normal, ON_SKIN, Some(part));
            *count += usize::from(beneath.is_some());
        }
    }
    let enough = |count: usize, all: usize| count > 0 && count as f64 >= COVERED * all as f64;
    let way = |[out, inward, all]: [usize; 3]| {
        enough(out.max(inward), all).then_some(if out >= inward { 1.0 } else { -1.0 })
    };
    counts.into_iter().map(way).collect()
}

fn area([a, b, c]: &[DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}

fn corners(points: &[DVec3], triangle: &[u32; 3]) -> [DVec3; 3] {
    triangle.map(|point| points[point as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_samples::bodies;

    /// Weights that fall with the distance from four joints along a leg, within a few centimetres.
    fn rows(points: &[DVec3]) -> Rows {
        let mut rows = Rows::with_capacity(points.len(), 4);
        for point in points {
            let share = |joint: usize| (-((point.y - 0.25 * joint as f64) / 0.06).powi(2)).exp();
            let total: f64 = (0..5).map(share).sum();
            (0..5).for_each(|joint| rows.add(joint, share(joint) / total));
            rows.end_point();
        }
        rows
    }

    #[test]
    fn groups_of_triangles_give_the_weights_of_all_triangles() {
        let mut body = bodies::person();
        body.limbs.retain(|limb| limb.name.starts_with("leg.l"));
        body.cell = 0.004;
        let worn = bodies::trouser_leg(&body);
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        for part in [&body.character().meshes[0].primitives[0], &worn] {
            let first = positions.len() as u32;
            triangles.extend(part.triangles().map(|t| t.map(|v| v as u32 + first)));
            positions.extend_from_slice(&part.positions);
        }
        let surface = Surface {
            positions: &positions,
            triangles: &triangles,
        };
        let shape = Shape::new(&surface, &Bones::default(), None);
        let cloth = Cloth::find(&shape).expect("a trouser leg");
        let skin = Skin::new(&shape, |p| cloth.pieces[p as usize].is_none().then_some(0));
        let numbers: Vec<u32> = (0..shape.points.len() as u32).collect();
        let rows = rows(&shape.points);
        let worn = (0..shape.points.len()).filter(|&p| cloth.pieces[p].is_some());
        let (mut worst, mut count) = (0.0_f64, 0);
        for point in worn.step_by(7) {
            let at = (shape.points[point], cloth.normals[point]);
            let [few, all] = [FINE, ALL].map(|fine| skin.weights(at, &rows, &numbers, fine));
            let (Some((few, _)), Some((all, _))) = (few, all) else {
                continue;
            };
            count += 1;
            for ((joint, few), (other, all)) in few.iter().zip(&all) {
                assert_eq!(joint, other);
                worst = worst.max((few - all).abs());
            }
        }
        assert!(count > 500 && worst > 0.0, "no groups: {count}, {worst}");
        assert!(worst <= 0.02, "{worst}");
    }
}
