//! Decoding speed of `EXT_meshopt_compression`, compared with a copy, in gigabytes of output per
//! second on one core, for the fastest of many runs.
//! Run with `cargo bench -p sinew-io --bench meshopt`.

use sinew_io::gltf::meshopt::{Filter, Mode, decode, encode};
use std::hint::black_box;
use std::time::Instant;

const VERTICES: usize = 1 << 16;
const SIDE: u32 = 400;

fn main() {
    let walks = |max: i32| {
        let mut state = 1_u32;
        let mut at = [0_i32; 4];
        let mut bytes = Vec::with_capacity(16 * VERTICES);
        for _ in 0..VERTICES {
            for number in &mut at {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *number += (state >> 8) as i32 % (2 * max + 1) - max;
                bytes.extend(number.to_le_bytes());
            }
        }
        bytes
    };
    let small = walks(30);
    let mut copy = vec![0; small.len()];
    let floor = best(|| black_box(&mut copy).copy_from_slice(black_box(&small)));
    print("copy", small.len(), small.len(), floor);
    for (name, bytes) in [
        ("vertices of 16 bytes, small steps", &small),
        ("vertices of 16 bytes, large steps", &walks(10_000)),
    ] {
        time(name, bytes, Mode::Attributes, 16);
    }
    let grid = grid();
    for size in [2, 4] {
        let fitting = grid.as_chunks::<3>().0.iter();
        let fitting = fitting.filter(|triangle| size == 4 || triangle.iter().all(|i| *i < 65_536));
        let bytes = fitting
            .flatten()
            .flat_map(|i| i.to_le_bytes().into_iter().take(size));
        let bytes: Vec<u8> = bytes.collect();
        time(
            &format!("triangles of {size} bytes an index"),
            &bytes,
            Mode::Triangles,
            size,
        );
        time(
            &format!("indices of {size} bytes"),
            &bytes,
            Mode::Indices,
            size,
        );
    }
}

/// A grid of triangles in bands of eight, with vertices in order of first use.
fn grid() -> Vec<u32> {
    let mut places = vec![u32::MAX; (SIDE * SIDE) as usize];
    let mut next = 0;
    let mut indices = Vec::new();
    for band in (0..SIDE - 1).step_by(8) {
        for x in 0..SIDE - 1 {
            for y in band..(band + 8).min(SIDE - 1) {
                let a = y * SIDE + x;
                for vertex in [a, a + 1, a + SIDE, a + SIDE, a + 1, a + SIDE + 1] {
                    let place = &mut places[vertex as usize];
                    if *place == u32::MAX {
                        *place = next;
                        next += 1;
                    }
                    indices.push(*place);
                }
            }
        }
    }
    indices
}

fn time(name: &str, bytes: &[u8], mode: Mode, size: usize) {
    let stream = encode(bytes, mode, size);
    let mut out = vec![0; bytes.len()];
    let secs = best(|| {
        decode(&stream, mode, Filter::None, size, black_box(&mut out)).expect("it was encoded");
    });
    print(name, bytes.len(), stream.len(), secs);
}

fn print(name: &str, bytes: usize, stream: usize, secs: f64) {
    let (speed, part) = (bytes as f64 / secs / 1e9, stream as f64 / bytes as f64);
    println!("{name:<36} {speed:>6.2} GB/s   from {part:.2} of its size");
}

fn best(mut job: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..200 {
        let begin = Instant::now();
        job();
        best = best.min(begin.elapsed().as_secs_f64());
    }
    best
}
