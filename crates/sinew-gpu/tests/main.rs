//! Tests of the GPU, in one program: a file for each thing that is tested, folders for what they share.

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
