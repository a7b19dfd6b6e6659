//! The options of retargeting.

/// The options of retargeting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RetargetOptions {
    /// True to keep feet in place that stand on the source.
    pub feet: bool,
    /// True to bring hands to where the source's are, seen from between the shoulders and in spans of the arms.
    pub hands: bool,
    /// In place of the ratio of hip heights.
    pub scale: Option<f32>,
    /// The time of the clip at which the source stands as at rest (in a T pose, say), for files whose own
    /// rest pose is none that a person can stand in.
    pub rest_secs: Option<f64>,
}

impl Default for RetargetOptions {
    fn default() -> Self {
        Self {
            feet: true,
            hands: false,
            scale: None,
            rest_secs: None,
        }
    }
}
