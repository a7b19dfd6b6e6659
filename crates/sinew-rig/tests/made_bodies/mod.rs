//! Bodies made of rounded limbs, as one skin or as closed pieces, on skeletons given by name.

use glam::{IVec3, Quat, Vec3};
use sinew::mesh::Primitive;
use sinew::{Affine, Character, Joint, Mesh, Node, Skeleton, Skin, Transform};
use std::collections::HashMap;
use std::sync::Arc;

/// A limb: all within a distance of a line, and the beginnings of the names of joints that it follows.
pub struct Limb {
    pub name: String,
    pub from: Vec3,
    pub to: Vec3,
    pub radius: f32,
    pub follows: Vec<String>,
}

/// A skeleton, by the name of each joint, the name of the one above and its position; and limbs.
#[derive(Default)]
pub struct Body {
    pub joints: Vec<(String, String, Vec3)>,
    pub limbs: Vec<Limb>,
}

impl Body {
    pub fn joint(&mut self, name: &str, above: &str, at: [f32; 3]) {
        self.joints
            .push((name.to_owned(), above.to_owned(), at.into()));
    }

    pub fn limb(
        &mut self,
        name: &str,
        from: [f32; 3],
        to: [f32; 3],
        radius: f32,
        follows: &[&str],
    ) {
        self.limbs.push(Limb {
            name: name.to_owned(),
            from: from.into(),
            to: to.into(),
            radius,
            follows: follows.iter().map(|&name| name.to_owned()).collect(),
        });
    }

    /// One skin around all limbs, of squares about so large.
    pub fn one_skin(&self, cell: f32) -> Character {
        self.character(vec![("Skin".to_owned(), net(&self.limbs, cell))])
    }

    /// Every limb a closed mesh of its own.
    pub fn pieces(&self, cell: f32) -> Character {
        let piece = |limb: &Limb| {
            let mesh = net(std::slice::from_ref(limb), cell);
            (limb.name.clone(), mesh)
        };
        self.character(self.limbs.iter().map(piece).collect())
    }

    fn character(&self, meshes: Vec<(String, Primitive)>) -> Character {
        let place = |name: &str| self.joints.iter().position(|joint| joint.0 == name);
        let joint = |(name, above, at): &(String, String, Vec3)| {
            let parent = place(above);
            let from = parent.map_or(Vec3::ZERO, |parent| self.joints[parent].2);
            Joint::new(name, parent, Transform::from_translation(*at - from))
        };
        let (skeleton, _) = Skeleton::new(self.joints.iter().map(joint).collect()).unwrap();
        let skin = Skin::bound_at(&skeleton.rest_model());
        let mut character = Character::from_skeleton(skeleton);
        character.skins.push(skin);
        for (name, primitive) in meshes {
            character.nodes.push(Node {
                name: name.clone(),
                parent: None,
                parent_from_node: Affine::IDENTITY,
                joint: None,
                mesh: Some(character.meshes.len()),
                skin: None,
                morph_weights: Vec::new(),
                light: None,
            });
            character.meshes.push(Mesh {
                name,
                primitives: vec![primitive],
                ..Mesh::default()
            });
        }
        character
    }
}

impl Limb {
    /// How far a place is outside.
    pub fn distance(&self, place: Vec3) -> f32 {
        let way = self.to - self.from;
        let along = (place - self.from).dot(way) / way.length_squared().max(1e-12);
        place.distance(self.from + way * along.clamp(0.0, 1.0)) - self.radius
    }
}

/// The surface around limbs, by a vertex in each cell that it passes through (Gibson 1998).
fn net(limbs: &[Limb], cell: f32) -> Primitive {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for limb in limbs {
        low = low.min(limb.from.min(limb.to) - limb.radius);
        high = high.max(limb.from.max(limb.to) + limb.radius);
    }
    // Off the round numbers that limbs begin and end at.
    let low = low - cell * Vec3::new(1.37, 1.41, 1.33);
    let size = ((high - low) / cell).as_ivec3() + 3;
    let index = |at: IVec3| ((at.z * size.y + at.y) * size.x + at.x) as usize;
    let place = |at: IVec3| low + at.as_vec3() * cell;
    let all = (0..size.z)
        .flat_map(|z| (0..size.y).map(move |y| (y, z)))
        .flat_map(|(y, z)| (0..size.x).map(move |x| IVec3::new(x, y, z)));
    let outside = |at: IVec3| {
        let distances = limbs.iter().map(|limb| limb.distance(place(at)));
        distances.fold(f32::INFINITY, f32::min)
    };
    let values: Vec<f32> = all.clone().map(outside).collect();
    let value = |at: IVec3| values[index(at)];
    let crosses = |a: IVec3, b: IVec3| (value(a) < 0.0) != (value(b) < 0.0);
    let corners = || (0..8).map(|c| IVec3::new(c & 1, c >> 1 & 1, c >> 2 & 1));
    let axes = [IVec3::X, IVec3::Y, IVec3::Z];
    let is_last = |at: IVec3| (at + 1).cmpge(size).any();
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    let mut vertices: HashMap<IVec3, u32> = HashMap::new();
    for at in all.clone().filter(|&at| !is_last(at)) {
        let (mut sum, mut count) = (Vec3::ZERO, 0.0);
        for corner in corners() {
            for axis in axes
                .into_iter()
                .filter(|axis| (corner * *axis) == IVec3::ZERO)
            {
                let (a, b) = (at + corner, at + corner + axis);
                if crosses(a, b) {
                    let part = value(a) / (value(a) - value(b));
                    sum += place(a).lerp(place(b), part);
                    count += 1.0;
                }
            }
        }
        if count > 0.0 {
            vertices.insert(at, positions.len() as u32);
            // Towards the middle of the cell, so that no edge is far shorter than the others.
            let middle = place(at) + 0.5 * cell;
            positions.push(middle.lerp(sum / count, 0.7));
        }
    }
    for at in all.filter(|&at| !is_last(at)) {
        for axis in 0..3 {
            let (u, v) = (axes[(axis + 1) % 3], axes[(axis + 2) % 3]);
            if !crosses(at, at + axes[axis]) {
                continue;
            }
            let [a, b, c, d] = [at - u - v, at - v, at, at - u].map(|cell| vertices[&cell]);
            let faces = [[a, b, c], [a, c, d]];
            let is_outward = value(at) < 0.0;
            indices.extend(
                faces.into_iter().flat_map(
                    |[a, b, c]| {
                        if is_outward { [a, b, c] } else { [a, c, b] }
                    },
                ),
            );
        }
    }
    Primitive {
        positions: Arc::new(positions),
        indices: Some(Arc::new(indices)),
        ..Primitive::default()
    }
}

/// The most that any edge becomes longer when any joint of the skin turns by 60 degrees about any axis
/// of the model, and which edge and joint.
pub fn worst_tear(character: &Character) -> (f32, String) {
    let skin = &character.skins[0];
    let skeleton = &character.skeleton;
    let mut worst = (1.0, String::new());
    for (index, &joint) in skin.joints.iter().enumerate() {
        let hangs = |mut other: usize| loop {
            if other == joint {
                return true;
            }
            match skeleton.parent(other) {
                Some(parent) => other = parent,
                None => return false,
            }
        };
        let moves: Vec<bool> = skin.joints.iter().map(|&other| hangs(other)).collect();
        let pivot = skin.bind_position(index);
        for primitive in character.meshes.iter().flat_map(|mesh| &mesh.primitives) {
            let influences = primitive.influences.as_ref().unwrap();
            let moved: Vec<f32> = (0..primitive.len())
                .map(|v| {
                    influences
                        .get(v)
                        .filter(|row| moves[row.0])
                        .map(|row| row.1)
                        .sum()
                })
                .collect();
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                let turn = Quat::from_axis_angle(axis, 60.0_f32.to_radians());
                let at = |v: usize| {
                    let place = primitive.positions[v];
                    let turned = pivot + turn * (place - pivot);
                    place.lerp(turned, moved[v])
                };
                for [a, b, c] in primitive.triangles() {
                    for (a, b) in [(a, b), (b, c), (c, a)] {
                        let before = primitive.positions[a].distance(primitive.positions[b]);
                        let longer = at(a).distance(at(b)) / before;
                        if longer > worst.0 {
                            let rows = [a, b].map(|v| influences.get(v).collect::<Vec<_>>());
                            let (at, name) = (primitive.positions[a], skeleton.name(joint));
                            worst = (longer, format!("{at} under {name} {axis}: {rows:?}"));
                        }
                    }
                }
            }
        }
    }
    worst
}
