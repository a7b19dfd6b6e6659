//! Distances of found joints from known joints.

use super::bare::Limb;
use super::files::{Case, Truth};
use super::names::{LEGS, LIMBS, SIDES};
use super::solid::{from_line, is_inside, nearest};
use glam::Vec3;
use sinew_rig::find::constants::Constants;
use sinew_rig::find::{Body, FindOptions, find_by};
use sinew_rig::template::Template;
use std::collections::BTreeMap;
use std::time::Instant;

/// Joints found in a bare mesh.
pub struct Found {
    /// Positions by template name.
    pub joints: BTreeMap<String, Vec3>,
    pub template: Template,
    pub body: &'static str,
    pub up: Vec3,
    pub front: Vec3,
    pub secs: f64,
    /// Joints that the finder does not claim to have found.
    pub missing: Vec<String>,
}

/// Finds the joints of a bare mesh. The error is the reason.
pub fn find(positions: &[Vec3], triangles: &[[u32; 3]]) -> Result<Found, String> {
    find_with(positions, triangles, &Constants::DEFAULT)
}

/// [`find`] with other constants.
pub fn find_with(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    constants: &Constants,
) -> Result<Found, String> {
    let start = Instant::now();
    let found = find_by(positions, triangles, &FindOptions::default(), constants);
    let secs = start.elapsed().as_secs_f64();
    let found = found.map_err(|error| error.to_string())?;
    Ok(Found {
        joints: found.template.positions(),
        template: found.template,
        body: match found.body {
            Body::Biped => "biped",
            _ => "quadruped",
        },
        up: found.up,
        front: found.front,
        secs,
        missing: found.missing,
    })
}

/// Distances in percent of the height.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Limb joints and head, by template name.
    pub joints: Vec<(String, f32)>,
    /// Spine and collarbones, by template name: distance from the artist's bones.
    pub spine: Vec<(String, f32)>,
    /// Toes and fingers.
    pub ends: Vec<(String, f32)>,
    /// Limb joints outside the mesh or in another limb, if those of the artist are in theirs.
    pub outside: Vec<String>,
    /// True if left and right are exchanged: the body was found facing backward.
    pub is_backward: bool,
}

impl Score {
    pub fn new(truth: &Truth, case: &Case, found: &Found) -> Self {
        let percent = |distance: f32| 100.0 * distance / truth.height;
        let mut score = Self::default();
        let limbs = if truth.known.has_four_legs {
            LEGS
        } else {
            LIMBS
        };
        let sided = |part: &&str| SIDES.map(|side| format!("{side}_{part}"));
        let mut compared: Vec<String> = limbs.iter().flat_map(sided).collect();
        compared.push("head".to_owned());
        for name in &compared {
            let (Some(&artist), Some(&ours)) = (case.joints.get(name), found.joints.get(name))
            else {
                continue;
            };
            let mut away = artist.distance(ours);
            if truth.known.on_the_bone.contains(&name.as_str()) {
                away = from_line(&around(case, name, artist), ours);
            }
            score.joints.push((name.clone(), percent(away)));
            let is_out = |at: Vec3| name != "head" && !is_in_limb(truth, case, name, at);
            if is_out(ours) && !is_out(artist) {
                score.outside.push(name.clone());
            }
        }
        let other = |name: &str| match name.split_once('_') {
            Some(("left", part)) => format!("right_{part}"),
            Some(("right", part)) => format!("left_{part}"),
            _ => name.to_owned(),
        };
        let exchanged = score.joints.iter().filter_map(|(name, _)| {
            let ours = found.joints.get(&other(name))?;
            Some((name.clone(), percent(case.joints[name].distance(*ours))))
        });
        score.is_backward = mean(&exchanged.collect::<Vec<_>>()) < 0.7 * score.mean();
        for (name, &ours) in &found.joints {
            let is_collar = name.ends_with("_shoulder") && !name.contains("front");
            let is_spine = name == "hips" || name == "chest" || name == "neck";
            if is_collar || is_spine || name.starts_with("spine_") || name.starts_with("neck_") {
                let mut away = from_line(&case.spine, ours);
                for collar in case.collars.iter().filter(|_| is_collar) {
                    away = away.min(from_line(collar, ours));
                }
                if away.is_finite() {
                    score.spine.push((name.clone(), percent(away)));
                }
            } else if !compared.contains(name)
                && let Some(artist) = case.joints.get(name)
            {
                score
                    .ends
                    .push((name.clone(), percent(artist.distance(ours))));
            }
        }
        score
    }

    pub fn mean(&self) -> f32 {
        mean(&self.joints)
    }

    pub fn worst(&self) -> (&str, f32) {
        worst(&self.joints)
    }
}

pub fn mean(joints: &[(String, f32)]) -> f32 {
    let sum: f32 = joints.iter().map(|(_, away)| away).sum();
    sum / joints.len().max(1) as f32
}

pub fn worst(joints: &[(String, f32)]) -> (&str, f32) {
    let most = joints.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    most.map_or(("none", 0.0), |(name, away)| (name, *away))
}

/// Bones before and after a joint.
fn around(case: &Case, name: &str, at: Vec3) -> Vec<Vec3> {
    let of = |part: &str, other: &str| case.joints.get(&name.replace(part, other)).copied();
    let (before, after) = if name.ends_with("foot") {
        (of("foot", "lower_leg"), None)
    } else {
        (of("lower", "upper"), of("lower_leg", "foot"))
    };
    [before, Some(at), after].into_iter().flatten().collect()
}

/// True if a limb joint is in the mesh, and the nearest point of the surface belongs to its limb or,
/// for the first joint of a limb, to the trunk.
fn is_in_limb(truth: &Truth, case: &Case, name: &str, at: Vec3) -> bool {
    let bare = &case.bare;
    if !is_inside(&bare.positions, &bare.triangles, at) {
        return false;
    }
    let vertex = nearest(&bare.positions, &bare.triangles, at);
    let there = truth.limbs[bare.heaviest[vertex]];
    let side = usize::from(name.starts_with("right"));
    let own = match name {
        _ if name.contains("_front_") => Limb::FrontLeg(side),
        _ if name.ends_with("arm") || name.ends_with("hand") => Limb::Arm(side),
        _ => Limb::Leg(side),
    };
    there == own || (name.contains("upper") && there == Limb::Trunk)
}
