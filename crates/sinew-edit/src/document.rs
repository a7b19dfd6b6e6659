use crate::error::Reason;
use crate::name::Name;
use sinew::clip::{Clip, ClipLayers};
use sinew::names;
use sinew::{Character, LocalPose, Skeleton, Transform};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A character under edit. Clones share everything that is equal: clips, tracks, meshes.
#[derive(Clone, Debug)]
pub struct Document {
    /// The character as it was opened. Its clips are not those of the document.
    opened: Arc<Character>,
    motions: Vec<Arc<Motion>>,
    pose: Arc<BTreeMap<usize, Transform>>,
}

/// A clip, and the layers that it was made from.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Motion {
    /// The motion with all layers applied.
    pub clip: Clip,
    /// The layers, and the motion below them.
    pub layers: Option<ClipLayers>,
}

impl Document {
    /// Document of a character. Layers that do not give their clip are left out: another program changed it.
    pub fn new(character: impl Into<Arc<Character>>) -> Self {
        let opened: Arc<Character> = character.into();
        let motion = |(index, clip): (usize, &Clip)| {
            let layers = opened.layers.iter().find(|layers| layers.clip == index);
            let layers = layers.filter(|layers| layers.gives(&opened.skeleton, clip));
            Arc::new(Motion {
                clip: clip.clone(),
                layers: layers.cloned(),
            })
        };
        let motions = opened.clips.iter().enumerate().map(motion).collect();
        Self {
            opened,
            motions,
            pose: Arc::default(),
        }
    }

    /// The character with all clips and layers. Copies the meshes.
    pub fn character(&self) -> Character {
        let clips = self.motions.iter().map(|motion| motion.clip.clone());
        let layers = self.motions.iter().enumerate();
        let layers = layers.filter_map(|(clip, motion)| {
            let layers = motion.layers.clone()?;
            Some(ClipLayers { clip, ..layers })
        });
        Character {
            clips: clips.collect(),
            layers: layers.collect(),
            ..Character::clone(&self.opened)
        }
    }

    /// The character as it was opened. Its clips are not those of the document.
    pub fn opened(&self) -> &Arc<Character> {
        &self.opened
    }

    /// Skeleton of the character. No edit changes it.
    pub fn skeleton(&self) -> &Skeleton {
        &self.opened.skeleton
    }

    /// Clips with their layers.
    pub fn motions(&self) -> &[Arc<Motion>] {
        &self.motions
    }

    /// Joints that are posed by hand and not yet keyed, relative to their parents.
    pub fn pose(&self) -> &Arc<BTreeMap<usize, Transform>> {
        &self.pose
    }

    /// The pose of a clip at a time with the posed joints on top. Without a clip, the rest pose.
    pub fn posed(&self, moment: Option<(usize, f64)>) -> LocalPose {
        let skeleton = self.skeleton();
        let mut pose = skeleton.rest().clone();
        if let Some((clip, time_secs)) = moment
            && let Some(motion) = self.motions.get(clip)
        {
            for joint in motion.clip.joints.iter().map(|tracks| tracks.joint) {
                if joint < skeleton.len() {
                    pose.set(
                        joint,
                        sinew::sample_joint(&motion.clip, skeleton, joint, time_secs),
                    );
                }
            }
        }
        for (&joint, &transform) in self.pose.iter() {
            if joint < skeleton.len() {
                pose.set(joint, transform);
            }
        }
        pose
    }

    /// Index of a clip.
    ///
    /// # Errors
    /// If there is no such clip.
    pub fn find_clip(&self, name: &Name) -> Result<usize, Reason> {
        let names = || self.motions.iter().map(|motion| &*motion.clip.name);
        name.find(names()).ok_or_else(|| Reason::NoClip {
            name: name.clone(),
            hint: hint(name, names()),
        })
    }

    /// Index of a joint.
    ///
    /// # Errors
    /// If there is no such joint.
    pub fn find_joint(&self, name: &Name) -> Result<usize, Reason> {
        let skeleton = self.skeleton();
        let names = || (0..skeleton.len()).map(|joint| skeleton.name(joint));
        name.find(names()).ok_or_else(|| Reason::NoJoint {
            name: name.clone(),
            hint: hint(name, names()),
        })
    }

    /// Indices of joints. All joints if the list is empty.
    pub(crate) fn find_joints(&self, list: &[Name]) -> Result<Vec<usize>, Reason> {
        if list.is_empty() {
            return Ok((0..self.skeleton().len()).collect());
        }
        list.iter().map(|name| self.find_joint(name)).collect()
    }

    pub(crate) fn motion_mut(&mut self, clip: usize) -> &mut Motion {
        Arc::make_mut(&mut self.motions[clip])
    }

    pub(crate) fn motions_mut(&mut self) -> &mut Vec<Arc<Motion>> {
        &mut self.motions
    }

    pub(crate) fn pose_mut(&mut self) -> &mut BTreeMap<usize, Transform> {
        Arc::make_mut(&mut self.pose)
    }

    /// An unused name for a clip: `name`, or `name 2`, `name 3` and so on.
    pub fn free_name(&self, name: &str) -> String {
        let is_free = |name: &String| self.motions.iter().all(|motion| motion.clip.name != *name);
        let numbered = (2..).map(|number: u32| format!("{name} {number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(is_free).unwrap_or_default()
    }
}

pub(crate) fn hint<'a>(name: &Name, names: impl ExactSizeIterator<Item = &'a str>) -> String {
    match name {
        Name::Index(_) => format!("; there are {}", names.len()),
        Name::Name(name) => names::hint(name, names),
    }
}
