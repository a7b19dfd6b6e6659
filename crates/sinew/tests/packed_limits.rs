use crate::random_chain;

use random_chain::{Dice, chain};
use sinew::clip::packed::{PackedError, PackedFile};
use sinew::skeleton::limits::{FramedRotation, Freedom, RotationFrame, RotationLimit, SlideRange};
use sinew::transform::quat;
use sinew::{Joint, Skeleton, Transform};
use sinew_pack::file_bytes;

fn limited() -> Skeleton {
    let mut dice = Dice::new(9);
    let mut joints = chain(&mut dice, 24).joints();
    joints[2].freedom.rotation = RotationLimit::Fixed;
    joints[3].freedom = Freedom {
        rotation: RotationLimit::Free,
        slides: [true, false, true],
        ..Freedom::default()
    };
    joints[4].freedom = Freedom {
        rotation: RotationLimit::Fixed,
        slide_range: Some(SlideRange {
            axis: glam::Vec3::new(0.1, -0.7, 0.3),
            min: -0.2,
            max: 0.35,
        }),
        ..Freedom::default()
    };
    for joint in &mut joints[12..20] {
        joint.freedom.rotation = RotationLimit::Framed(Box::new(FramedRotation {
            frame: RotationFrame {
                axes: quat::from_axis_angle(dice.direction(), 1.0),
                rest: quat::from_axis_angle(dice.direction(), 0.5),
            },
            rotation: joint.freedom.rotation.clone(),
        }));
    }
    let kinds = |turn: fn(&RotationLimit) -> bool| {
        joints.iter().filter(|j| turn(&j.freedom.rotation)).count()
    };
    assert!(kinds(|turn| matches!(turn, RotationLimit::Hinge { .. })) > 0);
    assert!(kinds(|turn| matches!(turn, RotationLimit::Saddle { .. })) > 0);
    assert!(kinds(|turn| matches!(turn, RotationLimit::Ball { .. })) > 0);
    assert!(kinds(|turn| matches!(turn, RotationLimit::Euler { .. })) > 0);
    Skeleton::new(joints).unwrap().0
}

fn position(bytes: &[u8], tag: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|four| four == tag)
}

#[test]
fn limits_survive_in_a_packed_file_to_the_bit() {
    let skeleton = limited();
    let bytes = file_bytes(&skeleton, &[]).unwrap();
    let back = PackedFile::from_bytes(&bytes).unwrap().skeleton;
    // No value is −0 or NaN, so equality means equal bits.
    assert_eq!(back, skeleton);
    assert_eq!(back.degrees_of_freedom(), skeleton.degrees_of_freedom());
}

#[test]
fn a_file_without_limits_has_the_bytes_that_it_always_had() {
    let bone = |parent| Joint::new("bone", parent, Transform::IDENTITY);
    let (free, _) = Skeleton::new(vec![bone(None), bone(Some(0))]).unwrap();
    let bytes = file_bytes(&free, &[]).unwrap();
    assert_eq!(position(&bytes, b"LIMT"), None);
    assert_eq!(bytes.len(), 12 + 8 + 4 + 2 * (44 + 4 + 4));
    let limited = file_bytes(&limited(), &[]).unwrap();
    let at = position(&limited, b"LIMT").unwrap();
    let mut unknown = limited.clone();
    unknown[at..at + 4].copy_from_slice(b"????");
    let read = PackedFile::from_bytes(&unknown).unwrap().skeleton;
    // All joints rotate freely, and the slide is left.
    assert_eq!(read.degrees_of_freedom(), 3 * read.len() + 1);
}

#[test]
fn an_older_reader_skips_slides_and_lies_about_them_are_refused() {
    let skeleton = limited();
    let bytes = file_bytes(&skeleton, &[]).unwrap();
    let at = position(&bytes, b"SLID").unwrap();
    let mut older = bytes.clone();
    older[at..at + 4].copy_from_slice(b"????");
    let read = PackedFile::from_bytes(&older).unwrap().skeleton;
    let fixed = Freedom {
        rotation: RotationLimit::Fixed,
        ..Freedom::default()
    };
    assert_eq!(*read.freedom(4), fixed);
    assert_eq!(read.freedom(5), skeleton.freedom(5));
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        let length = bytes.len() as u32;
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        PackedFile::from_bytes(&bytes).unwrap_err().to_string()
    };
    let many = refused(&|bytes| bytes[at + 8..at + 12].fill(0xff));
    let far = refused(&|bytes| bytes[at + 12..at + 16].fill(0xff));
    let axis = refused(&|bytes| bytes[at + 16..at + 28].fill(0));
    let empty = refused(&|bytes| bytes[at + 28..at + 32].fill(0x7f));
    // Joint 3 slides without limit.
    let both = refused(&|bytes| bytes[at + 12] = 3);
    for error in [many, far, axis, empty, both] {
        assert!(error.contains("slides chunk"), "{error}");
    }
    let twice = refused(&|bytes| bytes.extend_from_within(at..));
    assert!(twice.contains("second slides"), "{twice}");
}

#[test]
fn limits_that_lie_are_refused_by_place() {
    let bytes = file_bytes(&limited(), &[]).unwrap();
    let at = position(&bytes, b"LIMT").unwrap();
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        let length = bytes.len() as u32;
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        PackedFile::from_bytes(&bytes).unwrap_err()
    };
    let place = |error: &PackedError| error.to_string().contains("limits chunk");
    let many = refused(&|bytes| bytes[at + 8..at + 12].fill(0xff));
    let far = refused(&|bytes| bytes[at + 12..at + 16].fill(0xff));
    let slides = refused(&|bytes| bytes[at + 16] = 8);
    let kind = refused(&|bytes| bytes[at + 17] = 7);
    for error in [many, far, slides, kind] {
        assert!(place(&error), "{error}");
    }
    let twice = refused(&|bytes| bytes.extend_from_within(at..));
    assert!(twice.to_string().contains("second limits"), "{twice}");
    for place in at..bytes.len() {
        for value in [0, 1, 6, 0x7f, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[place] = value;
            if let Ok(file) = PackedFile::from_bytes(&changed) {
                assert_eq!(file.skeleton.len(), 25);
            }
        }
    }
}
