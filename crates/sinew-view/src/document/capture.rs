//! Motion capture: marker positions over time, and the mannequin fitted to the markers.

use super::load_error::LoadError;
use super::task::Progress;
use sinew::Character;
use sinew::markers::Trial;
use sinew_io::{FileReport, c3d};
use sinew_rig::mocap::{self, Capture, MarkerSet};
use sinew_samples::mannequin::Mannequin;

/// Markers of a motion capture, and their attachment to the body.
#[derive(Clone, Debug, PartialEq)]
pub struct Captured {
    /// Marker positions over time, in the model space of the body.
    pub trial: Trial,
    /// Attachment of each marker, `None` for labels that the marker set does not have.
    pub on_body: Vec<Option<MarkerAttachment>>,
}

/// Attachment of a marker to a joint of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarkerAttachment {
    /// Index of the joint that the marker moves with.
    pub joint: usize,
    /// Position in the frame of the joint.
    pub offset: glam::Vec3,
}

/// Fits the mannequin to the bytes of a C3D file, as `sinew mocap` does.
pub(super) fn captured(
    bytes: &[u8],
    name: &str,
    progress: &Progress,
) -> Result<(Character, FileReport, Captured), LoadError> {
    let import = c3d::import_bytes(bytes)?;
    let mut character = Mannequin::default().build();
    let set = MarkerSet::standard();
    let frames = import.trial.frames().max(1) as f32;
    let fit = Capture::new(&character.skeleton, &set, &import.trial).fit(|at| match at {
        mocap::Progress::Size(part) => progress.set("measuring the subject", Some(part as f32)),
        mocap::Progress::Frames(done) => {
            progress.set("following the markers", Some(done as f32 / frames));
        }
    })?;
    // Bones get the lengths of the subject, so markers keep their recorded positions.
    for node in &mut character.nodes {
        if let Some(joint) = node.joint.filter(|&joint| joint < fit.skeleton.len()) {
            node.parent_from_node = fit.skeleton.rest().get(joint).to_affine();
        }
    }
    character.skeleton = fit.skeleton;
    let mut clip = fit.clip;
    clip.name = match name.rsplit_once('.') {
        Some((stem, _)) => stem.to_owned(),
        None => name.to_owned(),
    };
    character.clips = vec![clip];
    let attachment = |label: &String| {
        let marker = fit.markers.find(label)?;
        Some(MarkerAttachment {
            joint: character.skeleton.find(&marker.joint)?,
            offset: marker.offset,
        })
    };
    let on_body = import.trial.labels().iter().map(attachment).collect();
    let capture = Captured {
        on_body,
        trial: import.trial,
    };
    Ok((character, import.report, capture))
}
