//! Options of retargeting.

/// Options of retargeting.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
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

impl RetargetOptions {
    /// Default options.
    pub const fn new() -> Self {
        Self {
            feet: true,
            hands: false,
            scale: None,
            rest_secs: None,
        }
    }

    /// Sets [`RetargetOptions::feet`].
    #[must_use]
    pub const fn feet(mut self, feet: bool) -> Self {
        self.feet = feet;
        self
    }

    /// Sets [`RetargetOptions::hands`].
    #[must_use]
    pub const fn hands(mut self, hands: bool) -> Self {
        self.hands = hands;
        self
    }

    /// Sets [`RetargetOptions::scale`].
    #[must_use]
    pub const fn scale(mut self, scale: Option<f32>) -> Self {
        self.scale = scale;
        self
    }

    /// Sets [`RetargetOptions::rest_secs`].
    #[must_use]
    pub const fn rest_secs(mut self, rest_secs: Option<f64>) -> Self {
        self.rest_secs = rest_secs;
        self
    }
}

impl Default for RetargetOptions {
    fn default() -> Self {
        Self::new()
    }
}
