//! Tests of packing, in one program.

mod bound;
mod chain;
#[path = "../../sinew/tests/clock/mod.rs"]
mod clock;
mod file;
mod finite;
mod misuse;
mod noise;
mod rows;
mod sampling;
mod uneven;
