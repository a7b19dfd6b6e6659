//! Which rows of a batch make up which floats of a vertex: parts that touch are written as one.

use crate::streams::Block;
use sinew_math::simd::Row;

/// Blocks that are skinned in one go where results do not stay in blocks: what fits the first cache.
pub(crate) const BATCH: usize = 16;

/// Positions, normals and tangents of some blocks.
pub(crate) type Batch = [[Block; BATCH]; 3];

/// The floats of positions, normals and tangents.
pub(crate) const MAX_WIDTH: usize = 9;

/// A position that stands alone.
pub(crate) const POSITION_ALONE: Span = Span {
    offset: 0,
    rows: [0, 1, 2, 0, 0, 0, 0, 0, 0],
    width: 3,
};

/// Floats of a vertex one after the other, and the rows that they come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// Where in a vertex it begins.
    pub offset: usize,
    /// The rows of the first block of a [`Batch`], all of whose rows are counted.
    rows: [usize; MAX_WIDTH],
    width: usize,
}

impl Span {
    /// So many rows of a stream of the batch.
    fn new(offset: usize, stream: usize, width: usize) -> Self {
        let mut rows = [0; MAX_WIDTH];
        for (k, row) in rows.iter_mut().take(width).enumerate() {
            *row = stream * BATCH * 3 + k;
        }
        Self {
            offset,
            rows,
            width,
        }
    }

    /// How many floats it has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The rows of a block, of all rows of a batch.
    #[inline(always)]
    pub fn rows_of<'a, const C: usize>(&self, rows: &'a [Row], block: usize) -> [&'a Row; C] {
        let mut found = [&rows[0]; C];
        for k in 0..C {
            found[k] = &rows[self.rows[k] + 3 * block];
        }
        found
    }

    /// Both as one, where the other begins at this one's end and there is a loop of that width.
    fn joined(&self, next: &Self) -> Option<Self> {
        let width = self.width + next.width;
        if self.offset + self.width != next.offset || !matches!(width, 5 | 6 | 7 | MAX_WIDTH) {
            return None;
        }
        let mut joined = Self { width, ..*self };
        joined.rows[self.width..width].copy_from_slice(&next.rows[..next.width]);
        Some(joined)
    }
}

/// The spans of a vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spans {
    spans: [Span; 3],
    len: usize,
}

impl Spans {
    /// Of positions, normals and tangents: where each begins and how many floats it takes.
    pub fn new(parts: [Option<(usize, usize)>; 3]) -> Self {
        let mut spans = Self {
            spans: [Span::new(0, 0, 0); 3],
            len: 0,
        };
        for (stream, part) in parts.into_iter().enumerate() {
            if let Some((offset, width)) = part {
                spans.spans[spans.len] = Span::new(offset, stream, width);
                spans.len += 1;
            }
        }
        spans.spans[..spans.len].sort_unstable_by_key(|span| span.offset);
        spans.join();
        spans
    }

    fn join(&mut self) {
        let mut nth = 1;
        while nth < self.len {
            match self.spans[nth - 1].joined(&self.spans[nth]) {
                Some(joined) => {
                    self.spans[nth - 1] = joined;
                    self.spans.copy_within(nth + 1..self.len, nth);
                    self.len -= 1;
                }
                None => nth += 1,
            }
        }
    }

    pub fn as_slice(&self) -> &[Span] {
        &self.spans[..self.len]
    }
}
