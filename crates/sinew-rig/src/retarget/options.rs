//! Options for retargeting.

/// Options for retargeting.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RetargetOptions {
    /// True to lock the feet of the target while the feet of the source stand. Default true.
    pub feet: bool,
    /// True to move the hands to source positions, in arm spans from the shoulders. Default false.
    pub hands: bool,
    /// Factor from source lengths to target lengths. Default: the ratio of hip heights.
    pub scale: Option<f32>,
    /// Time in the clip, in seconds, at which the source is at rest, for example in a T pose. For
    /// files whose rest pose is not a natural stance. Default: the rest pose of the file.
    pub rest_secs: Option<f64>,
}

impl RetargetOptions {
    /// Creates the default options.
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
