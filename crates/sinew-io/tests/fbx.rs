//! FBX import: units, axes, transforms, skins. All files are made by code.

use crate::made_fbx::{
    Fbx, LEFT_HANDED, MESH, ROOT, SKIN, STRIP, TIP, Y_UP, Z_UP, array, bending_strip, properties,
    strip, translation, vectors_of,
};
use glam::Vec3;
use sinew::skeleton::limits::RotationLimit;
use sinew::{Method, deform};
use sinew_io::fbx::{FbxError, FbxImport, import_bytes};
use sinew_io::{Format, ImportError, Severity};
use std::path::Path;

pub(crate) fn read(fbx: &Fbx) -> FbxImport {
    let read = import_bytes(&fbx.bytes()).expect("the file is whole");
    read.character.check().expect("a character is consistent");
    read
}

pub(crate) fn moved(import: &FbxImport, clip: Option<usize>, secs: f64) -> Vec<Vec3> {
    let moved = deform(&import.character, clip, secs, Method::Linear).expect("it moves");
    moved
        .primitives
        .into_iter()
        .flat_map(|part| part.positions)
        .collect()
}

/// Asserts that two sets have the same points. Order and repetition do not matter.
pub(crate) fn assert_same_positions(found: &[Vec3], wanted: &[[f32; 3]], within: f32) {
    let near = |a: Vec3, b: Vec3| a.distance(b) <= within;
    for point in found {
        assert!(
            wanted.iter().any(|w| near(*point, Vec3::from_array(*w))),
            "{point} in {wanted:?}"
        );
    }
    for point in wanted {
        assert!(
            found.iter().any(|f| near(*f, Vec3::from_array(*point))),
            "{point:?} in {found:?}"
        );
    }
}

fn codes(import: &FbxImport) -> Vec<&'static str> {
    import
        .report
        .findings
        .iter()
        .map(|finding| finding.code)
        .collect()
}

pub(crate) const UPRIGHT: [[f32; 3]; 6] = [
    [-0.1, 0.0, 0.0],
    [0.1, 0.0, 0.0],
    [-0.1, 0.5, 0.0],
    [0.1, 0.5, 0.0],
    [-0.1, 1.0, 0.0],
    [0.1, 1.0, 0.0],
];

/// The upper row is rotated about x to the front of the tip. The middle row is at the tip.
pub(crate) const BENT: [[f32; 3]; 6] = [
    UPRIGHT[0],
    UPRIGHT[1],
    UPRIGHT[2],
    UPRIGHT[3],
    [-0.1, 0.5, 0.5],
    [0.1, 0.5, 0.5],
];

#[test]
fn a_file_in_centimetres_with_z_up_becomes_metres_with_y_up() {
    let import = read(&strip(Z_UP));
    assert_same_positions(&moved(&import, None, 0.0), &UPRIGHT, 1e-6);
    let reported = codes(&import);
    assert!(
        reported.contains(&"FBX_UNIT") && reported.contains(&"FBX_AXES"),
        "{reported:?}"
    );
    for joint in 0..import.character.skeleton.len() {
        let rest = import.character.skeleton.rest().get(joint);
        assert!((rest.scale - Vec3::ONE).length() < 1e-6, "{rest:?}");
    }
    let tip = import
        .character
        .skeleton
        .find("tip")
        .expect("the tip is a joint");
    let worlds = import.character.skeleton.rest_model();
    assert!(
        worlds
            .get(tip)
            .translation()
            .distance(Vec3::new(0.0, 0.5, 0.0))
            < 1e-6
    );
}

#[test]
fn a_file_in_metres_with_y_up_stays_as_it_is() {
    let mut fbx = strip(Y_UP);
    fbx.unit = 100.0;
    let import = read(&fbx);
    let high = moved(&import, None, 0.0)
        .iter()
        .fold(0.0, |max: f32, p| max.max(p.z));
    assert_eq!(high, 100.0);
    let reported = codes(&import);
    assert!(
        !reported.contains(&"FBX_UNIT") && !reported.contains(&"FBX_AXES"),
        "{reported:?}"
    );
}

#[test]
fn inches_are_inches() {
    let mut fbx = strip(Z_UP);
    fbx.unit = 2.54;
    let high = moved(&read(&fbx), None, 0.0)
        .iter()
        .fold(0.0, |max: f32, p| max.max(p.y));
    assert!((high - 2.54).abs() < 1e-5, "{high}");
}

#[test]
fn a_left_handed_file_is_mirrored_and_its_triangles_still_face_outward() {
    let mut fbx = Fbx::new(LEFT_HANDED);
    let points = [
        [0.0, 0.0, 0.0],
        [100.0, 0.0, 0.0],
        [0.0, 100.0, 0.0],
        [0.0, 0.0, 50.0],
    ];
    let outward: [&[i32]; 4] = [&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[0, 3, 2]];
    fbx.mesh(MESH, &points, &outward, "")
        .node(STRIP, "body", "Mesh", &[]);
    fbx.connect(MESH, STRIP).connect(STRIP, 0);
    let import = read(&fbx);
    let wanted = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, -0.5],
    ];
    assert_same_positions(&moved(&import, None, 0.0), &wanted, 1e-6);
    assert!(codes(&import).contains(&"FBX_LEFT_HANDED"));
    let moved = deform(&import.character, None, 0.0, Method::Linear).expect("it stands");
    let primitive = &import.character.meshes[0].primitives[0];
    let volume = sinew::mesh::volume(
        &moved.primitives[0].positions,
        moved.primitives[0].triangles(primitive),
    );
    assert!((volume - 1.0 / 12.0).abs() < 1e-6, "{volume}");
}

#[test]
fn rotations_before_and_after_and_pivots_become_plain_transforms() {
    let mut fbx = Fbx::new(Y_UP);
    fbx.unit = 100.0;
    let mut inside = vectors_of(&[
        ("Lcl Translation", [1.0, 0.0, 0.0]),
        ("RotationPivot", [0.0, 2.0, 0.0]),
        ("PreRotation", [0.0, 0.0, 90.0]),
        ("PostRotation", [0.0, 90.0, 0.0]),
        ("Lcl Rotation", [90.0, 0.0, 0.0]),
    ]);
    inside.push_str("P: \"RotationActive\", \"bool\", \"\", \"\",1\n");
    fbx.object("Model", ROOT, "node", "Null", &properties(&inside))
        .connect(ROOT, 0);
    let import = read(&fbx);
    let node = &import.character.nodes[0].parent_from_node;
    // The origin under T · P · Rz(90) · Rx(90) · Ry(90)⁻¹ · P⁻¹: P⁻¹ gives (0,-2,0), Ry⁻¹ keeps it,
    // Rx gives (0,0,-2), Rz keeps it, and P and T are added.
    let wanted = Vec3::new(1.0, 2.0, -2.0);
    assert!(
        node.translation().distance(wanted) < 1e-5,
        "{}",
        node.translation()
    );
    // x under Ry(-90) is (0,0,1), then under Rx(90) (0,-1,0), then under Rz(90) (1,0,0).
    let x = node.transform_vector(Vec3::X);
    assert!(x.distance(Vec3::X) < 1e-5, "{x}");
}

#[test]
fn geometric_transforms_move_the_vertices_and_no_child() {
    let mut fbx = Fbx::new(Y_UP);
    fbx.unit = 100.0;
    fbx.mesh(
        MESH,
        &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        &[&[0, 1, 2]],
        "",
    );
    let transform = [
        ("GeometricTranslation", [5.0, 0.0, 0.0]),
        ("GeometricScaling", [2.0, 2.0, 2.0]),
    ];
    fbx.node(STRIP, "parent", "Mesh", &transform).node(
        ROOT,
        "child",
        "Null",
        &[("Lcl Translation", [0.0, 3.0, 0.0])],
    );
    fbx.connect(MESH, STRIP)
        .connect(STRIP, 0)
        .connect(ROOT, STRIP);
    let import = read(&fbx);
    assert_same_positions(
        &moved(&import, None, 0.0),
        &[[5.0, 0.0, 0.0], [7.0, 0.0, 0.0], [5.0, 2.0, 0.0]],
        1e-6,
    );
    let still = deform(&import.character, None, 0.0, Method::Linear).expect("it stands");
    let child = import
        .character
        .nodes
        .iter()
        .position(|n| n.name == "child")
        .expect("it is kept");
    assert_eq!(
        still.node_worlds[child].translation(),
        Vec3::new(0.0, 3.0, 0.0)
    );
}

#[test]
fn joints_that_do_not_inherit_scale_stand_beside_a_node_that_carries_it() {
    let mut fbx = Fbx::new(Y_UP);
    fbx.unit = 100.0;
    fbx.node(
        ROOT,
        "upper",
        "LimbNode",
        &[("Lcl Scaling", [2.0, 1.0, 1.0])],
    );
    let mut inside = vectors_of(&[
        ("Lcl Translation", [1.0, 0.0, 0.0]),
        ("Lcl Rotation", [0.0, 0.0, 45.0]),
    ]);
    inside.push_str("P: \"InheritType\", \"enum\", \"\", \"\",2\n");
    fbx.object("Model", TIP, "lower", "LimbNode", &properties(&inside));
    fbx.object("NodeAttribute", 15, "", "LimbNode", "").object(
        "NodeAttribute",
        16,
        "",
        "LimbNode",
        "",
    );
    fbx.connect(15, ROOT)
        .connect(16, TIP)
        .connect(ROOT, 0)
        .connect(TIP, ROOT);
    let import = read(&fbx);
    let still = deform(&import.character, None, 0.0, Method::Linear).expect("it stands");
    let world = |name: &str| {
        let node = import
            .character
            .nodes
            .iter()
            .position(|node| node.name == name);
        still.node_worlds[node.expect("it is kept")]
    };
    assert!((world("upper.scale").transform_vector(Vec3::X) - Vec3::X * 2.0).length() < 1e-6);
    // The position follows the scale, but the axes do not, so there is no shear.
    let lower = world("lower");
    assert!(lower.translation().distance(Vec3::new(2.0, 0.0, 0.0)) < 1e-6);
    assert!((lower.transform_vector(Vec3::X).length() - 1.0).abs() < 1e-6);
    let square = lower
        .transform_vector(Vec3::X)
        .dot(lower.transform_vector(Vec3::Y));
    assert!(square.abs() < 1e-6);
}

#[test]
fn weights_are_normalised_and_vertices_without_any_stay_on_their_node() {
    let mut fbx = bending_strip(Z_UP);
    // Vertices 0 and 1 have no weight. The weight of 4 and 5 is 3 instead of 1.
    let begin = fbx.objects.find("Deformer: 21").expect("the first cluster");
    fbx.objects.truncate(begin);
    fbx.cluster(21, &[(2, 0.5), (3, 0.5)], translation(0.0, 0.0, 0.0));
    fbx.cluster(
        22,
        &[(2, 0.5), (3, 0.5), (4, 3.0), (5, 3.0)],
        translation(0.0, 0.0, 50.0),
    );
    let mut again = bending_strip(Z_UP);
    let takes = again
        .objects
        .split_off(again.objects.find("AnimationStack:").expect("a take"));
    fbx.objects.push_str(&takes);
    let import = read(&fbx);
    assert_same_positions(&moved(&import, Some(0), 1.0), &BENT, 1e-6);
    assert!(codes(&import).contains(&"FBX_WEIGHTS_NOT_NORMALIZED"));
}

#[test]
fn the_skinning_method_is_kept() {
    for (reported, wanted) in [
        ("Linear", Method::Linear),
        ("DualQuaternion", Method::DualQuat),
        ("Rigid", Method::Rigid),
    ] {
        let mut fbx = strip(Z_UP);
        let plain = "Link_DeformAcuracy: 50";
        fbx.objects = fbx
            .objects
            .replace(plain, &format!("{plain}\nSkinningType: \"{reported}\""));
        assert_eq!(
            read(&fbx).character.stated_method,
            Some(wanted),
            "{reported}"
        );
    }
    let mut blend = strip(Z_UP);
    let plain = "Link_DeformAcuracy: 50";
    let weights =
        array("Indexes", &[0, 1, 2, 3, 4]) + &array("BlendWeights", &[1.0, 1.0, 1.0, 1.0, 1.0]);
    blend.objects = blend.objects.replace(
        plain,
        &format!("{plain}\nSkinningType: \"Blend\"\n{weights}"),
    );
    let import = read(&blend);
    assert_eq!(import.character.stated_method, Some(Method::DualQuat));
    assert!(codes(&import).contains(&"FBX_BLENDED_SKINNING"));
    let mut bare = Fbx::new(Y_UP);
    bare.node(ROOT, "alone", "Null", &[]).connect(ROOT, 0);
    assert_eq!(read(&bare).character.stated_method, None);
    let _ = SKIN;
}

#[test]
fn limits_of_rotations_are_kept() {
    let mut fbx = Fbx::new(Y_UP);
    let mut inside = vectors_of(&[
        ("RotationMin", [-10.0, 0.0, -20.0]),
        ("RotationMax", [90.0, 0.0, 30.0]),
        ("PreRotation", [0.0, 45.0, 0.0]),
    ]);
    for name in [
        "RotationActive",
        "RotationMinX",
        "RotationMaxX",
        "RotationMinZ",
        "RotationMaxZ",
    ] {
        inside.push_str(&format!("P: \"{name}\", \"bool\", \"\", \"\",1\n"));
    }
    fbx.object("Model", ROOT, "elbow", "LimbNode", &properties(&inside))
        .connect(ROOT, 0);
    let import = read(&fbx);
    let elbow = import
        .character
        .skeleton
        .find("elbow")
        .expect("what is limited is a joint");
    let RotationLimit::Euler { order, ranges } = &import.character.skeleton.freedom(elbow).rotation
    else {
        panic!("{:?}", import.character.skeleton.freedom(elbow));
    };
    let degrees: Vec<[f32; 2]> = order
        .axes()
        .iter()
        .zip(ranges)
        .filter(|(_, range)| range.ends())
        .map(|(_, range)| {
            [
                range.min_rad.to_degrees().round(),
                range.max_rad.to_degrees().round(),
            ]
        })
        .collect();
    // Outermost axis first: z, x.
    assert_eq!(degrees, [[-20.0, 30.0], [-10.0, 90.0]]);
}

#[test]
fn joints_alone_are_a_character() {
    let mut fbx = Fbx::new(Z_UP);
    fbx.node(
        ROOT,
        "hips",
        "LimbNode",
        &[("Lcl Translation", [0.0, 0.0, 90.0])],
    );
    fbx.node(
        TIP,
        "hips",
        "LimbNode",
        &[("Lcl Translation", [0.0, 0.0, 20.0])],
    );
    fbx.object("NodeAttribute", 15, "", "LimbNode", "").object(
        "NodeAttribute",
        16,
        "",
        "LimbNode",
        "",
    );
    fbx.connect(15, ROOT)
        .connect(16, TIP)
        .connect(ROOT, 0)
        .connect(TIP, ROOT);
    let import = read(&fbx);
    let skeleton = &import.character.skeleton;
    assert_eq!(skeleton.len(), 2);
    assert_eq!(skeleton.name(0), skeleton.name(1));
    assert!(
        skeleton
            .rest_model()
            .get(1)
            .translation()
            .distance(Vec3::new(0.0, 1.1, 0.0))
            < 1e-6
    );
    assert_eq!(import.exporter.as_deref(), Some("made by code"));
}

#[test]
fn what_the_reader_refuses_is_refused_with_its_words() {
    let whole = bending_strip(Z_UP).bytes();
    for (bytes, word) in [
        (whole[..whole.len() / 2].to_vec(), "cannot be read"),
        (
            b"Kaydara FBX Binary  \0\x1a\0\xff\xff\xff\xff".to_vec(),
            "cannot be read",
        ),
    ] {
        let error = import_bytes(&bytes).expect_err("half a file");
        assert!(matches!(&error, FbxError::Refused { .. }), "{error}");
        assert!(error.to_string().contains(word), "{error}");
    }
    let old = String::from_utf8(whole)
        .expect("it is text")
        .replace("7400", "8000")
        .replace("7.4.0", "8.0.0")
        .replace("GlobalSettings", "@");
    let error = import_bytes(old.as_bytes()).expect_err("a version that nobody wrote");
    assert!(error.to_string().contains("8000"), "{error}");
}

/// Each repaired fault has its own finding code.
#[test]
fn what_was_wrong_and_made_good_is_reported() {
    let reported = |fbx: &Fbx| -> Vec<(&'static str, String)> {
        let findings = read(fbx).report.findings.into_iter();
        let kept = findings.filter(|finding| finding.severity != Severity::Note);
        kept.map(|finding| (finding.code, finding.message))
            .collect()
    };
    let change = |from: &str, to: &str| {
        let mut fbx = strip(Y_UP);
        assert!(fbx.objects.contains(from));
        fbx.objects = fbx.objects.replacen(from, to, 1);
        fbx
    };
    assert_eq!(reported(&strip(Y_UP)), []);
    for unit in [0.0, -1.0] {
        let mut fbx = strip(Y_UP);
        fbx.unit = unit;
        let reported = reported(&fbx);
        assert_eq!(reported.len(), 1, "{reported:?}");
        assert_eq!(reported[0].0, "FBX_NO_UNIT");
        assert!(reported[0].1.contains("--scale 0.01"), "{reported:?}");
    }
    let axes = reported(&strip([1, 1, 1, 1, 0, 1]));
    assert_eq!(axes.len(), 1, "{axes:?}");
    assert_eq!(axes[0].0, "FBX_NO_AXES");
    let mut boneless = strip(Y_UP);
    boneless.cluster(23, &[(0, 0.5)], translation(0.0, 0.0, 0.0));
    boneless.connect(23, SKIN);
    let boneless = reported(&boneless);
    assert_eq!(boneless.len(), 1, "{boneless:?}");
    assert_eq!(boneless[0].0, "FBX_NO_JOINT");
    let beyond = reported(&change("a: 2,3,4,5", "a: 2,3,4,99999"));
    assert_eq!(beyond.len(), 1, "{beyond:?}");
    assert_eq!(beyond[0].0, "FBX_NO_VERTEX");
    assert!(beyond[0].1.contains("1 weights and offsets"), "{beyond:?}");
    let endless = reported(&change("a: -10,", "a: 1e300,"));
    assert_eq!(endless.len(), 1, "{endless:?}");
    assert_eq!(endless[0].0, "FBX_NOT_FINITE");
    // A node with a scale about a pivot, and a child joint that does not inherit the scale.
    let mut pivot = Fbx::new(Y_UP);
    let scaled = [
        ("Lcl Scaling", [2.0; 3]),
        ("ScalingPivot", [0.0, 10.0, 0.0]),
    ];
    pivot.node(ROOT, "root", "LimbNode", &scaled);
    let own = format!(
        "{}P: \"InheritType\", \"enum\", \"\", \"\",2\n",
        vectors_of(&[("Lcl Translation", [0.0, 50.0, 0.0])])
    );
    pivot.object("Model", TIP, "tip", "LimbNode", &properties(&own));
    pivot.connect(ROOT, 0).connect(TIP, ROOT);
    let pivot = reported(&pivot);
    assert_eq!(pivot.len(), 1, "{pivot:?}");
    assert_eq!(pivot[0].0, "FBX_SCALING_PIVOT");
}

#[test]
fn the_format_is_known_by_its_first_bytes_and_then_by_its_name() {
    let text = bending_strip(Z_UP).bytes();
    assert_eq!(
        Format::of(&text, Some(Path::new("a.glb"))),
        Some(Format::Fbx)
    );
    assert_eq!(
        Format::of(b"Kaydara FBX Binary  \0\x1a\0", None),
        Some(Format::Fbx)
    );
    assert_eq!(
        Format::of(b"?", Some(Path::new("A.FBX"))),
        Some(Format::Fbx)
    );
    let import = sinew_io::import_bytes(&text).expect("the file is whole");
    assert_eq!(
        (import.format, import.metres_per_unit()),
        (Some(Format::Fbx), Some(1.0))
    );
    assert!(import.report.of(Severity::Error).next().is_none());
    let error = sinew_io::import_bytes(b"; FBX 7.4.0\nObjects: {").expect_err("half a file");
    assert!(matches!(error, ImportError::Fbx(_)), "{error}");
}
