//! Standing feet are held at keys and between.

use super::*;

#[test]
fn feet_that_stand_are_held_and_the_others_swing_on() {
    let a = Person::default().skeleton();
    let b = Person {
        limbs: 0.8,
        trunk: 1.15,
        ..stranger()
    };
    let b = Person {
        legs_apart_deg: 0.0,
        world: Quat::IDENTITY,
        ..b
    }
    .skeleton();
    let clip = people::walk(&a);
    let done = carried(&a, &clip, &b, &RetargetOptions::default());
    let times = people::times(&done.clip);
    let places = model_places(&b, &done.clip, &times);
    assert_eq!(done.report.feet.len(), 2);
    for foot in &done.report.feet {
        assert!(foot.contact_frames() > 20, "{foot:?}");
        let ball = find_roles(&b).joint(Role::Toes(foot.side)).unwrap();
        for contact in &foot.contacts {
            for f in contact.first..contact.last {
                let speed =
                    places[f][ball].distance(places[f + 1][ball]) / (times[f + 1] - times[f]);
                assert!(speed < 0.001, "{:?} frame {f}: {speed}", foot.side);
            }
            let rest = b.rest_model().get(ball).translation().y;
            assert!((places[contact.first][ball].y - rest).abs() < 1e-4);
        }
        println!(
            "{:?}: {} m/s before, {} after",
            foot.side, foot.slide_before, foot.slide_after
        );
        assert!(
            foot.slide_before > 0.1 && foot.slide_after < 0.001,
            "{foot:?}"
        );
    }
    assert_eq!(done.report.unreached_frames, 0);
    // No jumps: joints rotate little faster than without correction.
    let free = carried(&a, &clip, &b, &NO_FEET);
    let fastest = |clip: &Clip| {
        let poses = poses(&b, clip, &times);
        let speeds = poses.windows(2).zip(times.windows(2)).flat_map(|(p, t)| {
            let turn = |j: usize| p[0].get(j).rotation.angle_between(p[1].get(j).rotation);
            let speeds = (0..b.len()).map(|j| turn(j) / (t[1] - t[0]));
            speeds.collect::<Vec<f32>>()
        });
        speeds.fold(0.0, f32::max)
    };
    let (held, free) = (fastest(&done.clip), fastest(&free.clip));
    println!("{held} rad/s, {free} without");
    assert!(held < 1.1 * free, "{held} {free}");
}

/// Leaves out some frames; the times on either side become adjacent floats.
fn cut(clip: &Clip, at: usize, frames: usize) -> Clip {
    let mut short = Clip::new("cut");
    for tracks in &clip.joints {
        let keep = |track: &Track| {
            let width = track.width();
            let times = track.times();
            let mut kept = times[..=at].to_vec();
            kept.push(times[at].next_up());
            kept.extend(&times[at + 1..times.len() - frames]);
            let mut values = track.values().to_vec();
            values.drain(width * (at + 1)..width * (at + frames));
            Track::new(kept, values, width, track.interpolation()).unwrap()
        };
        let short = short.joint_mut(tracks.joint);
        short.translation = tracks.translation.as_ref().map(keep);
        short.rotation = tracks.rotation.as_ref().map(keep);
    }
    short.fit_duration();
    short
}

fn later(clip: &Clip, secs: f32) -> Clip {
    let mut later = clip.clone();
    for tracks in &mut later.joints {
        let channels = [&mut tracks.translation, &mut tracks.rotation];
        for track in channels.into_iter().flatten() {
            let times: Vec<f32> = track.times().iter().map(|t| t + secs).collect();
            let values = track.values().to_vec();
            *track = Track::new(times, values, track.width(), track.interpolation()).unwrap();
        }
    }
    later.fit_duration();
    later
}

#[test]
fn steps_that_have_no_middle_are_not_halved() {
    let a = Person::default().skeleton();
    let b = Person {
        limbs: 0.8,
        trunk: 1.15,
        ..Person::default()
    };
    let b = b.skeleton();
    let walk = people::walk(&a);
    let feet = carried(&a, &walk, &b, &NO_FEET).report.feet;
    let contact = feet[0].contacts[1];
    let at = (contact.first + contact.last) / 2 - 3;
    assert!(contact.last - at > 8, "{contact:?}");
    // After five hours a frame at 60 per second spans eight floats.
    for clip in [cut(&walk, at, 6), later(&walk, 20_000.0)] {
        let done = carried(&a, &clip, &b, &RetargetOptions::default());
        let times = people::times(&done.clip);
        assert!(times.is_sorted_by(|a, b| a < b));
        assert_eq!(done.report.frames, times.len());
        for foot in &done.report.feet {
            println!("{}: {foot:?}", clip.name);
            assert!(foot.contact_frames() > 20, "{foot:?}");
            assert!(foot.slide_after < 0.01, "{foot:?}");
        }
    }
}
