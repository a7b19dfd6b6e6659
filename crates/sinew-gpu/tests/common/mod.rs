//! A GPU for tests. Where `SINEW_REQUIRE_GPU` is set, as continuous integration does, none may be
//! missing.

#![allow(dead_code, reason = "each test file uses its part")]

pub mod posed;
pub mod stored;
pub mod studio;

use sinew_gpu::{Gpu, GpuError};

/// A GPU, or nothing where none need be.
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

/// Runs a test on a GPU and fails it if wgpu had anything to complain about.
pub fn with_gpu(test: impl FnOnce(&Gpu)) {
    if let Some(gpu) = gpu_or_skip() {
        test(&gpu);
        gpu.wait().expect("wgpu has nothing to complain about");
    }
}
