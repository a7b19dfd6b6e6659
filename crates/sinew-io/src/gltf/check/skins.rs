//! Checks of skins: joints have a common root, and each joint has a matrix.

use std::collections::HashMap;

use super::checker::Checker;
use super::nodes::parents;
use crate::gltf::document::forest::Forest;
use crate::gltf::document::format::{AccessorFormat, ComponentType, ElementType};
use crate::gltf::document::schema::Skin;
use crate::report::Severity;

const MATRICES: AccessorFormat = AccessorFormat {
    element: ElementType::Mat4,
    component: ComponentType::Float,
    normalized: false,
};

pub(super) fn check(checker: &mut Checker<'_>) {
    let document = checker.document;
    let parents = parents(document);
    let mut roots = Vec::with_capacity(document.skins.len());
    let forest = Forest::new(&parents);
    let mut listed_by = vec![usize::MAX; document.nodes.len()];
    for (index, skin) in document.skins.iter().enumerate() {
        let pointer = format!("/skins/{index}");
        for (number, joint) in skin.joints.iter().enumerate() {
            let at = format_args!("{pointer}/joints/{number}");
            checker.resolve(Some(*joint), &document.nodes, Severity::Error, at);
            if let Some(listed) = listed_by.get_mut(*joint as usize)
                && std::mem::replace(listed, index) == index
            {
                checker.repaired(
                    "DUPLICATE_ELEMENTS",
                    at,
                    "this joint is already in the list",
                );
            }
        }
        roots.push(check_root(checker, skin, &forest, &pointer));
        check_matrices(checker, skin, &pointer);
    }
    check_scenes(checker, &forest, &roots);
}

/// Finds the lowest common ancestor of the joints. `None` if there is no such node.
fn check_root(
    checker: &mut Checker<'_>,
    skin: &Skin,
    forest: &Forest,
    pointer: &str,
) -> Option<usize> {
    let document = checker.document;
    let joints = skin.joints.iter().map(|joint| *joint as usize);
    let root = forest.common_of(joints.filter(|joint| *joint < document.nodes.len()));
    if root.is_none() && !skin.joints.is_empty() {
        let message = "the joints have no common root; one was added";
        checker.repaired(
            "SKIN_NO_COMMON_ROOT",
            format_args!("{pointer}/joints"),
            message,
        );
    }
    let at = format!("{pointer}/skeleton");
    checker.resolve(skin.skeleton, &document.nodes, Severity::Ignored, &at);
    if let Some(skeleton) = skin
        .skeleton
        .map(|node| node as usize)
        .filter(|node| *node < document.nodes.len())
        && root.is_none_or(|root| !forest.is_above(skeleton, root))
    {
        checker.ignored(
            "SKIN_SKELETON_INVALID",
            &at,
            "the node is not an ancestor of all joints",
        );
    }
    root
}

fn check_matrices(checker: &mut Checker<'_>, skin: &Skin, pointer: &str) {
    let document = checker.document;
    let at = format!("{pointer}/inverseBindMatrices");
    let index = skin.inverse_bind_matrices;
    let Some(accessor) = checker.resolve(index, &document.accessors, Severity::Error, &at) else {
        return;
    };
    if checker.has_stride(accessor) {
        checker.repaired(
            "SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE",
            &at,
            "the buffer view of inverse bind matrices must not have a stride",
        );
    }
    match accessor.format() {
        Some(format) if format != MATRICES => {
            let message = format_args!("the accessor is {format} instead of {MATRICES}");
            checker.error("SKIN_IBM_INVALID_FORMAT", &at, message);
        }
        Some(_) => {}
        None => checker.error(
            "SKIN_IBM_INVALID_FORMAT",
            &at,
            "the accessor's format is unknown",
        ),
    }
    if accessor.count < skin.joints.len() as u64 {
        let message = format_args!(
            "there are {} matrices for {} joints",
            accessor.count,
            skin.joints.len()
        );
        checker.error("INVALID_IBM_ACCESSOR_COUNT", &at, message);
    }
}

/// Checks that a skinned mesh is in scenes that also contain the root of its joints.
fn check_scenes(checker: &mut Checker<'_>, forest: &Forest, roots: &[Option<usize>]) {
    let document = checker.document;
    let mut scenes_of_root: Vec<Vec<u32>> = vec![Vec::new(); document.nodes.len()];
    for (scene, object) in document.scenes.iter().enumerate() {
        for node in &object.nodes {
            // A scene may list a node twice.
            if let Some(scenes) = scenes_of_root.get_mut(*node as usize)
                && scenes.last() != Some(&(scene as u32))
            {
                scenes.push(scene as u32);
            }
        }
    }
    let mut known: HashMap<(usize, usize), bool> = HashMap::new();
    for (index, node) in document.nodes.iter().enumerate() {
        let Some(joint_root) = node
            .skin
            .and_then(|skin| roots.get(skin as usize).copied().flatten())
        else {
            continue;
        };
        let (mesh_top, joint_top) = (forest.top(index), forest.top(joint_root));
        let joints_are_there = mesh_top == joint_top
            || *known.entry((mesh_top, joint_top)).or_insert_with(|| {
                let with_joints = &scenes_of_root[joint_top];
                let mut with_mesh = scenes_of_root[mesh_top].iter();
                with_mesh.all(|scene| with_joints.binary_search(scene).is_ok())
            });
        if !joints_are_there {
            let message = "the mesh is in a scene that does not contain its joints";
            checker.ignored(
                "NODE_SKIN_NO_SCENE",
                format_args!("/nodes/{index}"),
                message,
            );
        }
    }
}
