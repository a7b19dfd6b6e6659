//! New versions of files: a file is there whole or not at all.

#[cfg(target_family = "wasm")]
mod in_memory;
#[cfg(not(target_family = "wasm"))]
mod on_disk;

#[cfg(target_family = "wasm")]
pub use in_memory::Replacement;
#[cfg(not(target_family = "wasm"))]
pub use on_disk::{Replacement, abandon_replacements};
