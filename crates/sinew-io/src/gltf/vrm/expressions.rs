//! Expressions: named sets of morph targets. Other effects, such as colours, stay in the document.

use std::collections::BTreeSet;
use std::fmt::Display;

use super::extension::{Extension, VrmVersion, index, text, unreadable};
use crate::gltf::document::json::{elements, entries, member, number};
use crate::gltf::document::schema::Document;
use crate::report::{FileReport, Severity};
use sinew::Character;

/// A facial expression: weights of morph targets.
#[doc(alias = "blend shape")]
#[doc(alias = "BlendShapeGroup")]
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Name in the file, such as `happy`. In 0.x, the `presetName` if it exists, such as `joy`.
    pub name: String,
    /// Morph targets and their weights.
    pub binds: Vec<MorphBind>,
}

/// A morph target of an expression.
#[doc(alias = "blend shape")]
#[doc(alias = "shape key")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MorphBind {
    /// Index of the mesh.
    pub mesh: usize,
    /// Index of the node of the mesh. `None` means all nodes of the mesh, as in 0.x files.
    pub node: Option<usize>,
    /// Index of the target in the mesh.
    pub target: usize,
    /// Weight at full expression, in [0, 1].
    pub weight: f32,
}

impl Expression {
    /// Adds the expression, times `weight`, to the default morph weights of a character from the
    /// same file. The default weights apply if no clip sets them. Missing parts are skipped.
    pub fn show(&self, character: &mut Character, weight: f32) {
        let Character { nodes, meshes, .. } = character;
        let changed: BTreeSet<usize> = self.binds.iter().map(|bind| bind.mesh).collect();
        for (index, node) in nodes.iter_mut().enumerate() {
            let Some(mesh) = node.mesh.filter(|mesh| changed.contains(mesh)) else {
                continue;
            };
            let of_node =
                |bind: &&MorphBind| bind.mesh == mesh && bind.node.is_none_or(|node| node == index);
            let mut binds = self.binds.iter().filter(of_node).peekable();
            let (Some(own), Some(_)) = (meshes.get(mesh), binds.peek()) else {
                continue;
            };
            if node.morph_weights.is_empty() {
                node.morph_weights.clone_from(&own.morph_weights);
            }
            node.morph_weights.resize(own.morph_targets(), 0.0);
            for bind in binds {
                if let Some(shown) = node.morph_weights.get_mut(bind.target) {
                    *shown += weight * bind.weight;
                }
            }
        }
    }
}

pub(super) fn read(
    extension: &Extension<'_>,
    document: &Document,
    report: &mut FileReport,
) -> Vec<Expression> {
    let mut reader = Reader {
        version: extension.version,
        document,
        expressions: Vec::new(),
        paints: false,
        report,
    };
    match extension.version {
        VrmVersion::V0 => {
            let way = ["blendShapeMaster", "blendShapeGroups"];
            let pointer = extension.pointer(&way.join("/"));
            let groups = extension.at(&way).and_then(elements).into_iter().flatten();
            for (number, group) in groups.enumerate() {
                let preset = text(group, "presetName");
                let name = match preset.as_str() {
                    "" | "unknown" => text(group, "name"),
                    _ => preset,
                };
                reader.add(name, group, format_args!("{pointer}/{number}"));
            }
        }
        VrmVersion::V1 => {
            for kind in ["preset", "custom"] {
                let pointer = extension.pointer(&format!("expressions/{kind}"));
                let named = extension.at(&["expressions", kind]).and_then(entries);
                for (name, expression) in named.into_iter().flatten() {
                    let at = Extension::below(&pointer, &name);
                    reader.add(name.into_owned(), expression, at);
                }
            }
        }
    }
    if reader.paints {
        let message = "changes of materials by expressions are kept but not drawn";
        let pointer = extension.pointer("");
        report_not_drawn(reader.report, pointer.trim_end_matches('/'), message);
    }
    reader.expressions
}

fn report_not_drawn(report: &mut FileReport, pointer: &str, message: &str) {
    report.add(Severity::Ignored, "NOT_DRAWN", pointer, message);
}

struct Reader<'a> {
    version: VrmVersion,
    document: &'a Document,
    expressions: Vec<Expression>,
    paints: bool,
    report: &'a mut FileReport,
}

impl Reader<'_> {
    fn add(&mut self, name: String, expression: &str, at: impl Display) {
        let (list, others): (_, &[&str]) = match self.version {
            VrmVersion::V0 => ("binds", &["materialValues"]),
            VrmVersion::V1 => (
                "morphTargetBinds",
                &["materialColorBinds", "textureTransformBinds"],
            ),
        };
        let listed = |name: &str| member(expression, name).and_then(elements);
        self.paints |= others
            .iter()
            .any(|name| listed(name).is_some_and(|mut list| list.next().is_some()));
        let mut binds = Vec::new();
        for (number, bind) in listed(list).into_iter().flatten().enumerate() {
            match self.bind(bind) {
                Ok(bind) => binds.push(bind),
                Err(what) => unreadable(self.report, format_args!("{at}/{list}/{number}"), what),
            }
        }
        if !binds.is_empty() {
            self.expressions.push(Expression { name, binds });
        }
    }

    fn bind(&self, bind: &str) -> Result<MorphBind, &'static str> {
        let Document { nodes, meshes, .. } = self.document;
        let weight = member(bind, "weight").and_then(number);
        let (node, mesh, whole) = match self.version {
            VrmVersion::V0 => (None, index(bind, "mesh", meshes.len()), 100.0),
            VrmVersion::V1 => {
                let node = index(bind, "node", nodes.len());
                let mesh = node.and_then(|node| nodes[node].mesh).map(|m| m as usize);
                (node, mesh, 1.0)
            }
        };
        let mesh = mesh.filter(|mesh| *mesh < meshes.len());
        let mesh = mesh.ok_or("the expression refers to a mesh that does not exist")?;
        let targets = meshes[mesh].primitives.first();
        let targets = targets.map_or(0, |primitive| primitive.targets.len());
        let target = index(bind, "index", targets);
        let weight = (weight.unwrap_or(whole) / whole) as f32;
        Ok(MorphBind {
            mesh,
            node,
            target: target
                .ok_or("the expression refers to a morph target that its mesh does not have")?,
            weight: Some(weight)
                .filter(|weight| weight.is_finite())
                .ok_or("the weight of the expression is not a number")?,
        })
    }
}
