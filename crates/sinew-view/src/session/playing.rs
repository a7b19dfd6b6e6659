use super::Session;
use crate::document::OpenFile;
use crate::state::{
    Ending, MAX_FPS, MAX_SPEED, MIN_FPS, MIN_SPEED, Playback, PlaybackCommand, Selection,
};
use sinew::{Clip, Event, Playable};

/// Max difference of times that count as equal, in seconds.
const SAME_SECS: f64 = 1e-6;

impl Session {
    pub(super) fn run_playback(&mut self, command: PlaybackCommand) {
        let playback = &mut self.state.playback;
        match command {
            PlaybackCommand::Clip { clip } => self.play_clip(clip),
            PlaybackCommand::Blend { clip, weight } => self.blend(clip, weight),
            PlaybackCommand::Play => self.play(),
            PlaybackCommand::Pause => playback.is_playing = false,
            PlaybackCommand::TogglePlay if playback.is_playing => playback.is_playing = false,
            PlaybackCommand::TogglePlay => self.play(),
            PlaybackCommand::Seek { time_secs } => self.seek(time_secs),
            PlaybackCommand::StepFrames { frames } => {
                playback.is_playing = false;
                if frames != 0 {
                    let time_secs = playback.frames_away(frames);
                    self.seek(time_secs);
                }
            }
            PlaybackCommand::NextKey => self.seek_key(true),
            PlaybackCommand::PreviousKey => self.seek_key(false),
            PlaybackCommand::Speed { speed } => {
                if !speed.is_nan() {
                    playback.speed = speed.clamp(MIN_SPEED, MAX_SPEED);
                }
            }
            PlaybackCommand::Ending { ending } => {
                playback.ending = ending;
                playback.is_backwards &= ending == Ending::PingPong;
            }
            PlaybackCommand::Range { range_secs } => self.set_range(range_secs),
            PlaybackCommand::Fps { fps } => {
                if !fps.is_nan() {
                    playback.fps = fps.clamp(MIN_FPS, MAX_FPS);
                }
            }
            PlaybackCommand::Unit { unit } => playback.unit = unit,
            PlaybackCommand::RootMotion { on } => playback.root_motion = on,
        }
    }

    pub(super) fn shown_file(&self) -> &OpenFile {
        let shown = self.document.file(self.state.shown);
        shown.unwrap_or(&self.document.files()[0])
    }

    /// Duration of the current clip, in seconds. 0 for the rest pose.
    pub fn duration_secs(&self) -> f64 {
        self.shown_file().duration_secs(self.state.playback.clip)
    }

    /// Current clip, `None` for the rest pose.
    pub fn clip(&self) -> Option<&Clip> {
        let file = self.shown_file();
        self.state.playback.clip.and_then(|clip| file.clip(clip))
    }

    fn with_clock<R>(&mut self, change: impl FnOnce(&mut Playback, f64, &[Event]) -> R) -> R {
        let duration = self.duration_secs();
        let motion = self.state.playback.clip;
        let motion = motion.and_then(|clip| self.shown_file().motions.get(clip).cloned());
        let events = motion
            .as_ref()
            .map_or(&[][..], |motion| &motion.clip.events);
        let playback = &mut self.state.playback;
        change(playback, duration, events)
    }

    pub(super) fn advance_clock(&mut self, elapsed_secs: f64) -> bool {
        self.with_clock(|playback, duration, events| {
            playback.advance(elapsed_secs, duration, events)
        })
    }

    pub(super) fn play_clip(&mut self, clip: Option<usize>) {
        let clips = &self.shown_file().motions;
        if clip.is_some_and(|clip| clip >= clips.len()) {
            return;
        }
        let rate = clip.and_then(|clip| frame_rate(&clips[clip].clip));
        let playback = &mut self.state.playback;
        playback.clip = clip;
        playback.blended.clear();
        playback.range_secs = None;
        playback.is_backwards = false;
        playback.fired.clear();
        playback.fps = rate.unwrap_or(playback.fps);
        self.state.editing.keys.clear();
        self.state.editing.layer = None;
        self.with_clock(|playback, _, events| playback.jump(0.0, events));
    }

    fn blend(&mut self, clip: usize, weight: f32) {
        let clips = self.shown_file().motions.len();
        let playback = &mut self.state.playback;
        if clip >= clips || playback.clip.is_none_or(|first| first == clip) || weight.is_nan() {
            return;
        }
        let weight = weight.clamp(0.0, 1.0);
        let known = playback
            .blended
            .iter()
            .position(|&(other, _)| other == clip);
        match known {
            Some(index) if weight == 0.0 => _ = playback.blended.remove(index),
            Some(index) => playback.blended[index].1 = weight,
            None if weight > 0.0 => playback.blended.push((clip, weight)),
            None => {}
        }
    }

    fn play(&mut self) {
        self.with_clock(|playback, duration, events| {
            let [from, to] = playback.played_secs(duration);
            playback.is_playing = true;
            if playback.ending == Ending::Stop && playback.time_secs >= to {
                playback.jump(from, events);
            }
        });
    }

    fn seek(&mut self, time_secs: f64) {
        if time_secs.is_nan() {
            return;
        }
        self.with_clock(|playback, duration, events| {
            let [from, to] = playback.played_secs(duration);
            playback.go(time_secs.clamp(from, to), events);
        });
    }

    fn set_range(&mut self, range_secs: Option<[f64; 2]>) {
        if range_secs.is_some_and(|[a, b]| a.is_nan() || b.is_nan()) {
            return;
        }
        self.with_clock(|playback, duration, _| {
            playback.range_secs = range_secs.map(|[a, b]| {
                let ends = [a.min(b), a.max(b)];
                ends.map(|time| time.clamp(0.0, duration))
            });
            let [from, to] = playback.played_secs(duration);
            playback.time_secs = playback.time_secs.clamp(from, to);
        });
    }

    fn seek_key(&mut self, is_next: bool) {
        self.state.playback.is_playing = false;
        let now = self.state.playback.time_secs;
        let Some(clip) = self.clip() else { return };
        let times: Vec<f32> = match self.state.selection {
            Selection::Joint(joint) => clip.key_times(joint),
            _ => {
                let times = clip.tracks().flat_map(|track| track.times().iter());
                times.copied().collect()
            }
        };
        let times = times.into_iter().map(f64::from);
        let found = if is_next {
            times.filter(|&t| t > now + SAME_SECS).reduce(f64::min)
        } else {
            times.filter(|&t| t < now - SAME_SECS).reduce(f64::max)
        };
        if let Some(time_secs) = found {
            self.seek(time_secs);
        }
    }
}

/// Frame rate from the first two keys of a clip. `None` if they are too far apart to be frames.
fn frame_rate(clip: &Clip) -> Option<f64> {
    let times = clip.tracks().map(|track| track.times().as_slice());
    let [first, second] = times.map(|times| times.get(..2)).next()??.try_into().ok()?;
    let rate = 1.0 / (f64::from(second) - f64::from(first));
    (12.0..=MAX_FPS).contains(&rate).then(|| rate.round())
}
