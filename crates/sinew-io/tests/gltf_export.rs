//! glTF round trips. They are bit-exact if glTF allows it.

use crate::clock::Clock;
use crate::foreign::foreign_files;
use crate::made;

use glam::{Quat, Vec3};
use sinew::clip::{Channel, ClipSpace};
use sinew::mesh::{Deltas, Morph, Topology};
use sinew::{
    Affine, Character, Clip, HierarchyError, Interpolation, Joint, LocalPose, Method, Primitive,
    Skeleton, Skin, Track, Transform, deform, sample,
};
use sinew_io::gltf::{
    Export, ExportError, ExportOptions, GltfImport, export, import, import_bytes, to_glb, to_gltf,
};
use sinew_io::report::{Finding, Severity};
use std::sync::Arc;

fn exported(character: &Character) -> Export {
    export(character, &ExportOptions::default()).unwrap()
}

fn read_again(character: &Character) -> GltfImport {
    let options = ExportOptions::default();
    let import = import_bytes(&to_glb(character, &options).unwrap(), None).unwrap();
    let is_repair = |finding: &&Finding| {
        matches!(finding.severity, Severity::Repaired | Severity::Ignored)
            && finding.code != "NOT_DRAWN"
    };
    let repairs = import.report.findings.iter().filter(is_repair).count();
    assert_eq!(repairs, 0, "{}", import.report);
    let text = to_gltf(character, &options).unwrap();
    let from_text = import_bytes(text.as_bytes(), None).unwrap();
    assert_eq!(import.character, from_text.character);
    import
}

fn moments(character: &Character) -> Vec<(Option<usize>, f64)> {
    let clips = character.clips.iter().enumerate();
    let in_clips = clips.flat_map(|(index, clip)| {
        let end = f64::from(clip.duration_secs);
        [0.0, 0.11, 0.5, 0.83, 1.0].map(|part| (Some(index), part * end))
    });
    std::iter::once((None, 0.0)).chain(in_clips).collect()
}

fn assert_same_vertices(a: &Character, b: &Character, what: &str) {
    for (clip, time) in moments(a) {
        let [a, b] = [a, b].map(|c| deform(c, clip, time, Method::Linear).unwrap());
        let worlds = a.node_worlds.iter().zip(&b.node_worlds);
        for (node, (a, b)) in worlds.enumerate() {
            assert_eq!(a, b, "{what}: node {node} at {time} of {clip:?}");
        }
        assert_eq!(a.primitives.len(), b.primitives.len(), "{what}");
        for (a, b) in a.primitives.iter().zip(&b.primitives) {
            let bits = |v: &[Vec3]| v.iter().map(|v| v.to_array().map(f32::to_bits)).collect();
            let [a, b]: [Vec<_>; 2] = [&a.positions, &b.positions].map(|p| bits(p));
            assert!(a == b, "{what}: other vertices at {time} of {clip:?}");
        }
    }
}

#[test]
fn what_contradicts_itself_is_refused() {
    type Spoil = fn(&mut Character);
    type Check = fn(&ExportError) -> bool;
    fn primitive(character: &mut Character) -> &mut Primitive {
        &mut character.meshes[0].primitives[0]
    }
    let not_finite: Check = |e| matches!(e, ExportError::NotFinite { .. });
    let count: Check = |e| matches!(e, ExportError::Count { .. });
    let reference: Check = |e| matches!(e, ExportError::Reference { .. });
    let cases: [(&str, Spoil, Check); 23] = [
        (
            "position",
            |c| Arc::make_mut(&mut primitive(c).positions)[0].x = f32::NAN,
            not_finite,
        ),
        (
            "normal",
            |c| primitive(c).normals = Some(Arc::new(vec![Vec3::NAN; 9])),
            not_finite,
        ),
        (
            "short normals",
            |c| primitive(c).normals = Some(Arc::new(vec![Vec3::X])),
            count,
        ),
        (
            "index",
            |c| primitive(c).indices = Some(Arc::new(vec![0, 1, 9])),
            reference,
        ),
        ("material", |c| primitive(c).material = Some(2), reference),
        (
            "influences",
            |c| primitive(c).influences = Some(Arc::default()),
            count,
        ),
        ("joint", |c| c.skins[0].joints.truncate(1), count),
        (
            "influence past the skin",
            |c| {
                c.skins[0].joints.truncate(1);
                c.skins[0].joint_from_model.truncate(1);
            },
            reference,
        ),
        (
            "inverse bind",
            |c| c.skins[0].joint_from_model[0].rows[0][0] = f32::INFINITY,
            not_finite,
        ),
        ("joint of a skin", |c| c.skins[0].joints[0] = 7, reference),
        ("mesh", |c| c.nodes[2].mesh = Some(1), reference),
        ("skin", |c| c.nodes[2].skin = Some(1), reference),
        ("joint of a node", |c| c.nodes[2].joint = Some(2), reference),
        (
            "transform",
            |c| c.nodes[2].parent_from_node.rows[0][3] = f32::NAN,
            not_finite,
        ),
        (
            "loop",
            |c| c.nodes[2].parent = Some(2),
            |e| matches!(e, ExportError::Nodes(_)),
        ),
        (
            "a joint that is its own parent",
            |c| c.nodes[1].parent = Some(1),
            |e| matches!(e, ExportError::Nodes(HierarchyError::Cycle { .. })),
        ),
        (
            "joints in a loop",
            |c| (c.nodes[0].parent, c.nodes[1].parent) = (Some(1), Some(0)),
            |e| matches!(e, ExportError::Nodes(HierarchyError::Cycle { .. })),
        ),
        (
            "a joint below no node",
            |c| c.nodes[1].parent = Some(9),
            |e| matches!(e, ExportError::Nodes(HierarchyError::NoSuchParent { .. })),
        ),
        ("image", |c| c.textures[0].image = Some(3), reference),
        ("texture", |c| c.textures.clear(), reference),
        ("colour", |c| c.materials[0].metallic = f32::NAN, not_finite),
        (
            "key before the start",
            |c| {
                let track = Track::vectors(vec![-1.0, 0.0], &[Vec3::X; 2], Interpolation::Step);
                let mut clip = Clip::new("early");
                clip.joint_mut(0).translation = track.ok();
                c.clips.push(clip);
            },
            |e| matches!(e, ExportError::NegativeTime { .. }),
        ),
        (
            "four numbers a scale, in model space",
            |c| {
                let track = Track::rotations(vec![0.0], &[Quat::IDENTITY], Interpolation::Step);
                let mut clip = Clip::new("wide");
                clip.space = ClipSpace::Model;
                clip.joint_mut(0).scale = track.ok();
                c.clips.push(clip);
            },
            count,
        ),
    ];
    for (what, spoil, check) in cases {
        let mut character = made::painted();
        spoil(&mut character);
        match export(&character, &ExportOptions::default()) {
            Ok(_) => panic!("{what}: was written"),
            Err(error) => assert!(check(&error), "{what}: {error}"),
        }
    }
}

#[test]
fn arrays_that_much_of_a_character_shares_are_looked_at_once() {
    let seconds = |character: &Character| {
        let begin = Clock::start();
        exported(character);
        begin.elapsed().as_secs_f64()
    };
    let mut character = made::skinned(2_000, 200_000, 2);
    let alone = seconds(&character).max(0.01);
    let primitive = character.meshes[0].primitives[0].clone();
    character.meshes[0].primitives = vec![primitive; 300];
    let times: Arc<Vec<f32>> = Arc::new((0..100_000).map(|key| key as f32).collect());
    let keys = vec![Quat::IDENTITY; times.len()];
    let track = Track::rotations(times, &keys, Interpolation::Slerp).unwrap();
    let mut clip = Clip::new("still");
    for joint in 0..character.skeleton.len() {
        clip.joint_mut(joint).rotation = Some(track.clone());
    }
    character.clips.push(clip);
    // Without sharing, 300 primitives take 300 times as long, and 2,000 tracks a million numbers.
    let took = seconds(&character);
    assert!(took < 40.0 * alone, "{took} s where one takes {alone} s");
}

#[test]
fn any_number_of_influences_and_joints() {
    for (joints, influences) in [(1, 1), (5, 4), (12, 6), (40, 13), (256, 9), (300, 5)] {
        let character = made::skinned(joints, 100, influences);
        let again = read_again(&character).character;
        assert_eq!(character.meshes, again.meshes, "{joints} joints");
        assert_eq!(character.skins[0].joints, again.skins[0].joints);
        assert_same_vertices(&character, &again, "influences");
    }
}

#[test]
fn indices_are_as_wide_as_they_must_be() {
    for vertices in [65_534, 65_535, 65_536, 70_000] {
        let character = made::skinned(2, vertices, 2);
        let again = read_again(&character).character;
        assert_eq!(character.meshes, again.meshes, "{vertices} vertices");
    }
}

#[test]
fn points_and_lines_stay_what_they_are() {
    for topology in [Topology::Points, Topology::Lines] {
        let mut character = made::skinned(2, 10, 1);
        let primitive = &mut character.meshes[0].primitives[0];
        primitive.topology = topology;
        primitive.indices = None;
        assert_eq!(character.meshes, read_again(&character).character.meshes);
    }
}

#[test]
fn morph_targets_stay_sparse_where_that_is_smaller() {
    let character = made::morphed();
    let document = exported(&character).document;
    let primitive = &document.meshes[0].primitives[0];
    let is_sparse = |target: usize, name: &str| {
        let accessor = primitive.targets[target].get(name).unwrap() as usize;
        document.accessors[accessor].sparse.is_some()
    };
    assert!(!is_sparse(0, "POSITION") && is_sparse(0, "NORMAL"));
    assert!(is_sparse(1, "POSITION") && !is_sparse(2, "POSITION"));
    let again = read_again(&character).character;
    let names = &again.meshes[0].morph_names;
    assert_eq!(*names, ["smile", "blink \"left\""]);
    assert_eq!(again.meshes[0].morph_weights, [0.3, 0.1, 0.0, 0.0]);
    assert_eq!(again.clips, character.clips);
    assert_same_vertices(&character, &again, "morphs");
}

#[test]
fn deltas_out_of_order_are_put_in_order() {
    let mut character = made::skinned(1, 60, 1);
    character.meshes[0].primitives[0].morphs = vec![Morph {
        positions: Some(Deltas {
            vertices: Some(Arc::new(vec![5, 2, 5, 99])),
            values: Arc::new(vec![Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE]),
        }),
        ..Morph::default()
    }];
    character.meshes[0].morph_weights = vec![1.0];
    let again = read_again(&character).character;
    assert_same_vertices(&character, &again, "deltas");
}

#[test]
fn what_gltf_can_interpolate_comes_back_to_the_bit() {
    use Interpolation::{CubicHermite, Slerp, Step};
    let character = made::animated(&[Step, Slerp, CubicHermite]);
    let again = read_again(&character).character;
    for (clip, again) in character.clips.iter().zip(&again.clips) {
        let tracks = clip.tracks().zip(again.tracks());
        tracks.for_each(|(track, again)| assert_eq!(track.values(), again.values()));
    }
    assert_same_vertices(&character, &again, "interpolation");
}

#[test]
fn parabolas_and_catmull_rom_become_the_same_cubics() {
    use Interpolation::{CatmullRom, CubicHermite, Quadratic};
    let character = made::animated(&[Quadratic, CatmullRom]);
    let again = read_again(&character).character;
    let [mut a, mut b] = [LocalPose::identity(0), LocalPose::identity(0)];
    for (before, after) in character.clips.iter().zip(&again.clips) {
        assert!(after.tracks().all(|t| t.interpolation() == CubicHermite));
        for step in 0..=300 {
            let time = f64::from(step) / 200.0;
            sample(before, &character.skeleton, time, &mut a).unwrap();
            sample(after, &again.skeleton, time, &mut b).unwrap();
            for (a, b) in a.iter().zip(b.iter()) {
                let off = a.to_affine().max_difference(&b.to_affine());
                assert!(off < 2e-5, "{} at {time}: {off}", before.name);
            }
        }
    }
}

/// Keys 100° apart. The quaternions of the first and third key have opposite signs.
#[test]
fn splines_of_wide_rotations_are_written_as_they_are_played() {
    let mut character = made::skinned(1, 3, 1);
    let times: Vec<f32> = (0..5).map(|k| k as f32).collect();
    let angle = |t: &f32| Quat::from_rotation_z(100_f32.to_radians() * t);
    let rotations: Vec<Quat> = times.iter().map(angle).collect();
    for kind in [Interpolation::CatmullRom, Interpolation::Quadratic] {
        let mut clip = Clip::new("spin");
        let track = Track::rotations(times.clone(), &rotations, kind).unwrap();
        clip.joint_mut(0).rotation = Some(track);
        clip.fit_duration();
        character.clips = vec![clip];
        let again = read_again(&character).character;
        let [mut a, mut b] = [LocalPose::identity(0), LocalPose::identity(0)];
        for step in 0..=80 {
            let time = f64::from(step) * 0.05;
            sample(&character.clips[0], &character.skeleton, time, &mut a).unwrap();
            sample(&again.clips[0], &again.skeleton, time, &mut b).unwrap();
            let [a, b] = [&a, &b].map(|pose| pose.get(0).to_affine());
            assert!(a.max_difference(&b) < 1e-5, "{kind:?} at {time}");
        }
    }
}

#[test]
fn chords_of_rotations_are_written_as_arcs_with_a_note() {
    let character = made::animated(&[Interpolation::Linear]);
    let export = exported(&character);
    assert_eq!(export.report.count(Severity::Note), 3);
    let again = read_again(&character).character;
    let rotation = again.clips[0].joints[0].rotation.as_ref().unwrap();
    assert_eq!(rotation.interpolation(), Interpolation::Slerp);
}

#[test]
fn events_curves_and_durations_come_back() {
    let character = made::eventful();
    let again = read_again(&character).character;
    let (before, after) = (&character.clips[0], &again.clips[0]);
    assert_eq!(before.events, after.events);
    assert_eq!(before.curves, after.curves);
    assert_eq!(before.duration_secs, after.duration_secs);
}

#[test]
fn a_clip_without_tracks_comes_back_at_its_index() {
    let mut character = made::eventful();
    let mut empty = Clip::new("empty");
    empty.duration_secs = 2.5;
    empty.events = character.clips[0].events.clone();
    empty.curves = character.clips[0].curves.clone();
    character.clips.insert(0, empty.clone());
    character.clips.push(Clip::new("of duration 0"));
    let import = read_again(&character);
    let clips = &import.character.clips;
    assert_eq!(clips.len(), character.clips.len());
    assert_eq!(clips[0], empty);
    assert_eq!(clips.last(), character.clips.last());
    // Other programs see a clip of this duration.
    let source = ExportOptions::new().source(Some(&import.source));
    let twice = export(&import.character, &source).unwrap();
    assert_eq!(twice.document.animations[0].channels.len(), 1);
    assert_eq!(twice.report.count(Severity::Ignored), 0);
    let glb = twice.to_glb().unwrap();
    let again = import_bytes(&glb, None).unwrap().character;
    assert_eq!(again.clips[0], empty);
    assert_eq!(again.clips.len(), character.clips.len());
}

#[test]
fn a_cubic_track_with_one_key_keeps_its_tangents() {
    let mut character = made::eventful();
    let mut clip = Clip::new("pose");
    let key = [[0.5, -1.0, 2.0], [1.0, 2.0, 3.0], [0.1, 0.2, -0.3]].concat();
    let cubic = Interpolation::CubicHermite;
    let track = Track::new(vec![0.25], key, 3, cubic).unwrap();
    clip.set_track(0, Channel::Translation, Some(track.clone()))
        .unwrap();
    character.clips.push(clip);
    let import = read_again(&character);
    let last = character.clips.len() - 1;
    let read = |character: &Character| {
        character.clips[last]
            .track(0, Channel::Translation)
            .cloned()
    };
    assert_eq!(read(&import.character), Some(track));
    // Another key needs no help, and none stays in the file.
    let mut edited = import.character;
    let tracks = edited.clips[last].joint_mut(0);
    tracks
        .translation
        .as_mut()
        .unwrap()
        .insert_key(1.0, &[0.0; 3])
        .unwrap();
    let source = ExportOptions::new().source(Some(&import.source));
    let glb = export(&edited, &source).unwrap().to_glb().unwrap();
    assert!(!glb.windows(8).any(|bytes| bytes == b"tangents"));
    let again = import_bytes(&glb, None).unwrap().character;
    assert_eq!(read(&again), read(&edited));
}

#[test]
fn clips_in_model_space_keep_their_poses_at_keys() {
    let character = made::eventful();
    let again = read_again(&character).character;
    let [mut a, mut b] = [LocalPose::identity(0), LocalPose::identity(0)];
    for time in [0.0, 0.3, 0.4, 1.1, 1.5_f32] {
        let time = f64::from(time);
        sample(&character.clips[0], &character.skeleton, time, &mut a).unwrap();
        sample(&again.clips[0], &again.skeleton, time, &mut b).unwrap();
        for (a, b) in a.iter().zip(b.iter()) {
            assert!(a.to_affine().max_difference(&b.to_affine()) < 1e-6);
        }
    }
}

#[test]
fn materials_come_back_and_unknown_images_do_not() {
    let character = made::painted();
    let export = exported(&character);
    assert_eq!(export.report.count(Severity::Ignored), 2);
    let again = read_again(&character).character;
    assert_eq!(character.materials, again.materials);
    assert_eq!(character.images[..1], again.images[..]);
    assert_eq!(again.textures[0], character.textures[0]);
    assert_eq!(again.textures[1].wrap, character.textures[1].wrap);
    assert_eq!(export.document.samplers.len(), 1, "both textures share one");
    let used = export.document.extensions_used.iter();
    let mut used: Vec<_> = used
        .map(|name| name.trim_start_matches("KHR_materials_"))
        .collect();
    used.sort_unstable();
    let layers = [
        "anisotropy",
        "clearcoat",
        "dispersion",
        "emissive_strength",
        "ior",
        "sheen",
        "specular",
        "transmission",
        "unlit",
        "volume",
    ];
    assert_eq!(used, layers);
}

#[test]
fn directions_and_weights_are_made_valid() {
    let mut character = made::skinned(2, 3, 1);
    let primitive = &mut character.meshes[0].primitives[0];
    primitive.normals = Some(Arc::new(vec![Vec3::X, Vec3::ZERO, Vec3::Y * 2.0]));
    primitive.tangents = Some(Arc::new(vec![Vec3::X.extend(0.5); 3]));
    let again = read_again(&character).character;
    let primitive = &again.meshes[0].primitives[0];
    let normals = primitive.normals.as_ref().unwrap();
    assert_eq!(**normals, [Vec3::X, Vec3::Z, Vec3::Y]);
    let tangents = primitive.tangents.as_ref().unwrap();
    assert_eq!(**tangents, [Vec3::X.extend(1.0); 3]);
}

#[test]
fn arrays_that_are_the_same_are_written_once() {
    let mut character = made::animated(&[Interpolation::Slerp, Interpolation::Slerp]);
    let alone = exported(&made::animated(&[Interpolation::Slerp]))
        .bytes
        .len();
    assert_eq!(exported(&character).bytes.len(), alone);
    let primitive = character.meshes[0].primitives[0].clone();
    character.meshes[0].primitives.push(primitive);
    assert_eq!(exported(&character).bytes.len(), alone);
}

#[test]
fn nothing_gives_a_valid_document_too() {
    let (skeleton, _) = Skeleton::new(vec![Joint::new("root", None, Transform::IDENTITY)]).unwrap();
    let mut character = Character::from_skeleton(skeleton);
    character.nodes.clear();
    let export = exported(&character);
    let asset = "{\"asset\":{\"version\":\"2.0\",\"generator\":\"sinew 0.1.0\"}}";
    assert_eq!(serde_json::to_string(&export.document).unwrap(), asset);
    assert_eq!(read_again(&character).character.nodes, []);
}

#[test]
fn empty_meshes_and_skins_are_left_out_and_empty_clips_are_kept() {
    let mut character = made::skinned(2, 5, 1);
    character.meshes.insert(0, Default::default());
    character.skins.insert(0, Skin::default());
    character.clips.push(Clip::new("nothing"));
    character.nodes[2].mesh = Some(1);
    character.nodes[2].skin = Some(1);
    character.nodes.push(sinew::Node {
        mesh: Some(0),
        skin: Some(0),
        ..made::still("empty", Some(2))
    });
    assert_eq!(exported(&character).report.count(Severity::Ignored), 2);
    let again = read_again(&character).character;
    assert_eq!(
        (again.meshes.len(), again.skins.len(), again.clips.len()),
        (1, 1, 1)
    );
    assert_eq!(again.clips, character.clips);
    assert_same_vertices(&character, &again, "empty");
}

#[test]
fn a_primitive_that_draws_nothing_is_left_out_with_a_word() {
    let mut character = made::skinned(2, 5, 1);
    let mut other = character.meshes[0].primitives[0].clone();
    other.indices = Some(Arc::new(Vec::new()));
    character.meshes[0].primitives.insert(0, other);
    let export = exported(&character);
    assert_eq!(export.document.meshes[0].primitives.len(), 1);
    let reported: Vec<_> = export.report.findings.iter().collect();
    let at: Vec<_> = reported
        .iter()
        .map(|f| (f.code, f.pointer.as_str()))
        .collect();
    assert_eq!(at, [("NOT_WRITTEN", "/meshes/0/primitives/0")]);
}

#[test]
fn shear_is_reported_however_long_another_axis_is() {
    for long in [1.0, 1e6, 1e30] {
        let mut character = made::skinned(2, 5, 1);
        let sheared = Affine::from_axes(
            Vec3::X * long,
            Vec3::Y,
            Vec3::new(0.0, 0.3, 1.0),
            Vec3::ZERO,
        );
        character.nodes[2].parent_from_node = sheared;
        let export = exported(&character);
        let codes: Vec<_> = export.report.findings.iter().map(|f| f.code).collect();
        assert_eq!(codes, ["NODE_MATRIX_NON_TRS"], "{long}");
    }
}

#[test]
fn joints_without_nodes_get_them() {
    let mut character = made::skinned(6, 20, 3);
    character
        .nodes
        .retain(|node| node.joint.is_none_or(|j| j % 2 == 0));
    character
        .nodes
        .iter_mut()
        .for_each(|node| node.parent = None);
    let again = read_again(&character).character;
    assert_eq!(again.nodes.len(), 7);
    assert_same_vertices(&character, &again, "joints");
}

#[test]
fn a_virtual_root_is_written_only_where_a_skin_needs_it() {
    let joint = |name: &str, parent| Joint::new(name, parent, Transform::IDENTITY);
    let joints = vec![
        joint("root", None),
        joint("a", Some(0)),
        joint("b", Some(0)),
    ];
    let (skeleton, _) = Skeleton::new(joints).unwrap();
    let mut character = Character::from_skeleton(skeleton);
    character.nodes.remove(0);
    character
        .nodes
        .iter_mut()
        .for_each(|node| node.parent = None);
    assert_eq!(read_again(&character).character.nodes.len(), 2);
    character.skins.push(Skin {
        name: "over both".into(),
        joints: vec![1, 2],
        joint_from_model: vec![Affine::IDENTITY; 2],
    });
    let again = read_again(&character).character;
    assert_eq!(again.nodes.len(), 3);
    assert_eq!(again.nodes[0].parent, Some(2));
}

#[test]
fn a_joint_listed_twice_gets_a_second_node() {
    let mut character = made::skinned(3, 20, 2);
    character.skins[0].joints[2] = 0;
    let again = read_again(&character).character;
    assert_eq!(again.nodes.len(), 5);
    assert_same_vertices(&character, &again, "twice");
}

#[test]
fn maps_that_are_no_transform_go_into_a_matrix() {
    let mut character = made::skinned(2, 5, 1);
    let sheared = Affine::from_axes(Vec3::Y, -Vec3::X * 1.1, Vec3::Z * 0.7, Vec3::ONE);
    let rotation = Transform::from_rotation(Quat::from_rotation_x(0.3)).to_affine();
    let flat = Affine::from_axes(Vec3::X, Vec3::ZERO, Vec3::Z, Vec3::ONE);
    let maps = [sheared, rotation * sheared, flat];
    for map in maps {
        character.nodes.push(sinew::Node {
            parent_from_node: map,
            ..made::still("turned", None)
        });
    }
    let again = read_again(&character).character;
    for (node, map) in again.nodes[3..].iter().zip(maps) {
        assert_eq!(node.parent_from_node, map);
    }
}

#[test]
fn real_files_are_the_same_after_a_round_trip() {
    let files = ["gltf", "asset-generator"].map(|folder| foreign_files(folder, &["gltf", "glb"]));
    let files = files.concat();
    let are_there = !files.is_empty();
    let mut compared = 0;
    for path in files {
        let what = path.display().to_string();
        let Ok(first) = import(&path) else { continue };
        let with_source = ExportOptions::new().source(Some(&first.source));
        for options in [with_source, ExportOptions::default()] {
            let glb = to_glb(&first.character, &options).unwrap();
            let text = to_gltf(&first.character, &options).unwrap();
            for bytes in [&glb[..], text.as_bytes()] {
                let second = import_bytes(bytes, None).unwrap().character;
                assert_same_vertices(&first.character, &second, &what);
                // This skin has two roots, so export adds a common root.
                if !what.ends_with("Animation_Skin_06.gltf") {
                    assert_eq!(first.character.nodes, second.nodes, "{what}");
                }
                assert_eq!(first.character.clips, second.clips, "{what}");
            }
        }
        compared += 1;
    }
    assert!(
        !are_there || compared > 60,
        "only {compared} files were read"
    );
}
