//! Tests of the GPU in one program: one file per subject, folders for shared code.

mod actors;
mod common;
#[path = "../../sinew/tests/foreign/mod.rs"]
mod foreign;
mod gpu;
mod misuse;
mod own_device;
mod picture;
mod skin_batch;
mod skin_parity;
