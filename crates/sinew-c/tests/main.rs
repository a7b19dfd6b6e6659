//! Tests of the C interface, called from Rust.

#![allow(unsafe_code, reason = "calls the interface as C does")]

mod calls;
mod header;
