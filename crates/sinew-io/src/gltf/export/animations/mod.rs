//! Export of animations: a sampler and a channel per track. Animations of layers follow those of all clips.

mod curves;
mod keys;
mod layers;
mod pointers;
mod tracks;

use super::error::ExportError;
use super::exporter::Exporter;
use super::meshes::WrittenMesh;
use super::plan::Plan;
use crate::gltf::document::schema;
use crate::gltf::extras::motion::{write_empty, write_motion};
use crate::report::Severity;
use sinew::steps::pause;
use sinew::{Clip, Interpolation, Track};
use std::collections::BTreeMap;
use tracks::animation;

pub(super) async fn write(
    exporter: &mut Exporter<'_>,
    plan: &Plan,
    meshes: &[Option<WrittenMesh>],
) -> Result<(), ExportError> {
    let mut source = std::mem::take(&mut exporter.document.animations);
    source.resize_with(exporter.character.clips.len(), schema::Animation::default);
    let layered = layers::layered(exporter)?;
    let mut wholes = BTreeMap::new();
    for (index, (clip, source)) in exporter.character.clips.iter().zip(source).enumerate() {
        pause().await;
        let clip = layered.get(&index).map_or(clip, |layered| &layered.clip);
        let location = format!("/animations/{index}");
        let (mut written, pointed) = animation(exporter, clip, &source, &location, (plan, meshes))?;
        exporter.note_curves(clip, &pointed);
        let is_empty = written.channels.is_empty();
        if is_empty && let Some(still) = still(exporter, plan, clip) {
            (written, _) = animation(exporter, &still?, &source, &location, (plan, meshes))?;
        }
        if written.channels.is_empty() {
            exporter.leave_out(
                &location,
                "a clip without tracks, which glTF does not allow,",
            );
            continue;
        }
        let is_written = write_motion(clip, &pointed, &mut written.rest)?;
        if is_written && (!is_empty || write_empty(&mut written.rest)?) {
            wholes.insert(index, exporter.document.animations.len());
        } else {
            let message =
                "events, curves and layers were left out, because the extras are not an object";
            exporter
                .report
                .add(Severity::Ignored, "EXTRAS_OCCUPIED", &location, message);
        }
        exporter.document.animations.push(written);
    }
    layers::write(exporter, (plan, meshes), layered, &wholes)
}

/// Clip that holds a joint still for the duration of a clip without tracks, because glTF requires a channel. An import
/// reads it without that track. `None` if there is no joint.
fn still(exporter: &Exporter<'_>, plan: &Plan, clip: &Clip) -> Option<Result<Clip, ExportError>> {
    let joint = plan.still_joint?;
    let scale = exporter.character.skeleton.rest().get(joint).scale;
    let times = match clip.duration_secs {
        end if end > 0.0 && end.is_finite() => vec![0.0, end],
        _ => vec![0.0],
    };
    let values = vec![scale; times.len()];
    let track = Track::vectors(times, &values, Interpolation::Step);
    let mut still = Clip::new(clip.name.clone());
    Some(match track {
        Ok(track) => {
            still.joint_mut(joint).scale = Some(track);
            Ok(still)
        }
        Err(_) => Err(ExportError::not_finite(format!("/nodes/{joint}"))),
    })
}
