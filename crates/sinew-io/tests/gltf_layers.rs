//! Layers over clips in `extras` and animations of their own: round trips, and malformed data.

use crate::made;

use glam::{Quat, Vec3};
use serde_json::{Value, json};
use sinew::clip::{ClipLayer, ClipLayers, JointTracks};
use sinew::{Character, Clip, Interpolation, Joint, Track, Transform};
use sinew_io::Severity;
use sinew_io::gltf::{ExportOptions, GltfImport, export, import_bytes, to_glb, to_gltf};

use Interpolation::{CatmullRom, CubicHermite, Linear, Quadratic, Slerp, Step};

fn rotations(noise: &mut made::Noise, times: &[f32], interpolation: Interpolation) -> Track {
    let elements = times.len() * interpolation.elements_per_key();
    let keys: Vec<Quat> = (0..elements).map(|_| noise.rotation()).collect();
    Track::rotations(times.to_vec(), &keys, interpolation).unwrap()
}

fn vectors(noise: &mut made::Noise, times: &[f32], interpolation: Interpolation) -> Track {
    let elements = times.len() * interpolation.elements_per_key();
    let keys: Vec<Vec3> = (0..elements)
        .map(|_| Vec3::ONE + 0.3 * noise.vector())
        .collect();
    Track::vectors(times.to_vec(), &keys, interpolation).unwrap()
}

/// An additive layer on joints 0 and 2.
fn raise(interpolation: Interpolation) -> ClipLayer {
    let mut noise = made::Noise::new(5);
    let times = [0.1, 0.35, 1.2];
    let other = if interpolation == Slerp {
        Linear
    } else {
        interpolation
    };
    ClipLayer {
        name: "raise \"arm\"".to_owned(),
        additive: true,
        weight: 0.7,
        joints: Vec::new(),
        tracks: vec![
            JointTracks {
                joint: 0,
                rotation: Some(rotations(&mut noise, &times, interpolation)),
                ..JointTracks::default()
            },
            JointTracks {
                joint: 2,
                translation: Some(vectors(&mut noise, &times, other)),
                rotation: Some(rotations(&mut noise, &times, interpolation)),
                scale: Some(vectors(&mut noise, &times[..2], other)),
            },
        ],
    }
}

/// A layer that replaces the motion of joint 1, but not that of joint 2.
fn hold() -> ClipLayer {
    let mut noise = made::Noise::new(6);
    let tracks = |joint: usize, noise: &mut made::Noise| JointTracks {
        joint,
        rotation: Some(rotations(noise, &[0.0, 2.5], Slerp)),
        ..JointTracks::default()
    };
    ClipLayer {
        name: "hold".to_owned(),
        additive: false,
        weight: 0.4,
        joints: vec![1],
        tracks: vec![tracks(1, &mut noise), tracks(2, &mut noise)],
    }
}

fn add(character: &mut Character, clip: usize, layers: Vec<ClipLayer>) {
    let mut layers = ClipLayers {
        clip,
        base: Vec::new(),
        layers,
    };
    layers.flatten_into(&character.skeleton, &mut character.clips[clip]);
    character.layers.push(layers);
}

/// Three clips, of which the second has layers. Joint 0 has no track below them.
pub fn layered() -> Character {
    let mut character = made::animated(&[Slerp, CubicHermite, Step]);
    character.clips[1].joints.remove(0);
    for clip in &mut character.clips {
        // glTF has no spherical interpolation of vectors.
        for joint in &mut clip.joints {
            for track in [&mut joint.translation, &mut joint.scale]
                .into_iter()
                .flatten()
            {
                if track.interpolation() == Slerp {
                    let (times, values) = (track.times().clone(), track.values().clone());
                    *track = Track::new(times, values, 3, Linear).unwrap();
                }
            }
        }
    }
    add(&mut character, 1, vec![raise(CubicHermite), hold()]);
    character
}

fn document(character: &Character) -> Value {
    let text = to_gltf(character, &ExportOptions::default()).expect("written");
    serde_json::from_str(&text).expect("JSON")
}

fn read(document: &Value) -> GltfImport {
    import_bytes(document.to_string().as_bytes(), None).expect("read")
}

fn names(character: &Character) -> Vec<&str> {
    let clips = character.clips.iter();
    clips.map(|clip| clip.name.as_str()).collect()
}

fn assert_given(character: &Character, what: &str) {
    character.check().expect("consistent");
    for layers in &character.layers {
        let clip = &character.clips[layers.clip];
        assert!(layers.gives(&character.skeleton, clip), "{what}");
    }
}

#[test]
fn layers_come_back_to_the_bit() {
    let character = layered();
    let written = document(&character);
    let animations = written["animations"].as_array().expect("animations");
    let named: Vec<&Value> = animations
        .iter()
        .map(|animation| &animation["name"])
        .collect();
    assert_eq!(
        named,
        [
            "Slerp",
            "CubicHermite",
            "Step",
            "CubicHermite (base)",
            "CubicHermite: raise \"arm\"",
            "CubicHermite: hold"
        ]
    );
    let layers = json!({
        "base": 3,
        "baseJoints": [0, 1, 2],
        "layers": [
            {"name": "raise \"arm\"", "additive": true, "weight": 0.7, "joints": [], "animation": 4},
            {"name": "hold", "additive": false, "weight": 0.4, "joints": [1], "animation": 5},
        ],
    });
    assert_eq!(animations[1]["extras"]["sinew"]["layers"], layers);
    for part in &animations[3..] {
        assert_eq!(part["extras"], json!({"sinew": {"partOf": 1}}));
    }
    let import = read(&written);
    assert!(import.report.is_empty(), "{}", import.report);
    assert_eq!(import.character.clips, character.clips);
    assert_eq!(import.character.layers, character.layers);
    assert_given(&import.character, "round trip");
    // The source document has the clips alone, so that a new clip gets nothing of a part.
    assert_eq!(import.source.document.animations.len(), 3);
    let options = ExportOptions::new().source(Some(&import.source));
    let again = to_gltf(&import.character, &options).expect("written");
    assert_eq!(
        serde_json::from_str::<Value>(&again).expect("JSON"),
        written
    );
    let mut flat = import.character.clone();
    flat.layers.clear();
    flat.clips.push(Clip {
        name: "new".to_owned(),
        ..flat.clips[0].clone()
    });
    let flat = read(&serde_json::from_str(&to_gltf(&flat, &options).unwrap()).unwrap());
    assert_eq!(
        names(&flat.character),
        ["Slerp", "CubicHermite", "Step", "new"]
    );
    assert!(flat.character.layers.is_empty() && flat.report.is_empty());
}

#[test]
fn layers_give_their_clip_with_every_interpolation() {
    for below in [Step, Linear, Slerp, Quadratic, CubicHermite, CatmullRom] {
        for above in [Step, Linear, Slerp, Quadratic, CubicHermite, CatmullRom] {
            let what = format!("{above:?} over {below:?}");
            let mut character = made::animated(&[below]);
            add(&mut character, 0, vec![raise(above), hold()]);
            assert_given(&character, &what);
            let export = export(&character, &ExportOptions::default()).unwrap();
            let compressed = export.clone().compressed().unwrap();
            for file in [export, compressed] {
                let import = import_bytes(&file.to_glb().unwrap(), None).unwrap();
                assert_eq!(import.character.layers.len(), 1, "{what}");
                assert_given(&import.character, &what);
                let again = to_glb(&import.character, &ExportOptions::default()).unwrap();
                let again = import_bytes(&again, None).unwrap();
                assert_eq!(again.character.layers, import.character.layers, "{what}");
                assert_eq!(again.character.clips, import.character.clips, "{what}");
            }
        }
    }
}

#[test]
fn layers_give_their_clip_with_keys_that_files_change() {
    let mut noise = made::Noise::new(8);
    let integers = |q: Quat| q.to_array().map(|c| (c * 32767.0).round() / 32767.0);
    let rounded: Vec<f32> = (0..5).flat_map(|_| integers(noise.rotation())).collect();
    let long: Vec<f32> = rounded.iter().map(|c| c * 1.001).collect();
    let times = vec![0.0, 0.3, 0.4, 1.1, 1.5];
    let tracks = [
        // One key of a spline becomes a constant, without a curve.
        rotations(&mut noise, &[0.2], CubicHermite),
        rotations(&mut noise, &[0.2], Quadratic),
        Track::new(times.clone(), rounded, 4, Slerp).unwrap(),
        Track::new(times, long, 4, Slerp).unwrap(),
    ];
    for (number, track) in tracks.into_iter().enumerate() {
        for weight in [1.0, 0.4] {
            for is_base in [true, false] {
                let mut character = made::animated(&[Linear]);
                let mut layer = ClipLayer { weight, ..hold() };
                let base = character.clips[0].joint_mut(1);
                if is_base {
                    base.rotation = Some(track.clone());
                } else {
                    layer.tracks[0].rotation = Some(track.clone());
                }
                add(&mut character, 0, vec![layer]);
                let file = to_glb(&character, &ExportOptions::default()).unwrap();
                let import = import_bytes(&file, None).unwrap();
                assert_eq!(import.character.layers.len(), 1);
                let what = format!("track {number}, weight {weight}, base {is_base}");
                assert_given(&import.character, &what);
            }
        }
    }
}

#[test]
fn clips_keep_their_order_beside_two_with_layers() {
    let mut character = made::animated(&[Step, Slerp, CubicHermite, Linear]);
    for clip in [3, 1] {
        add(&mut character, clip, vec![hold()]);
    }
    let written = document(&character);
    let import = read(&written);
    let same = ["Step", "Slerp", "CubicHermite", "Linear"];
    assert_eq!(names(&import.character), same);
    let clips: Vec<usize> = import.character.layers.iter().map(|l| l.clip).collect();
    assert_eq!(clips, [1, 3]);
    assert_given(&import.character, "two");
    // Another program may write the parts first.
    let mut moved = written;
    let animations = moved["animations"].as_array_mut().expect("animations");
    animations.rotate_right(4);
    for animation in animations {
        let ours = &mut animation["extras"]["sinew"];
        if let Some(whole) = ours["partOf"].as_u64() {
            ours["partOf"] = json!(whole + 4);
        }
        if ours["layers"].is_object() {
            ours["layers"]["base"] = json!(ours["layers"]["base"].as_u64().unwrap() - 4);
            let animation = &mut ours["layers"]["layers"][0]["animation"];
            *animation = json!(animation.as_u64().unwrap() - 4);
        }
        if ours.is_null() || ours["partOf"].is_null() && ours["layers"].is_null() {
            animation.as_object_mut().unwrap().remove("extras");
        }
    }
    let moved = read(&moved);
    assert_eq!(moved.character.clips, import.character.clips);
    assert_eq!(moved.character.layers, import.character.layers);
    assert_eq!(moved.source.document.animations.len(), 4);
}

#[test]
fn joints_are_found_by_their_nodes() {
    let mut character = layered();
    // Nodes in another order give joints in another order.
    let rest = Transform::IDENTITY;
    let mut joints = character.skeleton.joints();
    joints.push(Joint::new("tip", Some(0), rest));
    joints.push(Joint::new("toe", Some(0), rest));
    let mut leaves = Character::from_skeleton(sinew::Skeleton::new(joints).unwrap().0);
    std::mem::swap(&mut leaves.clips, &mut character.clips);
    std::mem::swap(&mut leaves.layers, &mut character.layers);
    let last = leaves.nodes.len() - 1;
    leaves.nodes.reverse();
    for node in &mut leaves.nodes {
        node.parent = node.parent.map(|parent| last - parent);
    }
    // Nothing moves the tip, and nothing but a layer without weight moves the toe.
    leaves.layers[0].layers[1].joints = vec![1, 3];
    leaves.layers[0].layers.push(ClipLayer {
        name: "off".to_owned(),
        weight: 0.0,
        joints: Vec::new(),
        tracks: vec![JointTracks {
            joint: 4,
            ..hold().tracks[0].clone()
        }],
        ..hold()
    });
    leaves.layers[0].layers.push(ClipLayer {
        name: "empty".to_owned(),
        tracks: Vec::new(),
        ..hold()
    });
    let import = read(&document(&leaves));
    assert!(import.report.is_empty(), "{}", import.report);
    let back = import.character;
    assert_given(&back, "another order");
    assert_eq!(back.skeleton.len(), 5);
    let named = |character: &Character| {
        let name = |joint: usize| character.skeleton.name(joint).to_owned();
        let tracks = |tracks: &[JointTracks]| {
            let own = |t: &JointTracks| {
                let rest = (t.translation.clone(), t.rotation.clone(), t.scale.clone());
                (name(t.joint), format!("{rest:?}"))
            };
            let mut named: Vec<_> = tracks.iter().map(own).collect();
            named.sort();
            named
        };
        let layers = &character.layers[0];
        let layer = |layer: &ClipLayer| {
            let mut mask: Vec<_> = layer.joints.iter().map(|joint| name(*joint)).collect();
            mask.sort();
            (layer.name.clone(), mask, tracks(&layer.tracks))
        };
        let above: Vec<_> = layers.layers.iter().map(layer).collect();
        (tracks(&layers.base), above)
    };
    assert_eq!(named(&back), named(&leaves));
    let order = |character: &Character| -> Vec<String> {
        let joints = 0..character.skeleton.len();
        joints
            .map(|j| character.skeleton.name(j).to_owned())
            .collect()
    };
    assert_ne!(order(&back), order(&leaves), "the test needs another order");
}

#[test]
fn layers_that_do_not_give_their_clip_are_left_out() {
    type Spoil = fn(&mut Character);
    let cases: [(&str, Spoil); 5] = [
        ("another motion", |c| c.clips.swap(0, 1)),
        ("no clip", |c| c.layers[0].clip = 9),
        ("another weight", |c| c.layers[0].layers[0].weight = 0.1),
        ("no joint", |c| c.layers[0].layers[1].joints.push(99)),
        ("twice", |c| {
            let mut flat = c.layers[0].clone();
            flat.layers[0].name = "other".to_owned();
            c.layers.push(flat);
        }),
    ];
    for (what, spoil) in cases {
        let mut character = layered();
        spoil(&mut character);
        let export = export(&character, &ExportOptions::default()).unwrap();
        let mut findings = export.report.of(Severity::Ignored);
        assert!(
            findings.any(|finding| finding.message.contains("layers")),
            "{what}: {}",
            export.report
        );
        let import = import_bytes(&export.to_glb().unwrap(), None).unwrap();
        let kept = usize::from(what == "twice");
        assert_eq!(import.character.layers.len(), kept, "{what}");
        assert_eq!(import.character.clips.len(), 3, "{what}");
        assert!(import.report.is_empty(), "{what}: {}", import.report);
    }
}

#[test]
fn layers_that_cannot_be_read_are_left_out_and_their_parts_are_clips() {
    let written = document(&layered());
    let layers = "/animations/1/extras/sinew/layers";
    let first = "/animations/1/extras/sinew/layers/layers/0";
    let cases = [
        (layers, "", json!([1, 2])),
        (layers, "", json!(null)),
        (layers, "/layers", json!({})),
        (layers, "/layers", json!(null)),
        (layers, "/base", json!(6)),
        (layers, "/base", json!(-1)),
        (layers, "/base", json!(1.5)),
        (layers, "/base", json!(1e30)),
        (layers, "/base", json!("3")),
        // Another clip, itself, and a part that is used twice.
        (layers, "/base", json!(0)),
        (layers, "/base", json!(1)),
        (layers, "/base", json!(4)),
        (layers, "/baseJoints", json!(null)),
        (layers, "/baseJoints", json!([0, 1])),
        (layers, "/baseJoints", json!([0, 1, 2, 99])),
        (layers, "/baseJoints", json!([0, 1, 2, 2])),
        (layers, "/baseJoints", json!([0, 1, -2])),
        (first, "", json!(3)),
        (first, "/name", json!(4)),
        (first, "/name", json!("hold")),
        (first, "/additive", json!(1)),
        (first, "/weight", json!(1.01)),
        (first, "/weight", json!(-0.1)),
        (first, "/weight", json!(1e60)),
        (first, "/weight", json!(null)),
        (first, "/joints", json!([99])),
        (first, "/joints", json!(["hip"])),
        (first, "/joints", json!(1)),
        (first, "/animation", json!(6)),
        (first, "/animation", json!(1)),
        (first, "/animation", json!(5)),
    ];
    for (location, member, value) in cases {
        let what = format!("{location}{member}: {value}");
        let mut document = written.clone();
        *document
            .pointer_mut(&format!("{location}{member}"))
            .expect(&what) = value;
        let import = read(&document);
        import.character.check().expect(&what);
        assert!(import.character.layers.is_empty(), "{what}");
        assert_eq!(import.character.clips.len(), 6, "{what}");
        assert_eq!(import.source.document.animations.len(), 6, "{what}");
        let findings: Vec<_> = import.report.of(Severity::Ignored).collect();
        assert_eq!(findings.len(), 1, "{what}: {}", import.report);
        assert_eq!(findings[0].code, "EXTRAS_UNREADABLE", "{what}");
        assert!(findings[0].pointer.starts_with(layers), "{what}");
        // The next export has no trace of the layers.
        let options = ExportOptions::new().source(Some(&import.source));
        let again = to_gltf(&import.character, &options).expect(&what);
        assert!(
            !again.contains("partOf") && !again.contains("baseJoints"),
            "{what}"
        );
    }
}

#[test]
fn parts_without_a_whole_are_clips() {
    let written = document(&layered());
    type Spoil = fn(&mut Value);
    let cases: [(&str, Spoil, &[&str]); 6] = [
        (
            "a clip is part of a clip that has no layers",
            |d| d["animations"][0]["extras"] = json!({"sinew": {"partOf": 2}}),
            &["/animations/0/extras/sinew/partOf"],
        ),
        (
            "a clip is part of itself, or of nothing",
            |d| {
                d["animations"][0]["extras"] = json!({"sinew": {"partOf": 0}});
                d["animations"][2]["extras"] = json!({"sinew": {"partOf": "one"}});
            },
            &[
                "/animations/0/extras/sinew/partOf",
                "/animations/2/extras/sinew/partOf",
            ],
        ),
        (
            "the layers do not use a part",
            |d| d["animations"][1]["extras"]["sinew"]["layers"]["layers"] = json!([]),
            &[
                "/animations/4/extras/sinew/partOf",
                "/animations/5/extras/sinew/partOf",
            ],
        ),
        (
            "the whole is a part",
            |d| d["animations"][1]["extras"]["sinew"]["partOf"] = json!(1),
            &["/animations/1/extras/sinew/layers"],
        ),
        (
            "a part of another",
            |d| d["animations"][4]["extras"]["sinew"]["partOf"] = json!(0),
            &[
                "/animations/1/extras/sinew/layers/layers/0",
                "/animations/4/extras/sinew/partOf",
            ],
        ),
        (
            "a part with an event",
            |d| d["animations"][4]["extras"]["sinew"]["events"] = json!([{"time": 0, "name": "a"}]),
            &["/animations/1/extras/sinew/layers"],
        ),
    ];
    for (what, spoil, wanted) in cases {
        let mut document = written.clone();
        spoil(&mut document);
        let import = read(&document);
        import.character.check().expect(what);
        let findings = import.report.of(Severity::Ignored);
        let locations: Vec<&str> = findings.map(|finding| finding.pointer.as_str()).collect();
        assert_eq!(locations, wanted, "{what}: {}", import.report);
        let parts = 6 - import.character.clips.len();
        assert_eq!(import.source.document.animations.len(), 6 - parts, "{what}");
        let has_layers = usize::from(parts > 0);
        assert_eq!(import.character.layers.len(), has_layers, "{what}");
    }
}

#[test]
fn times_that_ask_for_more_keys_than_memory_holds_are_refused() {
    let mut character = made::animated(&[Slerp]);
    let mut noise = made::Noise::new(3);
    let times: Vec<f32> = (0..20_000).map(|key| key as f32 * 1e6).collect();
    let track = rotations(&mut noise, &times, CubicHermite);
    // Two thousand million keys, 40 GB.
    character.layers.push(ClipLayers {
        clip: 0,
        base: vec![character.clips[0].joints[1].clone()],
        layers: vec![ClipLayer {
            tracks: vec![JointTracks {
                joint: 1,
                rotation: Some(track),
                ..JointTracks::default()
            }],
            ..hold()
        }],
    });
    assert!(!character.layers[0].gives(&character.skeleton, &character.clips[0]));
    let export = export(&character, &ExportOptions::default()).unwrap();
    assert_eq!(export.document.animations.len(), 1);
}
