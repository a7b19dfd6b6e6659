//! Tests of what is made by code, in one program: a file for each thing that is tested, folders for what they share.

mod exhibits;
mod mannequin;
mod mannequin_bound;
mod mannequin_growing;
mod scenes;
