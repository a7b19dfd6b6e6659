//! Findings of fuzzing, rebuilt by code.

use sinew_fuzz::{gltf, sinew};
use sinew_io::gltf::import_bytes;
use sinew_pack::{PackOptions, file_bytes, pack};
use sinew_samples::humanoid_character;

fn glb(members: &str, numbers: &[u8]) -> Vec<u8> {
    let mut bin = numbers.to_vec();
    bin.resize(bin.len().next_multiple_of(4), 0);
    let length = bin.len();
    let mut json = format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{length}}}],{members}}}"#
    )
    .into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((28 + json.len() as u32 + length as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &bin)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    file
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
}

/// The squares of tiny normals underflow in single precision, so they had no unit length.
#[test]
fn normals_that_are_almost_nothing_are_written_of_unit_length() {
    let positions = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let normals = [7e-23, 0.0, 0.0, 0.0, -7e-23, 0.0, 0.0, 0.0, 1e-22];
    let bytes = [floats(&positions), floats(&normals)].concat();
    gltf(&glb(
        r#""bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":36}],
        "accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[1,1,0]},
        {"bufferView":1,"componentType":5126,"type":"VEC3","count":3}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0,"NORMAL":1}}]}],"nodes":[{"mesh":0}]"#,
        &bytes,
    ));
}

/// One rotation must be normalised, so no rotation can stay an integer.
#[test]
fn rotations_of_two_bytes_of_which_one_is_off_are_the_same_again() {
    let turn = |x: i16, w: i16| [x, 0, 0, w].map(i16::to_le_bytes).concat();
    let keys = [turn(0, 32767), turn(23169, 23170), turn(20000, 20000)].concat();
    let bytes = [floats(&[0.0, 1.0, 2.0]), keys].concat();
    gltf(&glb(
        r#""bufferViews":[{"buffer":0,"byteLength":12},{"buffer":0,"byteOffset":12,"byteLength":24}],
        "accessors":[{"bufferView":0,"componentType":5126,"type":"SCALAR","count":3,"min":[0],"max":[2]},
        {"bufferView":1,"componentType":5122,"normalized":true,"type":"VEC4","count":3}],
        "nodes":[{"name":"arm"}],"animations":[{"samplers":[{"input":0,"output":1}],
        "channels":[{"sampler":0,"target":{"node":0,"path":"rotation"}}]}]"#,
        &bytes,
    ));
}

/// Views and accessors that no primitive uses are kept for unknown extensions. Each lacks a member, or has one that is
/// out of range.
#[test]
fn views_and_accessors_that_lack_a_member_are_replaced() {
    let views = [
        r#"{"byteLength":36}"#,
        r#"{"buffer":0}"#,
        r#"{"buffer":0,"byteLength":0}"#,
        r#"{"buffer":0,"byteLength":36,"byteStride":256}"#,
        r#"{"buffer":0,"byteLength":36,"byteStride":0}"#,
        "{}",
    ];
    let sparse = |indices: &str, values: &str| {
        format!(
            r#"{{"componentType":5126,"type":"SCALAR","count":3,"sparse":{{"count":1,"indices":{indices},"values":{values}}}}}"#
        )
    };
    let [indices, values] = [
        r#"{"bufferView":0,"componentType":5125}"#,
        r#"{"bufferView":0}"#,
    ];
    let accessors = [
        r#"{"bufferView":0,"componentType":5126,"count":3}"#.to_owned(),
        r#"{"bufferView":0,"type":"VEC3","count":3}"#.to_owned(),
        r#"{"bufferView":0,"componentType":5126,"type":"VEC3"}"#.to_owned(),
        "{}".to_owned(),
        sparse(r#"{"componentType":5125}"#, values),
        sparse(r#"{"bufferView":0}"#, values),
        sparse(indices, "{}"),
        r#"{"componentType":5126,"type":"SCALAR","count":3,"sparse":{}}"#.to_owned(),
    ];
    let bytes = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let whole_view = r#"{"buffer":0,"byteLength":36}"#;
    let whole = r#"{"bufferView":0,"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[1,1,0]}"#;
    let check = |view: &str, accessor: &str| {
        let members = format!(
            r#""extensionsUsed":["EXT_unknown"],"bufferViews":[{whole_view},{view}],"accessors":[{whole},{accessor}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
            "nodes":[{{"mesh":0,"extensions":{{"EXT_unknown":{{"accessor":1}}}}}}]"#
        );
        let file = glb(&members, &bytes);
        import_bytes(&file, None).expect("a part that nothing uses may be wrong");
        gltf(&file);
    };
    views.iter().for_each(|view| check(view, whole));
    accessors
        .iter()
        .for_each(|accessor| check(whole_view, accessor));
}

#[test]
fn a_packed_clip_that_says_it_ends_before_its_keys_does_not() {
    let person = humanoid_character();
    let (skeleton, mut clip) = (&person.skeleton, person.clips[0].clone());
    clip.duration_secs += 0.012_345;
    let packed = pack(skeleton, &clip, &PackOptions::default()).expect("it is packed");
    let mut bytes = file_bytes(skeleton, &[&packed.clip]).expect("it is written");
    let length = clip.duration_secs.to_le_bytes();
    let offsets: Vec<usize> = (0..bytes.len() - 4)
        .filter(|&at| bytes[at..at + 4] == length)
        .collect();
    let [offset] = offsets[..] else {
        panic!("its length is at {offsets:?}");
    };
    bytes[offset..offset + 4].copy_from_slice(&0.25_f32.to_le_bytes());
    sinew(&bytes);
}

/// Rotations without unit length, at rest, as constants and as keys, and very large numbers.
#[test]
fn packed_files_with_any_numbers_decode_to_finite_ones() {
    let person = humanoid_character();
    let (skeleton, clip) = (&person.skeleton, &person.clips[0]);
    let packed = pack(skeleton, clip, &PackOptions::default()).expect("it is packed");
    let bytes = file_bytes(skeleton, &[&packed.clip]).expect("it is written");
    let numbers = [0.0, 1e-30, 0.7, -3.0, 1e18, 1e30, -3e38_f32];
    for (round, at) in (12..bytes.len() - 4).enumerate() {
        let mut bytes = bytes.clone();
        let number = numbers[round % numbers.len()];
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        sinew(&bytes);
    }
}
