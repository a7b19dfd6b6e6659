//! A device and its queue, with errors that do not get lost.
//!
//! wgpu reports most errors later and elsewhere, and by default as a panic. Here they are kept, and the
//! next call that waits gives the first of them as a [`GpuError`]: [`Gpu::check`], [`Gpu::wait`],
//! [`Gpu::read`].

use super::adapter::{self, ADAPTER_VARIABLE};
use super::error::GpuError;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};
use wgpu::{Buffer, BufferUsages, Features};

/// A GPU that is ready for work.
#[derive(Debug)]
pub struct Gpu {
    /// Makes buffers, textures and pipelines.
    pub device: wgpu::Device,
    /// Takes commands.
    pub queue: wgpu::Queue,
    adapter: wgpu::Adapter,
    faults: Faults,
}

/// The first error since the last look.
#[derive(Clone, Debug, Default)]
struct Faults(Arc<Mutex<Option<GpuError>>>);

impl Faults {
    fn report(&self, error: GpuError) {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*first {
            // What a lost device does to later calls explains nothing.
            Some(GpuError::Lost { .. }) => {}
            Some(_) if !matches!(error, GpuError::Lost { .. }) => {}
            _ => *first = Some(error),
        }
    }

    fn take(&self) -> Result<(), GpuError> {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*first {
            None => Ok(()),
            Some(lost @ GpuError::Lost { .. }) => Err(lost.clone()),
            Some(_) => Err(first.take().expect("matched above")),
        }
    }
}

impl Gpu {
    /// The adapter that `SINEW_ADAPTER` names, or the best that there is.
    pub fn new() -> Result<Self, GpuError> {
        let wanted = std::env::var(ADAPTER_VARIABLE).ok();
        pollster::block_on(Self::request(wanted.as_deref()))
    }

    /// The same for programs that may not block, in a browser for example: an adapter whose
    /// `name (backend)` contains `wanted`, or the best.
    pub async fn request(wanted: Option<&str>) -> Result<Self, GpuError> {
        Self::on_adapter(adapter::choose(wanted).await?).await
    }

    /// On an adapter that a window has chosen.
    pub async fn on_adapter(adapter: wgpu::Adapter) -> Result<Self, GpuError> {
        let required_limits = adapter::limits(&adapter)?;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("sinew"),
            required_features: adapter.features() & Features::TIMESTAMP_QUERY,
            required_limits,
            ..Default::default()
        };
        let made = adapter.request_device(&descriptor).await;
        let (device, queue) = made.map_err(|why| GpuError::NoDevice {
            adapter: adapter::name(&adapter.get_info()),
            why: why.to_string(),
        })?;
        let faults = Faults::default();
        let uncaptured = faults.clone();
        device.on_uncaptured_error(Arc::new(move |error| {
            uncaptured.report(in_our_words(error));
        }));
        let lost = faults.clone();
        device.set_device_lost_callback(move |reason, why| {
            let why = if why.is_empty() {
                format!("{reason:?}")
            } else {
                why
            };
            lost.report(GpuError::Lost { why });
        });
        Ok(Self {
            device,
            queue,
            adapter,
            faults,
        })
    }

    /// A device that a program has already. Its error handlers stay its own, so what wgpu reports later goes there and
    /// not to [`Gpu::check`]; nothing here waits for it but [`Gpu::wait`], [`Gpu::read`] and what says that it does.
    ///
    /// # Errors
    /// [`GpuError::Limit`] when the device was made with less than is needed: [`Gpu::needed_limits`] says what is.
    pub fn from_parts(
        adapter: wgpu::Adapter,
        device: wgpu::Device,
        queue: wgpu::Queue,
    ) -> Result<Self, GpuError> {
        let name = adapter::name(&adapter.get_info());
        adapter::check_limits(name, &Self::needed_limits(), &device.limits())?;
        Ok(Self {
            device,
            queue,
            adapter,
            faults: Faults::default(),
        })
    }

    /// Takes what wgpu reports of the device from now on for [`Gpu::check`], in place of its owner's handler; without
    /// any, wgpu panics.
    pub fn take_errors(&self) {
        let uncaptured = self.faults.clone();
        self.device.on_uncaptured_error(Arc::new(move |error| {
            uncaptured.report(in_our_words(error));
        }));
    }

    /// What a device must be made with: WebGPU's defaults.
    pub fn needed_limits() -> wgpu::Limits {
        wgpu::Limits::default()
    }

    /// The adapter's name and backend.
    pub fn name(&self) -> String {
        adapter::name(&self.adapter.get_info())
    }

    /// What wgpu was given.
    pub fn adapter(&self) -> &wgpu::Adapter {
        &self.adapter
    }

    /// Whether the CPU does the work.
    pub fn is_software(&self) -> bool {
        self.adapter.get_info().device_type == wgpu::DeviceType::Cpu
    }

    /// Whether it can time itself.
    pub fn has_timestamps(&self) -> bool {
        self.device.features().contains(Features::TIMESTAMP_QUERY)
    }

    /// The first error since the last look, once; a lost device every time.
    pub fn check(&self) -> Result<(), GpuError> {
        self.faults.take()
    }

    /// Hands commands over.
    pub fn submit(&self, encoder: wgpu::CommandEncoder) {
        self.queue.submit([encoder.finish()]);
    }

    /// An encoder for commands.
    pub fn encoder(&self) -> wgpu::CommandEncoder {
        self.device.create_command_encoder(&Default::default())
    }

    /// Waits until all that was submitted is done, and checks.
    pub fn wait(&self) -> Result<(), GpuError> {
        if let Err(error) = self.device.poll(wgpu::PollType::wait_indefinitely()) {
            self.check()?;
            return Err(GpuError::Lost {
                why: error.to_string(),
            });
        }
        self.check()
    }

    /// A buffer of zeros; `what` is its label and how an error calls it.
    pub fn buffer(
        &self,
        what: &'static str,
        usage: BufferUsages,
        bytes: u64,
    ) -> Result<Buffer, GpuError> {
        self.make_buffer(what, usage, bytes, false)
    }

    /// A buffer with contents. At least 16 bytes long, because nothing can be bound empty.
    pub fn buffer_with(
        &self,
        what: &'static str,
        usage: BufferUsages,
        contents: &[u8],
    ) -> Result<Buffer, GpuError> {
        // Only whole numbers of four bytes can be mapped.
        let mut padded = Cow::Borrowed(contents);
        if !contents.len().is_multiple_of(4) {
            let len = contents.len().next_multiple_of(4);
            padded.to_mut().resize(len, 0);
        }
        let bytes = padded.len() as u64;
        let buffer = self.make_buffer(what, usage, bytes, true)?;
        if let Ok(mut mapped) = buffer.get_mapped_range_mut(..bytes) {
            mapped.copy_from_slice(&padded);
        }
        buffer.unmap();
        Ok(buffer)
    }

    fn make_buffer(
        &self,
        what: &'static str,
        usage: BufferUsages,
        bytes: u64,
        mapped_at_creation: bool,
    ) -> Result<Buffer, GpuError> {
        let size = self.check_size(what, usage, bytes)?;
        Ok(self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(what),
            size,
            usage,
            mapped_at_creation,
        }))
    }

    /// The size of a buffer with room for so many bytes, if the device takes it.
    pub(crate) fn check_size(
        &self,
        what: &'static str,
        usage: BufferUsages,
        bytes: u64,
    ) -> Result<u64, GpuError> {
        let limits = self.device.limits();
        let binding = limits.max_storage_buffer_binding_size;
        let allowed = if usage.contains(BufferUsages::STORAGE) {
            limits.max_buffer_size.min(binding)
        } else {
            limits.max_buffer_size
        };
        match bytes.max(16).checked_next_multiple_of(16) {
            Some(size) if size <= allowed => Ok(size),
            _ => Err(GpuError::TooLarge {
                what,
                bytes,
                allowed,
            }),
        }
    }

    /// Reads a part of a buffer made with `COPY_SRC` back, after everything submitted before it. For
    /// tests, pictures and timers: it waits. Offset and length are multiples of 4.
    ///
    /// # Errors
    /// [`GpuError::Range`] for what is not in the buffer, and what the GPU reports.
    pub fn read(&self, buffer: &Buffer, offset: u64, bytes: u64) -> Result<Vec<u8>, GpuError> {
        let readback = self.read_later(buffer, offset, bytes)?;
        self.wait()?;
        mapped_bytes(&readback.staging, bytes)
    }

    /// Begins to read a part of a buffer back, without waiting: ask the [`Readback`] each frame.
    ///
    /// # Errors
    /// [`GpuError::Range`] for what is not in the buffer, [`GpuError::TooLarge`] when there is no room for it.
    pub fn read_later(
        &self,
        buffer: &Buffer,
        offset: u64,
        bytes: u64,
    ) -> Result<Readback, GpuError> {
        check_range(buffer, offset, bytes)?;
        let usage = BufferUsages::COPY_DST | BufferUsages::MAP_READ;
        let staging = self.buffer("staging buffer", usage, bytes)?;
        let mut encoder = self.encoder();
        encoder.copy_buffer_to_buffer(buffer, offset, &staging, 0, bytes);
        self.submit(encoder);
        let (done, outcome) = std::sync::mpsc::channel();
        staging.map_async(wgpu::MapMode::Read, .., move |result| {
            // Nobody is left to tell when the reading was dropped.
            let _ = done.send(result);
        });
        Ok(Readback {
            staging,
            bytes,
            outcome,
        })
    }
}

/// A read of bytes on their way back from the GPU.
#[derive(Debug)]
pub struct Readback {
    staging: Buffer,
    bytes: u64,
    outcome: std::sync::mpsc::Receiver<Result<(), wgpu::BufferAsyncError>>,
}

impl Readback {
    /// The bytes when they are here, `None` until then. Looks at the device and does not wait for it.
    ///
    /// # Errors
    /// When the device was lost or refused to read.
    pub fn take(&mut self, gpu: &Gpu) -> Result<Option<Vec<u8>>, GpuError> {
        let refused = |why: String| GpuError::Refused { why };
        let polled = gpu.device.poll(wgpu::PollType::Poll);
        polled.map_err(|error| refused(error.to_string()))?;
        match self.outcome.try_recv() {
            Ok(Ok(())) => mapped_bytes(&self.staging, self.bytes).map(Some),
            Ok(Err(error)) => Err(refused(error.to_string())),
            Err(_) => Ok(None),
        }
    }
}

fn check_range(buffer: &Buffer, offset: u64, bytes: u64) -> Result<(), GpuError> {
    let size = buffer.size();
    let is_whole = offset.is_multiple_of(4) && bytes.is_multiple_of(4);
    match offset.checked_add(bytes) {
        Some(end) if is_whole && end <= size => Ok(()),
        _ => Err(GpuError::Range {
            offset,
            bytes,
            size,
        }),
    }
}

fn mapped_bytes(staging: &Buffer, bytes: u64) -> Result<Vec<u8>, GpuError> {
    if bytes == 0 {
        return Ok(Vec::new());
    }
    let mapped = staging.get_mapped_range(..bytes);
    let refused = |why: String| GpuError::Refused { why };
    Ok(mapped.map_err(|e| refused(e.to_string()))?.to_vec())
}

fn in_our_words(error: wgpu::Error) -> GpuError {
    match error {
        wgpu::Error::OutOfMemory { source } => GpuError::OutOfMemory {
            why: source.to_string(),
        },
        wgpu::Error::Validation { description, .. } => GpuError::Refused { why: description },
        wgpu::Error::Internal { description, .. } => GpuError::Refused { why: description },
    }
}
