//! Parameters of a player: as the game set them, and as blends and layer weights last used them.

use crate::graph::checked::Shared;

/// Time constants in which a critically damped spring covers 95 % of a jump: (1 + x) e⁻ˣ = 0.05.
const SETTLED: f64 = 4.743_864_518_4;

/// Distance from the goal at which a smoothed parameter arrives. Relative above 1.
const ARRIVED: f64 = 1e-6;

/// Number of time constants after which a jump between any two `f32` has vanished.
const ALL: f64 = 200.0;

#[derive(Clone, Debug)]
pub(super) struct Parameters {
    /// Values as set, values that blends last used, and speeds of smoothed parameters.
    numbers: Box<[f32]>,
    count: usize,
}

impl Parameters {
    pub fn new(graph: &Shared) -> Self {
        let values = || graph.parameters.iter().map(|parameter| parameter.value);
        let smoothed = graph.parameters.iter().filter(|p| p.smoothed_secs > 0.0);
        let speeds = smoothed.map(|_| 0.0);
        Self {
            numbers: values().chain(values()).chain(speeds).collect(),
            count: graph.parameters.len(),
        }
    }

    /// Values as set by the game.
    pub fn set(&self) -> &[f32] {
        &self.numbers[..self.count]
    }

    pub fn set_mut(&mut self) -> &mut [f32] {
        &mut self.numbers[..self.count]
    }

    /// Values that blends used in the last update.
    pub fn shown(&self) -> &[f32] {
        &self.numbers[self.count..2 * self.count]
    }

    /// Values as set, followed by the values that blends use.
    pub fn pairs_mut(&mut self) -> &mut [f32] {
        &mut self.numbers[..2 * self.count]
    }

    /// Writes the pairs of an update by `dt_secs`. The shown values change at its end.
    pub fn start_update(&mut self, graph: &Shared, dt_secs: f64, pairs: &mut [f32]) {
        let (set, rest) = self.numbers.split_at_mut(self.count);
        let (shown, speeds) = rest.split_at_mut(self.count);
        pairs[..self.count].copy_from_slice(set);
        pairs[self.count..].copy_from_slice(set);
        if speeds.is_empty() {
            return;
        }
        let smoothed = graph.parameters.iter().zip(&mut pairs[self.count..]);
        let smoothed = smoothed
            .zip(&*shown)
            .filter(|((p, _), _)| p.smoothed_secs > 0.0);
        for (((parameter, value), shown), speed) in smoothed.zip(speeds) {
            let part = SETTLED * dt_secs / f64::from(parameter.smoothed_secs);
            (*value, *speed) = follow((*shown, *speed), *value, part);
        }
    }
}

pub(super) fn halves(pairs: &[f32]) -> (&[f32], &[f32]) {
    pairs.split_at(pairs.len() / 2)
}

pub(super) fn blended(pairs: &[f32]) -> &[f32] {
    halves(pairs).1
}

pub(super) fn reset(graph: &Shared, parameter: usize, pairs: &mut [f32]) {
    pairs[parameter] = 0.0;
    if graph.parameters[parameter].smoothed_secs <= 0.0 {
        pairs[pairs.len() / 2 + parameter] = 0.0;
    }
}

/// Exact value and speed of a critically damped spring after `part` time constants.
fn follow((value, speed): (f32, f32), goal: f32, part: f64) -> (f32, f32) {
    let [value, speed, goal] = [value, speed, goal].map(f64::from);
    let (off, left) = (value - goal, libm::exp(-part));
    let push = off + speed;
    let arrived = ARRIVED * goal.abs().max(1.0);
    let (off, speed) = ((off + push * part) * left, (speed - push * part) * left);
    // Products may overflow after this number of time constants.
    if part > ALL || off.abs() + speed.abs() < arrived {
        return (goal as f32, 0.0);
    }
    let max = f64::from(f32::MAX);
    ((goal + off).clamp(-max, max) as f32, speed as f32)
}
