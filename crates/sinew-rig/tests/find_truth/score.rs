//! Distances of found joints from known joints.

use super::bare::Limb;
use super::files::{Case, Truth};
use super::names::{LEGS, LIMBS, SIDES};
use super::solid::{from_line, is_inside, nearest};
use glam::Vec3;
use sinew_rig::template::Biped;
use std::collections::BTreeMap;
use std::time::Instant;

/// Joints found in a bare mesh.
pub struct Found {
    /// Positions by template name.
    pub joints: BTreeMap<String, Vec3>,
    pub body: &'static str,
    pub secs: f64,
}

/// Finds the joints of a bare mesh. The error is the reason.
pub fn find(positions: &[Vec3], triangles: &[[u32; 3]]) -> Result<Found, String> {
    let start = Instant::now();
    let found = Biped::default().embedded(positions, triangles);
    let secs = start.elapsed().as_secs_f64();
    let template = found.map_err(|error| error.to_string())?;
    Ok(Found {
        joints: template.positions(),
        body: "biped",
        secs,
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
    /// Limb joints outside the mesh or in another limb.
    pub outside: Vec<String>,
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
                let knee = name.replace("foot", "lower_leg");
                away = from_line(&[case.joints[&knee], artist], ours);
            }
            score.joints.push((name.clone(), percent(away)));
            if name != "head" && !is_in_limb(truth, case, name, ours) {
                score.outside.push(name.clone());
            }
        }
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

/// True if a limb joint is in the mesh, and the nearest vertex belongs to its limb or, for the
/// first joint of a limb, to the trunk.
fn is_in_limb(truth: &Truth, case: &Case, name: &str, at: Vec3) -> bool {
    let bare = &case.bare;
    if !is_inside(&bare.positions, &bare.triangles, at) {
        return false;
    }
    let vertex = nearest(&bare.positions, at);
    let there = truth.limbs[bare.heaviest[vertex]];
    let side = usize::from(name.starts_with("right"));
    let own = match name {
        _ if name.contains("_front_") => Limb::FrontLeg(side),
        _ if name.ends_with("arm") || name.ends_with("hand") => Limb::Arm(side),
        _ => Limb::Leg(side),
    };
    there == own || (name.contains("upper") && there == Limb::Trunk)
}
