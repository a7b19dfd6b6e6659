//! A document, how it is looked at, and the commands that change both.

mod aside;
mod camera;
mod command_line;
mod figures;
mod files;
mod missing;
mod panes;
mod picking;
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
/// use sinew_view::{Command, Session};
/// let mut session = Session::default();
/// session.run(&Command::Seek { time_secs: 0.4 });
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

    /// Carries out a command.
    pub fn run(&mut self, command: &Command) {
        match command {
            Command::Open { path } => self.open(path.clone()),
            Command::OpenBytes { name, bytes } => self.open_bytes(name, bytes),
            Command::OpenMade { figure } => self.open_made(*figure),
            Command::Reload { file } => self.reload(*file),
            Command::CancelOpening => self.cancel_opening(),
            Command::DismissMessage { message } => {
                if *message < self.messages.len() {
                    self.messages.remove(*message);
                }
            }
            Command::Close { file } => self.close(*file),
            Command::Show { file } => {
                if *file != self.state.shown {
                    self.show(*file);
                }
            }
            Command::Clip { .. }
            | Command::Blend { .. }
            | Command::Play
            | Command::Pause
            | Command::TogglePlay
            | Command::Seek { .. }
            | Command::StepFrames { .. }
            | Command::NextKey
            | Command::PreviousKey
            | Command::Speed { .. }
            | Command::Ending { .. }
            | Command::Range { .. }
            | Command::Fps { .. }
            | Command::Unit { .. }
            | Command::RootMotion { .. } => self.run_playing(command),
            Command::Orbit { .. }
            | Command::Pan { .. }
            | Command::Zoom { .. }
            | Command::Preset { .. }
            | Command::Frame
            | Command::Aspect { .. }
            | Command::Projection { .. }
            | Command::Turntable { .. } => self.run_camera(command),
            Command::Select { selection } => self.select(*selection),
            Command::Pick { pane, x, y, aspect } => self.pick(*pane, [*x, *y], *aspect),
            Command::Turn { joint, rotation } => self.turn_joint(*joint, *rotation),
            Command::ResetTurns => self.state.turns.clear(),
            Command::CompareMethods { .. }
            | Command::CompareFiles { .. }
            | Command::Method { .. }
            | Command::ComparePacked
            | Command::CompareNone => self.run_panes(command),
            Command::Export { what, path } => self.export(*what, path),
            Command::Surface { .. }
            | Command::Overlay { .. }
            | Command::Pass { .. }
            | Command::Background { .. }
            | Command::Panel { .. }
            | Command::Theme { .. }
            | Command::LetterSize { .. } => self.state.run_looks(command),
        }
    }

    /// Lets time pass: moves the clock and takes in what was done on the side. Whether anything is different.
    pub fn advance(&mut self, elapsed_secs: f64) -> bool {
        let elapsed_secs = match elapsed_secs.is_finite() {
            true => elapsed_secs.clamp(0.0, 10.0),
            false => 0.0,
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
