//! Picture that both renderers draw.

use crate::glb::Glb;
use crate::shape::sphere;
use anyhow::{Context, Result};
use glam::Vec3;
use serde_json::Value;
use sinew::{Method, deform};
use sinew_gpu::{Camera, corners};
use std::path::Path;

/// Width and height of a picture in pixels.
pub const SIZE: u32 = 320;

/// Linear grey level of the background.
pub const BACKGROUND: f32 = 0.18;

/// Tone map from light to display values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Clamps light to white.
    None,
    /// Khronos PBR Neutral.
    Neutral,
}

/// File to draw, with its camera and light.
#[derive(Clone, Debug)]
pub struct Case {
    /// Name in the table, and of the picture file.
    pub name: String,
    /// Bytes of the GLB file.
    pub glb: Vec<u8>,
    /// Camera of both renderers.
    pub camera: Camera,
    /// True if the environment lights the file. Otherwise only the lights of the file do.
    pub environment: bool,
    /// Tone map of both renderers.
    pub tone: Tone,
}

impl Case {
    /// Case with a camera slightly above and to the right, which sees `half` around the origin.
    pub fn new(name: &str, glb: &Glb, half: f32) -> Self {
        let box_ = corners([Vec3::splat(-half), Vec3::splat(half)].map(|c| c.with_z(0.0)));
        Self::seen(name, glb.to_bytes(), &box_)
    }

    fn seen(name: &str, glb: Vec<u8>, points: &[Vec3]) -> Self {
        Self {
            name: name.to_owned(),
            glb,
            camera: Camera::framing(points.iter().copied(), Vec3::new(0.2, 0.15, 1.0), 1.0),
            environment: true,
            tone: Tone::None,
        }
    }

    /// Case of a file on disk.
    pub fn from_file(path: &Path) -> Result<Self> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let glb = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        let import = sinew_io::import(path)?;
        let rest = deform(&import.character, None, 0.0, Method::Linear)?;
        let bounds = rest.bounds().context("nothing to see")?;
        Ok(Self::seen(&name, glb, &corners([bounds.min, bounds.max])))
    }

    /// Removes the environment, so that only the lights of the file remain.
    pub fn without_environment(mut self) -> Self {
        self.environment = false;
        self
    }
}

/// Spheres in rows from the upper left, one sphere per material.
pub fn spheres(name: &str, mut glb: Glb, materials: Vec<Value>, columns: usize) -> Case {
    let rows = materials.len().div_ceil(columns);
    let shape = sphere(0.45);
    for (index, material) in materials.into_iter().enumerate() {
        let material = glb.material(material);
        let middle = |at: usize, many: usize| at as f32 - (many as f32 - 1.0) / 2.0;
        let (x, y) = (
            middle(index % columns, columns),
            middle(index / columns, rows),
        );
        glb.add(&shape, material, [x, -y, 0.0]);
    }
    Case::new(name, &glb, 0.5 * columns.max(rows) as f32)
}
