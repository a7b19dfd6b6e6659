use proptest::prelude::*;
use sinew::{Clip, Player, Wrap};

const WRAPS: [Wrap; 3] = [Wrap::Loop, Wrap::Clamp, Wrap::PingPong];

#[test]
fn times_that_make_no_sense_are_ignored() {
    let clip = with_events(2.0, &[0.5, 1.5]);
    for wrap in WRAPS {
        for nonsense in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut player = Player::new(wrap).starting_at(1.0).starting_at(nonsense);
            assert_eq!(player.time_secs(), 1.0);
            assert_eq!(fired(&clip, &mut player, nonsense), [0.0; 0]);
            player.seek(&clip, nonsense);
            player.speed = nonsense;
            assert_eq!(fired(&clip, &mut player, 1.0), [0.0; 0]);
            assert_eq!(player.time_secs(), 1.0, "{wrap:?} {nonsense}");
        }
    }
}

#[test]
fn durations_that_make_no_sense_are_none() {
    for wrap in WRAPS {
        for duration in [-1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0] {
            for time in [-1.5, 0.0, 2.5, f64::NAN, f64::INFINITY] {
                let folded = wrap.fold(time, duration);
                assert_eq!(folded, (0.0, 0.0), "{wrap:?} {time} {duration}");
            }
        }
        assert_eq!(wrap.fold(f64::NAN, 2.0), (0.0, 0.0), "{wrap:?}");
        for far in [f64::INFINITY, f64::NEG_INFINITY, 1e308, -1e308] {
            let (time, cycle) = wrap.fold(far, 2.0);
            assert!((0.0..=2.0).contains(&time), "{wrap:?} {far} {time}");
            assert!(cycle.is_finite(), "{wrap:?} {far} {cycle}");
        }
    }
    assert_eq!(Wrap::Clamp.fold(f64::INFINITY, 2.0), (2.0, 0.0));
}

fn with_events(duration: f32, times: &[f32]) -> Clip {
    let mut clip = Clip::new("events");
    for (n, &t) in times.iter().enumerate() {
        clip.add_event(t, n.to_string());
    }
    clip.duration_secs = duration;
    clip
}

fn fired(clip: &Clip, player: &mut Player, dt: f64) -> Vec<f32> {
    let mut seen = Vec::new();
    player.advance(clip, dt, |e| seen.push(e.time_secs));
    seen
}

#[test]
fn events_fire_in_the_worked_steps() {
    let clip = with_events(1.0, &[0.3, 0.8]);
    let mut player = Player::new(Wrap::Loop);
    let mut all = Vec::new();
    for step in 0..12 {
        for time in fired(&clip, &mut player, 0.25) {
            let cycle = (f64::from(step) * 0.25).floor() as f32;
            all.push((step, cycle + time));
        }
    }
    let wanted = [(1, 0.3), (3, 0.8), (5, 1.3), (7, 1.8), (9, 2.3), (11, 2.8)];
    assert_eq!(all.len(), wanted.len());
    for (found, wanted) in all.iter().zip(wanted) {
        assert_eq!(found.0, wanted.0);
        assert!((found.1 - wanted.1).abs() < 1e-6);
    }
}

#[test]
fn ends_of_a_clamped_clip_fire_once() {
    let clip = with_events(1.0, &[0.0, 1.0]);
    let mut player = Player::new(Wrap::Clamp);
    assert_eq!(fired(&clip, &mut player, 0.5), [0.0]);
    assert_eq!(fired(&clip, &mut player, 0.5), [1.0]);
    assert_eq!(fired(&clip, &mut player, 0.5), [0.0; 0]);
    player.speed = -1.0;
    assert_eq!(fired(&clip, &mut player, 0.25), [1.0]);
    assert_eq!(fired(&clip, &mut player, 5.0), [0.0]);
    assert_eq!(fired(&clip, &mut player, 5.0), [0.0; 0]);
    player.speed = 1.0;
    assert_eq!(fired(&clip, &mut player, 99.0), [0.0, 1.0]);
}

#[test]
fn seeking_is_silent_and_scrubbing_is_not() {
    let clip = with_events(2.0, &[0.5, 1.5]);
    let mut player = Player::new(Wrap::Loop);
    player.seek(&clip, 1.0);
    assert_eq!(fired(&clip, &mut player, 1.0), [1.5]);
    let mut seen = Vec::new();
    player.scrub(&clip, 0.5, |e| seen.push(e.time_secs));
    assert_eq!(seen, [1.5], "back over (0.5, 2]");
    player.scrub(&clip, 4.75, |e| seen.push(e.time_secs));
    assert_eq!(seen, [1.5, 0.5, 1.5, 0.5, 1.5, 0.5]);
    assert!((player.clip_time_secs(&clip) - 0.75).abs() < 1e-12);
    player.seek(&clip, f64::NAN);
    assert_eq!(player.time_secs(), 4.75);
    player.seek(&clip, -0.5);
    assert!((player.clip_time_secs(&clip) - 1.5).abs() < 1e-12);
}

proptest! {
    #[test]
    fn any_partition_of_time_fires_the_same(
        times in prop::collection::vec(0.0_f32..1.0, 0..6),
        steps in prop::collection::vec(0.0_f64..1.7, 1..20),
        wrap in prop::sample::select(&WRAPS[..]),
    ) {
        let clip = with_events(1.0, &times);
        let mut small = Player::new(wrap);
        let mut pieces = Vec::new();
        for dt in &steps {
            small.advance(&clip, *dt, |e| pieces.push(e.name.clone()));
        }
        let mut whole = Vec::new();
        Player::new(wrap).scrub(&clip, small.time_secs(), |e| whole.push(e.name.clone()));
        prop_assert_eq!(&pieces, &whole);
        let mut back = Vec::new();
        small.scrub(&clip, 0.0, |e| back.push(e.name.clone()));
        back.reverse();
        let at_start = |e: &&sinew::Event| e.time_secs == 0.0;
        prop_assume!(clip.events.iter().find(at_start).is_none());
        prop_assume!(!clip.events.iter().any(|e| f64::from(e.time_secs) == small.time_secs()));
        prop_assert_eq!(back, whole);
    }

    /// The reference is a list of all event times, on paths with reversals.
    #[test]
    fn every_crossing_of_a_random_path_fires_once(
        mut times in prop::collection::vec(0.01_f32..0.99, 0..6),
        path in prop::collection::vec((0.0_f64..0.9, -3.0_f64..3.0), 1..40),
        wrap in prop::sample::select(&WRAPS[..]),
        start in -3.0_f64..3.0,
    ) {
        times.sort_by(f32::total_cmp);
        times.dedup();
        let clip = with_events(1.0, &times);
        let mut places: Vec<(f64, f32)> = Vec::new();
        for &time in &times {
            for k in (-99..99).map(f64::from) {
                let at = f64::from(time);
                match wrap {
                    Wrap::Clamp if k == 0.0 => places.push((at, time)),
                    Wrap::Clamp => {}
                    Wrap::Loop => places.push((k + at, time)),
                    Wrap::PingPong => places.extend([(2.0 * k + at, time), (2.0 * k - at, time)]),
                }
            }
        }
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut player = Player::new(wrap);
        player.seek(&clip, start);
        for (dt, speed) in path {
            let before = player.time_secs();
            player.speed = speed;
            let heard = fired(&clip, &mut player, dt);
            let after = player.time_secs();
            let (low, high) = (before.min(after), before.max(after));
            let on_the_way = places.iter().filter(|p| low < p.0 && p.0 < high);
            let mut wanted: Vec<f32> = on_the_way.map(|p| p.1).collect();
            if after < before {
                wanted.reverse();
            }
            prop_assert_eq!(heard, wanted, "{:?} from {} to {}", wrap, before, after);
        }
    }

    /// Times on a grid, so that steps often end on events, loops and reversals.
    #[test]
    fn however_a_path_is_cut_it_fires_the_same(
        times in prop::collection::vec(0_u8..=8, 0..6),
        stops in prop::collection::vec(-40_i32..40, 1..12),
        cuts in prop::collection::vec(-40_i32..40, 0..30),
        wrap in prop::sample::select(&WRAPS[..]),
    ) {
        let times: Vec<f32> = times.iter().map(|t| f32::from(*t) / 8.0).collect();
        let clip = with_events(1.0, &times);
        let (mut whole, mut cut) = (Player::new(wrap), Player::new(wrap));
        for stop in stops {
            let (from, to) = (whole.time_secs(), f64::from(stop) / 8.0);
            let mut once = Vec::new();
            whole.scrub(&clip, to, |e| once.push(&e.name));
            let between = |c: &f64| (from.min(to)..from.max(to)).contains(c);
            let mut pieces: Vec<f64> = cuts.iter().map(|c| f64::from(*c) / 8.0).filter(between).collect();
            pieces.sort_by(f64::total_cmp);
            if to < from {
                pieces.reverse();
            }
            let mut in_pieces = Vec::new();
            for piece in pieces.into_iter().chain([to]) {
                cut.scrub(&clip, piece, |e| in_pieces.push(&e.name));
            }
            prop_assert_eq!(once, in_pieces, "{:?} from {} to {}", wrap, from, to);
        }
    }
}

#[test]
fn playing_to_and_fro_turns_at_both_ends() {
    let clip = with_events(1.0, &[0.0, 0.25, 1.0]);
    let mut player = Player::new(Wrap::PingPong);
    let mut heard = Vec::new();
    let mut places = Vec::new();
    for _ in 0..16 {
        heard.extend(fired(&clip, &mut player, 0.25));
        places.push(player.clip_time_secs(&clip));
    }
    assert_eq!(heard, [0.0, 0.25, 1.0, 0.25, 0.0, 0.25, 1.0, 0.25]);
    assert_eq!(places[..8], [0.25, 0.5, 0.75, 1.0, 0.75, 0.5, 0.25, 0.0]);
    player.speed = -1.0;
    assert_eq!(fired(&clip, &mut player, 2.0), [0.0, 0.25, 1.0, 0.25]);
    player.seek(&clip, -0.25);
    assert_eq!(
        player.clip_time_secs(&clip),
        0.25,
        "before the start as well"
    );
}

#[test]
fn a_start_within_the_clip_is_silent_and_speed_may_be_negative() {
    let clip = with_events(2.0, &[0.5, 1.5]);
    let mut player = Player::new(Wrap::Loop).starting_at(1.0);
    assert_eq!(fired(&clip, &mut player, 1.25), [1.5]);
    assert_eq!(
        (player.clip_time_secs(&clip), player.cycle(&clip)),
        (0.25, 1.0)
    );
    player.speed = -2.0;
    assert_eq!(fired(&clip, &mut player, 1.5), [1.5, 0.5, 1.5]);
    assert_eq!(
        (player.clip_time_secs(&clip), player.cycle(&clip)),
        (1.25, -1.0)
    );
}

#[test]
fn a_clip_of_no_sensible_length_plays_without_a_panic() {
    for duration_secs in [-1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut clip = Clip::new("broken");
        clip.add_event(0.25, "step");
        clip.duration_secs = duration_secs;
        for wrap in WRAPS {
            let mut player = Player::new(wrap);
            player.advance(&clip, 0.5, |_| {});
            assert!(
                player.clip_time_secs(&clip).is_finite(),
                "{duration_secs} {wrap:?}"
            );
        }
    }
}

#[test]
fn a_step_over_countless_cycles_ends() {
    let mut clip = Clip::new("blink");
    clip.add_event(0.0, "step");
    for (duration_secs, to_secs) in [(1e-30, 1.0 / 60.0), (1.0, 1e12), (1.0, -1e12), (1.0, 1e300)] {
        clip.duration_secs = duration_secs;
        let mut player = Player::new(Wrap::Loop);
        let mut fired = 0;
        player.scrub(&clip, to_secs, |_| fired += 1);
        assert!(fired <= 65_536, "{fired}");
        assert_eq!(player.time_secs(), to_secs);
    }
    clip.duration_secs = 1.0;
    let mut player = Player::new(Wrap::Loop);
    let mut fired = 0;
    player.scrub(&clip, 65_535.5, |_| fired += 1);
    assert_eq!(fired, 65_536);
}
