//! `sinew retarget --onto FILE.fbx`: motion on a body as Mixamo delivers it.

use crate::foreign::foreign;
use crate::made_fbx::{Fbx, Y_UP, properties, vectors_of};
use crate::program::{folder, good, json, write};
use glam::Vec3;
use serde_json::Value;
use sinew::{Affine, Character, LocalPose, ModelPose, sample};
use sinew_io::gltf::{ExportOptions, to_glb};
use std::path::Path;

/// Depth, name, offset in centimetres, and pre-rotation. Along limbs the y axes point to the next joint.
type Bone = (usize, &'static str, [f64; 3], [f64; 3]);
const STRAIGHT: [f64; 3] = [0.0; 3];
const BODY: [Bone; 22] = [
    (0, "Hips", [0.0, 96.0, 0.0], STRAIGHT),
    (1, "Spine", [0.0, 10.0, 0.0], STRAIGHT),
    (2, "Spine1", [0.0, 12.0, 0.0], STRAIGHT),
    (3, "Spine2", [0.0, 13.0, 0.0], STRAIGHT),
    (4, "Neck", [0.0, 15.0, 0.0], STRAIGHT),
    (5, "Head", [0.0, 9.0, 0.0], STRAIGHT),
    (4, "LeftShoulder", [6.0, 11.0, 0.0], [0.0, 0.0, -90.0]),
    (5, "LeftArm", [0.0, 12.0, 0.0], STRAIGHT),
    (6, "LeftForeArm", [0.0, 28.0, 0.0], STRAIGHT),
    (7, "LeftHand", [0.0, 26.0, 0.0], STRAIGHT),
    (4, "RightShoulder", [-6.0, 11.0, 0.0], [0.0, 0.0, 90.0]),
    (5, "RightArm", [0.0, 12.0, 0.0], STRAIGHT),
    (6, "RightForeArm", [0.0, 28.0, 0.0], STRAIGHT),
    (7, "RightHand", [0.0, 26.0, 0.0], STRAIGHT),
    (1, "LeftUpLeg", [9.0, -5.0, 0.0], [0.0, 0.0, 180.0]),
    (2, "LeftLeg", [0.0, 41.0, 0.0], STRAIGHT),
    (3, "LeftFoot", [0.0, 42.0, 0.0], [90.0, 0.0, 0.0]),
    (4, "LeftToeBase", [0.0, 13.0, -7.0], STRAIGHT),
    (1, "RightUpLeg", [-9.0, -5.0, 0.0], [0.0, 0.0, 180.0]),
    (2, "RightLeg", [0.0, 41.0, 0.0], STRAIGHT),
    (3, "RightFoot", [0.0, 42.0, 0.0], [90.0, 0.0, 0.0]),
    (4, "RightToeBase", [0.0, 13.0, -7.0], STRAIGHT),
];

fn name_of(bone: &str) -> String {
    format!("mixamorig:{bone}")
}

fn body() -> Vec<u8> {
    let mut fbx = Fbx::new(Y_UP);
    let mut open: Vec<i64> = Vec::new();
    for (id, (depth, bone, offset, turn)) in (100_i64..).step_by(2).zip(BODY) {
        let mut inside = vectors_of(&[("Lcl Translation", offset), ("PreRotation", turn)]);
        inside.push_str("P: \"RotationActive\", \"bool\", \"\", \"\",1\n");
        let name = name_of(bone);
        fbx.object("Model", id, &name, "LimbNode", &properties(&inside));
        let kind = "TypeFlags: \"Skeleton\"";
        fbx.object("NodeAttribute", id + 1, "", "LimbNode", kind);
        open.truncate(depth);
        fbx.connect(id, open.last().copied().unwrap_or(0));
        fbx.connect(id + 1, id);
        open.push(id);
    }
    fbx.bytes()
}

fn places<const N: usize>(character: &Character, clip: usize, joints: [&str; N]) -> Vec<[Vec3; N]> {
    let skeleton = &character.skeleton;
    let find = |name: &str| {
        let found = (0..skeleton.len()).find(|joint| skeleton.name(*joint) == name);
        found.unwrap_or_else(|| panic!("no joint {name}"))
    };
    let joints = joints.map(find);
    let mut pose = LocalPose::identity(skeleton.len());
    let mut model = ModelPose::identity(skeleton.len());
    let clip = &character.clips[clip];
    let frames = (30.0 * clip.duration_secs) as u32;
    let at = |frame: u32| {
        sample(clip, skeleton, f64::from(frame) / 30.0, &mut pose).unwrap();
        let updated = model.update(skeleton.hierarchy(), &pose, &Affine::IDENTITY);
        updated.expect("of one length");
        joints.map(|joint| model.get(joint).transform_point(Vec3::ZERO))
    };
    (0..=frames).map(at).collect()
}

fn bend([a, b, c]: [Vec3; 3]) -> f32 {
    (a - b).angle_between(c - b).to_degrees()
}

fn alike(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(a, b) / f32::sqrt(dot(a, a) * dot(b, b))
}

const ARMS: [[&str; 3]; 2] = [
    ["LeftArm", "LeftForeArm", "LeftHand"],
    ["RightArm", "RightForeArm", "RightHand"],
];
const LEGS: [[&str; 3]; 2] = [
    ["LeftUpLeg", "LeftLeg", "LeftFoot"],
    ["RightUpLeg", "RightLeg", "RightFoot"],
];

fn hold(
    source: (&Character, usize),
    names: fn(&str) -> String,
    limbs: &[[&str; 3]],
    out: &Character,
    report: &Value,
) {
    let clip = report["clips"][0]["number"].as_u64().expect("a number") as usize;
    let follow = |bones: [&str; 3]| {
        let [a, b, c] = bones.map(names);
        let source = places(source.0, source.1, [&a, &b, &c]);
        let [a, b, c] = bones.map(name_of);
        let target = places(out, clip, [&a, &b, &c]);
        assert_eq!(source.len(), target.len());
        (source, target)
    };
    for &limb in limbs {
        let (source, target) = follow(limb);
        let off = source.iter().zip(&target);
        let off = off.map(|(a, b)| (bend(*a) - bend(*b)).abs());
        let off = off.fold(0.0, f32::max);
        println!("{}: {off}° apart at most", limb[1]);
        assert!(off < 0.01, "{limb:?}: {off}°");
    }
    // The hips travel as in the source, scaled by the length of the legs.
    let (source, target) = follow(["Hips", "LeftFoot", "RightFoot"]);
    let level = |v: Vec3| Vec3::new(v.x, 0.0, v.z).length();
    let way = |frames: &[[Vec3; 3]]| -> f32 {
        let steps = frames.windows(2).map(|two| level(two[1][0] - two[0][0]));
        steps.sum()
    };
    let scale = report["scale"].as_f64().expect("a number") as f32;
    let ratio = way(&target) / way(&source);
    println!("the way is {ratio} times as long, of {scale}");
    assert!((ratio / scale - 1.0).abs() < 0.02, "{ratio}, {scale}");
    // The feet are apart when those of the source are.
    let apart = |frames: &[[Vec3; 3]]| -> Vec<f32> {
        let apart = frames.iter().map(|frame| level(frame[1] - frame[2]));
        apart.collect()
    };
    let alike = alike(&apart(&source), &apart(&target));
    println!("steps are alike to {alike}");
    assert!(alike > 0.99, "{alike}");
}

fn hold_feet(report: &Value) {
    let feet = report["clips"][0]["feet"].as_array().expect("feet");
    assert_eq!(feet.len(), 2);
    for foot in feet {
        assert!(foot["contact_frames"].as_u64() > Some(10), "{foot}");
        assert!(foot["slide_after"].as_f64() < Some(0.01), "{foot}");
    }
}

fn retargeted(folder: &Path, motion: &[&str]) -> (Character, Value) {
    let onto = ["--onto", "body.fbx", "-o", "out.glb", "--json"];
    let arguments = [&["retarget"], motion, &onto].concat();
    let report = json(&good(folder, &arguments));
    let pairs = report["pairs"].as_array().expect("pairs");
    let targets: Vec<&str> = pairs.iter().filter_map(|p| p["target"].as_str()).collect();
    for bone in [
        "Hips",
        "Head",
        "LeftHand",
        "RightForeArm",
        "LeftFoot",
        "RightToeBase",
    ] {
        assert!(targets.contains(&&*name_of(bone)), "{bone}: {report}");
    }
    let out = sinew_io::import(folder.join("out.glb")).expect("it was written");
    (out.character, report)
}

#[test]
fn a_walk_made_by_code_goes_onto_a_body_of_fbx() {
    let folder = folder("retarget_fbx_made");
    write(&folder, "body.fbx", body());
    let person = sinew_samples::mannequin::Mannequin::default().build();
    let bytes = to_glb(&person, &ExportOptions::default()).expect("it is whole");
    write(&folder, "person.glb", bytes);
    let (out, report) = retargeted(&folder, &["person.glb", "--clip", "walk"]);
    let clip = person.clips.iter().position(|clip| clip.name == "walk");
    let names = |bone: &str| {
        let side = |bone: &str| match bone {
            "Arm" => "upper_arm",
            "ForeArm" => "lower_arm",
            "Hand" => "hand",
            "UpLeg" => "upper_leg",
            "Leg" => "lower_leg",
            _ => "foot",
        };
        match (bone.strip_prefix("Left"), bone.strip_prefix("Right")) {
            (Some(rest), _) => format!("left_{}", side(rest)),
            (_, Some(rest)) => format!("right_{}", side(rest)),
            _ => "hips".to_owned(),
        }
    };
    let limbs = [ARMS, LEGS].concat();
    let walk = (&person, clip.expect("it walks"));
    hold(walk, names, &limbs, &out, &report);
}

#[test]
fn a_captured_walk_goes_onto_a_body_of_fbx() {
    let Some(walk) = foreign("bvh/pymo_AV_8Walk_Meredith.bvh") else {
        return;
    };
    let folder = folder("retarget_fbx_captured");
    write(&folder, "body.fbx", body());
    let (out, report) = retargeted(&folder, &[&walk.display().to_string()]);
    let source = sinew_io::import(&walk).expect("it is whole").character;
    // Legs bend more where the hips sink to let feet stand.
    hold((&source, 0), str::to_owned, &ARMS, &out, &report);
    hold_feet(&report);
}
