use super::cut::ClipEditError;
use crate::clip::keyed::{Clip, ClipSpace, Curve, Event, JointTracks, MorphTrack};
use crate::clip::track::{Interpolation, Track};
use crate::skeleton::Skeleton;

impl Clip {
    /// Clip that plays this clip and then `next`, for the same skeleton. A joint that only one clip
    /// moves is at rest during the other clip. Equal keys at the seam are merged. If they differ,
    /// the second key gets the next representable time. A curve or morph weight of only one clip
    /// keeps its nearest value during the other clip. Equal events at the seam are merged.
    ///
    /// # Errors
    /// If tracks of the two clips do not match.
    pub fn joined(&self, next: &Self, skeleton: &Skeleton) -> Result<Self, ClipEditError> {
        if self.space != next.space {
            return Err(ClipEditError::Spaces);
        }
        let lengths = [self.duration_secs, next.duration_secs];
        let seam = self.duration_secs;
        let mut whole = self.clone();
        for tracks in &next.joints {
            whole.joint_mut(tracks.joint);
        }
        let none = JointTracks::default();
        for tracks in &mut whole.joints {
            let more = next.joint(tracks.joint).unwrap_or(&none);
            let name = |channel| format!("the {channel} of joint {}", tracks.joint);
            let is_known = tracks.joint < skeleton.len() && self.space == ClipSpace::Local;
            let rest = is_known.then(|| skeleton.rest().get(tracks.joint));
            let [translation, rotation, scale] = match rest {
                Some(rest) => [
                    Some(rest.translation.to_array().to_vec()),
                    Some(rest.rotation.to_array().to_vec()),
                    Some(rest.scale.to_array().to_vec()),
                ],
                None => [None, None, None],
            };
            let channels = [
                (
                    &mut tracks.translation,
                    &more.translation,
                    (name("translation"), translation),
                ),
                (
                    &mut tracks.rotation,
                    &more.rotation,
                    (name("rotation"), rotation),
                ),
                (&mut tracks.scale, &more.scale, (name("scale"), scale)),
            ];
            for (track, more, (channel, rest)) in channels {
                let both = [track.as_ref(), more.as_ref()];
                *track = append(both, rest, lengths, &channel)?;
            }
        }
        for more in &next.morphs {
            if self.morphs.iter().all(|m| m.node != more.node) {
                let weights = one_key(&more.weights, 0);
                whole.morphs.push(MorphTrack {
                    weights,
                    node: more.node,
                });
            }
        }
        for morph in &mut whole.morphs {
            let channel = format!("the morph weights of node {}", morph.node);
            let more = next.morphs.iter().find(|m| m.node == morph.node);
            let more = more.map(|m| &m.weights);
            morph.weights = continued(&morph.weights, more, lengths, &channel)?;
        }
        for more in &next.curves {
            if self.curves.iter().all(|c| c.name != more.name) {
                let (name, track) = (more.name.clone(), one_key(&more.track, 0));
                whole.curves.push(Curve { name, track });
            }
        }
        for curve in &mut whole.curves {
            let channel = format!("the curve {}", curve.name);
            let more = next.curves.iter().find(|c| c.name == curve.name);
            let more = more.map(|c| &c.track);
            curve.track = continued(&curve.track, more, lengths, &channel)?;
        }
        for event in &next.events {
            let time_secs = later(event.time_secs, seam);
            let name = event.name.clone();
            let moved = Event { time_secs, name };
            if !whole.events.contains(&moved) {
                whole.events.push(moved);
            }
        }
        whole.duration_secs = later(next.duration_secs, seam);
        Ok(whole)
    }
}

/// `f32` nearest to `time + by`, the upper one on a tie.
fn later(time: f32, by: f32) -> f32 {
    let exact = f64::from(time) + f64::from(by);
    let near = exact as f32;
    let above = near.next_up();
    match f64::from(above) - exact <= exact - f64::from(near) {
        true => above,
        false => near,
    }
}

fn append(
    [track, more]: [Option<&Track>; 2],
    rest: Option<Vec<f32>>,
    lengths: [f32; 2],
    channel: &str,
) -> Result<Option<Track>, ClipEditError> {
    let resting = |other: &Track| {
        let mut key = rest.clone()?;
        if other.interpolation() == Interpolation::CubicHermite {
            let slope = vec![0.0; key.len()];
            key = [slope.clone(), key, slope].concat();
        }
        Track::new(vec![0.0], key, other.width(), other.interpolation()).ok()
    };
    let (track, more) = match (track, more) {
        (None, None) => return Ok(None),
        (Some(track), more) => (
            Some(track.clone()),
            more.cloned().or_else(|| resting(track)),
        ),
        (None, Some(more)) => (resting(more), Some(more.clone())),
    };
    match (track, more) {
        (Some(track), Some(more)) => joined(&track, &more, lengths, channel).map(Some),
        (here, _) => {
            let word = |has: bool| if has { "keyed" } else { "missing" }.to_owned();
            Err(ClipEditError::Tracks {
                channel: channel.to_owned(),
                here: word(here.is_some()),
                there: word(here.is_none()),
            })
        }
    }
}

fn one_key(track: &Track, key: usize) -> Track {
    let per_key = track.width() * track.interpolation().elements_per_key();
    let mut values = track.values()[key * per_key..(key + 1) * per_key].to_vec();
    if per_key > track.width() {
        values[..track.width()].fill(0.0);
        values[2 * track.width()..].fill(0.0);
    }
    let made = Track::new(vec![0.0], values, track.width(), track.interpolation());
    made.unwrap_or_else(|_| track.clone())
}

fn held(track: &Track, length: f32) -> Track {
    let (width, per_key) = (
        track.width(),
        track.width() * track.interpolation().elements_per_key(),
    );
    let still = |key: usize| match per_key == width {
        true => track.key(key).to_vec(),
        false => [&vec![0.0; width][..], track.key(key), &vec![0.0; width][..]].concat(),
    };
    let (mut times, mut values) = (track.times().to_vec(), track.values().to_vec());
    if times[0] > 0.0 {
        times.insert(0, 0.0);
        values.splice(0..0, still(0));
    }
    if track.end_secs() < length {
        times.push(length);
        values.extend(still(track.keys() - 1));
    }
    let made = Track::new(times, values, width, track.interpolation());
    made.unwrap_or_else(|_| track.clone())
}

fn continued(
    track: &Track,
    next: Option<&Track>,
    lengths: [f32; 2],
    channel: &str,
) -> Result<Track, ClipEditError> {
    match next {
        Some(next) => joined(track, next, lengths, channel),
        None => joined(track, &one_key(track, track.keys() - 1), lengths, channel),
    }
}

fn joined(
    track: &Track,
    more: &Track,
    [seam, length]: [f32; 2],
    channel: &str,
) -> Result<Track, ClipEditError> {
    let kind = |t: &Track| (t.interpolation(), t.width());
    let is_held = |t: &Track| t.keys() == 1;
    if is_held(track) && is_held(more) && track.key(0) == more.key(0) {
        return Ok(track.clone());
    }
    if kind(track) != kind(more) {
        let word = |t: &Track| format!("{:?} of {} numbers", t.interpolation(), t.width());
        return Err(ClipEditError::Tracks {
            channel: channel.to_owned(),
            here: word(track),
            there: word(more),
        });
    }
    let (track, more) = (&held(track, seam), &held(more, length));
    let width = track.width();
    let per_key = width * track.interpolation().elements_per_key();
    let (mut times, mut values) = (track.times().to_vec(), track.values().to_vec());
    let keys = more.times().iter().zip(more.values().chunks_exact(per_key));
    for (&time, key) in keys {
        let mut time = later(time, seam);
        let last = times[times.len() - 1];
        if time <= last {
            let there = &mut values[(times.len() - 1) * per_key..];
            let is_same = more.key(0) == track.key(track.keys() - 1);
            if is_same && time == last {
                // In-tangent from the first clip, out-tangent from the second.
                if per_key == 3 * width {
                    there[2 * width..].copy_from_slice(&key[2 * width..]);
                }
                continue;
            }
            time = last.next_up();
        }
        times.push(time);
        values.extend_from_slice(key);
    }
    let made = Track::new(times, values, width, track.interpolation());
    Ok(made.unwrap_or_else(|_| track.clone()))
}
