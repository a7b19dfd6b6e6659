//! Timing by the clock of the GPU.

use super::error::GpuError;
use super::gpu::{Gpu, Readback, arrived};
use wgpu::{Buffer, BufferUsages, QuerySet};

/// Timer of passes. It has a pair of timestamps per pass, called a span.
#[derive(Debug)]
pub struct Timer {
    queries: QuerySet,
    resolved: Buffer,
    spans: u32,
}

impl Timer {
    /// Timer for up to `spans` passes, or `None` if the device does not support timestamps.
    ///
    /// # Errors
    /// [`GpuError::Spans`] for 0 spans, or for more than WebGPU allows.
    pub fn new(gpu: &Gpu, spans: u32) -> Result<Option<Self>, GpuError> {
        let max = wgpu::QUERY_SET_MAX_QUERIES / 2;
        if !(1..=max).contains(&spans) {
            return Err(GpuError::Spans { spans, max });
        }
        if !gpu.has_timestamps() {
            return Ok(None);
        }
        let queries = gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("timer"),
            ty: wgpu::QueryType::Timestamp,
            count: 2 * spans,
        });
        let usage = BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC;
        let resolved = gpu.buffer("timestamps", usage, u64::from(16 * spans))?;
        Ok(Some(Self {
            queries,
            resolved,
            spans,
        }))
    }

    /// Timestamps for a compute pass, written into a span.
    ///
    /// # Panics
    /// If the span is out of range.
    pub fn compute(&self, span: u32) -> wgpu::ComputePassTimestampWrites<'_> {
        self.assert_has(span);
        wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(2 * span),
            end_of_pass_write_index: Some(2 * span + 1),
        }
    }

    /// Timestamps for a render pass, written into a span.
    ///
    /// # Panics
    /// If the span is out of range.
    pub fn render(&self, span: u32) -> wgpu::RenderPassTimestampWrites<'_> {
        self.assert_has(span);
        wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(2 * span),
            end_of_pass_write_index: Some(2 * span + 1),
        }
    }

    fn assert_has(&self, span: u32) {
        assert!(span < self.spans, "span {span} of {}", self.spans);
    }

    /// Encodes the copy of the timestamps to a readable buffer. Call it after the timed passes.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        self.resolve_first(encoder, self.spans);
    }

    pub(crate) fn resolve_first(&self, encoder: &mut wgpu::CommandEncoder, spans: u32) {
        encoder.resolve_query_set(&self.queries, 0..2 * spans, &self.resolved, 0);
    }

    /// Duration of every span in milliseconds. Waits for the GPU.
    pub fn read_ms(&self, gpu: &Gpu) -> Result<Vec<f64>, GpuError> {
        let mut ticks = self.read_later(gpu)?;
        gpu.wait()?;
        arrived(ticks.take_ms(gpu)?)
    }

    /// Start and end of every span, in milliseconds since the first start. Waits for the GPU.
    pub fn read_spans_ms(&self, gpu: &Gpu) -> Result<Vec<[f64; 2]>, GpuError> {
        let mut ticks = self.read_later(gpu)?;
        gpu.wait()?;
        arrived(ticks.take_spans_ms(gpu)?)
    }

    /// Starts to read the timestamps without blocking.
    pub(crate) fn read_later(&self, gpu: &Gpu) -> Result<Ticks, GpuError> {
        let bytes = gpu.read_later(&self.resolved, 0, u64::from(16 * self.spans))?;
        Ok(Ticks(bytes))
    }
}

/// Pending read of the timestamps of a timer.
#[derive(Debug)]
pub(crate) struct Ticks(Readback);

impl Ticks {
    /// Duration of every span in milliseconds, once it has arrived. Does not block.
    pub fn take_ms(&mut self, gpu: &Gpu) -> Result<Option<Vec<f64>>, GpuError> {
        let length = |[begin, end]: [f64; 2]| (end - begin).max(0.0);
        let spans = self.take_spans_ms(gpu)?;
        Ok(spans.map(|spans| spans.into_iter().map(length).collect()))
    }

    fn take_spans_ms(&mut self, gpu: &Gpu) -> Result<Option<Vec<[f64; 2]>>, GpuError> {
        let Some(bytes) = self.0.take(gpu)? else {
            return Ok(None);
        };
        let ticks: Vec<u64> = bytes
            .chunks_exact(8)
            .map(|b| u64::from_ne_bytes(b.try_into().expect("chunks of eight")))
            .collect();
        let first = ticks.first().copied().unwrap_or(0);
        let ms_a_tick = f64::from(gpu.queue.get_timestamp_period()) * 1e-6;
        let ms = |tick: u64| tick.wrapping_sub(first) as i64 as f64 * ms_a_tick;
        let spans = ticks.chunks_exact(2).map(|t| [ms(t[0]), ms(t[1])]);
        Ok(Some(spans.collect()))
    }
}
