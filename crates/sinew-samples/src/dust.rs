//! Dust that footsteps raise.

use glam::Vec3;
use sinew_gpu::DustParticle;

/// How long a puff can be seen.
const LIFE_SECS: f32 = 1.1;
/// Particles per puff.
const PARTICLES_PER_PUFF: usize = 14;

/// The dust in the air: a puff per footstep, made of particles.
#[derive(Clone, Debug, Default)]
pub struct Dust {
    /// Where each was raised, and how long ago.
    raised: Vec<(Vec3, f32)>,
    drawn: Vec<DustParticle>,
}

impl Dust {
    /// Raises one at a place, some time ago.
    pub fn raise(&mut self, place: Vec3, ago_secs: f32) {
        if ago_secs < LIFE_SECS {
            self.raised.push((place, ago_secs));
        }
        self.redraw();
    }

    /// How many are in the air.
    pub fn len(&self) -> usize {
        self.raised.len()
    }

    /// Whether the air is clear.
    pub fn is_empty(&self) -> bool {
        self.raised.is_empty()
    }

    /// Lets time pass.
    pub fn advance(&mut self, dt_secs: f32) {
        for (_, age) in &mut self.raised {
            *age += dt_secs;
        }
        self.raised.retain(|r| r.1 < LIFE_SECS);
        self.redraw();
    }

    /// Each as several balls that spread over the ground, rise and thin out.
    pub fn as_slice(&self) -> &[DustParticle] {
        &self.drawn
    }

    fn redraw(&mut self) {
        self.drawn.clear();
        for &(place, age) in &self.raised {
            let part = age / LIFE_SECS;
            let spread = 1.0 - (1.0 - part) * (1.0 - part);
            for ball in 0..PARTICLES_PER_PUFF {
                // Round the foot by the golden angle, each at its own speed.
                let (sin, cos) = (ball as f32 * 2.399_963).sin_cos();
                let speed = 0.55
                    + 0.45 * ((ball * 5 % PARTICLES_PER_PUFF) as f32 / PARTICLES_PER_PUFF as f32);
                let away = (0.06 + 0.3 * spread) * speed;
                let up = 0.05 + 0.16 * spread * (1.3 - speed);
                self.drawn.push(DustParticle {
                    place: (place + Vec3::new(cos * away, up, sin * away)).to_array(),
                    radius: 0.07 + 0.15 * spread * speed,
                    color: [0.4, 0.36, 0.29, 0.42 * (1.0 - part) * (1.0 - part)],
                });
            }
        }
    }
}
