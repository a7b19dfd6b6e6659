//! What is around a character: floor, light, and the walls that light comes from.

use crate::state::Theme;
use glam::{Vec2, Vec3};
use sinew_gpu::{Environment, EnvironmentMap, Floor, Gpu, Lighting, RenderError};

/// A room.
#[derive(Debug)]
pub(super) struct Room {
    pub floor: Floor,
    pub environment: Environment,
    pub lighting: Lighting,
}

impl Room {
    pub fn new(gpu: &Gpu, theme: Theme) -> Result<Self, RenderError> {
        let (mut floor, lighting) = match theme {
            // Between the panels' dark and the figure: black hair and boots are still seen on it.
            Theme::Dark => {
                let lighting = Lighting {
                    zenith: [0.028, 0.030, 0.034],
                    horizon: [0.062, 0.065, 0.071],
                    ground: [0.078, 0.080, 0.085],
                    ..Lighting::backdrop()
                };
                (Floor::dark(gpu)?, lighting)
            }
            Theme::Light => (Floor::studio(gpu)?, Lighting::backdrop()),
        };
        floor.is_backdrop = true;
        Ok(Self {
            floor,
            environment: Environment::new(gpu, &EnvironmentMap::studio())?,
            lighting,
        })
    }

    /// Lays the floor under a figure.
    pub fn place(&mut self, radius: f32, middle: Vec3) {
        self.floor.half_size = radius * 16.0;
        self.floor.middle = Vec2::new(middle.x, middle.z);
    }
}
