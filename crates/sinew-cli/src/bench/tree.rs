//! Forward kinematics and palettes of a character, compared with the skinning of its vertices.

use super::table::{Bench, Row};
use anyhow::{Context, Result};
use sinew::skin::{DualQuatPalette, Palette, PaletteRef, SkinJob, SkinPlan, Streams, WeightFormat};
use sinew::{Affine, LocalPose, ModelPose, sample};
use sinew_samples::mannequin::Mannequin;
use std::hint::black_box;

const NAMES: [&str; 5] = [
    "tree/local-to-model",
    "tree/palette",
    "tree/palette-dqs",
    "tree/vertices-lbs",
    "tree/vertices-dqs",
];

/// Measures the mannequin while it walks.
pub fn run(bench: &mut Bench<'_>) -> Result<()> {
    let wanted = NAMES.map(|name| bench.wants(name));
    if !wanted.contains(&true) {
        return Ok(());
    }
    let character = Mannequin::default().build();
    let skeleton = &character.skeleton;
    let walk = character.find_clip("walk").context("the mannequin walks")?;
    let mut local = LocalPose::identity(skeleton.len());
    sample(&character.clips[walk], skeleton, 0.3, &mut local)?;
    let (skin, surface) = (&character.skins[0], &character.meshes[0].primitives[0]);
    let influences = surface.influences.as_ref().context("it is skinned")?;

    let rest = skeleton.rest_model();
    let (mut pose, mut matrices) = (rest.clone(), Palette::default());
    let mut dual = DualQuatPalette::new(skeleton.hierarchy(), rest.as_slice(), skin)?;
    let level = bench.level;
    let walk_tree = |pose: &mut ModelPose| {
        pose.update_at(level, skeleton.hierarchy(), &local, &Affine::IDENTITY)
    };
    walk_tree(&mut pose)?;
    let now = pose.clone();
    matrices.update(skin, now.as_slice())?;
    dual.update(now.as_slice())?;

    let plan = SkinPlan::new(influences, WeightFormat::F32);
    let bind = Streams::gather(&plan, &surface.vertices())?;
    let mut out = [bind.clone(), bind.clone()];
    let (linear_map, dual_map) = (matrices.clone(), dual.clone());
    let job = |palette| SkinJob {
        level,
        ..SkinJob::new(&plan, palette, &bind)
    };
    let by_lbs = job(PaletteRef::Linear(linear_map.as_slice()));
    let by_dqs = job(PaletteRef::DualQuat(&dual_map));
    let [lbs, dqs] = &mut out;
    by_lbs.run(lbs)?;
    by_dqs.run(dqs)?;
    let secs = bench.fastest([
        &mut || _ = walk_tree(black_box(&mut pose)),
        &mut || _ = black_box(&mut matrices).update_at(level, skin, now.as_slice()),
        &mut || _ = black_box(&mut dual).update_at(level, now.as_slice()),
        &mut || _ = by_lbs.run(black_box(lbs)),
        &mut || _ = by_dqs.run(black_box(dqs)),
    ]);
    let joints = skeleton.len();
    let items = [
        joints,
        skin.joints.len(),
        skin.joints.len(),
        surface.len(),
        surface.len(),
    ];
    for (case, name) in NAMES
        .into_iter()
        .enumerate()
        .filter(|(case, _)| wanted[*case])
    {
        bench.add(Row {
            name: name.to_owned(),
            items: items[case],
            ns_per_item: secs[case] * 1e9 / items[case] as f64,
            times_vertices: Some(secs[case] / secs[3]),
            level: level.name(),
            ..Row::default()
        });
    }
    Ok(())
}
