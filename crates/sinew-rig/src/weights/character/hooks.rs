//! Callbacks while a character is bound.

/// The callbacks of a caller while a character is bound.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations)] // functions have none
pub struct BindHooks<'a> {
    /// Says which joints, by name, may move vertices. `None` leaves it to the skeleton; where that is open too, roots
    /// without flesh, controls and ends may not. The answer is kept in the skeleton.
    pub deforms: &'a dyn Fn(&str) -> Option<bool>,
    /// The blend radius about the joint of this name ([`Bones::radii`](crate::weights::Bones::radii)).
    pub radius: &'a dyn Fn(&str) -> Option<f32>,
    /// Told how much is done, from 0 to 1.
    pub watch: &'a dyn Fn(f64),
}

impl Default for BindHooks<'_> {
    /// Everything is left open, and nobody watches.
    fn default() -> Self {
        Self {
            deforms: &|_| None,
            radius: &|_| None,
            watch: &|_| (),
        }
    }
}
