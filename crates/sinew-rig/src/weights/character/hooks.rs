//! Callbacks while a character is bound.

/// Callbacks while a character is bound.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations)] // functions have none
pub struct BindHooks<'a> {
    /// True for joints, by name, that may move vertices. `None` defers to the skeleton, and then excludes roots
    /// without flesh, controls and ends. The answer is stored in the skeleton.
    pub deforms: &'a dyn Fn(&str) -> Option<bool>,
    /// Blend radius of a joint, by name ([`Bones::radii`](crate::weights::Bones::radii)).
    pub radius: &'a dyn Fn(&str) -> Option<f32>,
    /// Receives the completed fraction, in [0, 1].
    pub watch: &'a dyn Fn(f64),
}

impl Default for BindHooks<'_> {
    /// Hooks that decide nothing and ignore progress.
    fn default() -> Self {
        Self {
            deforms: &|_| None,
            radius: &|_| None,
            watch: &|_| (),
        }
    }
}
