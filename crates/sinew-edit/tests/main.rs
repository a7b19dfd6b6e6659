//! Tests of edits, a module per idea.

mod clips;
mod history;
mod keys;
mod layers;
mod poses;
mod refused;
mod scripts;
mod support;
