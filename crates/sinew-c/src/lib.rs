//! Sinew for C and C++. `include/sinew.h` declares and explains every function of this crate.
//!
//! Functions convert arguments, results and errors, and compute nothing. Each runs inside `call`,
//! which catches panics and keeps the text of errors. Handles are numbers in a table of live
//! objects, and are never dereferenced: a freed or invented handle gives an error.

#![allow(non_camel_case_types, reason = "names of C")]
#![allow(
    unsafe_code,
    reason = "a C interface reads and writes memory of its caller"
)]
#![allow(
    unsafe_op_in_unsafe_fn,
    clippy::missing_safety_doc,
    reason = "the first comment of sinew.h states one condition for all functions: pointers are \
              NULL or valid. Blocks that rely on it are in `arguments`"
)]

mod actor;
mod arguments;
mod bytes;
mod character;
mod graph;
mod ik;
mod player;
mod pose;
mod rig;
mod status;
mod table;
mod tools;
mod values;

pub use actor::*;
pub use bytes::*;
pub use character::*;
pub use graph::*;
pub use ik::*;
pub use player::*;
pub use pose::*;
pub use rig::*;
pub use status::{sinew_error_text, sinew_status, sinew_version};
pub use tools::*;
pub use values::*;
