//! Memory that vertices are written to: slices of floats or bytes, or write-only memory.

/// Memory that is written with vertices and never read, such as a mapped GPU buffer.
///
/// ```
/// use sinew_skin::VertexSink;
/// /// Memory that belongs to somebody else.
/// struct Mapped<'a>(&'a mut [u8]);
/// impl VertexSink for Mapped<'_> {
///     fn floats(&self) -> usize {
///         self.0.len() / 4
///     }
///     fn write(&mut self, at: usize, values: [f32; 3]) {
///         VertexSink::write(self.0, at, values);
///     }
/// }
/// ```
pub trait VertexSink {
    /// Size of the memory, in floats.
    fn floats(&self) -> usize;

    /// Writes only three floats at index `at`. `at + 3` never exceeds [`VertexSink::floats`].
    fn write(&mut self, at: usize, values: [f32; 3]);

    /// Writes floats at index `at`, at least [`VertexSink::shortest_run`] of them. The default
    /// writes groups of three. The last group may overlap the previous group.
    fn write_run(&mut self, at: usize, values: &[f32]) {
        let last = values.len().saturating_sub(3);
        for from in (0..values.len()).step_by(3) {
            let from = from.min(last);
            if let Some(three) = values.get(from..).and_then(|rest| rest.first_chunk()) {
                self.write(at + from, *three);
            }
        }
    }

    /// Min floats per [`VertexSink::write_run`]. Packed directions without neighbours have two.
    fn shortest_run(&self) -> usize {
        3
    }

    /// Memory as a slice, if it is ordinary memory, which is faster to write.
    fn as_floats(&mut self) -> Option<&mut [f32]> {
        None
    }
}

impl<B: VertexSink + ?Sized> VertexSink for &mut B {
    fn floats(&self) -> usize {
        (**self).floats()
    }

    fn write(&mut self, at: usize, values: [f32; 3]) {
        (**self).write(at, values);
    }

    fn write_run(&mut self, at: usize, values: &[f32]) {
        (**self).write_run(at, values);
    }

    fn shortest_run(&self) -> usize {
        (**self).shortest_run()
    }

    fn as_floats(&mut self) -> Option<&mut [f32]> {
        (**self).as_floats()
    }
}

impl VertexSink for [f32] {
    #[inline(always)]
    fn floats(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn write(&mut self, at: usize, values: [f32; 3]) {
        self[at..at + 3].copy_from_slice(&values);
    }

    fn write_run(&mut self, at: usize, values: &[f32]) {
        self[at..at + values.len()].copy_from_slice(values);
    }

    fn shortest_run(&self) -> usize {
        1
    }

    fn as_floats(&mut self) -> Option<&mut [f32]> {
        Some(self)
    }
}

impl VertexSink for [u8] {
    #[inline(always)]
    fn floats(&self) -> usize {
        self.len() / 4
    }

    #[inline(always)]
    fn write(&mut self, at: usize, values: [f32; 3]) {
        self[4 * at..4 * at + 12].copy_from_slice(bytemuck::bytes_of(&values));
    }

    fn write_run(&mut self, at: usize, values: &[f32]) {
        self[4 * at..4 * (at + values.len())].copy_from_slice(bytemuck::cast_slice(values));
    }

    fn shortest_run(&self) -> usize {
        1
    }

    fn as_floats(&mut self) -> Option<&mut [f32]> {
        let whole = self.len() / 4 * 4;
        bytemuck::try_cast_slice_mut(&mut self[..whole]).ok()
    }
}

impl<T> VertexSink for Vec<T>
where
    [T]: VertexSink,
{
    #[inline(always)]
    fn floats(&self) -> usize {
        self.as_slice().floats()
    }

    #[inline(always)]
    fn write(&mut self, at: usize, values: [f32; 3]) {
        self.as_mut_slice().write(at, values);
    }

    fn write_run(&mut self, at: usize, values: &[f32]) {
        self.as_mut_slice().write_run(at, values);
    }

    fn shortest_run(&self) -> usize {
        self.as_slice().shortest_run()
    }

    fn as_floats(&mut self) -> Option<&mut [f32]> {
        self.as_mut_slice().as_floats()
    }
}
