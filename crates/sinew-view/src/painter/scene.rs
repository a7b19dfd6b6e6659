use super::posed::Posed;
use crate::document::OpenFile;
use crate::state::State;
use sinew::{Affine, ModelPose};
use sinew_gpu::Camera;

pub(super) struct Scene<'a> {
    pub state: &'a State,
    pub file: &'a OpenFile,
    pub posed: &'a Posed,
    pub world_from_model: Affine,
    pub camera: &'a Camera,
    pub radius: f32,
    /// Height of the picture, in pixels.
    pub rows: f32,
    /// Number of pixels of the picture per pixel of the window.
    pub pixel: f32,
    pub has_mesh: bool,
}

impl Scene<'_> {
    /// World position of a joint.
    pub fn at(&self, pose: &ModelPose, joint: usize) -> [f32; 3] {
        let model = pose.get(joint).translation();
        self.world_from_model.transform_point(model).to_array()
    }
}
