use crate::error::Reason;
use glam::Quat;

/// Checks that a number is finite and in a range.
pub fn within(
    option: &'static str,
    value: f32,
    allowed: std::ops::RangeInclusive<f32>,
    range: &'static str,
) -> Result<(), Reason> {
    if allowed.contains(&value) {
        Ok(())
    } else {
        Err(Reason::Range {
            option,
            value,
            range,
        })
    }
}

/// Max time of keys and events, in seconds.
pub const MAX_SECS: f32 = 1e6;

pub fn check_time(time_secs: f32) -> Result<(), Reason> {
    within(
        "time_secs",
        time_secs,
        0.0..=MAX_SECS,
        "from 0 to 1,000,000",
    )
}

pub fn counted(count: usize, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}

/// A rotation typed with few digits, with unit length. Others stay, and are refused later.
pub fn unit(rotation: Quat) -> Quat {
    let length = rotation.length();
    if (length - 1.0).abs() < 0.05 {
        rotation.normalize()
    } else {
        rotation
    }
}
