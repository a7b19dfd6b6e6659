use super::part::{Mover, Part};
use sinew_math::hierarchy::Hierarchy;
use sinew_math::transform::Affine;
use sinew_skin::{DualQuatPalette, Method, Palette, PaletteRef, Skin, SkinError};

#[derive(Clone, Debug)]
pub(super) enum SkinPalette {
    Matrices(Palette),
    DualQuats(Box<DualQuatPalette>),
}

impl SkinPalette {
    /// Palette at the rest pose.
    pub fn new(
        method: Method,
        hierarchy: &Hierarchy,
        rest: &[Affine],
        skin: &Skin,
    ) -> Result<Self, SkinError> {
        if method == Method::DualQuat {
            let palette = DualQuatPalette::new(hierarchy, rest, skin)?;
            return Ok(Self::DualQuats(Box::new(palette)));
        }
        let mut palette = Palette::default();
        palette.update(skin, rest)?;
        Ok(Self::Matrices(palette))
    }

    pub fn update(&mut self, skin: &Skin, model_from_joint: &[Affine]) -> Result<(), SkinError> {
        match self {
            Self::Matrices(palette) => palette.update(skin, model_from_joint),
            Self::DualQuats(palette) => palette.update(model_from_joint),
        }
    }

    pub fn as_ref(&self) -> PaletteRef<'_> {
        match self {
            Self::Matrices(palette) => PaletteRef::Linear(palette.as_slice()),
            Self::DualQuats(palette) => PaletteRef::DualQuat(palette),
        }
    }
}

pub(super) fn palette_of<'a>(
    part: &Part,
    palettes: &'a [SkinPalette],
    map: &'a Affine,
) -> PaletteRef<'a> {
    match part.mover {
        Mover::Skin(skin) => palettes[skin].as_ref(),
        Mover::Node { .. } => PaletteRef::Linear(std::slice::from_ref(map)),
    }
}
