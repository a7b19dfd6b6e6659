//! Smoothed parameters: blends follow a spring, conditions see the value that was set.

use super::*;

fn smoothed(secs: f32) -> StateMachine {
    StateMachine::new()
        .smoothed_parameter("speed", 0.0, secs)
        .state(State::blend(
            "move",
            "speed",
            &[(0.0, "walk"), (1.0, "run")],
        ))
        .state(State::clip("jump", "jump"))
        .transition(Transition::new("move", "jump").when(Condition::above("speed", 5.0)))
}

fn weight_of_run(player: &GraphPlayer) -> f32 {
    let run = player.playing().find(|playing| playing.clip == RUN);
    run.map_or(0.0, |playing| playing.weight)
}

#[test]
fn a_smoothed_parameter_is_a_critically_damped_spring_at_any_frame_rate() {
    let graph = build(&smoothed(0.4), &clips()).expect("good");
    // The root of (1 + x) exp(-x) = 0.05, by bisection.
    let (mut low, mut high) = (1.0_f64, 10.0_f64);
    for _ in 0..60 {
        let x = 0.5 * (low + high);
        let is_more = (1.0 + x) * (-x).exp() > 0.05;
        (low, high) = if is_more { (x, high) } else { (low, x) };
    }
    let covered = |secs: f64| 1.0 - (1.0 + low * secs / 0.4) * (-low * secs / 0.4).exp();
    let mut ends = Vec::new();
    for rate in [10, 30, 60, 144] {
        let mut player = graph.player();
        player.set("speed", 1.0).expect("a parameter");
        assert_eq!(weight_of_run(&player), 0.0, "not before an update");
        for frame in 1..=rate * 2 / 5 {
            player
                .update(1.0 / f64::from(rate), |_| {})
                .expect("a step");
            let wanted = covered(f64::from(frame) / f64::from(rate));
            let off = (f64::from(weight_of_run(&player)) - wanted).abs();
            assert!(off < 1e-5, "{rate} Hz, frame {frame}: off by {off}");
        }
        assert_eq!(player.get("speed"), Some(1.0), "as it was set");
        // Turned round half way, it keeps its speed.
        player.set("speed", 0.0).expect("a parameter");
        for _ in 0..rate / 10 {
            player
                .update(1.0 / f64::from(rate), |_| {})
                .expect("a step");
        }
        ends.push(weight_of_run(&player));
        for _ in 0..5 * rate {
            player
                .update(1.0 / f64::from(rate), |_| {})
                .expect("a step");
        }
        assert_eq!(weight_of_run(&player), 0.0, "it arrives");
    }
    // 14 of 144 frames are a bit less than a tenth of a second.
    assert!(
        (ends[0] - ends[1]).abs() < 1e-5 && (ends[1] - ends[2]).abs() < 1e-5,
        "{ends:?}"
    );
    assert!((0.1..0.9).contains(&ends[0]), "{ends:?}");
}

#[test]
fn conditions_see_what_was_set_and_odd_numbers_do_no_harm() {
    let graph = build(&smoothed(10.0), &clips()).expect("good");
    let mut player = graph.player();
    player.set("speed", 5.1).expect("a parameter");
    player.update(0.001, |_| {}).expect("a step");
    assert_eq!(player.state(), "jump", "at once");
    for secs in [f32::MIN_POSITIVE * 1e-7, 1e-30, 1e6] {
        let graph = build(&smoothed(secs), &clips()).expect("good");
        let mut player = graph.player();
        for step in 0..200 {
            let speed = [f32::MAX, f32::MIN, 1e-40, 0.0][step / 3 % 4];
            player.set("speed", speed).expect("finite");
            let dt = [0.0, 1e-300, 1e-31, 0.02, 1e6, f64::MAX][step % 6];
            player.update(dt, |_| {}).expect("a step");
            let sum: f32 = player.playing().map(|playing| playing.weight).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{secs} {step}: {sum}");
        }
    }
    for secs in [-0.1, f32::NAN, f32::INFINITY] {
        let refused = build(&smoothed(secs), &clips()).unwrap_err().to_string();
        let wanted =
            format!("parameter \"speed\": smoothed_secs {secs} is not from 0 to a million seconds");
        assert_eq!(refused, wanted);
    }
}
