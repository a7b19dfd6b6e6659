use super::*;

#[test]
fn easing_goes_from_none_to_all() {
    for ease in [Ease::Linear, Ease::Smooth, Ease::Smoother] {
        assert_eq!((ease.at(-1.0), ease.at(0.0), ease.at(0.5)), (0.0, 0.0, 0.5));
        assert_eq!((ease.at(1.0), ease.at(7.0)), (1.0, 1.0));
        for step in 0..100 {
            let t = step as f32 / 100.0;
            assert!(ease.at(t) < ease.at(t + 0.01), "{ease:?}");
            assert!((ease.at(t) + ease.at(1.0 - t) - 1.0).abs() < 1e-6);
        }
    }
    for secs in [0.0, -1.0, f32::NAN] {
        let fade = CrossFade::new(secs, Ease::Smooth);
        assert!(fade.is_done() && fade.weight() == 1.0, "{secs}");
    }
    let mut fade = CrossFade::new(1.0, Ease::Linear);
    fade.advance(f64::NAN);
    fade.advance(-0.5);
    assert_eq!(fade.weight(), 0.0);
}

fn swinging(seed: f64, time: f64) -> LocalPose {
    let joint = |j: usize| {
        let phase = |k: f64| (seed * 3.1 + j as f64 * 1.7 + time * k).sin() as f32;
        Transform {
            translation: Vec3::new(phase(3.0), phase(2.0), phase(4.0)),
            rotation: quat::mul(
                turn(Vec3::X, 70.0 * phase(3.5)),
                turn(Vec3::Z, 60.0 * phase(2.5)),
            ),
            scale: Vec3::splat(1.0 + 0.2 * phase(3.0)),
        }
    };
    LocalPose::from_transforms(&[0, 1, 2, 3].map(joint))
}

fn apart(a: &LocalPose, b: &LocalPose) -> f32 {
    let joints = a.iter().zip(b.iter());
    joints.fold(0.0, |most, (a, b)| {
        let turned = quat::add_scaled(a.rotation, quat::aligned(b.rotation, a.rotation), -1.0);
        let most = most.max((a.translation - b.translation).abs().max_element());
        let most = most.max((a.scale - b.scale).abs().max_element());
        most.max(quat::dot(turned, turned).sqrt())
    })
}

/// Max speed and change of speed over interrupted transitions, and the final error.
fn jumps(inertial: bool, pause_secs: f64) -> (f32, f32, f32) {
    const DT: f64 = 1.0 / 240.0;
    let rest = LocalPose::identity(4);
    let mut inertia = Inertia::new(4);
    let mut shown: Vec<LocalPose> = Vec::new();
    let (mut motion, mut since) = (0.0, 0.0);
    for frame in 0..2400 {
        let time = f64::from(frame) * DT;
        if since >= pause_secs {
            since = 0.0;
            if inertial {
                let last = &shown[shown.len() - 2..];
                let next = [time - DT, time].map(|t| swinging(motion + 1.0, t));
                inertia
                    .start([&last[0], &last[1]], [&next[0], &next[1]], DT, 0.4)
                    .expect("of this skeleton");
            }
            motion += 1.0;
        }
        since += DT;
        inertia.advance(DT);
        let pose = swinging(motion, time);
        shown.push(blended(
            &rest,
            &[Layer::new(&pose, 1.0)],
            &inertia.additions(),
        ));
    }
    let speeds: Vec<f32> = shown
        .windows(2)
        .map(|w| apart(&w[0], &w[1]) / DT as f32)
        .collect();
    let change = |w: &[LocalPose]| {
        let expected = AdditivePose::between(&w[0], &w[1]).expect("of this skeleton");
        let on = blended(&w[1], &[], &[Addition::new(&expected, 1.0)]);
        apart(&on, &w[2]) / DT as f32
    };
    let jerk = shown.windows(3).map(change).fold(0.0, f32::max);
    let speed = speeds.iter().copied().fold(0.0, f32::max);
    let end = apart(shown.last().unwrap(), &swinging(motion, 2399.0 * DT));
    (speed, jerk, end)
}

/// In units or half radians per second, with frames of 1/240 s.
#[test]
fn transitions_that_interrupt_one_another_jump_neither_in_place_nor_in_speed() {
    let alone = jumps(false, f64::INFINITY);
    assert!(alone.0 < 4.1 && alone.1 < 0.07, "{alone:?}");
    let cut = jumps(false, 0.25);
    assert!(cut.0 > 300.0 && cut.1 > 300.0, "{cut:?}");
    let smooth = jumps(true, 0.25);
    assert!(smooth.0 < 20.0, "{smooth:?}");
    assert!(smooth.1 < 1.5, "{smooth:?}");
    let done = jumps(true, 3.0);
    assert!(done.2 < 1e-6, "{done:?}");
}

#[test]
fn a_cross_fade_goes_from_one_motion_to_the_other_without_a_jump() {
    let rest = LocalPose::identity(4);
    let dt = 1.0 / 240.0;
    let mut fade = CrossFade::new(0.5, Ease::Smooth);
    let mut before = swinging(0.0, 0.0);
    let mut fastest = 0.0_f32;
    for frame in 1..=130 {
        fade.advance(dt);
        let time = f64::from(frame) * dt;
        let (from, to) = (swinging(0.0, time), swinging(1.0, time));
        let weight = fade.weight();
        let layers = [Layer::new(&from, 1.0 - weight), Layer::new(&to, weight)];
        let now = blended(&rest, &layers, &[]);
        fastest = fastest.max(apart(&before, &now) / dt as f32);
        before = now;
    }
    assert!(fade.is_done() && apart(&before, &swinging(1.0, 130.0 * dt)) < 1e-6);
    assert!(fastest < 12.0, "{fastest}");
}

#[test]
fn inertia_begins_where_it_was_and_as_fast_and_stops() {
    let rest = LocalPose::identity(4);
    let at = |inertia: &Inertia, time: f64| {
        let pose = swinging(5.0, time);
        blended(&rest, &[Layer::new(&pose, 1.0)], &inertia.additions())
    };
    let h = 1e-3;
    let shown = [swinging(0.0, 1.0 - h), swinging(0.0, 1.0)];
    let target = [swinging(5.0, 1.0), swinging(5.0, 1.0 + h)];
    let mut inertia = Inertia::new(4);
    inertia
        .start([&shown[0], &shown[1]], [&target[0], &target[1]], h, 0.3)
        .expect("of this skeleton");
    assert!(apart(&at(&inertia, 1.0), &shown[1]) < 1e-6);
    inertia.advance(h);
    let next = at(&inertia, 1.0 + h);
    let onward = AdditivePose::between(&shown[0], &shown[1]).expect("of this skeleton");
    let expected = blended(&shown[1], &[], &[Addition::new(&onward, 1.0)]);
    let off = apart(&next, &expected) / h as f32;
    assert!(off < 0.05, "speed is off by {off} a second");
    inertia.advance(0.3);
    assert!(inertia.is_done());
    assert!(apart(&at(&inertia, 1.3), &swinging(5.0, 1.3)) < 1e-6);
    for (step, duration) in [(0.0, 0.3), (h, 0.0), (f64::NAN, 0.3), (h, f64::INFINITY)] {
        inertia
            .start(
                [&shown[0], &shown[1]],
                [&target[0], &target[1]],
                step,
                duration,
            )
            .expect("of this skeleton");
        assert!(inertia.is_done(), "{step} {duration}");
        assert_eq!(inertia.additions().map(|a| a.weight), [0.0; 2]);
    }
}

/// At 180°, the direction is chosen once and adds no speed.
#[test]
fn inertia_across_half_a_turn_does_not_spin() {
    let rest = turned(&[Quat::IDENTITY]);
    let target = turned(&[Quat::IDENTITY]);
    let shown = [179.9, 180.1].map(|d| turned(&[turn(Vec3::X, d)]));
    let mut inertia = Inertia::new(1);
    inertia
        .start([&shown[0], &shown[1]], [&target, &target], 0.01, 0.5)
        .expect("of this skeleton");
    let mut before = shown[1].clone();
    for _ in 0..50 {
        inertia.advance(0.01);
        let now = blended(&rest, &[Layer::new(&target, 1.0)], &inertia.additions());
        let turned = degrees(before.get(0).rotation, now.get(0).rotation);
        assert!(turned < 8.0, "{turned}° in a hundredth of a second");
        before = now;
    }
    assert!(degrees(before.get(0).rotation, Quat::IDENTITY) < 1e-3);
}
