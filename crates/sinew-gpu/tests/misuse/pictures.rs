use glam::Vec3;
use sinew::{Affine, ModelPose};
use sinew_gpu::{
    ApngWriter, Camera, FOV_Y_RAD, Framing, Picture, Pixels, axes_lines, direction, draw_text,
    label, read_png, skeleton_lines, write_png,
};
use std::io::ErrorKind;

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;
const INK: [u8; 4] = [9, 9, 9, 255];

#[test]
fn pixels_outside_of_a_picture() {
    let mut picture = Picture::new(2, 2, [1; 4]);
    let before = picture.clone();
    for (x, y) in [(2, 0), (0, 2), (u32::MAX, u32::MAX)] {
        assert_eq!(picture.pixel(x, y), [0; 4]);
        picture.set_pixel(x, y, INK);
        picture.paste(&before, x, y);
    }
    assert_eq!(picture, before);
    for (width, height, bytes) in [(2, 2, 15), (2, 2, 17), (u32::MAX, u32::MAX, 4), (0, 1, 4)] {
        assert_eq!(Picture::from_rgba(width, height, vec![0; bytes]), None);
    }
    assert_eq!(picture.difference(&Picture::new(2, 3, INK)), None);
    let nothing = Picture::new(0, 0, INK);
    assert_eq!(nothing.difference(&nothing), Some((0, 0.0)));
}

#[test]
fn pictures_side_by_side_that_are_too_wide() {
    let one = Picture::new(1, 1, INK);
    let two = [one.clone(), one.clone()];
    assert_eq!(Picture::beside(&two, u32::MAX, INK), None);
    assert_eq!(Picture::beside(&two, 1 << 30, INK), None);
    let nothing = Picture::beside(&[], u32::MAX, INK).expect("no gap");
    assert_eq!((nothing.width(), nothing.height()), (0, 0));
    let apart = Picture::beside(&two, 1, [0; 4]).expect("three pixels");
    assert_eq!((apart.width(), apart.pixel(1, 0)), (3, [0; 4]));
}

#[test]
fn files_of_pictures_that_are_none() {
    let mut out = Vec::new();
    assert!(write_png(&mut out, &Picture::new(0, 0, INK)).is_err());
    assert!(write_png(&mut out, &Picture::new(0, 5, INK)).is_err());
    for bytes in [&b""[..], b"\x89PNG\r\n\x1a\n", b"GIF89a"] {
        assert!(read_png(bytes).is_err());
    }
    let mut small = Vec::new();
    write_png(&mut small, &Picture::new(1, 1, [1; 4])).expect("one pixel");
    assert!(read_png(&small).is_ok());
    let mut header = b"IHDR".to_vec();
    header.extend(65535_u32.to_be_bytes());
    header.extend(32768_u32.to_be_bytes());
    header.extend([8, 6, 0, 0, 0]);
    let mut large = small[..12].to_vec();
    large.extend(&header);
    large.extend(crc(&header).to_be_bytes());
    large.extend(&small[33..]);
    let error = read_png(&large).expect_err("too large").to_string();
    assert!(error.contains("65535 × 32768"), "{error}");
}

fn crc(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
        }
    }
    !sum
}

#[test]
fn moving_pictures_of_no_rate_size_or_frames() {
    let new = |size, frames, fps| ApngWriter::new(Vec::new(), size, frames, fps, true);
    for fps in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = new([1, 1], 1, fps).err().map(|error| error.kind());
        assert_eq!(refused, Some(ErrorKind::InvalidInput), "{fps}");
    }
    assert!(new([0, 1], 1, 30.0).is_err());
    assert!(new([1, 1], 0, 30.0).is_err());
    let pixel = || Picture::new(1, 1, INK);
    let mut two = new([1, 1], 2, 30.0).expect("two frames");
    assert!(two.add(Picture::new(1, 2, INK)).is_err());
    assert!(two.add(pixel()).is_ok() && two.add(pixel()).is_ok());
    assert!(two.add(pixel()).is_err(), "a third of two");
    let mut early = new([1, 1], 2, 30.0).expect("two frames");
    early.add(pixel()).expect("the first");
    assert!(early.finish().is_err(), "one of two");
}

#[test]
fn images_of_colours_that_are_no_numbers() {
    let pixels = Pixels::from_fn(1, 1, |_, _| [NAN, INF, -INF, 0.5]);
    assert_eq!(pixels.rgba, [0, 255, 0, 128]);
    assert!(Pixels::from_fn(0, 9, |_, _| [1.0; 4]).rgba.is_empty());
}

#[test]
fn framings_of_no_direction_angle_or_size() {
    let points = || [Vec3::ZERO, Vec3::ONE];
    let plain = Camera::framing(points(), Vec3::Z, 1.0);
    for from in [Vec3::ZERO, Vec3::splat(NAN), direction(NAN, 0.0)] {
        assert_eq!(Camera::framing(points(), from, 1.0), plain, "{from}");
    }
    for aspect in [0.0, -1.0, NAN, INF] {
        let camera = Camera::framing(points(), Vec3::Z, aspect);
        assert_eq!(camera, plain, "{aspect}");
    }
    for angle in [0.0, -1.0, 4.0, NAN, INF] {
        let mut framing = Framing::new(Vec3::Z, angle, 1.0);
        points().into_iter().for_each(|point| framing.add(point));
        assert_eq!(framing.camera(), plain, "{angle}");
        assert_eq!(framing.camera().fov_y_rad, FOV_Y_RAD);
    }
    for point in [NAN, INF, f32::MAX] {
        let far = [Vec3::splat(point), -Vec3::splat(point)];
        let camera = Camera::framing(far, Vec3::Z, 1.0);
        assert_eq!(camera, Camera::default(), "{point}");
    }
}

#[test]
fn lines_of_a_pose_of_another_skeleton() {
    let tube = sinew_samples::tube_character();
    let joints = tube.skeleton.len();
    let world = Affine::IDENTITY;
    let lines = |pose: &ModelPose| skeleton_lines(&tube.skeleton, pose, &world, 1.0, 100.0).len();
    let all = lines(&tube.skeleton.rest_model());
    assert_eq!(lines(&ModelPose::identity(0)), 0);
    assert_eq!(
        lines(&ModelPose::identity(1)),
        2,
        "the root's dot and its outline"
    );
    assert_eq!(lines(&ModelPose::identity(joints + 9)), all);
    assert!(axes_lines(&ModelPose::identity(0), &world, NAN, NAN).is_empty());
}

#[test]
fn letters_of_no_size_and_at_no_position() {
    let mut picture = Picture::new(16, 16, [200; 4]);
    let before = picture.clone();
    for bad in [NAN, INF, -INF] {
        draw_text(&mut picture, [bad, 0.0], 6.0, INK, "LO\u{1f980}");
        draw_text(&mut picture, [0.0, bad], 6.0, INK, "LO");
        draw_text(&mut picture, [0.0, 0.0], bad, INK, "LO");
    }
    draw_text(&mut picture, [1e30, -1e30], 6.0, INK, "LO");
    assert_eq!(picture, before);
    let mut nothing = Picture::new(0, 0, INK);
    label(&mut nothing, "LO", INK);
    assert!(nothing.rgba().is_empty());
}
