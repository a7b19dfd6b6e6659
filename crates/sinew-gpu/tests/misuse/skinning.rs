use crate::common::{gpu_or_skip, with_gpu};
use sinew::mesh::shapes;
use sinew::skin::{Order, PaletteRef, SkinError};
use sinew::{Affine, Method, Primitive, Rig};
use sinew_gpu::{
    Gpu, GpuCrowd, GpuError, PaletteSlot, SkinBatch, SkinInstance, SkinMesh, SkinOptions, Skinner,
    Timer,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use wgpu::BufferUsages;

fn joints(method: Method, joints: usize) -> PaletteSlot {
    PaletteSlot { method, joints }
}

fn ball() -> SkinMesh {
    let ball = shapes::sphere(1.0, 4, 4);
    SkinMesh::new(&ball, Method::Linear, Order::Plan).expect("a ball")
}

fn batch(gpu: &Gpu, slots: &[PaletteSlot], on: &[SkinInstance]) -> Result<SkinBatch, GpuError> {
    let skinner = Skinner::new(gpu, &[ball()]).expect("room");
    SkinBatch::new(gpu, &skinner, slots, on, SkinOptions::default())
}

#[test]
fn parts_of_buffers_that_are_not_there() {
    with_gpu(|gpu| {
        let usage = BufferUsages::COPY_SRC;
        let buffer = gpu.buffer_with("test", usage, &[7; 30]).expect("room");
        let size = 32;
        assert_eq!(gpu.read(&buffer, 0, 0), Ok(Vec::new()));
        assert_eq!(gpu.read(&buffer, size, 0), Ok(Vec::new()));
        assert_eq!(gpu.read(&buffer, 24, 8), Ok(vec![7, 7, 7, 7, 7, 7, 0, 0]));
        let rows = [
            (0, size + 4),
            (size, 4),
            (u64::MAX - 3, 4),
            (0, u64::MAX - 3),
            (1, 4),
            (0, 3),
        ];
        for (offset, bytes) in rows {
            let refused = GpuError::Range {
                offset,
                bytes,
                size,
            };
            let later = gpu.read_later(&buffer, offset, bytes).map(|_| ());
            assert_eq!(gpu.read(&buffer, offset, bytes), Err(refused.clone()));
            assert_eq!(later, Err(refused));
        }
        let mut nothing = gpu.read_later(&buffer, 0, 0).expect("no bytes");
        gpu.wait().expect("nothing is wrong");
        assert_eq!(nothing.take(gpu), Ok(Some(Vec::new())));
        let large = gpu.buffer("test", usage, u64::MAX);
        assert!(matches!(large, Err(GpuError::TooLarge { .. })));
    });
}

#[test]
fn timers_of_no_spans_or_too_many() {
    with_gpu(|gpu| {
        for spans in [0, 2049, u32::MAX] {
            let refused = Timer::new(gpu, spans).map(|_| ());
            assert_eq!(refused, Err(GpuError::Spans { spans, max: 2048 }));
        }
        let Ok(Some(timer)) = Timer::new(gpu, 1) else {
            return;
        };
        for span in [1, u32::MAX] {
            let compute = catch_unwind(AssertUnwindSafe(|| timer.compute(span)));
            let render = catch_unwind(AssertUnwindSafe(|| timer.render(span)));
            assert!(compute.is_err() && render.is_err(), "as a slice");
        }
    });
}

#[test]
fn indices_that_a_mesh_does_not_have() {
    let mesh = ball();
    assert_eq!(mesh.remap_indices(&[u32::MAX, 9999]), [0, 0]);
    let nothing = SkinMesh::new(&Primitive::default(), Method::Linear, Order::Mesh);
    let nothing = nothing.expect("no vertices");
    assert_eq!((nothing.len(), nothing.remap_indices(&[0])), (0, vec![0]));
}

#[test]
fn batches_of_what_is_not_there() {
    with_gpu(|gpu| {
        let made = |slots: &[PaletteSlot], mesh, palette| {
            let on = [SkinInstance { mesh, palette }];
            batch(gpu, slots, &on).map(|_| ())
        };
        let no_such = |what, index, len| Err(GpuError::NoSuch { what, index, len });
        let one = [joints(Method::Linear, 1)];
        assert_eq!(made(&one, 0, 0), Ok(()));
        assert_eq!(made(&one, 1, 0), no_such("mesh", 1, 1));
        assert_eq!(made(&one, usize::MAX, 0), no_such("mesh", usize::MAX, 1));
        assert_eq!(made(&one, 0, 1), no_such("palette", 1, 1));
        assert_eq!(made(&[], 0, 0), no_such("palette", 0, 0));
        let quaternion = made(&[joints(Method::Quaternion, 1)], 0, 0);
        assert_eq!(quaternion, Err(GpuError::NoSuchMethod));
        let (joint, len) = (0, 0);
        let none = made(&[joints(Method::Linear, 0)], 0, 0);
        let no_joint = SkinError::NoSuchJoint { joint, len };
        assert_eq!(none, Err(GpuError::Skin(no_joint)));
        for method in [Method::Linear, Method::DualQuat] {
            let many = made(&[joints(method, usize::MAX); 2], 0, 0);
            assert!(matches!(many, Err(GpuError::TooLarge { .. })), "{many:?}");
        }
    });
}

#[test]
fn palettes_and_weights_that_do_not_fit() {
    with_gpu(|gpu| {
        let on = [SkinInstance {
            mesh: 0,
            palette: 0,
        }];
        let mut batch = batch(gpu, &[joints(Method::Linear, 1)], &on).expect("a ball");
        let (index, len) = (usize::MAX, 1);
        let no_such = |what| Err(GpuError::NoSuch { what, index, len });
        let one = [Affine::IDENTITY];
        let set = batch.set_palette(index, PaletteRef::Linear(&one));
        assert_eq!(set, no_such("palette"));
        for palette in [&[][..], &[Affine::IDENTITY; 2]] {
            let set = batch.set_palette(0, PaletteRef::Linear(palette));
            assert!(matches!(set, Err(GpuError::Palette { .. })), "{set:?}");
        }
        assert_eq!(batch.set_morph_weights(index, &[]), no_such("instance"));
        for bad in [f32::NAN, f32::INFINITY] {
            let set = batch.set_morph_weights(0, &[0.5, bad]);
            assert_eq!(set, Err(GpuError::MorphWeight { target: 1 }));
        }
        assert_eq!(batch.set_morph_weights(0, &[0.5; 99]), Ok(()));
        let mut encoder = gpu.encoder();
        batch.encode(gpu, &mut encoder, None).expect("it has room");
        gpu.submit(encoder);
        assert_eq!(batch.vertex_bytes(index), 0..0);
        assert_eq!(batch.tangent_bytes(index), 0..0);
        assert!(batch.tangents().is_none() && batch.previous_vertices().is_none());
    });
}

#[test]
fn crowds_of_too_many() {
    let Some(gpu) = gpu_or_skip() else { return };
    let tube = sinew_samples::tube_character();
    let mut bare = tube.clone();
    bare.meshes
        .iter_mut()
        .for_each(|mesh| mesh.primitives.clear());
    for character in [&tube, &bare] {
        let rig = Rig::new(character, Method::Linear).expect("a rig");
        for actors in [usize::MAX, 1 << 40] {
            let made = GpuCrowd::new(&gpu, &rig, actors, SkinOptions::default());
            let refused = made.map(|_| ());
            assert!(
                matches!(refused, Err(GpuError::TooLarge { .. })),
                "{refused:?}"
            );
        }
        let made = GpuCrowd::new(&gpu, &rig, 0, SkinOptions::default());
        let mut nobody = made.expect("nobody");
        let set = nobody.set(0, &mut rig.actor());
        assert!(matches!(set, Err(GpuError::NoSuch { .. })), "{set:?}");
        assert!(nobody.indices(usize::MAX).is_empty());
        assert_eq!(nobody.vertex_bytes(0, usize::MAX), 0..0);
        let mut encoder = gpu.encoder();
        nobody.encode(&gpu, &mut encoder).expect("nothing to do");
        gpu.submit(encoder);
    }
    gpu.wait().expect("wgpu has nothing to complain about");
}
