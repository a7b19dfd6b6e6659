//! Background work for panels and panes: deformation, packed clips, files.

use super::Session;
use super::background::{DeformationKey, MotionKey};
use super::keeping::is_same;
use super::posing::same_clip;
use crate::document::{
    Deformation, Export, FileId, Message, MessageKind, OpenFile, PackedMotion, Saving, Work,
    measure_deformation, pack_motion,
};
use crate::state::{Pane, PanelKind};
use std::path::PathBuf;

const MAX_MESSAGES: usize = 100;

const WRITTEN: &str = "written";

/// Message about a packed clip of a posed figure.
const WITHOUT_POSE: &str = "written without the pose, which is not keyed";

impl Session {
    /// Deformation of the figure of a pane over the clip, measured while its panel is open.
    pub fn deformation(&self, pane: usize) -> Work<'_, Deformation> {
        match self.deformation_key(pane) {
            Some(key) => self.jobs.deformations.get(key),
            None => Work::Waiting,
        }
    }

    /// Deformation of the frames that are measured so far, while the others are being measured.
    pub fn deformation_so_far(&self, pane: usize) -> Option<&Deformation> {
        self.jobs.deformations.so_far(self.deformation_key(pane)?)
    }

    /// Packed clip of a pane, computed while a pane plays it or a command exports it.
    pub fn packed(&self, pane: usize) -> Work<'_, PackedMotion> {
        match self.motion_key(pane) {
            Some(key) => self.jobs.packed.get(key),
            None => Work::Waiting,
        }
    }

    /// Returns the requests for pictures since the last call. The caller draws and writes them.
    pub fn take_picture_requests(&mut self) -> Vec<(Export, PathBuf)> {
        std::mem::take(&mut self.jobs.pictures)
    }

    /// Adds a message to the user, for example after a picture was written.
    pub fn notify(&mut self, message: Message) {
        self.messages.retain(|known| *known != message);
        self.messages.push(message);
        self.notified += 1;
        let excess = self.messages.len().saturating_sub(MAX_MESSAGES);
        self.messages.drain(..excess);
    }

    fn played_in(&self, pane: usize) -> Option<(&Pane, &OpenFile, Option<usize>)> {
        let pane = self.state.panes.get(pane)?;
        let file = self.document.file(pane.file)?;
        let shown = self.shown_file();
        let clip = self.state.playback.clip;
        let clip = clip.and_then(|clip| same_clip(shown, file, clip));
        Some((pane, file, clip))
    }

    pub(super) fn motion_key(&self, pane: usize) -> Option<MotionKey> {
        let (_, file, clip) = self.played_in(pane)?;
        Some(MotionKey {
            file: file.id,
            version: file.version,
            edits: file.edits,
            clip: clip?,
        })
    }

    fn deformation_key(&self, pane: usize) -> Option<DeformationKey> {
        let (pane, file, clip) = self.played_in(pane)?;
        Some(DeformationKey {
            file: file.id,
            version: file.version,
            edits: file.edits,
            clip,
            method: pane.method,
            fps: self.state.playback.fps,
        })
    }

    pub(super) fn export(&mut self, what: Export, path: PathBuf) {
        let mut files = self.document.files().iter();
        let is_it = |file: &OpenFile| file.path.as_ref().is_some_and(|own| is_same(own, &path));
        if files.any(is_it) {
            return self.notify(Message {
                kind: MessageKind::Problem,
                file: path.display().to_string(),
                text: "this file is open, and a copy would overwrite it".to_owned(),
                way_out: "Save the file instead, or choose another path.".to_owned(),
            });
        }
        match what {
            Export::Picture | Export::Animation => self.jobs.pictures.push((what, path)),
            Export::Glb => {
                let posed = self.posed();
                let is_bvh = path
                    .extension()
                    .is_some_and(|ending| ending.eq_ignore_ascii_case("bvh"));
                let mut saving = match is_bvh {
                    true => Saving::Bvh(self.shown_file().edited(), self.state.playback.clip),
                    false => Saving::character(self.shown_file()),
                };
                let mut written = WRITTEN.to_owned();
                if let Some((character, clip)) = posed {
                    saving = saving.with(character);
                    written = format!("written; its clip \"{clip}\" has the shown pose");
                }
                self.jobs.saves.start(path, saving, written, None);
            }
            Export::Packed => match self.motion_key(0) {
                Some(key) => self.jobs.to_write.push((path, key, None)),
                None => self.notify(Message {
                    kind: MessageKind::Problem,
                    file: path.display().to_string(),
                    text: "no clip plays, so there is no clip to pack".to_owned(),
                    way_out: "Choose a clip first.".to_owned(),
                }),
            },
        }
    }

    /// Stores finished results and starts work that is needed. True if there is a new result.
    pub(super) fn run_jobs(&mut self) -> bool {
        let panes = 0..self.state.panes.len();
        let is_measured = self.state.window.panels.contains(&PanelKind::Deformation);
        let measured = panes.clone().filter(|_| is_measured);
        let measured: Vec<_> = measured.filter_map(|p| self.deformation_key(p)).collect();
        let packed = panes.filter(|&pane| self.state.panes[pane].is_packed);
        let mut packed: Vec<_> = packed.filter_map(|pane| self.motion_key(pane)).collect();
        packed.extend(self.jobs.to_write.iter().map(|(_, key, _)| *key));

        let (document, jobs) = (&self.document, &mut self.jobs);
        let fps = self.state.playback.fps;
        let is_open = |id: FileId, version: u32, edits: u64| {
            let file = document.file(id);
            file.is_some_and(|file| file.version == version && file.edits == edits)
        };
        jobs.deformations
            .retain(|key| is_open(key.file, key.version, key.edits));
        jobs.packed
            .retain(|key| is_open(key.file, key.version, key.edits));
        let mut is_new = jobs.deformations.want(&measured, |key| {
            let file = document.file(key.file)?;
            Some(measure_deformation(file, key.clip, key.method, fps))
        });
        is_new |= jobs.packed.want(&packed, |key| {
            let file = document.file(key.file)?;
            pack_motion(file, key.clip)
        });
        is_new | self.write_files()
    }

    /// Writes packed clips that are ready, and reports written files. True if there is a report.
    fn write_files(&mut self) -> bool {
        let (document, jobs) = (&self.document, &mut self.jobs);
        let mut messages = Vec::new();
        let (packed, saves) = (&jobs.packed, &mut jobs.saves);
        let mut failed = Vec::new();
        jobs.to_write.retain(|(path, key, state)| {
            let refused = match (packed.get(*key), document.file(key.file)) {
                (Work::Waiting | Work::Working(_), Some(file)) if file.version == key.version => {
                    return true;
                }
                (Work::Done(motion), Some(file)) => {
                    let saving = Saving::Packed(file.character.clone(), motion.clip.clone());
                    let is_posed = !file.pose.is_empty();
                    let written = if is_posed { WITHOUT_POSE } else { WRITTEN };
                    saves.start(path.clone(), saving, written.to_owned(), *state);
                    return false;
                }
                (Work::Refused(why), _) => why.to_owned(),
                _ => "the file was closed before its clip was packed".to_owned(),
            };
            failed.extend(state.map(|state| state.file));
            messages.push(Message {
                kind: MessageKind::Problem,
                file: path.display().to_string(),
                text: refused,
                way_out: "Nothing was written; try another clip.".to_owned(),
            });
            false
        });
        let written = jobs.saves.poll();
        messages.extend(written.messages);
        failed.extend(written.failed);
        let is_any = !messages.is_empty() || !written.saved.is_empty();
        failed.into_iter().for_each(|file| self.save_failed(file));
        written
            .saved
            .into_iter()
            .for_each(|saved| self.saved(saved));
        messages
            .into_iter()
            .for_each(|message| self.notify(message));
        is_any
    }
}
