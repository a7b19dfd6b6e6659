//! Components as they lie in a buffer, and the values that they become.

use bytemuck::Pod;

use crate::gltf::format::{ComponentType, Format};

/// What components are turned into.
pub trait Value: Pod + PartialOrd + Default {
    /// From a component as it lies in the buffer.
    fn from_component<C: Component>(component: C, normalized: bool) -> Self;

    /// Zero, or what is not a number for a value that is infinite or not a number.
    fn oddness(self) -> f32;

    /// From a bound as the document spells it, in the units of the buffer.
    fn from_bound(bound: f64, format: Format) -> Self;
}

impl Value for f32 {
    fn from_component<C: Component>(component: C, normalized: bool) -> f32 {
        if normalized {
            component.as_fraction()
        } else {
            component.as_f32()
        }
    }
    fn oddness(self) -> f32 {
        self * 0.0
    }
    fn from_bound(bound: f64, format: Format) -> f32 {
        if !format.is_normalized() {
            return bound as f32;
        }
        match format.component {
            ComponentType::Byte => (bound as i8).as_fraction(),
            ComponentType::UnsignedByte => (bound as u8).as_fraction(),
            ComponentType::Short => (bound as i16).as_fraction(),
            _ => (bound as u16).as_fraction(),
        }
    }
}

macro_rules! integer_value {
    ($($Type:ty),*) => {$(
        impl Value for $Type {
            fn from_component<C: Component>(component: C, _: bool) -> $Type {
                let index = component.as_u32();
                <$Type>::try_from(index).unwrap_or(<$Type>::MAX)
            }
            fn oddness(self) -> f32 {
                0.0
            }
            fn from_bound(bound: f64, _: Format) -> $Type {
                bound as $Type
            }
        }
    )*};
}

integer_value!(u16, u32);

/// A component as it lies in the buffer.
pub trait Component: Sized {
    /// From exactly its bytes.
    fn read(bytes: &[u8]) -> Self;
    /// Its value.
    fn as_f32(self) -> f32;
    /// Its value as a fraction of its range.
    fn as_fraction(self) -> f32;
    /// Its value as an index; the nearest one when it is none.
    fn as_u32(self) -> u32;
}

macro_rules! component {
    ($($Type:ident as_u32 $as_u32:expr, as_fraction $as_fraction:expr;)*) => {$(
        impl Component for $Type {
            fn read(bytes: &[u8]) -> Self {
                // Callers cut the bytes to the size, so the default is never seen.
                bytes.first_chunk().map_or(<$Type>::default(), |bytes| <$Type>::from_le_bytes(*bytes))
            }
            fn as_f32(self) -> f32 {
                self as f32
            }
            fn as_fraction(self) -> f32 {
                let as_fraction: fn($Type) -> f32 = $as_fraction;
                as_fraction(self)
            }
            fn as_u32(self) -> u32 {
                let as_u32: fn($Type) -> u32 = $as_u32;
                as_u32(self)
            }
        }
    )*};
}

component! {
    i8 as_u32 |value| value.max(0) as u32, as_fraction |value| (f32::from(value) / 127.0).max(-1.0);
    u8 as_u32 u32::from, as_fraction |value| f32::from(value) / 255.0;
    i16 as_u32 |value| value.max(0) as u32, as_fraction |value| (f32::from(value) / 32767.0).max(-1.0);
    u16 as_u32 u32::from, as_fraction |value| f32::from(value) / 65535.0;
    u32 as_u32 |value| value, as_fraction |value| value as f32;
    f32 as_u32 |value| value as u32, as_fraction |value| value;
}
