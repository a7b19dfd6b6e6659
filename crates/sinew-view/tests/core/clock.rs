use super::{check, paused, settle};
use sinew_view::state::{Ending, Selection};
use sinew_view::{PlaybackCommand, SelectionCommand, Session};

fn walking() -> Session {
    let mut session = paused();
    let walk = session.document().files()[0].character.find_clip("walk");
    session.run(PlaybackCommand::Clip { clip: walk });
    check(&session);
    session
}

fn time(session: &Session) -> f64 {
    session.state().playback.time_secs
}

fn fired(session: &Session) -> Vec<usize> {
    let fired = session.state().playback.fired.iter();
    fired.map(|fired| fired.event).collect()
}

#[test]
fn the_mannequin_walks_when_nothing_is_open() {
    let mut session = Session::default();
    check(&session);
    assert!(session.document().files()[0].is_stand_in);
    assert!(session.state().playback.is_playing);
    let at = |session: &mut Session| {
        let figure = session.figure(0).expect("the mannequin");
        let foot = figure.actor.socket("left_foot").expect("a foot");
        foot.translation()
    };
    let before = at(&mut session);
    assert!(session.advance(0.25));
    assert!((time(&session) - 0.25).abs() < 1e-12);
    assert!(at(&mut session).distance(before) > 0.01);
}

#[test]
fn a_loop_a_turn_and_a_stop_end_as_they_should() {
    let mut session = walking();
    let duration = session.duration_secs();
    session.run(PlaybackCommand::Play);
    session.advance(duration + 0.1);
    assert!((time(&session) - 0.1).abs() < 1e-9);

    session.run(PlaybackCommand::Ending {
        ending: Ending::PingPong,
    });
    session.run(PlaybackCommand::Seek {
        time_secs: duration - 0.1,
    });
    session.advance(0.3);
    assert!((time(&session) - (duration - 0.2)).abs() < 1e-9);
    assert!(session.state().playback.is_backwards);
    session.advance(duration);
    assert!((time(&session) - 0.2).abs() < 1e-9);
    assert!(!session.state().playback.is_backwards);

    session.run(PlaybackCommand::Ending {
        ending: Ending::Stop,
    });
    session.advance(10.0);
    assert_eq!(time(&session), duration);
    assert!(!session.state().playback.is_playing);
    session.run(PlaybackCommand::Play);
    assert_eq!(time(&session), 0.0, "it begins again");
    check(&session);
}

#[test]
fn only_the_range_is_played() {
    let mut session = walking();
    session.run(PlaybackCommand::Range {
        range_secs: Some([0.5, 0.25]),
    });
    assert_eq!(session.state().playback.range_secs, Some([0.25, 0.5]));
    assert_eq!(time(&session), 0.25);
    session.run(PlaybackCommand::Play);
    session.advance(0.375);
    assert_eq!(time(&session), 0.375);
    session.run(PlaybackCommand::Seek { time_secs: 0.9 });
    assert_eq!(time(&session), 0.5);
    session.run(PlaybackCommand::Range { range_secs: None });
    check(&session);
}

#[test]
fn speed_and_numbers_that_are_none_are_brought_into_range() {
    let mut session = walking();
    for (speed, wanted) in [(100.0, 4.0), (-1.0, 0.05), (f64::NAN, 0.05), (2.0, 2.0)] {
        session.run(PlaybackCommand::Speed { speed });
        assert_eq!(session.state().playback.speed, wanted);
    }
    session.run(PlaybackCommand::Play);
    session.advance(0.25);
    assert_eq!(time(&session), 0.5);
    session.advance(f64::NAN);
    session.advance(-1.0);
    session.run(PlaybackCommand::Seek {
        time_secs: f64::NAN,
    });
    assert_eq!(time(&session), 0.5);
    session.run(PlaybackCommand::Seek {
        time_secs: f64::INFINITY,
    });
    assert_eq!(time(&session), session.duration_secs());
    check(&session);
}

#[test]
fn steps_go_from_frame_to_frame_and_pause() {
    let mut session = walking();
    session.run(PlaybackCommand::Fps { fps: 25.0 });
    session.run(PlaybackCommand::Play);
    session.run(PlaybackCommand::Seek { time_secs: 0.1 });
    session.run(PlaybackCommand::StepFrames { frames: 1 });
    assert!((time(&session) - 0.12).abs() < 1e-9);
    session.run(PlaybackCommand::StepFrames { frames: -1 });
    assert!((time(&session) - 0.08).abs() < 1e-9);
    assert!(!session.state().playback.is_playing);
    session.run(PlaybackCommand::StepFrames { frames: i32::MAX });
    assert_eq!(time(&session), session.duration_secs());
    session.run(PlaybackCommand::StepFrames { frames: i32::MIN });
    assert_eq!(time(&session), 0.0);
}

#[test]
fn keys_are_those_of_the_selected_joint() {
    let mut session = walking();
    let clip = session.clip().expect("a clip").clone();
    let joint = clip.joints.iter().find(|tracks| tracks.rotation.is_some());
    let joint = joint.expect("a joint rotates");
    let times = joint.rotation.as_ref().expect("keys").times().clone();
    session.run(SelectionCommand::Select {
        selection: Selection::Joint(joint.joint),
    });
    for time_secs in times.iter().skip(1) {
        session.run(PlaybackCommand::NextKey);
        assert!((time(&session) - f64::from(*time_secs)).abs() < 1e-9);
    }
    for time_secs in times.iter().rev().skip(1) {
        session.run(PlaybackCommand::PreviousKey);
        assert!((time(&session) - f64::from(*time_secs)).abs() < 1e-9);
    }
    session.run(PlaybackCommand::PreviousKey);
    assert_eq!(time(&session), 0.0);
}

#[test]
fn events_fire_once_a_pass_whatever_the_steps() {
    let events = walking().clip().expect("a clip").events.clone();
    assert!(events.len() >= 2, "{events:?}");
    let duration = walking().duration_secs();
    for step in [0.9 * duration, 0.25, 0.0625] {
        let mut session = walking();
        session.run(PlaybackCommand::Play);
        let mut heard = fired(&session);
        let mut before = session.state().playback.fired.len();
        let mut gone = 0.0;
        while gone < 3.0 * duration - 1e-9 {
            let by = step.min(3.0 * duration - gone);
            session.advance(by);
            gone += by;
            let now = &session.state().playback.fired;
            heard.extend(now.iter().filter(|f| f.age_secs == 0.0).map(|f| f.event));
            before = before.max(now.len());
        }
        for event in 0..events.len() {
            let times = heard.iter().filter(|&&e| e == event).count();
            let at = f64::from(events[event].time_secs);
            // An event at 0 fires at the beginning of each loop.
            let wanted = if at == 0.0 { 3..=4 } else { 3..=3 };
            assert!(
                wanted.contains(&times),
                "{step}: event {event} at {at}: {times}"
            );
        }
    }
}

#[test]
fn scrubbing_fires_what_is_passed_and_flashes_fade() {
    let mut session = walking();
    let events = session.clip().expect("a clip").events.clone();
    let at = f64::from(events[0].time_secs);
    session.run(PlaybackCommand::Seek {
        time_secs: at - 0.01,
    });
    assert!(!fired(&session).contains(&0) || at == 0.0);
    session.run(PlaybackCommand::Seek { time_secs: at });
    session.run(PlaybackCommand::Seek {
        time_secs: at + 0.01,
    });
    assert_eq!(fired(&session).iter().filter(|&&e| e == 0).count(), 1);
    session.run(PlaybackCommand::Seek {
        time_secs: at - 0.01,
    });
    assert_eq!(
        fired(&session).iter().filter(|&&e| e == 0).count(),
        2,
        "once each way"
    );
    session.advance(0.5);
    assert_eq!(session.state().playback.fired[0].age_secs, 0.5);
    session.advance(0.6);
    assert!(fired(&session).is_empty());
}

#[test]
fn blended_clips_meet_between_them_and_the_root_can_stay() {
    let mut session = paused();
    let person = session.document().files()[0].character.clone();
    let [walk, run] = ["walk", "run"].map(|name| person.find_clip(name).expect(name));
    let hips = |session: &mut Session| {
        let figure = session.figure(0).expect("the mannequin");
        figure.actor.socket("hips").expect("hips").translation()
    };
    session.run(PlaybackCommand::Clip { clip: Some(walk) });
    let alone = hips(&mut session);
    session.run(PlaybackCommand::Clip { clip: Some(run) });
    let other = hips(&mut session);
    session.run(PlaybackCommand::Clip { clip: Some(walk) });
    session.run(PlaybackCommand::Blend {
        clip: run,
        weight: 1.0,
    });
    check(&session);
    assert!(hips(&mut session).distance(0.5 * (alone + other)) < 1e-4);
    session.run(PlaybackCommand::Blend {
        clip: run,
        weight: 0.0,
    });
    assert_eq!(session.state().playback.blended, []);
    session.run(PlaybackCommand::Blend {
        clip: 99,
        weight: 1.0,
    });
    session.run(PlaybackCommand::Blend {
        clip: walk,
        weight: 1.0,
    });
    session.run(PlaybackCommand::Blend {
        clip: run,
        weight: f32::NAN,
    });
    assert_eq!(session.state().playback.blended, []);

    let end = session.duration_secs();
    let start = hips(&mut session);
    session.run(PlaybackCommand::Seek {
        time_secs: 0.7 * end,
    });
    let there = hips(&mut session);
    session.run(PlaybackCommand::RootMotion { on: false });
    let in_place = hips(&mut session);
    assert!((in_place.x - start.x).abs() < 1e-4 && (in_place.z - start.z).abs() < 1e-4);
    assert!((in_place.y - there.y).abs() < 1e-4, "the bob stays");
    settle(&mut session);
    check(&session);
}
