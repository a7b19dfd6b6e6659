//! Accessor formats: component types, element types and memory layout.

use std::fmt;

use super::json::Listed;

/// Type of a component of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComponentType {
    /// Signed 8-bit integer.
    Byte,
    /// Unsigned 8-bit integer.
    UnsignedByte,
    /// Signed 16-bit integer.
    Short,
    /// Unsigned 16-bit integer.
    UnsignedShort,
    /// Unsigned 32-bit integer.
    UnsignedInt,
    /// 32-bit float.
    Float,
}

impl ComponentType {
    /// Size in bytes.
    pub fn size(self) -> usize {
        match self {
            Self::Byte | Self::UnsignedByte => 1,
            Self::Short | Self::UnsignedShort => 2,
            Self::UnsignedInt | Self::Float => 4,
        }
    }

    /// Min and max value.
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

    /// True if integers of this type may be fractions of their range.
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

/// Element type: scalar, vector or matrix.
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
    /// 2×2 matrix, by columns.
    Mat2,
    /// 3×3 matrix, by columns.
    Mat3,
    /// 4×4 matrix, by columns.
    Mat4,
}

impl ElementType {
    /// Number of components.
    pub fn components(self) -> usize {
        self.columns() * self.rows()
    }

    /// Number of columns. 1 for scalars and vectors.
    pub fn columns(self) -> usize {
        match self {
            Self::Mat2 => 2,
            Self::Mat3 => 3,
            Self::Mat4 => 4,
            _ => 1,
        }
    }

    /// Number of components per column.
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

/// Format of the elements of an accessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AccessorFormat {
    /// Shape of an element.
    pub element: ElementType,
    /// Type of the components.
    pub component: ComponentType,
    /// True if integers are fractions of the range of their type.
    pub normalized: bool,
}

impl AccessorFormat {
    /// True if integers are fractions of their range. False for types that do not allow it.
    pub fn is_normalized(self) -> bool {
        self.normalized && self.component.can_be_normalized()
    }

    /// Bytes between columns. Columns of matrices are aligned to 4 bytes.
    pub fn column_stride(self) -> usize {
        let column = self.element.rows() * self.component.size();
        if self.element.is_matrix() {
            column.next_multiple_of(4)
        } else {
            column
        }
    }

    /// Bytes from the start of an element to the end of its last component.
    pub fn element_length(self) -> usize {
        (self.element.columns() - 1) * self.column_stride()
            + self.element.rows() * self.component.size()
    }

    /// Default stride, in bytes. It applies if the buffer view states no stride.
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

/// Meaning of a vertex attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Semantic {
    /// Position of the vertex.
    Position,
    /// Unit normal.
    Normal,
    /// Unit tangent, with the sign of the bitangent in w.
    Tangent,
    /// Texture coordinates, set n.
    TexCoord(u32),
    /// Colours, set n.
    Color(u32),
    /// Four joint indices, set n.
    Joints(u32),
    /// Weights of the joints of set n.
    Weights(u32),
}

impl Semantic {
    /// Parses an attribute name. `None` if the specification does not define it.
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

    /// True if a morph target may change the attribute.
    pub fn can_be_morphed(self) -> bool {
        !matches!(self, Self::Joints(_) | Self::Weights(_))
    }

    /// Allowed element types.
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

    /// True if the components of `format` are allowed. `quantized` adds `KHR_mesh_quantization`.
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
