//! GPU access: choice of an adapter, buffers, bind groups, timer and errors.

mod adapter;
pub(crate) mod bind;
pub(crate) mod error;
pub(crate) mod gpu;
pub(crate) mod timer;

pub use adapter::ADAPTER_VARIABLE;
pub use error::GpuError;
pub use gpu::{Gpu, Readback};
pub use timer::Timer;
