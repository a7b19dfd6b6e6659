//! Tests of the library of recipes. `sinew-cli/tests/batch.rs` tests recipes on files.

mod globs;
mod manifest;
mod memory;
