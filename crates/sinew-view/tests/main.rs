//! Tests of the viewer, in one program.

mod core;
mod panels;
