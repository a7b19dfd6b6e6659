//! Success rate on 20,000 reachable goals, for chains of 2 to 12 joints within their limits.

use crate::excess;
use crate::random_chain;

use excess::{excess, turn_from_rest};
use glam::Vec3;
use random_chain::{Dice, any_pose, chain, length, tip};
use sinew::ik::{
    Ccd, Chain, ChainOptions, Dls, DlsJob, DlsOptions, Fabrik, Goal, Tip, ccd, dls, fabrik,
};
use sinew::{Affine, LocalPose, Skeleton};

fn beyond(skeleton: &Skeleton, pose: &LocalPose) -> f64 {
    (0..skeleton.len())
        .map(|joint| {
            let rest = skeleton.rest().get(joint).rotation;
            let turn = turn_from_rest(rest, pose.get(joint).rotation);
            excess(&skeleton.freedom(joint).rotation, turn)
        })
        .fold(0.0, f64::max)
}

const GOALS_EACH: u64 = 1820;

type Solver<'a> = &'a mut dyn FnMut(&Skeleton, &mut LocalPose, Vec3) -> (bool, f32);

fn reached(solver: Solver<'_>) -> Vec<f64> {
    let mut parts = Vec::new();
    for joints in 2..=12 {
        let mut count = 0;
        for nth in 0..GOALS_EACH {
            let mut dice = Dice::new(nth * 16 + joints as u64);
            let skeleton = chain(&mut dice, joints);
            let goal = tip(&skeleton, &any_pose(&mut dice, &skeleton));
            let mut pose = skeleton.rest().clone();
            let (reached, residual) = solver(&skeleton, &mut pose, goal);
            let whole = length(&skeleton);
            let off = tip(&skeleton, &pose).distance(goal);
            assert!(
                (off - residual).abs() < 1e-5 * whole.max(1.0),
                "{off} {residual}"
            );
            assert!(reached == (off <= 1e-3 * whole) || (off / whole - 1e-3).abs() < 1e-5);
            let excess = beyond(&skeleton, &pose);
            assert!(
                excess <= 1e-5,
                "{joints} joints, goal {nth}: {excess} rad over a limit"
            );
            count += u64::from(off <= 1e-3 * whole);
        }
        parts.push(count as f64 / GOALS_EACH as f64);
    }
    parts
}

fn whole(parts: &[f64]) -> f64 {
    parts.iter().sum::<f64>() / parts.len() as f64
}

fn by_dls(restarts: u32) -> Vec<f64> {
    let options = DlsOptions::default().tolerance(1e-3).restarts(restarts);
    let mut steps = 0;
    let parts = reached(&mut |skeleton, pose, goal| {
        let mut solver = Dls::new(skeleton, 1);
        let goals = [Goal::position(skeleton.len() - 1, goal)];
        let report = dls(
            skeleton,
            pose,
            &Affine::IDENTITY,
            DlsJob::new(&mut solver, &goals).options(options),
        )
        .unwrap();
        steps += report.iterations;
        (report.reached, report.goals[0].residual)
    });
    println!(
        "dls, {restarts} restarts: {parts:.4?}, {:.4} of all, {} steps each",
        whole(&parts),
        u64::from(steps) / (11 * GOALS_EACH)
    );
    parts
}

#[test]
fn damped_least_squares_reach_what_can_be_reached() {
    let parts = by_dls(0);
    assert!(whole(&parts) >= 0.95, "{parts:?}");
    assert!(parts.iter().all(|&p| p >= 0.88), "{parts:?}");
}

#[test]
fn restarts_reach_nearly_all() {
    let parts = by_dls(8);
    assert!(whole(&parts) >= 0.995, "{parts:?}");
}

fn by_chain(
    name: &str,
    solve: impl Fn(&mut Chain, &Skeleton, &mut LocalPose, Vec3, &ChainOptions) -> (bool, f32),
) -> Vec<f64> {
    let options = ChainOptions::default().tolerance(1e-3);
    let parts = reached(&mut |skeleton, pose, goal| {
        let mut chain = Chain::new(skeleton, 0, Tip::of(skeleton.len() - 1)).unwrap();
        solve(&mut chain, skeleton, pose, goal, &options)
    });
    println!("{name}: {parts:.4?}, {:.4} of all", whole(&parts));
    parts
}

#[test]
fn cyclic_descent_reaches_most() {
    let parts = by_chain("ccd", |chain, skeleton, pose, goal, options| {
        let report = ccd(
            skeleton,
            pose,
            &Affine::IDENTITY,
            Ccd::new(chain, goal).options(*options),
        )
        .unwrap();
        (report.reached, report.residual)
    });
    assert!(parts.iter().all(|&p| p >= 0.85), "{parts:?}");
}

#[test]
fn forward_and_backward_reaching_reaches_most() {
    let parts = by_chain("fabrik", |chain, skeleton, pose, goal, options| {
        let report = fabrik(
            skeleton,
            pose,
            &Affine::IDENTITY,
            Fabrik::new(chain, goal).options(*options),
        )
        .unwrap();
        (report.reached, report.residual)
    });
    assert!(parts.iter().all(|&p| p >= 0.85), "{parts:?}");
}
