//! Tests of packing, in one program: a file for each thing that is tested, and one for what they share.

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
