//! Avatars made by code, in two versions of VRM. Names are meaningless and nodes unordered, so that
//! only the humanoid map identifies joints.

#![allow(dead_code, reason = "every test file uses some of it")]

use glam::Vec3;
use serde_json::{Map, Value, json};
use sinew::character::{Image, Texture};
use sinew::mesh::{Deltas, Morph};
use sinew::{
    Affine, Character, Influences, Joint, Material, Mesh, Node, Primitive, Skeleton, Skin,
};
use sinew_io::gltf::{ExportOptions, to_gltf};
use sinew_rig::template::Biped;
use std::sync::Arc;

/// A version of VRM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    V0,
    V1,
}

pub const BOTH: [Version; 2] = [Version::V0, Version::V1];

impl Version {
    pub fn extension(self) -> &'static str {
        match self {
            Self::V0 => "VRM",
            Self::V1 => "VRMC_vrm",
        }
    }
}

/// Name in VRM 1.0 and name in the template of each bone.
pub fn bones() -> Vec<(String, String)> {
    let middle = [
        ("hips", "hips"),
        ("spine", "spine_1"),
        ("chest", "spine_2"),
        ("upperChest", "chest"),
        ("neck", "neck"),
        ("head", "head"),
    ];
    let mut bones: Vec<_> = middle
        .map(|(bone, joint)| (bone.to_owned(), joint.to_owned()))
        .to_vec();
    let limbs = [
        ("Shoulder", "shoulder"),
        ("UpperArm", "upper_arm"),
        ("LowerArm", "lower_arm"),
        ("Hand", "hand"),
        ("UpperLeg", "upper_leg"),
        ("LowerLeg", "lower_leg"),
        ("Foot", "foot"),
        ("Toes", "toes"),
        ("ThumbMetacarpal", "thumb_1"),
        ("ThumbProximal", "thumb_2"),
        ("ThumbDistal", "thumb_3"),
    ];
    for side in ["left", "right"] {
        for (bone, joint) in limbs {
            bones.push((format!("{side}{bone}"), format!("{side}_{joint}")));
        }
        for finger in ["Index", "Middle", "Ring", "Little"] {
            for (k, segment) in ["Proximal", "Intermediate", "Distal"].iter().enumerate() {
                let joint = format!("{side}_{}_{}", finger.to_lowercase(), k + 1);
                bones.push((format!("{side}{finger}{segment}"), joint));
            }
        }
    }
    bones
}

/// Name in the file of a template joint.
pub fn name_of(joint: &str) -> String {
    let (skeleton, _) = template();
    format!("n{:02}", skeleton.find(joint).expect(joint))
}

/// The template, and the same tree with meaningless names.
fn template() -> (Skeleton, Skeleton) {
    let named = Biped::default().template().skeleton().expect("a biped");
    let joints = named.joints().into_iter().enumerate();
    let joints = joints.map(|(joint, known)| {
        let name = format!("n{joint:02}");
        Joint::new(name, known.parent, known.rest)
    });
    let (nameless, _) = Skeleton::new(joints.collect()).expect("the same tree");
    (named, nameless)
}

fn character() -> Character {
    let (_, skeleton) = template();
    let model = skeleton.rest_model();
    let joints = skeleton.len();
    let corner = |vertex: usize| {
        let at = model.get(vertex / 3).translation();
        let aside = [Vec3::ZERO, Vec3::X, Vec3::Y][vertex % 3];
        at + 0.02 * aside
    };
    let lists: Vec<Vec<(u16, f32)>> = (0..3 * joints)
        .map(|v| vec![((v / 3) as u16, 1.0)])
        .collect();
    let (influences, _) = Influences::from_lists(&lists, joints).expect("one joint each");
    let body = Mesh {
        name: "body".into(),
        primitives: vec![Primitive {
            positions: Arc::new((0..3 * joints).map(corner).collect()),
            influences: Some(Arc::new(influences)),
            material: Some(0),
            ..Primitive::default()
        }],
        ..Mesh::default()
    };
    let morph = |by: Vec3| Morph {
        positions: Some(Deltas {
            vertices: None,
            values: Arc::new(vec![by; 3]),
        }),
        ..Morph::default()
    };
    let face = Mesh {
        name: "face".into(),
        primitives: vec![Primitive {
            positions: Arc::new(vec![Vec3::ZERO, 0.1 * Vec3::X, 0.1 * Vec3::Y]),
            morphs: vec![morph(Vec3::X), morph(Vec3::Y)],
            material: Some(0),
            ..Primitive::default()
        }],
        morph_names: vec!["wide".into(), "high".into()],
        ..Mesh::default()
    };
    let head = skeleton.find(&name_of("head"));
    let skin = Skin::bound_at(model.as_slice());
    let mut character = Character::from_skeleton(skeleton);
    let node = |name: &str, mesh, skin, parent| Node {
        name: name.to_owned(),
        parent,
        parent_from_node: Affine::IDENTITY,
        joint: None,
        mesh: Some(mesh),
        skin,
        morph_weights: Vec::new(),
        light: None,
    };
    character.nodes.push(node("body", 0, Some(0), None));
    character.nodes.push(node("face", 1, None, head));
    character.meshes = vec![body, face];
    character.skins.push(skin);
    character.images = ["skin", "portrait"].map(image).to_vec();
    character.textures = [0, 1].map(texture).to_vec();
    character.materials.push(Material {
        name: "skin".into(),
        ..Material::default()
    });
    character
}

fn image(name: &str) -> Image {
    Image {
        name: name.into(),
        mime_type: "image/png".into(),
        bytes: Arc::new(ONE_PIXEL.to_vec()),
    }
}

fn texture(image: usize) -> Texture {
    Texture {
        image: Some(image),
        ..Texture::default()
    }
}

/// A valid document of an avatar that uses every part of VRM.
pub fn avatar(version: Version) -> Value {
    let text = to_gltf(&character(), &ExportOptions::default()).expect("it can be written");
    let mut document: Value = serde_json::from_str(&text).expect("JSON");
    reverse_nodes(&mut document);
    let node = |name: &str| node_named(&document, name);
    let joint = |joint: &str| node(&name_of(joint));
    let extensions = match version {
        Version::V0 => old_extensions(&node, &joint),
        Version::V1 => extensions(&node, &joint),
    };
    let mut used: Vec<String> = extensions.keys().cloned().collect();
    if version == Version::V1 {
        let (toes, foot) = (joint("left_toes"), joint("right_toes"));
        let roll = json!({"roll": {"source": foot, "rollAxis": "X", "weight": 0.50}});
        document["nodes"][toes]["extensions"] =
            json!({"VRMC_node_constraint": {"specVersion": "1.0", "constraint": roll}});
        document["materials"][0]["extensions"] = json!({"VRMC_materials_mtoon": {
            "specVersion": "1.0", "shadeColorFactor": [0.5, 0.25, 0.125],
            "shadeMultiplyTexture": {"index": 1}}});
        used.extend(["VRMC_node_constraint", "VRMC_materials_mtoon"].map(str::to_owned));
    } else {
        let hips = joint("hips");
        let nodes = document["nodes"].as_array_mut().expect("nodes");
        nodes.push(json!({"name": "world", "rotation": [0.0, 1.0, 0.0, 0.0], "children": [hips]}));
        let world = nodes.len() - 1;
        let roots = document["scenes"][0]["nodes"]
            .as_array_mut()
            .expect("roots");
        let root = roots.iter_mut().find(|root| **root == json!(hips));
        *root.expect("hips stand in the scene") = json!(world);
    }
    document["extensions"] = Value::Object(extensions);
    document["extensionsUsed"] = json!(used);
    document
}

fn extensions(node: &dyn Fn(&str) -> usize, joint: &dyn Fn(&str) -> usize) -> Map<String, Value> {
    let bones = bones().into_iter();
    let bones = bones.map(|(bone, name)| (bone, json!({"node": joint(&name)})));
    let bones: Map<String, Value> = bones.collect();
    let face = node("face");
    let vrm = json!({
        "specVersion": "1.0",
        "meta": {"name": "Hana", "version": "3", "authors": ["Ada", "Bo"], "thumbnailImage": 1,
            "licenseUrl": "https://vrm.dev/licenses/1.0/", "avatarPermission": "everyone",
            "allowRedistribution": false, "modification": "prohibited", "unknown": [1, {"a": null}]},
        "humanoid": {"humanBones": bones},
        "firstPerson": {"meshAnnotations": [{"node": face, "type": "auto"}]},
        "lookAt": {"offsetFromHeadBone": [0.0, 0.06, 0.0], "type": "bone"},
        "expressions": {
            "preset": {
                "happy": {"isBinary": false, "overrideBlink": "none",
                    "morphTargetBinds": [{"node": face, "index": 1, "weight": 0.5}]},
                "angry": {"materialColorBinds": [{"material": 0, "type": "color", "targetValue": [1, 0, 0, 1]}]},
            },
            "custom": {"grin": {"morphTargetBinds": [
                {"node": face, "index": 0, "weight": 1.0}, {"node": face, "index": 1, "weight": 0.25}]}},
        },
        "of a later version": {"node": 3},
    });
    let spring = json!({
        "specVersion": "1.0",
        "colliders": [{"node": joint("head"), "shape": {"sphere": {"offset": [0.0, 0.1, 0.0], "radius": 0.1}}}],
        "colliderGroups": [{"name": "head", "colliders": [0]}],
        "springs": [{"name": "hand", "center": joint("hips"), "colliderGroups": [0], "joints": [
            {"node": joint("left_hand"), "hitRadius": 0.02, "stiffness": 1.0, "gravityDir": [0.0, -1.0, 0.0]},
            {"node": joint("left_index_1")}]}],
    });
    let mut all = Map::new();
    all.insert("VRMC_vrm".into(), vrm);
    all.insert("VRMC_springBone".into(), spring);
    all
}

fn old_extensions(
    node: &dyn Fn(&str) -> usize,
    joint: &dyn Fn(&str) -> usize,
) -> Map<String, Value> {
    let _ = node("face");
    let bones = bones().into_iter().map(|(bone, name)| {
        // Thumb segments have other names in 0.x.
        let bone = bone.replace("ThumbProximal", "ThumbIntermediate");
        let bone = bone.replace("ThumbMetacarpal", "ThumbProximal");
        json!({"bone": bone, "node": joint(&name), "useDefaultValues": true})
    });
    let bones: Vec<Value> = bones.collect();
    let vector = json!({"x": 0.0, "y": -1.0, "z": 0.0});
    let vrm = json!({
        "exporterVersion": "made by code", "specVersion": "0.0",
        "meta": {"title": "Hana", "version": "3", "author": "Ada", "texture": 1,
            "allowedUserName": "Everyone", "violentUssageName": "Disallow",
            "commercialUssageName": "Allow", "licenseName": "Redistribution_Prohibited"},
        "humanoid": {"humanBones": bones, "armStretch": 0.05},
        "firstPerson": {"firstPersonBone": joint("head"), "firstPersonBoneOffset": vector,
            "meshAnnotations": [{"mesh": 0, "firstPersonFlag": "Auto"}, {"mesh": 1, "firstPersonFlag": "Both"}]},
        "blendShapeMaster": {"blendShapeGroups": [
            {"name": "Joy", "presetName": "joy", "isBinary": false, "materialValues": [],
                "binds": [{"mesh": 1, "index": 1, "weight": 50}]},
            {"name": "Neutral", "presetName": "neutral", "binds": [], "materialValues": []},
            {"name": "grin", "presetName": "unknown", "binds": [
                {"mesh": 1, "index": 0, "weight": 100}, {"mesh": 1, "index": 1, "weight": 25.0}],
                "materialValues": [{"materialName": "skin", "propertyName": "_Color", "targetValue": [1, 0, 0, 1]}]},
        ]},
        "secondaryAnimation": {
            "boneGroups": [{"comment": "hand", "stiffiness": 1.0, "gravityDir": vector, "center": -1,
                "bones": [joint("left_hand")], "colliderGroups": [0]}],
            "colliderGroups": [{"node": joint("head"), "colliders": [{"offset": vector, "radius": 0.1}]}]},
        "materialProperties": [{"name": "skin", "shader": "VRM/MToon", "renderQueue": 2000,
            "floatProperties": {"_Cutoff": 0.5}, "textureProperties": {"_MainTex": 1}, "keywordMap": {}}],
        "of a later version": {"node": 3},
    });
    Map::from_iter([("VRM".to_owned(), vrm)])
}

/// Reverses the order of nodes and updates the references.
fn reverse_nodes(document: &mut Value) {
    let nodes = document["nodes"].as_array_mut().expect("nodes");
    let last = nodes.len() as u64 - 1;
    let reverse = |index: &mut Value| *index = json!(last - index.as_u64().expect("an index"));
    let reverse_all = |list: Option<&mut Value>| {
        let list = list.and_then(Value::as_array_mut);
        list.into_iter().flatten().for_each(reverse);
    };
    nodes.reverse();
    for node in nodes {
        reverse_all(node.get_mut("children"));
    }
    reverse_all(document["scenes"][0].get_mut("nodes"));
    reverse_all(document["skins"][0].get_mut("joints"));
    if let Some(root) = document["skins"][0].get_mut("skeleton") {
        reverse(root);
    }
}

/// Index of the node of that name.
pub fn node_named(document: &Value, name: &str) -> usize {
    let nodes = document["nodes"].as_array().expect("nodes");
    let found = nodes.iter().position(|node| node["name"] == name);
    found.unwrap_or_else(|| panic!("no node {name}"))
}

/// A document as the bytes of a `.vrm` file.
pub fn glb(document: &Value) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((text.len() as u32 + 20).to_le_bytes());
    file.extend((text.len() as u32).to_le_bytes());
    file.extend(b"JSON");
    file.extend(text);
    file
}

/// The document in the bytes of a GLB file.
pub fn document(glb: &[u8]) -> Value {
    let length: [u8; 4] = glb[12..16].try_into().expect("a header");
    let end = 20 + u32::from_le_bytes(length) as usize;
    serde_json::from_slice(&glb[20..end]).expect("JSON")
}

const ONE_PIXEL: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b,
    0x55, 0x00, 0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0x0f, 0x00, 0x01,
    0x01, 0x01, 0x00, 0xb1, 0x38, 0xf6, 0x14, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae,
    0x42, 0x60, 0x82,
];
