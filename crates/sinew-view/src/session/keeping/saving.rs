//! Saving of files, and of what a format cannot hold.

use crate::document::{FileId, Message, MessageKind, Saved, SavedState, Saving, Stamp};
use crate::session::Session;
use crate::state::{Question, Then};
use std::fs;
use std::path::{Path, PathBuf};

/// Format of a saved file.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// glTF, GLB or VRM: the whole document.
    Gltf,
    Bvh,
    Packed,
}

impl Session {
    /// Saves the shown file to the path that it was saved to last, or asks for a path. `then` runs afterwards.
    pub(in crate::session) fn save(&mut self, then: Option<Then>) {
        let file = self.shown_file().id;
        match self.edits.saved_to.get(&file).cloned() {
            Some((path, stamp)) => {
                let is_same = stamp_of(&path).is_none_or(|now| stamp == Some(now));
                self.save_as(Some(path), is_same, then);
            }
            None => self.save_as(None, false, then),
        }
    }

    /// Saves the shown file to a path, or asks for one. Asks before it replaces a file, unless `replace` is true.
    pub(in crate::session) fn save_as(
        &mut self,
        path: Option<PathBuf>,
        replace: bool,
        then: Option<Then>,
    ) {
        let file = self.shown_file().id;
        let Some(path) = path.filter(|path| !path.as_os_str().is_empty()) else {
            let path = self.suggested_path();
            self.state.question = Some(Question::SavePath { file, path, then });
            return;
        };
        let path = match path.extension() {
            Some(_) => path,
            None => path.with_extension("glb"),
        };
        let refused = self.refusal(&path);
        if let Err((text, way_out)) = refused {
            self.state.question = Some(Question::SavePath {
                file,
                path: path.clone(),
                then,
            });
            self.notify(Message {
                kind: MessageKind::Problem,
                file: path.display().to_string(),
                text: text.to_owned(),
                way_out: way_out.to_owned(),
            });
            return;
        }
        if !replace && path.exists() {
            let why = self.why_asked(&path);
            self.state.question = Some(Question::Replace {
                file,
                path,
                why: why.to_owned(),
                then,
            });
            return;
        }
        self.state.question = None;
        self.start_save(path, then);
    }

    /// Path that is suggested for the shown file: not the one that was opened.
    fn suggested_path(&self) -> PathBuf {
        let file = self.shown_file();
        if let Some((path, _)) = self.edits.saved_to.get(&file.id) {
            return path.clone();
        }
        let folder = || std::env::current_dir().unwrap_or_default();
        let near = file.path.clone();
        let near = near.unwrap_or_else(|| folder().join(&file.name));
        let is_avatar = near
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("vrm"));
        let ending = if is_avatar { "vrm" } else { "glb" };
        let stem = near.file_stem().unwrap_or_default().to_string_lossy();
        near.with_file_name(format!("{stem}-edited.{ending}"))
    }

    /// Reason and remedy if the shown file cannot be saved to a path.
    fn refusal(&self, path: &Path) -> Result<(), (&'static str, &'static str)> {
        let shown = self.shown_file();
        let Some(kind) = kind_of(path) else {
            let remedy = "Use .glb, .gltf, .vrm, .bvh or .sinew.";
            return Err(("files of this kind cannot be written", remedy));
        };
        let others = self.document.files().iter();
        let mut others = others.filter(|file| file.id != shown.id);
        if others.any(|file| file.path.as_ref().is_some_and(|own| is_same(own, path))) {
            let remedy = "Close that tab, or choose another path.";
            return Err(("this file is open in another tab", remedy));
        }
        let is_own = shown.path.as_ref().is_some_and(|own| is_same(own, path));
        if is_own && kind != Kind::Gltf {
            let remedy = "Choose another path, or save as .glb.";
            return Err((
                "this is the file that is open, and its format cannot hold everything in it",
                remedy,
            ));
        }
        if kind == Kind::Packed && self.state.playback.clip.is_none() {
            return Err((
                "no clip plays, so there is no clip to pack",
                "Choose a clip first.",
            ));
        }
        Ok(())
    }

    fn why_asked(&self, path: &Path) -> &'static str {
        let shown = self.shown_file();
        let saved_to = self.edits.saved_to.get(&shown.id);
        let is_own = shown.path.as_ref().is_some_and(|own| is_same(own, path));
        match saved_to {
            Some((own, stamp)) if is_same(own, path) && *stamp != stamp_of(path) => {
                "Another program has changed this file since it was saved."
            }
            None if is_own => "This is the file that was opened.",
            _ => "This file exists already.",
        }
    }

    fn start_save(&mut self, path: PathBuf, then: Option<Then>) {
        let id = self.shown_file().id;
        // A drag that goes on is a new step.
        if let Some(editor) = self.edits.editors.get_mut(&id) {
            editor.release();
        }
        let (file, editor) = (self.shown_file(), self.editor(id));
        let last = editor.and_then(|editor| editor.done().next_back());
        let state = SavedState {
            file: id,
            position: editor.map(|editor| editor.position()),
            serial: last.map_or(0, |step| step.serial),
            posed: file.pose.len(),
        };
        let saving = match kind_of(&path) {
            // It is packed first.
            Some(Kind::Packed) => None,
            Some(Kind::Bvh) => Some(Saving::Bvh(file.edited(), self.state.playback.clip)),
            _ => Some(Saving::character(file)),
        };
        self.asking.then = then.map(|then| (id, then));
        match (saving, self.motion_key(0)) {
            (Some(saving), _) => {
                let saves = &mut self.jobs.saves;
                saves.start(path, saving, String::new(), Some(state));
            }
            (None, key) => {
                let waiting = key.map(|key| (path, key, Some(state)));
                self.jobs.to_write.extend(waiting);
            }
        }
    }

    /// Notes that a file was saved.
    pub(in crate::session) fn saved(&mut self, saved: Saved) {
        let Saved {
            state,
            path,
            stamp,
            mut lost,
        } = saved;
        let id = state.file;
        if self.document.file(id).is_none() {
            return;
        }
        let is_whole = kind_of(&path) == Some(Kind::Gltf);
        if is_whole && state.posed > 0 {
            let joints = if state.posed == 1 { "joint" } else { "joints" };
            lost.push(format!(
                "the pose of {} {joints}, which has no key",
                state.posed
            ));
        }
        self.edits.saved_to.insert(id, (path.clone(), stamp));
        if is_whole {
            self.mark_saved(&state, lost.is_empty());
            if let Some(file) = self.document.file_mut(id) {
                let name = path.file_name().unwrap_or_default();
                file.name = name.to_string_lossy().into_owned();
                file.path = Some(path.clone());
                file.bytes = stamp.map_or(file.bytes, |stamp| stamp.bytes);
                (file.stamp, file.made, file.hash) = (stamp, None, None);
                file.is_stand_in = false;
            }
            self.restart_journal(id, state.serial);
        }
        let is_kept = lost.is_empty();
        self.notify(Message {
            kind: if is_kept {
                MessageKind::Notice
            } else {
                MessageKind::Problem
            },
            file: path.display().to_string(),
            text: match is_kept {
                true => "saved".to_owned(),
                false => format!("saved without {}", lost.join("; ")),
            },
            way_out: match (is_kept, is_whole) {
                (true, _) => String::new(),
                (false, true) => "Key the pose with I and save again to keep it.".to_owned(),
                (false, false) => "Save as .glb to keep everything.".to_owned(),
            },
        });
        self.go_on(id);
    }

    fn mark_saved(&mut self, state: &SavedState, is_all: bool) {
        let id = state.file;
        let Some((editor, position)) = self.edits.editors.get_mut(&id).zip(state.position) else {
            return;
        };
        // The step may have been undone and replaced while the file was written.
        let is_it = |serial: u64| serial == state.serial;
        let steps = editor.done().chain(editor.undone());
        let is_there = steps.map(|step| step.serial).any(is_it);
        let first = editor.done().next().map(|step| step.serial);
        let is_first = state.serial == 0 && first.is_none_or(|first| first == 1);
        let position = match is_there || is_first {
            true => position,
            false => i64::MIN,
        };
        editor.mark_saved(position);
        match is_all {
            true => self.edits.incomplete.remove(&id),
            false => self.edits.incomplete.insert(id, position),
        };
    }

    /// Runs the command that waited for a file to be saved. Asks again if unsaved edits remain.
    fn go_on(&mut self, id: FileId) {
        let Some((_, then)) = self.asking.then.take_if(|(file, _)| *file == id) else {
            return;
        };
        self.run_then(id, then);
    }

    /// Notes that a file could not be saved: the command that waited for it does not run.
    pub(in crate::session) fn save_failed(&mut self, id: FileId) {
        _ = self.asking.then.take_if(|(file, _)| *file == id);
    }
}

fn kind_of(path: &Path) -> Option<Kind> {
    let ending = path.extension()?.to_string_lossy().to_lowercase();
    match &*ending {
        "glb" | "gltf" | "vrm" => Some(Kind::Gltf),
        "bvh" => Some(Kind::Bvh),
        "sinew" => Some(Kind::Packed),
        _ => None,
    }
}

fn stamp_of(path: &Path) -> Option<Stamp> {
    Some(Stamp::of(&fs::metadata(path).ok()?))
}

/// True if two paths lead to one file.
pub(in crate::session) fn is_same(one: &Path, other: &Path) -> bool {
    let found = |path: &Path| fs::canonicalize(path).ok();
    one == other || found(one).is_some_and(|one| found(other) == Some(one))
}
