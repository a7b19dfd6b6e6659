use super::*;
use glam::Vec4;
use sinew::skin::SkinError;
use sinew_gpu::GpuError;

#[test]
fn what_does_not_fit_is_refused() {
    with_gpu(|gpu| {
        let load = SkinLoad::new(100, 4, false);
        let whole = primitive(&load);
        let refused =
            |primitive: &Primitive, method| SkinMesh::new(primitive, method, Order::Plan).err();
        assert_eq!(
            refused(&whole, Method::Quaternion),
            Some(GpuError::NoSuchMethod)
        );
        let short = |what| {
            let (found, expected) = (1, 100);
            let source = SkinError::Length {
                what,
                found,
                expected,
            };
            Some(GpuError::Skin(source))
        };
        let normals = Some(Arc::new(vec![Vec3::X]));
        let cut = Primitive {
            normals,
            ..whole.clone()
        };
        assert_eq!(refused(&cut, Method::Linear), short("the normal stream"));
        let tangents = Some(Arc::new(vec![Vec4::X]));
        let cut = Primitive {
            tangents,
            ..whole.clone()
        };
        assert_eq!(refused(&cut, Method::Linear), short("the tangent stream"));
        let (influences, _) = Influences::from_lists(&[vec![(0, 1.0)]], 1).unwrap();
        let cut = Primitive {
            influences: Some(Arc::new(influences)),
            ..whole.clone()
        };
        assert_eq!(refused(&cut, Method::Linear), short("the influence list"));

        let mesh = SkinMesh::new(&whole, Method::Linear, Order::Plan).unwrap();
        let skinner = Skinner::new(gpu, &[mesh]).unwrap();
        let slot = |method, joints| PaletteSlot { method, joints };
        let refused = |slot: PaletteSlot, instance: SkinInstance| {
            let options = SkinOptions::default();
            SkinBatch::new(gpu, &skinner, &[slot], &[instance], options).err()
        };
        let instance = SkinInstance {
            mesh: 0,
            palette: 0,
        };
        let no_such = |what, index| GpuError::NoSuch {
            what,
            index,
            len: 1,
        };
        let other = SkinInstance {
            mesh: 7,
            palette: 0,
        };
        let linear = slot(Method::Linear, 67);
        assert_eq!(refused(linear, other), Some(no_such("mesh", 7)));
        let other = SkinInstance {
            mesh: 0,
            palette: 3,
        };
        assert_eq!(refused(linear, other), Some(no_such("palette", 3)));
        let quaternions = slot(Method::Quaternion, 67);
        assert_eq!(refused(quaternions, instance), Some(GpuError::NoSuchMethod));
        let few = refused(slot(Method::Linear, 9), instance);
        let (joint, len) = (66, 9);
        assert_eq!(
            few,
            Some(GpuError::Skin(SkinError::NoSuchJoint { joint, len }))
        );

        for method in [Method::Linear, Method::DualQuat] {
            let huge = refused(slot(method, usize::MAX), instance);
            assert!(matches!(
                huge,
                Some(GpuError::TooLarge {
                    what: "palettes",
                    ..
                })
            ));
        }

        let mut batch = one(gpu, &skinner, Method::Linear);
        let (matrices, dual) = palettes_of(&load, &load.pose);
        let matrices = matrices.as_slice();
        let set = batch.set_palette(1, PaletteRef::Linear(matrices));
        assert_eq!(set, Err(no_such("palette", 1)));
        let set = batch.set_palette(0, PaletteRef::Linear(&matrices[..9]));
        assert!(matches!(set, Err(GpuError::Palette { .. })));
        let set = batch.set_palette(0, PaletteRef::DualQuat(&dual));
        assert!(matches!(set, Err(GpuError::Palette { .. })));
        assert_eq!(batch.set_morph_weights(1, &[]), Err(no_such("instance", 1)));

        let mut batch = one(gpu, &skinner, Method::DualQuat);
        let origins = vec![Vec3::ZERO; 67];
        let unsigned =
            DualQuatPalette::from_matrices(matrices, &origins).expect("of this skeleton");
        let set = batch.set_palette(0, PaletteRef::DualQuat(&unsigned));
        assert_eq!(set, Err(GpuError::Skin(SkinError::SignsNotFixed)));

        let crowd = vec![instance; 2_000_000];
        let palettes = [linear];
        let batch = SkinBatch::new(gpu, &skinner, &palettes, &crowd, SkinOptions::default());
        let allowed = gpu.device.limits().max_storage_buffer_binding_size;
        match batch {
            Err(GpuError::TooLarge { what, bytes, .. }) => {
                assert_eq!(what, "skinned vertices");
                assert!(bytes > allowed);
            }
            other => assert!(other.is_ok() && allowed > 2_000_000 * 112 * 24),
        }
    });
}
