//! The line from clip to palette, joint by joint, each case beside what a Rust user writes by hand.

use super::{Bench, Row};
use anyhow::Result;
use glam::Affine3A;
use sinew::examples::MotionLoad;
use sinew::skin::{Palette, Skin};
use sinew::{Affine, Crowd, LocalPose, ModelPose, Skeleton, Transform};
use std::hint::black_box;

/// Characters in a crowd.
const CHARACTERS: usize = 1000;

pub fn run(bench: &mut Bench<'_>) -> Result<()> {
    let load = MotionLoad::new();
    local_to_model(bench, &load);
    crowd(bench, &load)?;
    palette(bench, &load);
    Ok(())
}

impl Bench<'_> {
    fn add_motion(&mut self, name: &str, items: usize, secs: f64, plain_secs: f64) {
        let level = self.level.name();
        self.add(Row {
            name: name.to_owned(),
            influences: None,
            items,
            ns_per_item: secs * 1e9 / items as f64,
            times_copy: None,
            times_glam: None,
            times_plain: Some(secs / plain_secs),
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
                model.update_at(level, &load.skeleton, black_box(&pose), &Affine::IDENTITY);
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
    let poses: Vec<LocalPose> = (0..16).map(|i| load.pose(0.1 * i as f32)).collect();
    let mut maps = vec![Affine::IDENTITY; 16 * load.skeleton.len()];
    let mut whole = Crowd::at(bench.level, &load.skeleton);
    let mut lanes = whole.clone();
    whole.pose(&mut maps, |i, pose| pose.copy_from(&poses[i]))?;
    for (lane, pose) in poses.iter().enumerate() {
        lanes.set(lane, pose);
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
    let skin = Skin::at_rest(&load.skeleton);
    let mut model = ModelPose::identity(0);
    model.update(&load.skeleton, &load.pose(0.4), &Affine::IDENTITY);
    let mut palette = Palette::default();
    let to_glam = |maps: &[Affine]| -> Vec<Affine3A> { maps.iter().map(|&m| m.into()).collect() };
    let (models, inverse) = (to_glam(model.as_slice()), to_glam(&skin.joint_from_model));
    let mut plain = models.clone();
    let [fast, slow] = bench.fastest([
        &mut || {
            for _ in 0..10 {
                palette.update(&skin, black_box(&model));
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

/// Forward kinematics as a Rust user writes it by hand.
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
