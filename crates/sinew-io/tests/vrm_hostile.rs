//! Hostile avatars must not crash, hang or use too much memory, and imports must round-trip.

use crate::hostile::{Random, is_whole, mutated, within_limits};
use crate::made_vrm::{BOTH, avatar, glb};

use serde_json::{Value, json};
use sinew::{Method, deform};
use sinew_io::gltf::{ExportOptions, import_bytes, to_glb};

const PER_BYTE: usize = 80;

/// True if the file is accepted. Checks a round trip of an accepted file.
fn hold(name: &str, bytes: &[u8]) -> bool {
    let read = within_limits(name, bytes, PER_BYTE, || import_bytes(bytes, None));
    let Ok(import) = read else {
        return false;
    };
    let moved = deform(&import.character, None, 0.0, Method::Linear);
    assert!(is_whole(&moved), "{name}");
    let source = Some(&import.source);
    let written = to_glb(&import.character, &ExportOptions::new().source(source));
    if let Ok(written) = written {
        let again = import_bytes(&written, None);
        assert!(again.is_ok(), "{name}: {}", again.unwrap_err());
    }
    true
}

fn pointers(value: &Value, at: &str, all: &mut Vec<String>) {
    all.push(at.to_owned());
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                pointers(value, &format!("{at}/{name}"), all);
            }
        }
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                pointers(value, &format!("{at}/{index}"), all);
            }
        }
        _ => {}
    }
}

fn another_value(random: &mut Random) -> Value {
    let values = [
        json!(null),
        json!(-1),
        json!(0),
        json!(3),
        json!(4_294_967_296_u64),
        json!(1e300),
        json!(0.5),
        json!(true),
        json!("hips"),
        json!(""),
        json!([]),
        json!([0, 0, 0]),
        json!({}),
        json!({"node": 1, "index": 2, "bone": "head"}),
    ];
    values[random.below(values.len())].clone()
}

#[test]
fn damaged_avatars_are_read_or_refused() {
    let mut random = Random(31);
    let (mut read, mut refused) = (0, 0);
    for version in BOTH {
        let whole = avatar(version);
        let bytes = glb(&whole);
        let mut all = Vec::new();
        pointers(&whole["extensions"], "/extensions", &mut all);
        for case in 0..800 {
            let damaged = match case % 3 {
                0 => mutated(&bytes, &mut random),
                _ => {
                    let mut document = whole.clone();
                    for _ in 0..=random.below(4) {
                        let pointer = &all[random.below(all.len())];
                        if let Some(value) = document.pointer_mut(pointer) {
                            *value = another_value(&mut random);
                        }
                    }
                    glb(&document)
                }
            };
            match hold(&format!("{version:?} {case}"), &damaged) {
                true => read += 1,
                false => refused += 1,
            }
        }
    }
    println!("{read} read, {refused} refused");
    assert!(read > 600 && refused > 50);
}
