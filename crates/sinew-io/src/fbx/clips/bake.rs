//! Converts a function of time to keys. Keys are exact. Between keys, the error has a limit.
//!
//! It tries lines first. A span with a bend becomes a cubic. The span is halved if the cubic is not
//! close enough. A jump becomes two keys with adjacent `f32` times.

use sinew::{Interpolation, Track, TrackError};

const MAX_HALVINGS: u32 = 8;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::fbx) struct Moment {
    pub(in crate::fbx) time: f64,
    pub(in crate::fbx) jumps_before: bool,
    pub(in crate::fbx) jumps_after: bool,
}

pub(in crate::fbx) struct Signal<F> {
    pub(in crate::fbx) value: F,
    /// Time in the file at clip time 0, in seconds.
    pub(in crate::fbx) offset_secs: f64,
    pub(in crate::fbx) is_rotation: bool,
    /// Max error between keys. For rotations it is an angle in radians.
    pub(in crate::fbx) tolerance: f64,
}

#[derive(Clone)]
struct Key {
    time: f32,
    value: Vec<f64>,
    /// Slopes per second before and after the key, once known.
    into: Option<Vec<f64>>,
    out: Option<Vec<f64>>,
    fits: bool,
    jumps: bool,
}

/// Bytes of memory for a key of `width` numbers: its value, its slopes and its final `f32` numbers.
/// The struct counts three times, because the list grows.
pub(in crate::fbx) fn bytes_of_key(width: usize) -> usize {
    3 * size_of::<Key>() + width.saturating_mul(3 * (size_of::<f64>() + size_of::<f32>()))
}

impl<F: Fn(f64) -> Vec<f64>> Signal<F> {
    /// Creates keys at the ascending `moments`, and more between them, at most `max_keys`.
    pub(in crate::fbx) fn bake(
        &self,
        moments: &[Moment],
        max_keys: usize,
    ) -> Result<Track, TrackError> {
        let mut keys = self.keys(moments);
        let Some(first) = keys.first() else {
            return Err(TrackError::Empty);
        };
        let width = first.value.len();
        let stands_still = |key: &Key| self.distance(&key.value, &first.value) < 1e-9;
        if keys.iter().all(stands_still) && self.all_spans(&keys, |s| self.is_line(s)) {
            keys.truncate(1);
            return track(&keys, width, self.line());
        }
        if self.all_spans(&keys, |span| self.is_step(span)) {
            // The key just before a jump equals the key before it.
            let last = keys.len() - 1;
            let is_kept = |index: usize| index < last && !keys[index].jumps;
            let kept =
                (0..keys.len()).filter(|index| *index == 0 || *index == last || is_kept(*index));
            let kept: Vec<Key> = kept.map(|index| keys[index].clone()).collect();
            return track(&kept, width, Interpolation::Step);
        }
        if self.all_spans(&keys, |span| self.is_line(span)) {
            return track(&keys, width, self.line());
        }
        self.find_slopes(&mut keys);
        for _ in 0..MAX_HALVINGS {
            let far = keys.windows(2).filter(|span| self.is_far(span)).count();
            if far == 0 || keys.len() + far > max_keys {
                break;
            }
            keys = self.halved(keys);
            self.find_slopes(&mut keys);
        }
        track(&keys, width, Interpolation::CubicHermite)
    }

    fn line(&self) -> Interpolation {
        if self.is_rotation {
            Interpolation::Slerp
        } else {
            Interpolation::Linear
        }
    }

    fn at(&self, time_secs: f64) -> Vec<f64> {
        (self.value)(time_secs + self.offset_secs)
    }

    fn key(&self, time: f32, jumps: bool, near: Option<&Vec<f64>>) -> Key {
        let mut value = self.at(f64::from(time));
        if let Some(near) = near {
            self.flip_toward(&mut value, near);
        }
        Key {
            time,
            value,
            into: None,
            out: None,
            fits: false,
            jumps,
        }
    }

    /// Samples values at times that are rounded to `f32`, so that the keys are exact.
    fn keys(&self, moments: &[Moment]) -> Vec<Key> {
        let mut times: Vec<(f32, bool)> = Vec::new();
        for moment in moments {
            let time = moment.time - self.offset_secs;
            let nearest = time as f32;
            if !moment.jumps_before && !moment.jumps_after {
                times.push((nearest, false));
                continue;
            }
            // The last `f32` time that is not after the jump.
            let before = if f64::from(nearest) > time {
                nearest.next_down()
            } else {
                nearest
            };
            let is_exact = f64::from(before) == time;
            if is_exact && moment.jumps_before {
                times.push((before.next_down(), true));
            }
            let jumps = !is_exact || moment.jumps_after;
            times.push((before, jumps));
            if jumps {
                times.push((before.next_up(), false));
            }
        }
        times.retain(|(time, _)| time.is_finite());
        times.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        times.dedup_by_key(|(time, _)| *time);
        let mut keys: Vec<Key> = Vec::with_capacity(times.len());
        for (time, jumps) in times {
            let key = self.key(time, jumps, keys.last().map(|key| &key.value));
            keys.push(key);
        }
        keys
    }

    fn is_far(&self, span: &[Key]) -> bool {
        !span[0].jumps && !span[0].fits && !self.is_curve(span)
    }

    fn halved(&self, keys: Vec<Key>) -> Vec<Key> {
        let far: Vec<bool> = keys.windows(2).map(|span| self.is_far(span)).collect();
        let mut finer: Vec<Key> = Vec::with_capacity(2 * keys.len());
        let mut is_new = false;
        for (index, mut key) in keys.into_iter().enumerate() {
            let is_far = far.get(index).copied().unwrap_or(false);
            key.fits = !is_far;
            if let Some(before) = finer.last_mut() {
                self.flip_toward(&mut key.value, &before.value);
                if is_new {
                    let middle = between(before.time, key.time, 0.5) as f32;
                    if middle > before.time && middle < key.time {
                        before.out = None;
                        key.into = None;
                        let near = before.value.clone();
                        finer.push(self.key(middle, false, Some(&near)));
                    }
                }
            }
            is_new = is_far;
            finer.push(key);
        }
        finer
    }

    fn flip_toward(&self, value: &mut [f64], near: &[f64]) {
        if self.is_rotation && dot(value, near) < 0.0 {
            value.iter_mut().for_each(|part| *part = -*part);
        }
    }

    fn all_spans(&self, keys: &[Key], is_right: impl Fn(&[Key]) -> bool) -> bool {
        let mut spans = keys.windows(2);
        spans.all(|span| span[0].jumps || is_right(span))
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let difference = |sign: f64| {
            let parts = a.iter().zip(b).map(|(a, b)| (a - sign * b).powi(2));
            parts.sum::<f64>().sqrt()
        };
        match self.is_rotation {
            // For small angles, the distance of quaternions is half the angle.
            true => 2.0 * difference(1.0).min(difference(-1.0)),
            false => difference(1.0),
        }
    }

    fn is_near(&self, span: &[Key], along: f64, value: &[f64]) -> bool {
        let time = between(span[0].time, span[1].time, along);
        self.distance(&self.at(time), value) <= self.tolerance
    }

    fn is_step(&self, span: &[Key]) -> bool {
        let stands = |along: f64| {
            let time = between(span[0].time, span[1].time, along);
            self.distance(&self.at(time), &span[0].value) < 1e-9
        };
        [0.25, 0.5, 1.0 - 1e-6].into_iter().all(stands)
    }

    fn is_line(&self, span: &[Key]) -> bool {
        [0.25, 0.5, 0.75].into_iter().all(|along| {
            let value = if self.is_rotation {
                slerp(&span[0].value, &span[1].value, along)
            } else {
                mix(&span[0].value, &span[1].value, along)
            };
            self.is_near(span, along, &value)
        })
    }

    fn is_curve(&self, span: &[Key]) -> bool {
        let (Some(out), Some(into)) = (&span[0].out, &span[1].into) else {
            return false;
        };
        let secs = f64::from(span[1].time) - f64::from(span[0].time);
        [0.15, 0.5, 0.85].into_iter().all(|t| {
            let (t2, t3) = (t * t, t * t * t);
            let parts = (0..out.len()).map(|c| {
                (2.0 * t3 - 3.0 * t2 + 1.0) * span[0].value[c]
                    + (t3 - 2.0 * t2 + t) * secs * out[c]
                    + (3.0 * t2 - 2.0 * t3) * span[1].value[c]
                    + (t3 - t2) * secs * into[c]
            });
            let mut value: Vec<f64> = parts.collect();
            if self.is_rotation {
                let length = dot(&value, &value).sqrt();
                value.iter_mut().for_each(|part| *part /= length);
            }
            self.is_near(span, t, &value)
        })
    }

    /// Slopes of the cubics through the values at one third and two thirds of each span. Samples
    /// close to keys are avoided, because `f32` rounding could shift a kink.
    fn find_slopes(&self, keys: &mut [Key]) {
        for index in 1..keys.len() {
            let (from, to) = (&keys[index - 1], &keys[index]);
            if from.jumps || (from.out.is_some() && to.into.is_some()) {
                continue;
            }
            let secs = f64::from(to.time) - f64::from(from.time);
            let inside = [1.0 / 3.0, 2.0 / 3.0].map(|along| {
                let mut value = self.at(between(from.time, to.time, along));
                self.flip_toward(&mut value, &from.value);
                value
            });
            let slope = |factors: [f64; 4]| -> Vec<f64> {
                let parts = (0..from.value.len()).map(|c| {
                    let values = [from.value[c], inside[0][c], inside[1][c], to.value[c]];
                    let sum: f64 = factors.iter().zip(values).map(|(f, v)| f * v).sum();
                    sum / (2.0 * secs)
                });
                parts.collect()
            };
            let (out, into) = (
                slope([-11.0, 18.0, -9.0, 2.0]),
                slope([-2.0, 9.0, -18.0, 11.0]),
            );
            keys[index - 1].out = Some(out);
            keys[index].into = Some(into);
        }
    }
}

fn track(keys: &[Key], width: usize, interpolation: Interpolation) -> Result<Track, TrackError> {
    let times: Vec<f32> = keys.iter().map(|key| key.time).collect();
    let mut values: Vec<f32> = Vec::with_capacity(keys.len() * width);
    let mut push = |list: &[f64]| values.extend(list.iter().map(|v| crate::fbx::plain::number(*v)));
    let flat = vec![0.0; width];
    for key in keys {
        match interpolation {
            Interpolation::CubicHermite => {
                push(key.into.as_deref().unwrap_or(&flat));
                push(&key.value);
                push(key.out.as_deref().unwrap_or(&flat));
            }
            _ => push(&key.value),
        }
    }
    Track::new(times, values, width, interpolation)
}

fn between(from: f32, to: f32, along: f64) -> f64 {
    f64::from(from) + (f64::from(to) - f64::from(from)) * along
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn mix(a: &[f64], b: &[f64], along: f64) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + (b - a) * along).collect()
}

fn slerp(a: &[f64], b: &[f64], along: f64) -> Vec<f64> {
    let cos = dot(a, b).clamp(-1.0, 1.0);
    let sign = cos.signum();
    let sin = (1.0 - cos * cos).sqrt();
    let angle = f64::atan2(sin, cos.abs());
    let (from, to) = if angle > 1e-6 {
        let part = |t: f64| (t * angle).sin() / sin;
        (part(1.0 - along), part(along))
    } else {
        (1.0 - along, along)
    };
    a.iter()
        .zip(b)
        .map(|(a, b)| from * a + sign * to * b)
        .collect()
}
