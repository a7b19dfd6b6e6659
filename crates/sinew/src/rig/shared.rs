//! A rig: the skeleton, clips and surface of a character that all who play it share.

use super::error::RigError;
use super::palette::SkinPalette;
use super::part::{self, Part};
use crate::binding::Binding;
use crate::character::Character;
use crate::clip::Playable;
use crate::drivers::MorphDrivers;
use crate::skeleton::Skeleton;
use sinew_skin::{Method, Skin};
use std::sync::Arc;

/// A character made ready to be played, once, and shared by all who play it.
#[derive(Clone, Debug)]
pub struct Rig {
    pub(super) shared: Arc<Shared>,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub skeleton: Arc<Skeleton>,
    pub clips: Vec<Arc<dyn Playable>>,
    pub skins: Vec<Skin>,
    /// A palette per skin, at the rest pose: what each actor begins with.
    pub palettes: Vec<SkinPalette>,
    pub parts: Vec<Part>,
    pub drivers: MorphDrivers,
    pub bindings: Vec<Binding>,
    pub vertices: usize,
    pub method: Method,
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

    /// Targets that curves and events of its clips drive. Morph targets and parameters of graphs follow by themselves; the rest is
    /// for those who draw and play sounds.
    pub fn bindings(&self) -> &[Binding] {
        &self.shared.bindings
    }

    /// True for the same one and for a clone of it.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// The method that it is skinned by.
    pub fn method(&self) -> Method {
        self.shared.method
    }

    /// The pieces of its surface, in the order in which an actor writes them.
    pub fn parts(&self) -> &[Part] {
        &self.shared.parts
    }

    /// The number of vertices that an actor writes.
    pub fn vertices(&self) -> usize {
        self.shared.vertices
    }

    /// The corners of all triangles of all parts, three after three: an index buffer for the vertices that an actor
    /// writes in the mesh's order.
    pub fn indices(&self) -> Vec<u32> {
        let parts = self.shared.parts.iter();
        parts.flat_map(Part::indices).collect()
    }
}
