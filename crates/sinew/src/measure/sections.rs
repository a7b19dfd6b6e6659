//! Rings around each joint, whose radius shows a collapse, and distances from its two bones, which
//! show a bulge. A ring is the line on the surface along which a joint and its descendants have a
//! given share of the weight. It needs no guess of the axis of the limb.

use super::connected::Connected;
use super::surface::Surface;
use crate::character::Character;
use glam::{Quat, Vec3};
use sinew_math::transform::{Affine, polar, quat};
use std::collections::HashMap;

/// Weight shares of the rings: the middle, where linear skinning collapses, and both sides of it.
const LEVELS: [f32; 3] = [0.25, 0.5, 0.75];
/// Min size of a ring, relative to the largest ring of the joint. Uneven weights cause small rings.
const SMALLEST_RING: f32 = 0.25;
/// Min distance of a vertex, relative to the median. Nearer vertices are not on the limb.
const NEAREST_VERTEX: f32 = 0.5;
const MIN_SHARE: f32 = 1e-3;

struct Crossing {
    ends: [usize; 2],
    part: f32,
}

struct Ring {
    crossings: Vec<Crossing>,
}

impl Ring {
    fn points<'a>(&'a self, positions: &'a [Vec3]) -> impl Iterator<Item = Vec3> + 'a {
        let point = |c: &Crossing| positions[c.ends[0]].lerp(positions[c.ends[1]], c.part);
        self.crossings.iter().map(point)
    }

    fn radius(&self, positions: &[Vec3]) -> f32 {
        let count = self.crossings.len() as f32;
        let middle = self.points(positions).sum::<Vec3>() / count;
        let distances = self.points(positions).map(|p| p.distance(middle));
        distances.sum::<f32>() / count
    }
}

/// Rays from `pivot` in the bind pose. The ray along `axis` moves with the joint, and the opposite
/// ray moves with the partner of the joint.
struct Bones {
    pivot: Vec3,
    axis: Vec3,
    vertices: Vec<usize>,
}

impl Bones {
    /// Distance from the nearer ray, for maps of the joint and of its partner.
    fn distance(&self, joint: &Affine, partner: &Affine) -> impl Fn(Vec3) -> f32 + use<> {
        let ray = |map: &Affine, direction: Vec3| {
            let direction = map.transform_vector(direction).normalize_or_zero();
            (map.transform_point(self.pivot), direction)
        };
        let rays = [ray(joint, self.axis), ray(partner, -self.axis)];
        move |p| {
            let [a, b] = rays.map(|(origin, direction)| {
                let along = (p - origin).dot(direction).max(0.0);
                p.distance(origin + direction * along)
            });
            a.min(b)
        }
    }
}

/// Sizes of a section at the rest pose.
#[derive(Default)]
pub(super) struct SectionAtRest {
    radii: Vec<f32>,
    distances: Vec<f32>,
}

/// Border between the rest of the body and a joint with its descendants.
pub(super) struct Section {
    /// Index of the joint in the skeleton.
    pub joint: usize,
    bone: usize,
    /// Bone outside the section with the largest weight in it.
    partner: usize,
    rings: Vec<Ring>,
    bones: Option<Bones>,
}

impl Section {
    /// Sizes with vertices and maps at the rest pose.
    pub fn at_rest(&self, rest: &[Vec3], maps: &[Affine]) -> SectionAtRest {
        let distances = self.bones.as_ref().map(|bones| {
            let distance = bones.distance(&maps[self.bone], &maps[self.partner]);
            bones.vertices.iter().map(|&v| distance(rest[v])).collect()
        });
        SectionAtRest {
            radii: self.rings.iter().map(|ring| ring.radius(rest)).collect(),
            distances: distances.unwrap_or_default(),
        }
    }

    /// Smallest ring radius relative to rest.
    pub fn narrowest(&self, rest: &SectionAtRest, posed: &[Vec3]) -> f64 {
        let rings = self.rings.iter().zip(&rest.radii);
        let ratios = rings.map(|(ring, rest)| f64::from(ring.radius(posed) / rest));
        ratios.fold(f64::INFINITY, f64::min)
    }

    /// Max distance from the bones, relative to rest.
    pub fn widest(&self, rest: &SectionAtRest, posed: &[Vec3], maps: &[Affine]) -> Option<f64> {
        let bones = self.bones.as_ref()?;
        let distance = bones.distance(&maps[self.bone], &maps[self.partner]);
        let vertices = bones.vertices.iter().zip(&rest.distances);
        let ratios = vertices.map(|(&v, &at_rest)| {
            // A vertex on a bone at rest has no ratio.
            if at_rest > 0.0 {
                f64::from(distance(posed[v]) / at_rest)
            } else {
                0.0
            }
        });
        ratios.reduce(f64::max)
    }

    /// Rotation of the joint relative to its partner, from the bind pose, in degrees.
    pub fn turn_deg(&self, model_from_bind: &[Affine]) -> f64 {
        let rotation = |bone: usize| -> Quat {
            polar::decompose(model_from_bind[bone].linear_f64()).rotation_quat()
        };
        f64::from(quat::angle_between(
            rotation(self.bone),
            rotation(self.partner),
        ))
        .to_degrees()
    }
}

pub(super) fn sections(character: &Character, surface: &Surface) -> Vec<Section> {
    let mut sections = Vec::new();
    for (skin_index, skin) in character.skins.iter().enumerate() {
        for (place, &joint) in skin.joints.iter().enumerate() {
            if skin.joints[..place].contains(&joint) {
                continue;
            }
            let hierarchy = character.skeleton.hierarchy();
            let is_below = |&other: &usize| hierarchy.ancestors(other).any(|a| a == joint);
            let below: Vec<bool> = skin.joints.iter().map(is_below).collect();
            if !below.contains(&false) {
                continue;
            }
            let pivot = skin.bind_position(place);
            sections.extend(section(surface, skin_index, place, joint, pivot, &below));
        }
    }
    sections.sort_by_key(|s| s.joint);
    sections
}

/// `below` marks the joint and its descendants by their index in the skin.
fn section(
    surface: &Surface,
    skin: usize,
    place: usize,
    joint: usize,
    pivot: Vec3,
    below: &[bool],
) -> Option<Section> {
    let mut share = vec![0.0; surface.positions.len()];
    let mut weight_by_place = vec![0.0; below.len()];
    let mut shared = Vec::new();
    for part in surface.parts.iter().filter(|p| p.skin == skin) {
        for (local, vertex) in part.vertices.clone().enumerate() {
            let pairs = || part.influences.get(local);
            share[vertex] = pairs().filter(|p| below[p.0]).map(|p| p.1).sum();
            if (MIN_SHARE..=1.0 - MIN_SHARE).contains(&share[vertex]) {
                shared.push(vertex);
                pairs().for_each(|(place, weight)| weight_by_place[place] += weight);
            }
        }
    }
    let outside = (0..below.len()).filter(|&p| !below[p] && weight_by_place[p] > 0.0);
    let partner = outside.max_by(|&a, &b| {
        weight_by_place[a]
            .total_cmp(&weight_by_place[b])
            .then(b.cmp(&a))
    })?;
    // A joint without weight would repeat the section of its child.
    if weight_by_place[place] == 0.0 {
        return None;
    }
    let bind = &surface.positions;
    let mut levels = LEVELS.map(|level| rings(surface, &share, level));
    let largest = levels
        .iter()
        .flatten()
        .map(|r| r.radius(bind))
        .fold(0.0, f32::max);
    for rings in &mut levels {
        rings.retain(|r| r.radius(bind) > largest * SMALLEST_RING);
    }
    let middle = |rings: &[Ring]| {
        let points = || rings.iter().flat_map(|r| r.points(bind));
        points().sum::<Vec3>() / points().count().max(1) as f32
    };
    let axis = (middle(&levels[2]) - middle(&levels[0])).try_normalize();
    let is_whole = levels.iter().all(|rings| !rings.is_empty());
    let bones = axis.filter(|_| is_whole).and_then(|axis| {
        let bones = Bones {
            pivot,
            axis,
            vertices: Vec::new(),
        };
        with_vertices_of_the_limb(bones, bind, &shared)
    });
    let rings: Vec<Ring> = levels.into_iter().flatten().collect();
    (!rings.is_empty()).then_some(Section {
        joint,
        bone: surface.first_bones[skin] + place,
        partner: surface.first_bones[skin] + partner,
        rings,
        bones,
    })
}

fn with_vertices_of_the_limb(mut bones: Bones, bind: &[Vec3], shared: &[usize]) -> Option<Bones> {
    let distance = bones.distance(&Affine::IDENTITY, &Affine::IDENTITY);
    let mut distances: Vec<f32> = shared.iter().map(|&v| distance(bind[v])).collect();
    let vertices = shared.iter().copied().zip(distances.clone());
    let half = distances.len() / 2;
    let median = *distances.select_nth_unstable_by(half, f32::total_cmp).1;
    let is_limb = |distance: f32| distance > 0.0 && distance >= median * NEAREST_VERTEX;
    bones.vertices = vertices.filter(|v| is_limb(v.1)).map(|v| v.0).collect();
    (!bones.vertices.is_empty()).then_some(bones)
}

/// Connected lines on the surface along which `share` equals `level`.
fn rings(surface: &Surface, share: &[f32], level: f32) -> Vec<Ring> {
    let mut crossings: Vec<Crossing> = Vec::new();
    let mut at_edge: HashMap<[usize; 2], usize> = HashMap::new();
    let mut connected = Connected::default();
    for triangle in &surface.triangles {
        let is_in = triangle.map(|v| share[v] >= level);
        if is_in == [true; 3] || is_in == [false; 3] {
            continue;
        }
        let mut last = None;
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            if is_in[i] == is_in[j] {
                continue;
            }
            let [a, b] = [triangle[i], triangle[j]].map(|v| surface.points.first(v));
            let crossing = *at_edge.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                let ends = [triangle[i], triangle[j]];
                let [from, to] = ends.map(|v| share[v]);
                crossings.push(Crossing {
                    ends,
                    part: (level - from) / (to - from),
                });
                connected.push()
            });
            if let Some(last) = last {
                connected.join(last, crossing);
            }
            last = Some(crossing);
        }
    }
    let mut rings: HashMap<usize, Ring> = HashMap::new();
    for (index, crossing) in crossings.into_iter().enumerate() {
        let ring = rings.entry(connected.root(index));
        let ring = ring.or_insert_with(|| Ring {
            crossings: Vec::new(),
        });
        ring.crossings.push(crossing);
    }
    let mut rings: Vec<(usize, Ring)> = rings.into_iter().collect();
    rings.retain(|(_, ring)| ring.crossings.len() >= 3);
    rings.sort_by_key(|(first, _)| *first);
    rings.into_iter().map(|(_, ring)| ring).collect()
}
