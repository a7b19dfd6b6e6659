//! Skeletal character animation, from rig to skinned vertices.
//!
//! Begin at [`rig`]: a [`Rig`] is made once for a character, an [`Actor`] is one who plays it, and its module shows a
//! whole frame. What follows is what they are made of, for those who want it piece by piece.
//!
//! Data flows one way, and each arrow is a module: a [`Clip`] is [`sample()`]d into a
//! [`LocalPose`], [`blend`] mixes poses, [`ik`] makes them reach, forward kinematics makes them a [`ModelPose`], a [`Skin`]
//! turns that into a [`skin::Palette`], and [`skin`] moves the vertices of a [`Mesh`]. A [`graph`] decides which
//! clips are played, and [`root_motion`] where they lead. A [`Character`] ties them together; [`deform()`]
//! runs the whole line for tools and [`measure`] says how well it went. A [`scene`] places what is drawn.
//!
//! A transform is named `a_from_b`: it takes what is written in frame `b` and writes it in frame `a`.

pub mod binding;
pub mod blend;
pub mod character;
pub mod clip;
pub mod corrective;
mod crowd;
mod deform;
mod drivers;
pub mod graph;
pub mod ik;
pub mod markers;
pub mod measure;
pub mod mesh;
pub mod names;
pub mod pick;
pub mod pose;
pub mod rig;
pub mod root_motion;
pub mod scene;
pub mod skeleton;

pub use character::{Character, CharacterError, Material, Node};
pub use clip::sample::{sample, sample_joint, sample_morphs};
pub use clip::{Clip, Event, Interpolation, Playable, Player, Track, TrackError, Wrap};
pub use crowd::{Crowd, CrowdError};
pub use deform::{DeformError, Deformed, DeformedPrimitive, deform, deform_pose};
pub use drivers::MorphDrivers;
pub use glam;
pub use mesh::{InfluenceError, Influences, Mesh, Primitive};
pub use pose::{LocalPose, ModelPose};
pub use rig::{Actor, ActorError, Rig, RigError};
pub use sinew_math::{
    Affine, DualQuat, Hierarchy, HierarchyError, SortedHierarchy, Transform, simd, transform,
};
pub use sinew_skin as skin;
pub use sinew_skin::{Method, Skin};
pub use skeleton::{Joint, JointMap, Skeleton, SkeletonError};

/// The example of the readme, so that it keeps compiling.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
