//! First inputs of the fuzzers: files made by code, and small real files from a folder.

#[path = "../../crates/sinew-io/tests/made/mod.rs"]
#[allow(missing_docs, reason = "the tests' own")]
mod made;
#[path = "../../crates/sinew-io/tests/made_c3d/mod.rs"]
#[allow(missing_docs, reason = "the tests' own")]
mod made_c3d;
#[path = "../../crates/sinew-io/tests/made_fbx/mod.rs"]
#[allow(missing_docs, missing_debug_implementations, reason = "the tests' own")]
mod made_fbx;

use glam::{Quat, Vec3};
use made_c3d::C3d;
use sinew::{Character, Clip, Interpolation, Track};
use sinew_io::gltf::{ExportOptions, import_bytes, to_glb, to_gltf};
use sinew_io::import;
use sinew_pack::{PackOptions, file_bytes, pack};
use sinew_rig::retarget::with_biped_limits;
use sinew_rig::template::Biped;
use std::path::{Path, PathBuf};

/// Max length of a seed, in bytes. Longer files make a fuzzer slow.
pub const LONGEST: usize = 1 << 16;

/// Files made by code for a target.
pub fn made(target: &str) -> Vec<Vec<u8>> {
    let files = match target {
        "gltf" => gltf(),
        "bvh" => bvh(),
        "c3d" => c3d(),
        "fbx" => [made_fbx::Z_UP, made_fbx::LEFT_HANDED]
            .map(|axes| made_fbx::bending_strip(axes).bytes())
            .to_vec(),
        "mesh" => meshes(),
        "sinew" => (characters().iter().chain([&finer()]))
            .filter_map(packed)
            .collect(),
        "graph" => graphs(),
        "retarget" => choices(600),
        "bind" => choices(300),
        _ => Vec::new(),
    };
    assert!(files.iter().all(|file| file.len() <= LONGEST));
    files
}

/// Files of a folder in the format of a target. glTF files have embedded buffers and images.
pub fn real(target: &str, folder: &Path) -> Vec<Vec<u8>> {
    let alone = ExportOptions::default();
    let files = files_below(folder);
    let files = files.iter().filter_map(|path| match target {
        "gltf" => {
            let read = import(path).ok()?;
            let options = ExportOptions::new().source(Some(read.source.as_ref()?));
            to_glb(&read.character, &options).ok()
        }
        "sinew" => packed(&import(path).ok()?.character),
        _ => None,
    });
    let mut files: Vec<Vec<u8>> = files.collect();
    if target == "gltf" {
        let texts = files.iter().filter_map(|glb| {
            let read = import_bytes(glb, None).ok()?;
            Some(to_gltf(&read.character, &alone).ok()?.into_bytes())
        });
        let texts: Vec<Vec<u8>> = texts.collect();
        files.extend(texts);
    }
    files.retain(|file| file.len() <= LONGEST);
    files
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => files.extend(files_below(&path)),
            false => files.push(path),
        }
    }
    files.sort();
    files
}

/// Small characters that together use every feature.
fn characters() -> Vec<Character> {
    use Interpolation::{CatmullRom, CubicHermite, Linear, Quadratic, Slerp, Step};
    let person = Biped::default().template().skeleton().ok();
    let person = person.and_then(|p| Some(with_biped_limits(&p)?.skeleton));
    let mut all = vec![
        made::skinned(3, 12, 2),
        made::skinned(6, 10, 5),
        made::morphed(),
        made::animated(&[Step, Linear, Slerp, Quadratic, CubicHermite, CatmullRom]),
        made::eventful(),
        made::painted(),
    ];
    all.extend(person.map(Character::from_skeleton));
    all
}

fn gltf() -> Vec<Vec<u8>> {
    let options = ExportOptions::default();
    let write = |character: &Character| {
        let text = to_gltf(character, &options).expect("exports").into_bytes();
        [to_glb(character, &options).expect("exports"), text]
    };
    let mut files: Vec<Vec<u8>> = characters().iter().flat_map(write).collect();
    let document = |members: &str| format!(r#"{{"asset":{{"version":"2.0"}},{members}}}"#);
    let texts = [
        r#""nodes":[{"children":[1]},{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}],"scenes":[{"nodes":[0]}],"scene":0"#,
        r#""extensionsUsed":["KHR_lights_punctual"],"extensions":{"KHR_lights_punctual":{"lights":[{"type":"spot","spot":{}}]}},"nodes":[{"extensions":{"KHR_lights_punctual":{"light":0}}}]"#,
        r#""cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":0.1}}],"nodes":[{"camera":0,"extras":{"a":[1,{"b":null}]}}]"#,
    ];
    files.extend(texts.map(|members| document(members).into_bytes()));
    files
}

/// Character with a track that is packed at a higher frame rate than the other tracks.
fn finer() -> Character {
    let mut character = made::skinned(3, 12, 2);
    let mut clip = Clip::new("finer");
    let turns = |fps: f32, interpolation| {
        let times: Vec<f32> = (0..(2.0 * fps) as usize).map(|k| k as f32 / fps).collect();
        let turn = |t: &f32| Quat::from_axis_angle(Vec3::X, (9.0 * t).sin());
        let keys: Vec<Quat> = times.iter().map(turn).collect();
        Track::rotations(times, &keys, interpolation).ok()
    };
    for joint in 0..3 {
        clip.joint_mut(joint).rotation = turns(30.0, Interpolation::Slerp);
    }
    clip.joint_mut(2).rotation = turns(41.0, Interpolation::CatmullRom);
    clip.fit_duration();
    character.clips = vec![clip];
    character
}

fn packed(character: &Character) -> Option<Vec<u8>> {
    let skeleton = &character.skeleton;
    let clips: Vec<_> = (character.clips.iter())
        .filter_map(|clip| pack(skeleton, clip, &PackOptions::default()).ok())
        .collect();
    let clips: Vec<_> = clips.iter().map(|packed| &packed.clip).collect();
    file_bytes(skeleton, &clips).ok()
}

fn meshes() -> Vec<Vec<u8>> {
    let obj = "mtllib a.mtl\no body\nv 0 0 0 1 0.5 0\nv 2 2 0\nv 0 1 0\nv -2 2 0\nvt 0 1\nvn 0 0 1\nusemtl skin\n\
               f 2/1/1 3/1/1 4/1/1 1/1/1\ng x\ns off\nf -1 -2 \\\n-3\n";
    let header = "element vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\n\
                  element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    let text = format!("ply\nformat ascii 1.0\n{header}0 0 0 9\n1 0 0 9\n0 1 0 9\n3 0 1 2\n");
    let mut binary = format!("ply\nformat binary_big_endian 1.0\n{header}").into_bytes();
    for x in [0.0_f32, 1.0, 2.0] {
        for number in [x, x * x, 0.0] {
            binary.extend(number.to_be_bytes());
        }
        binary.push(9);
    }
    binary.push(3);
    for index in [0_i32, 1, 2] {
        binary.extend(index.to_be_bytes());
    }
    vec![obj.into(), text.into(), binary]
}

fn bvh() -> Vec<Vec<u8>> {
    let joints = "HIERARCHY\nROOT Hips\n{\n OFFSET 0 10 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation \
        Xrotation Yrotation\n JOINT Arm\n {\n  OFFSET 5 -0.5 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  \
        End Site\n  {\n   OFFSET 3 0 0\n  }\n }\n}\n";
    let frames =
        "MOTION\nFrames: 2\nFrame Time: 0.5\n-1 2.5 -3 0 0 0 0 0 0\n-1 2.5 -3 90 -0 0 90 0 0\n";
    let scaled = "HIERARCHY\nROOT a b\n{\n OFFSET 1,5 0 0\n CHANNELS 4 Zrotation Yscale Xrotation Yposition\n}\n\
        ROOT\n{\n OFFSET 0 0 0\n CHANNELS 0\n}\nMOTION\nFrames: 3\nFrame Time: 0.0083333\n1 1 2 3\n4 5 6 7\n8 9 1e1 2\n";
    [
        format!("{joints}{frames}"),
        format!("{joints}{frames}").replace('\n', "\r\n"),
        joints.to_owned(),
        scaled.to_owned(),
    ]
    .map(String::into_bytes)
    .to_vec()
}

fn c3d() -> Vec<Vec<u8>> {
    let frames: Vec<_> = (0..6_u8)
        .map(|f| vec![Some([f32::from(f), 1.0, 2.0]), (f != 3).then_some([0.5; 3])])
        .collect();
    let plain = C3d::new(&["LFHD", "RFHD"], frames);
    let whole = C3d {
        scale: 0.1,
        units: "cm",
        up: "+Y",
        analog: 0,
        lists: vec![("ANGLES", vec!["RFHD"])],
        ..plain.clone()
    };
    [plain, whole].map(|file| file.bytes()).to_vec()
}

/// Pseudo-random bytes (xorshift by Marsaglia), for input without a file format.
fn choices(bytes: usize) -> Vec<Vec<u8>> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    let mut file = |most: u8| (0..bytes).map(|_| next().min(most)).collect();
    // Half of the files have no extreme numbers.
    (0..24)
        .map(|n| file(if n % 2 == 0 { 249 } else { 255 }))
        .collect()
}

fn graphs() -> Vec<Vec<u8>> {
    let plays = choices(160);
    let with = |text: &&str| {
        plays[..6]
            .iter()
            .map(|play| [text.as_bytes(), &[0], play].concat())
            .collect()
    };
    GRAPHS.iter().flat_map::<Vec<Vec<u8>>, _>(with).collect()
}

const GRAPHS: [&str; 4] = [
    r#"{"states":[{"name":"walk","motion":{"clip":"walk"}}]}"#,
    r#"{"parameters":[{"name":"speed","value":1.5},{"name":"jump"}],"states":[
        {"name":"stand","motion":{"clip":"still"},"wrap":"clamp"},
        {"name":"move","motion":{"blend":{"parameter":"speed","points":[{"at":0.5,"clip":"walk"},{"at":3,"clip":"run"}]}},"speed":1.2},
        {"name":"spin","motion":{"clip":"spin"},"speed":-0.5,"wrap":"ping_pong"}],
        "transitions":[{"from":"stand","to":"move","when":[{"above":{"parameter":"speed","value":0.1}}],"duration_secs":0.3},
        {"from":"move","to":"stand","when":[{"below":{"parameter":"speed","value":0.1}}],"duration_secs":0.5,"kind":{"cross_fade":"smooth"},"start":"in_phase"},
        {"to":"spin","when":[{"triggered":{"parameter":"jump"}},{"after":0.2}],"duration_secs":0.2,"start":{"at":0.5}},
        {"from":"spin","to":"stand","when":["ended"]}]}"#,
    r#"{"states":[{"name":"a","motion":{"clip":"run"},"speed":1000},{"name":"b","motion":{"clip":"spin"},"speed":-2}],"transitions":[
        {"from":"a","to":"b","when":[{"after":0.01}],"duration_secs":0.4,"kind":{"cross_fade":"linear"}},
        {"from":"b","to":"a","when":["ended"],"duration_secs":1e-9}]}"#,
    r#"{"parameters":[{"name":"x"},{"name":"y","value":0.5}],"states":[{"name":"go","motion":{"blend_2d":{"parameters":["x","y"],
        "points":[{"at":[0,0],"clip":"walk"},{"at":[1,0],"clip":"run"},{"at":[0,1],"clip":"spin"},{"at":[1,1],"clip":"walk"}]}}}],
        "layers":[{"name":"leg","weight_parameter":"x","mask":[{"joint":"knee"},{"joint":"foot","weight":0.5,"and_below":false}],
        "states":[{"name":"a","motion":{"clip":"spin"}},{"name":"b","motion":{"clip":"run"}}],
        "transitions":[{"from":"a","to":"b","when":[{"above":{"parameter":"y","value":1}}],"duration_secs":0.3}]},
        {"name":"sway","weight":0.7,"mode":{"additive":{"frame":{"clip":"still"}}},"states":[{"name":"c","motion":{"clip":"walk"}}]}],
        "payloads":[{"event":"left","text":"step","number":2}]}"#,
];
