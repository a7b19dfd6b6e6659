use crate::random_chain;

use glam::{Quat, Vec3};
use random_chain::{Dice, allowed_at, any_pose, chain, length, tip};
use sinew::ik::{Dls, DlsJob, DlsOptions, Goal, IkError, dls};
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit, SlideRange};
use sinew::transform::quat;
use sinew::{Affine, Joint, LocalPose, ModelPose, Skeleton, Transform};
use sinew_samples::humanoid_character;

fn model_of(skeleton: &Skeleton, pose: &LocalPose) -> ModelPose {
    let mut model = ModelPose::identity(skeleton.len());
    model
        .update(skeleton.hierarchy(), pose, &Affine::IDENTITY)
        .expect("of this skeleton");
    model
}

#[test]
fn goals_that_cannot_be_are_refused_and_leave_the_pose() {
    let skeleton = humanoid_character().skeleton;
    let mut solver = Dls::new(&skeleton, 2);
    let nan = Vec3::new(f32::NAN, 0.0, 0.0);
    let good = Goal::position(1, Vec3::Y);
    let cases: [(&[Goal], &str); 7] = [
        (&[], "at least one goal"),
        (
            &[good, good, good],
            "at most as many goals as it was made for",
        ),
        (&[good, Goal::position(99, Vec3::Y)], "there is no joint 99"),
        (
            &[good, Goal::position(3, nan)],
            "\"left_lower_arm\": its goal is not finite",
        ),
        (
            &[Goal::orientation(1, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0))],
            "\"head\": its orientation",
        ),
        (
            &[Goal::look_at(1, Vec3::ZERO, Vec3::Z)],
            "\"head\": its line of sight has no direction",
        ),
        (
            &[Goal {
                weight: f32::NAN,
                ..good
            }],
            "\"head\": its weight must be",
        ),
    ];
    for (goals, message) in cases {
        let mut pose = skeleton.rest().clone();
        let result = dls(
            &skeleton,
            &mut pose,
            &Affine::IDENTITY,
            DlsJob::new(&mut solver, goals),
        );
        let error = result.unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert_eq!(&pose, skeleton.rest());
    }
    let mut pose = skeleton.rest().clone();
    pose.set_rotation(0, Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0));
    let result = dls(
        &skeleton,
        &mut pose,
        &Affine::IDENTITY,
        DlsJob::new(&mut solver, &[good]),
    );
    let wanted = IkError::NotFinite {
        joint: "torso".to_owned(),
        what: "transform",
    };
    assert_eq!(result.unwrap_err(), wanted);
    let result = dls(
        &skeleton,
        &mut LocalPose::identity(3),
        &Affine::IDENTITY,
        DlsJob::new(&mut solver, &[good]),
    );
    assert!(matches!(result, Err(IkError::OtherSkeleton { .. })));
}

fn two_arms() -> Skeleton {
    let at = |x: f32, y: f32| Transform::from_translation(Vec3::new(x, y, 0.0));
    let mut joints = vec![
        Joint::new("hips", None, at(0.0, 1.0)),
        Joint::new("chest", Some(0), at(0.0, 0.5)),
    ];
    for (name, side) in [("left", 1.0), ("right", -1.0)] {
        let first = joints.len();
        joints.push(Joint::new(
            format!("{name} shoulder"),
            Some(1),
            at(0.2 * side, 0.0),
        ));
        joints.push(Joint::new(
            format!("{name} elbow"),
            Some(first),
            at(0.3 * side, 0.0),
        ));
        joints.push(Joint::new(
            format!("{name} hand"),
            Some(first + 1),
            at(0.3 * side, 0.0),
        ));
    }
    Skeleton::new(joints).unwrap().0
}

#[test]
fn many_goals_of_all_kinds_are_met_together() {
    let skeleton = two_arms();
    let (left, right) = (4, 7);
    let mut solver = Dls::new(&skeleton, 4);
    let grip = quat::from_axis_angle(Vec3::new(1.0, 1.0, 0.0), 1.0);
    let goals = [
        Goal::position(left, Vec3::new(0.3, 1.4, 0.5)),
        Goal::position(right, Vec3::new(-0.2, 1.9, 0.2)),
        Goal::orientation(left, grip),
        Goal::look_at(right, Vec3::NEG_X, Vec3::new(0.0, 3.0, 2.0)),
    ];
    let model_from_root = Transform {
        translation: Vec3::new(0.1, -0.2, 0.3),
        rotation: quat::from_axis_angle(Vec3::Y, 0.4),
        scale: Vec3::splat(1.1),
    }
    .to_affine();
    let mut pose = skeleton.rest().clone();
    let report = dls(
        &skeleton,
        &mut pose,
        &model_from_root,
        DlsJob::new(&mut solver, &goals),
    )
    .unwrap();
    assert!(
        report.reached && report.goals.iter().all(|g| g.reached),
        "{report:?}"
    );
    let mut model = ModelPose::identity(skeleton.len());
    model
        .update(skeleton.hierarchy(), &pose, &model_from_root)
        .expect("of this skeleton");
    let place = |joint: usize| model.get(joint).translation();
    assert!(place(left).distance(Vec3::new(0.3, 1.4, 0.5)) < 1e-3);
    assert!(place(right).distance(Vec3::new(-0.2, 1.9, 0.2)) < 1e-3);
    let (turned, _) = Transform::from_affine(model.get(left));
    assert!(quat::angle_between(turned.rotation, grip) < 2e-3);
    let sight = model.get(right).transform_vector(Vec3::NEG_X).normalize();
    let to = (Vec3::new(0.0, 3.0, 2.0) - place(right)).normalize();
    assert!(sight.distance(to) < 2e-3);
}

#[test]
fn the_report_says_which_goal_is_missed_and_by_how_much() {
    let skeleton = two_arms();
    let mut solver = Dls::new(&skeleton, 2);
    solver
        .set_stiffness(0, f32::INFINITY)
        .expect("of this skeleton");
    solver
        .set_stiffness(1, f32::INFINITY)
        .expect("of this skeleton");
    let near = Vec3::new(0.4, 1.7, 0.3);
    let goals = [
        Goal::position(4, near),
        Goal::position(7, Vec3::new(-1.2, 1.5, 0.0)),
    ];
    let mut pose = skeleton.rest().clone();
    let report = dls(
        &skeleton,
        &mut pose,
        &Affine::IDENTITY,
        DlsJob::new(&mut solver, &goals),
    )
    .unwrap();
    assert!(!report.reached && report.goals[0].reached && !report.goals[1].reached);
    assert!((report.goals[1].residual - 0.4).abs() < 1e-3, "{report:?}");
    assert_eq!(pose.get(0), skeleton.rest().get(0));
    assert_eq!(pose.get(1), skeleton.rest().get(1));
}

#[test]
fn a_stiff_joint_turns_less_and_of_all_solutions_the_near_one_is_found() {
    let skeleton = two_arms();
    let goals = [Goal::position(4, Vec3::new(0.5, 1.2, 0.4))];
    let turned = |stiffness: f32| {
        let mut solver = Dls::new(&skeleton, 1);
        solver
            .set_stiffness(0, stiffness)
            .expect("of this skeleton");
        let mut pose = skeleton.rest().clone();
        let report = dls(
            &skeleton,
            &mut pose,
            &Affine::IDENTITY,
            DlsJob::new(&mut solver, &goals),
        )
        .unwrap();
        assert!(report.reached);
        [0, 1, 2, 3].map(|j| quat::angle_between(pose.get(j).rotation, Quat::IDENTITY))
    };
    let [soft, .., soft_elbow] = turned(1.0);
    let [stiff, .., stiff_elbow] = turned(20.0);
    assert!(
        stiff < 0.5 * soft && stiff_elbow > soft_elbow,
        "{soft} {stiff}"
    );
    let mut solver = Dls::new(&skeleton, 1);
    let mut dice = Dice::new(5);
    let there = any_pose(&mut dice, &skeleton);
    let mut pose = there.clone();
    let goals = [Goal::position(
        4,
        model_of(&skeleton, &pose).get(4).translation(),
    )];
    dls(
        &skeleton,
        &mut pose,
        &Affine::IDENTITY,
        DlsJob::new(&mut solver, &goals),
    )
    .unwrap();
    assert_eq!(pose, there);
}

#[test]
fn a_root_that_slides_follows_only_when_asked() {
    let mut joints = two_arms().joints();
    joints[0].freedom.slides = [true, true, false];
    let skeleton = Skeleton::new(joints).unwrap().0;
    let goals = [
        Goal::position(4, Vec3::new(3.0, 1.5, 0.0)),
        Goal::position(7, Vec3::new(2.0, 1.0, 0.0)),
    ];
    let mut solver = Dls::new(&skeleton, 2);
    let mut pose = skeleton.rest().clone();
    assert!(
        !dls(
            &skeleton,
            &mut pose,
            &Affine::IDENTITY,
            DlsJob::new(&mut solver, &goals)
        )
        .unwrap()
        .reached
    );
    assert_eq!(pose.get(0).translation, Vec3::Y);
    solver
        .set_slide_stiffness(0, 1.0)
        .expect("of this skeleton");
    let report = dls(
        &skeleton,
        &mut pose,
        &Affine::IDENTITY,
        DlsJob::new(&mut solver, &goals),
    )
    .unwrap();
    assert!(report.reached, "{report:?}");
    assert_eq!(pose.get(0).translation.z, 0.0);
    let model = model_of(&skeleton, &pose);
    assert!(
        model
            .get(4)
            .translation()
            .distance(Vec3::new(3.0, 1.5, 0.0))
            < 1e-3
    );
}

fn freedoms(skeleton: &Skeleton) -> usize {
    (0..skeleton.len() - 1)
        .map(|j| skeleton.freedom(j).count())
        .sum()
}

fn pose_at(skeleton: &Skeleton, parts: &[f32]) -> LocalPose {
    let mut pose = skeleton.rest().clone();
    let mut at = 0;
    for joint in 0..skeleton.len() - 1 {
        let freedom = skeleton.freedom(joint);
        let mut own = [0.5; 3];
        own[..freedom.count()].copy_from_slice(&parts[at..at + freedom.count()]);
        at += freedom.count();
        let turn = allowed_at(&freedom.rotation, own);
        pose.set_rotation(joint, quat::mul(skeleton.rest().get(joint).rotation, turn));
    }
    pose
}

/// Point nearest to the goal over all poses: a grid, then ever smaller steps from its best.
fn searched(skeleton: &Skeleton, goal: Vec3) -> Vec3 {
    let count = freedoms(skeleton);
    let fine: usize = match count {
        ..=2 => 120,
        3 => 30,
        _ => 14,
    };
    let mut found: Vec<(f32, Vec<f32>)> = Vec::new();
    let mut parts = vec![0.0; count];
    for nth in 0..fine.pow(count as u32) {
        let mut left = nth;
        for part in &mut parts {
            *part = (left % fine) as f32 / (fine - 1) as f32;
            left /= fine;
        }
        let off = tip(skeleton, &pose_at(skeleton, &parts)).distance(goal);
        if found.len() < 8 || off < found[found.len() - 1].0 {
            found.push((off, parts.clone()));
            found.sort_by(|a, b| a.0.total_cmp(&b.0));
            found.truncate(8);
        }
    }
    let mut best = (f32::INFINITY, Vec3::ZERO);
    for (mut off, mut parts) in found {
        let mut step = 1.0 / fine as f32;
        while step > 1e-5 {
            let before = off;
            for nth in 0..count {
                for side in [step, -step] {
                    let mut other = parts.clone();
                    other[nth] = (other[nth] + side).clamp(0.0, 1.0);
                    let there = tip(skeleton, &pose_at(skeleton, &other)).distance(goal);
                    if there < off {
                        (off, parts) = (there, other);
                    }
                }
            }
            if off >= before {
                step *= 0.5;
            }
        }
        if off < best.0 {
            best = (off, tip(skeleton, &pose_at(skeleton, &parts)));
        }
    }
    best.1
}

#[test]
fn goals_out_of_reach_are_come_as_near_to_as_any_search_does() {
    let mut tried = 0;
    for seed in 0..400 {
        let mut dice = Dice::new(seed);
        let joints = 2 + (seed % 2) as usize;
        let skeleton = chain(&mut dice, joints);
        let is_free = |j: usize| skeleton.freedom(j).rotation == RotationLimit::Free;
        if freedoms(&skeleton) > 4 || (0..joints).any(is_free) {
            continue;
        }
        let whole = length(&skeleton);
        let goal = dice.direction() * dice.between(0.0, 1.5) * whole;
        let closest = searched(&skeleton, goal);
        let best = closest.distance(goal);
        if best < 0.02 * whole {
            continue;
        }
        tried += 1;
        let mut solver = Dls::new(&skeleton, 1);
        for restarts in [0, 8] {
            let options = DlsOptions::default().restarts(restarts);
            let mut pose = skeleton.rest().clone();
            let goals = [Goal::position(joints, goal)];
            let report = dls(
                &skeleton,
                &mut pose,
                &Affine::IDENTITY,
                DlsJob::new(&mut solver, &goals).options(options),
            )
            .unwrap();
            assert!(!report.reached);
            let at = tip(&skeleton, &pose);
            // Another point at the same distance is also valid.
            let is_there =
                at.distance(closest) <= 1e-2 * whole || at.distance(goal) <= best + 1e-3 * whole;
            assert!(
                is_there,
                "{seed}, {restarts} restarts: {} instead of {best} of {whole}",
                at.distance(goal)
            );
        }
    }
    println!("{tried} goals out of reach");
    assert!(tried > 50, "{tried}");
}

/// Smallest singular value of the tip velocities, over rotations that limits allow both ways.
fn smallest_singular(skeleton: &Skeleton, pose: &LocalPose) -> f32 {
    const SMALL_RAD: f32 = 1e-2;
    let at = tip(skeleton, pose);
    let mut square = [[0.0_f64; 3]; 3];
    for joint in 0..skeleton.len() - 1 {
        let rest = skeleton.rest().get(joint).rotation;
        let now = pose.get(joint).rotation;
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let velocity = [SMALL_RAD, -SMALL_RAD].map(|angle| {
                let turned = quat::mul(now, quat::from_axis_angle(axis, angle));
                let mut other = pose.clone();
                other.set_rotation(joint, skeleton.freedom(joint).clamp_rotation(rest, turned));
                (tip(skeleton, &other) - at) / SMALL_RAD
            });
            let [a, b] = velocity;
            let v = if a.length() < b.length() { a } else { b }
                .as_dvec3()
                .to_array();
            for i in 0..3 {
                for j in 0..3 {
                    square[i][j] += v[i] * v[j];
                }
            }
        }
    }
    smallest_eigenvalue(square).max(0.0).sqrt() as f32
}

fn smallest_eigenvalue(mut m: [[f64; 3]; 3]) -> f64 {
    for _ in 0..20 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let angle = 0.5 * (2.0 * m[p][q]).atan2(m[q][q] - m[p][p]);
            let (s, c) = angle.sin_cos();
            let mut r = m;
            for k in 0..3 {
                r[k][p] = c * m[k][p] - s * m[k][q];
                r[k][q] = s * m[k][p] + c * m[k][q];
            }
            m = r;
            for k in 0..3 {
                r[p][k] = c * m[p][k] - s * m[q][k];
                r[q][k] = s * m[p][k] + c * m[q][k];
            }
            m = r;
        }
    }
    m[0][0].min(m[1][1]).min(m[2][2])
}

#[test]
fn goals_that_move_a_little_move_joints_a_little() {
    let (mut steps, mut near_singular, mut most) = (0, 0, 0.0_f32);
    for joints in 2..=12 {
        for nth in 0..6 {
            let mut dice = Dice::new(7_000 + 100 * joints as u64 + nth);
            let skeleton = chain(&mut dice, joints);
            let whole = length(&skeleton);
            let count = freedoms(&skeleton);
            let ends = [0, 1].map(|_| {
                (0..count)
                    .map(|_| dice.between(0.05, 0.95))
                    .collect::<Vec<f32>>()
            });
            let along = |t: f32| {
                let parts: Vec<f32> = ends[0]
                    .iter()
                    .zip(&ends[1])
                    .map(|(a, b)| a + (b - a) * t)
                    .collect();
                pose_at(&skeleton, &parts)
            };
            let mut pose = along(0.0);
            let mut solver = Dls::new(&skeleton, 1);
            let (mut t, mut goal) = (0.0, tip(&skeleton, &pose));
            while t < 1.0 {
                let mut next = 1e-3;
                while next > 1e-6 && tip(&skeleton, &along(t + next)).distance(goal) > 1e-3 * whole
                {
                    next *= 0.7;
                }
                t += next;
                goal = tip(&skeleton, &along(t));
                let before = pose.clone();
                let goals = [Goal::position(joints, goal)];
                dls(
                    &skeleton,
                    &mut pose,
                    &Affine::IDENTITY,
                    DlsJob::new(&mut solver, &goals),
                )
                .unwrap();
                steps += 1;
                let turn =
                    |j: usize| quat::angle_between(before.get(j).rotation, pose.get(j).rotation);
                let turned = (0..joints).map(turn).fold(0.0, f32::max);
                if turned > 0.2 {
                    let singular = smallest_singular(&skeleton, &before)
                        .min(smallest_singular(&skeleton, &pose));
                    assert!(
                        singular < 0.05 * whole,
                        "{joints} joints, {nth}, t {t}: {turned} rad at {}",
                        singular / whole
                    );
                    near_singular += 1;
                } else {
                    most = most.max(turned);
                }
            }
        }
    }
    println!(
        "{steps} steps, {near_singular} of over 0.2 rad where the chain is singular, {most} rad at most elsewhere"
    );
    assert!(steps > 10_000);
}

/// Two hinges about z, and a slide along z of a tip, in metres or another unit.
fn scara(unit: f32) -> Skeleton {
    let joint = |name, parent, at: Vec3, freedom| {
        Joint::new(name, parent, Transform::from_translation(at * unit)).with_freedom(freedom)
    };
    let hinge = Freedom {
        rotation: RotationLimit::Hinge {
            axis: Vec3::Z,
            range: AngleRange::degrees(-140.0, 140.0),
        },
        ..Freedom::default()
    };
    let slide = Freedom {
        rotation: RotationLimit::Fixed,
        slide_range: Some(SlideRange {
            axis: Vec3::Z,
            min: -0.2 * unit,
            max: 0.1 * unit,
        }),
        ..Freedom::default()
    };
    let joints = vec![
        joint("shoulder", None, Vec3::Z, hinge.clone()),
        joint("elbow", Some(0), Vec3::X * 0.5, hinge),
        joint("spindle", Some(1), Vec3::new(0.4, 0.0, 0.3), slide),
    ];
    Skeleton::new(joints).unwrap().0
}

/// Moves the tip of [`scara`]. Returns the pose, whether the goal was reached, the residual in
/// metres, the steps and the joints at limits.
fn pick(unit: f32, at: Vec3, stiffness: Option<f32>) -> (LocalPose, bool, f32, u32, Vec<usize>) {
    let skeleton = scara(unit);
    let mut solver = Dls::new(&skeleton, 1);
    if let Some(stiffness) = stiffness {
        solver.set_slide_stiffness(2, stiffness).unwrap();
    }
    let mut pose = skeleton.rest().clone();
    let goals = [Goal::position(2, at * unit)];
    let job = DlsJob::new(&mut solver, &goals);
    let report = dls(&skeleton, &mut pose, &Affine::IDENTITY, job).unwrap();
    let residual = report.goals[0].residual / unit;
    let at_limits = report.at_limits.to_vec();
    (pose, report.reached, residual, report.iterations, at_limits)
}

#[test]
fn a_slide_reaches_within_its_range_and_ends_at_its_bound() {
    for nth in 0..40_u8 {
        let part = f32::from(nth) / 39.0;
        let (around, far) = (3.0 * part - 1.5, 0.45 + 0.4 * ((7.0 * part) % 1.0));
        let (sin, cos) = around.sin_cos();
        let height = 1.3 - 0.19 + 0.28 * ((5.0 * part) % 1.0);
        let goal = Vec3::new(far * cos, far * sin, height);
        for unit in [1.0, 1024.0] {
            let (pose, reached, residual, steps, at_limits) = pick(unit, goal, None);
            assert!(reached && residual < 1e-4, "{goal}: {residual}");
            let slid = pose.get(2).translation.z / unit - 0.3;
            assert!((slid - (height - 1.3)).abs() < 2e-4, "{slid} {goal}");
            assert!(
                steps < 30 && !at_limits.contains(&2),
                "{steps} {at_limits:?}"
            );
        }
        for (off, end) in [(0.25, 0.1), (-0.35, -0.2)] {
            let goal = Vec3::new(goal.x, goal.y, 1.3 + off);
            let (pose, reached, residual, _, at_limits) = pick(1.0, goal, None);
            let slid = pose.get(2).translation.z - 0.3;
            assert!((slid - end).abs() < 1e-6, "{slid} {end}");
            assert!(!reached && at_limits.contains(&2), "{at_limits:?}");
            assert!((residual - 0.15).abs() < 1e-3, "{residual}");
        }
    }
}

#[test]
fn a_slide_of_infinite_stiffness_stays_and_an_outside_pose_comes_inside() {
    let goal = Vec3::new(0.5, 0.4, 1.2);
    let (pose, reached, residual, ..) = pick(1.0, goal, Some(f32::INFINITY));
    assert_eq!(pose.get(2), scara(1.0).rest().get(2));
    assert!(!reached && (residual - 0.1).abs() < 1e-3, "{residual}");
    let skeleton = scara(1.0);
    let mut pose = skeleton.rest().clone();
    pose.set_translation(2, Vec3::new(0.7, 0.1, 2.0));
    let mut solver = Dls::new(&skeleton, 1);
    let goals = [Goal::position(2, goal)];
    let job = DlsJob::new(&mut solver, &goals);
    assert!(
        dls(&skeleton, &mut pose, &Affine::IDENTITY, job)
            .unwrap()
            .reached
    );
    let mut clamped = pose.clone();
    skeleton.clamp(&mut clamped).unwrap();
    assert_eq!(clamped.get(2), pose.get(2));
}
