//! Skeletal character animation, from rig to skinned vertices.
//!
//! Start at [`rig`]. A program makes one [`Rig`] per character, and an [`Actor`] plays it. The
//! documentation of that module shows a whole frame.
//!
//! Each step is also available alone, in its own module. [`sample()`] computes a [`LocalPose`] from
//! a [`Clip`], [`blend`] mixes poses, [`ik`] makes poses reach goals, and forward kinematics
//! computes a [`ModelPose`]. A [`Skin`] and a [`ModelPose`] give a [`skin::Palette`], with which
//! [`skin`] moves the vertices of a [`Mesh`]. A [`graph`] decides which clips play, [`root_motion`]
//! moves the character through the world, and a [`scene`] holds the objects to draw. For tools,
//! [`deform()`] runs all steps on a [`Character`], and [`measure`] measures the result.
//!
//! A transform `a_from_b` maps coordinates in frame `b` to coordinates in frame `a`.

pub mod batch;
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
pub mod property;
pub mod rig;
pub mod root_motion;
pub mod scene;
pub mod skeleton;
pub mod steps;

pub use character::{Character, CharacterError, Material, Node};
pub use clip::sample::{sample, sample_joint, sample_morphs};
pub use clip::{Clip, Event, Interpolation, Playable, Player, Track, TrackError, Wrap};
pub use crowd::{Crowd, CrowdError};
pub use deform::{
    DeformError, Deformed, DeformedPrimitive, Normals, SkinnedBy, deform, deform_pose,
};
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

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
