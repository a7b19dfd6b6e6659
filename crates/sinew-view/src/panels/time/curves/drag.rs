//! Drags of keys and tangents in the curve view.

use super::super::dope::snapped;
use super::super::values::{Shown, set_value, shown_slopes, stored_slopes};
use crate::session::Session;
use egui::{Modifiers, Pos2};
use sinew::clip::Channel;
use sinew_edit::{KeyEdit, Keys, Motion, Name};

/// A drag, with what it started from.
#[derive(Clone, Debug)]
pub(super) struct Drag {
    pub joint: usize,
    pub channel: Channel,
    pub axis: usize,
    /// True if the key was selected before the drag.
    pub is_selected: bool,
    /// Keys that move in time.
    pub keys: Vec<Keys>,
    pub time_secs: f32,
    /// Stored value of the key.
    pub key: Vec<f32>,
    /// Value as shown.
    pub value: Shown,
    /// Stored slopes before and after the key. Empty for tracks without tangents.
    pub slopes: [Vec<f32>; 2],
    pub from: Pos2,
    /// Position of the key.
    pub spot: Pos2,
    pub secs_per_point: f64,
    pub value_per_point: f32,
    pub what: What,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum What {
    /// Not yet known: the first movement decides.
    Key,
    Time,
    Value,
    /// A tangent, 1 after the key and -1 before it.
    Tangent(f32),
}

impl Drag {
    pub fn one(&self) -> Keys {
        Keys::one(self.joint, self.channel, self.time_secs)
    }

    /// Edit of the drag with the pointer at a position. `is_free` moves one side of a tangent alone.
    pub fn edit(
        &mut self,
        session: &Session,
        motion: &Motion,
        at: Pos2,
        modifiers: Modifiers,
        is_free: bool,
    ) -> Option<KeyEdit> {
        let by = at - self.from;
        if self.what == What::Key {
            self.what = match by.y.abs() > by.x.abs() {
                true => What::Value,
                false => What::Time,
            };
        }
        match self.what {
            What::Key => None,
            What::Time => {
                let first = self.keys.iter().map(|keys| keys.from_secs);
                let first = first.fold(self.time_secs, f32::min).max(0.0);
                let start = f64::from(self.time_secs);
                let wanted = start + f64::from(by.x) * self.secs_per_point;
                let time = snapped(session, wanted, modifiers) as f32;
                Some(KeyEdit::MoveKeys {
                    clip: session.edited_clip()?,
                    layer: session.edited_layer().map(Name::Index),
                    keys: self.keys.clone(),
                    by_secs: (time - self.time_secs).max(-first),
                })
            }
            What::Value => {
                let mut value = self.value;
                value[self.axis] -= by.y * self.value_per_point;
                let of = (self.joint, self.channel);
                set_value(session, motion, of, self.time_secs, value)
            }
            What::Tangent(side) => self.tangents(session, at, side, is_free || modifiers.alt),
        }
    }

    /// Both sides follow while they are equal. Different sides, and those of a free tangent, move alone.
    fn tangents(&self, session: &Session, at: Pos2, side: f32, is_free: bool) -> Option<KeyEdit> {
        let run = ((at.x - self.spot.x) * side).max(2.0) * self.secs_per_point as f32;
        let rise = (self.spot.y - at.y) * side * self.value_per_point;
        let moved = |stored: &Vec<f32>| {
            let mut slopes = shown_slopes(self.channel, &self.key, stored, self.value);
            slopes[self.axis] = rise / run;
            stored_slopes(self.channel, &self.key, slopes, self.value)
        };
        let [before, after] = &self.slopes;
        let is_alone = is_free || before != after;
        let [is_before, is_after] = [-1.0, 1.0].map(|own| !is_alone || side == own);
        Some(KeyEdit::SetTangents {
            clip: session.edited_clip()?,
            layer: session.edited_layer().map(Name::Index),
            joint: Name::Index(self.joint),
            channel: self.channel,
            time_secs: self.time_secs,
            before: if is_before {
                moved(before)
            } else {
                before.clone()
            },
            after: if is_after {
                moved(after)
            } else {
                after.clone()
            },
        })
    }
}
