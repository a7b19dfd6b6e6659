//! Uses of accessors and buffer views, and conflicts between these uses.

use std::collections::HashSet;
use std::fmt::Display;

use super::checker::Checker;
use crate::gltf::document::json::escaped;
use crate::gltf::document::schema::Target;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    VertexAttributes,
    Indices,
    InverseBindMatrices,
    AnimationTimes,
    AnimationValues,
    Image,
    Other,
}

struct Uses {
    of_view: Vec<Option<Use>>,
    of_accessor: Vec<Option<Use>>,
    attributes_in_view: HashSet<(u32, u32)>,
    view_has_attributes: Vec<bool>,
}

pub(super) fn check(checker: &mut Checker<'_>) {
    let document = checker.document;
    let of_view = document.buffer_views.iter().map(|view| match view.target {
        Some(Target::ArrayBuffer) => Some(Use::VertexAttributes),
        Some(Target::ElementArrayBuffer) => Some(Use::Indices),
        None => None,
    });
    let mut uses = Uses {
        of_view: of_view.collect(),
        of_accessor: vec![None; document.accessors.len()],
        attributes_in_view: HashSet::new(),
        view_has_attributes: vec![false; document.buffer_views.len()],
    };
    for (index, accessor) in document.accessors.iter().enumerate() {
        let Some(sparse) = &accessor.sparse else {
            continue;
        };
        let indices = sparse
            .indices
            .as_ref()
            .and_then(|indices| indices.buffer_view);
        let values = sparse.values.as_ref().and_then(|values| values.buffer_view);
        for (view, name) in [(indices, "indices"), (values, "values")] {
            let at = format_args!("/accessors/{index}/sparse/{name}/bufferView");
            uses.use_view(checker, view, Use::Other, at);
        }
    }
    for (index, image) in document.images.iter().enumerate() {
        uses.use_view(
            checker,
            image.buffer_view,
            Use::Image,
            format_args!("/images/{index}/bufferView"),
        );
    }
    check_meshes(checker, &mut uses);
    for (index, skin) in document.skins.iter().enumerate() {
        let at = format_args!("/skins/{index}/inverseBindMatrices");
        uses.use_accessor(
            checker,
            skin.inverse_bind_matrices,
            Use::InverseBindMatrices,
            at,
        );
    }
    for (index, animation) in document.animations.iter().enumerate() {
        for (number, sampler) in animation.samplers.iter().enumerate() {
            let pointer = format!("/animations/{index}/samplers/{number}");
            uses.use_accessor(
                checker,
                sampler.input,
                Use::AnimationTimes,
                format_args!("{pointer}/input"),
            );
            uses.use_accessor(
                checker,
                sampler.output,
                Use::AnimationValues,
                format_args!("{pointer}/output"),
            );
        }
    }
}

fn check_meshes(checker: &mut Checker<'_>, uses: &mut Uses) {
    for (index, mesh) in checker.document.meshes.iter().enumerate() {
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            let pointer = format!("/meshes/{index}/primitives/{number}");
            for (name, accessor) in &primitive.attributes.0 {
                uses.use_attribute(
                    checker,
                    *accessor,
                    &format!("{pointer}/attributes/{}", escaped(name)),
                );
            }
            uses.use_accessor(
                checker,
                primitive.indices,
                Use::Indices,
                format_args!("{pointer}/indices"),
            );
            for (target, attributes) in primitive.targets.iter().enumerate() {
                for (name, accessor) in &attributes.0 {
                    uses.use_attribute(
                        checker,
                        *accessor,
                        &format!("{pointer}/targets/{target}/{}", escaped(name)),
                    );
                }
            }
        }
    }
}

impl Uses {
    fn use_view(
        &mut self,
        checker: &mut Checker<'_>,
        view: Option<u32>,
        new: Use,
        at: impl Display,
    ) {
        let Some(slot) = view.and_then(|view| self.of_view.get_mut(view as usize)) else {
            return;
        };
        // Times and values of animations may share a buffer view.
        let new = if matches!(new, Use::AnimationTimes | Use::AnimationValues) {
            Use::Other
        } else {
            new
        };
        let before = *slot.get_or_insert(new);
        if before != new {
            let message = format_args!(
                "the buffer view is used for {before:?} elsewhere and for {new:?} here"
            );
            checker.repaired("BUFFER_VIEW_TARGET_OVERRIDE", at, message);
        }
    }

    fn use_accessor(
        &mut self,
        checker: &mut Checker<'_>,
        index: Option<u32>,
        new: Use,
        at: impl Display,
    ) {
        let Some(slot) = index.and_then(|index| self.of_accessor.get_mut(index as usize)) else {
            return;
        };
        let before = *slot.get_or_insert(new);
        if before != new {
            let message =
                format_args!("the accessor is used for {before:?} elsewhere and for {new:?} here");
            checker.repaired("ACCESSOR_USAGE_OVERRIDE", &at, message);
        }
        let accessor = index.and_then(|index| checker.document.accessors.get(index as usize));
        self.use_view(
            checker,
            accessor.and_then(|accessor| accessor.buffer_view),
            new,
            at,
        );
    }

    fn use_attribute(&mut self, checker: &mut Checker<'_>, index: u32, at: &str) {
        self.use_accessor(checker, Some(index), Use::VertexAttributes, at);
        let document = checker.document;
        let Some(view_index) = document
            .accessors
            .get(index as usize)
            .and_then(|accessor| accessor.buffer_view)
        else {
            return;
        };
        let Some(view) = document.buffer_views.get(view_index as usize) else {
            return;
        };
        if view.byte_stride.is_some() || !self.attributes_in_view.insert((view_index, index)) {
            return;
        }
        if let Some(has_attributes) = self.view_has_attributes.get_mut(view_index as usize)
            && std::mem::replace(has_attributes, true)
        {
            let message = "a buffer view with several attributes needs a stride";
            checker.repaired("MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE", at, message);
        }
    }
}
