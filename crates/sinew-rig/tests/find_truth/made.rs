//! Bodies made by code, as truths.

use super::files::Truth;
use super::names::{MADE, MADE_FOUR};
use super::solid::from_line;
use glam::Vec3;
use sinew_samples::bodies::{Beast, Body, Build, Gait, Limb, Stance};

/// People of every build in every stance, then animals on four legs in every gait.
pub fn made() -> Vec<Truth> {
    let mut truths = Vec::new();
    for build in Build::all() {
        for stance in Stance::ALL {
            truths.push(person(&build, stance));
        }
    }
    for beast in Beast::all() {
        for gait in Gait::ALL {
            truths.push(animal(&beast, gait));
        }
    }
    truths
}

pub fn person(build: &Build, stance: Stance) -> Truth {
    let name = format!("{} {stance:?}", build.name);
    let name = name.to_lowercase();
    truth(&name, &build.body(stance), false)
}

pub fn animal(beast: &Beast, gait: Gait) -> Truth {
    let name = format!("{} {gait:?}", beast.name);
    let name = name.to_lowercase();
    truth(&name, &beast.body(gait), true)
}

fn truth(name: &str, body: &Body, has_four_legs: bool) -> Truth {
    let known = if has_four_legs { &MADE_FOUR } else { &MADE };
    let mut truth = Truth::with_known(name, body.character(), known);
    let bare = truth.posed(super::Pose::Rest).bare;
    let heaviest = bare.positions.iter().map(|p| mover(body, *p)).collect();
    truth.heaviest = Some(heaviest);
    if !has_four_legs {
        // Without a hat.
        let skull = body.limbs.iter().filter(|limb| limb.name == "head");
        let top = skull.map(|limb| limb.from.y.max(limb.to.y) + limb.radius);
        let top = top.fold(f32::NEG_INFINITY, f32::max);
        if top > 0.0 {
            truth.height = top;
        }
    }
    truth
}

/// Joint that moves a point: that of the nearest limb or, without limbs, of the nearest bone.
fn mover(body: &Body, at: Vec3) -> usize {
    let index = |name: &str| body.joints.iter().position(|joint| joint.0 == name);
    if body.limbs.len() > 3 {
        let near = |a: &&Limb, b: &&Limb| a.distance(at).total_cmp(&b.distance(at));
        let limb = body.limbs.iter().min_by(near);
        let named = limb.and_then(|limb| index(&limb.name.replace("boot", "foot")));
        return named.or(index("hips")).unwrap_or(0);
    }
    let from_bone = |joint: &usize| {
        let (name, _, from) = &body.joints[*joint];
        let ends = body.joints.iter().filter(|other| other.1 == *name);
        let distances = ends.map(|end| from_line(&[*from, end.2], at));
        distances.fold(at.distance(*from), f32::min)
    };
    let joints = 0..body.joints.len();
    let nearest = joints.min_by(|a, b| from_bone(a).total_cmp(&from_bone(b)));
    nearest.unwrap_or(0)
}
