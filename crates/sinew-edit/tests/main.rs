//! Tests of edits, a module per idea.

mod clips;
mod exact;
#[path = "../../sinew/tests/foreign/mod.rs"]
mod foreign;
mod history;
mod keys;
#[path = "../../sinew-io/tests/khronos/mod.rs"]
mod khronos;
mod large;
mod layer_edits;
mod layers;
mod loads;
mod memory;
mod poses;
mod random;
mod refused;
mod scripts;
mod support;
