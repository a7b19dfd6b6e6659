use crate::common;

use common::with_gpu;
use sinew_gpu::wgpu::BufferUsages;
use sinew_gpu::{GpuError, Timer};

#[test]
fn what_is_written_is_read_back() {
    with_gpu(|gpu| {
        let contents: Vec<u8> = (0..=255).collect();
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let buffer = gpu.buffer_with("test", usage, &contents).unwrap();
        assert_eq!(gpu.read(&buffer, 0, 256).unwrap(), contents);
        assert_eq!(gpu.read(&buffer, 8, 4).unwrap(), [8, 9, 10, 11]);
    });
}

#[test]
fn an_oversize_buffer_is_an_error() {
    with_gpu(|gpu| {
        let error = gpu.buffer("crowd", BufferUsages::STORAGE, 1 << 60);
        let error = error.unwrap_err();
        assert!(matches!(error, GpuError::TooLarge { bytes, .. } if bytes == 1 << 60));
        assert!(
            error
                .to_string()
                .starts_with("the crowd needs 1152921504606846976 bytes")
        );
    });
}

#[test]
fn what_validation_finds_is_an_error_once() {
    with_gpu(|gpu| {
        let buffer = gpu.buffer("test", BufferUsages::STORAGE, 16).unwrap();
        let error = gpu.read(&buffer, 0, 16).unwrap_err();
        assert!(matches!(error, GpuError::Refused { .. }), "{error:?}");
        assert_eq!(gpu.check(), Ok(()));
    });
}

#[test]
fn a_lost_device_is_an_error_for_good() {
    let Ok(gpu) = sinew_gpu::Gpu::new() else {
        return with_gpu(|_| ());
    };
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
    let buffer = gpu.buffer("test", usage, 16).unwrap();
    gpu.device.destroy();
    for _ in 0..2 {
        let error = gpu.read(&buffer, 0, 16).unwrap_err();
        assert!(matches!(error, GpuError::Lost { .. }), "{error:?}");
    }
    let other = gpu.buffer("test", usage, 16);
    assert!(other.is_ok(), "made, and of no use");
    let other = gpu.buffer_with("test", usage, &[1; 64]);
    assert!(other.is_ok(), "made, and of no use");
    let skinner = sinew_gpu::Skinner::new(&gpu, &[]);
    assert!(matches!(skinner, Err(GpuError::Lost { .. })));
    assert!(matches!(gpu.wait(), Err(GpuError::Lost { .. })));
}

#[test]
fn an_empty_pass_takes_time_that_can_be_read() {
    with_gpu(|gpu| {
        let Some(timer) = Timer::new(gpu, 1).unwrap() else {
            return assert!(!gpu.has_timestamps());
        };
        let mut encoder = gpu.encoder();
        let descriptor = wgpu::ComputePassDescriptor {
            label: None,
            timestamp_writes: Some(timer.compute(0)),
        };
        drop(encoder.begin_compute_pass(&descriptor));
        timer.resolve(&mut encoder);
        gpu.submit(encoder);
        let ms = timer.read_ms(gpu).unwrap();
        assert!(ms.len() == 1 && ms[0] >= 0.0 && ms[0] < 1000.0, "{ms:?}");
    });
}
