//! Options of retargeting.

/// Options of retargeting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RetargetOptions {
    /// True to lock feet while the source's feet stand. Default true.
    pub feet: bool,
    /// True to bring hands to the source's positions, relative to the shoulders and in arm spans. Default false.
    pub hands: bool,
    /// Factor from the source's lengths to the target's. Default: the ratio of hip heights.
    pub scale: Option<f32>,
    /// Time of the clip, in seconds, at which the source is at rest (in a T pose, for example). For files whose rest
    /// pose nobody can stand in. Default: the file's rest pose.
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
