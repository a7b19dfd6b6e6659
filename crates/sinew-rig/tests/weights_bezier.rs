//! Weight equations of Xu et al. (`docs/references.md`), compared with numbers computed by hand.

use glam::DVec3;
use sinew_rig::weights::BezierCurve;

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-6, "{a} is not {b}");
}

#[test]
fn wide_blending_on_a_straight_limb_is_linear() {
    let limb = BezierCurve::wide(DVec3::X * -4.0, DVec3::ZERO, DVec3::X * 4.0);
    let cases = [
        (-6.0, 1.0),
        (-4.0, 1.0),
        (-2.0, 0.75),
        (-1.0, 0.625),
        (0.0, 0.5),
        (1.0, 0.375),
        (2.0, 0.25),
        (4.0, 0.0),
    ];
    for (x, weight) in cases {
        near(limb.nearest(DVec3::X * x).weight, weight);
        near(limb.nearest(DVec3::new(x, 0.3, -0.2)).weight, weight);
    }
}

#[test]
fn of_three_roots_the_nearest_wins() {
    let curve = BezierCurve::wide(
        DVec3::new(0.054102278771544, 0.272791339164454, -0.982188124940978),
        DVec3::new(-1.107373047165193, 0.199584532847081, -0.466749616879802),
        DVec3::new(0.235505611730225, 0.759519522478379, -1.648787366350948),
    );
    let point = DVec3::new(0.254388116517617, 1.224646967535732, -0.297526844370473);
    let foot = curve.nearest(point);
    near(foot.weight, 0.9837531165976684);
    near(foot.distance, 1.1888199621110913);
}

#[test]
fn the_nearest_point_is_nearer_than_any_sample() {
    // An own generator, so that a failure is reproducible.
    let mut state = 1_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1_u64 << 31) as f64 * 4.0 - 2.0
    };
    for _ in 0..2000 {
        let mut point = || DVec3::new(next(), next(), next());
        let curve = BezierCurve::wide(point(), point(), point());
        let from = point();
        let foot = curve.nearest(from);
        near(curve.at(foot.weight).distance(from), foot.distance);
        for step in 0..=200 {
            let sampled = curve.at(f64::from(step) / 200.0).distance(from);
            assert!(foot.distance <= sampled + 1e-9, "{curve:?} {from}");
        }
    }
}

fn bent() -> BezierCurve {
    let (first, joint) = (DVec3::new(6.0, 5.0, 3.0), DVec3::new(10.0, 5.0, 3.0));
    BezierCurve::narrow(first, joint, DVec3::new(10.0, 9.0, 3.0), 1.0)
}

#[test]
fn narrow_blending_is_about_the_joint_and_at_right_angles() {
    let curve = bent();
    assert_eq!(curve.first, DVec3::new(9.0, 5.0, 3.0));
    assert_eq!(curve.second, DVec3::new(10.0, 6.0, 3.0));
    let cases = [
        ([10.0, 5.0, 3.0], 0.5, 0.3535533905932738),
        ([9.75, 5.0, 3.0], 0.5984722188266008, 0.19414914445038697),
        ([9.0, 5.0, 3.0], 1.0, 0.0),
        ([7.0, 5.0, 3.0], 1.0, 2.0),
        ([10.5, 4.5, 3.0], 0.5, 1.0606601717798212),
        ([9.5, 5.5, 3.0], 0.5, 0.3535533905932738),
        ([10.0, 5.5, 3.0], 0.27330117424179795, 0.07980124235559286),
        ([9.5, 5.0, 3.3], 0.7266988257582025, 0.3104323409077991),
    ];
    for (point, weight, distance) in cases {
        let point = DVec3::from_array(point);
        let foot = curve.nearest(point);
        near(foot.weight, weight);
        near(foot.distance, distance);
    }
    // The printed equation, without the position of the joint, has its curve about the origin.
    let printed = BezierCurve::wide(
        curve.first - curve.joint,
        DVec3::ZERO,
        curve.second - curve.joint,
    );
    let foot = printed.nearest(DVec3::new(10.0, 5.0, 3.0));
    assert!((foot.distance - 0.3535533905932738).abs() > 1.0);
}

#[test]
fn the_concave_side_jumps_as_printed_and_not_as_built() {
    let curve = BezierCurve::narrow(DVec3::X * -4.0, DVec3::ZERO, DVec3::Y * 4.0, 1.0);
    let bisector = DVec3::new(-1.0, 1.0, 0.0).normalize();
    let aside = DVec3::new(-1.0, -1.0, 0.0).normalize() * 1e-6;
    for (s, jump) in [
        (0.5, 0.0),
        (1.0, 0.0),
        (1.1, 0.3335840465682692),
        (1.2, 0.6277874282631863),
        (1.5, 1.0),
    ] {
        let weight = |side: f64| curve.nearest(bisector * s + aside * side).weight;
        assert!(((weight(1.0) - weight(-1.0)) - jump).abs() < 1e-4, "at {s}");
        let weight = |side: f64| curve.smooth(bisector * s + aside * side).weight;
        assert!((weight(1.0) - weight(-1.0)).abs() < 1e-3, "at {s}");
    }
    // Weights are steep around the joint but do not jump: a thousandth of the step changes little.
    let weight = |x: f64, y: f64| curve.smooth(DVec3::new(x, y, 0.1)).weight;
    let steepest = |from: f64, y: f64, step: f64, steps: i32| {
        let mut greatest = (0.0_f64, from);
        for index in 0..steps {
            let x = from + f64::from(index) * step;
            let change = (weight(x + step, y) - weight(x, y)).abs();
            if change > greatest.0 {
                greatest = (change, x);
            }
        }
        greatest
    };
    for row in 0..200 {
        let y = f64::from(row) * 0.02 - 1.0;
        let (_, x) = steepest(-3.0, y, 1e-3, 6000);
        let (change, x) = steepest(x, y, 1e-6, 1000);
        let (finest, _) = steepest(x, y, 1e-9, 1000);
        assert!(
            change < 2e-2 && finest < 1e-3,
            "{change} and {finest} at {x} {y}"
        );
    }
}

#[test]
fn the_worked_weight_table_lies_on_the_narrow_curve() {
    let limb = BezierCurve::narrow(DVec3::X * 3.0, DVec3::ZERO, DVec3::X * -3.0, 1.0);
    for (x, weight) in [(0.4, 0.7), (0.0, 0.5), (-0.4, 0.3)] {
        near(limb.nearest(DVec3::new(x, 0.2, 0.0)).weight, weight);
    }
}
