//! `sinew bind`: finds a skeleton for meshes that have none, and computes their weights.

mod adjusted;
mod arguments;
mod fitted;
mod found;
mod messages;
pub mod picture;
mod placed;
mod report;
pub mod walk;

pub use arguments::Arguments;

use crate::progress::Bar;
use crate::units::Scale;
use crate::{extent, files, outputs, units, usage};
use anyhow::{Context, Result, bail};
use fitted::Fitted;
use found::{FoundReport, Only, Rest};
use report::Report;
use sinew::Character;
use sinew_io::Import;
use sinew_rig::find::{Body, Found};
use sinew_rig::rest::rest_in_t_pose;
use sinew_rig::weights::{
    BindHooks, BindReport, bind_character_with, bind_to_skeleton_with, give_skeleton,
};
use std::path::Path;
use std::time::Instant;

/// Result of a binding.
struct Done {
    bound: BindReport,
    found: Option<Found>,
    walk: Option<walk::Card>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    check_outputs(arguments)?;
    check_inputs(arguments)?;
    let mut import = files::load(&arguments.mesh)?;
    let mut notes = scaled(arguments, &mut import)?;
    let start = Instant::now();
    let skeleton = skeleton(arguments, &import.character, &mut notes)?;
    if skeleton
        .as_ref()
        .is_some_and(|fitted| fitted.found.is_some())
    {
        notes.extend(remove_clips(&mut import.character, &arguments.mesh));
    }
    let bare = arguments.draws().then(|| import.character.clone());
    if arguments.finding.only == Some(Only::Joints)
        && let Some(fitted) = &skeleton
    {
        return only_joints(arguments, import, fitted, &notes);
    }
    let done = bound(arguments, &mut import.character, skeleton, &mut notes)?;
    let seconds = start.elapsed().as_secs_f64();
    let file = files::name(&arguments.mesh);
    let rig = files::name(arguments.skeleton.as_ref().unwrap_or(&arguments.mesh));
    if done.found.is_none()
        && (arguments.unit.scale != Scale::Auto || import.metres_per_unit().is_some())
    {
        notes.extend(units::doubt(&import, 1.0, &rig));
    }
    notes.extend(messages::shared_names(
        &import.character,
        done.bound.skin,
        &rig,
    ));
    notes.iter().for_each(|note| files::print_message(note));
    write(arguments, &import, &done.bound)?;
    if let Some((path, bare)) = arguments.picture.as_ref().zip(bare) {
        let found = done.found.as_ref().map(|found| (&bare, found));
        picture::write(path, found, &import.character)?;
    }
    let mut report = make_report(&import.character, done, &file, &rig);
    (report.notes, report.seconds) = (notes, seconds);
    report::print(arguments, &report)?;
    let failed = messages::failures(&report.warnings, &arguments.fail_if);
    if failed.is_empty() {
        return Ok(());
    }
    bail!("the check failed: {}", failed.join("; "))
}

fn check_outputs(arguments: &Arguments) -> Result<()> {
    if arguments.json && files::is_standard(&arguments.output) {
        let message = "--json and the file cannot both go to standard output";
        return Err(usage::wrong(message));
    }
    if arguments.finding.only == Some(Only::Joints) && arguments.draws() {
        let message = "--picture draws weights, which --only joints leaves out; remove one of them";
        return Err(usage::wrong(message));
    }
    let others = [&arguments.fitting.save_joints, &arguments.picture];
    let outputs = others.into_iter().flatten();
    for output in std::iter::once(&arguments.output).chain(outputs) {
        outputs::check(output)?;
    }
    Ok(())
}

/// Refuses the same file as mesh and as skeleton.
fn check_inputs(arguments: &Arguments) -> Result<()> {
    let Some(skeleton) = &arguments.skeleton else {
        return Ok(());
    };
    let whole = |path: &Path| path.canonicalize().ok();
    let is_same = *skeleton == arguments.mesh
        || whole(skeleton).is_some_and(|path| whole(&arguments.mesh) == Some(path));
    if is_same {
        bail!(
            "{} is given as mesh and as skeleton; give it once to bind the mesh to its own skin",
            files::name(skeleton)
        );
    }
    Ok(())
}

fn scaled(arguments: &Arguments, import: &mut Import) -> Result<Vec<String>> {
    let (scale, name) = (arguments.unit.scale, files::name(&arguments.mesh));
    let around = extent::around(&extent::vertices(&import.character));
    Ok(match around {
        Some([low, high]) if takes_person(arguments, &import.character) => {
            units::apply_to_person(scale, (high - low).max_element(), import, &name)?
        }
        _ => units::apply(scale, import, &name)?,
    })
}

/// True if the mesh is probably that of a person.
fn takes_person(arguments: &Arguments, character: &Character) -> bool {
    let is_biped = !matches!(arguments.fitting.template, Some(fitted::Kind::Chain));
    arguments.skeleton.is_none() && is_biped && wants_skeleton(arguments, character)
}

fn is_bare(character: &Character) -> bool {
    character.skins.iter().all(|skin| skin.joints.is_empty())
}

fn wants_skeleton(arguments: &Arguments, character: &Character) -> bool {
    let is_requested = arguments.fitting.wants_one() || arguments.finding.wants_one();
    is_requested || is_bare(character) && !arguments.correct
}

/// Skeleton of another file, of a template, or found in the mesh. `None` if the mesh has its own.
fn skeleton(
    arguments: &Arguments,
    character: &Character,
    notes: &mut Vec<String>,
) -> Result<Option<Fitted>> {
    if let Some(path) = &arguments.skeleton {
        let character = placed_skeleton(arguments, path, character, notes)?;
        let found = None;
        return Ok(Some(Fitted { character, found }));
    }
    if !wants_skeleton(arguments, character) {
        return Ok(None);
    }
    let name = || files::name(&arguments.mesh);
    let fitted = fitted::fitted(&arguments.fitting, &arguments.finding, character);
    let fitted = fitted.with_context(name)?;
    if let Some(found) = &fitted.found {
        notes.push(FoundReport::new(found).note(&name()));
        let findings = found.findings.iter();
        notes.extend(findings.map(|finding| format!("{}: {finding}", name())));
    }
    Ok(Some(fitted))
}

/// Removes clips, which move nodes of the file and not the joints that were found. Returns a note about them.
fn remove_clips(character: &mut Character, mesh: &Path) -> Option<String> {
    let count = character.clips.len();
    (character.clips, character.layers) = (Vec::new(), Vec::new());
    (count > 0).then(|| {
        format!(
            "{}: {} of the file left out: no clip of it moves the new joints",
            files::name(mesh),
            files::counted(count, "clip")
        )
    })
}

/// Binds meshes to a skeleton or to their own, and poses and tests a skeleton that was found.
fn bound(
    arguments: &Arguments,
    character: &mut Character,
    skeleton: Option<Fitted>,
    notes: &mut Vec<String>,
) -> Result<Done> {
    let options = arguments.options()?;
    let bar = Bar::percent();
    let hooks = BindHooks {
        deforms: &|name| arguments.deforms(name),
        radius: &|name| arguments.radius_of(name),
        watch: &|done| bar.set(100.0 * done),
    };
    let bound = match &skeleton {
        Some(fitted) => bind_to_skeleton_with(character, &fitted.character, &options, &hooks),
        None => bind_character_with(character, &options, &hooks),
    };
    bar.clear();
    let file = || files::name(&arguments.mesh);
    let bound = bound.with_context(file)?;
    adjusted::adjust(arguments, character, bound.skin).with_context(file)?;
    if arguments.finding.rest == Some(Rest::T) {
        rest_in_t_pose(character)
            .context("--rest t")
            .with_context(file)?;
    }
    let found = skeleton.and_then(|fitted| fitted.found);
    let walks = found.as_ref().filter(|_| arguments.finding.only.is_none());
    let walk = match walks.map(|found| found.body) {
        Some(Body::Biped) => walk::add(character)
            .map_err(|why| notes.push(format!("{}: no test walk: {why:#}", file())))
            .ok(),
        _ => None,
    };
    Ok(Done { bound, found, walk })
}

fn placed_skeleton(
    arguments: &Arguments,
    path: &Path,
    character: &Character,
    notes: &mut Vec<String>,
) -> Result<Character> {
    if arguments.correct {
        bail!("--correct keeps the weights of the mesh's own skin; remove the skeleton file");
    }
    let (scale, name) = (arguments.unit.scale, files::name(path));
    let mut other = files::load(path)?;
    notes.extend(units::apply(scale, &mut other, &name)?);
    let names = [files::name(&arguments.mesh), name];
    let mut other = other.character;
    notes.extend(placed::move_into(&mut other, character, &names, scale)?);
    Ok(other)
}

/// Writes the mesh and its joints without weights.
fn only_joints(
    arguments: &Arguments,
    mut import: Import,
    fitted: &Fitted,
    notes: &[String],
) -> Result<()> {
    let file = || files::name(&arguments.mesh);
    give_skeleton(&mut import.character, &fitted.character).with_context(file)?;
    notes.iter().for_each(|note| files::print_message(note));
    let joints = files::counted(fitted.character.skeleton.len(), "joint");
    let what = format!("{joints} in a mesh without weights");
    let source = import.source.as_ref();
    outputs::character(&arguments.output, &what, &import.character, source)?;
    report::print_joints(arguments, fitted, notes)
}

fn write(arguments: &Arguments, import: &Import, bound: &BindReport) -> Result<()> {
    let what = format!(
        "{} of {} bound to {}",
        files::counted(bound.vertices, "vertex"),
        files::counted(bound.meshes, "mesh"),
        files::counted(bound.joints_used, "joint"),
    );
    let source = import.source.as_ref();
    outputs::character(&arguments.output, &what, &import.character, source).map(drop)
}

/// Prints messages and returns the report. `file` and `rig` name the mesh and the skeleton.
fn make_report(character: &Character, done: Done, file: &str, rig: &str) -> Report {
    let bound = done.bound;
    let unweighted_joints = messages::unweighted(character, &bound);
    let warnings = messages::warnings(character, &bound);
    let cloth = messages::cloth(character, &bound);
    messages::print_cloth(&cloth, file);
    messages::print_unweighted(&unweighted_joints, rig);
    messages::print_warnings(&warnings, file);
    Report {
        meshes: bound.meshes,
        vertices: bound.vertices,
        joints: character.skins[bound.skin].joints.len(),
        joints_used: bound.joints_used,
        volume: messages::volume(character, &bound),
        vertices_by_influences: bound.vertices_by_influences,
        carried_meshes: bound.carried,
        unweighted_joints,
        cloth,
        warnings,
        found: done.found.as_ref().map(FoundReport::new),
        walk: done.walk,
        notes: Vec::new(),
        seconds: 0.0,
    }
}
