//! Tests of this crate in one program: a file per subject, and folders for shared code.

mod exhibits;
mod mannequin;
mod mannequin_bound;
mod mannequin_growing;
mod scenes;
