//! Tests of the viewer, in one program.

#[path = "../../sinew/tests/clock/mod.rs"]
mod clock;
mod core;
mod panels;
