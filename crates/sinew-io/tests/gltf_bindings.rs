//! Bindings and correctives in `extras`: round trips, foreign data beside them, and malformed data.

use glam::Quat;
use serde_json::{Value, json};
use sinew::binding::Binding;
use sinew::{Character, Method, deform};
use sinew_io::Severity;
use sinew_io::gltf::{ExportOptions, GltfImport, import_bytes, to_gltf};
use sinew_samples::mannequin::{Mannequin, sword_form_bindings};
use sinew_samples::muscle_character;

fn document(character: &Character) -> Value {
    let text = to_gltf(character, &ExportOptions::default()).expect("written");
    serde_json::from_str(&text).expect("JSON")
}

fn read(document: &Value) -> GltfImport {
    import_bytes(document.to_string().as_bytes(), None).expect("read")
}

fn found<'i>(import: &'i GltfImport, code: &str) -> Vec<(&'i str, &'i str)> {
    let findings = Severity::ALL
        .into_iter()
        .flat_map(|severity| import.report.of(severity));
    findings
        .filter(|finding| finding.code == code)
        .map(|finding| (finding.pointer.as_str(), finding.message.as_str()))
        .collect()
}

#[test]
fn a_table_and_correctives_come_back_as_they_were() {
    let mut limb = muscle_character();
    limb.correctives[0].rotation = Quat::from_xyzw(0.1, 0.7, 0.3, 0.2).normalize();
    limb.bindings.push(
        "pulse=material.tube.color"
            .parse::<Binding>()
            .expect("a binding"),
    );
    limb.bindings[1].signal = "a \"name\" = é".to_owned();
    let written = document(&limb);
    let table = &written["extras"]["sinew"]["bindings"];
    assert_eq!(
        table[0],
        json!({"signal": "pulse", "target": "morph.muscle"})
    );
    let back = read(&written);
    assert_eq!(back.character.bindings, limb.bindings);
    assert_eq!(back.character.correctives.len(), 1);
    let corrective = back.character.correctives[0];
    assert_eq!(
        corrective.rotation, limb.correctives[0].rotation,
        "to the bit"
    );
    assert_eq!(corrective.falloff_rad, limb.correctives[0].falloff_rad);
    // Joint indices may differ in the file, so the test compares names.
    assert_eq!(back.character.skeleton.name(corrective.joint), "upper");
    let moved = |character: &Character| {
        deform(character, Some(1), 1.7, Method::DualQuat)
            .expect("deformed")
            .primitives
    };
    assert_eq!(
        moved(&back.character)[0].positions,
        moved(&limb)[0].positions
    );
    // An empty table is not written, and foreign data stays.
    let mut others = written;
    others["extras"]["theirs"] = json!([1, 2]);
    others["extras"]["sinew"]["more"] = json!(3);
    others["meshes"][0]["extras"]["theirs"] = json!(4);
    let mut import = read(&others);
    import.character.bindings.clear();
    import.character.correctives.clear();
    import.character.stated_method = None;
    let source = Some(&import.source);
    let text = to_gltf(&import.character, &ExportOptions::new().source(source)).expect("written");
    let again: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        again["extras"],
        json!({"theirs": [1, 2], "sinew": {"more": 3}})
    );
    let mesh = &again["meshes"][0]["extras"];
    assert_eq!(*mesh, json!({"targetNames": ["muscle"], "theirs": 4}));
}

#[test]
fn a_binding_that_cannot_be_read_is_left_out_and_named() {
    let mut written = document(&muscle_character());
    written["extras"]["sinew"]["bindings"] = json!([
        {"signal": "pulse", "target": "camra.eye"},
        {"signal": "pulse"},
        {"target": "camera.eye"},
        {"signal": "", "target": "camera.eye"},
        "pulse=camera.fov",
        {"signal": "pulse", "target": "camera.fov", "note": "others may say more"},
        {"signal": "pulse", "target": 3},
    ]);
    let import = read(&written);
    let table: Vec<String> = import
        .character
        .bindings
        .iter()
        .map(Binding::to_string)
        .collect();
    assert_eq!(table, ["pulse=camera.fov"]);
    let findings = found(&import, "EXTRAS_UNREADABLE");
    let locations: Vec<&str> = findings.iter().map(|finding| finding.0).collect();
    let wanted = [0, 1, 2, 3, 4, 6].map(|line| format!("/extras/sinew/bindings/{line}"));
    assert_eq!(locations, wanted);
    assert!(
        findings[0].1.contains("did you mean camera?"),
        "{findings:?}"
    );
    assert!(
        findings[1].1.contains("`target` is missing"),
        "{findings:?}"
    );
    for table in [json!(7), json!({"pulse": "camera.eye"}), json!("none")] {
        written["extras"]["sinew"]["bindings"] = table;
        let import = read(&written);
        assert!(import.character.bindings.is_empty());
        let findings = found(&import, "EXTRAS_UNREADABLE");
        assert_eq!(findings[0].0, "/extras/sinew/bindings");
    }
    written["extras"]["sinew"]["bindings"] =
        vec![json!({"signal": "pulse", "target": "camera.fov"}); 2000].into();
    let import = read(&written);
    assert_eq!(import.character.bindings.len(), 256);
    let findings = found(&import, "EXTRAS_UNREADABLE");
    assert_eq!(findings[0].0, "/extras/sinew/bindings/256");
}

#[test]
fn a_binding_to_what_the_file_has_not_is_kept_and_noted() {
    let fencer = Character {
        bindings: sword_form_bindings(),
        ..Mannequin {
            edge_scale: 2.0,
            ..Mannequin::default()
        }
        .build()
    };
    let import = read(&document(&fencer));
    assert_eq!(import.character.bindings, fencer.bindings);
    // The lantern and the water belong to the stage, not to the file.
    let findings = found(&import, "BINDING_UNKNOWN");
    let locations: Vec<&str> = findings.iter().map(|finding| finding.0).collect();
    assert_eq!(
        locations,
        ["/extras/sinew/bindings/2", "/extras/sinew/bindings/3"]
    );
    assert!(
        findings[0].1.contains("no light \"lantern\""),
        "{findings:?}"
    );
    assert_eq!(import.report.count(Severity::Note), 2);
    let limb = read(&document(&muscle_character()));
    assert!(limb.report.is_empty(), "{:?}", limb.report);
}

#[test]
fn a_corrective_that_cannot_be_read_is_left_out_and_named() {
    let written = document(&muscle_character());
    let right = written["meshes"][0]["extras"]["sinew"]["correctives"][0].clone();
    let with = |name: &str, value: Value| {
        let mut wrong = right.clone();
        wrong[name] = value;
        wrong
    };
    let wrong = [
        json!("bent"),
        with("joint", json!(-1)),
        with("joint", json!(99)),
        with("joint", json!(2)),
        with("target", json!(1)),
        with("target", json!("muscle")),
        with("rotation", json!([0, 0, 0])),
        with("rotation", json!([0, 0, 0, 2])),
        with("rotation", json!([0, 0, 0, "x"])),
        with("falloff", json!(0)),
        with("falloff", json!(-1.5)),
        with("falloff", json!(1e60)),
    ];
    for (number, wrong) in wrong.into_iter().enumerate() {
        let mut document = written.clone();
        document["meshes"][0]["extras"]["sinew"]["correctives"] = json!([wrong, right]);
        let import = read(&document);
        assert_eq!(import.character.correctives.len(), 1, "{number}");
        let findings = found(&import, "EXTRAS_UNREADABLE");
        assert_eq!(findings.len(), 1, "{number}");
        assert_eq!(
            findings[0].0, "/meshes/0/extras/sinew/correctives/0",
            "{number}"
        );
    }
    let mut document = written;
    document["meshes"][0]["extras"]["sinew"]["correctives"] = json!({"joint": 0});
    let import = read(&document);
    assert!(import.character.correctives.is_empty());
    assert_eq!(
        found(&import, "EXTRAS_UNREADABLE")[0].0,
        "/meshes/0/extras/sinew/correctives"
    );
}
