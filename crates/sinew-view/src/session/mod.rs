//! Document and state, and the commands that change them.

mod background;
mod by_hand;
mod camera;
mod command_line;
mod editing;
mod figures;
mod files;
mod keeping;
mod looks;
mod making;
mod missing;
mod panes;
mod playing;
mod posing;
mod selecting;

pub use figures::Figure;

use crate::document::{Document, Edits, Loading, Loads, MadeFigure, Message, Watch};
use crate::state::{Command, State};
use background::BackgroundJobs;
use figures::Figures;
use keeping::Asking;
use sinew::character::Shown;
use std::path::PathBuf;

/// Document, and the state of its view.
///
/// [`Session::run`] and [`Session::advance`] never wait: loading is in the background.
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
    jobs: BackgroundJobs,
    watch: Watch,
    messages: Vec<Message>,
    /// Number of messages since the start, including those that are gone.
    notified: usize,
    edits: Edits,
    asking: Asking,
    /// Names of the meshes to show of files that are opened.
    shown: Shown,
}

impl Default for Session {
    /// Creates a session in which the mannequin walks.
    fn default() -> Self {
        Self::of(Document::default())
    }
}

impl Session {
    /// Creates a session that loads files. Until the first file is ready, it shows a limb, which is
    /// built faster than the mannequin. Without paths, it is [`Session::default`].
    pub fn opening(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut paths = paths.into_iter().peekable();
        if paths.peek().is_none() {
            return Self::default();
        }
        let mut session = Self::standing_in();
        paths.for_each(|path| session.open(path));
        session
    }

    /// Creates a session that shows a limb until the first file is ready.
    pub fn standing_in() -> Self {
        Self::of(Document::standing_in(MadeFigure::Tube))
    }

    fn of(document: Document) -> Self {
        let shown = document.files()[0].id;
        let mut session = Self {
            document,
            state: State::default(),
            loads: Loads::default(),
            figures: Figures::default(),
            jobs: BackgroundJobs::default(),
            watch: Watch::default(),
            messages: Vec::new(),
            notified: 0,
            edits: Edits::default(),
            asking: Asking::default(),
            shown: Shown::default(),
        };
        session.show(shown);
        session
    }

    /// Open files.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Time, camera, selection and looks.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Files that are being loaded, in the order of the requests.
    pub fn loading(&self) -> impl Iterator<Item = Loading> + '_ {
        self.loads.list()
    }

    /// Messages that the user has not dismissed, oldest first.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Number of messages since the start, including those that are gone.
    pub fn notified(&self) -> usize {
        self.notified
    }

    /// True if a file to be shown is being loaded.
    pub fn is_opening(&self) -> bool {
        !self.loads.is_empty() || self.figures.is_busy()
    }

    /// True if background work is in progress. [`Session::advance`] stores its results.
    pub fn is_busy(&self) -> bool {
        self.is_opening() || self.jobs.is_busy()
    }

    /// Runs a command.
    pub fn run(&mut self, command: impl Into<Command>) {
        match command.into() {
            Command::File(command) => self.run_file(command),
            Command::Playback(command) => self.run_playback(command),
            Command::Pose(command) => self.run_pose(command),
            Command::Edit(edit) => self.run_edit(edit),
            Command::History(command) => self.run_history(command),
            Command::Editing(command) => self.run_editing(command),
            Command::Camera(command) => self.run_camera(command),
            Command::Selection(command) => self.run_selection(command),
            Command::Look(command) => self.run_look(command),
            Command::Pane(command) => self.run_pane(command),
            Command::Window(command) => self.state.window.run(command),
        }
    }

    /// Advances the clock by a time in seconds, clamped to [0, 10], and stores the results of
    /// background work. True if anything changed.
    pub fn advance(&mut self, elapsed_secs: f64) -> bool {
        let elapsed_secs = if elapsed_secs.is_finite() {
            elapsed_secs.clamp(0.0, 10.0)
        } else {
            0.0
        };
        self.look_after_files(elapsed_secs);
        let loaded = self.take_in_files();
        let (prepared, problems) = self.figures.take_in(&self.document, &self.state.panes);
        problems
            .into_iter()
            .for_each(|problem| self.notify(problem));
        let made = self.run_jobs();
        let moved = self.advance_clock(elapsed_secs);
        let turned = self.advance_turntable(elapsed_secs);
        loaded | prepared | made | moved | turned
    }
}
