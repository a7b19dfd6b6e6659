//! What a command is about that is not there.

use super::Session;
use crate::document::FileId;
use crate::state::{Command, Selection};

impl Session {
    /// Why a command would change nothing: the file, clip, joint or node that it names is not there.
    pub fn missing(&self, command: &Command) -> Option<String> {
        let shown = self.document.file(self.state.shown)?;
        let character = &shown.character;
        let clip = |clip: usize| none("clip", clip, character.clips.len());
        let joint = |joint: usize| none("joint", joint, character.skeleton.len());
        let file = |file: &FileId| match self.document.file(*file) {
            Some(_) => None,
            None => Some(format!("there is no file {}", file.0)),
        };
        match command {
            Command::Clip { clip: wanted } => wanted.and_then(clip),
            Command::Blend { clip: wanted, .. } => clip(*wanted),
            Command::Turn { joint: wanted, .. } => joint(*wanted),
            Command::Select { selection } => match selection {
                Selection::Joint(wanted) => joint(*wanted),
                Selection::Node(wanted) => none("node", *wanted, character.nodes.len()),
                Selection::None | Selection::Vertex { .. } => None,
            },
            Command::Reload { file: wanted }
            | Command::Close { file: wanted }
            | Command::Show { file: wanted } => file(wanted),
            Command::CompareFiles { files } => files.iter().find_map(file),
            _ => None,
        }
    }
}

fn none(what: &str, wanted: usize, count: usize) -> Option<String> {
    (wanted >= count).then(|| match count {
        0 => format!("there is no {what} {wanted}: there are none"),
        count => format!("there is no {what} {wanted}: the last is {}", count - 1),
    })
}
