//! Program that skins and draws with its own device, error handler and texture.

use crate::common::gpu_or_skip;
use sinew::Method;
use sinew_gpu::wgpu::{self, BufferUsages, TextureFormat, TextureUsages};
use sinew_gpu::{Gpu, GpuCharacter, GpuError, Renderer, Stage, Target, View};
use sinew_samples::tube_character;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const SIZE: u32 = 64;

/// Device made by a game, and the number of errors that its handler received.
fn own_device(
    limits: wgpu::Limits,
) -> Option<(wgpu::Adapter, wgpu::Device, wgpu::Queue, Arc<AtomicUsize>)> {
    let adapter = gpu_or_skip()?.adapter().clone();
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("game"),
        required_limits: limits,
        ..Default::default()
    };
    let made = pollster::block_on(adapter.request_device(&descriptor));
    let (device, queue) = made.expect("a device");
    let reported = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&reported);
    device.on_uncaptured_error(Arc::new(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
    }));
    Some((adapter, device, queue, reported))
}

fn read(gpu: &Gpu, texture: &wgpu::Texture) -> Vec<u8> {
    let row = 4 * SIZE;
    let usage = BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
    let buffer = gpu
        .buffer("copy", usage, u64::from(row * SIZE))
        .expect("a buffer");
    let mut encoder = gpu.encoder();
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(row),
                rows_per_image: None,
            },
        },
        texture.size(),
    );
    gpu.submit(encoder);
    let mut reading = gpu
        .read_later(&buffer, 0, u64::from(row * SIZE))
        .expect("begun");
    let bgra = loop {
        match reading.take(gpu).expect("no fault") {
            Some(bytes) => break bytes,
            None => std::thread::yield_now(),
        }
    };
    bgra.chunks(4)
        .flat_map(|p| [p[2], p[1], p[0], p[3]])
        .collect()
}

#[test]
fn a_program_draws_a_skinned_figure_into_its_own_texture() {
    let Some((adapter, device, queue, reported)) = own_device(Gpu::needed_limits()) else {
        return;
    };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("window"),
        size: wgpu::Extent3d {
            width: SIZE,
            height: SIZE,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: TextureFormat::Bgra8UnormSrgb,
        usage: TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let gpu = Gpu::from_parts(adapter, device, queue).expect("it has what is needed");
    let tube = tube_character();
    let mut figure = GpuCharacter::new(&gpu, &tube, Method::DualQuat).expect("a figure");
    figure.pose(&gpu, &tube, Some(0), 0.3).expect("a pose");
    let mut renderer = Renderer::new(&gpu).expect("a renderer");
    let stage = Stage {
        characters: vec![&figure],
        ..Stage::default()
    };
    let view = View {
        size: [SIZE, SIZE],
        ..View::default()
    };
    let target = Target {
        view: &texture.create_view(&Default::default()),
        format: TextureFormat::Bgra8UnormSrgb,
    };
    renderer
        .draw_into(&gpu, &stage, &view, &target)
        .expect("drawn");

    let rgba = read(&gpu, &texture);
    let ours = renderer.render(&gpu, &stage, &view).expect("a picture");
    assert_eq!(rgba, ours.rgba(), "the same picture as in our own texture");

    // A still has full brightness and opacity from its first layer on.
    let still = View { layers: 16, ..view };
    let whole = renderer.render(&gpu, &stage, &still).expect("a picture");
    for now in [0..1, 1..2, 2..16] {
        renderer
            .draw_layers_into(&gpu, &stage, &still, &target, now.clone())
            .expect("drawn");
        let so_far = read(&gpu, &texture);
        let off = so_far.iter().zip(whole.rgba());
        let off: u64 = off.map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        let mean = off as f64 / so_far.len() as f64;
        assert!(mean < 2.0, "{now:?}: {mean} levels off");
    }
    let first = &rgba[..4];
    assert!(
        rgba.chunks(4).any(|pixel| pixel != first),
        "something is to be seen"
    );
    assert_eq!(reported.load(Ordering::Relaxed), 0);

    let wrong = gpu
        .buffer("wrong", BufferUsages::STORAGE, 16)
        .expect("a buffer");
    let _ = gpu.read(&wrong, 0, 16);
    assert!(reported.load(Ordering::Relaxed) > 0);
    assert_eq!(gpu.check(), Ok(()));
}

#[test]
fn a_device_with_too_little_is_refused_by_the_limit() {
    let small = wgpu::Limits {
        max_compute_workgroups_per_dimension: 1024,
        ..wgpu::Limits::default()
    };
    let Some((adapter, device, queue, _)) = own_device(small) else {
        return;
    };
    let refused = Gpu::from_parts(adapter, device, queue).unwrap_err();
    let GpuError::Limit { limit, allowed, .. } = &refused else {
        panic!("{refused:?}");
    };
    assert_eq!(
        (*limit, *allowed),
        ("max_compute_workgroups_per_dimension", 1024)
    );
    assert!(
        refused.to_string().contains("Gpu::needed_limits"),
        "{refused}"
    );
}
