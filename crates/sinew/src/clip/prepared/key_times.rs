//! Key times that find a key without search. The time between the first and the last key is divided into as many equal
//! buckets as there are segments, so a bucket of evenly spaced keys has one or two keys.

use crate::clip::track::located;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) struct KeyTimes {
    secs: Arc<Vec<f32>>,
    buckets_per_sec: f64,
    /// Number of keys before each bucket, followed by the number of all keys.
    before: Vec<usize>,
}

impl KeyTimes {
    /// `secs` is not empty and ascends, as in a track.
    pub fn new(secs: &Arc<Vec<f32>>) -> Self {
        let buckets = secs.len().max(2) - 1;
        let span_secs = f64::from(secs[secs.len() - 1]) - f64::from(secs[0]);
        let mut times = Self {
            secs: secs.clone(),
            buckets_per_sec: if span_secs > 0.0 {
                buckets as f64 / span_secs
            } else {
                0.0
            },
            before: vec![0; buckets + 1],
        };
        for &key_secs in &**secs {
            let bucket = times.bucket(f64::from(key_secs));
            times.before[bucket + 1] += 1;
        }
        for bucket in 1..times.before.len() {
            times.before[bucket] += times.before[bucket - 1];
        }
        times
    }

    /// As [`Track::locate`](crate::Track), with the same bits.
    #[inline(always)]
    pub fn locate(&self, time_secs: f64) -> (usize, f64) {
        // Buckets ascend with time, so keys of lower buckets are earlier, and keys of higher buckets later.
        let bucket = self.bucket(time_secs);
        let (first, end) = (self.before[bucket], self.before[bucket + 1]);
        let in_bucket = self.secs[first..end].partition_point(|&t| f64::from(t) <= time_secs);
        located(&self.secs, first + in_bucket, time_secs)
    }

    #[inline(always)]
    fn bucket(&self, time_secs: f64) -> usize {
        // A negative number and NaN become 0.
        let bucket = (time_secs - f64::from(self.secs[0])) * self.buckets_per_sec;
        (bucket as usize).min(self.before.len() - 2)
    }
}
