//! Meshopt streams made by code, and files with such streams.

use serde_json::{Value, json};
use sinew::Character;
use sinew_io::gltf::{ExportOptions, to_glb};

use crate::hostile::Random;

pub(crate) const MESHOPT: &str = "EXT_meshopt_compression";

/// Encodes vertices. A group has the narrowest form, or sometimes (by `random`) a wider form.
pub(crate) fn encode_vertices(
    bytes: &[u8],
    size: usize,
    is_new: bool,
    random: &mut Random,
) -> Vec<u8> {
    let count = bytes.len() / size;
    let elements = (8192 / size / 16 * 16).min(256);
    let mut out = vec![if is_new { 0xa1 } else { 0xa0 }];
    let first = bytes.get(..size).unwrap_or(&[0; 256][..size]).to_vec();
    let channels: Vec<u8> = (0..size / 4)
        .map(|_| match is_new {
            true => [0, 1, 2, 0x52][random.below(4)],
            false => 0,
        })
        .collect();
    let word = |vertex: usize, column: usize| {
        let at = vertex * size + 4 * column;
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
    };
    for begin in (0..count).step_by(elements) {
        let end = (begin + elements).min(count);
        let (mut controls, mut streams) = (Vec::new(), Vec::new());
        for column in 0..size / 4 {
            let mut four = [(); 4].map(|()| Vec::new());
            for vertex in begin..end {
                let before = word(vertex.saturating_sub(1), column);
                let step = difference(word(vertex, column), before, channels[column]);
                for (stream, byte) in four.iter_mut().zip(step.to_le_bytes()) {
                    stream.push(byte);
                }
            }
            let mut control = 0;
            for (index, stream) in four.iter().enumerate() {
                let kind = if is_new { random.below(4) } else { 4 };
                let kind = if kind == 2 && stream.iter().any(|b| *b != 0) {
                    3
                } else {
                    kind
                };
                let widths = [[0, 1, 2, 4], [1, 2, 4, 8], [0; 4], [0; 4], [0, 2, 4, 8]][kind];
                match kind {
                    2 => {}
                    3 => streams.extend(stream),
                    _ => streams.extend(groups(stream, widths, random)),
                }
                control |= (kind as u8 & 3) << (2 * index);
            }
            controls.push(control);
        }
        out.extend(controls.iter().filter(|_| is_new));
        out.extend(streams);
    }
    let mut tail = first;
    tail.extend(channels.iter().filter(|_| is_new));
    let min = if is_new { 24 } else { 32 };
    out.extend(vec![0; usize::saturating_sub(min, tail.len())]);
    out.extend(tail);
    out
}

fn difference(word: u32, before: u32, channel: u8) -> u32 {
    let zigzag = |step: i32, bits: u32| {
        let step = step << (32 - bits) >> (32 - bits);
        ((step << 1) ^ (step >> 31)) as u32 & (u32::MAX >> (32 - bits))
    };
    match channel & 3 {
        2 => (word ^ before).rotate_left(u32::from(channel >> 4)),
        kind => {
            let bits = if kind == 0 { 8 } else { 16 };
            let mask = u32::MAX >> (32 - bits);
            let part = |shift: u32| {
                let step = (word >> shift & mask).wrapping_sub(before >> shift & mask);
                zigzag(step as i32, bits) << shift
            };
            (0..32).step_by(bits as usize).map(part).sum()
        }
    }
}

fn groups(stream: &[u8], widths: [u32; 4], random: &mut Random) -> Vec<u8> {
    let groups = stream.len().div_ceil(16);
    let mut headers = vec![0_u8; groups.div_ceil(4)];
    let mut data = Vec::new();
    for (index, group) in stream.chunks(16).enumerate() {
        let mut bytes = [0; 16];
        bytes[..group.len()].copy_from_slice(group);
        let is_zero = bytes.iter().all(|byte| *byte == 0);
        let min = usize::from(widths[0] == 0 && !is_zero);
        let kind = min + random.below(4 - min);
        headers[index / 4] |= (kind as u8) << (index % 4 * 2);
        let width = widths[kind];
        if width == 0 {
            continue;
        }
        if width == 8 {
            data.extend(bytes);
            continue;
        }
        let escape = (1_u8 << width) - 1;
        let codes = bytes.map(|byte| byte.min(escape));
        for packed in codes.chunks(8 / width as usize) {
            let numbered = packed.iter().enumerate();
            data.push(numbered.fold(0, |sum, (shift, code)| {
                let shift = shift as u32 * width;
                sum | match width {
                    1 => code << shift,
                    _ => code << (8 - width - shift),
                }
            }));
        }
        data.extend(bytes.iter().filter(|byte| **byte >= escape));
    }
    headers.extend(data);
    headers
}

fn varint(mut value: u32, out: &mut Vec<u8>) {
    while value >= 128 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

fn step(index: u32, last: u32) -> u32 {
    let step = index.wrapping_sub(last) as i32;
    ((step << 1) ^ (step >> 31)) as u32
}

/// Encodes triangles without shared edges. Every index is a step from the last index.
fn encode_triangles(indices: &[u32]) -> Vec<u8> {
    let mut out = vec![0xe1];
    out.extend(vec![0xff; indices.len() / 3]);
    let mut last = 0;
    for triangle in indices.chunks(3) {
        out.push(0xff);
        for index in triangle {
            varint(step(*index, last), &mut out);
            last = *index;
        }
    }
    out.extend([0; 16]);
    out
}

pub fn encode_indices(indices: &[u32]) -> Vec<u8> {
    let mut out = vec![0xd1];
    let mut last = [0; 2];
    for (number, index) in indices.iter().enumerate() {
        let run = number % 2;
        varint(step(*index, last[run]) << 1 | run as u32, &mut out);
        last[run] = *index;
    }
    out.extend([0; 4]);
    out
}

pub(crate) fn apart(glb: &[u8]) -> (Value, Vec<u8>) {
    let length = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    let json = &glb[20..20 + length(12)];
    let bin = &glb[28 + json.len()..][..length(20 + json.len())];
    (serde_json::from_slice(json).unwrap(), bin.to_vec())
}

pub(crate) fn together(document: &Value, bin: &[u8]) -> Vec<u8> {
    let mut json = document.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bin = bin.to_vec();
    bin.resize(bin.len().next_multiple_of(4), 0);
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend((28 + json.len() as u32 + bin.len() as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json), (b"BIN\0", bin)] {
        glb.extend((chunk.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(chunk);
    }
    glb
}

pub(crate) fn compressed(character: &Character, is_new: bool, seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let name = if is_new {
        "KHR_meshopt_compression"
    } else {
        MESHOPT
    };
    let glb = to_glb(character, &ExportOptions::default()).unwrap();
    let (mut document, bin) = apart(&glb);
    let accessors = document["accessors"].as_array().unwrap().clone();
    let (mut streams, mut used) = (Vec::new(), 0_u64);
    for (index, view) in document["bufferViews"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .enumerate()
    {
        let accessor = accessors.iter().find(|a| a["bufferView"] == json!(index));
        let begin = view["byteOffset"].as_u64().unwrap_or(0) as usize;
        let length = view["byteLength"].as_u64().unwrap() as usize;
        let bytes = &bin[begin..begin + length];
        let at = streams.len();
        let Some(accessor) = accessor else {
            streams.extend(bytes);
            streams.resize(streams.len().next_multiple_of(4), 0);
            view["byteOffset"] = json!(at);
            continue;
        };
        let component = match accessor["componentType"].as_u64().unwrap() {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            _ => 4,
        };
        let is_index = view["target"] == json!(34963) && component > 1;
        let stride = match (is_index, view["byteStride"].as_u64()) {
            (true, _) => component,
            (false, Some(stride)) => stride as usize,
            (false, None) => 4,
        };
        if !length.is_multiple_of(stride) {
            streams.extend(bytes);
            streams.resize(streams.len().next_multiple_of(4), 0);
            view["byteOffset"] = json!(at);
            continue;
        }
        let count = length / stride;
        let (mode, stream) = match is_index {
            true => {
                let numbers = bytes.chunks(component);
                let numbers =
                    numbers.map(|b| b.iter().rev().fold(0, |n, b| n << 8 | u32::from(*b)));
                let numbers: Vec<u32> = numbers.collect();
                match count.is_multiple_of(3) && random.below(2) == 0 {
                    true => ("TRIANGLES", encode_triangles(&numbers)),
                    false => ("INDICES", encode_indices(&numbers)),
                }
            }
            false => (
                "ATTRIBUTES",
                encode_vertices(bytes, stride, is_new, &mut random),
            ),
        };
        view["extensions"][name] = json!({
            "buffer": 0, "byteOffset": at, "byteLength": stream.len(), "byteStride": stride, "count": count,
            "mode": mode, "filter": "NONE",
        });
        view["buffer"] = json!(1);
        view["byteOffset"] = json!(used);
        used += length as u64;
        streams.extend(stream);
        streams.resize(streams.len().next_multiple_of(4), 0);
    }
    document["buffers"] = json!([
        {"byteLength": streams.len()},
        {"byteLength": used, "extensions": {name: {"fallback": true}}},
    ]);
    for list in ["extensionsUsed", "extensionsRequired"] {
        let mut names = document[list].as_array().cloned().unwrap_or_default();
        names.push(json!(name));
        document[list] = Value::Array(names);
    }
    together(&document, &streams)
}
