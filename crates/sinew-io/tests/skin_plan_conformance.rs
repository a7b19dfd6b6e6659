//! Skinning plans of real models are small and match the scalar reference on all instruction sets.

use crate::foreign::foreign_files;

use glam::Vec3;
use sinew::simd::Level;
use sinew::skin::{
    DualQuatPalette, Palette, PaletteRef, SkinJob, SkinPlan, Streams, Vertices, VerticesMut,
    WeightFormat, dual_quat, linear,
};
use sinew::{Affine, Character, LocalPose, ModelPose, Primitive, Skin, sample};
use std::path::PathBuf;

fn models() -> Vec<PathBuf> {
    let mut models = Vec::new();
    for folder in ["gltf", "weights/artist", "asset-generator/Animation_Skin"] {
        models.extend(foreign_files(folder, &["glb", "gltf"]));
    }
    // Other folders have the same models.
    models.retain(|path| {
        !path
            .iter()
            .any(|part| part == "variants" || part == "materials")
    });
    models.sort();
    models
}

fn pose_of(character: &Character) -> ModelPose {
    let mut local = LocalPose::identity(0);
    match character.clips.first() {
        Some(clip) => {
            let middle = f64::from(clip.duration_secs) * 0.4;
            sample(clip, &character.skeleton, middle, &mut local).unwrap();
        }
        None => local.copy_from(character.skeleton.rest()),
    }
    let mut pose = ModelPose::identity(0);
    pose.update(character.skeleton.hierarchy(), &local, &Affine::IDENTITY)
        .expect("of this skeleton");
    pose
}

/// Max distance between the positions that the joints of a vertex give it, with lever arms. `None`
/// if two joints differ by about 180°, where blends jump.
fn spread(
    skin: &Skin,
    palette: &Palette,
    dual: &DualQuatPalette,
    joints: &[usize],
    x: Vec3,
) -> Option<f32> {
    let maps = palette.as_slice();
    let far = |&j: &usize| x.distance(skin.bind_position(j));
    let lever = joints.iter().map(far).fold(0.0, f32::max);
    let mut spread = 0.0_f32;
    for &i in joints {
        for &j in joints {
            let angle_rad = 2.0
                * dual
                    .joint(i)
                    .rotation
                    .dot(dual.joint(j).rotation)
                    .clamp(-1.0, 1.0)
                    .acos();
            if angle_rad >= 170_f32.to_radians() {
                return None;
            }
            let apart = maps[i]
                .transform_point(x)
                .distance(maps[j].transform_point(x));
            let entries = (0..3).flat_map(|r| (0..3).map(move |c| (r, c)));
            let square = entries.map(|(r, c)| (maps[i].rows[r][c] - maps[j].rows[r][c]).powi(2));
            spread = spread.max(apart + lever * square.sum::<f32>().sqrt());
        }
    }
    Some(spread)
}

#[test]
fn dual_quaternions_stay_near_the_linear_blend_on_every_model_and_clip() {
    let models = models();
    if models.is_empty() {
        return;
    }
    let mut checked = 0;
    for path in models {
        let Ok(import) = sinew_io::gltf::import(&path) else {
            continue;
        };
        let character = &import.character;
        let skeleton = &character.skeleton;
        let mut poses = vec![skeleton.rest().clone()];
        for clip in &character.clips {
            for part in [0.0, 0.23, 0.5, 0.81] {
                let mut local = LocalPose::identity(0);
                let time = f64::from(clip.duration_secs) * part;
                sample(clip, skeleton, time, &mut local).unwrap();
                poses.push(local);
            }
        }
        let parts = character.nodes.iter().filter_map(|n| n.mesh.zip(n.skin));
        for (mesh, skin) in parts {
            let skin = &character.skins[skin];
            let (mut matrices, mut dual) = (
                Palette::default(),
                DualQuatPalette::new(skeleton.hierarchy(), skeleton.rest_model().as_slice(), skin)
                    .expect("of this skeleton"),
            );
            for local in &poses {
                let mut pose = ModelPose::identity(0);
                pose.update(skeleton.hierarchy(), local, &Affine::IDENTITY)
                    .expect("of this skeleton");
                matrices
                    .update(skin, pose.as_slice())
                    .expect("of this skeleton");
                dual.update(pose.as_slice()).expect("of this skeleton");
                for primitive in &character.meshes[mesh].primitives {
                    let Some(influences) = &primitive.influences else {
                        continue;
                    };
                    let vertices = Vertices {
                        positions: &primitive.positions,
                        normals: None,
                        tangents: None,
                    };
                    let mut both = [primitive.positions.to_vec(), primitive.positions.to_vec()];
                    let [straight, blended] = &mut both;
                    let out = |positions| VerticesMut {
                        positions,
                        normals: None,
                        tangents: None,
                    };
                    let maps = matrices.as_slice();
                    linear(maps, influences, &vertices, &mut out(straight)).expect("fits");
                    dual_quat(&dual, influences, &vertices, &mut out(blended)).expect("fits");
                    let far = straight.iter().map(|p| p.length()).fold(0.0, f32::max);
                    for vertex in 0..straight.len() {
                        let joints: Vec<_> = influences.get(vertex).map(|(j, _)| j).collect();
                        let x = primitive.positions[vertex];
                        let Some(spread) = spread(skin, &matrices, &dual, &joints, x) else {
                            continue;
                        };
                        let off = straight[vertex].distance(blended[vertex]);
                        let allowed = 0.75 * spread + 1e-5 * far;
                        let name = path.display();
                        assert!(off <= allowed, "{name}: {vertex} is {off} of {allowed} off");
                        checked += 1;
                    }
                }
            }
        }
    }
    println!("{checked} vertices");
    assert!(checked > 10_000);
}

#[test]
fn plans_of_real_models_fit_and_agree_with_the_reference() {
    let models = models();
    if models.is_empty() {
        return;
    }
    let mut checked = 0;
    for path in models {
        let Ok(import) = sinew_io::gltf::import(&path) else {
            continue;
        };
        let name = path.display().to_string();
        let character = &import.character;
        let pose = pose_of(character);
        let extent = extent_of(character);
        for node in &character.nodes {
            let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else {
                continue;
            };
            for primitive in &character.meshes[mesh].primitives {
                if primitive.influences.is_some() {
                    check(
                        &name,
                        character,
                        &character.skins[skin],
                        primitive,
                        &pose,
                        extent,
                    );
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 5, "only {checked} skinned primitives");
}

fn extent_of(character: &Character) -> f32 {
    let moment = sinew::deform(character, None, 0.0, sinew::Method::Linear).expect("deforms");
    let mut positions = moment.primitives.iter().flat_map(|part| &part.positions);
    let first = *positions.next().expect("vertices");
    let (low, high) = positions.fold((first, first), |(l, h), p| (l.min(*p), h.max(*p)));
    (high - low).length()
}

fn check(
    name: &str,
    character: &Character,
    skin: &Skin,
    primitive: &Primitive,
    pose: &ModelPose,
    extent: f32,
) {
    let influences = primitive.influences.as_ref().expect("asked for");
    let plan = SkinPlan::new(influences, WeightFormat::F32);
    let lanes = plan.blocks() * sinew::simd::LANES;
    assert!(
        lanes < plan.len() + sinew::simd::LANES,
        "{name}: {lanes} lanes"
    );
    let wasted = plan.padding() * influences.total() as f64;
    let block = influences.max_per_vertex() * sinew::simd::LANES;
    assert!(
        wasted < block as f64,
        "{name}: {wasted} influences for nothing"
    );
    // Small meshes fill less than ten blocks, so they have more padding.
    if plan.len() > 200 {
        assert!(plan.padding() <= 0.1, "{name}: padding {}", plan.padding());
        let allowed = 1.3 * 6.0 * influences.total() as f64;
        assert!(
            plan.bytes() as f64 <= allowed,
            "{name}: {} of {allowed}",
            plan.bytes()
        );
    }
    println!(
        "{name}: {} vertices, {:.0} % in shared blocks, padding {:.1} %",
        plan.len(),
        100.0 * plan.shared_vertices() as f64 / plan.len() as f64,
        100.0 * plan.padding()
    );
    let vertices = Vertices {
        positions: &primitive.positions,
        normals: primitive.normals.as_ref().map(|n| n.as_slice()),
        tangents: None,
    };
    let bind = Streams::gather(&plan, &vertices).expect("fits");
    let mut matrices = Palette::default();
    matrices
        .update(skin, pose.as_slice())
        .expect("of this skeleton");
    let mut dual = DualQuatPalette::new(
        character.skeleton.hierarchy(),
        character.skeleton.rest_model().as_slice(),
        skin,
    )
    .expect("of this skeleton");
    dual.update(pose.as_slice()).expect("of this skeleton");
    let same = plan.influences();
    for is_dual in [false, true] {
        let mut wanted = primitive.positions.to_vec();
        let mut out = VerticesMut {
            positions: &mut wanted,
            normals: None,
            tangents: None,
        };
        let (palette, done) = if is_dual {
            let done = dual_quat(&dual, &same, &vertices, &mut out);
            (PaletteRef::DualQuat(&dual), done)
        } else {
            let done = linear(matrices.as_slice(), &same, &vertices, &mut out);
            (PaletteRef::Linear(matrices.as_slice()), done)
        };
        done.expect("fits");
        for level in Level::all() {
            let job = SkinJob {
                level,
                ..SkinJob::new(&plan, palette, &bind)
            };
            let mut posed = bind.clone();
            job.run(&mut posed).expect("fits");
            let mut found = primitive.positions.to_vec();
            posed.scatter_positions(&plan, &mut found);
            let errors = found.iter().zip(&wanted).map(|(f, w)| f.distance(*w));
            let worst = errors.fold(0.0, f32::max);
            assert!(
                worst <= 2e-6 * extent,
                "{name} on {level}: {worst} of {extent}"
            );
        }
    }
}
