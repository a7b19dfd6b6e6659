use super::arguments::Arguments;
use super::moments::Moments;
use super::options::Follow;
use super::subject::Subject;
use crate::files;
use anyhow::{Context, Result, bail};
use sinew::Character;
use sinew::names::hint;
use sinew::property::ObjectKind;
use sinew_gpu::{Framed, Front, ShotOptions, WeightColors, direction};

const STILL_LAYERS: u32 = 4;

pub fn options(
    arguments: &Arguments,
    subject: &Subject,
    moments: &Moments,
    front: &Front,
) -> Result<ShotOptions> {
    let character = &subject.character;
    let [azimuth_rad, elevation_rad] = arguments.camera_view().angles_rad(front.azimuth_rad);
    let joint = |joint: &String| find_joint(character, joint).with_context(|| subject.name.clone());
    Ok(ShotOptions::new()
        .size(match arguments.sheet {
            Some(sheet) => sheet.cell(arguments.size.0),
            None => arguments.size.0,
        })
        .clip(subject.clip)
        .methods(
            arguments
                .method
                .iter()
                .map(|&method| method.into())
                .collect(),
        )
        .normals(arguments.normals.check(&arguments.method)?)
        .framed(match (moments.moves, arguments.follow) {
            (false, _) => Framed::Moment(moments.times[0]),
            (true, Follow::On) => Framed::Following,
            (true, Follow::Off) => Framed::Motion,
        })
        .from(direction(azimuth_rad, elevation_rad))
        .fov_y_rad(arguments.fov.to_radians())
        .turntable(moments.turns.iter().any(|&turn| turn > 0.0))
        .through(through(character, arguments.through.as_deref())?)
        .zoom(arguments.zoom)
        .target(arguments.target.as_ref().map(joint).transpose()?)
        .floor(arguments.floor.into())
        .backdrop(arguments.background.0)
        .shading(arguments.shading.into())
        .tone(arguments.tone.into())
        .environment(match &arguments.environment {
            Some(surroundings) => Some(surroundings.map()?),
            None => None,
        })
        .skeleton(arguments.skeleton)
        .names(arguments.names)
        .axes(arguments.axes)
        .wireframe(arguments.wireframe)
        .grid(arguments.grid)
        .weight_colors(weight_colors(character, arguments.weights.as_deref())?)
        .shadow(arguments.passes.shadow)
        .occlusion(arguments.passes.occlusion)
        .layers(if moments.times.len() == 1 {
            STILL_LAYERS
        } else {
            1
        })
        .reflection(arguments.passes.reflection)
        .bloom(arguments.passes.bloom)
        .labels(arguments.method.len() > 1))
}

fn weight_colors(character: &Character, joint: Option<&str>) -> Result<Option<WeightColors>> {
    let Some(joint) = joint else {
        return Ok(None);
    };
    match joint {
        "all" => return Ok(Some(WeightColors::Every)),
        "dominant" => return Ok(Some(WeightColors::Dominant)),
        _ => {}
    }
    find_joint(character, joint).map(|joint| Some(WeightColors::Joint(joint)))
}

/// Index of a camera of the file by its name or number.
fn through(character: &Character, camera: Option<&str>) -> Result<Option<usize>> {
    let Some(camera) = camera else {
        return Ok(None);
    };
    let names = character.object_names(ObjectKind::Camera);
    let number = || camera.parse().ok().filter(|&own: &usize| own < names.len());
    let named = names.iter().position(|own| *own == camera);
    match named.or_else(number) {
        Some(index) => Ok(Some(index)),
        None => bail!(
            "--through: there is no camera \"{camera}\"{}",
            hint(camera, names)
        ),
    }
}

fn find_joint(character: &Character, joint: &str) -> Result<usize> {
    let skeleton = &character.skeleton;
    let number = || joint.parse().ok().filter(|&j: &usize| j < skeleton.len());
    match skeleton.find(joint).or_else(number) {
        Some(joint) => Ok(joint),
        None => files::find_joint(skeleton, joint),
    }
}
