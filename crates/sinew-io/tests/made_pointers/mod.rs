//! Documents whose channels have pointers, made by code.

use crate::plain_gltf::{ONE_PIXEL, data_uri, triangle, triangle_with};
use serde_json::{Value, json};

/// Keys of a channel.
pub struct Keys<'k> {
    pub times: &'k [f32],
    pub values: &'k [f32],
    pub width: usize,
    pub interpolation: &'k str,
}

pub fn keys<'k>(
    interpolation: &'k str,
    times: &'k [f32],
    width: usize,
    values: &'k [f32],
) -> Keys<'k> {
    Keys {
        times,
        values,
        width,
        interpolation,
    }
}

fn push(document: &mut Value, list: &str, item: Value) -> usize {
    if document[list].is_null() {
        document[list] = json!([]);
    }
    let list = document[list].as_array_mut().expect("a list");
    list.push(item);
    list.len() - 1
}

/// Adds an accessor of some bytes in a buffer of their own.
fn accessor(document: &mut Value, bytes: &[u8], of: Value) -> usize {
    let uri = data_uri("application/octet-stream", bytes);
    let buffer = json!({"byteLength": bytes.len(), "uri": uri});
    let buffer = push(document, "buffers", buffer);
    let view = json!({"buffer": buffer, "byteLength": bytes.len()});
    let view = push(document, "bufferViews", view);
    let mut of = of;
    of["bufferView"] = json!(view);
    push(document, "accessors", of)
}

fn floats(values: &[f32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

/// Adds a channel. Values of visibility are bytes.
pub fn channel(document: &mut Value, pointer: &str, keys: &Keys<'_>) {
    let (first, last) = (keys.times[0], keys.times[keys.times.len() - 1]);
    let times = json!({
        "componentType": 5126, "count": keys.times.len(), "type": "SCALAR", "min": [first], "max": [last],
    });
    let input = accessor(document, &floats(keys.times), times);
    let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][keys.width - 1];
    let count = keys.values.len() / keys.width;
    let output = if pointer.ends_with("/visible") {
        let bytes: Vec<u8> = keys.values.iter().map(|value| *value as u8).collect();
        let of = json!({"componentType": 5121, "count": count, "type": kind});
        accessor(document, &bytes, of)
    } else {
        let of = json!({"componentType": 5126, "count": count, "type": kind});
        accessor(document, &floats(keys.values), of)
    };
    let animation = &mut document["animations"][0];
    let sampler = json!({"input": input, "output": output, "interpolation": keys.interpolation});
    let sampler = push(animation, "samplers", sampler);
    let target =
        json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}});
    push(
        animation,
        "channels",
        json!({"sampler": sampler, "target": target}),
    );
}

fn animated(members: Value, used: &[&str]) -> Value {
    let mut document = triangle_with(members);
    document["animations"] = json!([{"name": "play", "samplers": [], "channels": []}]);
    document["extensionsUsed"] = json!([&["KHR_animation_pointer"], used].concat());
    document
}

pub const STEPS: [f32; 3] = [0.0, 0.75, 2.0];

/// A camera, a parallel camera, a spot and a lamp, of which no two channels have the same keys.
pub fn camera_and_lights() -> Value {
    let lamp = |light: usize| json!({"KHR_lights_punctual": {"light": light}});
    let mut document = animated(
        json!({
            "scenes": [{"nodes": [0, 1, 2, 3, 4]}],
            "nodes": [
                {"mesh": 0, "name": "paper"},
                {"camera": 0, "name": "tripod", "translation": [0.0, 0.0, 5.0]},
                {"camera": 1},
                {"extensions": lamp(0), "name": "stand"},
                {"extensions": lamp(1)},
            ],
            "cameras": [
                {"name": "front", "type": "perspective", "perspective": {"yfov": 0.7, "znear": 0.01, "zfar": 40.0}},
                {"type": "orthographic", "orthographic": {"xmag": 1.0, "ymag": 2.0, "znear": 0.5, "zfar": 9.0}},
            ],
            "extensions": {"KHR_lights_punctual": {"lights": [
                {"name": "spot", "type": "spot", "intensity": 3.0, "spot": {"innerConeAngle": 0.1}},
                {"type": "point", "color": [1.0, 0.5, 0.25]},
            ]}},
        }),
        &["KHR_lights_punctual"],
    );
    let times = &STEPS;
    let mut add = |pointer: &str, keys: Keys<'_>| channel(&mut document, pointer, &keys);
    add(
        "/cameras/0/perspective/yfov",
        keys("LINEAR", times, 1, &[0.4, 0.9, 0.6]),
    );
    add(
        "/cameras/0/perspective/znear",
        keys("STEP", times, 1, &[0.1, 0.2, 0.4]),
    );
    add(
        "/cameras/0/perspective/zfar",
        keys("LINEAR", &[0.5, 1.5], 1, &[30.0, 90.0]),
    );
    add(
        "/cameras/1/orthographic/xmag",
        keys("LINEAR", times, 1, &[1.0, 3.0, 2.0]),
    );
    add(
        "/cameras/1/orthographic/ymag",
        keys("STEP", times, 1, &[2.0, 4.0, 1.0]),
    );
    let spot = "/extensions/KHR_lights_punctual/lights/0";
    let cubic = [0.0, 1.0, 2.0, -1.0, 5.0, 0.5, 0.25, 2.0, 0.0];
    add(
        &format!("{spot}/intensity"),
        keys("CUBICSPLINE", times, 1, &cubic),
    );
    add(
        &format!("{spot}/spot/outerConeAngle"),
        keys("LINEAR", times, 1, &[0.3, 0.8, 0.5]),
    );
    add(
        &format!("{spot}/range"),
        keys("STEP", times, 1, &[0.0, 6.0, 8.0]),
    );
    let lamp = "/extensions/KHR_lights_punctual/lights/1";
    let colors = [1.0, 0.0, 0.5, 0.25, 1.0, 0.75, 0.5, 0.5, 0.0];
    add(&format!("{lamp}/color"), keys("LINEAR", times, 3, &colors));
    let places = [0.0, 0.0, 5.0, 1.0, 0.5, 4.0, 2.0, 0.0, 6.0];
    add("/nodes/1/translation", keys("LINEAR", times, 3, &places));
    document
}

/// A material with factors, an extension and a moved texture.
pub fn material_and_texture() -> Value {
    let moved = json!({"KHR_texture_transform": {"offset": [0.5, 0.25], "rotation": 0.5, "scale": [2.0, 3.0]}});
    let mut document = animated(
        json!({
            "materials": [{
                "name": "cloth",
                "pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": moved}},
                "normalTexture": {"index": 0},
                "alphaMode": "MASK",
                "extensions": {
                    "KHR_materials_clearcoat": {"clearcoatFactor": 0.5},
                    "KHR_materials_emissive_strength": {"emissiveStrength": 2.0},
                },
            }],
            "textures": [{"source": 0}],
            "images": [{"uri": data_uri("image/png", ONE_PIXEL)}],
        }),
        &[
            "KHR_materials_clearcoat",
            "KHR_materials_emissive_strength",
            "KHR_texture_transform",
        ],
    );
    let times = &STEPS;
    let mut add = |path: &str, keys: Keys<'_>| {
        channel(&mut document, &format!("/materials/0/{path}"), &keys);
    };
    let colors = [1.0, 0.0, 0.5, 1.0, 0.25, 1.0, 0.75, 0.5, 0.5, 0.5, 0.0, 0.0];
    add(
        "pbrMetallicRoughness/baseColorFactor",
        keys("LINEAR", times, 4, &colors),
    );
    let cubic = [0.0, 0.2, 0.5, 0.25, 0.5, -0.25, 0.25, 0.4, 0.0];
    add(
        "pbrMetallicRoughness/roughnessFactor",
        keys("CUBICSPLINE", times, 1, &cubic),
    );
    add(
        "pbrMetallicRoughness/metallicFactor",
        keys("STEP", times, 1, &[0.0, 1.0, 0.5]),
    );
    add(
        "emissiveFactor",
        keys(
            "LINEAR",
            times,
            3,
            &[0.0, 0.0, 1.0, 1.0, 0.5, 0.0, 0.25, 0.0, 0.0],
        ),
    );
    add("alphaCutoff", keys("LINEAR", times, 1, &[0.25, 0.5, 0.75]));
    add(
        "normalTexture/scale",
        keys("LINEAR", times, 1, &[1.0, -1.0, 2.0]),
    );
    add(
        "extensions/KHR_materials_clearcoat/clearcoatFactor",
        keys("LINEAR", times, 1, &[0.0, 1.0, 0.5]),
    );
    let strength = "extensions/KHR_materials_emissive_strength/emissiveStrength";
    add(strength, keys("STEP", times, 1, &[1.0, 8.0, 3.0]));
    let texture = "pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform";
    add(
        &format!("{texture}/offset"),
        keys("LINEAR", times, 2, &[0.0, 0.0, 1.0, 0.5, 0.0, 2.0]),
    );
    add(
        &format!("{texture}/rotation"),
        keys("LINEAR", times, 1, &[0.0, 1.5, -1.0]),
    );
    add(
        &format!("{texture}/scale"),
        keys("LINEAR", times, 2, &[1.0, 1.0, -2.0, 0.5, 1.0, 3.0]),
    );
    document
}

/// A node with a node below it, of which each is hidden for a while.
pub fn visibility() -> Value {
    let seen = |visible: bool| json!({"KHR_node_visibility": {"visible": visible}});
    let mut document = animated(
        json!({
            "nodes": [
                {"name": "above", "children": [1], "extensions": seen(true)},
                {"name": "below", "mesh": 0},
                {"name": "away", "mesh": 0, "extensions": seen(false)},
            ],
            "scenes": [{"nodes": [0, 2]}],
        }),
        &["KHR_node_visibility"],
    );
    let path = "extensions/KHR_node_visibility/visible";
    let mut add = |node: usize, keys: Keys<'_>| {
        channel(&mut document, &format!("/nodes/{node}/{path}"), &keys);
    };
    add(0, keys("STEP", &STEPS, 1, &[1.0, 0.0, 1.0]));
    add(1, keys("STEP", &[0.25, 0.5], 1, &[0.0, 1.0]));
    document
}

/// The triangle with one channel.
pub fn pointing(pointer: &str, keys: &Keys<'_>) -> Value {
    let mut document = animated(triangle(), &[]);
    channel(&mut document, pointer, keys);
    document
}
