//! Where in a vertex buffer the parts of a vertex go.

use crate::error::SkinError;
use crate::spans::{Part, Spans};

/// In which order vertices are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// The mesh's own: indices stay as they are.
    #[default]
    Mesh,
    /// The plan's: one vertex after the other is written; indices go through [`SkinPlan::remap_indices`](crate::SkinPlan::remap_indices).
    Plan,
}

/// Where in a caller's buffer the parts of a vertex go, in floats of four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// From one vertex to the next.
    pub stride: usize,
    /// Where the position's three floats begin.
    pub position: usize,
    /// Where the normal's three floats begin.
    pub normal: Option<usize>,
    /// Where the tangent's three floats begin; its handedness is the caller's.
    pub tangent: Option<usize>,
    /// The order of vertices.
    pub order: Order,
}

impl Layout {
    /// The spans of a vertex.
    pub(crate) fn spans(&self) -> Spans {
        let part = |offset: usize| Part { offset, width: 3 };
        Spans::new([
            Some(part(self.position)),
            self.normal.map(part),
            self.tangent.map(part),
        ])
    }

    /// Whether the parts of a vertex fit into it beside each other, with the position of the frame before.
    pub(crate) fn check(&self, previous: Option<usize>) -> Result<(), SkinError> {
        let part = |offset: usize| (offset, 3);
        let parts = [
            Some(part(self.position)),
            self.normal.map(part),
            self.tangent.map(part),
            previous.map(part),
        ];
        let wrong = |why| Err(SkinError::Layout { why });
        let ends_after = |(offset, width): (usize, usize), end: usize| {
            offset.checked_add(width).is_none_or(|own| own > end)
        };
        for (nth, part) in parts.into_iter().enumerate() {
            let Some(part) = part else { continue };
            if ends_after(part, self.stride) {
                return wrong("a part reaches past the stride");
            }
            let overlaps =
                |other: (usize, usize)| ends_after(part, other.0) && ends_after(other, part.0);
            if parts[..nth].iter().flatten().any(|&other| overlaps(other)) {
                return wrong("two parts overlap");
            }
        }
        if u32::try_from(self.stride).is_err() {
            return wrong("the stride is too long");
        }
        if self.tangent.is_some() && self.normal.is_none() {
            return Err(SkinError::TangentsAlone);
        }
        Ok(())
    }
}
