//! The only way to change anything.

use super::{
    Background, Ending, Overlay, PanelKind, Pass, Preset, Projection, Selection, Surface, Theme,
    TimeUnit,
};
use crate::document::{Export, FileId, MadeFigure};
use glam::Quat;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A change of the document or of how it is looked at. In a script, `{"do": "seek", "time_secs": 0.4}`.
///
/// Numbers out of range are brought into it; files, clips, joints and panes that are not there change nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// Opens a file, on the side; it is shown when it is read.
    Open {
        /// The file.
        path: PathBuf,
    },
    /// Opens what a file holds, where there is no path to it.
    OpenBytes {
        /// How it is called.
        name: String,
        /// All of it.
        bytes: Vec<u8>,
    },
    /// Opens a figure made by code.
    OpenMade {
        /// Which.
        figure: MadeFigure,
    },
    /// Reads a file again, as when it changes on disk.
    Reload {
        /// The file.
        file: FileId,
    },
    /// Gives up reading files.
    CancelOpening,
    /// Takes a message away.
    DismissMessage {
        /// Its place among the messages.
        message: usize,
    },
    /// Closes a file. The last one gives way to the mannequin.
    Close {
        /// The file.
        file: FileId,
    },
    /// Shows a file in the first pane, and in the panels.
    Show {
        /// The file.
        file: FileId,
    },
    /// Plays a clip of the shown file from its beginning, or shows the rest pose.
    Clip {
        /// Its index; the rest pose without.
        clip: Option<usize>,
    },
    /// Blends a further clip with the one that plays; not at all with weight 0.
    Blend {
        /// Its index.
        clip: usize,
        /// How much: 0 to 1.
        weight: f32,
    },
    /// Lets time move.
    Play,
    /// Stops time.
    Pause,
    /// Plays when paused, pauses when playing.
    TogglePlay,
    /// Goes to a time.
    Seek {
        /// Within the clip.
        time_secs: f64,
    },
    /// Goes some frames on, or back, and pauses.
    StepFrames {
        /// How many.
        frames: i32,
    },
    /// Goes to the next key of the selected joint, or of any without one, and pauses.
    NextKey,
    /// Goes to the one before.
    PreviousKey,
    /// Sets how fast time moves.
    Speed {
        /// 0.05 to 4.
        speed: f64,
    },
    /// Sets what happens at the end.
    Ending {
        /// That.
        ending: Ending,
    },
    /// Sets the first and the last moment that are played.
    Range {
        /// They; the whole clip without.
        range_secs: Option<[f64; 2]>,
    },
    /// Sets how many frames a second has.
    Fps {
        /// 1 to 1000.
        fps: f64,
    },
    /// Sets what the ruler counts.
    Unit {
        /// That.
        unit: TimeUnit,
    },
    /// Lets the root travel, or keeps it.
    RootMotion {
        /// Whether it travels.
        on: bool,
    },
    /// Turns a joint of the shown file by hand, on top of what plays.
    Turn {
        /// The joint.
        joint: usize,
        /// By how much from what plays, in the joint's own frame: x, y, z, w. Not at all with `[0, 0, 0, 1]`.
        rotation: Quat,
    },
    /// Leaves all joints to what plays.
    ResetTurns,
    /// Turns the camera about its target.
    Orbit {
        /// To the right.
        right_rad: f32,
        /// Up.
        up_rad: f32,
    },
    /// Moves the camera and its target, in heights of the picture.
    Pan {
        /// To the right.
        right: f32,
        /// Up.
        up: f32,
    },
    /// Moves the camera to its target.
    Zoom {
        /// How many times nearer; below 1 away.
        factor: f32,
    },
    /// Goes to a view.
    Preset {
        /// Which.
        preset: Preset,
    },
    /// Brings the selection into the picture; everything without one.
    Frame,
    /// Says how wide a pane is by its height, which is what things are brought into.
    Aspect {
        /// 0.01 to 100.
        aspect: f32,
    },
    /// Sets how depth is drawn.
    Projection {
        /// How.
        projection: Projection,
    },
    /// Lets the camera turn by itself.
    Turntable {
        /// How fast; 0 not at all.
        rad_per_sec: f32,
    },
    /// Selects.
    Select {
        /// What.
        selection: Selection,
    },
    /// Selects what a ray through a place of a pane meets: a bone where bones are drawn, else the skin.
    Pick {
        /// Which pane.
        pane: usize,
        /// From its left edge to its right one, 0 to 1.
        x: f32,
        /// From its upper edge to its lower one, 0 to 1.
        y: f32,
        /// Its width by its height.
        aspect: f32,
    },
    /// Sets what the skin shows.
    Surface {
        /// What.
        surface: Surface,
    },
    /// Draws something over the skin, or no longer.
    Overlay {
        /// What.
        overlay: Overlay,
        /// Whether.
        on: bool,
    },
    /// Turns an effect on or off.
    Pass {
        /// Which.
        pass: Pass,
        /// Whether.
        on: bool,
    },
    /// Sets what is behind everything.
    Background {
        /// What.
        background: Background,
    },
    /// Shows a pane for each of these methods of the shown file: `rigid`, `lbs`, `dqs`, `quat`.
    CompareMethods {
        /// They.
        methods: Vec<String>,
    },
    /// Shows a pane for each of these files.
    CompareFiles {
        /// They.
        files: Vec<FileId>,
    },
    /// Skins the first pane by another method: `rigid`, `lbs`, `dqs`, `quat`.
    Method {
        /// That.
        method: String,
    },
    /// Shows the clip beside the same clip, packed.
    ComparePacked,
    /// Shows one pane.
    CompareNone,
    /// Writes something to a file, on the side.
    Export {
        /// What.
        what: Export,
        /// Where to.
        path: PathBuf,
    },
    /// Opens or closes a panel.
    Panel {
        /// Which.
        panel: PanelKind,
        /// Whether it is open.
        on: bool,
    },
    /// Sets the theme.
    Theme {
        /// Which.
        theme: Theme,
    },
    /// Sets the size of letters.
    LetterSize {
        /// 0.5 to 3.
        zoom: f32,
    },
}
