use glam::{Quat, Vec3};
use sinew::skeleton::Role;
use sinew::skeleton::limits::Freedom;
use sinew::transform::quat;
use sinew::{Affine, Joint, Node, Skeleton, Skin, Transform};
use std::collections::BTreeMap;

use super::lights::light_on;
use crate::gltf::bytes::accessor::Decoder;
use crate::gltf::check::{data, parents};
use crate::gltf::document::error::GltfError;
use crate::gltf::document::schema::{self, Animation, Channel, Document, TargetPath};
use crate::gltf::extras::freedom::JointExtras;
use crate::gltf::extras::layers::FileLayers;
use crate::gltf::pointer::{Pointed, Targets, is_pointing};

/// Max error of the squared length of a rotation that is not normalised.
const UNIT_TOLERANCE: f32 = 2e-6;

/// Bytes of a node without its name.
const NODE_BYTES: usize = size_of::<Node>() + 3 * size_of::<Joint>();

/// Node and path of an ordinary channel, or of one with a pointer to the same.
pub(super) fn target_of(
    targets: &Targets<'_>,
    animation: &Animation,
    channel: &Channel,
) -> Option<(u32, TargetPath)> {
    if is_pointing(channel) {
        return match targets.held(animation, channel) {
            Ok(Pointed::Path(node, path)) => Some((node, path)),
            _ => None,
        };
    }
    let target = channel.target.as_ref()?;
    Some((target.node?, target.path?))
}

/// Parents of nodes, and the nodes that move or have a moving descendant.
pub(super) struct Tree {
    parents: Vec<Option<usize>>,
    moves: Vec<bool>,
}

impl Tree {
    pub(super) fn new(
        document: &Document,
        freedoms: &BTreeMap<usize, Freedom>,
        roles: &BTreeMap<usize, Role>,
        layers: &[FileLayers],
        targets: &Targets<'_>,
    ) -> Self {
        let parents = parents(document);
        let mut moves = vec![false; parents.len()];
        let joints = document
            .skins
            .iter()
            .flat_map(|skin| skin.joints.iter().copied());
        let animations = document.animations.iter();
        let channels = animations.flat_map(|own| own.channels.iter().map(move |c| (own, c)));
        let driven = channels.filter_map(|(animation, channel)| {
            let (node, path) = target_of(targets, animation, channel)?;
            (path != TargetPath::Weights).then_some(node)
        });
        let listed = joints.chain(driven).map(|index| index as usize);
        // A node with limits or a role, or that layers list, is a joint, even if nothing moves it.
        let stated = freedoms.keys().chain(roles.keys()).copied();
        let stated = stated.chain(layers.iter().flat_map(FileLayers::nodes));
        for index in listed.chain(stated) {
            let mut next = Some(index);
            while let Some(node) = next
                && let Some(moving @ false) = moves.get_mut(node)
            {
                *moving = true;
                next = parents[node];
            }
        }
        Self { parents, moves }
    }
}

pub(super) struct NodeSkeleton {
    pub(super) skeleton: Skeleton,
    joint_of_node: Vec<Option<usize>>,
}

impl NodeSkeleton {
    pub(super) fn joint(&self, node: u32) -> Option<usize> {
        self.joint_of_node.get(node as usize).copied().flatten()
    }
}

/// Builds a skeleton with one root from all moving nodes and their ancestors.
pub(super) fn skeleton(
    decoder: &mut Decoder<'_>,
    tree: &Tree,
    mut joint_extras: JointExtras,
    roles: &BTreeMap<usize, Role>,
) -> Result<NodeSkeleton, GltfError> {
    let document = decoder.document();
    let count = document.nodes.len();
    let names: usize = document
        .nodes
        .iter()
        .filter_map(|node| node.name.as_ref())
        .map(|name| name.len())
        .sum();
    // The nodes, the temporary joints and the skeleton hold copies of the names.
    let bytes = count * NODE_BYTES + 3 * names;
    decoder.budget().charge(bytes as u64, "nodes", "/nodes")?;
    let roots = (0..count)
        .filter(|node| tree.moves[*node] && tree.parents[*node].is_none())
        .count();
    let mut joints = Vec::new();
    let virtual_root = (roots != 1).then(|| {
        joints.push(Joint::new("root", None, Transform::IDENTITY));
        0
    });
    let mut listed = vec![None; count];
    for node in (0..count).filter(|node| tree.moves[*node]) {
        let rest = rest_of(&document.nodes[node]);
        if !rest.is_finite() {
            return Err(GltfError::Character {
                pointer: format!("/nodes/{node}/matrix"),
                reason: "its matrix has values too large for single precision".to_owned(),
            });
        }
        listed[node] = Some(joints.len());
        joints.push(Joint {
            name: joint_name(document, node),
            parent: None,
            rest,
            freedom: joint_extras.freedoms.remove(&node).unwrap_or_default(),
            role: roles.get(&node).copied(),
            deforms: joint_extras.deforms.get(&node).copied(),
        });
    }
    for node in (0..count).filter(|node| tree.moves[*node]) {
        let parent = tree.parents[node]
            .and_then(|parent| listed[parent])
            .or(virtual_root);
        if let Some(joint) = listed[node].and_then(|joint| joints.get_mut(joint)) {
            joint.parent = parent;
        }
    }
    let (skeleton, map) = Skeleton::new(joints).map_err(|error| GltfError::Character {
        pointer: "/nodes".to_owned(),
        reason: error.to_string(),
    })?;
    let joint_of_node = listed
        .into_iter()
        .map(|joint| joint.and_then(|joint| map.get(joint)))
        .collect();
    Ok(NodeSkeleton {
        skeleton,
        joint_of_node,
    })
}

fn joint_name(document: &Document, node: usize) -> String {
    let name = document
        .nodes
        .get(node)
        .and_then(|node| node.name.as_deref());
    name.map_or_else(|| format!("node_{node}"), str::to_owned)
}

pub(in crate::gltf) fn local_of(node: &schema::Node) -> Affine {
    match &node.matrix {
        Some(matrix) => Affine::from_cols_array(matrix),
        None => rest_of(node).to_affine(),
    }
}

/// Local transform of a node as translation, rotation and scale.
pub(in crate::gltf) fn rest_of(node: &schema::Node) -> Transform {
    if let Some(matrix) = &node.matrix {
        return Transform::from_affine(&Affine::from_cols_array(matrix)).0;
    }
    let vector = |array: &Option<Box<[f32; 3]>>, default| {
        array
            .as_deref()
            .map_or(default, |array| Vec3::from_array(*array))
    };
    let rotation = node
        .rotation
        .as_deref()
        .map_or(Quat::IDENTITY, |array| Quat::from_array(*array));
    let square = quat::dot(rotation, rotation);
    let rotation = if (square - 1.0).abs() > UNIT_TOLERANCE {
        quat::normalized(rotation)
    } else {
        rotation
    };
    let is_unit = (quat::dot(rotation, rotation) - 1.0).abs() < 1e-3;
    Transform {
        translation: vector(&node.translation, Vec3::ZERO),
        rotation: if is_unit { rotation } else { Quat::IDENTITY },
        scale: vector(&node.scale, Vec3::ONE),
    }
}

pub(super) fn nodes(
    document: &Document,
    tree: &Tree,
    skeleton: &NodeSkeleton,
    lights: usize,
) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(document.nodes.len());
    for (index, node) in document.nodes.iter().enumerate() {
        let mesh = node
            .mesh
            .map(|mesh| mesh as usize)
            .filter(|mesh| *mesh < document.meshes.len());
        let skin = node.skin.map(|skin| skin as usize);
        let has_joints = |skin: &usize| {
            document
                .skins
                .get(*skin)
                .is_some_and(|skin| !skin.joints.is_empty())
        };
        let targets = mesh
            .and_then(|mesh| document.meshes[mesh].primitives.first())
            .map_or(0, |first| first.targets.len());
        let weights = node
            .weights
            .as_deref()
            .filter(|weights| weights.len() == targets)
            .unwrap_or_default();
        nodes.push(Node {
            name: node.name.as_deref().unwrap_or_default().to_owned(),
            parent: tree.parents[index],
            parent_from_node: local_of(node),
            joint: skeleton.joint(index as u32),
            mesh,
            skin: skin.filter(has_joints).filter(|_| mesh.is_some()),
            morph_weights: weights.iter().map(|weight| *weight as f32).collect(),
            light: light_on(node, lights),
        });
    }
    nodes
}

pub(super) fn skins(
    decoder: &mut Decoder<'_>,
    skeleton: &NodeSkeleton,
) -> Result<Vec<Skin>, GltfError> {
    let document = decoder.document();
    let mut skins = Vec::with_capacity(document.skins.len());
    for (index, skin) in document.skins.iter().enumerate() {
        let pointer = format!("/skins/{index}");
        let bytes = skin
            .joints
            .len()
            .saturating_mul(size_of::<Affine>() + size_of::<usize>());
        decoder
            .budget()
            .charge(bytes as u64, "a skin", pointer.as_str())?;
        let matrices = match skin.inverse_bind_matrices {
            Some(accessor) => decoder.elements::<[f32; 16], f32>(accessor)?,
            None => Vec::new(),
        };
        data::check_inverse_binds(
            &matrices,
            format_args!("{pointer}/inverseBindMatrices"),
            decoder.report(),
        );
        let matrix_of = |number: usize| {
            matrices
                .get(number)
                .map_or(Affine::IDENTITY, Affine::from_cols_array)
        };
        skins.push(Skin {
            name: skin.name.as_deref().unwrap_or_default().to_owned(),
            joints: skin
                .joints
                .iter()
                .map(|node| skeleton.joint(*node).unwrap_or(0))
                .collect(),
            joint_from_model: (0..skin.joints.len()).map(matrix_of).collect(),
        });
        decoder
            .budget()
            .release((matrices.len() * size_of::<[f32; 16]>()) as u64);
    }
    Ok(skins)
}
