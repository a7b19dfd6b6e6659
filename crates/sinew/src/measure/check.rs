//! Checks of measurements in text form. The check `volume<0.9` fails if the volume is below 0.9.

use super::report::{FrameReport, Measurement, MethodReport, Reading};
use sinew_skin::Method;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Measured quantity, with one value per frame or per joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Volume relative to rest.
    Volume,
    /// Min radius of a limb at a joint, relative to rest.
    SectionMin,
    /// Max distance of a vertex from the bones at a joint, relative to rest.
    SectionMax,
    /// First percentile of the stretch of edges.
    StretchP1,
    /// Median stretch of edges.
    StretchP50,
    /// 99th percentile of the stretch of edges.
    StretchP99,
    /// Max stretch of an edge.
    StretchMax,
    /// Number of flipped triangles.
    Flipped,
    /// Mean error of normals, in degrees.
    NormalErrorMean,
    /// 99th percentile of the error of normals, in degrees.
    NormalErrorP99,
    /// Max error of a normal, in degrees.
    NormalErrorMax,
    /// Max speed of a vertex, in units per second.
    SpeedMax,
    /// Max distance that a vertex moves in a frame, relative to the extent of the surface.
    StepMax,
    /// Max rotation of a joint relative to bind, in degrees.
    AngleMax,
}

impl Metric {
    /// All metrics with their names.
    pub const ALL: [(Self, &'static str); 14] = [
        (Self::Volume, "volume"),
        (Self::SectionMin, "section_min"),
        (Self::SectionMax, "section_max"),
        (Self::StretchP1, "stretch_p1"),
        (Self::StretchP50, "stretch_p50"),
        (Self::StretchP99, "stretch_p99"),
        (Self::StretchMax, "stretch_max"),
        (Self::Flipped, "flipped"),
        (Self::NormalErrorMean, "normal_error_mean"),
        (Self::NormalErrorP99, "normal_error_p99"),
        (Self::NormalErrorMax, "normal_error_max"),
        (Self::SpeedMax, "speed_max"),
        (Self::StepMax, "step_max"),
        (Self::AngleMax, "angle_max"),
    ];

    /// Name of the metric in the text of a check.
    pub fn name(self) -> &'static str {
        let named = Self::ALL.iter().find(|(metric, _)| *metric == self);
        named.map_or("", |(_, name)| name)
    }

    /// All values for a method: one per frame, or one per joint.
    pub fn readings(self, measurement: &Measurement, report: &MethodReport) -> Vec<Reading> {
        let per_frame = |value: &dyn Fn(&FrameReport) -> f64, first: usize| {
            let frames = report.frames.iter().enumerate().skip(first);
            let reading = |(frame, f): (usize, &FrameReport)| Reading {
                value: value(f),
                frame,
                joint: None,
            };
            frames.map(reading).collect()
        };
        match self {
            Self::Volume if report.frames.iter().any(|f| f.volume.is_none()) => Vec::new(),
            Self::Volume => per_frame(&|f| f.volume.unwrap_or(f64::NAN), 0),
            Self::SectionMin => report.sections.iter().map(|s| s.narrowest).collect(),
            Self::SectionMax => report.sections.iter().filter_map(|s| s.widest).collect(),
            Self::StretchP1 => per_frame(&|f| f.stretch.p1, 0),
            Self::StretchP50 => per_frame(&|f| f.stretch.p50, 0),
            Self::StretchP99 => per_frame(&|f| f.stretch.p99, 0),
            Self::StretchMax => per_frame(&|f| f.stretch.max, 0),
            Self::Flipped => per_frame(&|f| f.flipped as f64, 0),
            Self::NormalErrorMean => per_frame(&|f| f.normal_error_deg.mean, 0),
            Self::NormalErrorP99 => per_frame(&|f| f.normal_error_deg.p99, 0),
            Self::NormalErrorMax => per_frame(&|f| f.normal_error_deg.max, 0),
            // The first frame has no speed.
            Self::SpeedMax => per_frame(&|f| f.speed, 1),
            Self::StepMax => per_frame(&|f| f.step, 1),
            Self::AngleMax => {
                let rotation = |t: &super::JointRotation| Reading {
                    value: t.angle_deg,
                    frame: t.frame,
                    joint: Some(t.joint),
                };
                measurement.rotations.iter().map(rotation).collect()
            }
        }
    }
}

/// Comparison of a value with a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Comparison {
    /// All comparisons, the longer first, so that `<=` is not read as `<`.
    const ALL: [(Self, &'static str); 4] = [
        (Self::LessOrEqual, "<="),
        (Self::GreaterOrEqual, ">="),
        (Self::Less, "<"),
        (Self::Greater, ">"),
    ];

    fn holds(self, value: f64, bound: f64) -> bool {
        match self {
            Self::Less => value < bound,
            Self::LessOrEqual => value <= bound,
            Self::Greater => value > bound,
            Self::GreaterOrEqual => value >= bound,
        }
    }
}

/// Check that fails if `metric comparison bound` is true.
///
/// ```
/// use sinew::Method;
/// use sinew::measure::{Check, measure};
/// let tube = sinew_samples::tube_character();
/// let found = measure(&tube, tube.find_clip("twist"), &[0.0, 1.0], &[Method::Linear])?;
/// let check: Check = "section_min < 0.8".parse()?;
/// let worst = check.violation(&found, &found.methods[0]).ok_or("the tube collapses")?;
/// assert_eq!(worst.reading.map(|r| r.frame), Some(1));
/// assert!("size<1".parse::<Check>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Check {
    /// Value to compare.
    pub metric: Metric,
    /// Comparison that means failure.
    pub comparison: Comparison,
    /// Finite number to compare with.
    pub bound: f64,
}

/// Syntax error in a check.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// Text without a comparison.
    #[error("\"{0}\" is not a check like volume<0.9: it has none of <, >, <= and >=")]
    NoComparison(String),
    /// Unknown metric on the left side.
    #[error("there is no metric \"{0}\"; the metrics are {names}", names = metric_names())]
    NoSuchMetric(String),
    /// Right side that is not a finite number.
    #[error("\"{0}\" is not a number to compare with")]
    NoBound(String),
}

fn metric_names() -> String {
    Metric::ALL.map(|(_, name)| name).join(", ")
}

impl FromStr for Check {
    type Err = CheckError;

    fn from_str(text: &str) -> Result<Self, CheckError> {
        let parts = Comparison::ALL.iter().find_map(|&(comparison, written)| {
            let (name, bound) = text.split_once(written)?;
            Some((name.trim(), comparison, bound.trim()))
        });
        let (name, comparison, bound) =
            parts.ok_or_else(|| CheckError::NoComparison(text.to_owned()))?;
        let metric = Metric::ALL.iter().find(|(_, known)| *known == name);
        let &(metric, _) = metric.ok_or_else(|| CheckError::NoSuchMetric(name.to_owned()))?;
        let number = bound.parse().ok().filter(|b: &f64| b.is_finite());
        Ok(Self {
            metric,
            comparison,
            bound: number.ok_or_else(|| CheckError::NoBound(bound.to_owned()))?,
        })
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = Comparison::ALL.iter().find(|c| c.0 == self.comparison);
        let written = written.map_or("", |c| c.1);
        write!(f, "{}{written}{}", self.metric.name(), self.bound)
    }
}

/// Failed check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Violation {
    /// Skinning method that fails.
    pub method: Method,
    /// Worst value. `None` if there is no value, as for the volume of an open mesh.
    pub reading: Option<Reading>,
}

impl Check {
    /// Worst failure of a method, if any. Missing values and NaN also fail.
    pub fn violation(&self, measurement: &Measurement, report: &MethodReport) -> Option<Violation> {
        let readings = self.metric.readings(measurement, report);
        let is_unknown = readings.is_empty();
        let fails = |r: &Reading| r.value.is_nan() || self.comparison.holds(r.value, self.bound);
        let worse = |a: &Reading, b: &Reading| match self.comparison {
            Comparison::Less | Comparison::LessOrEqual => b.value.total_cmp(&a.value),
            Comparison::Greater | Comparison::GreaterOrEqual => a.value.total_cmp(&b.value),
        };
        let worst = readings.into_iter().filter(fails).max_by(worse);
        (is_unknown || worst.is_some()).then_some(Violation {
            method: report.method,
            reading: worst,
        })
    }
}
