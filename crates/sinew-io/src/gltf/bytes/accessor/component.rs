//! Components as they lie in a buffer, and the values that they become.

use bytemuck::Pod;

use crate::gltf::document::format::{AccessorFormat, ComponentType};

/// A type that components are turned into.
pub trait Value: Pod + PartialOrd + Default {
    /// From a component as it lies in the buffer.
    fn from_component<C: Component>(component: C, normalized: bool) -> Self;

    /// Zero, or what is not a number for a value that is infinite or not a number.
    fn oddness(self) -> f32;

    /// From a bound as the document spells it, in the units of the buffer.
    fn from_bound(bound: f64, format: AccessorFormat) -> Self;
}

impl Value for f32 {
    fn from_component<C: Component>(component: C, normalized: bool) -> Self {
        if normalized {
            component.to_fraction()
        } else {
            component.to_f32()
        }
    }
    fn oddness(self) -> f32 {
        self * 0.0
    }
    fn from_bound(bound: f64, format: AccessorFormat) -> Self {
        if !format.is_normalized() {
            return bound as Self;
        }
        match format.component {
            ComponentType::Byte => (bound as i8).to_fraction(),
            ComponentType::UnsignedByte => (bound as u8).to_fraction(),
            ComponentType::Short => (bound as i16).to_fraction(),
            _ => (bound as u16).to_fraction(),
        }
    }
}

macro_rules! integer_value {
    ($($Type:ty),*) => {$(
        impl Value for $Type {
            fn from_component<C: Component>(component: C, _: bool) -> $Type {
                let index = component.to_u32();
                <$Type>::try_from(index).unwrap_or(<$Type>::MAX)
            }
            fn oddness(self) -> f32 {
                0.0
            }
            fn from_bound(bound: f64, _: AccessorFormat) -> $Type {
                bound as $Type
            }
        }
    )*};
}

integer_value!(u16, u32);

/// A component as it lies in the buffer.
pub trait Component: Copy {
    /// From exactly its bytes.
    fn read(bytes: &[u8]) -> Self;
    /// Its value.
    fn to_f32(self) -> f32;
    /// Its value as a fraction of its range.
    fn to_fraction(self) -> f32;
    /// Its value as an index; the nearest one when it is none.
    fn to_u32(self) -> u32;
}

macro_rules! component {
    ($($Type:ident to_u32 $to_u32:expr, to_fraction $to_fraction:expr;)*) => {$(
        impl Component for $Type {
            fn read(bytes: &[u8]) -> Self {
                // Callers cut the bytes to the size, so the default is never seen.
                bytes.first_chunk().map_or(<$Type>::default(), |bytes| <$Type>::from_le_bytes(*bytes))
            }
            fn to_f32(self) -> f32 {
                self as f32
            }
            fn to_fraction(self) -> f32 {
                let to_fraction: fn($Type) -> f32 = $to_fraction;
                to_fraction(self)
            }
            fn to_u32(self) -> u32 {
                let to_u32: fn($Type) -> u32 = $to_u32;
                to_u32(self)
            }
        }
    )*};
}

component! {
    i8 to_u32 |value| value.max(0) as u32, to_fraction |value| (f32::from(value) / 127.0).max(-1.0);
    u8 to_u32 u32::from, to_fraction |value| f32::from(value) / 255.0;
    i16 to_u32 |value| value.max(0) as u32, to_fraction |value| (f32::from(value) / 32767.0).max(-1.0);
    u16 to_u32 u32::from, to_fraction |value| f32::from(value) / 65535.0;
    u32 to_u32 |value| value, to_fraction |value| value as f32;
    f32 to_u32 |value| value as u32, to_fraction |value| value;
}
