//! The pose of a pane now.

use crate::document::OpenFile;
use crate::session::Session;
use crate::state::Pane;
use sinew::{Affine, Character, LocalPose, ModelPose, sample};

/// The joints of a pane's character at a moment.
#[derive(Clone, Debug)]
pub struct Posed {
    /// In their parents.
    pub local: LocalPose,
    /// In the model.
    pub model: ModelPose,
}

impl Default for Posed {
    fn default() -> Self {
        Self {
            local: LocalPose::identity(0),
            model: ModelPose::identity(0),
        }
    }
}

impl Posed {
    /// As the session has it now.
    pub(super) fn now(session: &Session, file: &OpenFile, _pane: Pane) -> Self {
        let playback = &session.state().playback;
        let character = &file.character;
        let mut local = LocalPose::identity(0);
        match playback.clip.and_then(|c| character.clips.get(c)) {
            Some(clip) => sample(clip, &character.skeleton, playback.time_secs, &mut local),
            None => local.copy_from(character.skeleton.rest()),
        }
        let model = model(character, &local);
        Self { local, model }
    }
}

/// A pose in model space; the rest pose when it is not of this skeleton.
pub(super) fn model(character: &Character, local: &LocalPose) -> ModelPose {
    let mut model = ModelPose::identity(0);
    match model.update(character.skeleton.hierarchy(), local, &Affine::IDENTITY) {
        Ok(()) => model,
        Err(_) => character.skeleton.rest_model(),
    }
}
