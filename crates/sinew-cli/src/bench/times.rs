/// Frames of a motion: ten seconds at 60 per second.
pub(super) const FRAMES: usize = 600;

/// Quasi-random times within a clip, the same in every run.
pub(super) fn random_times(count: usize, duration: f64) -> Vec<f64> {
    let part = |n: usize| (n as f64 * 0.618_033_988_749_895).fract();
    (0..count).map(|n| part(n) * duration).collect()
}
