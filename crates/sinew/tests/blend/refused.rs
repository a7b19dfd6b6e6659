use super::*;

#[test]
fn what_a_blend_refuses() {
    let (rest, shorter) = (LocalPose::identity(9), LocalPose::identity(8));
    let (fits, short_mask) = (Mask::new(&[1.0; 9]).unwrap(), Mask::new(&[1.0; 8]).unwrap());
    let (nothing, less) = (AdditivePose::none(9), AdditivePose::none(8));
    let good = Layer::new(&rest, 0.5).masked(&fits);
    let (layer, addition) = (LayerKind::Layer, LayerKind::Addition);
    let (found, expected) = (8, 9);
    let weight = |kind, weight| BlendError::Weight {
        kind,
        index: 1,
        weight,
    };
    let joints = |kind| BlendError::Joints {
        kind,
        index: 1,
        found,
        expected,
    };
    let mask = |kind| BlendError::MaskJoints {
        kind,
        index: 1,
        found,
        expected,
    };
    let table: [(Layer<'_>, Addition<'_>, BlendError); 8] = [
        (
            Layer::new(&shorter, 0.5),
            Addition::new(&nothing, 1.0),
            joints(layer),
        ),
        (
            Layer::new(&rest, 0.5).masked(&short_mask),
            Addition::new(&nothing, 1.0),
            mask(layer),
        ),
        (
            Layer::new(&rest, -0.1),
            Addition::new(&nothing, 1.0),
            weight(layer, -0.1),
        ),
        (
            Layer::new(&rest, 2e6),
            Addition::new(&nothing, 1.0),
            weight(layer, 2e6),
        ),
        (good, Addition::new(&less, 1.0), joints(addition)),
        (
            good,
            Addition::new(&nothing, 1.0).masked(&short_mask),
            mask(addition),
        ),
        (good, Addition::new(&nothing, -2e6), weight(addition, -2e6)),
        (
            good,
            Addition::new(&nothing, f32::INFINITY),
            weight(addition, f32::INFINITY),
        ),
    ];
    let untouched = LocalPose::identity(3);
    for (bad_layer, bad_addition, error) in table {
        let mut out = untouched.clone();
        let mut layers = [good, bad_layer];
        let job = BlendJob {
            additions: &mut [Addition::new(&nothing, 1.0), bad_addition],
            ..BlendJob::new(&rest, &mut layers)
        };
        assert_eq!(job.run(&mut out), Err(error));
        assert_eq!(out, untouched);
    }
    let nan = BlendJob::new(&rest, &mut [Layer::new(&rest, f32::NAN)]).run(&mut untouched.clone());
    let message = nan.unwrap_err().to_string();
    assert_eq!(
        message,
        "the weight of layer 0 is NaN; weights are from 0 to 1e6, and for additions from -1e6"
    );
}

#[test]
fn what_a_mask_refuses() {
    for weight in [-0.01, 1.01, f32::INFINITY] {
        assert_eq!(
            Mask::new(&[0.0, weight]),
            Err(MaskError { joint: 1, weight })
        );
    }
    assert!(Mask::new(&[f32::NAN]).is_err());
    assert!(Mask::new(&[]).unwrap().is_empty());
}
