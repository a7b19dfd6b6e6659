//! Skeletal character animation, from rig to skinned vertices.
//!
//! Data flows one way, and each arrow is a module: a [`Clip`] is [`sample()`]d into a
//! [`LocalPose`], [`blend`] mixes poses, [`ik`] makes them reach, forward kinematics makes them a [`ModelPose`], a [`Skin`]
//! turns that into a [`skin::Palette`], and [`skin`] moves the vertices of a [`Mesh`]. A [`graph`] decides which
//! clips are played, and [`root_motion`] where they lead. A [`Character`] ties them together; [`deform()`]
//! runs the whole line for tools and [`measure`] says how well it went. A [`scene`] places what is drawn,
//! and [`examples`] has some to begin with.
//!
//! A transform is named `a_from_b`: it takes what is written in frame `b` and writes it in frame `a`.

pub mod blend;
pub mod character;
pub mod clip;
pub mod corrective;
mod crowd;
mod deform;
mod dual_quat;
pub mod examples;
pub mod graph;
mod hierarchy;
pub mod ik;
pub mod measure;
pub mod mesh;
pub mod names;
pub mod pose;
pub mod root_motion;
mod sample;
pub mod scene;
pub mod simd;
pub mod skeleton;
pub mod skin;
pub mod transform;

pub use character::{Character, CharacterError, Material, Node};
pub use clip::{Clip, Event, Interpolation, Player, Track, TrackError, Wrap};
pub use crowd::{Crowd, CrowdError};
pub use deform::{DeformError, Deformed, DeformedPrimitive, deform};
pub use dual_quat::DualQuat;
pub use hierarchy::{Hierarchy, HierarchyError, SortedHierarchy};
pub use mesh::{InfluenceError, Influences, Mesh, Primitive};
pub use pose::{LocalPose, ModelPose};
pub use sample::{sample, sample_joint, sample_morphs};
pub use skeleton::{Joint, JointMap, Skeleton, SkeletonError};
pub use skin::{Method, Skin};
pub use transform::{Affine, Transform};
