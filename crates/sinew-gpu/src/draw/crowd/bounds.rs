//! Bounds of a pose: one ball per joint, which contains all vertices that the joint moves.

use crate::device::error::GpuError;
use crate::draw::camera::corners;
use crate::draw::figure::skinned::boxes;
use glam::Vec3;
use sinew::rig::{Actor, ActorError, CrowdPlayer};
use sinew::skin::PaletteRef;
use sinew::{Affine, Rig};

#[derive(Debug)]
pub(super) struct CrowdBounds {
    joints: Vec<(usize, Ball)>,
    /// Balls of the unskinned parts, in node space.
    nodes: Vec<(usize, Ball)>,
}

#[derive(Clone, Copy, Debug)]
struct Ball {
    middle: Vec3,
    radius: f32,
}

impl Ball {
    fn around(bounds: [Vec3; 2], moved_by: &Affine) -> Self {
        let middle = moved_by.transform_point((bounds[0] + bounds[1]) / 2.0);
        let away = |corner| moved_by.transform_point(corner).distance(middle);
        Self {
            middle,
            radius: corners(bounds).map(away).into_iter().fold(0.0, f32::max),
        }
    }

    fn moved(&self, by: &Affine) -> [Vec3; 2] {
        let middle = by.transform_point(self.middle);
        let reach = by
            .rows
            .map(|[x, y, z, _]| Vec3::new(x, y, z).length() * self.radius);
        [middle - Vec3::from(reach), middle + Vec3::from(reach)]
    }
}

impl CrowdBounds {
    pub fn new(rig: &Rig) -> Self {
        let (mut joints, mut nodes) = (Vec::new(), Vec::new());
        for (index, part) in rig.parts().iter().enumerate() {
            let around = boxes(part.surface(), part.skin().is_some());
            match part.skin().map(|skin| &rig.skins()[skin]) {
                Some(skin) => joints.extend(around.into_iter().map(|(joint, around)| {
                    let joint_from_model = &skin.joint_from_model[joint];
                    (skin.joints[joint], Ball::around(around, joint_from_model))
                })),
                None => {
                    let ball = |(_, around)| (index, Ball::around(around, &Affine::IDENTITY));
                    nodes.extend(around.into_iter().map(ball));
                }
            }
        }
        Self { joints, nodes }
    }

    pub fn of_actor(&self, actor: &mut Actor) -> Result<Option<[Vec3; 2]>, GpuError> {
        let mut bounds = self.of_joints(actor.model_pose().map_err(ActorError::from)?.as_slice());
        for (part, ball) in &self.nodes {
            if let PaletteRef::Linear([map]) = actor.palette(*part)? {
                bounds = with(bounds, ball.moved(map));
            }
        }
        Ok(bounds)
    }

    pub fn of_member(&self, players: &CrowdPlayer, member: usize) -> Option<[Vec3; 2]> {
        let mut bounds = self.of_joints(players.model(member));
        for (part, ball) in &self.nodes {
            if let Some(PaletteRef::Linear([map])) = players.palette(member, *part) {
                bounds = with(bounds, ball.moved(map));
            }
        }
        bounds
    }

    fn of_joints(&self, model: &[Affine]) -> Option<[Vec3; 2]> {
        let moved = |(joint, ball): &(usize, Ball)| Some(ball.moved(model.get(*joint)?));
        let boxes = self.joints.iter().filter_map(moved);
        boxes.fold(None, with)
    }
}

fn with(bounds: Option<[Vec3; 2]>, other: [Vec3; 2]) -> Option<[Vec3; 2]> {
    let [low, high] = bounds.unwrap_or(other);
    Some([low.min(other[0]), high.max(other[1])])
}
