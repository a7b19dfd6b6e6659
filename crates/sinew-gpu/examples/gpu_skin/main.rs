//! How fast the GPU skins a crowd, by its own clock: the library and several other ways to write the
//! kernel, beside what writing and copying alone take.
//!
//! `cargo run --release -p sinew-gpu --example gpu_skin -- [--instances N] [--vertices N]
//! [--influences N] [--reps N] [--only WORD]`
//!
//! The crowd is made by code: copies of a mesh on 67 joints, each with a palette of its own.

mod crowd;
mod variants;

use crowd::Crowd;
use sinew::Method;
use sinew_gpu::{Gpu, GpuError, Timer};
use std::error::Error;
use std::process::ExitCode;
use variants::{Bench, KERNELS, Kernel};

struct Arguments {
    instances: Option<usize>,
    vertices: usize,
    influences: usize,
    reps: u32,
    only: String,
}

impl Arguments {
    fn parse() -> Result<Self, Box<dyn Error>> {
        let mut parsed = Self {
            instances: None,
            vertices: 5138,
            influences: 4,
            reps: 20,
            only: String::new(),
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match &*word {
                "--instances" => parsed.instances = Some(value()?.parse()?),
                "--vertices" => parsed.vertices = value()?.parse()?,
                "--influences" => parsed.influences = value()?.parse::<usize>()?.clamp(1, 4),
                "--reps" => parsed.reps = value()?.parse::<u32>()?.max(1),
                "--only" => parsed.only = value()?,
                // cargo bench gives this to everything.
                "--bench" => {}
                _ => return Err(format!("no such option: {word}").into()),
            }
        }
        Ok(parsed)
    }
}

/// One way to skin and how long it took.
struct Row {
    name: String,
    ms: f64,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse()?;
    let gpu = Gpu::new()?;
    let instances = arguments
        .instances
        .unwrap_or(if gpu.is_software() { 16 } else { 10_000 });
    let limits = gpu.device.limits();
    println!("adapter: {}", gpu.name());
    println!(
        "limits: {} MiB a buffer, {} MiB a binding",
        limits.max_buffer_size >> 20,
        limits.max_storage_buffer_binding_size >> 20
    );
    if !gpu.has_timestamps() {
        return Err("the adapter has no timestamps, so nothing can be timed".into());
    }
    let crowd = Crowd::new(arguments.vertices, arguments.influences, instances)?;
    println!(
        "{instances} copies of {} vertices ({} with their padding), {} influences, 67 joints, \
         {} repetitions: {:.3} GB a frame\n",
        arguments.vertices,
        crowd.slots(),
        arguments.influences,
        arguments.reps,
        crowd.bytes() / 1e9
    );
    println!(
        "{:44} {:>9} {:>9} {:>8} {:>8}  worst error",
        "kernel", "ms", "least ms", "GB/s", "of fill"
    );
    let bench = Bench::new(&gpu, &crowd, arguments.reps)?;
    let fill_ms = memory_rows(&bench)?;
    for method in [Method::Linear, Method::DualQuat] {
        println!();
        let is_wanted = |name: &str| format!("{method:?} {name}").contains(&arguments.only);
        let mut rows = Vec::new();
        if is_wanted("library") {
            rows.push(library_row(&gpu, &crowd, method, arguments.reps, fill_ms)?);
        }
        for kernel in KERNELS {
            for &size in kernel.sizes {
                if is_wanted(&kernel.label(size, 0)) {
                    rows.extend(kernel_rows(&bench, kernel, method, size, fill_ms)?);
                }
            }
        }
        let best = rows.iter().min_by(|a, b| a.ms.total_cmp(&b.ms));
        if let Some(best) = best {
            println!(
                "{method:?}: the best is {} with {:.3} ms",
                best.name, best.ms
            );
        }
    }
    Ok(())
}

/// Prints what writing and copying take, and gives the time of writing.
fn memory_rows(bench: &Bench<'_>) -> Result<f64, GpuError> {
    // The clocks go up while nobody looks.
    bench.memory("fill", 256, 4)?;
    let mut best = f64::INFINITY;
    for entry in ["fill", "copy"] {
        for (size, share) in [(64, 1), (256, 1), (256, 4)] {
            let (middle, least) = middle_and_least(&bench.memory(entry, size, share)?);
            // A copy reads half and writes half.
            let gb_per_s = bench.crowd.bytes() / 1e6 / middle;
            let name = format!("{entry}, {size} threads, {share} vectors each");
            println!("{name:44} {middle:9.4} {least:9.4} {gb_per_s:8.0}");
            if entry == "fill" {
                best = best.min(middle);
            }
        }
    }
    Ok(best)
}

fn kernel_rows(
    bench: &Bench<'_>,
    kernel: &Kernel,
    method: Method,
    size: u32,
    fill_ms: f64,
) -> Result<Vec<Row>, GpuError> {
    let mut rows = Vec::new();
    let prepared = bench.prepare(kernel, method, size);
    for &share in kernel.shares {
        bench.clear();
        let ms = bench.time(&prepared, kernel, size, share)?;
        let worst = bench.worst_error(method)?;
        rows.push(print_row(
            &format!("{method:?} {}", kernel.label(size, share)),
            &ms,
            bench.crowd.bytes(),
            fill_ms,
            worst,
        ));
    }
    Ok(rows)
}

fn library_row(
    gpu: &Gpu,
    crowd: &Crowd,
    method: Method,
    reps: u32,
    fill_ms: f64,
) -> Result<Row, GpuError> {
    let (mut batch, skinner) = crowd.batch(gpu, method)?;
    let Some(timer) = Timer::new(gpu, reps)? else {
        return Err(GpuError::NoAdapter);
    };
    let mut encoder = gpu.encoder();
    batch.encode(gpu, &mut encoder, None)?;
    for rep in 0..reps {
        batch.encode(gpu, &mut encoder, Some(timer.compute(rep)))?;
    }
    timer.resolve(&mut encoder);
    gpu.submit(encoder);
    let ms = timer.read_ms(gpu)?;
    let worst = crowd.worst_error(gpu, method, |instance| {
        let bytes = batch.vertex_bytes(instance);
        gpu.read(batch.vertices(), bytes.start, bytes.end - bytes.start)
    })?;
    drop(skinner);
    let name = format!("{method:?} library");
    Ok(print_row(&name, &ms, crowd.bytes(), fill_ms, worst))
}

fn print_row(name: &str, ms: &[f64], bytes: f64, fill_ms: f64, worst: f32) -> Row {
    let (middle, least) = middle_and_least(ms);
    println!(
        "{name:44} {middle:9.4} {least:9.4} {:8.0} {:8.2}  {worst:.1e}",
        bytes / 1e6 / middle,
        middle / fill_ms,
    );
    Row {
        name: name.to_owned(),
        ms: middle,
    }
}

fn middle_and_least(ms: &[f64]) -> (f64, f64) {
    let mut sorted = ms.to_vec();
    sorted.sort_by(f64::total_cmp);
    (sorted[sorted.len() / 2], sorted[0])
}
