//! `sinew bind`: computes weights for meshes that have none.

mod adjusted;
mod arguments;
mod fitted;
mod messages;
pub mod picture;
mod placed;
mod report;

pub use arguments::Arguments;

use crate::progress::Bar;
use crate::units::Scale;
use crate::{extent, files, outputs, units, usage};
use anyhow::{Context, Result, bail};
use report::Report;
use sinew::Character;
use sinew_io::Import;
use sinew_rig::weights::{BindHooks, BindReport, bind_character_with, bind_to_skeleton_with};
use std::path::Path;
use std::time::Instant;

pub fn run(arguments: &Arguments) -> Result<()> {
    check_outputs(arguments)?;
    check_inputs(arguments)?;
    let mut import = files::load(&arguments.mesh)?;
    let file = || files::name(&arguments.mesh);
    let mut notes = scaled(arguments, &mut import)?;
    let start = Instant::now();
    let bound = bound(arguments, &mut import.character, &mut notes)?;
    adjusted::adjust(arguments, &mut import.character, bound.skin).with_context(file)?;
    let seconds = start.elapsed().as_secs_f64();
    let rig = files::name(arguments.skeleton.as_ref().unwrap_or(&arguments.mesh));
    if arguments.unit.scale != Scale::Auto || import.metres_per_unit().is_some() {
        notes.extend(units::doubt(&import, 1.0, &rig));
    }
    notes.extend(messages::shared_names(&import.character, bound.skin, &rig));
    notes.iter().for_each(|note| files::print_message(note));
    write(arguments, &import, &bound)?;
    let mut report = make_report(&import.character, bound, &file(), &rig);
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
    match around {
        Some([low, high]) if fits_person(arguments, &import.character) => {
            units::apply_to_person(scale, (high - low).max_element(), import, &name)
        }
        _ => units::apply(scale, import, &name),
    }
}

/// True if a biped will be fitted into the mesh.
fn fits_person(arguments: &Arguments, character: &Character) -> bool {
    let is_biped = !matches!(arguments.fitting.template, Some(fitted::Kind::Chain));
    arguments.skeleton.is_none() && is_biped && wants_template(arguments, character)
}

fn is_bare(character: &Character) -> bool {
    character.skins.iter().all(|skin| skin.joints.is_empty())
}

fn wants_template(arguments: &Arguments, character: &Character) -> bool {
    arguments.fitting.wants_one() || is_bare(character) && !arguments.correct
}

/// Binds meshes to the skeleton of another file, to a template, or to their own skeleton.
fn bound(
    arguments: &Arguments,
    character: &mut Character,
    notes: &mut Vec<String>,
) -> Result<BindReport> {
    let options = arguments.options()?;
    let bar = Bar::percent();
    let hooks = BindHooks {
        deforms: &|name| arguments.deforms(name),
        radius: &|name| arguments.radius_of(name),
        watch: &|done| bar.set(100.0 * done),
    };
    let skeleton = match &arguments.skeleton {
        Some(path) => Some(placed_skeleton(arguments, path, character, notes)?),
        None => template(arguments, character, notes)?,
    };
    let bound = match skeleton {
        Some(other) => bind_to_skeleton_with(character, &other, &options, &hooks),
        None => bind_character_with(character, &options, &hooks),
    };
    bar.clear();
    bound.with_context(|| files::name(&arguments.mesh))
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

fn template(
    arguments: &Arguments,
    character: &Character,
    notes: &mut Vec<String>,
) -> Result<Option<Character>> {
    if !wants_template(arguments, character) {
        return Ok(None);
    }
    let name = || files::name(&arguments.mesh);
    let fitted = fitted::fitted(&arguments.fitting, character).with_context(name)?;
    if is_bare(character) && arguments.fitting.template.is_none() {
        notes.push(format!(
            "{} has no skin, so a biped was fitted into it; --save-joints and --joints let you move the joints of the biped",
            name()
        ));
    }
    Ok(Some(fitted))
}

fn write(arguments: &Arguments, import: &Import, bound: &BindReport) -> Result<()> {
    let what = format!(
        "{} of {} bound to {}",
        files::counted(bound.vertices, "vertex"),
        files::counted(bound.meshes, "mesh"),
        files::counted(bound.joints_used, "joint"),
    );
    let source = import.source.as_ref();
    outputs::character(&arguments.output, &what, &import.character, source)?;
    match &arguments.picture {
        Some(path) => picture::write(path, &import.character),
        None => Ok(()),
    }
}

/// Prints messages and returns the report. `file` and `rig` name the mesh and the skeleton.
fn make_report(character: &Character, bound: BindReport, file: &str, rig: &str) -> Report {
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
        notes: Vec::new(),
        seconds: 0.0,
    }
}
