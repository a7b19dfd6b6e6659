//! GPU for tests. If `SINEW_REQUIRE_GPU` is set, as in continuous integration, it must exist.

#![allow(dead_code, reason = "each test file uses its part")]

pub mod posed;
pub mod stored;
pub mod studio;

use sinew_gpu::{Gpu, GpuError};

/// Opens a GPU. `None` without a GPU, if none is required.
pub fn gpu_or_skip() -> Option<Gpu> {
    match Gpu::new() {
        Ok(gpu) => Some(gpu),
        Err(GpuError::NoAdapter) if std::env::var_os("SINEW_REQUIRE_GPU").is_none() => {
            eprintln!("SKIPPED: {}", GpuError::NoAdapter);
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Runs a test on a GPU, and fails if wgpu reports an error.
pub fn with_gpu(test: impl FnOnce(&Gpu)) {
    if let Some(gpu) = gpu_or_skip() {
        test(&gpu);
        gpu.wait().expect("wgpu has nothing to complain about");
    }
}
