//! Binds targets as one surface and writes the weights back to their meshes.

use super::rig::Rig;
use super::targets::Targets;
use crate::find::check::check;
use crate::weights::bind::{Bound, bind_with};
use crate::weights::bones::joints::Bones;
use crate::weights::bones::roots;
use crate::weights::bones::unweighted::Unweighted;
use crate::weights::error::{BindCharacterError, BindError};
use crate::weights::given::Given;
use crate::weights::options::BindOptions;
use crate::weights::pieces::cloth::Cloth;
use crate::weights::report::summary::{BindReport, ClothPiece};
use crate::weights::report::warnings::BindWarning;
use crate::weights::surface::Surface;
use glam::Vec3;
use sinew::{Affine, Character, InfluenceError, Influences};
use std::ops::Range;
use std::sync::Arc;

/// Max ratio of mesh size to skeleton size. Mixed metres and centimetres give 100.
const MAX_TIMES: f32 = 50.0;
/// Min number of joints for the size check. Fewer joints may be close together on a large mesh.
const FEW_JOINTS: usize = 3;

struct Joined {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    ranges: Vec<Range<usize>>,
    meshes: Vec<usize>,
    influences: Vec<Option<Arc<Influences>>>,
}

impl Joined {
    fn new(character: &Character, targets: &Targets, worlds: &[Affine]) -> Self {
        let mut joined = Self {
            positions: Vec::new(),
            triangles: Vec::new(),
            ranges: Vec::new(),
            meshes: Vec::new(),
            influences: Vec::new(),
        };
        for (&mesh, world) in targets.meshes.iter().zip(worlds) {
            for primitive in &character.meshes[mesh].primitives {
                let start = joined.positions.len();
                let placed = primitive.positions.iter();
                let placed = placed.map(|&p| world.transform_point(p));
                joined.positions.extend(placed);
                let corners = primitive.triangles();
                let corners = corners.map(|t| t.map(|v| (v + start) as u32));
                joined.triangles.extend(corners);
                joined.ranges.push(start..joined.positions.len());
                joined.meshes.push(mesh);
                joined.influences.push(primitive.influences.clone());
            }
        }
        joined
    }

    fn surface(&self) -> Surface<'_> {
        Surface {
            positions: &self.positions,
            triangles: &self.triangles,
        }
    }

    fn given(&self) -> Given<'_> {
        Given {
            ranges: &self.ranges,
            influences: &self.influences,
            meshes: &self.meshes,
        }
    }
}

/// Binds each target, at its transform in `worlds`, to its skin in `skin_of`.
pub(super) fn bind_targets(
    character: &mut Character,
    targets: &Targets,
    mut rig: Rig<'_>,
    worlds: &[Affine],
    (options, watch): (&BindOptions, &dyn Fn(f64)),
    skin_of: impl Fn(usize) -> usize,
) -> Result<BindReport, BindCharacterError> {
    let joined = Joined::new(character, targets, worlds);
    let (surface, given) = (joined.surface(), joined.given());
    check_size(&joined.positions, &rig.bones)?;
    leave_out_roots(&mut rig, &surface);
    let may_end = |joint: usize| rig.requested[joint].is_none();
    let known = (&given, &rig.limbs);
    let bound = bind_with(&surface, &rig.bones, options, known, (&may_end, watch))?;
    let placed = placed(character, skin_of(0), &rig.bones, &surface);
    let used = used_joints(&bound.influences, rig.bones.len());
    note_unweighted(&mut rig.why, &bound.ends, &used);
    for (joint, &requested) in character.skins[skin_of(0)]
        .joints
        .iter()
        .zip(&rig.requested)
    {
        character.skeleton.set_deforms(*joint, requested);
    }
    give_weights(
        character,
        targets,
        &joined.ranges,
        &bound,
        used.len(),
        &skin_of,
    )?;
    Ok(BindReport {
        skin: skin_of(0),
        meshes: targets.meshes.len(),
        vertices: joined.positions.len(),
        joints_used: used.iter().filter(|&&used| used).count(),
        vertices_by_influences: vertices_by_influences(&bound.influences),
        carried: targets.carried,
        unweighted: (rig.why.iter().enumerate())
            .filter_map(|(joint, why)| Some((joint, (*why)?)))
            .collect(),
        cloth: cloth_pieces(&bound.cloth, &given),
        warnings: placed.chain(bound.warnings).collect(),
        volume: bound.volume,
    })
}

/// Findings about the skeleton in the mesh.
fn placed(
    character: &Character,
    skin: usize,
    bones: &Bones,
    surface: &Surface<'_>,
) -> impl Iterator<Item = BindWarning> + use<> {
    let rest = character.skeleton.rest_model();
    let mut heads: Vec<Vec3> = rest.iter().map(Affine::translation).collect();
    for (&joint, &head) in character.skins[skin].joints.iter().zip(&bones.heads) {
        heads[joint] = head;
    }
    let Surface {
        positions,
        triangles,
    } = surface;
    let findings = check(&character.skeleton, &heads, positions, triangles);
    findings.into_iter().map(BindWarning::Placed)
}

/// Rejects a mesh in another unit than its skeleton, which would all follow the nearest joint.
fn check_size(positions: &[Vec3], bones: &Bones) -> Result<(), BindCharacterError> {
    let across = |places: &[Vec3]| {
        let finite = || places.iter().filter(|position| position.is_finite());
        let low = finite().fold(Vec3::INFINITY, |low, &position| low.min(position));
        let high = finite().fold(Vec3::NEG_INFINITY, |high, &position| high.max(position));
        low.distance(high)
    };
    let (mesh, skeleton) = (across(positions), across(&bones.heads));
    let is_too_large = bones.len() >= FEW_JOINTS && skeleton > 0.0 && skeleton.is_finite();
    if is_too_large && mesh > MAX_TIMES * skeleton {
        return Err(BindCharacterError::Size { mesh, skeleton });
    }
    Ok(())
}

fn leave_out_roots(rig: &mut Rig<'_>, surface: &Surface<'_>) {
    // The inside of trousers is not flesh.
    let bare = Cloth::bare(surface, &rig.bones);
    let bare = Surface {
        triangles: bare.as_deref().unwrap_or(surface.triangles),
        ..*surface
    };
    let may = |joint: usize| rig.requested[joint].is_none();
    roots::leave_out(&mut rig.bones, &bare, &rig.names, &may, &mut rig.why);
}

fn used_joints(influences: &Influences, joints: usize) -> Vec<bool> {
    let mut used = vec![false; joints];
    let rows = (0..influences.len()).flat_map(|vertex| influences.get(vertex));
    rows.for_each(|(joint, _)| used[joint] = true);
    used
}

fn note_unweighted(why: &mut [Option<Unweighted>], ends: &[usize], used: &[bool]) {
    for &joint in ends {
        why[joint] = Some(Unweighted::End);
    }
    for (why, used) in why.iter_mut().zip(used) {
        if !used && why.is_none() {
            *why = Some(Unweighted::Idle);
        }
    }
}

fn give_weights(
    character: &mut Character,
    targets: &Targets,
    ranges: &[Range<usize>],
    bound: &Bound,
    joints: usize,
    skin_of: &impl Fn(usize) -> usize,
) -> Result<(), BindError> {
    let mut ranges = ranges.iter();
    for (target, &mesh) in targets.meshes.iter().enumerate() {
        for primitive in &mut character.meshes[mesh].primitives {
            let vertices = ranges.next().cloned().unwrap_or_default();
            let own = part_of(&bound.influences, vertices, joints)?;
            primitive.influences = Some(Arc::new(own));
        }
        for node in &mut character.nodes {
            if node.mesh == Some(mesh) {
                node.skin = Some(skin_of(target));
            }
        }
    }
    Ok(())
}

fn part_of(
    influences: &Influences,
    vertices: Range<usize>,
    joints: usize,
) -> Result<Influences, InfluenceError> {
    let row = |vertex: usize| -> Vec<(u16, f32)> {
        let row = influences.get(vertex);
        row.map(|(joint, weight)| (joint as u16, weight)).collect()
    };
    let lists: Vec<Vec<(u16, f32)>> = vertices.map(row).collect();
    Ok(Influences::from_lists(&lists, joints)?.0)
}

fn vertices_by_influences(influences: &Influences) -> Vec<usize> {
    let mut counts = Vec::new();
    for vertex in 0..influences.len() {
        let count = influences.get(vertex).len();
        if counts.len() <= count {
            counts.resize(count + 1, 0);
        }
        counts[count] += 1;
    }
    counts
}

fn cloth_pieces(pieces: &[Vec<usize>], given: &Given<'_>) -> Vec<ClothPiece> {
    let piece = |vertices: &Vec<usize>| ClothPiece {
        mesh: vertices.first().map_or(0, |&vertex| given.mesh(vertex)),
        vertices: vertices.len(),
    };
    pieces.iter().map(piece).collect()
}
