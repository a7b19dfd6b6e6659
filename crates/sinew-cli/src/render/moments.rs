use super::arguments::Arguments;
use crate::usage;
use anyhow::{Result, bail};
use sinew::Character;

/// Times of the pictures, and the frame rate.
pub struct Moments {
    pub times: Vec<f64>,
    pub fps: f64,
    /// Angle of the camera around the figure at each time, as a fraction of the circle.
    pub turns: Vec<f32>,
    /// True if the clip moves the figure between the times.
    pub moves: bool,
}

impl Moments {
    pub fn new(arguments: &Arguments, character: &Character, clip: Option<usize>) -> Result<Self> {
        const TURN_SECS: f64 = 4.0;
        const MAX_FRAMES: f64 = 100_000.0;
        let duration = clip.map_or(0.0, |c| f64::from(character.clips[c].duration_secs));
        let turns = arguments.camera_view().turns();
        if let Some(sheet) = arguments.sheet {
            return Ok(Self::of_sheet(sheet.cells(), duration, turns));
        }
        let own_fps = arguments.output.kind.own_fps();
        let moves = arguments.fps.is_some()
            || arguments.output.is_template()
            || (own_fps.is_some() && (arguments.time.is_none() || turns));
        if !moves {
            if turns {
                return Err(usage::wrong("a turntable needs --fps"));
            }
            return Ok(Self {
                times: vec![arguments.time.unwrap_or(0.0)],
                fps: 1.0,
                turns: vec![0.0],
                moves: false,
            });
        }
        let fps = arguments.fps.or(own_fps).unwrap_or(30.0);
        let span = match (duration > 0.0, turns) {
            (true, _) => duration,
            (false, true) => TURN_SECS,
            (false, false) => 0.0,
        };
        let frames = (span * fps).round().max(1.0);
        if frames > MAX_FRAMES {
            bail!("{frames} frames are too many: the max is {MAX_FRAMES}; lower --fps");
        }
        // In a loop, the last time of a clip would repeat the first pose.
        let times = (0..frames as u64).map(|frame| match arguments.time {
            Some(time) => time,
            None => (frame as f64 / fps).min(duration),
        });
        let turn = |frame: u64| {
            if turns {
                frame as f32 / frames as f32
            } else {
                0.0
            }
        };
        Ok(Self {
            times: times.collect(),
            fps,
            turns: (0..frames as u64).map(turn).collect(),
            moves: arguments.time.is_none() && duration > 0.0,
        })
    }

    /// Times from the start of the clip to its end. If nothing moves, views around the figure.
    fn of_sheet(cells: u32, duration: f64, turns: bool) -> Self {
        let moves = duration > 0.0;
        let time = |cell: u32| duration * f64::from(cell) / f64::from((cells - 1).max(1));
        let turn = |cell: u32| {
            if moves && !turns {
                0.0
            } else {
                cell as f32 / cells as f32
            }
        };
        Self {
            times: (0..cells).map(time).collect(),
            fps: 1.0,
            turns: (0..cells).map(turn).collect(),
            moves,
        }
    }

    /// Label of a picture: its time, or its angle from the front of the character to its left. The first is
    /// `start_rad`.
    pub fn label(&self, cell: usize, start_rad: f32) -> String {
        if self.moves {
            return format!("{:.2} s", self.times[cell]);
        }
        let degrees = 360.0 * self.turns[cell] + start_rad.to_degrees();
        format!("{:.0}°", degrees.rem_euclid(360.0))
    }
}
