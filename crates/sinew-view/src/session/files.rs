//! File commands: open, close and show files. Also stores loaded files.

use super::Session;
use crate::document::{FileChange, FileId, MadeFigure, Message, MessageKind, OpenFile, Source};
use crate::state::{FileCommand, MAX_PANES, Pane, PanelKind, Question, Selection, Then};
use sinew_gpu::find_front;
use std::path::PathBuf;
use std::sync::Arc;

/// Figures with a slider for each angle, in the panel *Selected*.
const EXHIBITS: [MadeFigure; 5] = [
    MadeFigure::Humanoid,
    MadeFigure::RobotArm,
    MadeFigure::Scara,
    MadeFigure::Car,
    MadeFigure::SolarSystem,
];

impl Session {
    pub(super) fn run_file(&mut self, command: FileCommand) {
        match command {
            FileCommand::Open { path } => self.open(path),
            FileCommand::OpenBytes { name, bytes } => {
                self.load(Source::Bytes(name, Arc::from(bytes)));
            }
            FileCommand::OpenMade { figure } => self.load(Source::Made(figure)),
            FileCommand::Reload { file } => {
                if self.may(file, Then::Reload) {
                    self.reload(file);
                }
            }
            FileCommand::CancelOpening => self.cancel_opening(),
            FileCommand::DismissMessage { message } => {
                if message < self.messages.len() {
                    self.messages.remove(message);
                }
            }
            FileCommand::Close { file } => {
                if self.may(file, Then::Close) {
                    self.close(file);
                }
            }
            FileCommand::Show { file } => {
                if file != self.state.shown && self.document.file(file).is_some() {
                    let panes = self.panes_with(file);
                    self.show(file);
                    // Without a comparison, a file has its own method.
                    if panes.len() > 1 {
                        self.state.panes = panes;
                    }
                }
            }
            FileCommand::Save => self.save(None),
            FileCommand::SaveAs { path, replace } => {
                let question = self.state.question.as_ref();
                let question = question.filter(|question| question.file() == self.state.shown);
                let then = question.and_then(Question::then);
                self.save_as(path, replace, then);
            }
            FileCommand::Answer { answer } => self.answer(answer),
            FileCommand::Export { what, path } => self.export(what, path),
        }
    }

    pub(super) fn open(&mut self, path: PathBuf) {
        let files = self.document.files();
        let known = files.iter().find(|f| f.path.as_ref() == Some(&path));
        match known.map(|file| file.id) {
            Some(id) => {
                self.show(id);
                if !self.is_changed(id) {
                    self.reload(id);
                }
            }
            None if self.loads.find(&path).is_some() => {}
            None => self.load(Source::Path(path)),
        }
    }

    fn load(&mut self, source: Source) {
        let id = self.document.new_id();
        self.loads.start(id, 0, source);
    }

    fn reload(&mut self, id: FileId) {
        let Some(file) = self.document.file(id) else {
            return;
        };
        if let Some(path) = &file.path {
            let (path, version) = (path.clone(), file.version + 1);
            self.loads.start(id, version, Source::Path(path));
        }
    }

    fn close(&mut self, id: FileId) {
        if self.document.file(id).is_none() {
            return;
        }
        self.loads.cancel_file(id);
        self.discard_edits(id);
        self.drop_question(id);
        self.edits.saved_to.remove(&id);
        let files = self.document.files();
        let index = files.iter().position(|f| f.id == id).unwrap_or(0);
        self.document.remove(id);
        self.state.panes.retain(|pane| pane.file != id);
        if self.state.shown == id {
            // Shows the file that now has the index of the closed file.
            let files = self.document.files();
            let next = files[index.min(files.len() - 1)].id;
            self.show(next);
            self.recover(next);
        }
        self.tidy_panes();
    }

    /// Shows an open file in the first pane, from the beginning of its first clip.
    pub(super) fn show(&mut self, id: FileId) {
        let Some(file) = self.document.file(id) else {
            return;
        };
        let first = file.first_clip();
        let front = find_front(&file.character, first, 0.0);
        let state = &mut self.state;
        state.shown = id;
        state.selection = Selection::None;
        state.further_joints.clear();
        state.posing.keep_joints(|_| None);
        state.hit = None;
        state.panes = vec![Pane::of(file)];
        state.camera.front_rad = front.azimuth_rad;
        self.play_clip(first);
        self.state.playback.is_playing = true;
        self.go_home();
    }

    /// Panes with this file in the first pane. A pane that already has the file becomes the first.
    /// Otherwise the file replaces the shown file.
    fn panes_with(&self, file: FileId) -> Vec<Pane> {
        let mut panes = self.state.panes.clone();
        match panes.iter().position(|pane| pane.file == file) {
            Some(own) => panes[..=own].rotate_right(1),
            None => {
                let shown = self.state.shown;
                let replaced = panes.iter_mut().filter(|pane| pane.file == shown);
                replaced.for_each(|pane| pane.file = file);
            }
        }
        panes
    }

    /// Limits the panes to one to four panes of open files, the shown file first.
    fn tidy_panes(&mut self) {
        let (document, state) = (&self.document, &mut self.state);
        state
            .panes
            .retain(|pane| document.file(pane.file).is_some());
        let is_first = state.panes.first().map(|pane| pane.file) == Some(state.shown);
        if let (false, Some(shown)) = (is_first, document.file(state.shown)) {
            state.panes.insert(0, Pane::of(shown));
        }
        state.panes.truncate(MAX_PANES);
    }

    pub(super) fn look_after_files(&mut self, elapsed_secs: f64) {
        if self
            .document
            .files()
            .iter()
            .any(|file| self.jobs.saves.is_saving(file.id))
        {
            return;
        }
        let changes = self.watch.look(elapsed_secs, self.document.files());
        for (id, change) in changes {
            match change {
                FileChange::Changed if self.is_changed(id) => self.tell_changed(id),
                FileChange::Changed => self.reload(id),
                FileChange::Gone => {
                    let name = self.document.file(id).map(|file| file.name.clone());
                    self.notify(Message {
                        kind: MessageKind::Problem,
                        file: name.unwrap_or_default(),
                        text: "the file is no longer on disk".to_owned(),
                        way_out: "It stays open; save it to keep it.".to_owned(),
                    });
                }
            }
        }
    }

    fn tell_changed(&mut self, id: FileId) {
        let name = self.document.file(id).map(|file| file.name.clone());
        self.notify(Message {
            kind: MessageKind::Notice,
            file: name.unwrap_or_default(),
            text: "the file has changed on disk; your edits are kept".to_owned(),
            way_out: "Reload it to see the change and to discard the edits.".to_owned(),
        });
    }

    pub(super) fn take_in_files(&mut self) -> bool {
        let finished = self.loads.poll();
        let is_any = !finished.is_empty();
        for result in finished {
            match result {
                Ok(file) => self.take_in(file),
                Err(message) => {
                    // Edits that were given up for a reload that failed are still there.
                    self.asking.given_up.clear();
                    self.notify(message);
                }
            }
        }
        if is_any && self.loads.is_empty() {
            self.replace_stand_in();
        }
        is_any
    }

    fn cancel_opening(&mut self) {
        self.loads.cancel();
        self.replace_stand_in();
    }

    /// Replaces the stand-in by the mannequin, because no file is loading any more.
    pub(crate) fn replace_stand_in(&mut self) {
        let shown = self.shown_file();
        if shown.is_stand_in && shown.made != Some(MadeFigure::Mannequin) {
            self.close(shown.id);
        }
    }

    fn take_in(&mut self, file: OpenFile) {
        let (id, version) = (file.id, file.version);
        if let Some(before) = self.document.file(id).cloned() {
            if self.is_changed(id) && !self.asking.given_up.contains(&id) {
                return self.tell_changed(id);
            }
            self.discard_edits(id);
            self.document.put(file);
            self.keep_hidden(&before);
            self.keep_playback(&before);
            return;
        }
        if version > 0 {
            return;
        }
        if file.made.is_some_and(|made| EXHIBITS.contains(&made)) {
            self.state.window.panels.insert(PanelKind::Selected);
        }
        // Files opened together may load in any order. The last file of the list is shown.
        let is_later_shown = self.state.shown > id;
        let stand_in_shown = self.shown_file().is_stand_in;
        self.document.put(file);
        if stand_in_shown || !is_later_shown {
            self.show(id);
        }
        self.hide_by_name(id);
        self.document.remove_stand_in();
        let question = self.state.question.take();
        self.state.question = question.filter(|q| self.document.file(q.file()).is_some());
        self.tidy_panes();
        self.recover(id);
    }

    /// Keeps clip, time, selection and held joints after a reload. Matches items by name.
    pub(super) fn keep_playback(&mut self, before: &OpenFile) {
        if self.state.shown != before.id {
            return;
        }
        let Some(file) = self.document.file(before.id) else {
            return;
        };
        let (old, new) = (&before.character, &file.character);
        let same_clip = |clip: usize| {
            let name = &before.clip(clip)?.name;
            let is_same = |index: usize| file.clip(index).is_some_and(|c| c.name == *name);
            if is_same(clip) {
                Some(clip)
            } else {
                // If the file was not reloaded, a missing name means that an edit renamed the clip.
                let is_edited = file.version == before.version;
                let renamed = is_edited && file.motions.len() == before.motions.len();
                let named = file.clips().position(|c| c.name == *name);
                named.or(renamed.then_some(clip))
            }
        };
        let same_joint = |joint: usize| {
            let is_known = joint < old.skeleton.len();
            is_known.then(|| new.skeleton.find(old.skeleton.name(joint)))?
        };
        let state = &mut self.state;
        let clip = state.playback.clip;
        let kept = clip.and_then(same_clip);
        let blended = state.playback.blended.iter();
        let mut blended: Vec<_> = blended
            .filter_map(|&(clip, weight)| Some((same_clip(clip)?, weight)))
            .filter(|&(clip, _)| Some(clip) != kept)
            .collect();
        blended.sort_by_key(|&(clip, _)| clip);
        blended.dedup_by_key(|&mut (clip, _)| clip);
        state.posing.keep_joints(same_joint);
        let further = state.further_joints.iter();
        state.further_joints = further.filter_map(|&joint| same_joint(joint)).collect();
        state.selection = match state.selection {
            Selection::Joint(joint) => same_joint(joint).map_or(Selection::None, Selection::Joint),
            Selection::Node(node) => {
                let name = old.nodes.get(node).map(|n| &n.name);
                let same = new.nodes.iter().position(|n| Some(&n.name) == name);
                same.map_or(Selection::None, Selection::Node)
            }
            other if file.has(other) => other,
            _ => Selection::None,
        };
        if !matches!(state.selection, Selection::Joint(_)) {
            state.further_joints.clear();
        }
        state.hit = None;
        match (clip, kept) {
            (None, _) => {}
            (Some(_), Some(kept)) => {
                let playback = &mut state.playback;
                playback.clip = Some(kept);
                playback.blended = blended;
                playback.fired.clear();
                let duration = file.duration_secs(Some(kept));
                playback.range_secs = playback.range_secs.map(|_| playback.played_secs(duration));
                let [from, to] = playback.played_secs(duration);
                playback.time_secs = playback.time_secs.clamp(from, to);
            }
            (Some(_), None) => {
                let first = file.first_clip();
                self.play_clip(first);
            }
        }
    }
}
