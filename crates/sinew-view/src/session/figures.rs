//! Actors of the panes, one per file and method, prepared in the background.

use crate::document::{Document, FileId, Message, MessageKind, OpenFile, Outcome, Progress, Task};
use crate::state::Pane;
use sinew::root_motion::RootMotion;
use sinew::{Actor, Character, LocalPose, Method, Rig, RigError};
use std::collections::HashMap;
use std::sync::Arc;

/// Posed character of a pane.
#[derive(Debug)]
pub struct Figure<'a> {
    /// Id of the file.
    pub file: FileId,
    /// Version of the file. A reload gives a new version and a new character.
    pub version: u32,
    /// Character of the file.
    pub character: &'a Arc<Character>,
    /// Skinning method. For [`Method::Quaternion`], the actor uses [`Method::Linear`].
    pub method: Method,
    /// Posed actor.
    pub actor: &'a mut Actor,
}

#[derive(Debug, Default)]
pub(super) struct Figures {
    slots: Vec<Option<Slot>>,
    rigs: Vec<(RigKey, Rig)>,
    preparing: Vec<(RigKey, Task<Result<Rig, RigError>>)>,
    refused: Vec<RigKey>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct RigKey {
    file: FileId,
    version: u32,
    method: Method,
}

impl RigKey {
    fn new(file: &OpenFile, method: Method) -> Self {
        let method = match method {
            // Rigs do not support quaternions. The pose is the same.
            Method::Quaternion => Method::Linear,
            other => other,
        };
        Self {
            file: file.id,
            version: file.version,
            method,
        }
    }
}

#[derive(Debug)]
pub(super) struct Slot {
    key: RigKey,
    pub character: Arc<Character>,
    pub actor: Actor,
    /// [`OpenFile::edits`] that [`Slot::roots`] belongs to.
    pub edits: u64,
    /// Root motion of each clip, removed for playback on the spot. `None` if it cannot be removed.
    pub roots: HashMap<usize, Option<RootMotion>>,
    /// Buffers for the poses of blended clips.
    pub poses: Vec<LocalPose>,
}

impl Slot {
    pub fn figure(&mut self, method: Method) -> Figure<'_> {
        Figure {
            file: self.key.file,
            version: self.key.version,
            character: &self.character,
            method,
            actor: &mut self.actor,
        }
    }
}

impl Figures {
    pub fn is_busy(&self) -> bool {
        !self.preparing.is_empty()
    }

    /// Stores and prepares actors. Returns true if an actor is new, and messages about failures.
    pub fn take_in(&mut self, document: &Document, panes: &[Pane]) -> (bool, Vec<Message>) {
        let (mut is_any, mut problems) = (false, Vec::new());
        let mut going_on = Vec::new();
        for (key, mut task) in std::mem::take(&mut self.preparing) {
            match task.poll() {
                Outcome::Working => going_on.push((key, task)),
                Outcome::Done(Ok(rig)) => {
                    self.rigs.push((key, rig));
                    is_any = true;
                }
                refused => {
                    let text = match refused {
                        Outcome::Done(Err(why)) => why.to_string(),
                        _ => "the preparation ended unexpectedly".to_owned(),
                    };
                    problems.push(Message {
                        kind: MessageKind::Problem,
                        file: document
                            .file(key.file)
                            .map_or_else(String::new, |f| f.name.clone()),
                        text: format!("cannot be skinned with this method: {text}"),
                        way_out: "Choose another method for its pane.".to_owned(),
                    });
                    self.refused.push(key);
                    is_any = true;
                }
            }
        }
        self.preparing = going_on;
        let is_open = |key: &RigKey| {
            let file = document.file(key.file);
            file.is_some_and(|file| file.version == key.version)
        };
        self.rigs.retain(|(key, _)| is_open(key));
        self.refused.retain(is_open);
        self.preparing.retain(|(key, _)| is_open(key));
        self.slots.truncate(panes.len());
        for pane in 0..panes.len() {
            self.slot(document, panes, pane);
        }
        (is_any, problems)
    }

    /// Actor of a pane, `None` until it is prepared. A reload keeps the old actor until then.
    pub fn slot(&mut self, document: &Document, panes: &[Pane], pane: usize) -> Option<&mut Slot> {
        let wanted = panes.get(pane)?;
        let file = document.file(wanted.file)?;
        let key = RigKey::new(file, wanted.method);
        if self.slots.len() <= pane {
            self.slots.resize_with(pane + 1, || None);
        }
        let has = self.slots[pane].as_ref().map(|slot| slot.key);
        if has != Some(key) {
            let prepared = self.rigs.iter().find(|(known, _)| *known == key);
            let rig = match key.method == file.rig.method() {
                true => Some(&file.rig),
                false => prepared.map(|(_, rig)| rig),
            };
            match rig {
                Some(rig) => {
                    self.slots[pane] = Some(Slot {
                        key,
                        character: file.character.clone(),
                        actor: rig.actor(),
                        edits: file.edits,
                        roots: HashMap::new(),
                        poses: Vec::new(),
                    });
                }
                None => self.prepare(key, &file.character),
            }
        }
        let slot = self.slots[pane].as_mut()?;
        (slot.key.file == key.file && slot.key.method == key.method).then_some(slot)
    }

    fn prepare(&mut self, key: RigKey, character: &Arc<Character>) {
        let is_known = self.preparing.iter().any(|(known, _)| *known == key);
        if is_known || self.refused.contains(&key) {
            return;
        }
        let character = character.clone();
        let task = Task::work(async move |progress: Arc<Progress>| {
            progress.set("preparing", None);
            Rig::new_in_steps(&character, key.method).await
        });
        self.preparing.push((key, task));
    }
}
