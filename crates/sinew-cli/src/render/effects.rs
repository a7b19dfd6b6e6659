//! Effects that the events of a clip have in an animation.

use serde::Serialize;
use sinew::binding::{Target, events};
use sinew::{Character, Player, Wrap};

/// An event that fired, and its effect.
#[derive(Debug, PartialEq, Serialize)]
pub struct Effect {
    pub time_secs: f32,
    pub event: String,
    /// Effect in the notation of `--bind`.
    pub effect: String,
}

/// Effects of all events between the first frame and the end of the last frame.
pub fn of_clip(character: &Character, clip: usize, times: &[f64]) -> Vec<Effect> {
    let clip = &character.clips[clip];
    let mut effects = Vec::new();
    let mut player = Player::new(Wrap::Clamp);
    let ends = times.iter().skip(1).copied();
    for end in ends.chain([f64::from(clip.duration_secs)]) {
        let dt_secs = end - player.clip_time_secs(clip);
        player.advance(clip, dt_secs, |event| {
            let driven = events(&character.bindings, &event.name);
            effects.extend(driven.map(|target: &Target| Effect {
                time_secs: event.time_secs,
                event: event.name.clone(),
                effect: target.to_string(),
            }));
        });
    }
    effects
}

/// Summary: each effect once, with its count.
pub fn summary(effects: &[Effect]) -> Option<String> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for effect in effects {
        let line = format!("{}={}", effect.event, effect.effect);
        match counts.iter_mut().find(|(known, _)| *known == line) {
            Some((_, count)) => *count += 1,
            None => counts.push((line, 1)),
        }
    }
    let times = |(line, count): &(String, usize)| match count {
        1 => format!("{line} once"),
        count => format!("{line} {count} times"),
    };
    let all: Vec<String> = counts.iter().map(times).collect();
    (!all.is_empty()).then(|| format!("events of the clip: {}", all.join(", ")))
}
