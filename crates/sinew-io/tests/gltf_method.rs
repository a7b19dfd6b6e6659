//! The skinning method in `extras`: round trips, and malformed data.

use serde_json::{Value, json};
use sinew::{Character, Method};
use sinew_io::Severity;
use sinew_io::gltf::{ExportOptions, GltfImport, import_bytes, to_gltf};
use sinew_samples::tube_character;

fn document(method: Option<Method>) -> Value {
    let tube = Character {
        stated_method: method,
        ..tube_character()
    };
    let text = to_gltf(&tube, &ExportOptions::default()).expect("written");
    serde_json::from_str(&text).expect("JSON")
}

fn read(document: &Value) -> GltfImport {
    import_bytes(document.to_string().as_bytes(), None).expect("read")
}

#[test]
fn a_stated_method_comes_back_and_none_leaves_no_trace() {
    for method in [Method::Rigid, Method::Linear, Method::DualQuat] {
        let written = document(Some(method));
        assert_eq!(written["extras"]["sinew"]["method"], method.name());
        let back = read(&written).character;
        assert_eq!((back.stated_method, back.method()), (Some(method), method));
    }
    let written = document(None);
    assert_eq!(written.get("extras"), None);
    let back = read(&written).character;
    assert_eq!((back.stated_method, back.method()), (None, Method::Linear));
}

#[test]
fn a_method_that_is_none_is_left_out_and_reported() {
    for wrong in [json!("magic"), json!("quat"), json!(2), json!(["dqs"])] {
        let mut document = document(None);
        document["extras"] = json!({"sinew": {"method": wrong}, "other": 1});
        let import = read(&document);
        assert_eq!(import.character.stated_method, None, "{wrong}");
        let mut ignored = import.report.of(Severity::Ignored);
        let finding = ignored.next().expect("a finding");
        assert_eq!(
            (finding.code, finding.pointer.as_str()),
            ("EXTRAS_UNREADABLE", "/extras/sinew/method")
        );
        let options = ExportOptions::new().source(Some(&import.source));
        let again = to_gltf(&import.character, &options).expect("written");
        let again: Value = serde_json::from_str(&again).expect("JSON");
        assert_eq!(again["extras"], json!({"other": 1}));
    }
}
