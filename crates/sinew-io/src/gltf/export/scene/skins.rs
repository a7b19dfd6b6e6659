use crate::gltf::document::forest::Forest;
use crate::gltf::document::format::ElementType;
use crate::gltf::document::schema;
use crate::gltf::export::buffer::Purpose;
use crate::gltf::export::error::{ExportError, check_count};
use crate::gltf::export::exporter::{Exporter, name};
use crate::gltf::export::plan::Plan;

/// Writes every skin that has joints. Skins without joints get no index.
pub(in crate::gltf) fn write(
    exporter: &mut Exporter<'_>,
    plan: &Plan,
) -> Result<Vec<Option<u32>>, ExportError> {
    let mut written = Vec::new();
    let mut indices = Vec::with_capacity(exporter.character.skins.len());
    let source = std::mem::take(&mut exporter.document.skins);
    let forest = Forest::new(&plan.parents);
    for (index, skin) in exporter.character.skins.iter().enumerate() {
        if skin.joints.is_empty() {
            exporter.leave_out(format_args!("/skins/{index}"), "a skin without joints");
            indices.push(None);
            continue;
        }
        let location = || format!("/skins/{index}/inverseBindMatrices");
        check_count(skin.joint_from_model.len(), skin.joints.len(), location)?;
        let matrices = skin
            .joint_from_model
            .iter()
            .flat_map(|map| map.to_cols_array());
        let matrices: Vec<f32> = matrices.collect();
        let accessor = exporter
            .buffer
            .floats(Purpose::Matrices, ElementType::Mat4, &matrices);
        let source = source.get(index).cloned().unwrap_or_default();
        let is_above = |node: &u32| {
            let node = *node as usize;
            let root = plan.skin_roots[index].filter(|_| node < plan.parents.len());
            root.is_some_and(|root| forest.is_above(node, root))
        };
        indices.push(Some(written.len() as u32));
        written.push(schema::Skin {
            name: name(&skin.name),
            inverse_bind_matrices: Some(
                accessor.ok_or_else(|| ExportError::not_finite(location()))?,
            ),
            skeleton: source.skeleton.filter(is_above),
            joints: plan.skin_nodes[index]
                .iter()
                .map(|&node| node as u32)
                .collect(),
            ..source
        });
    }
    exporter.document.skins = written;
    Ok(indices)
}
