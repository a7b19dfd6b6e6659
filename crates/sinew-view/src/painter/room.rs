//! Surroundings of a character: floor, light, and the walls that emit the light.

use crate::state::{Background, State, Surroundings, Theme};
use glam::{Vec2, Vec3};
use sinew_gpu::{Environment, EnvironmentMap, Floor, Gpu, Lighting, RenderError, srgb_to_linear};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RoomKind {
    Studio,
    Dark,
    Color([u8; 3]),
}

impl RoomKind {
    pub fn of(state: &State) -> Self {
        match (state.look.background, state.window.theme) {
            (Background::Studio, _) | (Background::Theme, Theme::Light) => Self::Studio,
            (Background::Dark, _) | (Background::Theme, Theme::Dark) => Self::Dark,
            (Background::Color(color), _) => Self::Color(color),
        }
    }
}

#[derive(Debug)]
pub(super) struct Room {
    pub kind: RoomKind,
    pub light: Surroundings,
    pub floor: Floor,
    pub environment: Environment,
    /// Light to be filtered in full.
    sketched: Option<EnvironmentMap>,
    pub lighting: Lighting,
}

impl Room {
    pub fn new(gpu: &Gpu, kind: RoomKind, light: Surroundings) -> Result<Self, RenderError> {
        let studio = Lighting::backdrop();
        let lighting = match kind {
            RoomKind::Studio => studio,
            // Brighter than the panels, so that black hair and boots stay visible.
            RoomKind::Dark => Lighting {
                zenith: [0.028, 0.030, 0.034],
                horizon: [0.062, 0.065, 0.071],
                ground: [0.078, 0.080, 0.085],
                ..studio
            },
            RoomKind::Color(color) => {
                let linear = color.map(|c| srgb_to_linear(f32::from(c) / 255.0) / studio.exposure);
                Lighting {
                    zenith: linear,
                    horizon: linear,
                    ground: linear,
                    ..studio
                }
            }
        };
        let mut floor = match kind {
            RoomKind::Dark => Floor::dark(gpu)?,
            RoomKind::Studio | RoomKind::Color(_) => Floor::studio(gpu)?,
        };
        floor.is_backdrop = true;
        floor.grid_color = match kind {
            RoomKind::Dark => [0.13, 0.135, 0.145],
            RoomKind::Studio | RoomKind::Color(_) => [0.12, 0.125, 0.135],
        };
        let map = match light {
            Surroundings::Studio => EnvironmentMap::studio(),
            Surroundings::Dark => EnvironmentMap::dark(),
            Surroundings::Overcast => EnvironmentMap::overcast(),
            Surroundings::Sunset => EnvironmentMap::sunset(),
        };
        let is_software = gpu.is_software();
        Ok(Self {
            kind,
            light,
            floor,
            environment: match is_software {
                true => Environment::sketch(gpu, &map)?,
                false => Environment::new(gpu, &map)?,
            },
            sketched: is_software.then_some(map),
            lighting,
        })
    }

    /// Filters the environment in full, if it is not. A software adapter does so only for pictures that stand still.
    pub fn complete(&mut self, gpu: &Gpu) -> Result<(), RenderError> {
        if let Some(light) = self.sketched.take() {
            self.environment = Environment::new(gpu, &light)?;
        }
        Ok(())
    }

    /// Light at an exposure in stops. A background of one colour keeps it.
    pub fn exposed(&self, stops: f32) -> Lighting {
        let mut lighting = self.lighting.clone();
        lighting.exposure *= stops.exp2();
        if let RoomKind::Color(_) = self.kind {
            for sky in [
                &mut lighting.zenith,
                &mut lighting.horizon,
                &mut lighting.ground,
            ] {
                *sky = sky.map(|light| light / stops.exp2());
            }
        }
        lighting
    }

    /// Moves the floor under a figure.
    pub fn place(&mut self, radius: f32, middle: Vec3) {
        self.floor.half_size = radius * 16.0;
        self.floor.middle = Vec2::new(middle.x, middle.z);
    }
}
