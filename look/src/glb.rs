//! Writer of GLB files: JSON, and one chunk of numbers and images.
//!
//! It can write features that the exporter of `sinew-io` does not support.

use crate::shape::Shape;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// glTF document that is being built.
#[derive(Clone, Debug, Default)]
pub struct Glb {
    lists: Map<String, Value>,
    extensions: Map<String, Value>,
    roots: Vec<usize>,
    bytes: Vec<u8>,
}

impl Glb {
    /// Adds a material in glTF JSON. Returns its index.
    pub fn material(&mut self, material: Value) -> usize {
        self.push("materials", material)
    }

    /// Adds a PNG texture with linear filters, mip levels and repetition. Returns its index.
    pub fn texture(&mut self, png: &[u8]) -> usize {
        self.sampled_texture(png, json!({ "magFilter": 9729, "minFilter": 9987 }))
    }

    /// Adds a PNG texture with a sampler in glTF JSON. Returns its index.
    pub fn sampled_texture(&mut self, png: &[u8], sampler: Value) -> usize {
        let view = self.view(png);
        let image = self.push(
            "images",
            json!({ "bufferView": view, "mimeType": "image/png" }),
        );
        let sampler = self.push("samplers", sampler);
        self.push("textures", json!({ "source": image, "sampler": sampler }))
    }

    /// Adds a shape with a material at a position.
    pub fn add(&mut self, shape: &Shape, material: usize, at: [f32; 3]) {
        let mesh = self.mesh(shape, material);
        self.root(json!({ "mesh": mesh, "translation": at }));
    }

    /// Adds a root node in glTF JSON.
    pub fn root(&mut self, node: Value) {
        let node = self.push("nodes", node);
        self.roots.push(node);
    }

    /// Adds a light of `KHR_lights_punctual` on a new node.
    pub fn light(&mut self, light: Value, translation: [f32; 3], rotation: [f32; 4]) {
        let lists = self.extensions.entry("KHR_lights_punctual");
        let list = lists.or_insert_with(|| json!({ "lights": [] }));
        let index = push(&mut list["lights"], light);
        self.root(json!({
            "translation": translation,
            "rotation": rotation,
            "extensions": { "KHR_lights_punctual": { "light": index } },
        }));
    }

    fn mesh(&mut self, shape: &Shape, material: usize) -> usize {
        let flat = |rows: &[[f32; 3]]| rows.as_flattened().to_vec();
        let mut attributes = json!({
            "POSITION": self.floats(&flat(&shape.positions), "VEC3"),
            "NORMAL": self.floats(&flat(&shape.normals), "VEC3"),
        });
        for (set, uvs) in shape.uvs.iter().enumerate() {
            attributes[format!("TEXCOORD_{set}")] = self.floats(uvs.as_flattened(), "VEC2").into();
        }
        if !shape.tangents.is_empty() {
            attributes["TANGENT"] = self.floats(shape.tangents.as_flattened(), "VEC4").into();
        }
        if !shape.colors.is_empty() {
            attributes["COLOR_0"] = self.floats(shape.colors.as_flattened(), "VEC4").into();
        }
        let bytes: Vec<u8> = shape.indices.iter().flat_map(|i| i.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let indices = self.push(
            "accessors",
            json!({ "bufferView": view, "componentType": 5125, "count": shape.indices.len(), "type": "SCALAR" }),
        );
        self.push(
            "meshes",
            json!({ "primitives": [{ "attributes": attributes, "indices": indices, "material": material }] }),
        )
    }

    fn floats(&mut self, numbers: &[f32], kind: &str) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let width = if kind == "VEC2" {
            2
        } else if kind == "VEC3" {
            3
        } else {
            4
        };
        let mut accessor = json!({
            "bufferView": view, "componentType": 5126, "count": numbers.len() / width, "type": kind,
        });
        // glTF requires min and max for positions, and allows them for other data.
        let bound = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
            let column = |c: usize| numbers.iter().skip(c).step_by(width).copied().reduce(pick);
            (0..width).filter_map(column).collect()
        };
        accessor["min"] = json!(bound(f32::min));
        accessor["max"] = json!(bound(f32::max));
        self.push("accessors", accessor)
    }

    fn view(&mut self, bytes: &[u8]) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.push(
            "bufferViews",
            json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() }),
        )
    }

    fn push(&mut self, list: &str, item: Value) -> usize {
        push(self.lists.entry(list).or_insert_with(|| json!([])), item)
    }

    /// Bytes of the GLB file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut document = self.lists.clone();
        document.insert("asset".to_owned(), json!({ "version": "2.0" }));
        document.insert("scene".to_owned(), json!(0));
        document.insert("scenes".to_owned(), json!([{ "nodes": self.roots }]));
        document.insert(
            "buffers".to_owned(),
            json!([{ "byteLength": self.bytes.len() }]),
        );
        if !self.extensions.is_empty() {
            document.insert("extensions".to_owned(), json!(self.extensions));
        }
        let mut document = Value::Object(document);
        let mut used = BTreeSet::new();
        collect_extensions(&document, &mut used);
        if !used.is_empty() {
            document["extensionsUsed"] = json!(used);
        }
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut file = b"glTF\x02\0\0\0".to_vec();
        let total = 12 + 8 + text.len() + 8 + self.bytes.len();
        file.extend((total as u32).to_le_bytes());
        for (kind, chunk) in [(b"JSON", &text), (b"BIN\0", &self.bytes)] {
            file.extend((chunk.len() as u32).to_le_bytes());
            file.extend(kind);
            file.extend(chunk);
        }
        file
    }
}

fn push(list: &mut Value, item: Value) -> usize {
    let Some(items) = list.as_array_mut() else {
        return 0;
    };
    items.push(item);
    items.len() - 1
}

fn collect_extensions(value: &Value, used: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::Object(extensions)) = members.get("extensions") {
                used.extend(extensions.keys().cloned());
            }
            members.values().for_each(|v| collect_extensions(v, used));
        }
        Value::Array(items) => items.iter().for_each(|v| collect_extensions(v, used)),
        _ => {}
    }
}
