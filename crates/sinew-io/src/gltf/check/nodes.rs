//! Checks of nodes: transforms, references and the tree.

use super::checker::Checker;
use crate::gltf::document::format::Semantic;
use crate::gltf::document::schema::{Document, Mesh, Node};
use crate::report::Severity;

/// Max error of the length of a rotation: the precision of 8 bits per component.
const UNIT_TOLERANCE: f64 = 0.00769;

/// Max shear, relative to scale, of a matrix that counts as translation, rotation and scale.
const SHEAR_TOLERANCE: f32 = 1e-4;

/// Max cosine between two axes that count as perpendicular.
const LEAN_TOLERANCE: f64 = 1e-3;

/// Parent of every node. If several nodes list the same child, the last counts.
pub fn parents(document: &Document) -> Vec<Option<usize>> {
    let mut parents = vec![None; document.nodes.len()];
    for (index, node) in document.nodes.iter().enumerate() {
        for child in &node.children {
            if let Some(parent) = parents.get_mut(*child as usize) {
                *parent = Some(index);
            }
        }
    }
    parents
}

pub(super) fn check(checker: &mut Checker<'_>) {
    check_children(checker);
    check_loops(checker);
    for (index, node) in checker.document.nodes.iter().enumerate() {
        let pointer = format!("/nodes/{index}");
        check_transform(checker, node, &pointer);
        check_references(checker, node, &pointer);
    }
    check_scenes(checker);
}

fn check_children(checker: &mut Checker<'_>) {
    let document = checker.document;
    let mut parents: Vec<Option<usize>> = vec![None; document.nodes.len()];
    for (index, node) in document.nodes.iter().enumerate() {
        for (number, child) in node.children.iter().enumerate() {
            let pointer = format_args!("/nodes/{index}/children/{number}");
            let Some(parent) = parents.get_mut(*child as usize) else {
                checker.resolve(Some(*child), &document.nodes, Severity::Error, pointer);
                continue;
            };
            match parent.replace(index) {
                Some(before) if before == index => {
                    checker.repaired(
                        "DUPLICATE_ELEMENTS",
                        pointer,
                        "this child is already in the list",
                    );
                }
                Some(before) => {
                    let message = format_args!(
                        "node {child} is also a child of node {before}; it was moved here"
                    );
                    checker.repaired("NODE_PARENT_OVERRIDE", pointer, message);
                }
                None => {}
            }
        }
    }
}

fn check_loops(checker: &mut Checker<'_>) {
    const UNVISITED: usize = usize::MAX;
    let parents = parents(checker.document);
    // The walk that first visited each node. A walk that meets itself has found a loop.
    let mut walk_of = vec![UNVISITED; parents.len()];
    for start in 0..parents.len() {
        let mut node = start;
        let met = loop {
            match walk_of.get(node) {
                Some(&UNVISITED) => walk_of[node] = start,
                Some(&walk) => break (walk == start).then_some(node),
                None => break None,
            }
            match parents.get(node).copied().flatten() {
                Some(parent) => node = parent,
                None => break None,
            }
        };
        let Some(first) = met else { continue };
        let mut on_loop = Some(first);
        while let Some(node) = on_loop {
            checker.error(
                "NODE_LOOP",
                format_args!("/nodes/{node}"),
                "the node is its own ancestor",
            );
            on_loop = parents
                .get(node)
                .copied()
                .flatten()
                .filter(|next| *next != first);
        }
    }
}

fn check_transform(checker: &mut Checker<'_>, node: &Node, pointer: &str) {
    if let Some(rotation) = &node.rotation {
        for (component, value) in rotation.iter().enumerate() {
            if value.abs() > 1.0 {
                let message =
                    format_args!("{value} is not between -1 and 1; the rotation was normalised");
                checker.repaired(
                    "VALUE_NOT_IN_RANGE",
                    format_args!("{pointer}/rotation/{component}"),
                    message,
                );
            }
        }
        let length = rotation
            .iter()
            .map(|value| f64::from(*value).powi(2))
            .sum::<f64>()
            .sqrt();
        if (length - 1.0).abs() > UNIT_TOLERANCE {
            let message = format_args!("the quaternion has length {length}; it was normalised");
            checker.repaired(
                "ROTATION_NON_UNIT",
                format_args!("{pointer}/rotation"),
                message,
            );
        }
    }
    let Some(matrix) = &node.matrix else { return };
    let at = format!("{pointer}/matrix");
    if node.translation.is_some() || node.rotation.is_some() || node.scale.is_some() {
        let message =
            "a node has either a matrix or translation, rotation and scale; the matrix was used";
        checker.repaired("NODE_MATRIX_TRS", &at, message);
    }
    let affine = sinew::Affine::from_cols_array(matrix);
    let (_, shear) = sinew::Transform::from_affine(&affine);
    let last_row = [matrix[3], matrix[7], matrix[11], matrix[15]];
    let is_sheared = shear > SHEAR_TOLERANCE || leans(matrix);
    if last_row != [0.0, 0.0, 0.0, 1.0] || affine.determinant() == 0.0 || is_sheared {
        let message = "the matrix is not a translation, rotation and scale; the nearest such values were used for joints";
        checker.repaired("NODE_MATRIX_NON_TRS", &at, message);
    }
}

fn leans(matrix: &[f32; 16]) -> bool {
    let axis = |column: usize| [0, 1, 2].map(|row| f64::from(matrix[4 * column + row]));
    let dot = |a: [f64; 3], b: [f64; 3]| (0..3).map(|i| a[i] * b[i]).sum::<f64>();
    let lean = |a: usize, b: usize| {
        let (a, b) = (axis(a), axis(b));
        dot(a, b).abs() > LEAN_TOLERANCE * (dot(a, a) * dot(b, b)).sqrt()
    };
    lean(0, 1) || lean(0, 2) || lean(1, 2)
}

fn check_references(checker: &mut Checker<'_>, node: &Node, pointer: &str) {
    let document = checker.document;
    checker.resolve(
        node.camera,
        &document.cameras,
        Severity::Ignored,
        format_args!("{pointer}/camera"),
    );
    let skin = checker.resolve(
        node.skin,
        &document.skins,
        Severity::Error,
        format_args!("{pointer}/skin"),
    );
    let mesh = checker.resolve(
        node.mesh,
        &document.meshes,
        Severity::Error,
        format_args!("{pointer}/mesh"),
    );
    if node.mesh.is_none() {
        let members = [
            ("skin", node.skin.is_some()),
            ("weights", node.weights.is_some()),
        ];
        for (name, _) in members.into_iter().filter(|(_, present)| *present) {
            let message = format_args!("`{name}` has no meaning without `mesh`");
            checker.ignored(
                "UNSATISFIED_DEPENDENCY",
                format_args!("{pointer}/{name}"),
                message,
            );
        }
    }
    let Some(mesh) = mesh else { return };
    let targets = mesh
        .primitives
        .first()
        .map_or(0, |primitive| primitive.targets.len());
    if let Some(weights) = &node.weights
        && weights.len() != targets
        && !mesh.primitives.is_empty()
    {
        let message = format_args!(
            "there are {} weights for {targets} morph targets",
            weights.len()
        );
        checker.ignored(
            "NODE_WEIGHTS_INVALID",
            format_args!("{pointer}/weights"),
            message,
        );
    }
    match (skin.is_some(), is_skinned(mesh)) {
        (true, false) if !mesh.primitives.is_empty() => {
            let message = "the node has a skin, but its mesh has no joints";
            checker.ignored("NODE_SKIN_WITH_NON_SKINNED_MESH", pointer, message);
        }
        (false, true) if node.skin.is_none() => {
            let message = "the mesh has joints, but its node has no skin";
            checker.report.add(
                Severity::Note,
                "NODE_SKINNED_MESH_WITHOUT_SKIN",
                pointer,
                message,
            );
        }
        _ => {}
    }
}

fn is_skinned(mesh: &Mesh) -> bool {
    let is_joints = |name: &str| matches!(Semantic::parse(name), Some(Semantic::Joints(_)));
    mesh.primitives.iter().any(|primitive| {
        primitive
            .attributes
            .0
            .iter()
            .any(|(name, _)| is_joints(name))
    })
}

fn check_scenes(checker: &mut Checker<'_>) {
    let document = checker.document;
    checker.resolve(
        document.scene,
        &document.scenes,
        Severity::Ignored,
        "/scene",
    );
    let parents = parents(document);
    let mut listed_by = vec![usize::MAX; document.nodes.len()];
    for (index, scene) in document.scenes.iter().enumerate() {
        for (number, node) in scene.nodes.iter().enumerate() {
            let pointer = format!("/scenes/{index}/nodes/{number}");
            if let Some(listed) = listed_by.get_mut(*node as usize)
                && std::mem::replace(listed, index) == index
            {
                checker.ignored(
                    "DUPLICATE_ELEMENTS",
                    &pointer,
                    "this node is already in the list",
                );
            }
            checker.resolve(Some(*node), &document.nodes, Severity::Ignored, &pointer);
            if parents
                .get(*node as usize)
                .is_some_and(|parent| parent.is_some())
            {
                checker.ignored(
                    "SCENE_NON_ROOT_NODE",
                    &pointer,
                    format_args!("node {node} is not a root"),
                );
            }
        }
    }
}
