//! Files made to do harm: none may crash, hang, or take memory out of proportion to their size.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::path::Path;
use std::time::{Duration, Instant};

use sinew_io::gltf::{ExportOptions, ImportError, import_bytes, to_glb, to_gltf};

/// Counts what the current thread holds, so that tests beside each other do not disturb the numbers.
struct Counting;

thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    // Fails only while a thread ends, when nothing is measured any more.
    let _ = LIVE.try_with(|live| {
        live.set(live.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(live.get())));
    });
}

#[expect(
    unsafe_code,
    reason = "an allocator cannot be written otherwise; this one only counts"
)]
// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promises are the system allocator's conditions.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Imports and checks time and memory. The file's own bytes are held by the caller and count for nothing.
fn import_within_limits(name: &str, bytes: &[u8]) -> Result<sinew_io::gltf::Import, ImportError> {
    let before = LIVE.get();
    PEAK.set(before);
    let begin = Instant::now();
    let result = import_bytes(bytes, None);
    let (took, peak) = (begin.elapsed(), PEAK.get() - before);
    let limit = 8 * bytes.len() as isize + (16 << 20);
    println!(
        "{name}: {} bytes, peak {peak} of {limit}, {took:?}",
        bytes.len()
    );
    assert!(peak <= limit, "{name}: peak {peak} bytes of {limit}");
    assert!(took < Duration::from_secs(20), "{name}: {took:?}");
    result
}

const ASSET: &str = r#""asset":{"version":"2.0"}"#;

fn document(members: &str) -> Vec<u8> {
    format!("{{{ASSET},{members}}}").into_bytes()
}

fn repeated(prefix: &str, item: &str, count: usize, suffix: &str) -> Vec<u8> {
    document(&format!("{prefix}{}{suffix}", vec![item; count].join(",")))
}

#[test]
fn two_billion_vertices_in_two_hundred_bytes_are_refused_by_name() {
    let members = r#""accessors":[{"componentType":5126,"type":"VEC3","count":2000000000}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}]"#;
    let refusal = import_within_limits("vertices", &document(members)).expect_err("too many");
    assert!(
        matches!(&refusal, ImportError::MemoryLimit { pointer, .. } if pointer == "/accessors/0"),
        "{refusal}"
    );
    assert!(refusal.to_string().contains("limit"), "{refusal}");
}

#[test]
fn many_accessors_of_the_same_bytes_do_not_multiply() {
    let view = r#""buffers":[{"byteLength":1200,"uri":"data:application/octet-stream;base64,"#;
    let data = "AAAA".repeat(400);
    let accessors =
        vec![r#"{"bufferView":0,"componentType":5126,"type":"VEC3","count":100}"#; 20_000]
            .join(",");
    let attributes: Vec<String> = (0..20_000)
        .map(|index| format!("{{\"attributes\":{{\"POSITION\":{index}}}}}"))
        .collect();
    let members = format!(
        r#"{view}{data}"}}],"bufferViews":[{{"buffer":0,"byteLength":1200}}],"accessors":[{accessors}],"meshes":[{{"primitives":[{}]}}]"#,
        attributes.join(",")
    );
    let _ = import_within_limits("accessors", &document(&members));
}

#[test]
fn floods_of_tiny_things_stay_in_proportion() {
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("nodes", repeated("\"nodes\":[", "{}", 3_000_000, "]")),
        (
            "accessors",
            repeated("\"accessors\":[", "{}", 1_000_000, "]"),
        ),
        (
            "materials",
            repeated("\"materials\":[", "{}", 1_000_000, "]"),
        ),
        (
            "numbers",
            repeated("\"nodes\":[{\"weights\":[", "1", 4_000_000, "]}]"),
        ),
        (
            "children",
            repeated("\"nodes\":[{\"children\":[", "1", 4_000_000, "]}]"),
        ),
        (
            "joints",
            repeated(
                "\"nodes\":[{},{}],\"skins\":[{\"joints\":[",
                "1",
                2_000_000,
                "]}]",
            ),
        ),
        (
            "targets",
            repeated(
                "\"meshes\":[{\"primitives\":[{\"targets\":[",
                "{}",
                2_000_000,
                "]}]}]",
            ),
        ),
        (
            "attributes",
            repeated(
                "\"meshes\":[{\"primitives\":[{\"attributes\":{",
                "\"\":1",
                2_000_000,
                "}}]}]",
            ),
        ),
        ("unknown", repeated("", "\"a\":0", 2_000_000, "")),
        ("extras", repeated("\"extras\":[", "[]", 4_000_000, "]")),
        (
            "strings",
            repeated("\"extensionsUsed\":[", "\"\"", 2_000_000, "]"),
        ),
        (
            "named joints",
            document(&format!(
                r#""nodes":[{}],"skins":[{{"joints":[{}]}}]"#,
                vec![r#"{"name":"a joint"}"#; 100_000].join(","),
                (0..100_000)
                    .map(|joint| joint.to_string())
                    .collect::<Vec<_>>()
                    .join(",")
            )),
        ),
        (
            "nesting",
            document(&format!(
                "\"extras\":{}{}",
                "[".repeat(2_000_000),
                "]".repeat(2_000_000)
            )),
        ),
        ("wrong types", repeated("\"nodes\":[", "1", 3_000_000, "]")),
    ];
    for (name, bytes) in cases {
        let _ = import_within_limits(name, &bytes);
    }
}

#[test]
fn deep_trees_and_long_chains_take_linear_time() {
    let count = 200_000;
    let chain = |member: &str| -> Vec<String> {
        (1..=count)
            .map(|next| {
                format!(
                    "{{\"children\":[{}]{member}}}",
                    if next == count { 0 } else { next }
                )
            })
            .collect()
    };
    let ring = chain("").join(",");
    let _ = import_within_limits("ring", &document(&format!("\"nodes\":[{ring}]")));
    let mut nodes = chain(r#","mesh":0,"skin":0"#);
    nodes.pop();
    let nodes = nodes.join(",");
    let joints: Vec<String> = (0..count - 1)
        .rev()
        .map(|joint| joint.to_string())
        .collect();
    let skins = vec![format!("{{\"joints\":[{}]}}", joints.join(",")); 3].join(",");
    let members = format!(
        r#""nodes":[{nodes},{{}}],"skins":[{skins}],"meshes":[{{"primitives":[]}}],"scenes":[{{"nodes":[0]}}]"#
    );
    let _ = import_within_limits("chain", &document(&members));
}

/// A small generator of pseudo-random numbers (Marsaglia's xorshift), so that failures can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    // Half of the files stay JSON and only say something else.
    let only_digits = random.below(2) == 0;
    for _ in 0..=random.below(4) {
        let place = random.below(bytes.len());
        match if only_digits { 4 } else { random.below(6) } {
            0 => bytes.truncate(place),
            1 => bytes.insert(place, random.below(256) as u8),
            2 => drop(bytes.splice(place..(place + random.below(8)).min(bytes.len()), [])),
            3 => {
                let end = (place + random.below(64)).min(bytes.len());
                let copy = bytes[place..end].to_vec();
                let at = random.below(bytes.len());
                bytes.splice(at..at, copy);
            }
            4 => {
                if let Some(digit) = bytes.iter().skip(place).position(u8::is_ascii_digit) {
                    bytes[place + digit] = b"0123456789-e."[random.below(13)];
                }
            }
            _ => {
                if let Some(byte) = bytes.get_mut(place) {
                    *byte = random.below(256) as u8;
                }
            }
        }
    }
    bytes
}

/// Good and broken files: two made by code, and the small ones of the conformance folder where it is there.
fn seeds() -> Vec<Vec<u8>> {
    let options = ExportOptions::default();
    let tube = sinew::examples::tube_character();
    let mut seeds = vec![
        to_glb(&tube, &options).expect("exports"),
        to_gltf(&tube, &options).expect("exports").into_bytes(),
        document(r#""nodes":[{"children":[1]},{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]"#),
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance");
    for folder in [
        "bad/gltf-validator/mesh",
        "bad/gltf-validator/animation",
        "bad/gltf-validator/skin",
        "bad/gltf-validator/accessor",
        "bad/gltf-validator/glb",
        "gltf",
    ] {
        let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten();
        for path in entries.flatten().map(|entry| entry.path()) {
            let is_model = path.extension().is_some_and(|e| e == "gltf" || e == "glb");
            if let Ok(bytes) = std::fs::read(path)
                && is_model
                && bytes.len() < 100_000
            {
                seeds.push(bytes);
            }
        }
    }
    seeds
}

#[test]
fn ten_thousand_mutated_files_are_refused_or_read() {
    let seeds = seeds();
    let mutations = 10_000;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut read = 0;
    for (number, seed) in seeds.iter().cycle().take(mutations).enumerate() {
        let bytes = mutated(seed, &mut random);
        let begin = Instant::now();
        let result = import_within_limits(&format!("mutation {number}"), &bytes);
        assert!(
            begin.elapsed() < Duration::from_secs(1),
            "mutation {number} hangs"
        );
        if let Ok(import) = result {
            let character = &import.character;
            let clip = (!character.clips.is_empty()).then_some(0);
            let moved = sinew::deform(character, clip, 0.5, sinew::Method::Linear);
            assert!(moved.is_ok(), "{moved:?}");
            read += 1;
        }
    }
    println!(
        "{mutations} mutations of {} files, {read} read",
        seeds.len()
    );
    assert!(
        read > 0 && read < mutations,
        "mutations that change nothing, or everything"
    );
}
