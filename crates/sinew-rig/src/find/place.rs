//! Places the joints of a template at landmarks.

use super::error::FindError;
use super::found::{Body, Found};
use super::frame::Frame;
use super::marks::Marks;
use super::options::FindOptions;
use super::stance::Stance;
use crate::template::{Biped, Template};
use glam::{DVec3, Vec3};

/// Places a person at landmarks.
pub(super) fn biped(
    marks: &Marks,
    frame: &Frame,
    stance: &Stance,
    _options: &FindOptions,
) -> Result<Found, FindError> {
    let template = Biped::default().template();
    let place = |p: DVec3| (frame.mesh_from_body * p).as_vec3();
    let names: Vec<String> = template.joints().iter().map(|j| j.name.clone()).collect();
    let positions = marks.iter().filter(|(name, _)| names.contains(name));
    let positions = positions
        .map(|(name, at)| (name.clone(), place(at)))
        .collect();
    let placed: Template =
        template
            .with_positions(&positions)
            .map_err(|error| FindError::NoBody {
                reason: error.to_string(),
            })?;
    let confidence = names.iter().map(|name| marks.sure(name) as f32).collect();
    let missing = names
        .iter()
        .filter(|name| marks.at(name).is_none())
        .cloned()
        .collect();
    Ok(Found {
        template: placed,
        body: Body::Biped,
        up: place(DVec3::Y),
        front: place(DVec3::Z),
        height: stance.height as f32,
        confidence,
        missing,
        findings: Vec::new(),
    })
}
