//! Camera for a motion: bounds of the motion, position and path of the camera.

use super::options::{FloorHeight, Framed, ShotOptions};
use super::posed::{duration_secs, posed};
use crate::draw::camera::{Camera, Framing};
use crate::draw::error::RenderError;
use glam::{Quat, Vec3};
use sinew::{Character, ModelPose, deform};
use std::f32::consts::TAU;

const FRAMED_MOMENTS: u32 = 24;

const TURNTABLE_VIEWS: u32 = 12;

/// Distance, as a fraction of the size of a figure, above which the camera follows the figure.
const MIN_TRAVEL: f32 = 0.25;

#[derive(Debug)]
pub(super) struct Staging {
    /// Camera at the start of its path, which is the origin.
    pub camera: Camera,
    pub way: Way,
    /// Offset from the space of the file to that of the stage, which has its floor at y = 0.
    pub on_floor: Vec3,
    /// Centre of the framed box.
    pub middle: Vec3,
    /// Half the diagonal of the framed box.
    pub radius: f32,
}

impl Staging {
    pub fn new(
        character: &Character,
        options: &ShotOptions,
        aspect: f32,
    ) -> Result<Self, RenderError> {
        let way = match options.framed {
            Framed::Following => Way::of(character, options),
            Framed::Motion | Framed::Moment(_) => Way::default(),
        };
        let mut points = Vec::new();
        let mut aims = Vec::new();
        let mut lowest = f32::INFINITY;
        for time in moments(character, options) {
            let along = way.at(time);
            // The methods differ by less than the margin.
            let moved = deform(character, options.clip, time, options.methods[0])?;
            let vertices = moved.primitives.iter().flat_map(|p| &p.positions);
            let mut here: Vec<Vec3> = vertices.copied().collect();
            let pose = posed(character, options.clip, time);
            let joint_at = |joint: usize| pose.get(joint).translation();
            if options.skeleton {
                here.extend(seen_joints(character).into_iter().map(joint_at));
            }
            here.retain(|p| p.is_finite());
            lowest = here.iter().fold(lowest, |lowest, p| lowest.min(p.y));
            points.extend(here.into_iter().map(|p| p - along));
            let target = options.target.filter(|&j| j < character.skeleton.len());
            aims.extend(target.map(|joint| joint_at(joint) - along));
        }
        let first = points.first().copied().unwrap_or_default();
        let [low, high] = points
            .iter()
            .fold([first; 2], |[low, high], &p| [low.min(p), high.max(p)]);
        let on_floor = match options.floor {
            FloorHeight::Lowest | FloorHeight::None if lowest.is_finite() => Vec3::Y * -lowest,
            _ => Vec3::ZERO,
        };
        let mut framing = Framing::new(options.from, options.fov_y_rad, aspect);
        let middle = (low + high) / 2.0;
        for &point in &points {
            let views = if options.turntable {
                TURNTABLE_VIEWS
            } else {
                1
            };
            for view in 0..views {
                let rotation = Quat::from_rotation_y(TAU * view as f32 / views as f32);
                framing.add(middle + rotation * (point - middle) + on_floor);
            }
        }
        let mut camera = framing.camera();
        if !aims.is_empty() {
            let aim = aims.iter().sum::<Vec3>() / aims.len() as f32;
            camera = camera.aimed_at(aim + on_floor);
        }
        Ok(Self {
            camera: camera.zoomed(options.zoom),
            way,
            on_floor,
            middle,
            radius: ((high - low).length() / 2.0).max(1e-3),
        })
    }
}

fn moments(character: &Character, options: &ShotOptions) -> Vec<f64> {
    let duration = duration_secs(character, options.clip);
    match options.framed {
        Framed::Moment(time) => vec![time],
        Framed::Motion | Framed::Following if duration > 0.0 => (0..=FRAMED_MOMENTS)
            .map(|m| duration * f64::from(m) / f64::from(FRAMED_MOMENTS))
            .collect(),
        Framed::Motion | Framed::Following => vec![0.0],
    }
}

/// Joints of skins, or all joints without skins. This leaves out a root at the origin.
fn seen_joints(character: &Character) -> Vec<usize> {
    let mut joints: Vec<usize> = character
        .skins
        .iter()
        .flat_map(|skin| skin.joints.iter().copied())
        .filter(|&joint| joint < character.skeleton.len())
        .collect();
    if joints.is_empty() {
        joints = (0..character.skeleton.len()).collect();
    }
    joints.sort_unstable();
    joints.dedup();
    joints
}

/// Path of a camera that follows a figure: smoothed positions at equal time steps.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Way {
    points: Vec<Vec3>,
    step_secs: f64,
}

impl Way {
    /// Path of the figure on the ground, or of the centred joint. Empty if it does not travel.
    fn of(character: &Character, options: &ShotOptions) -> Self {
        const STEP_SECS: f64 = 1.0 / 30.0;
        const MAX_STEPS: f64 = 3600.0;
        let duration = duration_secs(character, options.clip);
        let target = options.target.filter(|&j| j < character.skeleton.len());
        if duration <= 0.0 || character.skeleton.len() == 0 {
            return Self::default();
        }
        let steps = (duration / STEP_SECS).ceil().clamp(1.0, MAX_STEPS);
        let step_secs = duration / steps;
        let at = |pose: &ModelPose| match target {
            Some(joint) => pose.get(joint).translation(),
            None => level_middle(pose),
        };
        let points: Vec<Vec3> = (0..=steps as u32)
            .map(|step| posed(character, options.clip, f64::from(step) * step_secs))
            .map(|pose| at(&pose))
            .collect();
        if points.iter().any(|p| !p.is_finite()) {
            return Self::default();
        }
        let start = posed(character, options.clip, 0.0);
        let figure = extent(start.as_slice().iter().map(|m| m.translation()));
        let goes = extent(points.iter().copied());
        if target.is_none() && goes <= MIN_TRAVEL * figure {
            return Self::default();
        }
        Self {
            points: smooth(&points, step_secs),
            step_secs,
        }
    }

    /// Position at a time in seconds.
    pub fn at(&self, time_secs: f64) -> Vec3 {
        let Some(last) = self.points.len().checked_sub(1) else {
            return Vec3::ZERO;
        };
        let step = (time_secs / self.step_secs).clamp(0.0, last as f64);
        let (before, part) = (step.floor() as usize, step.fract() as f32);
        let after = (before + 1).min(last);
        self.points[before].lerp(self.points[after], part)
    }
}

/// Median of the joint positions on the ground, which helper joints at the origin hardly affect.
fn level_middle(pose: &ModelPose) -> Vec3 {
    let median = |axis: usize| {
        let joints = pose.as_slice().iter();
        let mut all: Vec<f32> = joints.map(|m| m.translation()[axis]).collect();
        let middle = all.len() / 2;
        *all.select_nth_unstable_by(middle, f32::total_cmp).1
    };
    Vec3::new(median(0), 0.0, median(2))
}

fn extent(points: impl Iterator<Item = Vec3>) -> f32 {
    let boxes = points.map(|p| [p; 2]);
    let around = boxes.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
    around.map_or(0.0, |[low, high]| (high - low).length())
}

/// Low-pass filter of about a second, which does not change a steady motion.
fn smooth(points: &[Vec3], step_secs: f64) -> Vec<Vec3> {
    const SIGMA_SECS: f64 = 0.35;
    let sigma = SIGMA_SECS / step_secs;
    let reach = (3.0 * sigma).ceil() as i64;
    let last = points.len() as i64 - 1;
    let at = |k: i64| -> Vec3 {
        let [first, end] = [points[0], points[last as usize]];
        let inside = |k: i64| points[k.clamp(0, last) as usize];
        match k {
            _ if k < 0 => 2.0 * first - inside(-k),
            _ if k > last => 2.0 * end - inside(2 * last - k),
            _ => points[k as usize],
        }
    };
    let weight = |offset: i64| (-0.5 * (offset as f64 / sigma).powi(2)).exp() as f32;
    (0..=last)
        .map(|k| {
            let offsets = -reach..=reach;
            let sum: Vec3 = offsets.clone().map(|o| at(k + o) * weight(o)).sum();
            sum / offsets.map(weight).sum::<f32>()
        })
        .collect()
}

/// Round number (1, 2 or 5 times a power of ten) near a quarter of a radius.
pub fn grid_spacing(radius: f32) -> f32 {
    let expected = radius / 4.0;
    let power = 10.0_f32.powf(expected.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|s| s * power);
    steps
        .into_iter()
        .find(|&s| s >= expected)
        .unwrap_or(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_way_stays_and_what_is_quick_goes() {
        let steady: Vec<Vec3> = (0..90).map(|k| Vec3::X * k as f32).collect();
        for (k, p) in smooth(&steady, 1.0 / 30.0).into_iter().enumerate() {
            assert!((p - steady[k]).length() < 1e-3, "{k}: {p}");
        }
        // Five oscillations per second.
        let quick = |k: usize| Vec3::Z * (k as f32 * TAU / 6.0).sin();
        let shaken: Vec<Vec3> = (0..90).map(|k| steady[k] + quick(k)).collect();
        let smoothed = smooth(&shaken, 1.0 / 30.0);
        // Without the ends, which the filter extrapolates.
        for (k, p) in smoothed.into_iter().enumerate().skip(35).take(20) {
            assert!(p.z.abs() < 0.02, "{k}: {p}");
        }
    }

    #[test]
    fn between_its_points_a_way_is_straight_and_it_ends() {
        let way = Way {
            points: vec![Vec3::ZERO, Vec3::X, Vec3::X * 3.0],
            step_secs: 0.5,
        };
        assert_eq!(way.at(0.25), Vec3::X * 0.5);
        assert_eq!(way.at(0.75), Vec3::X * 2.0);
        assert_eq!((way.at(-1.0), way.at(9.0)), (Vec3::ZERO, Vec3::X * 3.0));
        assert_eq!(Way::default().at(1.0), Vec3::ZERO);
    }
}
