use glam::Vec3;
use sinew::clip::MorphTrack;
use sinew::measure::{
    Check, CheckError, MeasureError, Measurement, MethodReport, Metric, Reading, frame_times,
    measure, measure_poses,
};
use sinew::mesh::{Deltas, Morph, shapes};
use sinew::transform::Axis;
use sinew::{
    Character, Clip, DeformError, Influences, Interpolation, Joint, LocalPose, Mesh, Method, Node,
    Primitive, Skeleton, Skin, Track, Transform, deform,
};
use sinew_samples::{humanoid_character, tube_character};
use std::sync::Arc;

const BOTH: [Method; 2] = [Method::Linear, Method::DualQuat];

fn skinned(skeleton: Skeleton, surface: Primitive) -> Character {
    let skin = Skin::bound_at(skeleton.rest_model().as_slice());
    let mut character = Character::from_skeleton(skeleton);
    character.skins.push(skin);
    character.meshes.push(Mesh {
        primitives: vec![surface],
        ..Mesh::default()
    });
    character.nodes.push(Node {
        name: "surface".to_owned(),
        parent: None,
        parent_from_node: sinew::Affine::IDENTITY,
        joint: None,
        mesh: Some(0),
        skin: Some(0),
        morph_weights: Vec::new(),
        light: None,
    });
    character
}

fn cylinder() -> Character {
    let joints = [None, Some(0)].map(|parent| Joint::new("joint", parent, Transform::IDENTITY));
    let (skeleton, _) = Skeleton::new(joints.to_vec()).unwrap();
    skinned(skeleton, shapes::bend_test_cylinder())
}

fn turned(character: &Character, axis: Axis, degrees: f32) -> LocalPose {
    let mut pose = character.skeleton.rest().clone();
    let last = pose.len() - 1;
    let rest = pose.get(last);
    pose.set_rotation(last, axis.rotation(degrees.to_radians()) * rest.rotation);
    pose
}

fn cylinder_turned(axis: Axis, degrees: f32) -> Measurement {
    let cylinder = cylinder();
    measure_poses(&cylinder, &[turned(&cylinder, axis, degrees)], &BOTH).unwrap()
}

fn values(metric: Metric, found: &Measurement, report: &MethodReport) -> Vec<f64> {
    let readings = metric.readings(found, report);
    readings.iter().map(|r| r.value).collect()
}

fn pair(metric: Metric, found: &Measurement) -> [f64; 2] {
    [0, 1].map(|m| values(metric, found, &found.methods[m])[0])
}

#[test]
fn what_measuring_refuses() {
    let tube = tube_character();
    let no_clip = measure(&tube, Some(7), &[0.0], &BOTH);
    let error = MeasureError::Deform(DeformError::NoSuchClip { clip: 7, len: 2 });
    assert_eq!(no_clip, Err(error));

    let bare = Character::from_skeleton(tube.skeleton.clone());
    let nothing = measure(&bare, None, &[0.0], &BOTH);
    assert_eq!(nothing, Err(MeasureError::NothingSkinned));

    let short = measure_poses(&tube, &[LocalPose::identity(1)], &BOTH);
    let error = MeasureError::PoseLength {
        pose: 0,
        found: 1,
        expected: 2,
    };
    assert_eq!(short, Err(error));

    let mut broken = tube.clone();
    let (few, _) = Influences::from_lists(&[vec![(0, 1.0)]], 2).unwrap();
    broken.meshes[0].primitives[0].influences = Some(Arc::new(few));
    assert!(measure(&broken, None, &[0.0], &BOTH).is_err());
    let mut broken = tube.clone();
    broken.skins[0].joints.truncate(1);
    broken.skins[0].joint_from_model.truncate(1);
    assert!(measure(&broken, None, &[0.0], &BOTH).is_err());

    let senseless = [
        (1.0, 0.0),
        (1.0, -30.0),
        (1.0, f64::NAN),
        (f64::INFINITY, 30.0),
        (-1.0, 30.0),
        (1e9, 30.0),
    ];
    for (duration, fps) in senseless {
        assert!(frame_times(duration, fps).is_err(), "{duration} {fps}");
    }
    let nothing_asked = measure(&tube, None, &[], &[]).unwrap();
    assert!(nothing_asked.methods.is_empty() && nothing_asked.rotations.is_empty());
}

#[test]
fn frames_end_with_the_clip() {
    assert_eq!(frame_times(0.0, 30.0).unwrap(), [0.0]);
    assert_eq!(frame_times(0.25, 10.0).unwrap(), [0.0, 0.1, 0.2, 0.25]);
    assert_eq!(frame_times(f64::from(2.0_f32), 30.0).unwrap().len(), 61);
    for secs in [1.1_f32, 1.2, 33.3] {
        let times = frame_times(f64::from(secs), 30.0).unwrap();
        assert_eq!(times.len(), (secs * 30.0).round() as usize + 1);
    }
}

#[test]
fn a_twist_collapses_linear_skinning_only() {
    let found = cylinder_turned(Axis::X, 170.0);
    let [linear, dual] = pair(Metric::Volume, &found);
    assert!((linear - 0.668871).abs() < 1e-5, "{linear}");
    assert!((dual - 1.000011).abs() < 1e-5, "{dual}");
    let [linear, dual] = pair(Metric::SectionMin, &found);
    assert!(
        (linear - 85.0_f64.to_radians().cos()).abs() < 1e-3,
        "{linear}"
    );
    // The twist distorts the polygonal rings by a thousandth.
    assert!((dual - 1.0).abs() < 2e-3, "{dual}");
    let [linear, dual] = pair(Metric::SectionMax, &found);
    assert!(
        linear < 1.0 + 1e-4 && (dual - 1.0).abs() < 1e-4,
        "{linear} {dual}"
    );
}

#[test]
fn a_bend_narrows_linear_skinning_and_bulges_dual_quaternions() {
    let found = cylinder_turned(Axis::Z, 90.0);
    let [linear, dual] = pair(Metric::Volume, &found);
    assert!((linear - 0.916407).abs() < 1e-5 && (dual - 0.999692).abs() < 1e-5);
    let [linear, dual] = pair(Metric::SectionMin, &found);
    assert!((linear - 0.860).abs() < 2e-3, "{linear}");
    assert!((dual - 1.0).abs() < 2e-3, "{dual}");
    for (degrees, linear, dual) in [
        (45.0, 1.111136, 1.176039),
        (90.0, 1.077669, 1.308171),
        (120.0, 1.041538, 1.373855),
        (135.0, 1.025134, 1.399303),
    ] {
        let widest = pair(Metric::SectionMax, &cylinder_turned(Axis::Z, degrees));
        assert!((widest[0] - linear).abs() < 1e-5, "{degrees}: {widest:?}");
        assert!((widest[1] - dual).abs() < 1e-5, "{degrees}: {widest:?}");
    }
    let sharp = cylinder_turned(Axis::Z, 135.0);
    assert!(found.methods[0].frames[0].flipped < sharp.methods[0].frames[0].flipped);
}

#[test]
fn normals_of_a_bent_limb_are_off() {
    let found = cylinder_turned(Axis::Z, 90.0);
    let error = found.methods[0].frames[0].normal_error_deg;
    assert!((5.0..7.0).contains(&error.mean), "{error:?}");
    assert!((36.0..38.0).contains(&error.max), "{error:?}");
    assert!(error.mean < error.p99 && error.p99 < error.max);
}

#[test]
fn stretch_is_what_a_scale_makes_of_edges() {
    let tube = tube_character();
    let mut pose = tube.skeleton.rest().clone();
    pose.set_scale(0, Vec3::splat(2.0));
    let found = measure_poses(&tube, &[pose], &BOTH).unwrap();
    for report in &found.methods {
        let frame = &report.frames[0];
        let stretch = frame.stretch;
        for ratio in [stretch.p1, stretch.p50, stretch.p99, stretch.max] {
            assert!((ratio - 2.0).abs() < 1e-4, "{stretch:?}");
        }
        assert!((frame.volume.unwrap() - 8.0).abs() < 1e-3);
        let section = report.sections[0];
        assert!((section.narrowest.value - 2.0).abs() < 1e-4);
        assert!((section.widest.unwrap().value - 2.0).abs() < 1e-4);
    }
}

#[test]
fn a_rigid_motion_deforms_nothing() {
    for character in [tube_character(), humanoid_character()] {
        let mut moved = character.skeleton.rest().clone();
        let mut root = moved.get(0);
        root.rotation = Axis::X.rotation(2.9) * root.rotation;
        root.translation += Vec3::new(1.0, 2.0, 3.0);
        moved.set(0, root);
        let rest = character.skeleton.rest().clone();
        let methods = [
            Method::Rigid,
            Method::Linear,
            Method::DualQuat,
            Method::Quaternion,
        ];
        let found = measure_poses(&character, &[rest, moved], &methods).unwrap();
        assert_eq!(found.far_joints().count(), 0);
        for report in &found.methods {
            for frame in &report.frames {
                assert!((frame.volume.unwrap() - 1.0).abs() < 1e-4);
                assert!((frame.stretch.p1 - 1.0).abs() < 1e-3);
                assert!((frame.stretch.max - 1.0).abs() < 1e-3);
                assert_eq!(frame.flipped, 0);
                assert!(frame.normal_error_deg.max < 0.2, "{frame:?}");
            }
            assert_eq!(report.sections.len(), character.skeleton.len() - 1);
            for section in &report.sections {
                assert!((section.narrowest.value - 1.0).abs() < 1e-3);
                assert!((section.widest.unwrap().value - 1.0).abs() < 1e-3);
            }
            assert_eq!(report.frames[0].speed, 0.0);
            assert!(report.frames[1].speed > 1.0);
        }
    }
}

#[test]
fn a_joint_turned_far_is_listed() {
    let tube = tube_character();
    let times = frame_times(2.0, 30.0).unwrap();
    let twist = measure(&tube, tube.find_clip("twist"), &times, &BOTH).unwrap();
    let far: Vec<_> = twist.far_joints().collect();
    assert_eq!(far.len(), 1);
    assert_eq!((far[0].joint, far[0].frame), (1, 60));
    assert!((far[0].angle_deg - 180.0).abs() < 0.1);
    let bend = measure(&tube, tube.find_clip("bend"), &times, &BOTH).unwrap();
    assert_eq!(bend.far_joints().count(), 0);
    assert!((bend.rotations[0].angle_deg - 120.0).abs() < 0.1);
}

#[test]
fn the_jump_across_a_half_turn_shows_in_the_step() {
    let tube = tube_character();
    let poses: Vec<_> = (0..9)
        .map(|frame| turned(&tube, Axis::Y, 176.5 + frame as f32))
        .collect();
    let found = measure_poses(&tube, &poses, &BOTH).unwrap();
    let steps = |m: usize| values(Metric::StepMax, &found, &found.methods[m]);
    let extent = found.surface.extent;
    let one_degree = 2.0 * 0.25 * 0.5_f64.to_radians().sin() / extent;
    for (frame, step) in steps(0).into_iter().enumerate() {
        assert!(step < one_degree * 1.01, "linear, frame {frame}: {step}");
    }
    for (frame, step) in steps(1).into_iter().enumerate() {
        if frame == 3 {
            assert!(step > 0.9 * 0.5 / extent, "no jump: {step}");
        } else {
            assert!(step < one_degree * 1.01, "frame {frame}: {step}");
        }
    }
    let check: Check = "step_max>0.1".parse().unwrap();
    let worst = check.violation(&found, &found.methods[1]).unwrap();
    assert_eq!(worst.reading.unwrap().frame, 4);
    assert_eq!(check.violation(&found, &found.methods[0]), None);
}

/// The tubes of the limbs are open. The ellipsoids between them are closed.
#[test]
fn a_walk_keeps_the_body() {
    let person = humanoid_character();
    let walk = person.find_clip("walk");
    let duration = person.clips[walk.unwrap()].duration_secs;
    let times = frame_times(f64::from(duration), 30.0).unwrap();
    let found = measure(&person, walk, &times, &BOTH).unwrap();
    let surface = &found.surface;
    assert!(surface.volume.unwrap() > 0.0);
    assert_eq!(
        (surface.open.len(), surface.open[0].open_edges),
        (1, 2 * 9 * 24)
    );
    assert!((1..surface.triangles).contains(&surface.open[0].open_triangles));
    assert_eq!(found.rotations.len(), 9);
    for report in &found.methods {
        assert_eq!(report.frames.len(), times.len());
        for frame in &report.frames {
            assert!((frame.volume.unwrap() - 1.0).abs() < 0.03);
            assert!(frame.speed < 10.0 && frame.step < 0.1);
        }
        for section in &report.sections {
            assert!(section.narrowest.value > 0.5, "{section:?}");
        }
    }
}

#[test]
fn a_mesh_with_a_hole_has_no_volume() {
    let mut tube = tube_character();
    let surface = &mut tube.meshes[0].primitives[0];
    let mut indices = surface.indices.as_ref().unwrap().to_vec();
    indices.truncate(indices.len() - 3);
    surface.indices = Some(Arc::new(indices));
    let found = measure(&tube, None, &[0.0], &BOTH).unwrap();
    assert_eq!(found.surface.volume, None);
    assert_eq!(found.surface.open.len(), 1);
    assert_eq!(found.surface.open[0].open_edges, 3);
    assert_eq!(found.methods[0].frames[0].volume, None);
    let check: Check = "volume<0.9".parse().unwrap();
    let unknown = check.violation(&found, &found.methods[0]).unwrap();
    assert_eq!(unknown.reading, None);
}

#[test]
fn a_sheet_with_two_sides_has_no_volume() {
    let mut tube = tube_character();
    let surface = &mut tube.meshes[0].primitives[0];
    let inside_out = surface.triangles().flat_map(|[a, b, c]| [a, c, b]);
    let both = surface.triangles().flatten().chain(inside_out);
    surface.indices = Some(Arc::new(both.map(|v| v as u32).collect()));
    let found = measure(&tube, None, &[0.0], &BOTH).unwrap();
    assert!(found.surface.open.is_empty());
    assert_eq!(found.surface.volume, None);
    assert_eq!(found.methods[0].frames[0].volume, None);
}

#[test]
fn how_a_surface_is_cut_up_changes_nothing() {
    let whole = cylinder();
    let mut cut = whole.clone();
    let surface = whole.meshes[0].primitives[0].clone();
    let corners: Vec<usize> = surface.triangles().flatten().collect();
    let influences = surface.influences.as_ref().unwrap();
    let half = |corners: &[usize]| {
        let lists: Vec<Vec<(u16, f32)>> = corners
            .iter()
            .map(|&v| influences.get(v).map(|(j, w)| (j as u16, w)).collect())
            .collect();
        Primitive {
            positions: Arc::new(corners.iter().map(|&v| surface.positions[v]).collect()),
            influences: Some(Arc::new(Influences::from_lists(&lists, 2).unwrap().0)),
            ..Primitive::default()
        }
    };
    let (left, right) = corners.split_at(3 * 5001);
    cut.meshes[0].primitives = vec![half(left), half(right)];
    let pose = [turned(&whole, Axis::Z, 60.0)];
    let whole = measure_poses(&whole, &pose, &BOTH).unwrap();
    let cut = measure_poses(&cut, &pose, &BOTH).unwrap();
    assert!(cut.surface.open.is_empty());
    for (a, b) in whole.methods.iter().zip(&cut.methods) {
        for (metric, name) in Metric::ALL {
            let (of_whole, of_cut) = (values(metric, &whole, a), values(metric, &cut, b));
            for (a, b) in of_whole.iter().zip(&of_cut) {
                // In the whole surface, shared corners count once in the mean over vertices.
                let slack = if name.starts_with("normal") {
                    1.5
                } else {
                    1e-3
                };
                assert!((a - b).abs() < slack, "{name}: {a} {b}");
            }
        }
    }
}

#[test]
fn what_morphs_do_is_no_deformation() {
    let mut tube = tube_character();
    let surface = &mut tube.meshes[0].primitives[0];
    let swollen: Vec<Vec3> = surface.positions.iter().map(|p| *p * 3.0).collect();
    surface.morphs.push(Morph {
        positions: Some(Deltas {
            vertices: None,
            values: Arc::new(swollen),
        }),
        ..Morph::default()
    });
    tube.meshes[0].morph_weights = vec![0.0];
    let node = tube.nodes.iter().position(|n| n.mesh.is_some()).unwrap();
    let mut clip = Clip::new("swell");
    let weights = Track::new(vec![0.0, 1.0], vec![0.0, 1.0], 1, Interpolation::Linear);
    clip.morphs.push(MorphTrack {
        node,
        weights: weights.unwrap(),
    });
    clip.fit_duration();
    tube.clips.push(clip);
    let found = measure(&tube, Some(2), &[0.0, 1.0], &BOTH).unwrap();
    for report in &found.methods {
        assert!((report.frames[1].volume.unwrap() - 1.0).abs() < 1e-5);
        assert!((report.frames[1].stretch.max - 1.0).abs() < 1e-5);
        assert!(report.frames[1].step > 0.5, "it does move");
    }
}

#[test]
fn weights_are_counted() {
    let tube = tube_character();
    let found = measure(&tube, None, &[0.0], &[]).unwrap().weights;
    let influences = tube.meshes[0].primitives[0].influences.clone().unwrap();
    let single = (0..influences.len()).filter(|&v| influences.get(v).len() == 1);
    assert_eq!(found.single_joint_vertices, single.count());
    assert_eq!((found.influences_max, found.joint_sets), (2, 3));
    let mean = influences.total() as f64 / influences.len() as f64;
    assert_eq!(found.influences_mean, mean);
}

#[test]
fn checks_are_read_as_people_write_them() {
    for (text, shown) in [
        ("volume<0.9", "volume<0.9"),
        (" section_max >= 1.5 ", "section_max>=1.5"),
        ("flipped>0", "flipped>0"),
        ("normal_error_mean <=10", "normal_error_mean<=10"),
    ] {
        assert_eq!(text.parse::<Check>().unwrap().to_string(), shown);
    }
    for (metric, name) in Metric::ALL {
        assert_eq!(format!("{name}>1").parse::<Check>().unwrap().metric, metric);
    }
    let refused = |text: &str| text.parse::<Check>().unwrap_err();
    assert_eq!(refused("volume"), CheckError::NoComparison("volume".into()));
    assert_eq!(refused("size<1"), CheckError::NoSuchMetric("size".into()));
    assert_eq!(refused("volume<"), CheckError::NoBound(String::new()));
    assert_eq!(refused("volume<NaN"), CheckError::NoBound("NaN".into()));
    assert!(refused("size<1").to_string().contains("normal_error_p99"));
}

#[test]
fn a_check_finds_the_worst_place() {
    let tube = tube_character();
    let times = frame_times(2.0, 4.0).unwrap();
    let found = measure(&tube, tube.find_clip("twist"), &times, &BOTH).unwrap();
    let worst = |text: &str, method: usize| -> Option<Reading> {
        let check: Check = text.parse().unwrap();
        check.violation(&found, &found.methods[method])?.reading
    };
    let collapse = worst("section_min<0.5", 0).unwrap();
    assert_eq!((collapse.joint, collapse.frame), (Some(1), 8));
    assert_eq!(worst("section_min<0.5", 1), None);
    let thin = worst("volume<0.9", 0).unwrap();
    assert_eq!((thin.joint, thin.frame), (None, 8));
    assert_eq!(worst("angle_max>150", 0).unwrap().joint, Some(1));
    assert_eq!(worst("volume>1.5", 0), None);
}

/// Cylinder in centimetres under a root of scale 0.01, as many exporters write it.
#[test]
fn a_mesh_in_another_unit_than_its_pose_measures_the_same() {
    let metres = cylinder();
    let mut centimetres = cylinder();
    let shrink = Transform {
        scale: Vec3::splat(0.01),
        ..Transform::IDENTITY
    }
    .to_affine();
    let primitive = &mut centimetres.meshes[0].primitives[0];
    primitive.positions = Arc::new(primitive.positions.iter().map(|p| *p * 100.0).collect());
    for joint_from_model in &mut centimetres.skins[0].joint_from_model {
        *joint_from_model = *joint_from_model * shrink;
    }
    let methods = [
        Method::Rigid,
        Method::Linear,
        Method::DualQuat,
        Method::Quaternion,
    ];
    for axis in [Axis::X, Axis::Z] {
        let of = |c: &Character| measure_poses(c, &[turned(c, axis, 120.0)], &methods).unwrap();
        let (expected, found) = (of(&metres), of(&centimetres));
        assert!((found.surface.extent / expected.surface.extent - 1.0).abs() < 1e-5);
        let volume = |m: &Measurement| m.surface.volume.unwrap();
        assert!((volume(&found) / volume(&expected) - 1.0).abs() < 1e-5);
        for (found, expected) in found.methods.iter().zip(&expected.methods) {
            let (f, w) = (found.frames[0], expected.frames[0]);
            assert!(
                (f.volume.unwrap() - w.volume.unwrap()).abs() < 1e-4,
                "{f:?} {w:?}"
            );
            assert!((f.stretch.max - w.stretch.max).abs() < 1e-3, "{f:?} {w:?}");
            assert_eq!(f.flipped, w.flipped);
            for (f, w) in found.sections.iter().zip(&expected.sections) {
                assert!((f.narrowest.value - w.narrowest.value).abs() < 1e-4);
                let widest = |r: Option<Reading>| r.map_or(0.0, |r| r.value);
                assert!((widest(f.widest) - widest(w.widest)).abs() < 1e-4);
            }
        }
    }
}

#[test]
fn the_spot_of_each_frame_is_where_its_number_comes_from() {
    let tube = tube_character();
    let (twist, times) = (tube.find_clip("twist"), frame_times(2.0, 10.0).unwrap());
    let found = measure(&tube, twist, &times, &[Method::Linear]).unwrap();
    let report = &found.methods[0];
    let at = |clip, time| {
        deform(&tube, clip, time, Method::Linear)
            .unwrap()
            .primitives
    };
    let rest = at(None, 0.0);
    let surface = &tube.meshes[0].primitives[0];
    for (frame, seen) in report.frames.iter().enumerate() {
        let now = at(twist, times[frame]);
        let place = seen.stretch_at.expect("edges");
        let part = now
            .iter()
            .position(|p| (p.node, p.primitive) == (place.node, place.primitive));
        let (rest, now) = (
            &rest[part.unwrap()].positions,
            &now[part.unwrap()].positions,
        );
        let is_there = |v: usize| rest[v].distance(rest[place.vertex]) < 1e-6;
        let edges = surface
            .triangles()
            .flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
        let ratio = |[a, b]: [usize; 2]| now[a].distance(now[b]) / rest[a].distance(rest[b]);
        let longest = edges.filter(|e| e.iter().any(|&v| is_there(v))).map(ratio);
        let longest = f64::from(longest.fold(0.0, f32::max));
        assert!(
            (longest - seen.stretch.max).abs() < 1e-5,
            "{longest} {}",
            seen.stretch.max
        );
        match (frame, seen.step_at) {
            (0, step_at) => assert_eq!(step_at, None),
            (_, step_at) => {
                let vertex = step_at.expect("it moves").vertex;
                let before = &at(twist, times[frame - 1])[part.unwrap()].positions;
                let step = f64::from(before[vertex].distance(now[vertex]));
                assert!((step / found.surface.extent - seen.step).abs() < 1e-6);
            }
        }
        let narrowest = seen.narrowest.expect("limbs");
        let of_joint = report
            .sections
            .iter()
            .find(|s| Some(s.joint) == narrowest.joint)
            .unwrap();
        assert!(narrowest.value >= of_joint.narrowest.value);
    }
    let least = |values: Vec<f64>| values.into_iter().fold(f64::INFINITY, f64::min);
    let by_frame = report
        .frames
        .iter()
        .filter_map(|f| f.narrowest)
        .map(|r| r.value);
    let by_joint = report.sections.iter().map(|s| s.narrowest.value);
    assert_eq!(least(by_frame.collect()), least(by_joint.collect()));
}
