//! Channels of `KHR_animation_pointer`: values of properties at times, round trips, and pointers to nothing.

use crate::{khronos, made_pointers, plain_gltf};
use made_pointers::{
    STEPS, camera_and_lights, channel, keys, material_and_texture, pointing, visibility,
};
use plain_gltf::{codes_at, exported, reads, try_read};
use serde_json::{Value, json};
use sinew::character::{Alpha, Driven, Lens, LightKind};
use sinew::{Interpolation, Track, sample};
use sinew_io::gltf::{ExportOptions, GltfImport, export, import_bytes};

/// Ten times, of which some are keys and some are beyond the last key.
const TIMES: [f64; 10] = [0.0, 0.1, 0.3, 0.5, 0.75, 0.8, 1.1, 1.5, 2.0, 2.5];

fn place(time: f64, times: &[f32]) -> (usize, f64, f64) {
    let times: Vec<f64> = times.iter().map(|time| f64::from(*time)).collect();
    let last = times.len() - 1;
    let time = time.clamp(times[0], times[last]);
    let after = times.iter().position(|key| *key > time).unwrap_or(last);
    let before = after.max(1) - 1;
    let length = times[before + 1] - times[before];
    (before, (time - times[before]) / length, length)
}

fn linear<const N: usize>(time: f64, times: &[f32], values: &[f32]) -> [f64; N] {
    let (key, part, _) = place(time, times);
    let at = |key: usize, c: usize| f64::from(values[key * N + c]);
    std::array::from_fn(|c| at(key, c) * (1.0 - part) + at(key + 1, c) * part)
}

fn step(time: f64, times: &[f32], values: &[f32]) -> f64 {
    let key = times.iter().rposition(|key| f64::from(*key) <= time);
    f64::from(values[key.unwrap_or(0)])
}

/// The cubic spline of the glTF specification, appendix C.
fn cubic(time: f64, times: &[f32], values: &[f32]) -> f64 {
    let (key, t, length) = place(time, times);
    let [_, v, b] = std::array::from_fn(|c| f64::from(values[3 * key + c]));
    let [a, w, _] = std::array::from_fn(|c| f64::from(values[3 * key + 3 + c]));
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * v
        + length * (t3 - 2.0 * t2 + t) * b
        + (-2.0 * t3 + 3.0 * t2) * w
        + length * (t3 - t2) * a
}

fn near<const N: usize>(found: [f32; N], wanted: [f64; N], what: &str) {
    for (found, wanted) in found.into_iter().zip(wanted) {
        assert!(
            (f64::from(found) - wanted).abs() < 1e-4,
            "{what}: {found} {wanted}"
        );
    }
}

/// Calls `check` with the objects of an import at ten times of its clip.
fn at_times(import: &GltfImport, mut check: impl FnMut(f64, &Driven)) {
    let mut driven = Driven::new(&import.character);
    // Backwards, so that values of another time would be found.
    for time in TIMES.into_iter().rev() {
        driven.update(Some(&import.character.clips[0]), time);
        check(time, &driven);
    }
    driven.update(None, 0.0);
    let unlike = Driven::new(&import.character);
    assert_eq!(driven.materials().len(), unlike.materials().len());
    assert_eq!(
        (driven.lights(), driven.cameras()),
        (unlike.lights(), unlike.cameras())
    );
}

#[test]
fn cameras_and_lights_have_the_values_of_their_keys() {
    let import = reads(&camera_and_lights());
    assert!(import.report.is_empty(), "{}", import.report);
    let names: Vec<String> = import
        .character
        .bindings
        .iter()
        .map(|own| own.target.to_string())
        .collect();
    assert_eq!(names[0], "camera.front.fov");
    assert_eq!(names[3], "camera.#1.half_width", "a camera without a name");
    assert_eq!(names[5], "light.spot.intensity");
    assert_eq!(names[8], "light.#1.color");
    assert_eq!(names.len(), 9);
    let skeleton = &import.character.skeleton;
    let tripod = skeleton.find("tripod").unwrap();
    at_times(&import, |time, driven| {
        let camera = &driven.cameras()[0];
        let Lens::Perspective { fov_y_rad } = camera.lens else {
            panic!("{camera:?}")
        };
        near([fov_y_rad], linear(time, &STEPS, &[0.4, 0.9, 0.6]), "fov");
        near(
            [camera.near],
            [step(time, &STEPS, &[0.1, 0.2, 0.4])],
            "near",
        );
        near(
            [camera.far],
            linear(time, &[0.5, 1.5], &[30.0, 90.0]),
            "far",
        );
        let camera = &driven.cameras()[1];
        let Lens::Orthographic {
            half_size: [wide, high],
        } = camera.lens
        else {
            panic!("{camera:?}")
        };
        near([wide], linear(time, &STEPS, &[1.0, 3.0, 2.0]), "half width");
        near(
            [high],
            [step(time, &STEPS, &[2.0, 4.0, 1.0])],
            "half height",
        );
        let [spot, lamp] = driven.lights() else {
            panic!("two lights")
        };
        let keys = [0.0, 1.0, 2.0, -1.0, 5.0, 0.5, 0.25, 2.0, 0.0];
        near([spot.intensity], [cubic(time, &STEPS, &keys)], "intensity");
        let LightKind::Spot {
            range, outer_rad, ..
        } = spot.kind
        else {
            panic!("{spot:?}")
        };
        near(
            [outer_rad],
            linear(time, &STEPS, &[0.3, 0.8, 0.5]),
            "outer angle",
        );
        let wanted = step(time, &STEPS, &[0.0, 6.0, 8.0]);
        assert_eq!(range.map(f64::from), (wanted > 0.0).then_some(wanted));
        let colors = [1.0, 0.0, 0.5, 0.25, 1.0, 0.75, 0.5, 0.5, 0.0];
        near(lamp.color, linear(time, &STEPS, &colors), "colour");
        let mut pose = skeleton.rest().clone();
        sample(&import.character.clips[0], skeleton, time, &mut pose).unwrap();
        let places = [0.0, 0.0, 5.0, 1.0, 0.5, 4.0, 2.0, 0.0, 6.0];
        near(
            pose.get(tripod).translation.to_array(),
            linear(time, &STEPS, &places),
            "position",
        );
    });
}

#[test]
fn materials_and_textures_have_the_values_of_their_keys() {
    let import = reads(&material_and_texture());
    let unusable = import
        .report
        .findings
        .iter()
        .filter(|f| f.code != "NOT_DRAWN");
    assert_eq!(unusable.count(), 0, "{}", import.report);
    at_times(&import, |time, driven| {
        let material = &driven.materials()[0];
        let colors = [1.0, 0.0, 0.5, 1.0, 0.25, 1.0, 0.75, 0.5, 0.5, 0.5, 0.0, 0.0];
        near(material.base_color, linear(time, &STEPS, &colors), "colour");
        let keys = [0.0, 0.2, 0.5, 0.25, 0.5, -0.25, 0.25, 0.4, 0.0];
        near(
            [material.roughness],
            [cubic(time, &STEPS, &keys)],
            "roughness",
        );
        near(
            [material.metallic],
            [step(time, &STEPS, &[0.0, 1.0, 0.5])],
            "metallic",
        );
        let light = [0.0, 0.0, 1.0, 1.0, 0.5, 0.0, 0.25, 0.0, 0.0];
        near(material.emissive, linear(time, &STEPS, &light), "emissive");
        near(
            [material.emissive_strength],
            [step(time, &STEPS, &[1.0, 8.0, 3.0])],
            "strength",
        );
        let Alpha::Mask(cutoff) = material.alpha else {
            panic!("{material:?}")
        };
        near([cutoff], linear(time, &STEPS, &[0.25, 0.5, 0.75]), "cutoff");
        near(
            [material.normal_scale],
            linear(time, &STEPS, &[1.0, -1.0, 2.0]),
            "normal scale",
        );
        near(
            [material.clearcoat.strength],
            linear(time, &STEPS, &[0.0, 1.0, 0.5]),
            "coat",
        );
        let [x, y] = linear(time, &STEPS, &[0.0, 0.0, 1.0, 0.5, 0.0, 2.0]);
        let [angle]: [f64; 1] = linear(time, &STEPS, &[0.0, 1.5, -1.0]);
        let [wide, high] = linear(time, &STEPS, &[1.0, 1.0, -2.0, 0.5, 1.0, 3.0]);
        // The matrix of KHR_texture_transform: translation × rotation × scale.
        let (sin, cos) = angle.sin_cos();
        let wanted = [cos * wide, sin * high, x, -sin * wide, cos * high, y];
        let used = material.base_color_texture.unwrap();
        let found: [f32; 6] = used.transform.as_flattened().try_into().unwrap();
        near(found, wanted, "texture transform");
    });
}

#[test]
fn nodes_are_hidden_with_all_below_them() {
    let import = reads(&visibility());
    assert!(import.report.is_empty(), "{}", import.report);
    assert_eq!(import.character.hidden, [2]);
    at_times(&import, |time, driven| {
        let above = step(time, &STEPS, &[1.0, 0.0, 1.0]) == 1.0;
        let own = step(time, &[0.25, 0.5], &[0.0, 1.0]) == 1.0;
        let hidden = [0, 1, 2].map(|node| driven.is_hidden(node));
        assert_eq!(hidden, [!above, !(above && own), true], "{time}");
    });
}

fn pointers(document: &Value) -> Vec<&str> {
    let channels = document["animations"][0]["channels"]
        .as_array()
        .unwrap()
        .iter();
    let pointer = |c: &'_ Value| {
        c.pointer("/target/extensions/KHR_animation_pointer/pointer")
            .is_some()
    };
    let own = channels.filter(|c| pointer(c));
    own.map(|c| {
        c["target"]["extensions"]["KHR_animation_pointer"]["pointer"]
            .as_str()
            .unwrap()
    })
    .collect()
}

#[test]
fn files_come_out_as_they_went_in_and_the_khronos_validator_finds_nothing() {
    let folder = khronos::empty_folder("pointers");
    for (name, before) in [
        ("camera", camera_and_lights()),
        ("material", material_and_texture()),
        ("visibility", visibility()),
    ] {
        let import = reads(&before);
        let (after, report) = exported(&import);
        assert!(report.is_empty(), "{name}: {report}");
        let mut wanted = pointers(&before);
        // Transforms of nodes become ordinary channels.
        wanted.retain(|pointer| *pointer != "/nodes/1/translation");
        assert_eq!(pointers(&after), wanted, "{name}");
        assert_eq!(after["extensionsUsed"], before["extensionsUsed"], "{name}");
        for list in ["materials", "cameras", "extensions"] {
            assert_eq!(after[list], before[list], "{name}");
        }
        assert_eq!(
            after["extras"],
            Value::Null,
            "{name}: bindings are in the channels"
        );
        assert_eq!(after["animations"][0]["extras"], Value::Null, "{name}");
        let (again, own) = (reads(&after).character, &import.character);
        assert_eq!((&again.clips, &again.bindings), (&own.clips, &own.bindings));
        assert_eq!(
            (&again.materials, &again.lights),
            (&own.materials, &own.lights)
        );
        assert_eq!((&again.cameras, &again.hidden), (&own.cameras, &own.hidden));
        std::fs::write(folder.join(format!("{name}.gltf")), after.to_string()).unwrap();
        std::fs::write(
            folder.join(format!("{name}-before.gltf")),
            before.to_string(),
        )
        .unwrap();
    }
    if khronos::has_validator() {
        let reported = khronos::validated(&folder);
        assert!(reported.contains("6 files, 0 errors"), "{reported}");
    }
}

#[test]
fn pointers_to_nothing_are_reported_and_kept() {
    let one = keys("LINEAR", &[0.0, 1.0], 1, &[0.0, 1.0]);
    let three = keys("LINEAR", &[0.0, 1.0], 3, &[0.0, 1.0, 0.0, 1.0, 0.0, 1.0]);
    let short = keys("LINEAR", &[0.0, 1.0, 2.0], 1, &[0.0, 1.0]);
    let huge = format!("/materials/0/{}", "x".repeat(1 << 20));
    let cases = [
        ("/materials/7/alphaCutoff", &one),
        ("/materials/00/alphaCutoff", &one),
        ("/materials/-1/alphaCutoff", &one),
        ("/materials/+0/alphaCutoff", &one),
        ("/materials/99999999999999999999/alphaCutoff", &one),
        ("/materials/0", &one),
        ("/materials/0/", &one),
        ("/materials/0/name", &one),
        ("/materials/0/alphaCutoff/", &one),
        ("/materials/0/normalTexture/scale", &one),
        (
            "/materials/0/emissiveTexture/extensions/KHR_texture_transform/offset",
            &one,
        ),
        ("/materials/0/alphaCutoff", &three),
        ("/materials/0/alphaCutoff", &short),
        ("/materials/0/emissiveFactor", &one),
        ("/nodes/0/extensions/KHR_node_visibility/visible", &one),
        ("/nodes/9/translation", &three),
        ("/nodes/0/rotation", &three),
        ("/nodes/0/weights", &one),
        ("/cameras/0/perspective/yfov", &one),
        ("/extensions/KHR_lights_punctual/lights/0/intensity", &one),
        ("/extensions/ACME_wind/strength", &one),
        ("", &one),
        (&huge, &one),
    ];
    for (pointer, keys) in cases {
        let short_name = &pointer[..pointer.len().min(80)];
        let before = pointing(pointer, keys);
        let import = try_read(&before).unwrap_or_else(|why| panic!("{short_name}: {why}"));
        let codes = codes_at(&import.report, "/animations/0/channels/0/target");
        assert_eq!(codes, ["UNUSABLE_ANIMATION_CHANNEL"], "{short_name}");
        assert!(
            import.character.bindings.is_empty() && import.character.clips[0].curves.is_empty()
        );
        let (after, _) = exported(&import);
        assert_eq!(pointers(&after), [pointer], "{short_name}");
    }
}

#[test]
fn keys_that_no_track_can_have_are_reported() {
    let falling = keys("LINEAR", &[0.0, 0.0, f32::NAN], 1, &[0.0, 1.0, 2.0]);
    let mut document = pointing("/materials/0/alphaCutoff", &falling);
    let last = document["accessors"].as_array().unwrap().len() - 2;
    document["accessors"][last]["max"] = json!([0.0]);
    // Whatever remains of the keys, the file is read.
    let import = try_read(&document);
    assert!(import.is_ok_and(|import| !import.report.is_empty()));
}

#[test]
fn as_many_properties_as_a_frame_can_search_are_read() {
    let mut document = pointing("/materials/0/alphaCutoff", &keys("STEP", &[0.0], 1, &[0.5]));
    let materials: Vec<Value> = (0..300).map(|_| json!({"alphaMode": "MASK"})).collect();
    document["materials"] = json!(materials);
    for material in 1..300 {
        let pointer = format!("/materials/{material}/alphaCutoff");
        channel(&mut document, &pointer, &keys("STEP", &[0.0], 1, &[0.5]));
    }
    let import = reads(&document);
    assert_eq!(import.character.bindings.len(), 256);
    assert_eq!(import.report.findings.len(), 300 - 256, "{}", import.report);
}

#[test]
fn of_two_channels_with_one_target_the_first_counts() {
    let mut document = pointing("/materials/0/alphaCutoff", &keys("STEP", &[0.0], 1, &[0.5]));
    channel(
        &mut document,
        "/materials/0/alphaCutoff",
        &keys("STEP", &[0.0], 1, &[0.75]),
    );
    document["materials"] = json!([{"alphaMode": "MASK"}]);
    let import = reads(&document);
    assert_eq!(import.character.clips[0].curves.len(), 1);
    let codes = codes_at(&import.report, "/animations/0/channels/1/target");
    assert_eq!(codes, ["UNUSABLE_ANIMATION_CHANNEL"]);
}

/// A curve with a name of its own comes back by its name, and other programs see it too.
#[test]
fn curves_with_their_own_names_are_in_extras_and_channels() {
    let mut import = reads(&camera_and_lights());
    let character = &mut import.character;
    let clip = &mut character.clips[0];
    clip.curves[5].name = "glow".to_owned();
    clip.curves[5].track =
        Track::new(vec![0.0, 1.0], vec![1.0, 4.0], 1, Interpolation::Linear).unwrap();
    character.bindings[5].signal = "glow".to_owned();
    character
        .bindings
        .push("glow=parameter.speed".parse().unwrap());
    let (after, report) = exported(&import);
    assert!(report.is_empty(), "{report}");
    let lamp = "/extensions/KHR_lights_punctual/lights/0/intensity";
    let found = pointers(&after).iter().filter(|own| **own == lamp).count();
    assert_eq!(found, 1);
    assert_eq!(
        after["animations"][0]["extras"]["sinew"]["curves"][0]["name"],
        "glow"
    );
    let lines = after["extras"]["sinew"]["bindings"].as_array().unwrap();
    assert_eq!(lines.len(), 2, "{lines:?}");
    let again = reads(&after);
    let sorted = |import: &GltfImport| {
        let mut lines: Vec<String> = import
            .character
            .bindings
            .iter()
            .map(ToString::to_string)
            .collect();
        lines.sort();
        let mut curves = import.character.clips[0].curves.clone();
        curves.sort_by(|a, b| a.name.cmp(&b.name));
        (lines, curves)
    };
    assert_eq!(sorted(&again), sorted(&import));
    // A program that drops our extras of the animation leaves the channel.
    let mut stripped = after.clone();
    stripped["animations"][0]
        .as_object_mut()
        .unwrap()
        .remove("extras");
    let import = reads(&stripped);
    let glow = import.character.clips[0]
        .curves
        .iter()
        .find(|own| own.name == "glow");
    assert_eq!(glow.unwrap().track.values()[..], [1.0, 4.0]);
}

/// A curve that is deleted does not come back from the source.
#[test]
fn deleted_curves_stay_deleted() {
    let mut import = reads(&material_and_texture());
    import.character.clips[0].curves.remove(0);
    let (after, _) = exported(&import);
    let all = pointers(&after);
    assert!(
        !all.contains(&"/materials/0/pbrMetallicRoughness/baseColorFactor"),
        "{all:?}"
    );
    assert_eq!(all.len(), 10);
    assert_eq!(reads(&after).character.clips, import.character.clips);
}

#[test]
fn characters_made_by_code_have_pointers_too() {
    let mut tube = sinew_samples::tube_character();
    tube.materials[0].name = "tube".to_owned();
    let clip = &mut tube.clips[0];
    for (name, values, kind) in [
        ("material.tube.roughness", [0.0, 1.0], Interpolation::Linear),
        ("material.tube.clearcoat", [0.0, 1.0], Interpolation::Linear),
        ("node.#0.visible", [0.0, 1.0], Interpolation::Step),
    ] {
        let track = Track::new(vec![0.0, 1.0], values.to_vec(), 1, kind).unwrap();
        let name = name.to_owned();
        tube.bindings
            .push(format!("{name}={name}").parse().unwrap());
        clip.curves.push(sinew::clip::Curve { name, track });
    }
    tube.nodes[0].name = String::new();
    let export = export(&tube, &ExportOptions::new()).unwrap();
    let text = export.to_gltf().unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        pointers(&document),
        [
            "/materials/0/pbrMetallicRoughness/roughnessFactor",
            "/materials/0/extensions/KHR_materials_clearcoat/clearcoatFactor",
            "/nodes/0/extensions/KHR_node_visibility/visible",
        ]
    );
    // The extension that a pointer needs is there.
    assert_eq!(
        document["materials"][0]["extensions"]["KHR_materials_clearcoat"],
        json!({})
    );
    assert_eq!(
        document["nodes"][0]["extensions"]["KHR_node_visibility"],
        json!({"visible": true})
    );
    let back = import_bytes(text.as_bytes(), None).unwrap().character;
    assert_eq!(back.bindings, tube.bindings);
    assert_eq!(back.clips[0].curves, tube.clips[0].curves);
    if khronos::has_validator() {
        let folder = khronos::empty_folder("pointers-by-code");
        std::fs::write(folder.join("tube.gltf"), &text).unwrap();
        let reported = khronos::validated(&folder);
        assert!(reported.contains("1 files, 0 errors"), "{reported}");
    }
}
