//! `--mirror`: exchanges left and right of joints and event names.

use crate::files::counted;
use anyhow::{Result, bail};
use sinew::transform::Axis;
use sinew::{Clip, Skeleton};
use sinew_rig::retarget::find_roles;
use sinew_rig::weights::mirrored_joints;

/// Max distance of a joint without a partner from the middle of the body, relative to the width of the skeleton.
const MIDDLE: f32 = 0.05;

const NAMED: usize = 6;

/// Exchanges left and right of a clip. Returns the new clip and notes for the user.
pub fn mirrored(clip: &Clip, skeleton: &Skeleton) -> Result<(Clip, Vec<String>)> {
    let partner = partners(skeleton);
    let rest = skeleton.rest_model();
    let position = |joint: usize| rest.get(joint).translation();
    // The mirror axis is the one along which partners are farthest apart.
    let mut apart = [0.0_f32; 3];
    for (joint, &other) in partner.iter().enumerate() {
        let between = (position(joint) - position(other)).abs().to_array();
        let sums = apart.iter_mut().zip(between);
        sums.for_each(|(sum, more)| *sum += more);
    }
    let axes = [Axis::X, Axis::Y, Axis::Z].into_iter().zip(apart);
    let found = axes.enumerate().max_by(|a, b| a.1.1.total_cmp(&b.1.1));
    let Some((across, (axis, _))) = found.filter(|(_, (_, sum))| *sum > 0.0) else {
        bail!("no joint names distinguish left from right, so the clip cannot be mirrored");
    };
    let mut mirrored = clip.mirrored(skeleton, &partner, axis);
    let events = mirrored.events.iter_mut().map(|event| &mut event.name);
    let curves = mirrored.curves.iter_mut().map(|curve| &mut curve.name);
    let mut renamed = Vec::new();
    for name in events.chain(curves) {
        if let Some(other) = on_other_side(name) {
            renamed.push(format!("{name} -> {other}"));
            *name = other;
        }
    }
    renamed.sort_unstable();
    renamed.dedup();
    let mut notes = Vec::new();
    if !renamed.is_empty() {
        notes.push(format!("mirrored names: {}", renamed.join(", ")));
    }
    let along = |joint: usize| position(joint).to_array()[across];
    let ends = (0..skeleton.len()).map(along);
    let (low, high) = ends.fold((f32::MAX, f32::MIN), |(low, high), x| {
        (low.min(x), high.max(x))
    });
    let middle = pairs_middle(&partner, along).unwrap_or((low + high) / 2.0);
    let moved = clip.joints.iter().map(|tracks| tracks.joint);
    let alone: Vec<&str> = moved
        .filter(|&joint| joint < skeleton.len() && partner[joint] == joint)
        .filter(|&joint| (along(joint) - middle).abs() > MIDDLE * (high - low))
        .map(|joint| skeleton.name(joint))
        .collect();
    if !alone.is_empty() {
        let more = if alone.len() > NAMED { ", ..." } else { "" };
        notes.push(format!(
            "{} away from the middle of the body without a partner on the other side; their own motion is mirrored: {}{more}",
            counted(alone.len(), "joint"),
            alone[..alone.len().min(NAMED)].join(", ")
        ));
    }
    Ok((mirrored, notes))
}

/// Joint on the other side for each joint, found by role or else by name. A joint without a partner maps to itself.
fn partners(skeleton: &Skeleton) -> Vec<usize> {
    let names: Vec<&str> = (0..skeleton.len()).map(|j| skeleton.name(j)).collect();
    let by_name = mirrored_joints(&names);
    let roles = find_roles(skeleton);
    let by_role = |joint: usize| roles.joint(roles.role(joint)?.mirrored());
    let found = (0..names.len()).map(|joint| by_role(joint).unwrap_or(by_name[joint]));
    let found: Vec<usize> = found.collect();
    // If two joints had the same partner, the motion of one would be lost.
    let own = |joint: usize| {
        if found[found[joint]] == joint {
            found[joint]
        } else {
            joint
        }
    };
    (0..names.len()).map(own).collect()
}

fn pairs_middle(partner: &[usize], along: impl Fn(usize) -> f32) -> Option<f32> {
    let pairs = partner
        .iter()
        .enumerate()
        .filter(|(joint, other)| joint != *other);
    let (sum, count) = pairs.fold((0.0, 0), |(sum, count), (joint, _)| {
        (sum + along(joint), count + 1)
    });
    (count > 0).then(|| sum / count as f32)
}

/// Name of the joint on the other side: exchanges `left` and `right` in any case, or the words `l` and `r`.
fn on_other_side(name: &str) -> Option<String> {
    const SIDES: [(&str, &str); 6] = [
        ("left", "right"),
        ("right", "left"),
        ("Left", "Right"),
        ("Right", "Left"),
        ("LEFT", "RIGHT"),
        ("RIGHT", "LEFT"),
    ];
    if let Some((one, other)) = SIDES.into_iter().find(|(one, _)| name.contains(one)) {
        return Some(name.replacen(one, other, 1));
    }
    let is_apart = |c: Option<char>| c.is_none_or(|c| " ._-".contains(c));
    name.char_indices().find_map(|(at, letter)| {
        let other = match letter {
            'l' => 'r',
            'r' => 'l',
            'L' => 'R',
            'R' => 'L',
            _ => return None,
        };
        let (before, after) = (&name[..at], &name[at + 1..]);
        let alone = is_apart(before.chars().next_back()) && is_apart(after.chars().next());
        alone.then(|| format!("{before}{other}{after}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_sides_and_come_back() {
        for (one, other) in [
            ("footstep_left", "footstep_right"),
            ("LeftFoot", "RightFoot"),
            ("foot.L", "foot.R"),
            ("l-heel", "r-heel"),
        ] {
            assert_eq!(on_other_side(one).as_deref(), Some(other));
            assert_eq!(on_other_side(other).as_deref(), Some(one));
        }
        assert_eq!(on_other_side("clap"), None);
        assert_eq!(on_other_side("roll"), None);
    }
}
