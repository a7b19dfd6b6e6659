use super::error::RigError;
use super::shared::Rig;
use crate::clip::{Event, Playable, Player, Wrap};
use crate::names;

/// Clip of a rig with its playback time.
#[derive(Clone, Debug)]
#[doc(alias = "animation player")]
pub struct ClipPlayer {
    rig: Rig,
    clip: usize,
    player: Player,
}

impl Rig {
    /// Looping player at the start of a clip. Finds the clip by name or else by index, as
    /// [`Character::find_clip`](crate::Character::find_clip).
    ///
    /// # Errors
    /// If there is no such clip.
    pub fn player(&self, clip: &str) -> Result<ClipPlayer, RigError> {
        let by_name = self.clips().iter().position(|c| c.name() == clip);
        let by_index = || {
            clip.parse()
                .ok()
                .filter(|&n: &usize| n < self.clips().len())
        };
        let found = by_name.or_else(by_index);
        let clip = found.ok_or_else(|| {
            let names = self.clips().iter().map(|c| c.name());
            RigError::NoSuchClip {
                name: clip.to_owned(),
                hint: names::hint(clip, names),
            }
        })?;
        Ok(ClipPlayer::new(self.clone(), clip))
    }
}

impl ClipPlayer {
    fn new(rig: Rig, clip: usize) -> Self {
        let player = Player::new(Wrap::Loop);
        Self { rig, clip, player }
    }

    /// Player with this behaviour past the ends of the clip.
    pub fn wrapping(mut self, wrap: Wrap) -> Self {
        self.set_wrap(wrap);
        self
    }

    /// Behaviour past the ends of the clip.
    pub fn wrap(&self) -> Wrap {
        self.player.wrap
    }

    /// Sets the behaviour past the ends of the clip. The time within the clip stays the same, except
    /// that the end of the clip becomes the start of a loop.
    pub fn set_wrap(&mut self, wrap: Wrap) {
        if wrap != self.player.wrap {
            // Each behaviour folds the unwrapped time differently.
            let time_secs = self.clip_time_secs();
            self.player.wrap = wrap;
            self.player = self.player.starting_at(time_secs);
        }
    }

    /// Clip that plays.
    pub fn clip(&self) -> &dyn Playable {
        &*self.rig.clips()[self.clip]
    }

    /// Clip seconds per second.
    pub fn speed(&self) -> f64 {
        self.player.speed
    }

    /// Sets the speed in clip seconds per second. Negative values play backwards.
    pub fn set_speed(&mut self, speed: f64) {
        self.player.speed = speed;
    }

    /// Advances the time by `dt_secs` and calls `fire` for each passed event.
    pub fn advance(&mut self, dt_secs: f64, fire: impl FnMut(&Event)) {
        let clip = &*self.rig.shared.clips[self.clip];
        self.player.advance(clip, dt_secs, fire);
    }

    /// Jumps to a time in seconds without events.
    pub fn seek(&mut self, time_secs: f64) {
        let clip = &*self.rig.shared.clips[self.clip];
        self.player.seek(clip, time_secs);
    }

    /// Playback time within the clip, in seconds.
    pub fn clip_time_secs(&self) -> f64 {
        self.player.clip_time_secs(self.clip())
    }

    pub(super) fn rig(&self) -> &Rig {
        &self.rig
    }
}
