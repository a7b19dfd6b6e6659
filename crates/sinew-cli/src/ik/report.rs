use super::arguments::Arguments;
use super::goals::RequestedGoal;
use super::keys::Frame;
use crate::{files, limits};
use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;
use sinew::ik::GoalKind;
use sinew::{Affine, ModelPose, Skeleton, Transform};
use std::fmt::Write as _;

#[derive(Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Limited {
    None,
    File,
    Biped,
}

impl Limited {
    pub fn of(arguments: &Arguments, skeleton: &Skeleton) -> Self {
        match arguments.limits {
            Some(limits::Template::Biped) => Self::Biped,
            None if limits::limited_joints(skeleton).next().is_some() => Self::File,
            None => Self::None,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document<'a> {
    format: &'static str,
    method: String,
    limits: Limited,
    reached: bool,
    frames: usize,
    iterations: u32,
    /// Each goal, at the time of its largest miss.
    goals: Vec<GoalRow<'a>>,
    at_limits: Vec<&'a str>,
    /// Joints whose rotation or slide differs from rest at the first time.
    joints: Vec<JointRow<'a>>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GoalRow<'a> {
    joint: &'a str,
    kind: &'static str,
    pinned: bool,
    time: f64,
    /// Position, or rotation as x, y, z, w, in model space.
    goal: Vec<f32>,
    /// Position or rotation that was reached, or the line of sight.
    end: Vec<f32>,
    reached: bool,
    /// True if the goal is missed, which is an error without --allow-miss.
    missed: bool,
    /// Remaining distance, or angle in radians.
    residual: f32,
}

#[derive(Serialize)]
struct JointRow<'a> {
    name: &'a str,
    /// Rotation relative to the parent: x, y, z, w.
    rotation: [f32; 4],
    /// Distance of a slide with a range from rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    slide: Option<f32>,
}

impl Document<'_> {
    /// Lists the goals that were missed.
    pub fn misses(&self) -> Option<String> {
        let missed = self.goals.iter().filter(|goal| goal.missed);
        let lines = missed.map(|goal| {
            let (joint, off) = (goal.joint, goal.off());
            let when = match self.frames {
                1 => String::new(),
                _ => format!(" at {:.3} s", goal.time),
            };
            format!("{joint} ends {off} from its {}{when}", goal.what())
        });
        let lines: Vec<String> = lines.collect();
        (!lines.is_empty()).then(|| lines.join(", "))
    }
}

const MAX_MISS_RAD: f32 = 0.01;

impl GoalRow<'_> {
    fn is_angle(&self) -> bool {
        self.kind != "position"
    }

    fn what(&self) -> &'static str {
        match self.kind {
            "orientation" => "orientation",
            "lookAt" => "line of sight",
            _ => "goal",
        }
    }

    fn off(&self) -> String {
        if self.is_angle() {
            format!("{:.3}°", self.residual.to_degrees())
        } else {
            format!("{:.6}", self.residual)
        }
    }
}

fn numbers(goal: &GoalKind, model_from_joint: &Affine) -> (&'static str, Vec<f32>, Vec<f32>) {
    let point = |offset| model_from_joint.transform_point(offset).to_array().to_vec();
    match goal {
        GoalKind::Position { offset, at } => ("position", at.to_array().to_vec(), point(*offset)),
        GoalKind::Orientation { rotation } => {
            let now = Transform::from_affine(model_from_joint).0.rotation;
            let numbers = |q: glam::Quat| q.to_array().to_vec();
            ("orientation", numbers(*rotation), numbers(now))
        }
        GoalKind::LookAt { axis, at, .. } => {
            let sight = model_from_joint.transform_vector(*axis);
            let sight = sight.normalize_or_zero().to_array().to_vec();
            ("lookAt", at.to_array().to_vec(), sight)
        }
    }
}

pub(super) fn document<'a>(
    arguments: &Arguments,
    limits: Limited,
    skeleton: &'a Skeleton,
    frames: &[Frame],
    max_miss: f32,
) -> Document<'a> {
    let whole: Vec<&Frame> = frames.iter().filter(|frame| frame.is_whole()).collect();
    let mut model = ModelPose::identity(skeleton.len());
    let mut row = |nth: usize| {
        let residual = |frame: &Frame| frame.solved.goals[nth].2;
        let worst = whole
            .iter()
            .max_by(|a, b| residual(a).total_cmp(&residual(b)))?;
        model
            .update(skeleton.hierarchy(), &worst.pose, &Affine::IDENTITY)
            .expect("a solved pose has its skeleton's joints");
        let (RequestedGoal { goal, pinned }, reached, residual) = worst.solved.goals[nth];
        let (kind, wanted, end) = numbers(&goal.kind, model.get(goal.joint));
        let max = if kind == "position" {
            max_miss
        } else {
            MAX_MISS_RAD
        };
        Some(GoalRow {
            joint: skeleton.name(goal.joint),
            kind,
            pinned,
            time: worst.time(),
            goal: wanted,
            end,
            reached,
            missed: !reached && residual > max,
            residual,
        })
    };
    let goals = whole.first().map_or(0, |frame| frame.solved.goals.len());
    let goals: Vec<GoalRow<'a>> = (0..goals).filter_map(&mut row).collect();
    let mut at_limits: Vec<usize> = Vec::new();
    for &joint in whole.iter().flat_map(|frame| &frame.solved.at_limits) {
        if !at_limits.contains(&joint) {
            at_limits.push(joint);
        }
    }
    let rotated = |joint: usize| {
        let (now, rest) = (whole.first()?.pose.get(joint), skeleton.rest().get(joint));
        let slide = skeleton.freedom(joint).slide_range;
        let slide = slide.map(|slide| slide.distance(rest.translation, now.translation));
        let moves = now.rotation != rest.rotation || slide.is_some_and(|slid| slid != 0.0);
        moves.then(|| JointRow {
            name: skeleton.name(joint),
            rotation: now.rotation.to_array(),
            slide,
        })
    };
    let method = arguments.method.to_possible_value();
    Document {
        format: "sinew-ik/1",
        method: method.map_or(String::new(), |m| m.get_name().to_owned()),
        limits,
        reached: goals.iter().all(|goal| goal.reached),
        frames: whole.len(),
        iterations: whole.iter().map(|frame| frame.solved.iterations).sum(),
        goals,
        at_limits: at_limits
            .iter()
            .map(|&joint| skeleton.name(joint))
            .collect(),
        joints: (0..skeleton.len()).filter_map(rotated).collect(),
        notes: Vec::new(),
    }
}

pub(super) fn text(document: &Document<'_>) -> Result<String> {
    let mut text = String::new();
    for goal in &document.goals {
        let how = if goal.reached { "reached" } else { "missed" };
        let numbers: Vec<String> = goal.end.iter().map(|n| format!("{n:.4}")).collect();
        let joint = files::one_line(goal.joint);
        let (off, numbers) = (goal.off(), numbers.join(" "));
        let what = match (goal.kind, goal.pinned) {
            ("position", false) => "",
            ("position", true) => " (pinned)",
            ("orientation", true) => " (pinned rotation)",
            ("orientation", false) => " (rotation)",
            _ => " (look-at)",
        };
        writeln!(text, "{joint}{what}: {how}, error {off}, at {numbers}")?;
    }
    if document.frames > 1 {
        let frames = document.frames;
        writeln!(text, "max errors of {frames} frames")?;
    }
    let (method, iterations) = (&document.method, document.iterations);
    writeln!(
        text,
        "method {method}, {}",
        files::counted(iterations as usize, "step")
    )?;
    if !document.at_limits.is_empty() {
        writeln!(
            text,
            "joints at their limits: {}",
            files::names(&document.at_limits)
        )?;
    }
    Ok(text)
}
