//! From clip to palette, per joint, compared with handwritten Rust.

use super::plain_pose::{GlamPose, PlainFrames};
use super::table::{Bench, Row};
use super::times::{FRAMES, random_times};
use anyhow::Result;
use glam::Affine3A;
use sinew::blend::{BlendJob, Layer};
use sinew::skin::{Palette, Skin};
use sinew::{Affine, Crowd, LocalPose, ModelPose, Transform};
use sinew_pack::{PackOptions, pack};
use sinew_samples::MotionLoad;
use std::hint::black_box;

const CHARACTERS: usize = 1000;

pub fn run(bench: &mut Bench<'_>) -> Result<()> {
    let load = MotionLoad::new(FRAMES);
    local_to_model(bench, &load);
    crowd(bench, &load)?;
    palette(bench, &load);
    blend(bench, &load)?;
    characters(bench, "crowd/character", &load)?;
    let captured = MotionLoad::captured(FRAMES, false);
    characters(bench, "crowd/character/captured", &captured)
}

impl Bench<'_> {
    pub(super) fn add_motion(&mut self, name: &str, items: usize, secs: f64, plain_secs: f64) {
        let level = self.level.name();
        self.add(Row {
            name: name.to_owned(),
            items,
            ns_per_item: secs * 1e9 / items as f64,
            times_plain: Some(secs / plain_secs),
            level,
            ..Row::default()
        });
    }
}

/// Measures one character. The plain code is a loop of `Affine3A`.
fn local_to_model(bench: &mut Bench<'_>, load: &MotionLoad) {
    let name = "pose/local-to-model";
    if !bench.wants(name) {
        return;
    }
    let (level, pose) = (bench.level, load.pose(0.4));
    let mut model = ModelPose::identity(load.skeleton.len());
    let mut plain = GlamPose::new(&load.skeleton, &pose);
    let [fast, slow] = bench.fastest([
        &mut || {
            for _ in 0..10 {
                model
                    .update_at(
                        level,
                        load.skeleton.hierarchy(),
                        black_box(&pose),
                        &Affine::IDENTITY,
                    )
                    .expect("of this skeleton");
                black_box(&mut model);
            }
        },
        &mut || (0..10).for_each(|_| plain.run()),
    ]);
    bench.add_motion(name, load.skeleton.len(), fast / 10.0, slow / 10.0);
}

/// Measures sixteen characters: forward kinematics, and from poses to matrices. The plain code loops over `Affine3A`.
fn crowd(bench: &mut Bench<'_>, load: &MotionLoad) -> Result<()> {
    if !bench.wants("pose/crowd") && !bench.wants("pose/crowd-whole") {
        return Ok(());
    }
    let poses: Vec<LocalPose> = (0..16).map(|i| load.pose(0.1 * f64::from(i))).collect();
    let mut maps = vec![Affine::IDENTITY; 16 * load.skeleton.len()];
    let mut whole = Crowd::at(bench.level, &load.skeleton);
    let mut lanes = whole.clone();
    whole.pose(&mut maps, |i, pose| pose.copy_from(&poses[i]))?;
    for (lane, pose) in poses.iter().enumerate() {
        lanes.set(lane, pose).expect("of this skeleton");
    }
    let mut plain: Vec<GlamPose> = poses
        .iter()
        .map(|pose| GlamPose::new(&load.skeleton, pose))
        .collect();
    let [forward, whole, slow] = bench.fastest([
        &mut || black_box(&mut lanes).update(),
        &mut || _ = whole.pose(black_box(&mut maps), |i, pose| pose.copy_from(&poses[i])),
        &mut || plain.iter_mut().for_each(GlamPose::run),
    ]);
    let joints = 16 * load.skeleton.len();
    bench.add_motion("pose/crowd", joints, forward, slow);
    bench.add_motion("pose/crowd-whole", joints, whole, slow);
    Ok(())
}

/// Measures the model pose times inverse binds. The plain code does the same in `Affine3A`.
fn palette(bench: &mut Bench<'_>, load: &MotionLoad) {
    let name = "pose/palette";
    if !bench.wants(name) {
        return;
    }
    let skin = Skin::bound_at(load.skeleton.rest_model().as_slice());
    let mut model = ModelPose::identity(0);
    model
        .update(
            load.skeleton.hierarchy(),
            &load.pose(0.4),
            &Affine::IDENTITY,
        )
        .expect("of this skeleton");
    let mut palette = Palette::default();
    let to_glam = |maps: &[Affine]| -> Vec<Affine3A> { maps.iter().map(|&m| m.into()).collect() };
    let (models, inverse) = (to_glam(model.as_slice()), to_glam(&skin.joint_from_model));
    let mut plain = models.clone();
    let [fast, slow] = bench.fastest([
        &mut || {
            for _ in 0..10 {
                palette
                    .update(&skin, black_box(model.as_slice()))
                    .expect("of this skeleton");
                black_box(&mut palette);
            }
        },
        &mut || {
            for _ in 0..10 {
                let joints = black_box(&models).iter().zip(&inverse);
                for ((model, inverse), out) in joints.zip(&mut plain) {
                    *out = *model * *inverse;
                }
                black_box(&mut plain);
            }
        },
    ]);
    bench.add_motion(name, load.skeleton.len(), fast / 10.0, slow / 10.0);
}

/// Measures the blend of two poses. The plain code calls `lerp` of glam for every `Transform`.
fn blend(bench: &mut Bench<'_>, load: &MotionLoad) -> Result<()> {
    let name = "pose/blend";
    if !bench.wants(name) {
        return Ok(());
    }
    let (a, b, level) = (load.pose(0.4), load.pose(3.1), bench.level);
    let rest = load.skeleton.rest();
    let mut out = rest.clone();
    let mut run = || {
        let mut layers = [Layer::new(&a, 0.7), Layer::new(&b, 0.3)];
        let job = BlendJob {
            level,
            ..BlendJob::new(rest, black_box(&mut layers))
        };
        job.run(black_box(&mut out))
    };
    run()?;
    let (first, second): (Vec<Transform>, Vec<Transform>) =
        (a.iter().collect(), b.iter().collect());
    let mut plain = first.clone();
    let [fast, slow] = bench.fastest([
        // This call already succeeded above.
        &mut || (0..10).for_each(|_| _ = run()),
        &mut || (0..10).for_each(|_| lerp(black_box(&first), &second, 0.3, &mut plain)),
    ]);
    bench.add_motion(name, load.skeleton.len(), fast / 10.0, slow / 10.0);
    Ok(())
}

fn lerp(a: &[Transform], b: &[Transform], weight: f32, out: &mut [Transform]) {
    for ((a, b), out) in a.iter().zip(b).zip(out.iter_mut()) {
        *out = Transform {
            translation: a.translation.lerp(b.translation, weight),
            rotation: a.rotation.lerp(b.rotation, weight),
            scale: a.scale.lerp(b.scale, weight),
        };
    }
    black_box(out);
}

/// Measures a thousand characters, each of which blends two clips at its own times. The plain code uses uncompressed
/// frames, `lerp` and `Affine3A`. Items are characters.
fn characters(bench: &mut Bench<'_>, name: &str, load: &MotionLoad) -> Result<()> {
    if !bench.wants(name) {
        return Ok(());
    }
    let (skeleton, level) = (&load.skeleton, bench.level);
    let packed = pack(skeleton, &load.clip, &PackOptions::default())?;
    let packed = packed.clip.at_level(level);
    let duration = f64::from(load.clip.duration_secs);
    let times = random_times(2 * CHARACTERS, duration);
    let rest = skeleton.rest();
    let [mut a, mut b] = [rest.clone(), rest.clone()];
    let mut crowd = Crowd::at(level, skeleton);
    let mut maps = vec![Affine::IDENTITY; CHARACTERS * skeleton.len()];
    let mut run = || {
        crowd.pose(black_box(&mut maps), |character, pose| {
            packed.sample(times[2 * character], &mut a);
            packed.sample(times[2 * character + 1], &mut b);
            let mut layers = [Layer::new(&a, 0.7), Layer::new(&b, 0.3)];
            let job = BlendJob {
                level,
                ..BlendJob::new(rest, &mut layers)
            };
            let _ = job.run(pose);
        })
    };
    run()?;
    let mut run = || _ = run();
    let frames = PlainFrames::new(load, packed.frames_per_sec());
    let [mut one, mut two, mut both] = [frames.pose(), frames.pose(), frames.pose()];
    let mut plain = vec![GlamPose::new(skeleton, rest); CHARACTERS];
    let mut run_plain = || {
        for (pose, times) in plain.iter_mut().zip(times.chunks(2)) {
            frames.sample(times[0], &mut one);
            frames.sample(times[1], &mut two);
            frames.lerp(&one, &two, 0.3, &mut both);
            PlainFrames::to_transforms(&both, &mut pose.locals);
            pose.run();
        }
    };
    let [fast, slow] = bench.fastest([&mut run, &mut run_plain]);
    bench.add_motion(name, CHARACTERS, fast, slow);
    Ok(())
}
