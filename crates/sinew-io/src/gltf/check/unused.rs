//! Tolerates faults in parts that a character does not need.

use crate::gltf::document::schema::Document;
use crate::report::{FileReport, Finding};

/// Lists that a character does not need.
const SPARE: [&str; 8] = [
    "materials",
    "textures",
    "images",
    "samplers",
    "cameras",
    "scene",
    "scenes",
    "extensions",
];

pub(in crate::gltf) fn forgive_unused(document: &Document, report: &mut FileReport) {
    if report.count(crate::report::Severity::Error) == 0 {
        return;
    }
    let used = Used::of(document);
    report.soften(|finding| used.can_spare(document, finding));
}

struct Used {
    accessors: Vec<bool>,
    views: Vec<bool>,
    buffers: Vec<bool>,
}

impl Used {
    fn of(document: &Document) -> Self {
        let mut used = Self {
            accessors: vec![false; document.accessors.len()],
            views: vec![false; document.buffer_views.len()],
            buffers: vec![false; document.buffers.len()],
        };
        let primitives = document.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let of_primitives = primitives.flat_map(|primitive| {
            let attributes = std::iter::once(&primitive.attributes).chain(&primitive.targets);
            let attributes = attributes.flat_map(|list| list.0.iter().map(|(_, index)| *index));
            attributes.chain(primitive.indices)
        });
        let of_skins = document
            .skins
            .iter()
            .filter_map(|skin| skin.inverse_bind_matrices);
        let of_animations = document.animations.iter().flat_map(|animation| {
            let sampled = animation
                .channels
                .iter()
                .filter_map(|channel| channel.sampler);
            let samplers = sampled.filter_map(|sampler| animation.samplers.get(sampler as usize));
            samplers.flat_map(|sampler| [sampler.input, sampler.output].into_iter().flatten())
        });
        for index in of_primitives.chain(of_skins).chain(of_animations) {
            mark(&mut used.accessors, Some(index));
        }
        for (accessor, _) in document
            .accessors
            .iter()
            .zip(&used.accessors)
            .filter(|(_, used)| **used)
        {
            mark(&mut used.views, accessor.buffer_view);
            if let Some(sparse) = &accessor.sparse {
                mark(
                    &mut used.views,
                    sparse.indices.as_ref().and_then(|part| part.buffer_view),
                );
                mark(
                    &mut used.views,
                    sparse.values.as_ref().and_then(|part| part.buffer_view),
                );
            }
        }
        for (view, _) in document
            .buffer_views
            .iter()
            .zip(&used.views)
            .filter(|(_, used)| **used)
        {
            mark(&mut used.buffers, view.buffer);
        }
        used
    }

    fn can_spare(&self, document: &Document, finding: &Finding) -> bool {
        let mut path = finding.pointer.split('/').skip(1);
        let (Some(list), index) = (
            path.next(),
            path.next().and_then(|index| index.parse::<usize>().ok()),
        ) else {
            return false;
        };
        if SPARE.contains(&list) {
            return true;
        }
        let is_unused = |used: &[bool]| index.is_some_and(|index| used.get(index) == Some(&false));
        let rest: Vec<&str> = path.collect();
        match (list, &*rest) {
            ("accessors", _) => is_unused(&self.accessors),
            ("bufferViews", _) => is_unused(&self.views),
            ("buffers", _) => is_unused(&self.buffers),
            ("nodes", ["camera"]) | ("skins", ["skeleton"]) => true,
            ("meshes", ["primitives", _, "material"]) => true,
            ("animations", ["samplers", sampler, ..]) => {
                let animation = index.and_then(|index| document.animations.get(index));
                let sampler: Option<u32> = sampler.parse().ok();
                animation.is_some_and(|animation| {
                    let mut channels = animation.channels.iter();
                    sampler.is_some() && !channels.any(|channel| channel.sampler == sampler)
                })
            }
            _ => false,
        }
    }
}

fn mark(used: &mut [bool], index: Option<u32>) {
    if let Some(slot) = index.and_then(|index| used.get_mut(index as usize)) {
        *slot = true;
    }
}
