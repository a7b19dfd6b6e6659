use sinew::rig::ActorError;
use sinew::skin::SkinError;
use thiserror::Error;

/// Reason for a failure on the GPU.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The machine has no adapter that supports compute shaders.
    #[error(
        "no GPU adapter with compute shaders was found; install a driver, or a software one \
         (Debian and Ubuntu: apt install mesa-vulkan-drivers libvulkan1)"
    )]
    NoAdapter,
    /// `SINEW_ADAPTER` matches no adapter.
    #[error(
        "no adapter matches SINEW_ADAPTER={requested}; choose one of {found}, or unset the variable"
    )]
    NoSuchAdapter {
        /// Value of the variable.
        requested: String,
        /// Names of all adapters of the machine.
        found: String,
    },
    /// A limit of the adapter is too small.
    #[error(
        "{adapter} allows {allowed} for {limit}, but {requested} is needed; choose another adapter with SINEW_ADAPTER, update its driver, or make your own device with Gpu::needed_limits"
    )]
    Limit {
        /// Name of the adapter.
        adapter: String,
        /// Name of the limit in WebGPU.
        limit: &'static str,
        /// Needed value.
        requested: u64,
        /// Value that the adapter allows.
        allowed: u64,
    },
    /// The driver could not open a device.
    #[error("{adapter} did not provide a device: {why}")]
    NoDevice {
        /// Name of the adapter.
        adapter: String,
        /// Message of the driver.
        why: String,
    },
    /// The device is gone: unplugged, reset after a crash, or destroyed.
    #[error("the GPU device was lost ({why}); make a new one")]
    Lost {
        /// Message of the driver.
        why: String,
    },
    /// The device ran out of memory.
    #[error("the GPU is out of memory: {why}")]
    OutOfMemory {
        /// Message of the driver.
        why: String,
    },
    /// wgpu rejected a call because of a mistake in the program.
    #[error("the GPU rejected a call: {why}")]
    Refused {
        /// Message of wgpu.
        why: String,
    },
    /// A buffer exceeds the limit of the device.
    #[error("the {what} needs {bytes} bytes, but the adapter allows {allowed} in one buffer")]
    TooLarge {
        /// Contents of the buffer.
        what: &'static str,
        /// Size of the buffer in bytes.
        bytes: u64,
        /// Limit of the device in bytes.
        allowed: u64,
    },
    /// A range is outside its buffer, or is not aligned to four bytes.
    #[error(
        "{bytes} bytes at offset {offset} cannot be read from a buffer of {size} bytes; both must be multiples of 4 and within the buffer"
    )]
    Range {
        /// Start of the range in bytes.
        offset: u64,
        /// Length of the range in bytes.
        bytes: u64,
        /// Size of the buffer in bytes.
        size: u64,
    },
    /// A timer has 0 spans or more than the max.
    #[error("a timer must have 1 to {max} spans, not {spans}")]
    Spans {
        /// Requested number of spans.
        spans: u32,
        /// Max number of spans.
        max: u32,
    },
    /// A morph weight is infinite or NaN.
    #[error("the weight of morph target {target} is not finite")]
    MorphWeight {
        /// Index of the morph target.
        target: usize,
    },
    /// An image is empty, or its data does not match its size.
    #[error(
        "an image of {width} × {height} must have at least one pixel and four bytes per pixel; it has {found} bytes"
    )]
    Pixels {
        /// Pixels per row.
        width: u32,
        /// Number of rows.
        height: u32,
        /// Number of bytes of data.
        found: usize,
    },
    /// An environment map has a wrong number of pixels, or light that is negative or not finite.
    #[error(
        "an environment of {width} × {height} pixels needs one finite colour per pixel; it has {found} colours"
    )]
    Environment {
        /// Pixels per row.
        width: u32,
        /// Number of rows.
        height: u32,
        /// Number of colours.
        found: usize,
    },
    /// The method is quaternion skinning, which only the CPU supports, for comparisons.
    #[error(
        "quaternion skinning is not available on the GPU; use linear or dual quaternion skinning"
    )]
    NoSuchMethod,
    /// An index is out of range.
    #[error("there is no {what} {index}; there are {len}")]
    NoSuch {
        /// Kind of item, such as "mesh".
        what: &'static str,
        /// Requested index.
        index: usize,
        /// Number of items.
        len: usize,
    },
    /// A palette does not have the method or length of its slot.
    #[error("the palette does not fit the instance: {why}")]
    Palette {
        /// Description of the difference.
        why: &'static str,
    },
    /// An actor plays another rig.
    #[error("the actor has a rig that differs from the rig that this object was made for")]
    OtherRig,
    /// An actor could not be posed.
    #[error(transparent)]
    Actor(#[from] ActorError),
    /// Vertices or palettes do not fit together.
    #[error(transparent)]
    Skin(#[from] SkinError),
}
