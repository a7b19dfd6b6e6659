//! Twelve steps from a file to poses. Programs of other languages run the same steps.

use crate::hash::Hash;
use anyhow::{Context, Result};
use sinew::blend::{BlendJob, Layer};
use sinew::clip::packed::PackedFile;
use sinew::glam::Vec3;
use sinew::graph::{Graph, GraphPlayer, StateMachine};
use sinew::ik::{Aim, Share, Tip, TwoBone};
use sinew::root_motion::RootAxes;
use sinew::{Actor, Character, LocalPose, Method, Rig};
use sinew_pack::{PackOptions, file_bytes, pack};
use sinew_rig::retarget::{RetargetOptions, pair_joints, retarget};
use std::path::Path;

const DT_SECS: f64 = 1.0 / 60.0;

/// Names of the steps and hashes of what they compute.
pub type Table = Vec<(&'static str, u64)>;

/// Runs all steps on the files of a folder.
pub fn run(folder: &Path) -> Result<Table> {
    let load = |name: &str| -> Result<Character> {
        let path = folder.join(name);
        let import = sinew_io::import(&path).with_context(|| path.display().to_string())?;
        Ok(import.character)
    };
    let (hero, other) = (load("hero.glb")?, load("other.glb")?);
    let rig = Rig::new(&hero, Method::DualQuat)?;
    let machine = std::fs::read_to_string(folder.join("machine.json"))?;
    let graph = StateMachine::from_json(&machine)?.build(&rig)?;
    let graph = graph.with_root_joint("hips", RootAxes::GROUND)?;
    let packed = packed(&hero)?;

    let mut table = vec![
        ("load", pose_at_rest(&rig)?),
        ("sample", sampled(&rig, "walk")?),
        ("play", played(&rig)?),
        ("blend", blended(&rig)?),
    ];
    table.extend(machine_steps(&rig, &graph)?);
    table.extend([
        ("root", moved(&graph)?),
        ("two_bone", posed(&mut reaching(&rig)?)?),
        ("aim", aimed(&rig)?),
    ]);
    let mut bytes = Hash::new();
    bytes.add_bytes(&packed);
    table.extend([
        ("pack", bytes.0),
        ("packed", played_packed(&hero, &packed)?),
        ("retarget", retargeted(&hero, other)?),
    ]);
    Ok(table)
}

/// Actor of step 8. The vertices of this pose are compared, too.
pub fn reaching(rig: &Rig) -> Result<Actor> {
    let mut actor = at(rig, "walk", 0.25)?;
    let [upper, lower, hand] = ["left_upper_arm", "left_lower_arm", "left_hand"];
    let (upper, lower) = (joint(rig, upper)?, joint(rig, lower)?);
    let goal = Vec3::new(0.35, 1.3, 0.3);
    let job = TwoBone::new(upper, lower, Tip::of(joint(rig, hand)?), goal);
    actor.solve(&job.weight(0.8))?;
    Ok(actor)
}

fn joint(rig: &Rig, name: &str) -> Result<usize> {
    let found = rig.skeleton().find(name);
    found.with_context(|| format!("there is no joint {name}"))
}

/// Actor with a clip at a time.
fn at(rig: &Rig, clip: &str, time_secs: f64) -> Result<Actor> {
    let (mut actor, mut player) = (rig.actor(), rig.player(clip)?);
    player.seek(time_secs);
    actor.sample(&player)?;
    Ok(actor)
}

fn posed(actor: &mut Actor) -> Result<u64> {
    let mut hash = Hash::new();
    hash.add_pose(actor.model_pose()?.as_slice());
    Ok(hash.0)
}

fn pose_at_rest(rig: &Rig) -> Result<u64> {
    posed(&mut rig.actor())
}

fn sampled(rig: &Rig, clip: &str) -> Result<u64> {
    let (mut actor, mut player) = (rig.actor(), rig.player(clip)?);
    let mut hash = Hash::new();
    for tenth in 0..10 {
        player.seek(f64::from(tenth) * 0.1);
        actor.sample(&player)?;
        hash.add_pose(actor.model_pose()?.as_slice());
    }
    Ok(hash.0)
}

fn played(rig: &Rig) -> Result<u64> {
    let (mut actor, mut player) = (rig.actor(), rig.player("run")?);
    player.set_speed(1.25);
    let (mut hash, mut events) = (Hash::new(), 0.0);
    for _ in 0..60 {
        player.advance(DT_SECS, |_| events += 1.0);
        actor.sample(&player)?;
        hash.add_pose(actor.model_pose()?.as_slice());
    }
    hash.add(events);
    Ok(hash.0)
}

fn blended(rig: &Rig) -> Result<u64> {
    let local = |clip: &str, time_secs: f64| -> Result<LocalPose> {
        Ok(at(rig, clip, time_secs)?.pose().clone())
    };
    let (walk, idle) = (local("walk", 0.3)?, local("idle", 0.1)?);
    let (mut actor, mut hash) = (rig.actor(), Hash::new());
    for tenth in 0..=10 {
        let weight = tenth as f32 / 10.0;
        let mut layers = [Layer::new(&walk, weight), Layer::new(&idle, 1.0 - weight)];
        BlendJob::new(rig.skeleton().rest(), &mut layers).run(actor.pose_mut())?;
        hash.add_pose(actor.model_pose()?.as_slice());
    }
    Ok(hash.0)
}

/// Walks, and then interrupts a transition to standing.
fn machine_steps(rig: &Rig, graph: &Graph) -> Result<[(&'static str, u64); 2]> {
    let (mut actor, mut player) = (rig.actor(), graph.player());
    let mut update = |player: &mut GraphPlayer, speed: f32, updates: usize, hash: &mut Hash| {
        let mut events = 0.0;
        player.set("speed", speed)?;
        for _ in 0..updates {
            player.update(DT_SECS, |_| events += 1.0)?;
            player.pose(&mut actor)?;
            hash.add_pose(actor.model_pose()?.as_slice());
        }
        anyhow::Ok(events)
    };
    let (mut walking, mut interrupted) = (Hash::new(), Hash::new());
    update(&mut player, 2.0, 60, &mut walking)?;
    let events = update(&mut player, 0.0, 6, &mut interrupted)?
        + update(&mut player, 3.0, 30, &mut interrupted)?;
    interrupted.add(events);
    Ok([("machine", walking.0), ("interrupted", interrupted.0)])
}

fn moved(graph: &Graph) -> Result<u64> {
    let (mut player, mut hash) = (graph.player(), Hash::new());
    player.set("speed", 3.0)?;
    for _ in 0..90 {
        player.update(DT_SECS, |_| {})?;
        let step = player.root_step();
        for number in [
            step.translation[0],
            step.translation[1],
            step.translation[2],
            step.heading_rad,
        ] {
            hash.add(number as f32);
        }
    }
    Ok(hash.0)
}

fn aimed(rig: &Rig) -> Result<u64> {
    let mut actor = at(rig, "idle", 0.5)?;
    let (neck, head) = (joint(rig, "neck")?, joint(rig, "head")?);
    let shares = [(neck, 0.4), (head, 0.6)].map(|(joint, part)| Share { joint, part });
    let target = Vec3::new(1.0, 1.8, 2.0);
    actor.solve(&Aim::new(&shares, Tip::of(head), Vec3::Z, target))?;
    posed(&mut actor)
}

fn packed(hero: &Character) -> Result<Vec<u8>> {
    let walk = hero.find_clip("walk").context("there is no clip walk")?;
    let options = PackOptions::max_error_m(1e-4);
    let packed = pack(&hero.skeleton, &hero.clips[walk], &options)?;
    Ok(file_bytes(&hero.skeleton, &[&packed.clip])?)
}

fn played_packed(hero: &Character, bytes: &[u8]) -> Result<u64> {
    let rig = Rig::with_packed(hero, Method::DualQuat, PackedFile::from_bytes(bytes)?)?;
    sampled(&rig, "walk")
}

fn retargeted(hero: &Character, mut other: Character) -> Result<u64> {
    let walk = hero.find_clip("walk").context("there is no clip walk")?;
    let (from, onto) = (&hero.skeleton, &other.skeleton);
    let pairs = pair_joints(from, onto)?;
    let done = retarget(
        from,
        &hero.clips[walk],
        onto,
        &pairs,
        &RetargetOptions::default(),
    )?;
    other.clips.push(done.clip);
    sampled(&Rig::new(&other, Method::DualQuat)?, "walk")
}
