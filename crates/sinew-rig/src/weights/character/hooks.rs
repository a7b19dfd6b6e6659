//! Callbacks for the binding of a character.

/// Callbacks for the binding of a character.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations)] // functions have none
pub struct BindHooks<'a> {
    /// Decides by name if a joint may move vertices, and stores the answer in the skeleton. `None`
    /// keeps the stored value, or by default excludes roots without flesh, controls and ends.
    pub deforms: &'a dyn Fn(&str) -> Option<bool>,
    /// Gives the blend radius of a joint by name ([`Bones::radii`](crate::weights::Bones::radii)).
    pub radius: &'a dyn Fn(&str) -> Option<f32>,
    /// Receives the completed fraction, in [0, 1].
    pub watch: &'a dyn Fn(f64),
}

impl Default for BindHooks<'_> {
    fn default() -> Self {
        Self {
            deforms: &|_| None,
            radius: &|_| None,
            watch: &|_| (),
        }
    }
}
