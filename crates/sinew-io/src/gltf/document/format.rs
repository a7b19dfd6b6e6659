//! The formats that accessors come in: component types, element types and their layout in memory.

use std::fmt;

use super::json::Listed;

/// The type of one component of an accessor's element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComponentType {
    /// Signed, one byte.
    Byte,
    /// Unsigned, one byte.
    UnsignedByte,
    /// Signed, two bytes.
    Short,
    /// Unsigned, two bytes.
    UnsignedShort,
    /// Unsigned, four bytes.
    UnsignedInt,
    /// Single precision.
    Float,
}

impl ComponentType {
    /// Bytes of one component.
    pub fn size(self) -> usize {
        match self {
            Self::Byte | Self::UnsignedByte => 1,
            Self::Short | Self::UnsignedShort => 2,
            Self::UnsignedInt | Self::Float => 4,
        }
    }

    /// The least and greatest value.
    pub fn range(self) -> (f64, f64) {
        match self {
            Self::Byte => (f64::from(i8::MIN), f64::from(i8::MAX)),
            Self::UnsignedByte => (0.0, f64::from(u8::MAX)),
            Self::Short => (f64::from(i16::MIN), f64::from(i16::MAX)),
            Self::UnsignedShort => (0.0, f64::from(u16::MAX)),
            Self::UnsignedInt => (0.0, f64::from(u32::MAX)),
            Self::Float => (f64::from(f32::MIN), f64::from(f32::MAX)),
        }
    }

    /// True where `normalized` means something for it.
    pub fn can_be_normalized(self) -> bool {
        !matches!(self, Self::UnsignedInt | Self::Float)
    }
}

impl Listed for ComponentType {
    type Spelling = u64;
    const LIST: &'static [(u64, Self)] = &[
        (5120, Self::Byte),
        (5121, Self::UnsignedByte),
        (5122, Self::Short),
        (5123, Self::UnsignedShort),
        (5125, Self::UnsignedInt),
        (5126, Self::Float),
    ];
}

/// The shape of an accessor's element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementType {
    /// One component.
    Scalar,
    /// Two components.
    Vec2,
    /// Three components.
    Vec3,
    /// Four components.
    Vec4,
    /// Two columns of two.
    Mat2,
    /// Three columns of three.
    Mat3,
    /// Four columns of four.
    Mat4,
}

impl ElementType {
    /// Components of one element.
    pub fn components(self) -> usize {
        self.columns() * self.rows()
    }

    /// Columns of a matrix; one for everything else.
    pub fn columns(self) -> usize {
        match self {
            Self::Mat2 => 2,
            Self::Mat3 => 3,
            Self::Mat4 => 4,
            _ => 1,
        }
    }

    /// Components of one column.
    pub fn rows(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Vec2 | Self::Mat2 => 2,
            Self::Vec3 | Self::Mat3 => 3,
            Self::Vec4 | Self::Mat4 => 4,
        }
    }

    /// True for matrices.
    pub fn is_matrix(self) -> bool {
        self.columns() > 1
    }
}

impl Listed for ElementType {
    type Spelling = &'static str;
    const LIST: &'static [(&'static str, Self)] = &[
        ("SCALAR", Self::Scalar),
        ("VEC2", Self::Vec2),
        ("VEC3", Self::Vec3),
        ("VEC4", Self::Vec4),
        ("MAT2", Self::Mat2),
        ("MAT3", Self::Mat3),
        ("MAT4", Self::Mat4),
    ];
}

/// The format of an accessor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AccessorFormat {
    /// The shape of an element.
    pub element: ElementType,
    /// The type of its components.
    pub component: ComponentType,
    /// True where integers stand for fractions of their range.
    pub normalized: bool,
}

impl AccessorFormat {
    /// True where integers stand for fractions; the flag means nothing on other components.
    pub fn is_normalized(self) -> bool {
        self.normalized && self.component.can_be_normalized()
    }

    /// Bytes from one column to the next: columns of matrices begin at multiples of four.
    pub fn column_stride(self) -> usize {
        let column = self.element.rows() * self.component.size();
        if self.element.is_matrix() {
            column.next_multiple_of(4)
        } else {
            column
        }
    }

    /// Bytes from the beginning of an element to the end of its last component.
    pub fn element_length(self) -> usize {
        (self.element.columns() - 1) * self.column_stride()
            + self.element.rows() * self.component.size()
    }

    /// Bytes from one element to the next when the buffer view does not say.
    pub fn packed_stride(self) -> usize {
        self.element.columns() * self.column_stride()
    }
}

impl fmt::Display for AccessorFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let normalized = if self.normalized { " normalized" } else { "" };
        write!(f, "{:?} of {:?}{normalized}", self.element, self.component)
    }
}

/// The meaning of one attribute of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Semantic {
    /// The position of the vertex.
    Position,
    /// The direction of the surface.
    Normal,
    /// The direction of the texture on the surface, and its handedness.
    Tangent,
    /// The n-th set of texture coordinates.
    TexCoord(u32),
    /// The n-th colour.
    Color(u32),
    /// The n-th four joints.
    Joints(u32),
    /// The weights of the n-th four joints.
    Weights(u32),
}

impl Semantic {
    /// The semantic called `name`; `None` for names that the specification does not know.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "POSITION" => return Some(Self::Position),
            "NORMAL" => return Some(Self::Normal),
            "TANGENT" => return Some(Self::Tangent),
            _ => {}
        }
        let (set, number) = name.split_once('_')?;
        let has_only_digits =
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let has_leading_zero = number.len() > 1 && number.starts_with('0');
        if !has_only_digits || has_leading_zero {
            return None;
        }
        let number = number.parse().ok()?;
        match set {
            "TEXCOORD" => Some(Self::TexCoord(number)),
            "COLOR" => Some(Self::Color(number)),
            "JOINTS" => Some(Self::Joints(number)),
            "WEIGHTS" => Some(Self::Weights(number)),
            _ => None,
        }
    }

    /// True where a morph target may change it.
    pub fn can_be_morphed(self) -> bool {
        !matches!(self, Self::Joints(_) | Self::Weights(_))
    }

    /// The shapes that its elements may have.
    pub fn elements(self, in_morph_target: bool) -> &'static [ElementType] {
        use ElementType::{Vec2, Vec3, Vec4};
        match self {
            Self::Position | Self::Normal => &[Vec3],
            Self::Tangent if in_morph_target => &[Vec3],
            Self::TexCoord(_) => &[Vec2],
            Self::Color(_) => &[Vec3, Vec4],
            Self::Tangent | Self::Joints(_) | Self::Weights(_) => &[Vec4],
        }
    }

    /// True where the specification, with `KHR_mesh_quantization` where `quantized`, allows the components of `format`.
    pub fn allows_components(
        self,
        format: AccessorFormat,
        in_morph_target: bool,
        quantized: bool,
    ) -> bool {
        use ComponentType::{Byte, Float, Short, UnsignedByte, UnsignedShort};
        let signed = matches!(format.component, Byte | Short);
        let unsigned = matches!(format.component, UnsignedByte | UnsignedShort);
        let float = format.component == Float && !format.normalized;
        match self {
            Self::Position => float || quantized && (signed || unsigned && !in_morph_target),
            Self::Normal | Self::Tangent => float || quantized && signed && format.normalized,
            Self::TexCoord(_) if in_morph_target => {
                float || (signed || unsigned) && format.normalized
            }
            Self::TexCoord(_) => {
                float || unsigned && format.normalized || quantized && (signed || unsigned)
            }
            Self::Color(_) if in_morph_target => float || (signed || unsigned) && format.normalized,
            Self::Color(_) | Self::Weights(_) => float || unsigned && format.normalized,
            Self::Joints(_) => unsigned && !format.normalized,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrix_columns_begin_at_multiples_of_four() {
        let format = |element, component| AccessorFormat {
            element,
            component,
            normalized: false,
        };
        let bytes = format(ElementType::Mat3, ComponentType::Byte);
        assert_eq!((bytes.element_length(), bytes.packed_stride()), (11, 12));
        let bytes = format(ElementType::Mat2, ComponentType::UnsignedByte);
        assert_eq!((bytes.element_length(), bytes.packed_stride()), (6, 8));
        let shorts = format(ElementType::Mat3, ComponentType::Short);
        assert_eq!((shorts.element_length(), shorts.packed_stride()), (22, 24));
        let floats = format(ElementType::Mat4, ComponentType::Float);
        assert_eq!((floats.element_length(), floats.packed_stride()), (64, 64));
    }

    #[test]
    fn numbered_semantics_have_no_leading_zero() {
        assert_eq!(Semantic::parse("JOINTS_12"), Some(Semantic::Joints(12)));
        for wrong in [
            "TEXCOORD_01",
            "TEXCOORD_",
            "TEXCOORD",
            "INVALID_1",
            "TEXCOORD_1_1",
            "TEXCOORD_+1",
            "",
        ] {
            assert_eq!(Semantic::parse(wrong), None, "{wrong}");
        }
    }
}
