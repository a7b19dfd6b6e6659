use serde::Serialize;
use serde::ser::Serializer;

use crate::gltf::document::format::{ComponentType, ElementType};
use crate::gltf::document::json::Listed;

/// Kind of data in a buffer view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Vertex attributes.
    ArrayBuffer,
    /// Vertex indices.
    ElementArrayBuffer,
}

impl Listed for Target {
    type Spelling = u64;
    const LIST: &'static [(u64, Self)] = &[
        (34962, Self::ArrayBuffer),
        (34963, Self::ElementArrayBuffer),
    ];
}

/// Interpolation between two keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Linear, or along the shorter arc for rotations.
    #[default]
    Linear,
    /// The value of the earlier key.
    Step,
    /// Cubic spline, with an in-tangent and an out-tangent per key.
    CubicSpline,
}

impl Interpolation {
    /// Number of elements per key: 3 for cubic splines, else 1.
    pub fn elements_per_key(self) -> usize {
        if self == Self::CubicSpline { 3 } else { 1 }
    }
}

impl Listed for Interpolation {
    type Spelling = &'static str;
    const LIST: &'static [(&'static str, Self)] = &[
        ("LINEAR", Self::Linear),
        ("STEP", Self::Step),
        ("CUBICSPLINE", Self::CubicSpline),
    ];
}

/// Property that an animation drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TargetPath {
    /// Translation of a node.
    Translation,
    /// Rotation of a node.
    Rotation,
    /// Scale of a node.
    Scale,
    /// Weights of the morph targets of the mesh of a node.
    Weights,
    /// Any property, through `KHR_animation_pointer`.
    Pointer,
}

impl Listed for TargetPath {
    type Spelling = &'static str;
    const LIST: &'static [(&'static str, Self)] = &[
        ("translation", Self::Translation),
        ("rotation", Self::Rotation),
        ("scale", Self::Scale),
        ("weights", Self::Weights),
        ("pointer", Self::Pointer),
    ];
}

/// Meaning of the alpha of a material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AlphaMode {
    /// Alpha is ignored.
    #[default]
    Opaque,
    /// The surface is visible if alpha is at least the cutoff.
    Mask,
    /// The surface is blended with the background by alpha.
    Blend,
}

impl Listed for AlphaMode {
    type Spelling = &'static str;
    const LIST: &'static [(&'static str, Self)] = &[
        ("OPAQUE", Self::Opaque),
        ("MASK", Self::Mask),
        ("BLEND", Self::Blend),
    ];
}

macro_rules! written_as_listed {
    ($($Type:ty),*) => {$(
        impl Serialize for $Type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                // The list holds every value, so the search succeeds.
                let spelling = Self::LIST.iter().find(|(_, value)| value == self).map(|(spelling, _)| *spelling);
                spelling.serialize(serializer)
            }
        }
    )*};
}

written_as_listed!(
    Target,
    Interpolation,
    TargetPath,
    AlphaMode,
    ComponentType,
    ElementType
);
