//! Exchange of left and right: of joints by body part and name, of events and curves by name.

use crate::error::Reason;
use sinew::transform::Axis;
use sinew::{Clip, Skeleton};
use sinew_rig::retarget::find_roles;
use sinew_rig::weights::mirrored_joints;

/// Max distance of a joint without a partner from the middle of the body, relative to the width of the skeleton.
const MIDDLE: f32 = 0.05;

const NAMED: usize = 6;

/// Exchanges left and right of a clip. Returns remarks for the user.
///
/// # Errors
/// If no joint has a partner on the other side.
pub fn mirrored(clip: &Clip, skeleton: &Skeleton) -> Result<(Clip, Vec<String>), Reason> {
    let (partner, axis) = partners(skeleton).ok_or(Reason::NoSides)?;
    let across = axis.index();
    let rest = skeleton.rest_model();
    let position = |joint: usize| rest.get(joint).translation();
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
            match alone.len() {
                1 => "1 joint".to_owned(),
                many => format!("{many} joints"),
            },
            alone[..alone.len().min(NAMED)].join(", ")
        ));
    }
    Ok((mirrored, notes))
}

/// Joint on the other side for each joint, by role or else by name, and the axis between the sides. A joint without a
/// partner maps to itself. `None` if no joint has a partner.
pub fn partners(skeleton: &Skeleton) -> Option<(Vec<usize>, Axis)> {
    let names: Vec<&str> = (0..skeleton.len()).map(|j| skeleton.name(j)).collect();
    let by_name = mirrored_joints(&names);
    let roles = find_roles(skeleton);
    let by_role = |joint: usize| roles.joint(roles.role(joint)?.mirrored());
    let found = (0..names.len()).map(|joint| by_role(joint).unwrap_or(by_name[joint]));
    let found: Vec<usize> = found.collect();
    // If two joints had the same partner, one would be lost.
    let own = |joint: usize| {
        if found[found[joint]] == joint {
            found[joint]
        } else {
            joint
        }
    };
    let partner: Vec<usize> = (0..names.len()).map(own).collect();
    // The mirror axis is the one along which partners are farthest apart.
    let rest = skeleton.rest_model();
    let mut apart = [0.0_f32; 3];
    for (joint, &other) in partner.iter().enumerate() {
        let [a, b] = [joint, other].map(|joint| rest.get(joint).translation());
        let between = (a - b).abs().to_array();
        apart
            .iter_mut()
            .zip(between)
            .for_each(|(sum, more)| *sum += more);
    }
    let axes = [Axis::X, Axis::Y, Axis::Z].into_iter().zip(apart);
    let (axis, sum) = axes.max_by(|a, b| a.1.total_cmp(&b.1))?;
    (sum > 0.0).then_some((partner, axis))
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
