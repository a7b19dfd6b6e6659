//! The layout of a vertex in a vertex buffer.

use super::spans::{Part, Spans};
use crate::error::SkinError;

/// The order in which vertices are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// Mesh order: indices stay as they are. Vertices are written out of order, which takes 15–30 %
    /// longer than plan order if the buffer fits the second-level cache, otherwise 50 % longer.
    #[default]
    Mesh,
    /// Plan order: vertices are written one after the other, in whole vectors if a vertex has only
    /// position and normal. Convert indices with
    /// [`SkinPlan::remap_indices`](crate::SkinPlan::remap_indices).
    Plan,
}

/// Offsets of the parts of a vertex in a buffer of the caller, in four-byte floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The distance from one vertex to the next, in floats.
    pub stride: usize,
    /// Offset of the position (three floats), in floats.
    pub position: usize,
    /// Offset of the normal, in floats. Three floats, or two by [`Layout::with_directions`].
    pub normal: Option<usize>,
    /// Offset of the tangent, in floats. As long as a normal. The caller writes the handedness.
    pub tangent: Option<usize>,
    /// The order of the vertices in the buffer.
    pub order: Order,
}

impl Layout {
    /// This layout with another format for normals and tangents.
    pub fn with_directions(self, directions: Directions) -> VertexLayout {
        VertexLayout {
            layout: self,
            directions,
        }
    }
}

/// The format in which normals and tangents are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Directions {
    /// Three floats each.
    #[default]
    Floats,
    /// Four signed normalised 16-bit numbers each, in the space of two floats (`snorm16x4`): x, y,
    /// z, and 0 for a normal, or the handedness 1 or −1 for a tangent.
    Snorm16,
}

/// A [`Layout`] with the format of normals and tangents. The default format is floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexLayout {
    pub(crate) layout: Layout,
    pub(crate) directions: Directions,
}

impl From<&Layout> for VertexLayout {
    fn from(layout: &Layout) -> Self {
        layout.with_directions(Directions::Floats)
    }
}

impl VertexLayout {
    /// The distance from one vertex to the next, in floats.
    pub fn stride(&self) -> usize {
        self.layout.stride
    }

    fn parts(&self) -> [Option<Part>; 3] {
        let width = match self.directions {
            Directions::Floats => 3,
            Directions::Snorm16 => 2,
        };
        let direction = |offset: usize| Part { offset, width };
        let position = Part {
            offset: self.layout.position,
            width: 3,
        };
        [
            Some(position),
            self.layout.normal.map(direction),
            self.layout.tangent.map(direction),
        ]
    }

    pub(crate) fn spans(&self) -> Spans {
        Spans::new(self.parts())
    }

    pub(crate) fn check(&self, previous: Option<usize>) -> Result<(), SkinError> {
        let [position, normal, tangent] = self.parts();
        let previous = previous.map(|offset| Part { offset, width: 3 });
        let parts = [position, normal, tangent, previous];
        let wrong = |why| Err(SkinError::Layout { why });
        let ends_after = |part: &Part, end: usize| {
            let own = part.offset.checked_add(part.width);
            own.is_none_or(|own| own > end)
        };
        for (nth, part) in parts.iter().enumerate() {
            let Some(part) = part else { continue };
            if ends_after(part, self.layout.stride) {
                return wrong("a part reaches past the stride");
            }
            let overlaps =
                |other: &Part| ends_after(part, other.offset) && ends_after(other, part.offset);
            if parts[..nth].iter().flatten().any(overlaps) {
                return wrong("two parts overlap");
            }
        }
        if u32::try_from(self.layout.stride).is_err() {
            return wrong("the stride is too long");
        }
        if tangent.is_some() && normal.is_none() {
            return Err(SkinError::TangentsAlone);
        }
        Ok(())
    }
}
