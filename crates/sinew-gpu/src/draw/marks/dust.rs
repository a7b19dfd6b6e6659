//! Dust raised by footsteps.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use wgpu::{VertexBufferLayout, VertexStepMode, vertex_attr_array};

/// Soft ball of dust, in 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct DustParticle {
    /// Centre in world space.
    pub position: [f32; 3],
    /// Radius, in world units.
    pub radius: f32,
    /// Linear red, green, blue and opacity at the centre.
    pub color: [f32; 4],
}

impl DustParticle {
    pub(crate) const LAYOUT: VertexBufferLayout<'static> = VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: VertexStepMode::Instance,
        attributes: &vertex_attr_array![0 => Float32x4, 1 => Float32x4],
    };
}

const LIFE_SECS: f32 = 1.1;
const PARTICLES_PER_PUFF: usize = 14;

/// Dust in the air: a puff of particles per footstep.
#[derive(Clone, Debug, Default)]
pub struct Dust {
    raised: Vec<Puff>,
    drawn: Vec<DustParticle>,
}

#[derive(Clone, Copy, Debug)]
struct Puff {
    position: Vec3,
    size: f32,
    age_secs: f32,
}

impl Dust {
    /// Adds a puff at a position in world space, raised `ago_secs` seconds ago. Size 1 is the
    /// footstep of a person, in a world measured in metres.
    pub fn raise(&mut self, position: Vec3, size: f32, ago_secs: f32) {
        if Self::is_seen(f64::from(ago_secs)) {
            self.raised.push(Puff {
                position,
                size,
                age_secs: ago_secs,
            });
        }
        self.redraw();
    }

    /// True if dust that was raised `ago_secs` seconds ago is still visible.
    pub fn is_seen(ago_secs: f64) -> bool {
        (0.0..f64::from(LIFE_SECS)).contains(&ago_secs)
    }

    /// Number of puffs in the air.
    pub fn len(&self) -> usize {
        self.raised.len()
    }

    /// True if there is no dust.
    pub fn is_empty(&self) -> bool {
        self.raised.is_empty()
    }

    /// Ages the dust by `dt_secs`.
    pub fn advance(&mut self, dt_secs: f32) {
        for puff in &mut self.raised {
            puff.age_secs += dt_secs;
        }
        self.raised.retain(|puff| puff.age_secs < LIFE_SECS);
        self.redraw();
    }

    /// Particles of all puffs. They spread, rise and thin out over time.
    pub fn as_slice(&self) -> &[DustParticle] {
        &self.drawn
    }

    fn redraw(&mut self) {
        self.drawn.clear();
        for &Puff {
            position,
            size,
            age_secs,
        } in &self.raised
        {
            let part = age_secs / LIFE_SECS;
            let spread = 1.0 - (1.0 - part) * (1.0 - part);
            for ball in 0..PARTICLES_PER_PUFF {
                // The golden angle spreads the particles around the foot. Each has its own speed.
                let (sin, cos) = (ball as f32 * 2.399_963).sin_cos();
                let speed = 0.55
                    + 0.45 * ((ball * 5 % PARTICLES_PER_PUFF) as f32 / PARTICLES_PER_PUFF as f32);
                let away = (0.06 + 0.3 * spread) * speed;
                let up = 0.05 + 0.16 * spread * (1.3 - speed);
                self.drawn.push(DustParticle {
                    position: (position + Vec3::new(cos * away, up, sin * away) * size).to_array(),
                    radius: (0.07 + 0.15 * spread * speed) * size,
                    color: [0.4, 0.36, 0.29, 0.42 * (1.0 - part) * (1.0 - part)],
                });
            }
        }
    }
}
