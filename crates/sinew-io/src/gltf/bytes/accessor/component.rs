use bytemuck::Pod;

use crate::gltf::document::format::{AccessorFormat, ComponentType};

/// Type of decoded components.
pub trait Value: Pod + PartialOrd + Default {
    /// Converts a component from the buffer.
    fn from_component<C: Component>(component: C, normalized: bool) -> Self;

    /// NaN for infinite values and NaN, else 0.
    fn oddness(self) -> f32;

    /// Converts a declared bound of the accessor to this type.
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

/// A component in a buffer.
pub trait Component: Copy {
    /// Reads a component. `bytes` has exactly its size.
    fn read(bytes: &[u8]) -> Self;
    /// The value as a float.
    fn to_f32(self) -> f32;
    /// The value as a fraction of the max of the type.
    fn to_fraction(self) -> f32;
    /// The value as an index, truncated and clamped.
    fn to_u32(self) -> u32;
}

macro_rules! component {
    ($($Type:ident to_u32 $to_u32:expr, to_fraction $to_fraction:expr;)*) => {$(
        impl Component for $Type {
            fn read(bytes: &[u8]) -> Self {
                // Callers pass the exact size, so the default is never used.
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
