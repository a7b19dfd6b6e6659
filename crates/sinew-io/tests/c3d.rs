//! C3D import: refusals and contents.

use crate::foreign::foreign;
use crate::hostile;
use crate::made_c3d;

use glam::Vec3;
use hostile::{Random, mutated, within_limits};
use made_c3d::C3d;
use sinew_io::c3d::{C3dError, Skipped, import, import_bytes};

/// Three markers over four frames, in millimetres with z up. One marker is hidden in one frame.
fn small() -> C3d {
    let frames = (0..4).map(|f| {
        let t = f as f32;
        let hidden = (f != 2).then_some([50.0 + t, -20.0, 1000.0]);
        vec![
            Some([100.0 * t, 200.0, 300.0]),
            hidden,
            Some([-1.0, -2.0, -3.0]),
        ]
    });
    C3d::new(&["Anna:LFHD", "Anna:RFHD", "Anna:C7"], frames.collect())
}

#[test]
fn what_is_refused_says_where_and_why() {
    let good = small();
    let bytes = good.bytes();
    let with = |change: &dyn Fn(&mut C3d)| {
        let mut file = good.clone();
        change(&mut file);
        file.bytes()
    };
    let mut far_parameters = bytes.clone();
    far_parameters[0] = 200;
    let mut own_header = bytes.clone();
    (own_header[0], own_header[3]) = (1, 84);
    let mut bad_type = bytes.clone();
    let used = bytes.windows(4).position(|w| w == b"USED").expect("there");
    bad_type[used + 6] = 3;
    let table: [(&str, Vec<u8>, &str); 9] = [
        ("nothing", Vec::new(), "not a C3D file"),
        ("prose", b"HIERARCHY".repeat(100), "not a C3D file"),
        (
            "no processor",
            with(&|f| f.processor = 3),
            "byte 515: the processor type is 3",
        ),
        (
            "parameters beyond the end",
            far_parameters,
            "byte 101888: expected the section of parameters",
        ),
        ("parameters in the header", own_header, "at its own block"),
        ("a type that is none", bad_type, "-1, 1, 2 or 4"),
        (
            "no markers",
            with(&|f| (f.labels.clear(), f.frames.clear()).1),
            "no markers",
        ),
        ("no rate", with(&|f| f.rate = 0.0), "POINT:RATE is 0"),
        (
            "no scale",
            with(&|f| f.scale = f32::NAN),
            "POINT:SCALE is NaN",
        ),
    ];
    for (name, bytes, wanted) in table {
        let error = import_bytes(&bytes).expect_err(name).to_string();
        assert!(error.contains(wanted), "{name}: {error}");
    }
    for length in [512, 700, 1024] {
        let error = import_bytes(&bytes[..length]).expect_err("cut");
        assert!(
            matches!(error, C3dError::CutOff { .. }),
            "{length}: {error}"
        );
    }
    let error = import("no/such/file.c3d").expect_err("it is not there");
    assert!(error.to_string().contains("no/such/file.c3d"));
}

/// Found by fuzzing: the residual became infinite.
#[test]
fn a_residual_beyond_numbers_is_not_known() {
    let mut file = small();
    (file.scale, file.units) = (-3e38, "m");
    let trial = import_bytes(&file.bytes()).expect("good").trial;
    let sightings = (0..trial.frames()).flat_map(|frame| trial.frame(frame).iter().flatten());
    let residuals: Vec<f32> = sightings.map(|s| s.residual).collect();
    assert!(!residuals.is_empty());
    assert!(residuals.iter().all(|r| *r == 0.0), "{residuals:?}");
}

#[test]
fn markers_come_in_metres_with_y_up() {
    for scale in [-0.1, 0.1] {
        let mut file = small();
        file.scale = scale;
        let read = import_bytes(&file.bytes()).expect("good");
        assert_eq!(read.report.findings.len(), 1, "{}", read.report);
        let trial = read.trial;
        assert_eq!(trial.labels(), ["LFHD", "RFHD", "C7"]);
        assert_eq!((trial.frames(), trial.rate_hz), (4, 120.0));
        for frame in 0..4 {
            let wanted = Vec3::new(0.1 * frame as f32, 0.3, -0.2);
            let found = trial.position(frame, 0).expect("seen");
            assert!(found.distance(wanted) < 1e-6, "{scale}: {found} {wanted}");
            assert_eq!(trial.position(frame, 1).is_none(), frame == 2);
        }
        let residual = trial.frame(0)[0].expect("seen").residual;
        assert!((residual - 0.0007).abs() < 1e-8, "{residual}");
    }
}

fn variants(file: &C3d) -> impl Iterator<Item = (u8, f32, Vec<u8>)> + '_ {
    let machines = [84, 85, 86].into_iter();
    let kinds = machines.flat_map(|machine| [-0.1, 0.1].map(|scale| (machine, scale)));
    kinds.map(|(processor, scale)| {
        let file = C3d {
            processor,
            scale,
            ..file.clone()
        };
        (processor, scale, file.bytes())
    })
}

#[test]
fn numbers_of_every_machine_are_the_same_capture() {
    let file = small();
    let intel = import_bytes(&file.bytes()).expect("good").trial;
    for (processor, scale, bytes) in variants(&file) {
        let read = import_bytes(&bytes).expect("good");
        assert_eq!(read.report.findings.len(), 1, "{}", read.report);
        let trial = read.trial;
        assert_eq!(trial.labels(), intel.labels());
        assert_eq!((trial.frames(), trial.rate_hz), (4, 120.0));
        for frame in 0..trial.frames() {
            // Integers hold multiples of 0.1 mm exactly.
            assert_eq!(trial.frame(frame).len(), 3);
            for (found, wanted) in trial.frame(frame).iter().zip(intel.frame(frame)) {
                assert_eq!(found.is_some(), wanted.is_some(), "{processor} {scale}");
                if let (Some(found), Some(wanted)) = (found, wanted) {
                    let off = found.position.distance(wanted.position);
                    assert!(off < 1e-7, "{processor} {scale}: {found:?} {wanted:?}");
                    assert!((found.residual - wanted.residual).abs() < 1e-9);
                }
            }
        }
    }
}

/// Computed by hand from the description of VAX floats: 1 is 0x4080 0x0000, −3.5 is 0xC160 0x0000,
/// the largest is 0x7FFF 0xFFFF. A sign without an exponent is NaN.
#[test]
fn floats_of_a_vax_are_theirs() {
    let points = [[1.0, -3.5, 0.1], [1024.0, 0.0, -1e-3]];
    let mut file = C3d::new(&["a", "b"], vec![points.map(Some).to_vec()]);
    (file.up, file.units, file.processor) = ("+Y", "m", 85);
    let bytes = file.bytes();
    let words: [u8; 8] = [0x80, 0x40, 0, 0, 0x60, 0xc1, 0, 0];
    let at = bytes.windows(8).position(|w| w == words).expect("there");
    let read = |bytes: &[u8]| import_bytes(bytes).expect("good").trial;
    for (marker, point) in points.into_iter().enumerate() {
        let found = read(&bytes).position(0, marker).expect("seen");
        assert_eq!(found.to_array(), point);
    }
    let mut reserved = bytes.clone();
    reserved[at..at + 4].copy_from_slice(&[0, 0x80, 0, 0]);
    assert_eq!(read(&reserved).position(0, 0), None);
    let mut largest = bytes;
    largest[at..at + 4].copy_from_slice(&[0xff, 0x7f, 0xff, 0xff]);
    let found = read(&largest).position(0, 0).expect("seen");
    assert_eq!(found.x, (2_f64.powi(127) * (1.0 - 2_f64.powi(-24))) as f32);
}

#[test]
fn events_and_analog_samples_are_skipped_and_counted() {
    let mut file = small();
    (file.analog, file.events) = (6, 2);
    for (_, _, bytes) in variants(&file) {
        let read = import_bytes(&bytes).expect("good");
        let skipped = read.skipped;
        assert_eq!((skipped.analog_samples, skipped.events), (4 * 6, 2));
        let reported = read.report.to_string();
        assert!(reported.contains("24 analog samples"), "{reported}");
        assert!(reported.contains("2 events"), "{reported}");
    }
    (file.analog, file.events) = (0, 0);
    let read = import_bytes(&file.bytes()).expect("good");
    assert!(read.report.is_empty(), "{}", read.report);
    assert_eq!(read.skipped, Skipped::default());
}

#[test]
fn a_cut_file_of_any_machine_says_where_it_ends() {
    for (processor, scale, bytes) in variants(&small()) {
        for length in [512, 700, 1024] {
            let error = import_bytes(&bytes[..length]).expect_err("cut");
            let is_cut = matches!(error, C3dError::CutOff { .. });
            assert!(
                is_cut && has_location(&error),
                "{processor} {scale}: {error}"
            );
        }
        let read = import_bytes(&bytes[..bytes.len() - 1]).expect("three frames are left");
        let cut = read.report.findings.iter().find(|f| f.code == "C3D_FRAMES");
        let cut = cut.expect("a finding").offset;
        assert_eq!(cut, Some(bytes.len() as u64 - 1), "{processor} {scale}");
    }
}

#[test]
fn units_and_axes_are_the_files() {
    let position = |up, units| {
        let mut file = C3d::new(&["a"], vec![vec![Some([1.0, 2.0, 3.0])]]);
        (file.up, file.units, file.analog) = (up, units, 0);
        let read = import_bytes(&file.bytes()).expect("good");
        let position = read.trial.position(0, 0).expect("seen");
        (position.to_array(), read.report.findings.len())
    };
    assert_eq!(position("+Y", "m"), ([1.0, 2.0, 3.0], 0));
    assert_eq!(position("-Y", "m"), ([1.0, -2.0, -3.0], 0));
    assert_eq!(position("+Z", "m"), ([1.0, 3.0, -2.0], 0));
    assert_eq!(position("-Z", "m"), ([1.0, -3.0, 2.0], 0));
    assert_eq!(position("+X", "m"), ([-2.0, 1.0, 3.0], 0));
    assert_eq!(position("-X", "m"), ([2.0, -1.0, 3.0], 0));
    assert_eq!(position("+Y", "cm"), ([0.01, 0.02, 0.03], 0));
    assert_eq!(position("", "m"), ([1.0, 3.0, -2.0], 1));
    assert_eq!(position("+Y", "furlongs"), ([0.001, 0.002, 0.003], 1));
}

#[test]
fn a_rotation_to_y_up_keeps_hands_apart() {
    for up in ["+X", "-X", "+Y", "-Y", "+Z", "-Z"] {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut file = C3d::new(&["x", "y", "z"], vec![axes.map(Some).to_vec()]);
        (file.up, file.units) = (up, "m");
        let trial = import_bytes(&file.bytes()).expect("good").trial;
        let [x, y, z] = [0, 1, 2].map(|marker| trial.position(0, marker).expect("seen"));
        assert_eq!(x.cross(y), z, "{up}");
    }
}

#[test]
fn labels_that_are_missing_or_there_twice_are_told_apart() {
    let mut file = small();
    file.labels = vec!["LFHD".into(), "".into(), "LFHD".into()];
    let read = import_bytes(&file.bytes()).expect("good");
    assert_eq!(read.trial.labels(), ["LFHD", "marker 2", "LFHD (3)"]);
    assert_eq!(read.report.findings.len(), 2);
    // A prefix that only some labels have is kept.
    file.labels = vec!["Anna:LFHD".into(), "Bo:LFHD".into(), "*3".into()];
    let read = import_bytes(&file.bytes()).expect("good");
    assert_eq!(read.trial.labels(), ["Anna:LFHD", "Bo:LFHD", "*3"]);
    // The name for the third marker is already a label.
    file.labels = vec!["a (3)".into(), "a".into(), "a".into()];
    let read = import_bytes(&file.bytes()).expect("good");
    assert_eq!(read.trial.labels(), ["a (3)", "a", "a (4)"]);
}

/// Programs also write computed points. Most are listed by kind. Axes of segments are not.
#[test]
fn points_that_no_camera_saw_are_told_from_markers() {
    let labels = [
        "Anna:LASI",
        "*7",
        "Anna:PELO",
        "Anna:PELA",
        "Anna:PELL",
        "Anna:PELP",
        "Anna:LHipAngles",
        "Anna:LHipPower",
        "Anna:Effort",
        "Anna:TOOL",
    ];
    let mut file = C3d::new(&labels, vec![vec![Some([1.0; 3]); labels.len()]; 2]);
    file.lists = vec![
        ("TYPE_GROUPS", vec!["ANGLES", "ANGLE", "EFFORTS", "EFFORT"]),
        ("ANGLES", vec!["Anna:LHipAngles"]),
        ("POWERS", vec!["LHipPower"]),
        ("EFFORTS", vec!["Effort"]),
    ];
    let import = import_bytes(&file.bytes()).expect("a file");
    assert_eq!(import.trial.labels()[..3], ["LASI", "*7", "PELO"]);
    let computed = [
        "PELO",
        "PELA",
        "PELL",
        "PELP",
        "LHipAngles",
        "LHipPower",
        "Effort",
    ];
    assert_eq!(import.not_markers, computed);
    // A list of the markers is not a list of computed points.
    file.lists = vec![("TYPE_GROUPS", vec!["LABELS", "LABEL"])];
    let import = import_bytes(&file.bytes()).expect("a file");
    assert_eq!(import.not_markers, computed[..4]);
}

#[test]
fn computed_points_of_a_real_capture_are_known() {
    let Some(file) = foreign("c3d/pycgm_movement.c3d") else {
        return;
    };
    let import = import(file).expect("a capture");
    assert_eq!(import.trial.labels().len(), 239);
    // The header states 621 numbers per frame, nine per channel.
    let skipped = import.skipped;
    assert_eq!(skipped.analog_samples, 323 * 621);
    assert_eq!(skipped.analog_channels, 621 / 9);
    // 80 angles, forces, moments and powers, 2 modelled markers, and the axes of 19 segments.
    assert_eq!(import.not_markers.len(), 80 + 2 + 4 * 19);
    assert!(
        !import
            .not_markers
            .iter()
            .any(|l| l == "LASI" || l.starts_with('*'))
    );
}

#[test]
fn a_file_cut_off_between_frames_keeps_those_before() {
    let bytes = small().bytes();
    let frame = (3 * 4 + 3) * 4;
    for missing in 1..=3 {
        for part in [0, 5] {
            let cut = &bytes[..bytes.len() - missing * frame + part];
            let read = import_bytes(cut).expect("some frames are left");
            assert_eq!(read.trial.frames(), 4 - missing);
            assert_eq!(read.report.findings.len(), 2, "{}", read.report);
        }
    }
}

fn has_location(error: &C3dError) -> bool {
    let text = error.to_string();
    let locations = ["byte ", "POINT:", "not a C3D file"];
    locations.iter().any(|location| text.contains(location))
}

#[test]
fn cut_off_at_any_byte_it_is_read_or_says_where_it_ends() {
    let bytes = small().bytes();
    let (mut read, mut refused) = (0, 0);
    for length in 0..bytes.len() {
        match within_limits("cut", &bytes[..length], 16, || {
            import_bytes(&bytes[..length])
        }) {
            Ok(import) => {
                assert!(import.trial.frames() < 4, "{length}");
                assert!(!import.report.findings.is_empty(), "{length}");
                read += 1;
            }
            Err(error) => {
                assert!(has_location(&error), "{length}: {error}");
                refused += 1;
            }
        }
    }
    assert!(read > 100 && refused > 1000, "{read} {refused}");
}

#[test]
fn mutations_are_read_or_refused_within_limits() {
    let frames: Vec<_> = (0..40)
        .map(|f| vec![Some([f as f32, 1.0, 2.0]); 12])
        .collect();
    let labels: Vec<String> = (0..12).map(|i| format!("M{i}")).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let mut file = C3d::new(&labels, frames);
    let mut random = Random(0x5eed);
    let (mut read, mut refused) = (0, 0);
    for nth in 0..10_000 {
        file.scale = if nth % 2 == 0 { -0.1 } else { 0.1 };
        let mut bytes = file.bytes();
        // Most bytes are numbers, which are always valid. So half of the changes are in the header.
        if nth % 4 < 2 {
            let at = random.below(1024);
            bytes[at] = random.below(256) as u8;
        }
        let bytes = mutated(&bytes, &mut random);
        match within_limits("mutation", &bytes, 16, || import_bytes(&bytes)) {
            Ok(import) => {
                assert!(import.trial.frames() >= 1);
                read += 1;
            }
            Err(error) => {
                assert!(has_location(&error), "{error}");
                refused += 1;
            }
        }
    }
    assert!(
        read > 1000 && refused > 1000,
        "{read} read, {refused} refused"
    );
}
