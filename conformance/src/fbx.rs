//! FBX files below `FOLDER/fbx` and `FOLDER/bad`. Nodes are compared with the evaluation of `ufbx`,
//! vertices with the OBJ files beside each file (`NAME_FRAME.obj`, 24 frames per second).

use crate::Outcome;
use anyhow::{Context, Result, anyhow, ensure};
use glam::{DMat3, DVec3, Vec3};
use sinew::{Character, Deformed, Method, deform};
use sinew_io::Import;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Max error at the times of keys, relative to the extent of the scene.
const AT_KEYS: f64 = 1e-5;
const BETWEEN: f64 = 1e-3;
const VERTICES: f64 = 1e-4;
const OBJ_FRAMES_PER_SECOND: f64 = 24.0;
/// OBJ files of takes that begin later than frame 0, with their true frame.
const OTHER_FRAMES: [(&str, f64); 4] = [
    ("maya_game_sausage_spin_7", 27.0),
    ("maya_game_sausage_spin_15", 35.0),
    ("maya_game_sausage_deform_8", 48.0),
    ("maya_game_sausage_deform_15", 55.0),
];

/// Runs every case in the folder. Returns the name and the result of each case.
pub fn run(folder: &Path) -> Result<Vec<(String, Result<Outcome>)>> {
    let mut files = Vec::new();
    for root in ["fbx", "bad"].map(|name| folder.join(name)) {
        if root.is_dir() {
            crate::collect(&root, &["fbx", "obj"], &mut files)?;
        }
    }
    files.sort();
    let is = |path: &Path, extension: &str| path.extension().is_some_and(|e| e == extension);
    let objs: Vec<&PathBuf> = files.iter().filter(|path| is(path, "obj")).collect();
    let mut cases = Vec::new();
    for path in files.iter().filter(|path| is(path, "fbx")) {
        let name = path.strip_prefix(folder).unwrap_or(path);
        let name = name.with_extension("").display().to_string();
        let bytes = std::fs::read(path)?;
        let loaded = ufbx::load_memory(&bytes, options());
        let Some(scene) = loaded.ok().filter(|_| !name.contains("_fail")) else {
            cases.push((name, refused(path)));
            continue;
        };
        let import = match sinew_io::import(path) {
            Ok(import) => import,
            Err(error) => {
                cases.push((name, Err(error.into())));
                continue;
            }
        };
        let measured = |error, tolerance| Ok(Outcome::Measured { error, tolerance });
        let (at_keys, between) = match nodes(&scene, &import.character) {
            Ok(errors) => errors,
            Err(error) => {
                cases.push((name, Err(error)));
                continue;
            }
        };
        cases.push((format!("{name} at keys"), measured(at_keys, AT_KEYS)));
        cases.push((format!("{name} between"), measured(between, BETWEEN)));
        if scene.skin_deformers.count + scene.blend_deformers.count > 0 {
            let error = skinned(&scene, &import);
            let outcome = error.and_then(|error| measured(error, VERTICES));
            cases.push((format!("{name} skinned"), outcome));
        }
        for obj in &objs {
            if let Some(case) = against_obj(path, obj, &scene, &import) {
                let frame = obj.file_stem().unwrap_or_default().to_string_lossy();
                let case = case.and_then(|error| measured(error, VERTICES));
                cases.push((format!("{name} as {frame}"), case));
            }
        }
    }
    Ok(cases)
}

/// Converts to metres and y up at the scene root only. Our importer changes geometry and nodes.
fn options() -> ufbx::LoadOpts<'static> {
    ufbx::LoadOpts {
        target_axes: ufbx::axes_right_handed_y_up(),
        target_unit_meters: 1.0,
        ..ufbx::LoadOpts::default()
    }
}

fn refused(path: &Path) -> Result<Outcome> {
    ensure!(
        sinew_io::import(path).is_err(),
        "accepted, and it must be refused"
    );
    Ok(Outcome::Measured {
        error: 0.0,
        tolerance: 0.0,
    })
}

/// Max distance of nodes from their positions in `ufbx`, at keys and half way between keys.
fn nodes(scene: &ufbx::Scene, character: &Character) -> Result<(f64, f64)> {
    let extent = extent(scene);
    let at_rest = deform(character, None, 0.0, Method::Linear)?;
    let (mut at_keys, mut between) = (apart(scene, scene, character, &at_rest, extent)?, 0.0_f64);
    for (index, clip) in character.clips.iter().enumerate() {
        let stack = stack_of(scene, &clip.name)?;
        let offset = offset_of(stack);
        let tracks = clip
            .tracks()
            .flat_map(|track| track.times().iter().copied());
        let mut times: Vec<f32> = tracks.collect();
        times.sort_unstable_by(f32::total_cmp);
        times.dedup();
        let error_at = |time: f64| -> Result<f64> {
            let wanted = evaluated(scene, stack, time + offset, false)?;
            let found = deform(character, Some(index), time, Method::Linear)?;
            apart(scene, &wanted, character, &found, extent)
        };
        for time in &times {
            at_keys = at_keys.max(error_at(f64::from(*time))?);
        }
        for pair in times.windows(2) {
            // Keys whose times are adjacent floats are a jump.
            if pair[1] > pair[0].next_up().next_up() {
                let middle = 0.5 * (f64::from(pair[0]) + f64::from(pair[1]));
                between = between.max(error_at(middle)?);
            }
        }
    }
    Ok((at_keys, between))
}

fn stack_of<'a>(scene: &'a ufbx::Scene, name: &str) -> Result<&'a ufbx::AnimStack> {
    let mut stacks = scene.anim_stacks.into_iter();
    let stack = stacks.find(|stack| *stack.element.name == *name);
    stack.with_context(|| format!("no take {name}"))
}

/// Time in the file at clip time 0. It is negative for a take with keys before 0.
fn offset_of(stack: &ufbx::AnimStack) -> f64 {
    let layers = stack.anim.layers.into_iter();
    let values = layers.flat_map(|layer| layer.anim_values.into_iter());
    let curves = values.flat_map(|value| value.curves.iter().flatten());
    let first = curves.map(|curve| curve.min_time).fold(f64::MAX, f64::min);
    if first < 0.0 {
        stack.time_begin.min(0.0)
    } else {
        0.0
    }
}

fn evaluated(
    scene: &ufbx::Scene,
    stack: &ufbx::AnimStack,
    time: f64,
    evaluate_skinning: bool,
) -> Result<ufbx::SceneRoot> {
    let options = ufbx::EvaluateOpts {
        evaluate_skinning,
        ..ufbx::EvaluateOpts::default()
    };
    ufbx::evaluate_scene(scene, &stack.anim, time, options).map_err(|e| anyhow!("{e:?}"))
}

/// Max difference of node positions, relative to the extent, and of axes, relative to their length.
/// Skips the nodes of lights, because they are rotated to the light direction of glTF.
fn apart(
    scene: &ufbx::Scene,
    wanted: &ufbx::Scene,
    character: &Character,
    found: &Deformed,
    extent: f64,
) -> Result<f64> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, node) in character.nodes.iter().enumerate() {
        places.entry(&node.name).or_default().push(place);
    }
    // Vertices are in the unit of the file in `ufbx`, and in metres here.
    let unit = scene.metadata.root_scale;
    let is_mirrored = scene.metadata.mirror_axis != ufbx::MirrorAxis::None;
    let mut worst = 0.0_f64;
    for node in &wanted.nodes {
        let name = &*node.element.name;
        let with_scale = format!("{name}.scale");
        let place = places.get(with_scale.as_str()).or_else(|| places.get(name));
        let Some([place]) = place.map(Vec::as_slice) else {
            continue;
        };
        let (m, world) = (&node.node_to_world, &found.node_worlds[*place]);
        let wanted = DMat3::from_cols(
            DVec3::new(m.m00, m.m10, m.m20),
            DVec3::new(m.m01, m.m11, m.m21),
            DVec3::new(m.m02, m.m12, m.m22),
        );
        let rows = world.linear_f64().map(DVec3::from_array);
        let found = DMat3::from_cols(rows[0], rows[1], rows[2]).transpose() * unit;
        let place = world.translation().as_dvec3();
        let moved = place.distance(DVec3::new(m.m03, m.m13, m.m23)) / extent;
        let length = |m: &DMat3| {
            m.x_axis
                .length()
                .max(m.y_axis.length())
                .max(m.z_axis.length())
        };
        let turned = match is_mirrored || node.light.is_some() {
            true => 0.0,
            false => length(&(wanted - found)) / length(&wanted).max(1e-9),
        };
        worst = worst.max(moved).max(turned);
    }
    Ok(worst)
}

fn skinned(scene: &ufbx::Scene, import: &Import) -> Result<f64> {
    let character = &import.character;
    let (extent, mut worst) = (extent(scene), 0.0_f64);
    let method = import.character.method();
    for (index, clip) in character.clips.iter().enumerate() {
        let stack = stack_of(scene, &clip.name)?;
        for part in 0..=4 {
            let time = f64::from(clip.duration_secs) * f64::from(part) / 4.0;
            let wanted = evaluated(scene, stack, time + offset_of(stack), true)?;
            let found = deform(character, Some(index), time, method)?;
            worst = worst.max(corners_apart(&wanted, character, &found)? / extent);
        }
    }
    Ok(worst)
}

fn corners_apart(wanted: &ufbx::Scene, character: &Character, found: &Deformed) -> Result<f64> {
    let mut worst = 0.0_f64;
    for source in &wanted.nodes {
        let Some(mesh) = &source.mesh else { continue };
        let name = &*source.element.name;
        let mut carriers =
            (0..character.nodes.len()).filter(|n| character.nodes[*n].mesh.is_some());
        let is_named = |node: &usize| {
            let own = &character.nodes[*node].name;
            own == name || *own == format!("{name}.geometry") || *own == format!("{name}.scale")
        };
        let Some(node) = carriers.find(is_named) else {
            continue;
        };
        let mut parts = found.primitives.iter().filter(|part| part.node == node);
        let mut of_face = Vec::new();
        for part in mesh
            .material_parts
            .iter()
            .filter(|part| part.num_triangles > 0)
        {
            let moved = parts
                .next()
                .with_context(|| format!("{name} has too few parts"))?;
            let primitive = &character.meshes[moved.mesh].primitives[moved.primitive];
            let indices = primitive.indices.as_ref().context("no indices")?;
            let mut triangles = indices.chunks_exact(3);
            for face in part
                .face_indices
                .iter()
                .map(|face| mesh.faces[*face as usize])
            {
                let count = ufbx::triangulate_face_vec(&mut of_face, mesh, face) as usize;
                for corners in of_face[..3 * count].chunks_exact(3) {
                    let triangle = triangles.next().context("too few triangles")?;
                    let at = |corner: u32| {
                        let p = mesh.skinned_position[corner as usize];
                        let world = match mesh.skinned_is_local {
                            true => ufbx::transform_position(&source.geometry_to_world, p),
                            false => p,
                        };
                        DVec3::new(world.x, world.y, world.z)
                    };
                    let found: Vec<DVec3> = triangle
                        .iter()
                        .map(|v| moved.positions[*v as usize].as_dvec3())
                        .collect();
                    let off = |order: [usize; 3]| {
                        let each = (0..3).map(|c| at(corners[c]).distance(found[order[c]]));
                        each.fold(0.0, f64::max)
                    };
                    worst = worst.max(off([0, 1, 2]).min(off([0, 2, 1])));
                }
            }
        }
    }
    Ok(worst)
}

/// Error against an OBJ file, if it belongs to this FBX file.
fn against_obj(
    path: &Path,
    obj: &Path,
    scene: &ufbx::Scene,
    import: &Import,
) -> Option<Result<f64>> {
    let stem = obj.file_stem()?.to_str()?;
    let rest = stem.strip_prefix(&family(path.file_stem()?.to_str()?))?;
    let words: Vec<&str> = rest.split('_').filter(|word| !word.is_empty()).collect();
    let (frame, take) = match words.as_slice() {
        [] => (None, None),
        [frame] => (Some(frame.parse::<f64>().ok()?), None),
        [take, frame] => (Some(frame.parse::<f64>().ok()?), Some(*take)),
        _ => return None,
    };
    let clips = &import.character.clips;
    let is_take = |name: &str| {
        let name = name.rsplit('|').next().unwrap_or(name);
        take.is_none_or(|take| name.eq_ignore_ascii_case(take))
    };
    let clip = match frame {
        None => None,
        Some(_) => Some(clips.iter().position(|clip| is_take(&clip.name))?),
    };
    let other = OTHER_FRAMES.iter().find(|(name, _)| *name == stem);
    let frame = other.map_or(frame.unwrap_or(0.0), |(_, frame)| *frame);
    Some(obj_apart(
        obj,
        scene,
        import,
        clip,
        frame / OBJ_FRAMES_PER_SECOND,
    ))
}

/// Name of a file without version, encoding and "combined".
fn family(stem: &str) -> String {
    let words = stem.split('_').filter(|word| {
        let is_version = word.len() == 4 && word.chars().all(|c| c.is_ascii_digit());
        !is_version && !matches!(*word, "ascii" | "binary" | "combined")
    });
    words.collect::<Vec<_>>().join("_")
}

fn obj_apart(
    obj: &Path,
    scene: &ufbx::Scene,
    import: &Import,
    clip: Option<usize>,
    time: f64,
) -> Result<f64> {
    let unit = scene.metadata.root_scale as f32;
    let text = std::fs::read_to_string(obj)?;
    let lines = text.lines().filter_map(|line| line.strip_prefix("v "));
    let mut wanted = Vec::new();
    for line in lines {
        let numbers: Result<Vec<f32>, _> = line.split_whitespace().map(str::parse).collect();
        let numbers: [f32; 3] = numbers?
            .try_into()
            .map_err(|_| anyhow!("not three numbers"))?;
        wanted.push(Vec3::from_array(numbers) * unit);
    }
    let method = import.character.method();
    let moved = deform(&import.character, clip, time, method)?;
    let found: Vec<Vec3> = moved
        .primitives
        .iter()
        .flat_map(|p| p.positions.clone())
        .collect();
    let far = |from: &[Vec3], to: &[Vec3]| {
        let nearest = |p: &Vec3| to.iter().map(|q| p.distance(*q)).fold(f32::MAX, f32::min);
        from.iter().map(nearest).fold(0.0, f32::max)
    };
    let bounds = moved.bounds().context("no vertices")?;
    let extent = (bounds.max - bounds.min).max_element();
    Ok(f64::from(
        far(&found, &wanted).max(far(&wanted, &found)) / extent,
    ))
}

fn extent(scene: &ufbx::Scene) -> f64 {
    let (mut low, mut high) = (DVec3::MAX, DVec3::MIN);
    let mut add = |p: DVec3| {
        if p.is_finite() {
            (low, high) = (low.min(p), high.max(p));
        }
    };
    for node in &scene.nodes {
        let m = &node.node_to_world;
        add(DVec3::new(m.m03, m.m13, m.m23));
        for point in node.mesh.iter().flat_map(|mesh| mesh.vertices.iter()) {
            let p = ufbx::transform_position(&node.geometry_to_world, *point);
            add(DVec3::new(p.x, p.y, p.z));
        }
    }
    let extent = (high - low).max_element();
    if extent > 0.0 { extent } else { 1.0 }
}
