//! Keys on the clipboard: copied by reference within a file, by value to another file.

use super::keys;
use super::rows::CHANNELS;
use super::values::track_of;
use crate::document::FileId;
use crate::session::Session;
use crate::state::{Command, HistoryCommand, selected_secs};
use egui::{Event, Ui};
use serde::{Deserialize, Serialize};
use sinew::clip::{Channel, OverLimit};
use sinew::sample_joint;
use sinew_edit::{Edit, KeyEdit, Name};
use std::collections::BTreeMap;

/// Keys that are copied by value, at most.
const MAX_VALUES: usize = 2000;

/// Copied keys: the edit that copies them within their file, and edits that set their values, from time 0, in another.
#[derive(Serialize, Deserialize)]
struct CopiedKeys {
    file: FileId,
    copy: KeyEdit,
    values: Vec<KeyEdit>,
}

/// Copies the selected keys, and pastes them at the current time of the clip that plays.
pub(crate) fn read(ui: &Ui, session: &Session, commands: &mut Vec<Command>) {
    for event in ui.input(|input| input.events.clone()) {
        match event {
            Event::Copy => {
                let text = copied(session).and_then(|copied| serde_json::to_string(&copied).ok());
                if let Some(text) = text {
                    ui.ctx().copy_text(text);
                }
            }
            Event::Paste(text) => {
                if let Ok(copied) = serde_json::from_str(&text) {
                    paste(session, copied, commands);
                }
            }
            _ => {}
        }
    }
}

fn copied(session: &Session) -> Option<CopiedKeys> {
    let state = session.state();
    if state.editing.keys.is_empty() {
        return None;
    }
    Some(CopiedKeys {
        file: state.shown,
        copy: KeyEdit::CopyKeys {
            clip: session.edited_clip()?,
            layer: session.edited_layer().map(Name::Index),
            keys: state.editing.keys.clone(),
            time_secs: 0.0,
            to_clip: None,
            to_layer: None,
        },
        values: values(session).unwrap_or_default(),
    })
}

/// The selected keys as edits that set what is seen at their times, moved to start at 0. `None` if there are too many.
fn values(session: &Session) -> Option<Vec<KeyEdit>> {
    let state = session.state();
    let file = session.document().file(state.shown)?;
    let motion = file.motions.get(state.playback.clip?)?;
    let skeleton = &file.character.skeleton;
    let mut found: BTreeMap<(u32, usize), [bool; 3]> = BTreeMap::new();
    for tracks in keys::tracks(motion, session.edited_layer()) {
        let joint = tracks.joint;
        for (index, (_, channel)) in CHANNELS.into_iter().enumerate() {
            let Some(track) = track_of(tracks, channel).filter(|_| joint < skeleton.len()) else {
                continue;
            };
            let named = Some((joint, skeleton.name(joint)));
            let times = track.times();
            for [from, to] in selected_secs(&state.editing.keys, named, Some(channel)) {
                let first = times.partition_point(|&time| time < from);
                for time in times[first..].iter().take_while(|&&time| time <= to) {
                    // Times are not negative, so their bits have their order.
                    found.entry((time.to_bits(), joint)).or_default()[index] = true;
                }
                if found.len() > MAX_VALUES {
                    return None;
                }
            }
        }
    }
    let start = f32::from_bits(found.keys().next()?.0);
    let edits = found.into_iter().map(|((bits, joint), has)| {
        let time = f32::from_bits(bits);
        let seen = sample_joint(&motion.clip, skeleton, joint, f64::from(time));
        let is = |channel: Channel| {
            let mut pairs = CHANNELS.iter().zip(has);
            pairs.any(|(named, has)| has && named.1 == channel)
        };
        KeyEdit::InsertKey {
            clip: Name::Index(0),
            layer: None,
            joint: Name::Name(skeleton.name(joint).to_owned()),
            time_secs: time - start,
            translation: is(Channel::Translation).then_some(seen.translation),
            rotation: is(Channel::Rotation).then_some(seen.rotation),
            scale: is(Channel::Scale).then_some(seen.scale),
            limits: OverLimit::Allow,
        }
    });
    Some(edits.collect())
}

fn paste(session: &Session, copied: CopiedKeys, commands: &mut Vec<Command>) {
    let state = session.state();
    let now = state.playback.time_secs as f32;
    let Some(to) = session.edited_clip() else {
        return;
    };
    if copied.file == state.shown {
        if let KeyEdit::CopyKeys {
            clip, layer, keys, ..
        } = copied.copy
        {
            let edit = KeyEdit::CopyKeys {
                clip,
                layer,
                keys,
                time_secs: now,
                to_clip: Some(to),
                to_layer: session.edited_layer().map(Name::Index),
            };
            commands.push(edit.into());
        }
        return;
    }
    let Some(file) = session.document().file(state.shown) else {
        return;
    };
    let skeleton = &file.character.skeleton;
    for mut edit in copied.values {
        let KeyEdit::InsertKey {
            clip,
            layer,
            joint,
            time_secs,
            ..
        } = &mut edit
        else {
            continue;
        };
        if !matches!(joint, Name::Name(name) if skeleton.find(name).is_some()) {
            continue;
        }
        clip.clone_from(&to);
        *layer = session.edited_layer().map(Name::Index);
        *time_secs += now;
        // All keys are one step.
        let is_first = commands.last().is_none_or(|command| {
            !matches!(
                command,
                Command::Edit(Edit::Key(KeyEdit::InsertKey { .. }))
                    | Command::History(HistoryCommand::Join { .. })
            )
        });
        commands.push(match is_first {
            true => edit.into(),
            false => HistoryCommand::Join { edit: edit.into() }.into(),
        });
    }
}
