//! What `sinew ik` says of how it went.

use super::{Arguments, Limited, Solved, tip};
use crate::files;
use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;
use sinew::{Affine, LocalPose, ModelPose, Skeleton};
use std::fmt::Write as _;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document<'a> {
    format: &'static str,
    method: String,
    /// Whose limits hold: those of the file, a template's, or none.
    limits: Limited,
    reached: bool,
    iterations: u32,
    goals: Vec<GoalRow<'a>>,
    /// Names of joints that stand at a limit.
    at_limits: Vec<&'a str>,
    joints: Vec<JointRow<'a>>,
    /// What was said that a person should know.
    pub notes: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GoalRow<'a> {
    joint: &'a str,
    goal: [f32; 3],
    end: [f32; 3],
    reached: bool,
    /// Whether it ends too far from its goal to be let be without --allow-miss.
    missed: bool,
    residual: f32,
}

#[derive(Serialize)]
struct JointRow<'a> {
    name: &'a str,
    /// Relative to the parent: x, y, z, w.
    rotation: [f32; 4],
}

impl Document<'_> {
    /// Which goals are missed by too much, and by how much.
    pub fn misses(&self) -> Option<String> {
        let missed = self.goals.iter().filter(|goal| goal.missed);
        let said = missed.map(|goal| {
            let (joint, residual) = (goal.joint, goal.residual);
            format!("{joint} ends {residual:.6} from its goal")
        });
        let said: Vec<String> = said.collect();
        (!said.is_empty()).then(|| said.join(", "))
    }
}

pub(super) fn document<'a>(
    arguments: &Arguments,
    limits: Limited,
    skeleton: &'a Skeleton,
    chains: &[[usize; 2]],
    pose: &LocalPose,
    solved: &Solved,
    max_miss: f32,
) -> Document<'a> {
    let mut model = ModelPose::identity(skeleton.len());
    model
        .update(skeleton.hierarchy(), pose, &Affine::IDENTITY)
        .expect("a solved pose has its skeleton's joints");
    let goals = chains.iter().zip(&arguments.goal).zip(&solved.goals);
    let goals = goals.map(|((&[_, last], goal), &(reached, residual))| GoalRow {
        joint: skeleton.name(last),
        goal: goal.to_array(),
        end: model
            .get(last)
            .transform_point(tip(arguments, last).offset)
            .to_array(),
        reached,
        missed: !reached && residual > max_miss,
        residual,
    });
    let moved = |joint: &usize| {
        let rest = skeleton.rest().get(*joint).rotation;
        pose.get(*joint).rotation != rest
    };
    let method = arguments.method.to_possible_value();
    Document {
        format: "sinew-ik/1",
        method: method.map_or(String::new(), |m| m.get_name().to_owned()),
        limits,
        reached: solved.goals.iter().all(|g| g.0),
        iterations: solved.iterations,
        goals: goals.collect(),
        at_limits: solved
            .at_limits
            .iter()
            .map(|&joint| skeleton.name(joint))
            .collect(),
        joints: (0..skeleton.len())
            .filter(moved)
            .map(|joint| JointRow {
                name: skeleton.name(joint),
                rotation: pose.get(joint).rotation.to_array(),
            })
            .collect(),
        notes: Vec::new(),
    }
}

pub(super) fn text(document: &Document<'_>) -> Result<String> {
    let mut text = String::new();
    for goal in &document.goals {
        let [x, y, z] = goal.end;
        let how = if goal.reached { "reached" } else { "missed" };
        let (joint, residual) = (goal.joint, goal.residual);
        writeln!(
            text,
            "{joint}: {how} by {residual:.6}, at {x:.4} {y:.4} {z:.4}"
        )?;
    }
    let (method, iterations) = (&document.method, document.iterations);
    writeln!(
        text,
        "by {method} in {}",
        files::counted(iterations as usize, "step")
    )?;
    if !document.at_limits.is_empty() {
        writeln!(text, "at their limits: {}", document.at_limits.join(", "))?;
    }
    Ok(text)
}
