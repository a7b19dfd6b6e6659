//! What can go wrong between a program and a GPU.

use sinew::rig::ActorError;
use sinew::skin::SkinError;
use thiserror::Error;

/// The reason why something could not be done on the GPU.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The machine has no adapter with compute shaders.
    #[error(
        "no GPU adapter with compute shaders was found; install a driver, or a software one \
         (Debian and Ubuntu: apt install mesa-vulkan-drivers libvulkan1)"
    )]
    NoAdapter,
    /// `SINEW_ADAPTER` names an adapter that is not there.
    #[error(
        "no adapter matches SINEW_ADAPTER={wanted}; there are: {found}. Name one of them or unset it"
    )]
    NoSuchAdapter {
        /// What was asked for.
        wanted: String,
        /// What there is.
        found: String,
    },
    /// The adapter is too small.
    #[error(
        "{adapter} allows {allowed} as its {limit} where {wanted} is needed; name another adapter \
         with SINEW_ADAPTER, update its driver, or make your own device with Gpu::needed_limits"
    )]
    Limit {
        /// Its name.
        adapter: String,
        /// Which limit, as WebGPU names it.
        limit: &'static str,
        /// What is needed.
        wanted: u64,
        /// What it allows.
        allowed: u64,
    },
    /// The driver did not give a device.
    #[error("{adapter} gave no device: {why}")]
    NoDevice {
        /// The adapter's name.
        adapter: String,
        /// The driver's words.
        why: String,
    },
    /// The device is gone: unplugged, reset after a crash, or destroyed.
    #[error("the GPU device was lost ({why}); make a new one")]
    Lost {
        /// The driver's words.
        why: String,
    },
    /// The device ran out of memory.
    #[error("the GPU is out of memory: {why}")]
    OutOfMemory {
        /// The driver's words.
        why: String,
    },
    /// A mistake of this program, found by wgpu's validation.
    #[error("the GPU refused a call: {why}")]
    Refused {
        /// wgpu's words.
        why: String,
    },
    /// A buffer larger than the device takes.
    #[error("the {what} needs {bytes} bytes where the adapter allows {allowed} in one buffer")]
    TooLarge {
        /// What it would hold.
        what: &'static str,
        /// Its size.
        bytes: u64,
        /// The device's limit.
        allowed: u64,
    },
    /// A part of a buffer that is not there, or not whole numbers of four bytes.
    #[error(
        "{bytes} bytes at {offset} cannot be read of a buffer of {size}: both are multiples of 4, within it"
    )]
    Range {
        /// Where it would begin.
        offset: u64,
        /// How long it would be.
        bytes: u64,
        /// The buffer's own size.
        size: u64,
    },
    /// A timer of no passes, or of too many.
    #[error("a timer has 1 to {most} spans, not {spans}")]
    Spans {
        /// What was asked for.
        spans: u32,
        /// What there can be.
        most: u32,
    },
    /// A morph weight that is no number.
    #[error("the weight of morph target {target} is not finite")]
    MorphWeight {
        /// Which.
        target: usize,
    },
    /// An image without pixels, or with fewer or more than its size says.
    #[error(
        "an image of {width} × {height} needs as many pixels, and one at least; it has {found} bytes"
    )]
    Pixels {
        /// Pixels per row.
        width: u32,
        /// Rows.
        height: u32,
        /// Bytes that there are, four of them a pixel.
        found: usize,
    },
    /// An environment map that has not a pixel for every place, or light that is no number or less than none.
    #[error(
        "an environment of {width} × {height} pixels needs as many colours of finite light, and has {found}"
    )]
    Environment {
        /// Pixels per row.
        width: u32,
        /// Rows.
        height: u32,
        /// Colours that there are.
        found: usize,
    },
    /// Skinning by quaternions alone is for comparisons on the CPU.
    #[error("quaternion skinning has no GPU form; use linear or dual quaternion skinning")]
    NoSuchMethod,
    /// An index past what there is.
    #[error("there is no {what} {index}; there are {len}")]
    NoSuch {
        /// Of what.
        what: &'static str,
        /// The index.
        index: usize,
        /// How many there are.
        len: usize,
    },
    /// A palette of another method or length than its place was made for.
    #[error("the palette does not fit its slot: {why}")]
    Palette {
        /// What is wrong.
        why: &'static str,
    },
    /// An actor of another rig.
    #[error("the actor plays another rig than the one that this was made for")]
    OtherRig,
    /// An actor that cannot be posed.
    #[error(transparent)]
    Actor(#[from] ActorError),
    /// Vertices or palettes that do not fit together.
    #[error(transparent)]
    Skin(#[from] SkinError),
}
