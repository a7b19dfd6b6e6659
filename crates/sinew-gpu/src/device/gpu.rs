//! Device and queue, with error capture.
//!
//! wgpu reports most errors late, and panics by default. [`Gpu`] keeps the first error instead. The
//! next [`Gpu::check`], [`Gpu::wait`] or [`Gpu::read`] returns it as a [`GpuError`].

use super::adapter::{self, ADAPTER_VARIABLE};
use super::error::GpuError;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};
use wgpu::{Buffer, BufferUsages, Features};

/// Open GPU device.
#[derive(Debug)]
pub struct Gpu {
    /// Device that creates buffers, textures and pipelines.
    pub device: wgpu::Device,
    /// Queue that executes commands.
    pub queue: wgpu::Queue,
    adapter: wgpu::Adapter,
    faults: Faults,
}

#[derive(Clone, Debug, Default)]
struct Faults(Arc<Mutex<Option<GpuError>>>);

impl Faults {
    fn report(&self, error: GpuError) {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*first {
            // Later errors of a lost device give no new information.
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
    /// Opens the adapter that `SINEW_ADAPTER` names, or the best adapter without it.
    pub fn new() -> Result<Self, GpuError> {
        let requested = std::env::var(ADAPTER_VARIABLE).ok();
        pollster::block_on(Self::request(requested.as_deref()))
    }

    /// Opens the best adapter whose `name (backend)` contains `requested`, if given. Does not block.
    pub async fn request(requested: Option<&str>) -> Result<Self, GpuError> {
        Self::on_adapter(adapter::choose(requested).await?).await
    }

    /// Opens a device on a given adapter, such as one chosen for a window.
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
            uncaptured.report(gpu_error(error));
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

    /// Uses an existing device and its error handlers. [`Gpu::check`] then sees no errors of wgpu.
    ///
    /// # Errors
    /// [`GpuError::Limit`] if a limit of the device is below [`Gpu::needed_limits`].
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

    /// Replaces the error handler of the device, so that [`Gpu::check`] returns later errors.
    pub fn take_errors(&self) {
        let uncaptured = self.faults.clone();
        self.device.on_uncaptured_error(Arc::new(move |error| {
            uncaptured.report(gpu_error(error));
        }));
    }

    /// Limits that a device needs: the defaults of WebGPU.
    pub fn needed_limits() -> wgpu::Limits {
        wgpu::Limits::default()
    }

    /// Name and backend of the adapter.
    pub fn name(&self) -> String {
        adapter::name(&self.adapter.get_info())
    }

    /// Adapter of the device.
    pub fn adapter(&self) -> &wgpu::Adapter {
        &self.adapter
    }

    /// True if the adapter is software.
    pub fn is_software(&self) -> bool {
        self.adapter.get_info().device_type == wgpu::DeviceType::Cpu
    }

    /// True if the backend is OpenGL, which restricts shaders.
    pub(crate) fn is_gl(&self) -> bool {
        self.adapter.get_info().backend == wgpu::Backend::Gl
    }

    /// True if the device supports timestamps.
    pub fn has_timestamps(&self) -> bool {
        self.device.features().contains(Features::TIMESTAMP_QUERY)
    }

    /// Returns the first error since the last check. A lost device fails every check.
    pub fn check(&self) -> Result<(), GpuError> {
        self.faults.take()
    }

    /// Submits the commands of an encoder.
    pub fn submit(&self, encoder: wgpu::CommandEncoder) {
        self.queue.submit([encoder.finish()]);
    }

    /// Creates a command encoder.
    pub fn encoder(&self) -> wgpu::CommandEncoder {
        self.device.create_command_encoder(&Default::default())
    }

    /// Waits for all submitted commands, and checks for errors.
    pub fn wait(&self) -> Result<(), GpuError> {
        if let Err(error) = self.device.poll(wgpu::PollType::wait_indefinitely()) {
            self.check()?;
            return Err(GpuError::Lost {
                why: error.to_string(),
            });
        }
        self.check()
    }

    /// Creates a buffer of zeros. `what` names it in labels and errors.
    pub fn buffer(
        &self,
        what: &'static str,
        usage: BufferUsages,
        bytes: u64,
    ) -> Result<Buffer, GpuError> {
        self.make_buffer(what, usage, bytes, false)
    }

    /// Creates a buffer with contents. Pads it to at least 16 bytes, so that it can be bound.
    pub fn buffer_with(
        &self,
        what: &'static str,
        usage: BufferUsages,
        contents: &[u8],
    ) -> Result<Buffer, GpuError> {
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

    /// Rounded buffer size for `bytes` bytes, or an error if the device does not allow it.
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

    /// Waits for all commands, then reads a part of a buffer with the usage `COPY_SRC`. Offset and
    /// length are in bytes and must be multiples of 4.
    ///
    /// # Errors
    /// [`GpuError::Range`] for a range outside the buffer, and errors of the GPU.
    pub fn read(&self, buffer: &Buffer, offset: u64, bytes: u64) -> Result<Vec<u8>, GpuError> {
        let mut readback = self.read_later(buffer, offset, bytes)?;
        self.wait()?;
        arrived(readback.take(self)?)
    }

    /// Starts to read a part of a buffer without blocking. Poll the [`Readback`] each frame.
    ///
    /// # Errors
    /// [`GpuError::Range`] outside the buffer, [`GpuError::TooLarge`] above the device limit.
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
            let _ = done.send(result);
        });
        Ok(Readback {
            staging,
            bytes,
            outcome,
        })
    }
}

/// Pending read of GPU memory.
#[derive(Debug)]
pub struct Readback {
    staging: Buffer,
    bytes: u64,
    outcome: std::sync::mpsc::Receiver<Result<(), wgpu::BufferAsyncError>>,
}

impl Readback {
    /// Returns the bytes once they have arrived, `None` before. Does not block.
    ///
    /// # Errors
    /// If the device was lost or the read failed.
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

/// A value that was read, after [`Gpu::wait`]. An error in a browser, which cannot wait.
pub(crate) fn arrived<T>(read: Option<T>) -> Result<T, GpuError> {
    read.ok_or_else(|| GpuError::Refused {
        why: "a browser cannot wait for its GPU; read later, and poll in each frame".to_owned(),
    })
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

fn gpu_error(error: wgpu::Error) -> GpuError {
    match error {
        wgpu::Error::OutOfMemory { source } => GpuError::OutOfMemory {
            why: source.to_string(),
        },
        wgpu::Error::Validation { description, .. } => GpuError::Refused { why: description },
        wgpu::Error::Internal { description, .. } => GpuError::Refused { why: description },
    }
}
