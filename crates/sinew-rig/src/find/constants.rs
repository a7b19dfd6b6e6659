//! Constants that were chosen while looking at bodies. `scripts/leave-one-out-joints` varies them.

/// Constants of the finder. No options: they may change in any version.
#[derive(Clone, Copy, Debug)]
pub struct Constants {
    /// Deviations of lengths of a person, per usual deviation.
    pub loose: f64,
    /// Usual deviation of a radius, as a fraction of it.
    pub girth: f64,
    /// Weight of all samples of the surface together, in independent observations.
    pub observed: f64,
    /// Weight of a normal that differs, relative to the distance.
    pub facing: f64,
    /// Least depth of the middle of a bone, in radii.
    pub deep: f64,
    /// Way from the fit to a landmark near it.
    pub share: f64,
    /// Height of the hip above the crotch, as a fraction of the way from crotch to shoulders.
    pub hip: f64,
    /// Cost of facing backward, and of another side up.
    pub backward: f64,
    /// Max cost of the fit of a person of whom the stance tells nothing.
    pub person: f64,
}

impl Constants {
    pub const DEFAULT: Self = Self {
        loose: 0.6,
        girth: 0.22,
        observed: 400.0,
        facing: 1.5,
        deep: 0.6,
        share: 0.5,
        hip: 0.14,
        backward: 10.0,
        person: 118.0,
    };
}
