//! A skeleton found in a mesh.

use super::check::Finding;
use crate::template::Template;
use glam::Vec3;

/// Kind of a found body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Body {
    /// Stands on two legs.
    Biped,
    /// Stands on four legs.
    Quadruped,
}

/// Skeleton found in a mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Found {
    /// Joints, in the space of the mesh.
    pub template: Template,
    /// Kind of the body.
    pub body: Body,
    /// Direction from the feet to the head, of length 1, in the space of the mesh.
    pub up: Vec3,
    /// Direction in which the body faces, of length 1, in the space of the mesh.
    pub front: Vec3,
    /// Height of the body along [`Found::up`], in the unit of the mesh.
    pub height: f32,
    /// Confidence in the position of each joint, in [0, 1]: 1 if the position was given, 0 if
    /// nothing in the mesh speaks for it.
    pub confidence: Vec<f32>,
    /// Names of joints that could not be found and stand where proportions put them.
    pub missing: Vec<String>,
    /// Doubts about the result, with figures.
    pub findings: Vec<Finding>,
}
