//! Edits of the shown file, and their history.

use super::Session;
use crate::document::{FileId, Message, MessageKind, OpenFile};
use crate::state::{EditingCommand, HistoryCommand, Selection};
use sinew_edit::{
    ClipEdit, Edit, EditError, Editor, KeyEdit, Moment, Name, PoseEdit, Reach, Report,
};

impl Session {
    /// History of a file. `None` before its first edit.
    pub fn editor(&self, file: FileId) -> Option<&Editor> {
        self.edits.editors.get(&file)
    }

    /// Name of the clip that plays, for edits. `None` for the rest pose.
    pub fn edited_clip(&self) -> Option<Name> {
        self.state
            .playback
            .clip
            .map(|clip| clip_name(self.shown_file(), clip))
    }

    /// Layer that gets keys. `None` for the clip itself.
    pub fn edited_layer(&self) -> Option<usize> {
        let motion = self.shown_file().motions.get(self.state.playback.clip?)?;
        let layers = motion.layers.as_ref()?;
        let is_there = |layer: &usize| *layer < layers.layers.len();
        self.state.editing.layer.filter(is_there)
    }

    /// Edit that keys the posed joints at the current time; without any, the selected joint. `whole` keys all joints
    /// as they are. `None` for the rest pose.
    pub fn key_edit(&self, whole: bool) -> Option<KeyEdit> {
        let joints = match self.state.selection {
            Selection::Joint(joint) if !whole && self.shown_file().pose.is_empty() => {
                vec![Name::Index(joint)]
            }
            _ => Vec::new(),
        };
        Some(KeyEdit::KeyPose {
            clip: self.edited_clip()?,
            layer: self.edited_layer().map(Name::Index),
            time_secs: self.state.playback.time_secs as f32,
            joints,
            whole,
        })
    }

    pub(super) fn run_editing(&mut self, command: EditingCommand) {
        let editing = &mut self.state.editing;
        match command {
            EditingCommand::SelectKeys { keys, add } => {
                if !add {
                    editing.keys.clear();
                }
                for range in keys {
                    if !editing.keys.contains(&range) {
                        editing.keys.push(range);
                    }
                }
            }
            EditingCommand::AutoKey { on } => editing.auto_key = on,
            EditingCommand::ActiveLayer { layer } => {
                editing.layer = layer;
                editing.keys.clear();
            }
        }
    }

    pub(super) fn run_edit(&mut self, edit: Edit) {
        if !self.change(&edit, false) {
            return;
        }
        if is_pose(&edit) {
            self.auto_key(&edit);
        }
        if let Edit::Clip(ClipEdit::NewClip { .. } | ClipEdit::CopyClip { .. }) = edit {
            let last = self.shown_file().motions.len().checked_sub(1);
            self.play_clip(last);
            self.state.playback.is_playing = false;
        }
    }

    pub(super) fn run_history(&mut self, command: HistoryCommand) {
        match command {
            HistoryCommand::Undo => {
                let undone = self.step(|editor| editor.undo().cloned());
                if let Some(Edit::Key(
                    KeyEdit::MoveKeys { keys, .. } | KeyEdit::ScaleKeys { keys, .. },
                )) = undone
                {
                    self.state.editing.keys = keys;
                }
            }
            HistoryCommand::Redo => {
                if let Some(edit) = self.step(|editor| editor.redo().cloned()) {
                    self.follow(&edit);
                }
            }
            HistoryCommand::Drag { edit } => _ = self.change(&edit, true),
            HistoryCommand::Join { edit } => {
                self.apply(|editor| editor.run_joined(edit).cloned());
            }
            HistoryCommand::Cancel => {
                self.apply(|editor| {
                    editor.cancel();
                    Ok(Report::default())
                });
            }
            HistoryCommand::Release => {
                let Some(editor) = self.edits.editors.get_mut(&self.state.shown) else {
                    return;
                };
                let was_dragging = editor.is_dragging();
                editor.release();
                let last = editor.done().next_back().map(|step| step.edit.clone());
                if let Some(edit) = last.filter(|edit| was_dragging && is_pose(edit)) {
                    self.auto_key(&edit);
                }
            }
        }
    }

    /// Keys the joints that an edit posed, as a part of its step. While a clip plays, the key is at the time that the
    /// edit is over, not at the later one of now.
    fn auto_key(&mut self, posed: &Edit) {
        if !self.state.editing.auto_key || self.shown_file().pose.is_empty() {
            return;
        }
        if let Some(mut edit) = self.key_edit(false) {
            if let (KeyEdit::KeyPose { time_secs, .. }, Some(over)) = (&mut edit, over(posed)) {
                *time_secs = over.time_secs;
            }
            self.apply(|editor| editor.run_joined(edit).cloned());
        }
    }

    fn change(&mut self, edit: &Edit, is_drag: bool) -> bool {
        let run = edit.clone();
        let done = match is_drag {
            // A refused edit of a drag leaves the last one, and the next may be allowed again.
            true => self.try_apply(|editor| editor.drag(run).cloned()).is_ok(),
            false => self.apply(|editor| editor.run(run).cloned()),
        };
        if done {
            self.follow(edit);
        }
        done
    }

    /// Keeps moved keys selected.
    fn follow(&mut self, edit: &Edit) {
        let editing = &mut self.state.editing;
        let Edit::Key(edit) = edit else {
            return;
        };
        match edit {
            KeyEdit::MoveKeys { keys, by_secs, .. } => editing.retime(keys, |time| time + by_secs),
            KeyEdit::ScaleKeys {
                keys,
                factor,
                about_secs,
                ..
            } => editing.retime(keys, |time| about_secs + (time - about_secs) * factor),
            KeyEdit::DeleteKeys { .. } => editing.keys.clear(),
            _ => {}
        }
    }

    fn step(&mut self, step: impl FnOnce(&mut Editor) -> Option<Edit>) -> Option<Edit> {
        let mut stepped = None;
        self.apply(|editor| {
            stepped = step(editor);
            Ok(Report::default())
        });
        stepped
    }

    /// Changes the shown file, or says why not.
    pub(super) fn apply(
        &mut self,
        edit: impl FnOnce(&mut Editor) -> Result<Report, EditError>,
    ) -> bool {
        let result = self.try_apply(edit);
        if let Err(error) = &result {
            self.notify(Message {
                kind: MessageKind::Problem,
                file: self.shown_file().name.clone(),
                text: error.to_string(),
                way_out: "Nothing changed.".to_owned(),
            });
        }
        result.is_ok()
    }

    /// Changes the shown file, and keeps what plays where possible.
    fn try_apply(
        &mut self,
        edit: impl FnOnce(&mut Editor) -> Result<Report, EditError>,
    ) -> Result<(), EditError> {
        let id = self.shown_file().id;
        let before = self.shown_file().clone();
        let editor = self.edits.editors.entry(id);
        let editor = editor.or_insert_with(|| Editor::new(before.character.clone()));
        let report = edit(editor)?;
        let document = editor.document().clone();
        self.asking.given_up.remove(&id);
        if let Some(file) = self.document.file_mut(id) {
            file.take_edits(&document);
            // An edited figure stays when a file is opened.
            file.is_stand_in = false;
        }
        self.keep_playback(&before);
        self.state.edited = report;
        self.write_journal(id);
        Ok(())
    }
}

/// Name of a clip, or its index if another clip comes first under this name.
fn clip_name(file: &OpenFile, clip: usize) -> Name {
    let own = file.clip(clip).map_or("", |own| &own.name);
    match file.clips().position(|other| other.name == own) {
        Some(first) if first == clip && !own.is_empty() => Name::Name(own.to_owned()),
        _ => Name::Index(clip),
    }
}

/// Pose that an edit of the pose is relative to. `None` for the rest pose and other edits.
fn over(edit: &Edit) -> Option<&Moment> {
    let Edit::Pose(edit) = edit else {
        return None;
    };
    match edit {
        PoseEdit::Pose { over, .. }
        | PoseEdit::Rotate { over, .. }
        | PoseEdit::Move { over, .. }
        | PoseEdit::Scale { over, .. }
        | PoseEdit::MirrorPose { over }
        | PoseEdit::Reach(Reach { over, .. }) => over.as_ref(),
        _ => None,
    }
}

fn is_pose(edit: &Edit) -> bool {
    matches!(edit, Edit::Pose(edit) if !matches!(edit, PoseEdit::ResetPose { .. }))
}
