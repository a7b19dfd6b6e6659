//! Recipes for libraries of motion: the steps of Sinew's program over many files, resumable.
//!
//! A [`Recipe`] is TOML: input files, steps and names of outputs. A [`Plan`] is a recipe with the files that it names, and
//! [`Plan::run`] runs it on the bytes of one input, in memory. A [`Batch`] runs it on all files of a folder, and a
//! [`Manifest`] has what was done. `docs/batch.md` describes recipes.
//!
//! ```
//! use sinew_batch::{Plan, Recipe};
//! let recipe = Recipe::parse(
//!     r#"
//! inputs = "*.bvh"
//! [[step]]
//! verb = "convert"
//! scale = 0.01
//! output = "glb/{name}.glb"
//! "#,
//! )?;
//! let plan = Plan::new(recipe, |path| Err(format!("this recipe names no file {path:?}")))?;
//! let bytes = b"HIERARCHY ROOT hips { OFFSET 0 0 0 CHANNELS 1 Yrotation End Site { OFFSET 0 100 0 } }
//! MOTION Frames: 2 Frame Time: 0.5
//! 0
//! 90
//! ";
//! let input = plan.recipe().input("turn.bvh").expect("it matches");
//! let ran = plan.run(&input, bytes, None)?;
//! assert_eq!(ran.outputs[0].path, "glb/turn.glb");
//! assert!(ran.outputs[0].bytes.starts_with(b"glTF"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod clips;
mod error;
mod folder;
mod hash;
mod manifest;
pub mod notation;
mod plan;
mod recipe;
mod runner;
pub mod steps;
mod summary;
pub mod units;
mod work;

pub use error::StepError;
pub use folder::check_folders;
pub use hash::ContentHash;
pub use manifest::{Known, Manifest, Record, Written};
pub use plan::{Measured, Output, Plan, Ran};
pub use recipe::{Glob, Input, Recipe, RecipeError, RecipeFault, RecipeStep, Source, Template};
pub use runner::{Batch, BatchError, Event, Totals};
pub use steps::Step;
pub use summary::write_summary;
