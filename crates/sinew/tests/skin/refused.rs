use super::*;

#[test]
fn what_skinning_refuses_before_touching_the_output() {
    let palette = [Affine::IDENTITY; 2];
    let weights = influences(&[vec![(0, 1.0)], vec![(1, 1.0)]]);
    let bind = [Vec3::X; 2];
    let run = |palette: &[Affine], bind: &Vertices<'_>, out: &mut VerticesMut<'_>| {
        linear(palette, &weights, bind, out).expect_err("must be refused")
    };
    let positions_only = Vertices {
        positions: &bind,
        normals: None,
        tangents: None,
    };
    let (mut two, mut three, mut normals) = ([Vec3::ZERO; 2], [Vec3::ZERO; 3], [Vec3::ZERO; 2]);
    let mut tangents = [Vec4::ZERO; 2];
    fn out(positions: &mut [Vec3]) -> VerticesMut<'_> {
        VerticesMut {
            positions,
            normals: None,
            tangents: None,
        }
    }
    let length = |e| matches!(e, SkinError::Length { .. });
    assert!(length(run(&palette, &positions_only, &mut out(&mut three))));
    let one_vertex = Vertices {
        positions: &bind[..1],
        ..positions_only
    };
    assert!(length(run(&palette, &one_vertex, &mut out(&mut two[..1]))));
    assert_eq!(
        run(&palette[..1], &positions_only, &mut out(&mut two)),
        SkinError::NoSuchJoint { joint: 1, len: 1 }
    );
    let mut wants_normals = VerticesMut {
        normals: Some(&mut normals),
        ..out(&mut two)
    };
    assert_eq!(
        run(&palette, &positions_only, &mut wants_normals),
        SkinError::Missing { what: "normals" }
    );
    let mut wants_tangents = VerticesMut {
        tangents: Some(&mut tangents),
        ..out(&mut two)
    };
    assert_eq!(
        run(&palette, &positions_only, &mut wants_tangents),
        SkinError::Missing { what: "tangents" }
    );
    let short_normals = Vertices {
        normals: Some(&bind[..1]),
        ..positions_only
    };
    assert!(length(run(&palette, &short_normals, &mut out(&mut two))));
    assert_eq!(two, [Vec3::ZERO; 2]);
}
