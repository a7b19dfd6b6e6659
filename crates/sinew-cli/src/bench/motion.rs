//! The line from clip to palette, joint by joint, each case beside what a Rust user writes by hand.

use super::{Bench, Row};
use anyhow::Result;
use glam::{Affine3A, Quat, Vec3};
use sinew::blend::{BlendJob, Layer};
use sinew::skin::{Palette, Skin};
use sinew::{Affine, Crowd, LocalPose, ModelPose, Skeleton, Transform};
use sinew_pack::{PackOptions, pack};
use sinew_samples::MotionLoad;
use std::hint::black_box;

/// Ten seconds at sixty a second.
const FRAMES: usize = 600;

/// Characters in a crowd.
const CHARACTERS: usize = 1000;

pub fn run(bench: &mut Bench<'_>) -> Result<()> {
    let load = MotionLoad::new(FRAMES);
    local_to_model(bench, &load);
    crowd(bench, &load)?;
    palette(bench, &load);
    blend(bench, &load)?;
    decode(bench, &load)?;
    characters(bench, &load)
}

impl Bench<'_> {
    pub(super) fn add_motion(&mut self, name: &str, items: usize, secs: f64, plain_secs: f64) {
        let level = self.level.name();
        self.add(Row {
            name: name.to_owned(),
            influences: None,
            items,
            ns_per_item: secs * 1e9 / items as f64,
            times_copy: None,
            times_glam: None,
            times_plain: Some(secs / plain_secs),
            times_blocks: None,
            copies_beyond_blocks: None,
            level,
        });
    }
}

/// One character; plain: a loop of `Affine3A`.
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

/// Sixteen characters side by side: forward kinematics alone, and from poses to maps; plain: a loop of
/// `Affine3A` for each.
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
        // It ran once already, so it runs.
        &mut || _ = whole.pose(black_box(&mut maps), |i, pose| pose.copy_from(&poses[i])),
        &mut || plain.iter_mut().for_each(GlamPose::run),
    ]);
    let joints = 16 * load.skeleton.len();
    bench.add_motion("pose/crowd", joints, forward, slow);
    bench.add_motion("pose/crowd-whole", joints, whole, slow);
    Ok(())
}

/// Model pose times inverse binds; plain: the same in `Affine3A`.
fn palette(bench: &mut Bench<'_>, load: &MotionLoad) {
    let name = "pose/palette";
    if !bench.wants(name) {
        return;
    }
    let skin = Skin::bound_at(&load.skeleton.rest_model());
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
                    .update(&skin, black_box(&model))
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

/// Two poses by weight; plain: glam's `lerp` of every `Transform`.
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
        // It ran once already, so it runs.
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

/// Times that jump about the clip, the same every run.
fn random_times(count: usize, duration: f64) -> Vec<f64> {
    let part = |n: usize| (n as f64 * 0.618_033_988_749_895).fract();
    (0..count).map(|n| part(n) * duration).collect()
}

/// A packed clip to a pose, forward in time and from anywhere; plain: two frames of uncompressed `f32`,
/// one array per component, interpolated and normalised.
fn decode(bench: &mut Bench<'_>, load: &MotionLoad) -> Result<()> {
    let names = ["clip/decode/forward", "clip/decode/random"];
    if !names.iter().any(|name| bench.wants(name)) {
        return Ok(());
    }
    let packed = pack(&load.skeleton, &load.clip, &PackOptions::default())?;
    let packed = packed.clip.at_level(bench.level);
    let frames = PlainFrames::new(load);
    let duration = f64::from(load.clip.duration_secs);
    let forward: Vec<f64> = (0..200).map(|n| n as f64 / 60.0).collect();
    let random = random_times(200, duration);
    let mut pose = load.skeleton.rest().clone();
    for (name, times) in names.into_iter().zip([forward, random]) {
        if !bench.wants(name) {
            continue;
        }
        let mut plain = frames.pose();
        let [fast, slow] = bench.fastest([
            &mut || {
                for &time in &times {
                    packed.sample(time, black_box(&mut pose));
                }
            },
            &mut || {
                for &time in &times {
                    frames.sample(time, black_box(&mut plain));
                }
            },
        ]);
        let joints = times.len() * load.skeleton.len();
        bench.add_motion(name, joints, fast, slow);
    }
    Ok(())
}

/// A thousand characters, each two clips at times of its own, blended and posed; plain: the same with
/// uncompressed frames, `lerp` and `Affine3A`. Items are characters.
fn characters(bench: &mut Bench<'_>, load: &MotionLoad) -> Result<()> {
    let name = "crowd/character";
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
            // The layers have the skeleton's joints.
            let _ = job.run(pose);
        })
    };
    run()?;
    // It ran once already, so it runs.
    let mut run = || _ = run();
    let frames = PlainFrames::new(load);
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

/// A clip as uncompressed frames, one array per component: what packing is compared with.
struct PlainFrames {
    joints: usize,
    rate: f64,
    /// Ten rows of a frame after each other: translations, rotations, scales.
    frames: Vec<Vec<f32>>,
}

impl PlainFrames {
    fn new(load: &MotionLoad) -> Self {
        let rate = 60.0;
        let count = (f64::from(load.clip.duration_secs) * rate).round() as usize + 1;
        let frame = |nth: usize| {
            let pose = load.pose(nth as f64 / rate);
            let row = |pick: &dyn Fn(&Transform) -> f32| -> Vec<f32> {
                pose.iter().map(|t| pick(&t)).collect()
            };
            let mut rows: Vec<Vec<f32>> = Vec::new();
            rows.extend((0..3).map(|i| row(&|t| t.translation[i])));
            rows.extend((0..4).map(|i| row(&|t| t.rotation.to_array()[i])));
            rows.extend((0..3).map(|i| row(&|t| t.scale[i])));
            rows.concat()
        };
        Self {
            joints: load.skeleton.len(),
            rate,
            frames: (0..count).map(frame).collect(),
        }
    }

    fn pose(&self) -> Vec<f32> {
        vec![0.0; 10 * self.joints]
    }

    fn sample(&self, time_secs: f64, out: &mut [f32]) {
        let at = (time_secs * self.rate).clamp(0.0, (self.frames.len() - 1) as f64);
        let first = (at as usize).min(self.frames.len() - 2);
        let part = (at - first as f64) as f32;
        self.lerp(&self.frames[first], &self.frames[first + 1], part, out);
    }

    fn lerp(&self, a: &[f32], b: &[f32], part: f32, out: &mut [f32]) {
        for ((a, b), out) in a.iter().zip(b).zip(out.iter_mut()) {
            *out = a + (b - a) * part;
        }
        let (x, rest) = out[3 * self.joints..7 * self.joints].split_at_mut(self.joints);
        let (y, rest) = rest.split_at_mut(self.joints);
        let (z, w) = rest.split_at_mut(self.joints);
        for (((x, y), z), w) in x.iter_mut().zip(y).zip(z).zip(w) {
            let scale = 1.0 / (*x * *x + *y * *y + *z * *z + *w * *w).sqrt();
            (*x, *y, *z, *w) = (*x * scale, *y * scale, *z * scale, *w * scale);
        }
    }

    fn to_transforms(rows: &[f32], out: &mut [Transform]) {
        let joints = out.len();
        for (joint, out) in out.iter_mut().enumerate() {
            let at = |row: usize| rows[row * joints + joint];
            *out = Transform {
                translation: Vec3::new(at(0), at(1), at(2)),
                rotation: Quat::from_xyzw(at(3), at(4), at(5), at(6)),
                scale: Vec3::new(at(7), at(8), at(9)),
            };
        }
    }
}

/// Forward kinematics as a Rust user writes it by hand.
#[derive(Clone)]
struct GlamPose {
    parents: Vec<Option<usize>>,
    locals: Vec<Transform>,
    maps: Vec<Affine3A>,
}

impl GlamPose {
    fn new(skeleton: &Skeleton, pose: &LocalPose) -> Self {
        Self {
            parents: skeleton.hierarchy().parents().collect(),
            locals: pose.iter().collect(),
            maps: vec![Affine3A::IDENTITY; skeleton.len()],
        }
    }

    fn run(&mut self) {
        let locals = black_box(&self.locals);
        for (joint, (local, parent)) in locals.iter().zip(&self.parents).enumerate() {
            let local = Affine3A::from_scale_rotation_translation(
                local.scale,
                local.rotation,
                local.translation,
            );
            self.maps[joint] = match parent {
                Some(parent) => self.maps[*parent] * local,
                None => local,
            };
        }
        black_box(&mut self.maps);
    }
}
