//! Pictures of a binding: weights as colours, and the way of a mesh from bare to walking.

use crate::{files, outputs};
use anyhow::{Context, Result};
use glam::{Quat, Vec3};
use sinew::transform::quat;
use sinew::{Character, Node, Skeleton, Transform, deform};
use sinew_gpu::{
    Framed, Gpu, Picture, Renderer, Shot, ShotOptions, WeightColors, direction, find_front, label,
    write_png,
};
use sinew_rig::find::Found;
use sinew_rig::weights::trial_clip;
use std::path::{Path, PathBuf};

/// Parses the value of --picture.
pub fn path(text: &str) -> Result<PathBuf, String> {
    match files::output(text, &["png"])? {
        path if files::is_standard(&path) => Err("the picture must go to a file".to_owned()),
        path => Ok(path),
    }
}

const SIDE: u32 = 560;
/// Side of one of the four pictures of a skeleton that was found.
const STEP: u32 = 480;

/// Writes a picture of the weights as colours: at rest on the left, every joint bent on the right. With a bare mesh and
/// the skeleton that was found in it, writes the four pictures of [`steps`].
pub fn write(
    path: &Path,
    found: Option<(&Character, &Found)>,
    character: &Character,
) -> Result<()> {
    let why = "cannot draw the picture for --picture";
    let (picture, what) = match found {
        Some((bare, found)) => {
            let picture = draw_steps(bare, found, character).context(why)?;
            (picture, "the bare mesh, joints, weights and motion")
        }
        None => (
            draw(character).context(why)?,
            "weights as colours, at rest and bent",
        ),
    };
    outputs::write(path, what, |out| write_png(out, &picture))
}

fn draw(character: &Character) -> Result<Picture> {
    let gpu = Gpu::new()?;
    let mut renderer = Renderer::new(&gpu)?;
    let front = find_front(character, None, 0.0);
    let from = direction(front.azimuth_rad + 0.55, 0.18);
    let halves = rest_and_bent(&gpu, &mut renderer, character, from, SIDE)?;
    Ok(row(&halves, SIDE))
}

fn draw_steps(bare: &Character, found: &Found, character: &Character) -> Result<Picture> {
    let gpu = Gpu::new()?;
    let mut renderer = Renderer::new(&gpu)?;
    let steps = steps(&gpu, &mut renderer, bare, found, character, STEP)?;
    Ok(row(&steps, STEP))
}

fn row(pictures: &[Picture], side: u32) -> Picture {
    let mut row = Picture::new(side * pictures.len() as u32, side, [0; 4]);
    for (x, picture) in (0..).step_by(side as usize).zip(pictures) {
        row.paste(picture, x, 0);
    }
    row
}

/// Draws weights as colours in two pictures: at rest, and with every joint bent.
pub fn rest_and_bent(
    gpu: &Gpu,
    renderer: &mut Renderer,
    character: &Character,
    from: Vec3,
    side: u32,
) -> Result<[Picture; 2]> {
    let mut character = character.clone();
    character.clips = vec![trial_clip(&character)];
    character.layers.clear();
    let mut take = |time_secs: f64| {
        let options = ShotOptions::default()
            .size([side; 2])
            .clip(Some(0))
            .framed(Framed::Moment(time_secs))
            .weight_colors(Some(WeightColors::Every))
            .from(from)
            .layers(4);
        let mut shot = Shot::new(gpu, &character, options)?;
        shot.take(gpu, renderer, &character, time_secs)
    };
    Ok([take(0.0)?, take(1.0)?])
}

/// Draws a mesh in four pictures: bare, with the joints that were found, with its weights as colours, and in the middle
/// of a step of its last clip (every joint bent if it has no clip). A body that lies in its file is drawn upright.
pub fn steps(
    gpu: &Gpu,
    renderer: &mut Renderer,
    bare: &Character,
    found: &Found,
    character: &Character,
    side: u32,
) -> Result<[Picture; 4]> {
    let rotation = upright(found);
    let bare = turned(bare, None, rotation)?;
    let mut moving = character.clone();
    moving.layers.clear();
    let (clip, secs, motion) = match moving.clips.last() {
        Some(_) => (moving.clips.len() - 1, 0.0, "walking"),
        None => {
            moving.clips.push(trial_clip(character));
            (0, 1.0, "bent")
        }
    };
    let moving = turned(&moving, Some((clip, secs)), rotation)?;
    let still = rotated_at_root(character, rotation)?;
    let from = direction(0.45, 0.12);
    let options = ShotOptions::default().size([side; 2]).from(from).layers(4);
    let joints = options.clone().skeleton(true).wireframe(true);
    let weights = options.clone().weight_colors(Some(WeightColors::Every));
    let mut take = |character: &Character, options: ShotOptions, caption: &str| {
        let mut shot = Shot::new(gpu, character, options)?;
        let mut picture = shot.take(gpu, renderer, character, 0.0)?;
        label(&mut picture, caption, shot.ink());
        Ok::<_, anyhow::Error>(picture)
    };
    Ok([
        take(&bare, options.clone(), "bare")?,
        take(&still, joints, "joints")?,
        take(&still, weights, "weights")?,
        take(&moving, options, motion)?,
    ])
}

/// Rotation of a body that makes it stand on its feet and face +z.
fn upright(found: &Found) -> Quat {
    let stands = Quat::from_rotation_arc(found.up, Vec3::Y);
    let front = quat::rotate(stands, found.front)
        .with_y(0.0)
        .normalize_or(Vec3::Z);
    let turn = Quat::from_rotation_y(-front.x.atan2(front.z));
    quat::mul(turn, stands)
}

/// The mesh at a moment, without its skeleton, rotated.
fn turned(character: &Character, at: Option<(usize, f64)>, rotation: Quat) -> Result<Character> {
    let (clip, secs) = at.map_or((None, 0.0), |(clip, secs)| (Some(clip), secs));
    let mut moved = deform(character, clip, secs, character.method())?;
    for part in &mut moved.primitives {
        let rotate = |v: &mut Vec3| *v = quat::rotate(rotation, *v);
        part.positions.iter_mut().for_each(rotate);
        part.normals.iter_mut().flatten().for_each(rotate);
        for tangent in part.tangents.iter_mut().flatten() {
            *tangent = quat::rotate(rotation, tangent.truncate()).extend(tangent.w);
        }
    }
    Ok(moved.to_character(character))
}

/// A bound character at rest, rotated by its first joint.
fn rotated_at_root(character: &Character, rotation: Quat) -> Result<Character> {
    let mut rotated = character.clone();
    (rotated.clips, rotated.layers) = (Vec::new(), Vec::new());
    let mut joints = rotated.skeleton.joints();
    for joint in joints.iter_mut().filter(|joint| joint.parent.is_none()) {
        joint.rest.translation = quat::rotate(rotation, joint.rest.translation);
        joint.rest.rotation = quat::mul(rotation, joint.rest.rotation);
    }
    rotated.skeleton = Skeleton::new(joints)?.0;
    // Meshes without a skin stand on their own.
    let turn = Transform::from_rotation_translation(rotation, Vec3::ZERO).to_affine();
    let is_free = |node: &Node| node.parent.is_none() && node.joint.is_none();
    for node in rotated.nodes.iter_mut().filter(|node| is_free(node)) {
        node.parent_from_node = turn * node.parent_from_node;
    }
    Ok(rotated)
}
