//! Leaves out the parts of a document whose numbers are in a compressed buffer view that cannot be decoded.

use super::unpacking::Unpacking;
use crate::gltf::document::schema::{Accessor, Sampler};
use crate::report::Severity;

/// Leaves out primitives, attributes and animation channels that need one of the views, each with a finding. Adds an
/// error for inverse bind matrices, because a skin without them has another shape.
pub(super) fn leave_out(unpacking: &mut Unpacking<'_, '_>, views: &[u32]) {
    if views.is_empty() {
        return;
    }
    let accessors = unpacking.document.accessors.iter();
    let broken: Vec<Option<u32>> = accessors.map(|found| view_of(found, views)).collect();
    leave_out_primitives(unpacking, &broken);
    let view = |accessor: Option<u32>| broken.get(accessor? as usize).copied().flatten();
    let mut findings = Vec::new();
    for (index, skin) in unpacking.document.skins.iter().enumerate() {
        if let Some(view) = view(skin.inverse_bind_matrices) {
            let pointer = format!("/skins/{index}/inverseBindMatrices");
            let message = format!("the matrices are in the broken buffer view {view}");
            findings.push((Severity::Error, pointer, message));
        }
    }
    for (index, animation) in unpacking.document.animations.iter_mut().enumerate() {
        let view_of = |sampler: &Sampler| view(sampler.input).or_else(|| view(sampler.output));
        let samplers: Vec<Option<u32>> = animation.samplers.iter().map(view_of).collect();
        for (number, channel) in animation.channels.iter_mut().enumerate() {
            let sampler = channel.sampler.map(|sampler| sampler as usize);
            if let Some(view) = sampler.and_then(|s| samplers.get(s).copied().flatten()) {
                let pointer = format!("/animations/{index}/channels/{number}");
                findings.push((Severity::Ignored, pointer, left_out("the channel", view)));
                channel.sampler = None;
            }
        }
    }
    for (severity, pointer, message) in findings {
        let report = &mut *unpacking.report;
        report.add(severity, "MESHOPT", pointer, message);
    }
}

/// Empties primitives without positions or indices, and removes other attributes.
fn leave_out_primitives(unpacking: &mut Unpacking<'_, '_>, broken: &[Option<u32>]) {
    let view = |accessor: u32| broken.get(accessor as usize).copied().flatten();
    let report = &mut *unpacking.report;
    for (index, mesh) in unpacking.document.meshes.iter_mut().enumerate() {
        for (number, primitive) in mesh.primitives.iter_mut().enumerate() {
            let pointer = format!("/meshes/{index}/primitives/{number}");
            let needed = [primitive.attributes.get("POSITION"), primitive.indices];
            if let Some(view) = needed.into_iter().flatten().find_map(view) {
                let message = left_out("the primitive", view);
                report.add(Severity::Ignored, "MESHOPT", pointer, message);
                primitive.clear();
                continue;
            }
            let targets = primitive.targets.iter_mut().enumerate();
            let targets = targets.map(|(t, list)| (format!("{pointer}/targets/{t}"), list));
            let own = (format!("{pointer}/attributes"), &mut primitive.attributes);
            for (pointer, attributes) in std::iter::once(own).chain(targets) {
                attributes.0.retain(|(name, accessor)| {
                    let view = view(*accessor);
                    if let Some(view) = view {
                        let message = left_out("the attribute", view);
                        let at = format_args!("{pointer}/{name}");
                        report.add(Severity::Ignored, "MESHOPT", at, message);
                    }
                    view.is_none()
                });
            }
        }
    }
}

fn left_out(what: &str, view: u32) -> String {
    format!("{what} was left out: its numbers are in the broken buffer view {view}")
}

/// The first of these views that an accessor reads.
fn view_of(accessor: &Accessor, views: &[u32]) -> Option<u32> {
    let sparse = accessor.sparse.as_ref();
    let indices = sparse.and_then(|sparse| sparse.indices.as_ref()?.buffer_view);
    let values = sparse.and_then(|sparse| sparse.values.as_ref()?.buffer_view);
    let read = [accessor.buffer_view, indices, values];
    let mut read = read.into_iter().flatten();
    read.find(|view| views.binary_search(view).is_ok())
}
