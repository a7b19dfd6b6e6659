use super::error::RigError;
use super::palette::SkinPalette;
use super::part::{self, Part};
use crate::binding::Binding;
use crate::character::Character;
use crate::clip::packed::PackedFile;
use crate::clip::{Clip, Playable};
use crate::drivers::MorphDrivers;
use crate::skeleton::Skeleton;
use crate::steps::finish;
use sinew_skin::{Method, Skin};
use std::sync::Arc;

/// Character ready to play: skeleton, clips and surface, shared by all actors.
#[derive(Clone, Debug)]
#[doc(alias = "skeletal mesh")]
#[doc(alias = "armature")]
pub struct Rig {
    pub(super) shared: Arc<Shared>,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub skeleton: Arc<Skeleton>,
    pub clips: Vec<Arc<dyn Playable>>,
    pub skins: Vec<Skin>,
    /// Palettes at the rest pose, one per skin, with which each actor starts.
    pub palettes: Vec<SkinPalette>,
    pub parts: Vec<Part>,
    pub drivers: MorphDrivers,
    pub bindings: Vec<Binding>,
    pub vertices: usize,
    pub method: Method,
}

impl Rig {
    /// Prepares all meshes and clips of a character.
    ///
    /// # Errors
    /// [`RigError`] if parts of the character are inconsistent.
    pub fn new(character: &Character, method: Method) -> Result<Self, RigError> {
        finish(Self::new_in_steps(character, method))
    }

    /// As [`Rig::new`], in [steps](crate::steps): one per primitive.
    ///
    /// # Errors
    /// As [`Rig::new`].
    pub async fn new_in_steps(character: &Character, method: Method) -> Result<Self, RigError> {
        let clips = character.clips.iter().cloned();
        Self::prepare(character, method, clips.map(Clip::prepared).collect()).await
    }

    /// As [`Rig::new`], with other clips than those of the character, for example packed clips. They
    /// play as they are; [`Clip::prepared`] makes plain clips fast.
    ///
    /// # Errors
    /// As [`Rig::new`], or if a clip needs joints that the skeleton does not have.
    pub fn with_clips(
        character: &Character,
        method: Method,
        clips: Vec<Arc<dyn Playable>>,
    ) -> Result<Self, RigError> {
        finish(Self::prepare(character, method, clips))
    }

    /// As [`Rig::new`], with the packed clips of a file instead of those of the character.
    ///
    /// # Errors
    /// As [`Rig::new`], or if the joints of the file have other names or another order.
    pub fn with_packed(
        character: &Character,
        method: Method,
        file: PackedFile<'_>,
    ) -> Result<Self, RigError> {
        check_joints(&file.skeleton, &character.skeleton)?;
        let clips = file.clips.into_iter();
        let clips = clips.map(|clip| Arc::new(clip.into_owned()) as Arc<dyn Playable>);
        Self::with_clips(character, method, clips.collect())
    }

    async fn prepare(
        character: &Character,
        method: Method,
        clips: Vec<Arc<dyn Playable>>,
    ) -> Result<Self, RigError> {
        character.check()?;
        if method == Method::Quaternion {
            return Err(RigError::Method(method));
        }
        let expected = character.skeleton.len();
        for clip in &clips {
            let found = clip.joints();
            if !clip.fits(&character.skeleton) {
                let name = clip.name().to_owned();
                return Err(RigError::Clip {
                    name,
                    found,
                    expected,
                });
            }
        }
        let parts = part::parts(character, method).await?;
        let (hierarchy, rest) = (
            character.skeleton.hierarchy(),
            character.skeleton.rest_model(),
        );
        let palette = |skin: &Skin| {
            let palette = SkinPalette::new(method, hierarchy, rest.as_slice(), skin);
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

    /// Skeleton of the character.
    pub fn skeleton(&self) -> &Skeleton {
        &self.shared.skeleton
    }

    /// Clips of the rig.
    pub fn clips(&self) -> &[Arc<dyn Playable>] {
        &self.shared.clips
    }

    /// Skins whose joints move the parts.
    pub fn skins(&self) -> &[Skin] {
        &self.shared.skins
    }

    /// Bindings of the curves and events of the clips. The program must apply the bindings whose
    /// target is not a morph target or a parameter.
    pub fn bindings(&self) -> &[Binding] {
        &self.shared.bindings
    }

    /// True if `other` is this rig or a clone of it.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Skinning method.
    pub fn method(&self) -> Method {
        self.shared.method
    }

    /// Parts in the order in which an actor writes them.
    pub fn parts(&self) -> &[Part] {
        &self.shared.parts
    }

    /// Number of vertices that an actor writes.
    pub fn vertices(&self) -> usize {
        self.shared.vertices
    }

    /// Index buffer of all triangles, for vertices in mesh order.
    pub fn indices(&self) -> Vec<u32> {
        let parts = self.shared.parts.iter();
        parts.flat_map(Part::indices).collect()
    }
}

/// Checks that packed clips are for the joints of the character.
fn check_joints(packed: &Skeleton, own: &Skeleton) -> Result<(), RigError> {
    let name = |skeleton: &Skeleton, joint| {
        let exists = joint < skeleton.len();
        exists.then(|| skeleton.name(joint).to_owned())
    };
    for joint in 0..packed.len().max(own.len()) {
        let (found, expected) = (name(packed, joint), name(own, joint));
        if found != expected {
            return Err(RigError::Packed {
                joint,
                found,
                expected,
            });
        }
    }
    Ok(())
}
