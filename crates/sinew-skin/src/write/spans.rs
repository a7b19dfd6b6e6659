//! Maps rows of skinned blocks to floats of a vertex. Adjacent parts are written together.

use crate::plan::Block;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Offset of the part in a vertex, in floats.
    pub offset: usize,
    /// Number of floats: three, or two for four packed numbers.
    pub width: usize,
}

/// Adjacent parts of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// Offset of the first part in a vertex, in floats.
    pub offset: usize,
    /// The stream and width of each part. A missing part has width 0.
    parts: [(usize, usize); 3],
}

pub(crate) const POSITION_ALONE: Span = Span {
    offset: 0,
    parts: [(0, 3), (0, 0), (0, 0)],
};

impl Span {
    /// Width of each part, in floats.
    pub fn widths(&self) -> [usize; 3] {
        self.parts.map(|(_, width)| width)
    }

    /// Number of floats of all parts.
    pub fn width(&self) -> usize {
        self.widths().iter().sum()
    }

    /// The same span at the beginning of a vertex.
    pub fn alone(&self) -> Self {
        Self { offset: 0, ..*self }
    }

    /// Stream of each part. A missing part repeats another stream.
    pub fn streams<'a>(&self, streams: &[&'a [Block]; 3]) -> [&'a [Block]; 3] {
        self.parts.map(|(stream, _)| streams[stream])
    }

    /// Joins two spans if `next` begins at the end of this span and there is a loop for such parts:
    /// only floats, or packed directions after floats.
    fn joined(&self, next: &Self) -> Option<Self> {
        let touches = self.offset + self.width() == next.offset;
        let count = self.parts.iter().filter(|(_, width)| *width > 0).count();
        let (first, added) = (self.parts[0].1, next.parts[0].1);
        let alike = count < 2 || self.parts[1].1 == added;
        if !touches || first != 3 || !alike {
            return None;
        }
        let mut joined = *self;
        joined.parts[count] = next.parts[0];
        Some(joined)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Spans {
    spans: [Span; 3],
    len: usize,
}

impl Spans {
    /// The spans of positions, normals and tangents.
    pub fn new(parts: [Option<Part>; 3]) -> Self {
        let mut alone = [POSITION_ALONE; 3];
        let mut len = 0;
        for (stream, part) in parts.into_iter().enumerate() {
            if let Some(Part { offset, width }) = part {
                alone[len] = Span {
                    offset,
                    parts: [(stream, width), (stream, 0), (stream, 0)],
                };
                len += 1;
            }
        }
        alone[..len].sort_unstable_by_key(|span| span.offset);
        let mut spans = Self {
            spans: alone,
            len: 0,
        };
        for next in &alone[..len] {
            let last = spans.len.checked_sub(1);
            match last.and_then(|last| spans.spans[last].joined(next)) {
                Some(joined) => spans.spans[spans.len - 1] = joined,
                None => {
                    spans.spans[spans.len] = *next;
                    spans.len += 1;
                }
            }
        }
        spans
    }

    pub fn as_slice(&self) -> &[Span] {
        &self.spans[..self.len]
    }
}
