//! Paints weights with a brush: add, erase or smooth within a radius, on one or both sides.

use super::adjust::{Adjust, AdjustError, Neighbours};
use super::mirror::mirrored_point;
use glam::Vec3;

/// A brush, in the frame of the mesh at the bind pose.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "weight paint")]
pub struct Brush {
    /// Centre of the painted sphere.
    pub centre: Vec3,
    /// Distance from the centre at which the effect ends. Above 0.
    pub radius: f32,
    /// Decrease of the effect from the centre to the radius.
    pub falloff: Falloff,
    /// Effect of one stroke at the centre, in [0, 1].
    pub strength: f32,
}

/// Decrease of the effect of a brush from its centre to its radius.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Falloff {
    /// Full strength up to the radius.
    Constant,
    /// Linear decrease with the distance.
    Linear,
    /// Smooth decrease, flat at the centre and at the radius.
    #[default]
    Smooth,
}

/// Effect of a stroke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// Adds weight to a joint. The other joints lose weight in proportion.
    Add(usize),
    /// Takes weight from a joint. Other joints, if any, gain weight in proportion.
    Erase(usize),
    /// Blends weights with the neighbours along edges.
    Smooth,
}

/// Plane of symmetry of a stroke, and the map between joints on its two sides.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations)] // functions have none
pub struct Mirror<'a> {
    /// x coordinate of the plane.
    pub at: f32,
    /// Max distance between the mirror image of a vertex and its partner.
    pub tolerance: f32,
    /// Map to the joint on the other side ([`mirrored_joints`](crate::weights::mirrored_joints)).
    pub joint: &'a dyn Fn(usize) -> usize,
}

impl Brush {
    /// Effect of a stroke at a point: the strength at the centre, 0 at the radius.
    pub fn at(&self, point: Vec3) -> f32 {
        let away = point.distance(self.centre) / self.radius;
        if away.is_nan() || away >= 1.0 {
            return 0.0;
        }
        let left = 1.0 - away;
        self.strength
            * match self.falloff {
                Falloff::Constant => 1.0,
                Falloff::Linear => left,
                Falloff::Smooth => left * left * (3.0 - 2.0 * left),
            }
    }

    fn check(&self) -> Result<(), AdjustError> {
        let is_good = self.centre.is_finite()
            && self.radius > 0.0
            && self.radius.is_finite()
            && (0.0..=1.0).contains(&self.strength);
        if is_good {
            Ok(())
        } else {
            Err(AdjustError::Brush {
                radius: self.radius,
                strength: self.strength,
            })
        }
    }
}

impl Adjust {
    /// Paints one stroke. Sums stay 1, locked joints keep their weights, and vertices at one
    /// position stay equal. With a mirror, the stroke affects the side of its centre and is
    /// repeated on the other side. A vertex on the plane gets the mean of both strokes.
    ///
    /// ```
    /// use glam::Vec3;
    /// use sinew_rig::weights::{Adjust, Brush, Falloff, Stroke};
    /// let tube = sinew_samples::tube_character();
    /// let primitive = &tube.meshes[0].primitives[0];
    /// let weights = Adjust::new(primitive.influences.as_ref().unwrap(), 2);
    /// let brush = Brush { centre: primitive.positions[0], radius: 0.2, falloff: Falloff::Smooth, strength: 0.5 };
    /// let before = weights.get(0).to_vec();
    /// let painted = weights.paint(&primitive.positions, &[], &brush, Stroke::Add(1), None)?;
    /// assert_ne!(painted.get(0), before);
    /// # Ok::<(), sinew_rig::weights::AdjustError>(())
    /// ```
    pub fn paint(
        mut self,
        positions: &[Vec3],
        triangles: &[[u32; 3]],
        brush: &Brush,
        stroke: Stroke,
        mirror: Option<&Mirror<'_>>,
    ) -> Result<Self, AdjustError> {
        brush.check()?;
        if let Stroke::Add(joint) | Stroke::Erase(joint) = stroke {
            self.check_joint(joint)?;
        }
        let count = self.rows.len().min(positions.len());
        let positions = &positions[..count];
        let neighbours = Neighbours::new(positions, triangles);
        let mut next = self.rows.clone();
        for (vertex, row) in next.iter_mut().enumerate().take(count) {
            let amount = brush.at(positions[vertex]);
            if amount <= 0.0 {
                continue;
            }
            let painted = match stroke {
                Stroke::Add(joint) => self.moved(vertex, joint, amount),
                Stroke::Erase(joint) => self.moved(vertex, joint, -amount),
                Stroke::Smooth => {
                    self.smoothed(positions, &neighbours, neighbours.first(vertex), amount)
                }
            };
            if let Some(painted) = painted {
                *row = painted;
            }
        }
        self.rows = next;
        let Some(mirror) = mirror else {
            return Ok(self);
        };
        let image = Brush {
            centre: mirrored_point(brush.centre, mirror.at),
            ..*brush
        };
        let is_touched = |vertex: usize| {
            let position = positions[vertex];
            brush.at(position) > 0.0 || image.at(position) > 0.0
        };
        let side = (brush.centre.x - mirror.at).signum();
        let Mirror {
            at,
            tolerance,
            joint,
        } = *mirror;
        Ok(self.mirror_where(positions, at, tolerance, joint, side, &is_touched))
    }

    /// Weights after the change `by` of one joint. `None` if no other joint can change.
    fn moved(&self, vertex: usize, joint: usize, by: f32) -> Option<Vec<(u16, f32)>> {
        let row = self.get(vertex);
        let is_it = |entry: &&(u16, f32)| usize::from(entry.0) == joint;
        let own: f32 = row.iter().filter(is_it).map(|r| r.1).sum();
        let others = row.iter().filter(|r| !is_it(r));
        let is_free = |r: &&(u16, f32)| self.check_joint(usize::from(r.0)).is_ok();
        let (free, held): (Vec<_>, Vec<_>) = others.partition(is_free);
        let sum = |rows: &[&(u16, f32)]| -> f32 { rows.iter().map(|r| r.1).sum() };
        let (free_sum, held_sum) = (sum(&free), sum(&held));
        if free_sum <= 0.0 {
            return None;
        }
        let expected = (own + by).clamp(0.0, (1.0 - held_sum).max(0.0));
        let scale = (1.0 - held_sum - expected).max(0.0) / free_sum;
        let mut moved: Vec<(u16, f32)> = held.into_iter().copied().collect();
        moved.extend(free.iter().map(|r| (r.0, r.1 * scale)));
        moved.push((joint as u16, expected));
        moved.retain(|r| r.1 > 0.0);
        moved.sort_by_key(|r| r.0);
        Some(moved)
    }
}
