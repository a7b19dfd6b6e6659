//! Palette of a skin, in the form that a skinning method needs.

use sinew_skin::{DualQuatPalette, Palette};

pub(super) enum SkinPalette {
    Matrices(Palette),
    DualQuats(DualQuatPalette),
}
