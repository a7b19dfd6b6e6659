//! The values that a document picks from lists.

use serde::Serialize;
use serde::ser::Serializer;

use crate::gltf::document::format::{ComponentType, ElementType};
use crate::gltf::document::json::Listed;

/// The kind of data in a buffer view.
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

/// The interpolation between two keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// On the straight line between them, or the shorter arc.
    #[default]
    Linear,
    /// The earlier key's value.
    Step,
    /// On a cubic with a tangent into and out of every key.
    CubicSpline,
}

impl Interpolation {
    /// The number of elements that stand for a key: three where tangents surround the value.
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

/// The property of a node that an animation drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TargetPath {
    /// Its translation.
    Translation,
    /// Its rotation.
    Rotation,
    /// Its scale.
    Scale,
    /// The weights of its mesh's morph targets.
    Weights,
    /// Any property at all, named by `KHR_animation_pointer`.
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

/// The meaning of the alpha of a material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AlphaMode {
    /// Nothing.
    #[default]
    Opaque,
    /// There or not there, by the cutoff.
    Mask,
    /// The share of the surface that is seen.
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
                // The list holds every value of the type, so the search ends with one.
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
