//! VRM avatars of both versions: roles, expressions, licences, kept data and faults.

use crate::foreign::{files_below, foreign};
use crate::khronos;
use crate::made_vrm::{self, BOTH, Version, avatar, bones, glb, name_of, node_named};

use serde_json::{Value, json};
use sinew::Method;
use sinew::deform;
use sinew::skeleton::{Finger, Role, Side};
use sinew_io::gltf::vrm::{Forbidden, VrmVersion};
use sinew_io::gltf::{ExportError, ExportOptions, GltfImport, export, import_bytes, to_glb, write};
use sinew_io::report::{FileReport, Severity};
use sinew_rig::retarget::find_roles;
use sinew_rig::template::Biped;

fn read(document: &Value) -> GltfImport {
    import_bytes(&glb(document), None).unwrap_or_else(|error| panic!("{error}"))
}

fn written(import: &GltfImport) -> (Value, FileReport) {
    let options = ExportOptions::new().source(Some(&import.source));
    let written = export(&import.character, &options).unwrap();
    let report = written.report.clone();
    (made_vrm::document(&written.to_glb().unwrap()), report)
}

fn codes(import: &GltfImport, code: &str) -> Vec<String> {
    let of_code = import.report.findings.iter().filter(|f| f.code == code);
    of_code
        .map(|f| format!("{}: {}", f.pointer, f.message))
        .collect()
}

#[test]
fn the_humanoid_map_becomes_roles() {
    let template = Biped::default().template().skeleton().unwrap();
    // Roles by the joint names of the template, which are not in the files.
    let expected = find_roles(&template);
    assert_eq!(expected.len(), bones().len());
    for version in BOTH {
        let import = read(&avatar(version));
        let skeleton = &import.character.skeleton;
        for (role, joint) in expected.iter() {
            let wanted = name_of(template.name(joint));
            let stated: Vec<&str> = (0..skeleton.len())
                .filter(|joint| skeleton.role(*joint) == Some(role))
                .map(|joint| skeleton.name(joint))
                .collect();
            assert_eq!(stated, [wanted], "{role} of {version:?}");
        }
        let stated = (0..skeleton.len()).filter(|joint| skeleton.role(*joint).is_some());
        assert_eq!(stated.count(), expected.len());
        assert_eq!(find_roles(skeleton).len(), expected.len());
        assert_eq!(codes(&import, "VRM_UNREADABLE"), [""; 0]);
    }
}

#[test]
fn bones_that_a_body_does_not_have_leave_no_gap() {
    for (gone, left) in [("chest", "upperChest"), ("upperChest", "chest")] {
        let mut document = avatar(Version::V1);
        let bones = &mut document["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"];
        bones.as_object_mut().unwrap().remove(gone);
        bones
            .as_object_mut()
            .unwrap()
            .remove("leftIndexIntermediate");
        let node = bones[left]["node"].as_u64().unwrap() as usize;
        let import = read(&document);
        let roles = find_roles(&import.character.skeleton);
        assert_eq!(roles.spine_len(), 2);
        assert_eq!(
            roles.joint(Role::Spine(1)),
            import.character.nodes[node].joint
        );
        assert_eq!(roles.finger_len(Side::Left, Finger::Index), 2);
        assert_eq!(roles.finger_len(Side::Right, Finger::Index), 3);
    }
}

#[test]
fn a_bone_is_a_joint_even_if_no_skin_lists_it() {
    let mut document = avatar(Version::V1);
    let empty = document["nodes"].as_array().unwrap().len();
    let head = node_named(&document, &name_of("head"));
    let nodes = document["nodes"].as_array_mut().unwrap();
    nodes.push(json!({"name": "empty"}));
    nodes[head]["children"]
        .as_array_mut()
        .unwrap()
        .push(json!(empty));
    document["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]["head"]["node"] = json!(empty);
    let import = read(&document);
    let joint = import.character.nodes[empty].joint.expect("a joint");
    assert_eq!(import.character.skeleton.role(joint), Some(Role::Head));
}

#[test]
fn expressions_are_named_sets_of_morph_targets() {
    for (version, happy) in [(Version::V0, "joy"), (Version::V1, "happy")] {
        let document = avatar(version);
        let import = read(&document);
        let avatar = import.avatar.as_ref().expect("an avatar");
        let sets = avatar.expressions.iter().map(|expression| {
            let binds = expression.binds.iter();
            let binds = binds.map(|bind| (bind.mesh, bind.target, bind.weight));
            (expression.name.as_str(), binds.collect::<Vec<_>>())
        });
        let sets: Vec<_> = sets.collect();
        let grin = vec![(1, 0, 1.0), (1, 1, 0.25)];
        assert_eq!(sets, [(happy, vec![(1, 1, 0.5)]), ("grin", grin)]);
        // Half of the first target is from the file, a quarter of the second from the grin.
        let mut character = import.character.clone();
        let face = node_named(&document, "face");
        character.meshes[1].morph_weights = vec![0.5, 0.0];
        avatar.expression("grin").unwrap().show(&mut character, 0.5);
        assert_eq!(character.nodes[face].morph_weights, [1.0, 0.125]);
        let body = node_named(&document, "body");
        assert_eq!(character.nodes[body].morph_weights, [0.0; 0]);
        let corner = |character| {
            let shown = deform(character, None, 0.0, Method::Linear).unwrap();
            let mut parts = shown.primitives.iter();
            parts.find(|part| part.node == face).unwrap().positions[0]
        };
        let moved = corner(&character) - corner(&import.character);
        assert!(
            (moved.length() - 1.0_f32.hypot(0.125)).abs() < 1e-5,
            "{moved}"
        );
        let reported = codes(&import, "NOT_DRAWN");
        let materials = "changes of materials by expressions are kept but not drawn";
        assert!(
            reported.iter().any(|s| s.ends_with(materials)),
            "{reported:?}"
        );
    }
}

#[test]
fn an_avatar_says_who_made_it_and_what_is_forbidden() {
    let import = read(&avatar(Version::V1));
    let found = import.avatar.expect("an avatar");
    assert_eq!((found.version, &*found.title), (VrmVersion::V1, "Hana"));
    assert_eq!(found.authors, ["Ada", "Bo"]);
    assert_eq!(found.licence.name, "https://vrm.dev/licenses/1.0/");
    let forbidden = [Forbidden::Modification, Forbidden::Redistribution];
    assert_eq!(found.licence.forbids, forbidden);
    let terms = &found.licence.terms;
    assert!(
        terms.contains(&("avatarPermission", "everyone".to_owned())),
        "{terms:?}"
    );
    assert!(
        terms.contains(&("allowRedistribution", "false".to_owned())),
        "{terms:?}"
    );
    let import = read(&avatar(Version::V0));
    let found = import.avatar.expect("an avatar");
    assert_eq!((found.version, &*found.title), (VrmVersion::V0, "Hana"));
    assert_eq!(found.authors, ["Ada"]);
    assert_eq!(found.licence.name, "Redistribution_Prohibited");
    assert_eq!(found.licence.forbids, [Forbidden::Redistribution]);
}

#[test]
fn springs_constraints_and_mtoon_are_reported_as_kept_and_not_used() {
    let reported = |version| codes(&read(&avatar(version)), "NOT_DRAWN").join("\n");
    for version in BOTH {
        let reported = reported(version);
        assert!(
            reported.contains("spring bones are kept but not simulated"),
            "{reported}"
        );
        assert!(
            reported.contains("MToon is drawn as a plain material"),
            "{reported}"
        );
    }
    assert!(reported(Version::V1).contains("constraints between nodes are kept"));
}

#[test]
fn writing_keeps_every_member() {
    for version in BOTH {
        let document = avatar(version);
        let import = read(&document);
        let (again, _) = written(&import);
        assert_eq!(again["extensions"], document["extensions"], "{version:?}");
        for (list, count) in [("nodes", import.character.nodes.len()), ("materials", 1)] {
            for index in 0..count {
                let extensions = |document: &Value| document[list][index]["extensions"].clone();
                assert_eq!(extensions(&again), extensions(&document), "{list} {index}");
            }
        }
        let names = |document: &Value| {
            let mut names = document["extensionsUsed"].as_array().unwrap().clone();
            names.sort_by_key(Value::to_string);
            names
        };
        assert_eq!(names(&again), names(&document));
        assert_eq!(import.source.buffers, [[0_u8; 0]; 0]);
        let options = ExportOptions::new().source(Some(&import.source));
        let file = to_glb(&import.character, &options).unwrap();
        let twice = import_bytes(&file, None).unwrap();
        assert_eq!(twice.character, import.character);
        assert_eq!(twice.avatar, import.avatar);
    }
}

/// Every reference in an extension: its JSON pointer and the name of the object.
fn resolved(document: &Value) -> Vec<(String, String)> {
    fn visit(document: &Value, value: &Value, at: &str, found: &mut Vec<(String, String)>) {
        let named = |list: &str, index: &Value| {
            let index = index.as_u64().unwrap() as usize;
            document[list][index]["name"].as_str().unwrap().to_owned()
        };
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    let at = format!("{at}/{name}");
                    let list = match name.as_str() {
                        "node" | "firstPersonBone" | "source" => "nodes",
                        "center" if *value != json!(-1) => "nodes",
                        "mesh" => "meshes",
                        "thumbnailImage" => "images",
                        _ => "",
                    };
                    match list {
                        "" => visit(document, value, &at, found),
                        list => found.push((at, named(list, value))),
                    }
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    match at.ends_with("/bones") {
                        true => found.push((at.to_owned(), named("nodes", item))),
                        false => visit(document, item, &format!("{at}/{index}"), found),
                    }
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    let nodes = document["nodes"].as_array().unwrap();
    let nodes = nodes.iter().map(|node| &node["extensions"]);
    for extensions in nodes.chain([&document["extensions"]]) {
        let mut extensions = extensions.clone();
        for extension in extensions.as_object_mut().into_iter().flatten() {
            if let Some(members) = extension.1.as_object_mut() {
                members.remove("of a later version");
            }
        }
        visit(document, &extensions, "", &mut found);
    }
    found
}

#[test]
fn what_extensions_name_is_the_same_after_numbers_have_changed() {
    for version in BOTH {
        let mut document = avatar(version);
        let all = resolved(&document);
        assert!(all.len() > 55, "{all:?}");
        // The extension refers to an image and a mesh that come after an omitted image and mesh.
        let mut import = read(&document);
        import.character.images[0].bytes = std::sync::Arc::new(Vec::new());
        import.character.meshes[0].primitives.clear();
        let (again, report) = written(&import);
        assert_eq!(again["meshes"][0]["name"], "face");
        assert_eq!(again["images"][0]["name"], "portrait");
        // In 0.x, the annotation of the omitted mesh is removed too.
        let extension = &mut document["extensions"][version.extension()];
        if version == Version::V0 {
            let annotations = &mut extension["firstPerson"]["meshAnnotations"];
            annotations.as_array_mut().unwrap().remove(0);
            let left_out = report.of(Severity::Ignored).map(|f| &*f.pointer);
            let left_out: Vec<&str> = left_out.collect();
            assert!(
                left_out.contains(&"/extensions/VRM/firstPerson/meshAnnotations/*/mesh"),
                "{left_out:?}"
            );
        }
        assert_eq!(resolved(&again), resolved(&document), "{version:?}");
        assert_ne!(
            again["extensions"], document["extensions"],
            "numbers changed"
        );
        let rest = |document: &Value| {
            let mut extension = document["extensions"][version.extension()].clone();
            for changed in ["meta", "blendShapeMaster", "firstPerson"] {
                extension.as_object_mut().unwrap().remove(changed);
            }
            extension
        };
        assert_eq!(rest(&again), rest(&document));
    }
}

#[test]
fn expressions_of_a_mesh_that_is_gone_go_with_it() {
    let mut import = read(&avatar(Version::V0));
    import.character.meshes[1].primitives.clear();
    let (again, report) = written(&import);
    let groups = &again["extensions"]["VRM"]["blendShapeMaster"]["blendShapeGroups"];
    assert_eq!(groups.as_array().unwrap().len(), 3);
    assert_eq!(groups[0]["binds"], json!([]));
    assert!(report.to_string().contains("blendShapeGroups"), "{report}");
    let mut import = read(&avatar(Version::V1));
    import.character.images[1].bytes = std::sync::Arc::new(Vec::new());
    let (again, _) = written(&import);
    let meta = &again["extensions"]["VRMC_vrm"]["meta"];
    assert_eq!(meta.get("thumbnailImage"), None);
    assert_eq!(meta["name"], "Hana");
}

#[test]
fn wrong_bones_are_findings() {
    let mut document = avatar(Version::V1);
    let hips = node_named(&document, &name_of("hips"));
    let bones = &mut document["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"];
    bones["leftHand"] = json!({"node": 4000});
    bones["rightHand"] = json!({});
    bones["rightFoot"] = json!("foot");
    bones["leftToes"] = json!({"node": hips});
    bones["tail"] = json!({"node": 1});
    let right = bones["rightLowerLeg"].take();
    bones["leftLowerLeg"] = right;
    bones["rightLowerLeg"] = json!({"node": -1});
    let import = read(&document);
    let reported = codes(&import, "VRM_UNREADABLE");
    let at = "/extensions/VRMC_vrm/humanoid/humanBones";
    for wanted in [
        format!("{at}/leftHand: the bone refers to a node that does not exist"),
        format!("{at}/rightHand: the bone refers to a node that does not exist"),
        format!("{at}/rightFoot: the bone refers to a node that does not exist"),
        format!("{at}/rightLowerLeg: the bone refers to a node that does not exist"),
        format!("{at}/leftToes: node {hips} is already used by another bone"),
        format!("{at}/tail: this is not the name of a humanoid bone"),
    ] {
        assert!(reported.contains(&wanted), "{wanted} in {reported:#?}");
    }
    let text = reported.join("\n");
    assert!(text.contains("the left lower leg (node "), "{text}");
    assert!(
        text.contains(
            "missing: left hand, left lower leg, right hand, right lower leg, right foot"
        ),
        "{text}"
    );
    let roles = find_roles(&import.character.skeleton);
    assert_eq!(roles.joint(Role::Hand(Side::Left)), None);
    assert!(roles.joint(Role::LowerArm(Side::Left)).is_some());
    assert_eq!(written(&import).0["extensions"], document["extensions"]);
}

#[test]
fn a_map_without_hips_is_left_out() {
    for version in BOTH {
        let mut document = avatar(version);
        let bones = &mut document["extensions"][version.extension()]["humanoid"]["humanBones"];
        match version {
            Version::V0 => bones[0]["bone"] = json!("Hips"),
            Version::V1 => bones["hips"] = json!(null),
        }
        let import = read(&document);
        let skeleton = &import.character.skeleton;
        assert!((0..skeleton.len()).all(|joint| skeleton.role(joint).is_none()));
        let reported = codes(&import, "VRM_UNREADABLE").join("\n");
        assert!(
            reported.contains("the humanoid map has no hips"),
            "{reported}"
        );
    }
}

#[test]
fn any_value_of_a_member_is_read_or_reported() {
    let wrong = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e300),
        json!(u64::MAX),
        json!("x"),
        json!([]),
        json!([[], 3, "y"]),
        json!({}),
        json!({"node": {}, "bone": [], "binds": 7}),
    ];
    let mut tried = 0;
    for version in BOTH {
        let document = avatar(version);
        let extension = &document["extensions"][version.extension()];
        let mut all_pointers = Vec::new();
        pointers(extension, &mut String::new(), &mut all_pointers);
        for (number, pointer) in all_pointers.iter().enumerate() {
            let value = &wrong[number % wrong.len()];
            let mut document = document.clone();
            let extension = &mut document["extensions"][version.extension()];
            *extension.pointer_mut(pointer).unwrap() = value.clone();
            let import = read(&document);
            let (again, _) = written(&import);
            if !pointer.is_empty() || value.is_object() {
                assert_eq!(again["extensions"], document["extensions"], "{pointer}");
                tried += 1;
            }
        }
    }
    assert!(tried > 300, "{tried}");
}

fn pointers(value: &Value, at: &mut String, found: &mut Vec<String>) {
    found.push(at.clone());
    let outside = at.len();
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                at.push_str(&format!("/{name}"));
                pointers(value, at, found);
                at.truncate(outside);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                at.push_str(&format!("/{index}"));
                pointers(value, at, found);
                at.truncate(outside);
            }
        }
        _ => {}
    }
}

#[test]
fn files_that_require_the_extensions_are_read() {
    let mut document = avatar(Version::V1);
    document["extensionsRequired"] = json!(["VRMC_vrm", "VRMC_springBone"]);
    let import = read(&document);
    assert!(import.avatar.is_some());
    let (again, _) = written(&import);
    assert_eq!(again["extensionsRequired"], document["extensionsRequired"]);
}

#[test]
fn a_vrm_file_is_written_for_avatars_alone() {
    let folder = khronos::empty_folder("vrm_written");
    let path = folder.join("avatar.vrm");
    let import = read(&avatar(Version::V1));
    let options = ExportOptions::new().source(Some(&import.source));
    write(&path, &import.character, &options).unwrap();
    let again = sinew_io::import(&path).unwrap();
    assert_eq!(again.character, import.character);
    assert_eq!(again.avatar, import.avatar);
    let alone = write(
        folder.join("b.vrm"),
        &import.character,
        &ExportOptions::default(),
    );
    assert!(
        matches!(alone, Err(ExportError::NoAvatar { .. })),
        "{alone:?}"
    );
    assert!(!folder.join("b.vrm").exists());
}

#[test]
fn the_validator_finds_no_errors_in_avatars() {
    if !khronos::has_validator() {
        return;
    }
    let folder = khronos::empty_folder("vrm_validator");
    for version in BOTH {
        let import = read(&avatar(version));
        std::fs::write(
            folder.join(format!("{version:?}-made.glb")),
            glb(&avatar(version)),
        )
        .unwrap();
        let mut moved = read(&avatar(version));
        moved.character.meshes[0].primitives.clear();
        for (name, import) in [("same", import), ("moved", moved)] {
            let options = ExportOptions::new().source(Some(&import.source));
            for ending in ["glb", "gltf"] {
                let path = folder.join(format!("{version:?}-{name}.{ending}"));
                write(path, &import.character, &options).unwrap();
            }
        }
    }
    let text = khronos::validated(&folder);
    println!("{text}");
    assert!(text.ends_with("10 files, 0 errors\n"), "{text}");
}

#[test]
fn shared_avatars_are_read_with_their_roles() {
    let Some(shared) = foreign("") else { return };
    let avatars = files_below(&shared, &["vrm"]);
    if avatars.is_empty() {
        println!("SKIPPED: {} has no avatar", shared.display());
    }
    for path in avatars {
        let import = sinew_io::import(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        assert!(import.avatar.is_some(), "{path:?}");
        let skeleton = &import.character.skeleton;
        let mut roles = (0..skeleton.len()).filter_map(|joint| skeleton.role(joint));
        assert!(roles.any(|role| role == Role::Hips), "{path:?}");
    }
}
