//! The integrated scene of Xu et al. (`docs/references.md`) in motion. A figure moves with a sword.
//! Curves and events of its clip drive camera, light, water and dust through bindings.

use crate::grove::Grove;
use crate::noise::dice;
use glam::Vec3;
use sinew::binding::{self, Target};
use sinew::character::{Driven, StageNames, UV_IDENTITY, UvTransform};
use sinew::clip::{Player, Wrap};
use sinew::{Affine, Character, DeformError, LocalPose, Material, Method, ModelPose, sample};
use sinew_gpu::{
    Camera, Dust, Floor, Gpu, GpuCharacter, GpuScene, Lamp, LampPosition, Lighting, Pixels,
    RenderError, SceneMaterial, Stage, StageCurves, View,
};

/// Names for bindings: the light of the lantern and the water on the ground.
pub const GROVE_NAMES: StageNames<'static> = StageNames {
    lights: &["lantern"],
    materials: &["water"],
};

const FLAME: [f32; 3] = [2.2, 1.05, 0.35];

const RIPPLES: UvTransform = [[1.7, 0.0, 0.0], [0.0, 1.7, 0.0]];

/// Grove and figure on the GPU, with the current time of the motion.
#[derive(Debug)]
pub struct GroveShow {
    /// Character of the figure. Its last clip plays.
    character: Character,
    lantern: Vec3,
    figure: GpuCharacter,
    scene: GpuScene,
    floor: Floor,
    dust: Dust,
    player: Player,
    local: LocalPose,
    curves: StageCurves,
    driven: Driven,
    /// Sounds and calls that events requested. The caller of [`GroveShow::requests`] plays them.
    requests: Vec<Target>,
}

impl GroveShow {
    /// Uploads the grove and a figure, whose last clip plays. Bindings may use [`GROVE_NAMES`].
    ///
    /// # Errors
    /// If the figure has no clip, or a binding has an unknown name.
    pub fn new(gpu: &Gpu, character: Character) -> Result<Self, RenderError> {
        for binding in &character.bindings {
            character.check_binding(binding, &GROVE_NAMES)?;
        }
        if character.clips.is_empty() {
            return Err(DeformError::NoSuchClip { clip: 0, len: 0 }.into());
        }
        let grove = Grove::new();
        let materials: Vec<SceneMaterial> = grove
            .materials
            .iter()
            .map(|material| SceneMaterial {
                through: if material.double_sided { 0.35 } else { 0.0 },
                material: material.clone(),
                ..SceneMaterial::default()
            })
            .collect();
        let mut show = Self {
            figure: GpuCharacter::new(gpu, &character, Method::DualQuat)?,
            scene: GpuScene::new(gpu, &grove.scene, &materials)?,
            floor: floor(gpu)?,
            driven: Driven::new(&character),
            character,
            lantern: grove.lantern,
            dust: Dust::default(),
            player: Player::new(Wrap::Loop),
            local: LocalPose::identity(0),
            curves: StageCurves::default(),
            requests: Vec::new(),
        };
        show.advance(gpu, 0.0)?;
        Ok(show)
    }

    /// The character of the figure.
    pub fn character(&self) -> &Character {
        &self.character
    }

    /// Duration of the clip, in seconds.
    pub fn duration_secs(&self) -> f64 {
        f64::from(self.character.clips[self.clip()].duration_secs)
    }

    fn clip(&self) -> usize {
        self.character.clips.len() - 1
    }

    /// Number of dust puffs that are visible now.
    pub fn dust(&self) -> usize {
        self.dust.len()
    }

    /// Advances the motion by `dt_secs` seconds, skins the figure and fires events.
    pub fn advance(&mut self, gpu: &Gpu, dt_secs: f64) -> Result<(), RenderError> {
        let index = self.clip();
        self.dust.advance(dt_secs as f32);
        let clip = &self.character.clips[index];
        let mut steps = Vec::new();
        self.requests.clear();
        self.player.advance(clip, dt_secs, |event| {
            for target in binding::events(&self.character.bindings, &event.name) {
                match target {
                    Target::Dust(joint) => {
                        let foot = self.character.skeleton.find(joint);
                        steps.extend(foot.map(|foot| (foot, f64::from(event.time_secs))));
                    }
                    other => self.requests.push(other.clone()),
                }
            }
        });
        let time = self.player.clip_time_secs(&self.character.clips[index]);
        for (foot, at) in steps {
            let pose = self.posed(at);
            let sole = pose.get(foot).translation();
            let ago = (time - at).rem_euclid(self.duration_secs());
            self.dust.raise(sole.with_y(0.0), 1.0, ago as f32);
        }
        self.figure.pose(gpu, &self.character, Some(index), time)?;
        let Character {
            bindings, clips, ..
        } = &self.character;
        self.curves = StageCurves::new(bindings, Some(&clips[index]), time);
        self.driven.update(Some(&clips[index]), time);
        self.figure.show_materials(gpu, &self.driven, &self.curves);
        let water = self.curves.material("water").unwrap_or_default();
        self.floor
            .set_uv(gpu, &UV_IDENTITY, &water.uv_after(&RIPPLES));
        Ok(())
    }

    /// Sounds and calls that events of the last [`GroveShow::advance`] requested.
    pub fn requests(&self) -> &[Target] {
        &self.requests
    }

    fn posed(&mut self, time_secs: f64) -> ModelPose {
        let skeleton = &self.character.skeleton;
        let clip = &self.character.clips[self.character.clips.len() - 1];
        sample(clip, skeleton, time_secs, &mut self.local).expect("a clip of this character");
        let mut pose = ModelPose::identity(0);
        pose.update(skeleton.hierarchy(), &self.local, &Affine::IDENTITY)
            .expect("a sampled pose has its skeleton's joints");
        pose
    }

    /// Enables the measurement of GPU time for skinning, if the device supports it.
    pub fn measure(&mut self, gpu: &Gpu) -> Result<(), RenderError> {
        self.figure.measure(gpu)
    }

    /// GPU time of the last skinning, in milliseconds. Waits for the GPU.
    pub fn skin_ms(&self, gpu: &Gpu) -> Result<Option<f64>, RenderError> {
        self.figure.skin_ms(gpu)
    }

    /// Stage at the current time.
    pub fn stage(&self) -> Stage<'_> {
        Stage {
            characters: vec![&self.figure],
            scenes: vec![&self.scene],
            floor: Some(&self.floor),
            dust: self.dust.as_slice(),
            ..Stage::default()
        }
    }

    /// View of the camera in the clip. If no curve drives the camera, it is in front of the figure.
    pub fn view(&self, size: [u32; 2]) -> View {
        let flame = self.curves.light("lantern").color_over(FLAME);
        let before_it = Camera {
            fov_y_rad: 0.62,
            near: 0.2,
            far: 80.0,
            ..Camera::default()
        };
        let mut lighting = Lighting::grove();
        lighting.lamps.push(Lamp {
            position: LampPosition::At(self.lantern, 1.1),
            diffuse: flame,
            specular: flame,
        });
        View {
            size,
            camera: self.curves.camera(before_it, &Affine::IDENTITY),
            lighting,
            shadow_ball: Some((Vec3::new(-0.5, 1.5, -1.2), 7.0)),
            shadow_softness: Some(0.01),
            bloom: 0.25,
            ..View::default()
        }
    }
}

fn floor(gpu: &Gpu) -> Result<Floor, RenderError> {
    let material = Material {
        metallic: 0.0,
        roughness: 0.42,
        normal_scale: 0.3,
        ..Material::default()
    };
    let mut floor = Floor::new(gpu, &material, Some(&flagstones()), Some(&ripples()))?;
    floor.half_size = 30.0;
    floor.mirror = 0.14;
    floor.distortion = 0.05;
    floor.blur = 0.0;
    floor.fade = 0.5;
    floor.tile = 3.0;
    floor.edge = 5.4;
    floor.outside = [0.05, 0.07, 0.02];
    Ok(floor)
}

/// Repeating texture of irregular stones around points, one per grid cell (Worley 1996).
fn flagstones() -> Pixels {
    const SIZE: u32 = 512;
    const CELLS: i32 = 6;
    Pixels::from_fn(SIZE, SIZE, |px, py| {
        let scale = CELLS as f32 / SIZE as f32;
        let (x, y) = (px as f32 * scale, py as f32 * scale);
        let (mut nearest, mut second, mut shade) = (f32::INFINITY, f32::INFINITY, 0.0);
        for row in -1..=1 {
            for column in -1..=1 {
                let cell = (x.floor() as i32 + column, y.floor() as i32 + row);
                let round = (cell.0.rem_euclid(CELLS), cell.1.rem_euclid(CELLS));
                let at = |k| 0.2 + 0.6 * dice(round.0, round.1, k);
                let away = (cell.0 as f32 + at(1) - x).hypot(cell.1 as f32 + at(2) - y);
                if away < nearest {
                    (second, nearest) = (nearest, away);
                    shade = dice(round.0, round.1, 3);
                } else if away < second {
                    second = away;
                }
            }
        }
        let joint = ((second - nearest) * 9.0).clamp(0.0, 1.0);
        let grain = dice(px as i32, py as i32, 9) * 0.05;
        let light = 0.27 + 0.12 * shade + grain;
        let [r, g, b] = [light * 1.04, light, light * 0.93];
        [r, g, b, 1.0].map(|c| c * (0.45 + 0.55 * joint))
    })
}

fn ripples() -> Pixels {
    const SIZE: u32 = 256;
    const WAVES: [(f32, f32, f32); 6] = [
        (3.0, 1.0, 0.3),
        (-2.0, 4.0, 1.9),
        (5.0, -3.0, 4.1),
        (-6.0, -5.0, 2.2),
        (8.0, 3.0, 5.5),
        (2.0, -9.0, 0.9),
    ];
    Pixels::from_fn(SIZE, SIZE, |px, py| {
        let (x, y) = (px as f32 / SIZE as f32, py as f32 / SIZE as f32);
        let (mut slope_x, mut slope_y) = (0.0, 0.0);
        for (fx, fy, phase) in WAVES {
            let wave = (std::f32::consts::TAU * (fx * x + fy * y) + phase).cos();
            let long = fx.hypot(fy);
            slope_x += wave * fx / long * 0.09;
            slope_y += wave * fy / long * 0.09;
        }
        let normal = Vec3::new(-slope_x, slope_y, 1.0).normalize();
        let [r, g, b] = (normal * 0.5 + 0.5).to_array();
        [r, g, b, 1.0]
    })
}
