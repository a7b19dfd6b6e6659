//! The way through the library: a [`Rig`] is made once for a character, an [`Actor`] is one who plays it.
//!
//! A rig holds what does not change and is shared: the skeleton, the clips (plain or packed), and for every piece of
//! surface the order of its vertices and where they were bound. An actor holds a pose and what follows from it, and
//! allocates nothing once it is made. Both are `Clone`, `Send` and `'static`.
//!
//! ```
//! use glam::Vec3;
//! use sinew::ik::{Tip, TwoBone};
//! use sinew::skin::{Layout, Order};
//! use sinew::{Method, Rig};
//! let character = sinew_samples::mannequin::Mannequin::default().build();
//! let rig = Rig::new(&character, Method::DualQuat)?; // once
//! let mut hero = rig.actor(); // one playing character
//! let mut player = rig.player("walk")?; // a clock on a clip
//! let [shoulder, elbow, hand] =
//!     ["left_upper_arm", "left_lower_arm", "left_hand"].map(|name| rig.skeleton().find(name).unwrap());
//! let layout = Layout { stride: 8, position: 0, normal: Some(3), tangent: None, order: Order::Mesh };
//! let mut vertex_buffer = vec![0.0; rig.vertices() * layout.stride];
//! for _frame in 0..3 {
//!     player.advance(1.0 / 60.0, |event| println!("{}", event.name));
//!     hero.sample(&player)?;
//!     let goal = Vec3::new(0.4, 1.2, 0.3);
//!     hero.solve(&TwoBone::new(shoulder, elbow, Tip::of(hand), goal).weight(0.8))?;
//!     hero.skin_into(&mut vertex_buffer[..], &layout)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `cargo run --example cpu_skinning`:
//!
#![doc = "```"]
#![doc = include_str!("../../examples/cpu_skinning.rs")]
#![doc = "```"]

mod actor;
mod crowd;
mod palette;
mod part;
mod play;
mod shape;

pub use actor::{Actor, ActorError, Solve};
pub use crowd::CrowdPlayer;
pub use part::Part;
pub use play::ClipPlayer;

use crate::binding::Binding;
use crate::character::{Character, CharacterError};
use crate::clip::Playable;
use crate::drivers::MorphDrivers;
use crate::names::did_you_mean;
use crate::skeleton::Skeleton;
use palette::SkinPalette;
use sinew_skin::{Method, Skin, SkinError};
use std::sync::Arc;
use thiserror::Error;

/// What is made once for a character and shared by all who play it.
#[derive(Clone, Debug)]
pub struct Rig {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    skeleton: Arc<Skeleton>,
    clips: Vec<Arc<dyn Playable>>,
    skins: Vec<Skin>,
    /// A palette per skin, at the rest pose: what each actor begins with.
    palettes: Vec<SkinPalette>,
    parts: Vec<Part>,
    drivers: MorphDrivers,
    bindings: Vec<Binding>,
    vertices: usize,
    method: Method,
}

/// Why a character is no rig, or a rig has not what was asked for.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RigError {
    /// A character whose parts do not fit together.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// A method that is for comparison only.
    #[error("{0:?} skinning is for comparison; take Rigid, Linear or DualQuat, or `deform`")]
    Method(Method),
    /// A surface that cannot be skinned.
    #[error("node {node}, primitive {primitive}: {source}")]
    Skin {
        /// The node that carries it.
        node: usize,
        /// The primitive of its mesh.
        primitive: usize,
        /// What is wrong.
        source: SkinError,
    },
    /// A skin that does not fit the skeleton.
    #[error("skin \"{name}\": {source}")]
    SkinJoints {
        /// Its name.
        name: String,
        /// What is wrong.
        source: SkinError,
    },
    /// No clip of that name.
    #[error("there is no clip \"{name}\"{hint}")]
    NoSuchClip {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// A clip for another number of joints.
    #[error("clip \"{name}\" moves {found} joints, and the skeleton has {wanted}")]
    Clip {
        /// Its name.
        name: String,
        /// Joints that it needs.
        found: usize,
        /// Joints that there are.
        wanted: usize,
    },
}

impl Rig {
    /// For every mesh of a character, and with all of its clips.
    ///
    /// # Errors
    /// [`RigError`] when parts of the character do not fit together.
    pub fn new(character: &Character, method: Method) -> Result<Self, RigError> {
        let clips = character.clips.iter().cloned();
        let clips = clips.map(|clip| Arc::new(clip) as Arc<dyn Playable>);
        Self::with_clips(character, method, clips.collect())
    }

    /// The same with other clips, packed ones for example, in place of the character's own.
    ///
    /// # Errors
    /// As [`Rig::new`], and when a clip moves joints that the skeleton does not have.
    pub fn with_clips(
        character: &Character,
        method: Method,
        clips: Vec<Arc<dyn Playable>>,
    ) -> Result<Self, RigError> {
        character.check()?;
        if method == Method::Quaternion {
            return Err(RigError::Method(method));
        }
        let wanted = character.skeleton.len();
        for clip in &clips {
            let found = clip.joints();
            if !clip.fits(&character.skeleton) {
                let name = clip.name().to_owned();
                return Err(RigError::Clip {
                    name,
                    found,
                    wanted,
                });
            }
        }
        let parts = part::parts(character, method)?;
        let (hierarchy, rest) = (
            character.skeleton.hierarchy(),
            character.skeleton.rest_model(),
        );
        let palette = |skin: &Skin| {
            let palette = SkinPalette::new(method, hierarchy, &rest, skin);
            palette.map_err(|source| RigError::SkinJoints {
                name: skin.name.clone(),
                source,
            })
        };
        let palettes = character.skins.iter().map(palette);
        let vertices = parts.last().map_or(0, |last| last.vertices().end);
        let shared = Shared {
            skeleton: Arc::new(character.skeleton.clone()),
            clips,
            skins: character.skins.clone(),
            palettes: palettes.collect::<Result<_, _>>()?,
            parts,
            drivers: MorphDrivers::new(character),
            bindings: character.bindings.clone(),
            vertices,
            method,
        };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    /// Its joints.
    pub fn skeleton(&self) -> &Skeleton {
        &self.shared.skeleton
    }

    /// Its motions.
    pub fn clips(&self) -> &[Arc<dyn Playable>] {
        &self.shared.clips
    }

    /// The joints that move its parts.
    pub fn skins(&self) -> &[Skin] {
        &self.shared.skins
    }

    /// What curves and events of its clips drive. Morph targets and parameters of graphs follow by themselves; the rest is
    /// for those who draw and play sounds.
    pub fn bindings(&self) -> &[Binding] {
        &self.shared.bindings
    }

    /// Whether it is the same one, or a clone of it.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// By which method it is skinned.
    pub fn method(&self) -> Method {
        self.shared.method
    }

    /// The pieces of its surface, in the order in which an actor writes them.
    pub fn parts(&self) -> &[Part] {
        &self.shared.parts
    }

    /// How many vertices an actor writes.
    pub fn vertices(&self) -> usize {
        self.shared.vertices
    }

    /// The corners of all triangles of all parts, three after three: an index buffer for the vertices that an actor
    /// writes in the mesh's order.
    pub fn indices(&self) -> Vec<u32> {
        let parts = self.shared.parts.iter();
        parts.flat_map(Part::indices).collect()
    }

    /// One who plays it, at rest.
    pub fn actor(&self) -> Actor {
        Actor::new(self.clone())
    }

    /// A clock at the start of a clip, which it loops: of that name, or at that index when the name is a number, as
    /// [`Character::find_clip`] goes.
    ///
    /// # Errors
    /// When there is no clip of that name.
    pub fn player(&self, clip: &str) -> Result<ClipPlayer, RigError> {
        let by_name = self.clips().iter().position(|c| c.name() == clip);
        let by_index = || {
            clip.parse()
                .ok()
                .filter(|&n: &usize| n < self.clips().len())
        };
        let found = by_name.or_else(by_index);
        let clip = found.ok_or_else(|| {
            let names = self.clips().iter().map(|c| c.name());
            RigError::NoSuchClip {
                name: clip.to_owned(),
                hint: did_you_mean(clip, names),
            }
        })?;
        Ok(ClipPlayer::new(self.clone(), clip))
    }
}
