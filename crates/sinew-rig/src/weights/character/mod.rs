//! Binds the meshes of a character to its own skin or to the skin of another character.

mod bind_targets;
mod hooks;
mod rig;
mod targets;

pub use hooks::BindHooks;

use super::error::BindCharacterError;
use super::options::BindOptions;
use super::report::summary::BindReport;
use bind_targets::bind_targets;
use rig::Rig;
use sinew::{Affine, Character, Skin};
use targets::Targets;

/// Removes all weights. Keeps skeleton, skins and clips. Unbound meshes do not move.
pub fn unbind(character: &mut Character) {
    for node in &mut character.nodes {
        node.skin = None;
    }
    let meshes = character.meshes.iter_mut();
    for primitive in meshes.flat_map(|mesh| &mut mesh.primitives) {
        primitive.influences = None;
    }
}

/// Computes weights for every mesh without weights, on the skin with the most joints. With
/// [`BindOptions::correct`], corrects every mesh with weights instead. The inverse binds of the
/// skin give the bind pose. Vertices keep their order.
///
/// # Errors
/// [`BindCharacterError`] if the character is inconsistent or has nothing to bind. Nothing changes.
#[doc(alias = "automatic weights")]
#[doc(alias = "auto rig")]
pub fn bind_character(
    character: &mut Character,
    options: &BindOptions,
) -> Result<BindReport, BindCharacterError> {
    bind_character_with(character, options, &BindHooks::default())
}

/// Binds like [`bind_character`], with hooks.
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
    let requested = (options, hooks.watch);
    bind_targets(character, &targets, rig, &identity, requested, |_| skin)
}

/// Replaces skeleton, skins and clips of a character by those of another, and binds every mesh at
/// its current position. Does not copy the meshes of the other character.
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
/// [`BindCharacterError`] if there is nothing to bind, a character is inconsistent, or `character`
/// has clips. Nothing changes then.
#[doc(alias = "automatic weights")]
#[doc(alias = "auto rig")]
pub fn bind_to_skeleton(
    character: &mut Character,
    other: &Character,
    options: &BindOptions,
) -> Result<BindReport, BindCharacterError> {
    bind_to_skeleton_with(character, other, options, &BindHooks::default())
}

/// Binds like [`bind_to_skeleton`], with hooks.
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
    let skin = skin_of(other);
    let rig = Rig::new(&other.skeleton, &skin, hooks)?;
    // A copy, so that an error leaves the character unchanged. It shares the attributes.
    let mut bound = character.clone();
    let report = take_skeleton(&mut bound, other, &skin, rig, (options, hooks.watch))?;
    *character = bound;
    Ok(report)
}

/// Replaces skeleton, skins and clips of a character by those of another, without weights: no mesh moves yet.
/// [`bind_character`] binds the meshes afterwards.
///
/// # Errors
/// [`BindCharacterError`] if a character is inconsistent, or `character` has clips. Nothing changes then.
pub fn give_skeleton(
    character: &mut Character,
    other: &Character,
) -> Result<(), BindCharacterError> {
    character.check()?;
    other.check()?;
    if !character.clips.is_empty() {
        return Err(BindCharacterError::Animated);
    }
    replace_skeleton(character, other);
    character.skins.push(skin_of(other));
    Ok(())
}

/// Skin of a character with the most joints, or one that is bound at rest.
fn skin_of(other: &Character) -> Skin {
    let most = other.skins.iter().max_by_key(|skin| skin.joints.len());
    match most.filter(|skin| !skin.joints.is_empty()) {
        Some(skin) => skin.clone(),
        None => Skin::bound_at(other.skeleton.rest_model().as_slice()),
    }
}

fn replace_skeleton(character: &mut Character, other: &Character) {
    unbind(character);
    for node in &mut character.nodes {
        node.joint = None;
    }
    character.skins.clear();
    let first = character.nodes.len();
    character.nodes.extend(other.nodes.iter().map(|node| {
        let mut node = node.clone();
        node.parent = node.parent.map(|parent| parent + first);
        (node.mesh, node.skin) = (None, None);
        node
    }));
    character.skeleton = other.skeleton.clone();
    character.clips = other.clips.clone();
    character.layers = other.layers.clone();
    character.bindings = other.bindings.clone();
    // Correctives refer to joints of the old skeleton.
    character.correctives.clear();
}

fn take_skeleton(
    character: &mut Character,
    other: &Character,
    skin: &Skin,
    rig: Rig<'_>,
    requested: (&BindOptions, &dyn Fn(f64)),
) -> Result<BindReport, BindCharacterError> {
    let worlds = character.node_worlds(&character.skeleton.rest_model());
    replace_skeleton(character, other);
    let targets = Targets::find(character, usize::MAX, false)?;
    // One skin per mesh transform, because inverse binds map from the frame of the mesh.
    let worlds: Vec<Affine> = targets.nodes.iter().map(|&node| worlds[node]).collect();
    let mut transforms: Vec<Affine> = Vec::new();
    for world in &worlds {
        if !transforms.contains(world) {
            transforms.push(*world);
            let mut skin = skin.clone();
            for joint_from_model in &mut skin.joint_from_model {
                *joint_from_model = *joint_from_model * *world;
            }
            character.skins.push(skin);
        }
    }
    let skin_of = |target: usize| {
        let place = transforms.iter().position(|place| *place == worlds[target]);
        place.unwrap_or(0)
    };
    bind_targets(character, &targets, rig, &worlds, requested, skin_of)
}
