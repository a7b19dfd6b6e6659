//! The locations of a vertex's parts in a vertex buffer.

use super::spans::{Part, Spans};
use crate::error::SkinError;

/// In which order vertices are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// The mesh's own: indices stay as they are, and vertices are written here and there, which takes 15 to 30 % longer than
    /// the plan's order where the buffer fits the second cache, and half as long again where it does not.
    #[default]
    Mesh,
    /// The plan's: vertices are written one after the other, in whole vectors where positions and normals are all there
    /// is to a vertex; indices go through [`SkinPlan::remap_indices`](crate::SkinPlan::remap_indices).
    Plan,
}

/// The locations of a vertex's parts in a caller's buffer, in floats of four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// From one vertex to the next.
    pub stride: usize,
    /// The offset of the position's three floats.
    pub position: usize,
    /// The offset of the normal: three floats, unless [`Layout::with_directions`] says otherwise.
    pub normal: Option<usize>,
    /// The offset of the tangent: three floats, whose handedness is the caller's, unless [`Layout::with_directions`] says
    /// otherwise.
    pub tangent: Option<usize>,
    /// The order of vertices.
    pub order: Order,
}

impl Layout {
    /// The same with directions written in another way.
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
    /// As three floats each.
    #[default]
    Floats,
    /// As four signed normalised numbers of 16 bits each, where two floats would be (`snorm16x4`): x, y, z, and 0 for a
    /// normal, or 1 or −1 for a tangent's handedness.
    Snorm16,
}

/// A [`Layout`] and how its directions are written: as floats where nothing else is said.
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
    /// From one vertex to the next, in floats.
    pub fn stride(&self) -> usize {
        self.layout.stride
    }

    /// The locations of positions, normals and tangents.
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

    /// The spans of a vertex.
    pub(crate) fn spans(&self) -> Spans {
        Spans::new(self.parts())
    }

    /// Refuses parts of a vertex that do not fit into it beside each other, with the position of the frame before.
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
