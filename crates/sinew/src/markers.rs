//! Motion capture: labelled markers over time, with gaps.

use glam::Vec3;
use thiserror::Error;

/// Measured position of a marker in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sighting {
    /// Position in metres, y up.
    pub position: Vec3,
    /// Distance between the camera rays at the marker, in metres. 0 if unknown.
    pub residual: f32,
}

/// Consecutive frames in which a marker was not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// First frame of the gap.
    pub first_frame: usize,
    /// Number of frames.
    pub frames: usize,
}

/// Frame with the wrong number of markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the frame has {found} markers, but the trial has {expected}")]
#[non_exhaustive]
pub struct FrameError {
    /// Number of markers in the frame.
    pub found: usize,
    /// Number of markers in the trial.
    pub expected: usize,
}

/// Labelled markers over time, in metres, y up.
///
/// ```
/// use glam::Vec3;
/// use sinew::markers::{Sighting, Trial};
/// let mut trial = Trial::new(100.0, vec!["LFHD".into(), "RFHD".into()]);
/// let seen = |x| Some(Sighting { position: Vec3::new(x, 1.7, 0.0), residual: 0.0 });
/// trial.push(&[seen(-0.07), seen(0.07)])?;
/// trial.push(&[seen(-0.07), None])?;
/// assert_eq!(trial.frames(), 2);
/// assert_eq!(trial.gaps(1).count(), 1);
/// # Ok::<(), sinew::markers::FrameError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Frames per second.
    pub rate_hz: f64,
    labels: Vec<String>,
    sightings: Vec<Option<Sighting>>,
}

impl Trial {
    /// Trial without frames. `rate_hz` is in frames per second.
    pub fn new(rate_hz: f64, labels: Vec<String>) -> Self {
        Self {
            rate_hz,
            labels,
            sightings: Vec::new(),
        }
    }

    /// Appends a frame.
    ///
    /// # Errors
    /// If the frame does not have one entry per marker.
    pub fn push(&mut self, frame: &[Option<Sighting>]) -> Result<(), FrameError> {
        let (found, expected) = (frame.len(), self.labels.len());
        if found != expected {
            return Err(FrameError { found, expected });
        }
        self.sightings.extend_from_slice(frame);
        Ok(())
    }

    /// Names of the markers.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Index of the marker with this label.
    pub fn find(&self, label: &str) -> Option<usize> {
        self.labels.iter().position(|l| l == label)
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.sightings
            .len()
            .checked_div(self.labels.len())
            .unwrap_or(0)
    }

    /// Time from the first to the last frame, in seconds.
    pub fn duration_secs(&self) -> f64 {
        self.frames().saturating_sub(1) as f64 / self.rate_hz
    }

    /// Markers of a frame, in label order. Panics if the frame is out of range.
    pub fn frame(&self, frame: usize) -> &[Option<Sighting>] {
        &self.sightings[frame * self.labels.len()..][..self.labels.len()]
    }

    /// Position of a marker in a frame, in metres. `None` if the marker was not seen.
    pub fn position(&self, frame: usize, marker: usize) -> Option<Vec3> {
        self.frame(frame)[marker].map(|s| s.position)
    }

    /// Gaps of a marker, in order of time.
    pub fn gaps(&self, marker: usize) -> impl Iterator<Item = Gap> + '_ {
        let missing = move |&frame: &usize| self.frame(frame)[marker].is_none();
        let mut next = 0;
        std::iter::from_fn(move || {
            let first_frame = (next..self.frames()).find(missing)?;
            let seen = (first_frame..self.frames()).find(|frame| !missing(frame));
            next = seen.unwrap_or(self.frames());
            Some(Gap {
                first_frame,
                frames: next - first_frame,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_where_nothing_was_seen() {
        let mut trial = Trial::new(50.0, vec!["a".into()]);
        let here = Some(Sighting {
            position: Vec3::Y,
            residual: 0.0,
        });
        for frame in [None, here, None, None, here, None] {
            trial.push(&[frame]).expect("as many as there are labels");
        }
        let gaps: Vec<_> = trial.gaps(0).map(|g| (g.first_frame, g.frames)).collect();
        assert_eq!(gaps, [(0, 1), (2, 2), (5, 1)]);
        assert_eq!(trial.duration_secs(), 0.1);
        assert_eq!(trial.position(1, 0), Some(Vec3::Y));
    }

    #[test]
    fn no_markers_make_no_frames() {
        let mut trial = Trial::new(50.0, Vec::new());
        trial.push(&[]).expect("as many as there are labels");
        assert_eq!(trial.frames(), 0);
        assert_eq!(trial.duration_secs(), 0.0);
    }
}
