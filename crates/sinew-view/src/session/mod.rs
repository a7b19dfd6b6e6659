//! A document, how it is looked at, and the commands that change both.

mod aside;
mod by_hand;
mod camera;
mod command_line;
mod figures;
mod files;
mod looks;
mod making;
mod missing;
mod panes;
mod playing;
mod posing;
mod selecting;

pub use figures::Figure;

use crate::document::{Document, Loading, Loads, MadeFigure, Message, Watch};
use crate::state::{Command, State};
use aside::Aside;
use figures::Figures;
use std::path::PathBuf;

/// A document and how it is looked at.
///
/// [`Session::run`] and [`Session::advance`] never wait: files are read, and characters prepared, on the side.
///
/// ```
/// use sinew_view::{PlaybackCommand, Session};
/// let mut session = Session::default();
/// session.run(PlaybackCommand::Seek { time_secs: 0.4 });
/// let figure = session.figure(0).expect("the mannequin");
/// let hips = figure.actor.socket("hips")?.translation();
/// assert!(hips.y > 0.8);
/// # Ok::<(), sinew::ActorError>(())
/// ```
#[derive(Debug)]
pub struct Session {
    document: Document,
    state: State,
    loads: Loads,
    figures: Figures,
    aside: Aside,
    watch: Watch,
    messages: Vec<Message>,
}

impl Default for Session {
    /// The mannequin walks.
    fn default() -> Self {
        Self::of(Document::default())
    }
}

impl Session {
    /// Files that begin to be read. Until the first one is there a limb stands in, which is made sooner than the
    /// mannequin; without a path it is the mannequin.
    pub fn opening(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut paths = paths.into_iter().peekable();
        if paths.peek().is_none() {
            return Self::default();
        }
        let mut session = Self::of(Document::standing_in(MadeFigure::Tube));
        paths.for_each(|path| session.open(path));
        session
    }

    fn of(document: Document) -> Self {
        let shown = document.files()[0].id;
        let mut session = Self {
            document,
            state: State::default(),
            loads: Loads::default(),
            figures: Figures::default(),
            aside: Aside::default(),
            watch: Watch::default(),
            messages: Vec::new(),
        };
        session.show(shown);
        session
    }

    /// What is open.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// How it is looked at.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Files that are being read, in the order in which they were asked for.
    pub fn loading(&self) -> impl Iterator<Item = Loading> + '_ {
        self.loads.list()
    }

    /// What went wrong, the latest last, until it is dismissed.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Whether a file is on its way to be shown.
    pub fn is_opening(&self) -> bool {
        !self.loads.is_empty() || self.figures.is_busy()
    }

    /// Whether something is done on the side that [`Session::advance`] will take in.
    pub fn is_busy(&self) -> bool {
        self.is_opening() || self.aside.is_busy()
    }

    /// Carries out a command. Each group has one receiver.
    pub fn run(&mut self, command: impl Into<Command>) {
        match command.into() {
            Command::File(command) => self.run_file(command),
            Command::Playback(command) => self.run_playback(command),
            Command::Pose(command) => self.run_pose(command),
            Command::Camera(command) => self.run_camera(command),
            Command::Selection(command) => self.run_selection(command),
            Command::Look(command) => self.state.look.run(command),
            Command::Pane(command) => self.run_pane(command),
            Command::Window(command) => self.state.window.run(command),
        }
    }

    /// Lets time pass: moves the clock and takes in what was done on the side. Whether anything is different.
    pub fn advance(&mut self, elapsed_secs: f64) -> bool {
        let elapsed_secs = if elapsed_secs.is_finite() {
            elapsed_secs.clamp(0.0, 10.0)
        } else {
            0.0
        };
        self.look_after_files(elapsed_secs);
        let loaded = self.take_in_files();
        let (prepared, problems) = self.figures.take_in(&self.document, &self.state.panes);
        problems.into_iter().for_each(|problem| self.say(problem));
        let made = self.work_aside();
        let moved = self.advance_clock(elapsed_secs);
        let turned = self.advance_turntable(elapsed_secs);
        loaded | prepared | made | moved | turned
    }
}
