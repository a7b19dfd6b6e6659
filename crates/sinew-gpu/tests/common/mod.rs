//! A GPU for tests. Where `SINEW_REQUIRE_GPU` is set, as continuous integration does, none may be
//! missing.

#![allow(dead_code, reason = "each test file uses its part")]

pub mod posed;

use sinew_gpu::{Gpu, GpuError};

/// Runs a test on a GPU and fails it if wgpu had anything to complain about.
pub fn with_gpu(test: impl FnOnce(&Gpu)) {
    let gpu = match Gpu::new() {
        Ok(gpu) => gpu,
        Err(GpuError::NoAdapter) if std::env::var_os("SINEW_REQUIRE_GPU").is_none() => {
            eprintln!("SKIPPED: {}", GpuError::NoAdapter);
            return;
        }
        Err(error) => panic!("{error}"),
    };
    test(&gpu);
    gpu.wait().expect("wgpu has nothing to complain about");
}
