//! Prepares characters for animation.
//!
//! [`weights`] binds meshes to skeletons, [`template`] builds skeletons, [`find`] finds them in
//! meshes, [`retarget`] transfers clips to other bodies, [`mocap`] fits a skeleton to markers,
//! [`motion`] measures clips, [`clean`] cleans captured clips, and [`units`] converts lengths.
//!
//! ```
//! use glam::Vec3;
//! use sinew::mesh::shapes;
//! use sinew::{Character, Mesh};
//! use sinew_rig::template::Biped;
//! use sinew_rig::weights::{BindOptions, bind_to_skeleton};
//! // A body that faces +z: here an ellipsoid the size of a person.
//! let half = Vec3::new(0.5, 0.9, 0.2);
//! let body = shapes::ellipsoid(half, 24, 32);
//! let mesh = Mesh { name: "body".into(), primitives: vec![body], ..Mesh::default() };
//! let mut character = Character::from_mesh(mesh);
//! let skeleton = Biped::default().fitted(-half, half)?.skeleton()?;
//! let report = bind_to_skeleton(&mut character, &Character::from_skeleton(skeleton), &BindOptions::default())?;
//! assert!(report.joints_used > 1);
//! assert!(character.meshes[0].primitives[0].influences.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod clean;
pub mod find;
pub mod mocap;
pub mod motion;
pub mod rest;
pub mod retarget;
mod solid;
pub mod template;
pub mod units;
pub mod weights;

/// Compiles the example of the readme.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
