//! Binding the meshes of a character to a skin: its own, or another character's.

use super::bones::Flesh;
use super::cloth::Cloth;
use super::report::{BindCharacterError, BindReport, ClothPiece};
use super::targets::{Given, Targets};
use super::{BindError, BindOptions, Bones, Surface, Unweighted, bind_with, roots};
use glam::Vec3;
use sinew::skin::SkinError;
use sinew::{Affine, Character, Influences, Skeleton, Skin};
use std::sync::Arc;

/// How many times as large as its skeleton a mesh is at most: half of what centimetres are to metres.
const MAX_TIMES: f32 = 50.0;
/// Fewer joints than these may well be together on a large mesh.
const FEW_JOINTS: usize = 3;

/// The callbacks of a caller while a character is bound.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations)] // functions have none
pub struct BindHooks<'a> {
    /// Whether the joint of this name may move vertices; where it is left open, what the skeleton says,
    /// and where that is open too, roots without flesh, controls and ends may not. The answer is kept in
    /// the skeleton.
    pub deforms: &'a dyn Fn(&str) -> Option<bool>,
    /// How far curves blend about the joint of this name ([`Bones::radii`]).
    pub radius: &'a dyn Fn(&str) -> Option<f32>,
    /// Told how much is done, from 0 to 1.
    pub watch: &'a dyn Fn(f64),
}

impl Default for BindHooks<'_> {
    /// Everything is left open, and nobody watches.
    fn default() -> Self {
        Self {
            deforms: &|_| None,
            radius: &|_| None,
            watch: &|_| (),
        }
    }
}

/// The bones of a skin and what was said of each of its joints.
struct Rig<'a> {
    bones: Bones,
    names: Vec<&'a str>,
    asked: Vec<Option<bool>>,
    why: Vec<Option<Unweighted>>,
}

impl<'a> Rig<'a> {
    fn new(skeleton: &'a Skeleton, skin: &Skin, hooks: &BindHooks<'_>) -> Result<Self, SkinError> {
        let (mut bones, mut why) = Bones::of_skin_told(skeleton, skin)?;
        let names: Vec<&str> = skin.joints.iter().map(|&j| skeleton.name(j)).collect();
        bones.radii = names.iter().map(|name| (hooks.radius)(name)).collect();
        let said = skin.joints.iter().map(|&joint| skeleton.deforms(joint));
        let asked = names.iter().map(|name| (hooks.deforms)(name));
        let asked: Vec<Option<bool>> = asked.zip(said).map(|(now, said)| now.or(said)).collect();
        for (joint, asked) in asked.iter().enumerate() {
            if let Some(deforms) = *asked {
                bones.deforms[joint] = deforms;
                why[joint] = (!deforms).then_some(Unweighted::Asked);
                if deforms && bones.flesh[joint] == Flesh::End {
                    bones.flesh[joint] = Flesh::Around;
                }
            }
        }
        Ok(Self {
            bones,
            names,
            asked,
            why,
        })
    }
}

/// Takes all weights away. Skeleton, skins and clips stay, so the meshes stand still until they are bound.
pub fn unbind(character: &mut Character) {
    for node in &mut character.nodes {
        node.skin = None;
    }
    let meshes = character.meshes.iter_mut();
    for primitive in meshes.flat_map(|mesh| &mut mesh.primitives) {
        primitive.influences = None;
    }
}

/// Gives weights to every mesh that has none (or, to correct them, to every mesh that has some), on
/// the skin with the most joints. The skin's inverse bind matrices are the bind pose. Vertices keep
/// their order and everything else stays as it is.
///
/// # Errors
/// [`BindCharacterError`] when the character contradicts itself or there is nothing to bind; it is then as it was.
pub fn bind_character(
    character: &mut Character,
    options: &BindOptions,
) -> Result<BindReport, BindCharacterError> {
    bind_character_with(character, options, &BindHooks::default())
}

/// The same with hooks.
///
/// ```
/// use sinew_rig::weights::{BindHooks, BindOptions, bind_character_with};
/// let mut tube = sinew_samples::tube_character();
/// tube.nodes.iter_mut().for_each(|node| node.skin = None);
/// let last = tube.skeleton.len() - 1;
/// let last = tube.skeleton.name(last).to_owned();
/// let hooks = BindHooks {
///     deforms: &|name| (name == last).then_some(false),
///     ..BindHooks::default()
/// };
/// let bound = bind_character_with(&mut tube, &BindOptions::default(), &hooks)?;
/// assert_eq!(bound.joints_used, 1);
/// # Ok::<(), sinew_rig::weights::BindCharacterError>(())
/// ```
pub fn bind_character_with(
    character: &mut Character,
    options: &BindOptions,
    hooks: &BindHooks<'_>,
) -> Result<BindReport, BindCharacterError> {
    character.check()?;
    let skins = character.skins.iter().enumerate();
    let most = skins.max_by_key(|(index, skin)| (skin.joints.len(), usize::MAX - index));
    let Some((skin, _)) = most.filter(|(_, skin)| !skin.joints.is_empty()) else {
        return Err(BindCharacterError::NoSkin);
    };
    let skeleton = character.skeleton.clone();
    let rig = Rig::new(&skeleton, &character.skins[skin], hooks)?;
    let targets = Targets::find(character, skin, options.correct)?;
    let identity = vec![Affine::IDENTITY; targets.nodes.len()];
    let asked = (options, hooks.watch);
    bind_targets(character, &targets, rig, &identity, asked, |_| skin)
}

/// Takes another character's skeleton, skin and clips, and binds every mesh to them where the meshes
/// stand. The other's meshes stay behind.
///
/// ```
/// use sinew::{Character, Method, deform};
/// use sinew_rig::template::Biped;
/// use sinew_rig::weights::{BindOptions, bind_to_skeleton};
/// # let mesh = sinew_samples::humanoid_character().meshes[0].clone();
/// let mut scan = Character::from_mesh(mesh); // or `sinew_io::import("scan.glb")?.character`
/// let around = deform(&scan, None, 0.0, Method::Linear)?.bounds().ok_or("no mesh")?;
/// let person = Biped::default().fitted(around.min, around.max)?.skeleton()?;
/// let report = bind_to_skeleton(&mut scan, &Character::from_skeleton(person), &BindOptions::default())?;
/// assert!(report.joints_used > 10);
/// // sinew_io::save("bound.glb", &scan)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`BindCharacterError`] when there is nothing to bind, one of the two contradicts itself, or the character has clips
/// of its own; it is then as it was.
pub fn bind_to_skeleton(
    character: &mut Character,
    other: &Character,
    options: &BindOptions,
) -> Result<BindReport, BindCharacterError> {
    bind_to_skeleton_with(character, other, options, &BindHooks::default())
}

/// The same with hooks.
pub fn bind_to_skeleton_with(
    character: &mut Character,
    other: &Character,
    options: &BindOptions,
    hooks: &BindHooks<'_>,
) -> Result<BindReport, BindCharacterError> {
    character.check()?;
    other.check()?;
    if !character.clips.is_empty() {
        return Err(BindCharacterError::Animated);
    }
    let most = other.skins.iter().max_by_key(|skin| skin.joints.len());
    let skin = match most.filter(|skin| !skin.joints.is_empty()) {
        Some(skin) => skin.clone(),
        None => Skin::bound_at(&other.skeleton.rest_model()),
    };
    let rig = Rig::new(&other.skeleton, &skin, hooks)?;
    // Refused half way, it stays as it was; attributes are shared.
    let mut bound = character.clone();
    let report = take_skeleton(&mut bound, other, &skin, rig, (options, hooks.watch))?;
    *character = bound;
    Ok(report)
}

fn take_skeleton(
    character: &mut Character,
    other: &Character,
    skin: &Skin,
    rig: Rig<'_>,
    asked: (&BindOptions, &dyn Fn(f64)),
) -> Result<BindReport, BindCharacterError> {
    let worlds = character.node_worlds(&character.skeleton.rest_model());
    unbind(character);
    for node in &mut character.nodes {
        node.joint = None;
    }
    character.skins.clear();
    let targets = Targets::find(character, usize::MAX, false)?;
    let first = character.nodes.len();
    character.nodes.extend(other.nodes.iter().map(|node| {
        let mut node = node.clone();
        node.parent = node.parent.map(|parent| parent + first);
        (node.mesh, node.skin) = (None, None);
        node
    }));
    character.skeleton = other.skeleton.clone();
    character.clips = other.clips.clone();
    character.bindings = other.bindings.clone();
    // They were made for joints that are no longer there.
    character.correctives.clear();
    // A skin for every place that a mesh stands in: its inverse binds begin in the mesh's own frame.
    let worlds: Vec<Affine> = targets.nodes.iter().map(|&node| worlds[node]).collect();
    let mut places: Vec<Affine> = Vec::new();
    for world in &worlds {
        if !places.contains(world) {
            places.push(*world);
            let mut skin = skin.clone();
            for joint_from_model in &mut skin.joint_from_model {
                *joint_from_model = *joint_from_model * *world;
            }
            character.skins.push(skin);
        }
    }
    let skin_of = |target: usize| {
        let place = places.iter().position(|place| *place == worlds[target]);
        place.unwrap_or(0)
    };
    bind_targets(character, &targets, rig, &worlds, asked, skin_of)
}

fn bind_targets(
    character: &mut Character,
    targets: &Targets,
    mut rig: Rig<'_>,
    worlds: &[Affine],
    (options, watch): (&BindOptions, &dyn Fn(f64)),
    skin_of: impl Fn(usize) -> usize,
) -> Result<BindReport, BindCharacterError> {
    let (mut positions, mut triangles) = (Vec::<Vec3>::new(), Vec::new());
    let mut given: Vec<Option<Arc<Influences>>> = Vec::new();
    let mut ranges = Vec::new();
    let mut mesh_of_range = Vec::new();
    for (&mesh, world) in targets.meshes.iter().zip(worlds) {
        for primitive in &character.meshes[mesh].primitives {
            let start = positions.len();
            let placed = primitive.positions.iter();
            positions.extend(placed.map(|&p| world.transform_point(p)));
            let corners = primitive.triangles();
            triangles.extend(corners.map(|t| t.map(|v| (v + start) as u32)));
            ranges.push(start..positions.len());
            mesh_of_range.push(mesh);
            given.push(primitive.influences.clone());
        }
    }
    let surface = Surface {
        positions: &positions,
        triangles: &triangles,
    };
    let given = Given {
        ranges: &ranges,
        influences: &given,
        meshes: &mesh_of_range,
    };
    check_size(&positions, &rig.bones)?;
    let may = |joint: usize| rig.asked[joint].is_none();
    // What is inside trousers is not inside flesh.
    let bare = Cloth::bare(&surface, &rig.bones);
    let bare = Surface {
        triangles: bare.as_deref().unwrap_or(&triangles),
        ..surface
    };
    roots::leave_out(&mut rig.bones, &bare, &rig.names, &may, &mut rig.why);
    let bones = &rig.bones;
    let bound = bind_with(&surface, bones, options, &given, (&may, watch))?;
    let (influences, warnings) = (bound.influences, bound.warnings);
    let cloth = bound.cloth.iter().map(|vertices| ClothPiece {
        mesh: vertices.first().map_or(0, |&vertex| given.mesh(vertex)),
        vertices: vertices.len(),
    });
    let cloth = cloth.collect();
    for joint in bound.ends {
        rig.why[joint] = Some(Unweighted::End);
    }
    let mut used = vec![false; bones.len()];
    let rows = (0..influences.len()).flat_map(|vertex| influences.get(vertex));
    rows.for_each(|(joint, _)| used[joint] = true);
    for (joint, used) in used.iter().enumerate() {
        if !used && rig.why[joint].is_none() {
            rig.why[joint] = Some(Unweighted::Idle);
        }
    }
    for (joint, &asked) in character.skins[skin_of(0)].joints.iter().zip(&rig.asked) {
        character.skeleton.set_deforms(*joint, asked);
    }
    let mut bound = BindReport {
        skin: skin_of(0),
        meshes: targets.meshes.len(),
        vertices: positions.len(),
        carried: targets.carried,
        unweighted: (0..bones.len())
            .filter_map(|joint| Some((joint, rig.why[joint]?)))
            .collect(),
        cloth,
        warnings,
        volume: bound.volume,
        ..BindReport::default()
    };
    for vertex in 0..influences.len() {
        let row = influences.get(vertex);
        let count = row.len();
        if bound.vertices_by_influences.len() <= count {
            bound.vertices_by_influences.resize(count + 1, 0);
        }
        bound.vertices_by_influences[count] += 1;
    }
    bound.joints_used = used.iter().filter(|&&used| used).count();
    let mut range = ranges.into_iter();
    for (target, &mesh) in targets.meshes.iter().enumerate() {
        for primitive in &mut character.meshes[mesh].primitives {
            let lists: Vec<Vec<(u16, f32)>> = range
                .next()
                .into_iter()
                .flatten()
                .map(|vertex| {
                    let row = influences.get(vertex);
                    row.map(|(joint, weight)| (joint as u16, weight)).collect()
                })
                .collect();
            let (own, _) = Influences::from_lists(&lists, bones.len()).map_err(BindError::from)?;
            primitive.influences = Some(Arc::new(own));
        }
        for node in &mut character.nodes {
            if node.mesh == Some(mesh) {
                node.skin = Some(skin_of(target));
            }
        }
    }
    Ok(bound)
}

/// Refuses a mesh in another unit than its skeleton: all of it would follow what is nearest.
fn check_size(positions: &[Vec3], bones: &Bones) -> Result<(), BindCharacterError> {
    let across = |places: &[Vec3]| {
        let finite = || places.iter().filter(|place| place.is_finite());
        let low = finite().fold(Vec3::INFINITY, |low, &place| low.min(place));
        let high = finite().fold(Vec3::NEG_INFINITY, |high, &place| high.max(place));
        low.distance(high)
    };
    let (mesh, skeleton) = (across(positions), across(&bones.heads));
    let is_too_large = bones.len() >= FEW_JOINTS && skeleton > 0.0 && skeleton.is_finite();
    if is_too_large && mesh > MAX_TIMES * skeleton {
        return Err(BindCharacterError::Size { mesh, skeleton });
    }
    Ok(())
}
