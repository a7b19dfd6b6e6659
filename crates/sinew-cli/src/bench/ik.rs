//! Inverse kinematics, one solve at a time, compared with the same mathematics in plain glam.

use super::plain_ik::{PlainBody, plain_aim, plain_tip, plain_two_bone};
use super::table::{Bench, Row};
use anyhow::{Result, ensure};
use glam::{Affine3A, Quat, Vec3};
use sinew::ik::{Aim, Dls, DlsJob, DlsOptions, Goal, Share, Tip, TwoBone, aim, dls, two_bone};
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit};
use sinew::transform::quat;
use sinew::{Affine, Joint, LocalPose, ModelPose, Skeleton, Transform};
use std::hint::black_box;

/// Number of characters, each with its own pose and goal, solved one after another. The transform of the parent is
/// unknown at compile time, so each solve inverts it.
const GOALS: usize = 64;

pub fn run(bench: &mut Bench<'_>) -> Result<()> {
    two_bones(bench)?;
    aiming(bench)?;
    whole_body(bench)
}

impl Bench<'_> {
    fn add_ik(&mut self, name: &str, secs: f64, plain_secs: f64) {
        let level = self.level.name();
        self.add(Row {
            name: name.to_owned(),
            items: 1,
            ns_per_item: secs * 1e9,
            times_glam: Some(secs / plain_secs),
            level,
            ..Row::default()
        });
    }
}

/// Quasi-random numbers in [−1, 1], the same in every run.
fn spread(nth: usize, salt: f64) -> f32 {
    let part = (nth as f64 * 0.618_033_988_749_895 + salt).fract();
    (2.0 * part - 1.0) as f32
}

fn spread_vector(nth: usize, salt: f64) -> Vec3 {
    Vec3::new(
        spread(nth, salt),
        spread(nth * 3 + 1, salt + 0.31),
        spread(nth * 7 + 2, salt + 0.57),
    )
}

fn bone(length: f32) -> Transform {
    Transform::from_translation(Vec3::X * length)
}

/// Measures an arm with a pole on a rotated body. The plain code uses `acos` and rotations of glam.
fn two_bones(bench: &mut Bench<'_>) -> Result<()> {
    let name = "ik/two_bone";
    if !bench.wants(name) {
        return Ok(());
    }
    let joints = vec![
        Joint::new("shoulder", None, bone(0.2)),
        Joint::new("elbow", Some(0), bone(0.3)),
        Joint::new("hand", Some(1), bone(0.27)),
    ];
    let skeleton = Skeleton::new(joints)?.0;
    let body = Transform::from_rotation_translation(
        Quat::from_axis_angle(Vec3::new(0.6, 0.8, 0.0), 0.7),
        Vec3::new(0.3, 1.2, -0.4),
    );
    let model_from_parent = body.to_affine();
    let shoulder = model_from_parent.transform_point(Vec3::X * 0.2);
    let goals: Vec<Vec3> = (0..GOALS)
        .map(|nth| shoulder + spread_vector(nth, 0.1) * 0.28)
        .collect();
    let pole = shoulder + Vec3::new(0.0, -1.0, 0.3);
    let mut start = skeleton.rest().clone();
    start.set_rotation(1, Quat::from_rotation_z(0.4));
    let mut poses = vec![start.clone(); GOALS];
    let mut sum = 0.0;
    let mut ours = || {
        for (&goal, pose) in goals.iter().zip(black_box(&mut poses)) {
            let job = TwoBone {
                pole_in_model: Some(pole),
                ..TwoBone::new(0, 1, Tip::of(2), goal)
            };
            let report = two_bone(&skeleton, pose, black_box(&model_from_parent), &job);
            sum += report.map_or(f32::NAN, |r| r.residual);
        }
    };
    ours();
    let parent: Affine3A = model_from_parent.into();
    let mut plain = vec![start.iter().collect::<Vec<Transform>>(); GOALS];
    let [fast, slow] = bench.fastest([&mut ours, &mut || {
        for (&goal, locals) in goals.iter().zip(black_box(&mut plain)) {
            plain_two_bone(locals, black_box(&parent), goal, pole);
        }
    }]);
    ensure!(sum.is_finite(), "an arm was refused");
    let check = plain_tip(&plain[GOALS - 1], &parent).distance(goals[GOALS - 1]);
    ensure!(check < 1e-3, "the plain arm is off by {check}");
    bench.add_ik(name, fast / GOALS as f64, slow / GOALS as f64);
    Ok(())
}

/// Measures a head that looks from an eye next to its joint, without an up vector. The plain code uses glam.
fn aiming(bench: &mut Bench<'_>) -> Result<()> {
    let name = "ik/aim";
    if !bench.wants(name) {
        return Ok(());
    }
    let skeleton = Skeleton::new(vec![Joint::new("head", None, bone(0.2))])?.0;
    let body = Transform::from_rotation_translation(
        Quat::from_axis_angle(Vec3::new(0.6, 0.8, 0.0), 0.7),
        Vec3::new(0.3, 1.2, -0.4),
    );
    let model_from_parent = body.to_affine();
    let targets: Vec<Vec3> = (0..GOALS)
        .map(|nth| spread_vector(nth, 0.1) * 3.0)
        .collect();
    let shares = [Share {
        joint: 0,
        part: 1.0,
    }];
    let eye = Vec3::new(0.03, 0.1, 0.08);
    let mut poses = vec![skeleton.rest().clone(); GOALS];
    let mut is_met = true;
    let mut ours = || {
        for (&target, pose) in targets.iter().zip(black_box(&mut poses)) {
            let job = Aim {
                shares: &shares,
                eye: Tip {
                    joint: 0,
                    offset: eye,
                },
                axis: Vec3::Z,
                target_in_model: target,
                up: None,
                weight: 1.0,
            };
            let report = aim(&skeleton, pose, black_box(&model_from_parent), &job);
            is_met &= report.is_ok_and(|r| r.reached);
        }
    };
    ours();
    let parent: Affine3A = model_from_parent.into();
    let mut heads = [skeleton.rest().get(0); GOALS];
    let [fast, slow] = bench.fastest([&mut ours, &mut || {
        for (&target, head) in targets.iter().zip(black_box(&mut heads)) {
            plain_aim(head, black_box(&parent), target, eye);
        }
    }]);
    ensure!(is_met, "a target was not met");
    bench.add_ik(name, fast / GOALS as f64, slow / GOALS as f64);
    Ok(())
}

fn body() -> Result<Skeleton> {
    let ball = |axis: Vec3, swing: f32, twist: f32| RotationLimit::Ball {
        axis,
        swing_rad: swing.to_radians(),
        twist: AngleRange::degrees(-twist, twist),
    };
    let hinge = |axis: Vec3, min: f32, max: f32| RotationLimit::Hinge {
        axis,
        range: AngleRange::degrees(min, max),
    };
    let mut joints = Vec::new();
    let mut add = |name: String, parent: Option<usize>, place: [f32; 3], limit: RotationLimit| {
        let rest = Transform::from_translation(Vec3::from_array(place));
        let freedom = Freedom {
            rotation: limit,
            ..Freedom::default()
        };
        joints.push(Joint::new(name, parent, rest).with_freedom(freedom));
        joints.len() - 1
    };
    let up = Vec3::Y;
    let hips = add("hips".into(), None, [0.0, 0.95, 0.0], RotationLimit::Free);
    let spine = add(
        "spine".into(),
        Some(hips),
        [0.0, 0.1, 0.0],
        ball(up, 30.0, 20.0),
    );
    let chest = add(
        "chest".into(),
        Some(spine),
        [0.0, 0.15, 0.0],
        ball(up, 30.0, 20.0),
    );
    let upper = add(
        "upper chest".into(),
        Some(chest),
        [0.0, 0.15, 0.0],
        ball(up, 20.0, 20.0),
    );
    let neck = add(
        "neck".into(),
        Some(upper),
        [0.0, 0.15, 0.0],
        ball(up, 40.0, 50.0),
    );
    add(
        "head".into(),
        Some(neck),
        [0.0, 0.1, 0.0],
        ball(up, 40.0, 40.0),
    );
    for side in [1.0, -1.0] {
        let out = Vec3::X * side;
        let clavicle = add(
            format!("clavicle {side}"),
            Some(upper),
            [0.03 * side, 0.1, 0.0],
            ball(out, 20.0, 0.0),
        );
        let arm = add(
            format!("arm {side}"),
            Some(clavicle),
            [0.15 * side, 0.0, 0.0],
            ball(out, 100.0, 80.0),
        );
        let elbow = add(
            format!("elbow {side}"),
            Some(arm),
            [0.28 * side, 0.0, 0.0],
            hinge(Vec3::NEG_Y * side, 0.0, 145.0),
        );
        add(
            format!("hand {side}"),
            Some(elbow),
            [0.26 * side, 0.0, 0.0],
            ball(out, 70.0, 80.0),
        );
        let hip = add(
            format!("hip {side}"),
            Some(hips),
            [0.09 * side, -0.05, 0.0],
            ball(up, 100.0, 40.0),
        );
        let knee = add(
            format!("knee {side}"),
            Some(hip),
            [0.0, -0.42, 0.0],
            hinge(Vec3::X, 0.0, 150.0),
        );
        add(
            format!("foot {side}"),
            Some(knee),
            [0.0, -0.42, 0.0],
            ball(Vec3::Z, 40.0, 20.0),
        );
    }
    Ok(Skeleton::new(joints)?.0)
}

/// Measures hands, feet and head of a body with twenty joints, from rest to goals within the limits. The plain code is
/// dense least squares with fixed damping and without limits.
fn whole_body(bench: &mut Bench<'_>) -> Result<()> {
    let name = "ik/dls";
    if !bench.wants(name) {
        return Ok(());
    }
    let skeleton = body()?;
    ensure!(skeleton.len() == 20, "{} joints", skeleton.len());
    let tips: Vec<usize> = (0..20)
        .filter(|&joint| skeleton.children(joint).next().is_none())
        .collect();
    ensure!(tips.len() == 5, "{} tips", tips.len());
    let goals: Vec<Vec<Goal>> = (0..16)
        .map(|nth| reachable(&skeleton, &tips, nth))
        .collect();
    let mut solver = Dls::new(&skeleton, 5);
    let options = DlsOptions::default().tolerance(1e-3);
    let mut pose = skeleton.rest().clone();
    let mut missed = 0;
    let mut ours = || {
        for goals in &goals {
            pose.copy_from(skeleton.rest());
            let report = dls(
                &skeleton,
                &mut pose,
                &Affine::IDENTITY,
                DlsJob::new(&mut solver, black_box(goals)).options(options),
            );
            missed += usize::from(!report.is_ok_and(|r| r.reached));
        }
    };
    ours();
    let mut plain = PlainBody::new(&skeleton, &tips);
    let mut plain_missed = 0;
    let [fast, slow] = bench.fastest([&mut ours, &mut || {
        for goals in &goals {
            plain_missed += usize::from(!plain.solve(black_box(goals)));
        }
    }]);
    ensure!(
        missed == 0 && plain_missed == 0,
        "{missed} and {plain_missed} goals were missed"
    );
    bench.add_ik(name, fast / goals.len() as f64, slow / goals.len() as f64);
    Ok(())
}

/// Goals that can be reached: positions of the tips in a pose within the limits, a third of the way from rest.
fn reachable(skeleton: &Skeleton, tips: &[usize], nth: usize) -> Vec<Goal> {
    let mut pose: LocalPose = skeleton.rest().clone();
    for joint in 0..skeleton.len() {
        let axis = spread_vector(nth * 20 + joint, 0.2);
        let rotated = quat::from_axis_angle(axis, 0.5 * spread(nth * 20 + joint, 0.7));
        pose.set_rotation(joint, rotated);
    }
    skeleton.clamp(&mut pose).expect("of this skeleton");
    let mut model = ModelPose::identity(skeleton.len());
    model
        .update(skeleton.hierarchy(), &pose, &Affine::IDENTITY)
        .expect("of this skeleton");
    let goal = |&tip: &usize| Goal::position(tip, model.get(tip).translation());
    tips.iter().map(goal).collect()
}
