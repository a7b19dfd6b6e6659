//! The mannequin walks to a table, reaches for a book, grasps it on an event of its clip and carries it off.
//!
//! `cargo run --release -p sinew-cli --example book -- [FOLDER] [--no-pictures]`
//!
//! Writes `book.glb`. With a GPU, hardware or software, it also writes `book.png`, six moments in a row, and
//! `book-moving.png`, an APNG.

mod story;

use glam::Vec3;
use sinew::{Affine, Player, Wrap, sample, sample_joint};
use sinew_gpu::{ApngWriter, Camera, Gpu, Picture, Renderer, Shot, ShotOptions, write_png};
use sinew_io::gltf::{self, ExportOptions};
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use story::Story;
use story::things::{self, Stage};

/// Direction to the camera: from the right, on the side of the table.
const FROM: Vec3 = Vec3::new(-0.86, 0.17, 0.50);
const FPS: f64 = 15.0;
const MOVING: [u32; 2] = [640, 360];
const STILL: [u32; 2] = [480, 420];
/// Seconds relative to the grasp.
const MOMENTS: [f64; 6] = [-2.9, -0.6, 0.0, 0.5, 1.15, 2.6];

fn main() -> Result<(), Box<dyn Error>> {
    let mut folder = PathBuf::from("out");
    let mut pictures = true;
    for word in std::env::args().skip(1) {
        match &*word {
            "--no-pictures" => pictures = false,
            _ if word.starts_with('-') => return Err(format!("no such option: {word}").into()),
            _ => folder = word.into(),
        }
    }
    std::fs::create_dir_all(&folder)?;
    let story = Story::new()?;
    play(&story)?;
    let glb = folder.join("book.glb");
    std::fs::write(
        &glb,
        gltf::to_glb(&story.character, &ExportOptions::default())?,
    )?;
    println!("wrote {}", glb.display());
    if !pictures {
        return Ok(());
    }
    match Gpu::new() {
        Ok(gpu) => draw(&gpu, &folder, &story),
        Err(why) => {
            println!("no pictures were made: {why}");
            Ok(())
        }
    }
}

/// Plays the clip in a scene. At its event the book moves from the table to the hand.
fn play(story: &Story) -> Result<(), Box<dyn Error>> {
    let (skeleton, clip) = (&story.character.skeleton, &story.character.clips[0]);
    let hand = skeleton.find("right_hand").ok_or("a person has hands")?;
    let mut stage = Stage::new()?;
    let mut player = Player::new(Wrap::Clamp);
    let mut pose = skeleton.rest().clone();
    let mut model = skeleton.rest_model();
    let mut hand_at = |secs: f64| {
        sample(clip, skeleton, secs, &mut pose).unwrap();
        model
            .update(skeleton.hierarchy(), &pose, &Affine::IDENTITY)
            .expect("of this skeleton");
        *model.get(hand)
    };
    while player.time_secs() < f64::from(clip.duration_secs) {
        let mut grasped = None;
        player.advance(clip, 1.0 / FPS, |event| {
            println!("{:6.3} s  {}", event.time_secs, event.name);
            grasped = grasped.or((event.name == story::GRASP_EVENT).then_some(event.time_secs));
        });
        if let Some(secs) = grasped {
            let world_from_hand = hand_at(f64::from(secs));
            let grip = world_from_hand.transform_point(story::GRIP);
            let off = grip.distance(things::edge());
            println!("          the hand is {:.2} mm from the grip", 1e3 * off);
            stage.move_hand(world_from_hand)?;
            stage.grasp()?;
        }
        stage.move_hand(hand_at(player.clip_time_secs(clip)))?;
    }
    let went = stage.scene.world_from_node(stage.book)?.translation()
        - things::world_from_book().translation;
    let [left, right] = story.contacts.each_ref().map(Vec::len);
    println!("contacts of the feet: {left} left, {right} right; the book moved by {went} m");
    Ok(())
}

fn draw(gpu: &Gpu, folder: &Path, story: &Story) -> Result<(), Box<dyn Error>> {
    let character = &story.character;
    let duration = f64::from(character.clips[0].duration_secs);
    let options = |size| ShotOptions::default().size(size).clip(Some(0)).from(FROM);
    let mut renderer = Renderer::new(gpu)?;
    let mut shot = Shot::new(gpu, character, options(STILL))?;
    let [width, height] = STILL;
    let mut strip = Picture::new(width * 3, height * 2, [255; 4]);
    let mut events = character.clips[0].events.iter();
    let grasp = events.find(|e| e.name == story::GRASP_EVENT);
    let grasp_secs = grasp.map_or(0.5 * duration, |e| f64::from(e.time_secs));
    let hips = character.skeleton.find("hips").ok_or("a person has hips")?;
    for (moment, secs) in (0..).zip(MOMENTS) {
        let secs = grasp_secs + secs;
        let at = sample_joint(&character.clips[0], &character.skeleton, hips, secs).translation;
        let target = Vec3::new(-0.2, 0.9, at.z);
        shot.set_camera(Camera {
            eye: target + FROM.normalize() * 4.4,
            target,
            ..Camera::default()
        });
        let picture = shot.take(gpu, &mut renderer, character, secs)?;
        strip.paste(&picture, moment % 3 * width, moment / 3 * height);
    }
    let path = folder.join("book.png");
    write_png(&mut BufWriter::new(File::create(&path)?), &strip)?;
    println!("wrote {}", path.display());

    let path = folder.join("book-moving.png");
    let frames = (duration * FPS) as u32;
    let file = BufWriter::new(File::create(&path)?);
    let mut writer = ApngWriter::new(file, MOVING, frames, FPS, true)?;
    let mut shot = Shot::new(gpu, character, options(MOVING))?;
    for frame in 0..frames {
        let secs = f64::from(frame) / FPS;
        writer.add(shot.take(gpu, &mut renderer, character, secs)?)?;
    }
    writer.finish()?;
    println!("wrote {}", path.display());
    Ok(())
}
