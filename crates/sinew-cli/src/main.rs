//! The `sinew` program, with one file per subcommand. Code that other programs could use is in the
//! libraries.

mod batch;
mod bench;
mod bind;
mod clean;
mod clip;
mod compress;
mod convert;
mod demo;
mod edit;
mod extent;
mod features;
mod files;
mod ik;
mod info;
mod limits;
mod manual;
mod measure;
mod mesa;
mod mocap;
mod motion;
mod outputs;
mod plot;
mod progress;
mod render;
mod retarget;
mod sample;
mod several;
mod shown;
mod signals;
mod skin;
mod units;
mod usage;
mod view;
mod weights;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use progress::waiting;
use sinew_samples::Figure;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// Skeletal character animation from the command line.
///
/// `sinew FILE` opens the viewer. `sinew demo` needs no file and writes three example files. `-` instead of a file name
/// means standard input or output. Commands that print a report accept --json. Exit codes: 0 success, 1 bad input or
/// output that cannot be written, 2 wrong usage.
#[derive(Parser)]
#[command(name = "sinew", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Run every step on built-in characters: pose, skin with every method, measure, draw. Needs no files. With a mesh,
    /// draw it from bare to walking
    Demo(demo::Arguments),
    /// List the contents of a file: joints, meshes, clips, influences, memory, avatar licence, findings
    Info(info::Arguments),
    /// Write the skinned mesh at a time of a clip to JSON, OBJ, PLY or GLB
    Skin(skin::Arguments),
    /// Render a character to a picture or an animation, without a window: PNG, JPEG, GIF or video
    Render(render::Arguments),
    /// Draw the channels, curves and events of a clip over time, as SVG
    Plot(plot::Arguments),
    /// Write the poses of a clip at given times to JSON or CSV, or list its events
    Sample(sample::Arguments),
    /// Inverse kinematics: rotate the joints of a chain, within their limits, so that its end reaches a goal
    Ik(ik::Arguments),
    /// Show the limits of joints, or change them: use the limits of a person, or set each joint
    Limits(limits::Arguments),
    /// Time each kernel on this machine, and compare it with a memory copy and a plain loop
    Bench(bench::Arguments),
    /// Rig a bare mesh: find its skeleton, or use the skin in its file or another skeleton, and compute weights
    #[command(visible_alias = "rig")]
    Bind(bind::Arguments),
    /// Show or set the weights of vertices
    Weights(weights::Arguments),
    /// Measure how well a character deforms with each skinning method, or how its feet slide. Can fail on bad values
    Measure(measure::Arguments),
    /// Convert the markers of a C3D file to an animated character: glTF, GLB or VRM
    Mocap(mocap::Arguments),
    /// Write a character to another format: glTF, GLB, VRM or BVH
    Convert(convert::Arguments),
    /// Edit clips: cut, join, reverse, mirror, loop, resample, rename, add events, copy from other files
    Clip(clip::Arguments),
    /// Run a script of edits: pose joints, set, move and delete keys, add layers, events and curves
    Edit(edit::Arguments),
    /// Pack clips into a small .sinew file with a measured error. Sampling takes the same time everywhere in a clip
    Compress(compress::Arguments),
    /// Clean captured motion: fill gaps, remove spikes and noise, keep limits, hold sliding feet. Measures before and after
    Clean(clean::Arguments),
    /// Transfer a motion to another character, and keep the feet on the ground
    Retarget(retarget::Arguments),
    /// Run a recipe over many files, on all cores: clean, retarget, convert, compress, measure. Does nothing twice
    Batch(batch::Arguments),
    /// Open the viewer to play, inspect and compare files. Without a file, a built-in character walks
    View(view::Arguments),
    /// Print shell completions for commands and options: `sinew completions bash > sinew.bash`
    Completions(manual::Completions),
    /// Print the manual page of the program or of a command: `sinew man skin | man -l -`
    Man(manual::Man),
}

impl Verb {
    /// Name of the work for people who wait. `None` if the command shows its own progress or ends at once.
    fn work(&self) -> Option<&'static str> {
        Some(match self {
            Self::Info(_) => "reading",
            Self::Skin(_) => "skinning",
            Self::Plot(_) => "drawing",
            Self::Sample(_) => "sampling",
            Self::Ik(_) => "reaching",
            Self::Limits(_) | Self::Clip(_) | Self::Edit(_) => "editing",
            Self::Weights(_) => "weighing",
            Self::Convert(_) => "converting",
            Self::Clean(_) => "cleaning",
            Self::View(arguments) if arguments.screenshot.is_some() => "drawing",
            Self::Demo(_)
            | Self::Render(_)
            | Self::Bench(_)
            | Self::Bind(_)
            | Self::Measure(_)
            | Self::Mocap(_)
            | Self::Compress(_)
            | Self::Retarget(_)
            | Self::Batch(_)
            | Self::View(_)
            | Self::Completions(_)
            | Self::Man(_) => return None,
        })
    }
}

fn main() -> ExitCode {
    let words = with_figures(with_verb(std::env::args_os().collect()));
    let read = command().try_get_matches_from(words);
    let arguments = match read.and_then(|read| Arguments::from_arg_matches(&read)) {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    let draws = match &arguments.verb {
        Verb::Render(_) | Verb::Demo(_) | Verb::View(_) => true,
        Verb::Bind(arguments) => arguments.draws(),
        _ => false,
    };
    if draws {
        mesa::leave_out_device_select();
    }
    signals::watch();
    let working = arguments.verb.work().map(|work| waiting(work.to_owned()));
    let done = match arguments.verb {
        Verb::Demo(arguments) => demo::run(&arguments),
        Verb::Info(arguments) => info::run(&arguments),
        Verb::Skin(arguments) => skin::run(&arguments),
        Verb::Render(arguments) => render::run(&arguments),
        Verb::Plot(arguments) => plot::run(&arguments),
        Verb::Sample(arguments) => sample::run(&arguments),
        Verb::Ik(arguments) => ik::run(&arguments),
        Verb::Limits(arguments) => limits::run(&arguments),
        Verb::Bench(arguments) => bench::run(&arguments),
        Verb::Bind(arguments) => bind::run(&arguments),
        Verb::Weights(arguments) => weights::run(&arguments),
        Verb::Measure(arguments) => measure::run(&arguments),
        Verb::Mocap(arguments) => mocap::run(&arguments),
        Verb::Convert(arguments) => convert::run(&arguments),
        Verb::Clip(arguments) => clip::run(&arguments),
        Verb::Edit(arguments) => edit::run(&arguments),
        Verb::Compress(arguments) => compress::run(&arguments),
        Verb::Clean(arguments) => clean::run(&arguments),
        Verb::Retarget(arguments) => retarget::run(&arguments),
        Verb::Batch(arguments) => batch::run(&arguments),
        Verb::View(arguments) => view::run(&arguments),
        Verb::Completions(arguments) => manual::completions(&arguments, command()),
        Verb::Man(arguments) => manual::man(&arguments, command()),
    };
    drop(working);
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that closes the pipe is not a failure.
        Err(error) if outputs::is_output_closed(&error) => ExitCode::SUCCESS,
        Err(error) => match error.downcast::<clap::Error>() {
            Ok(wrong) => refuse(&wrong),
            Err(error) => {
                files::print_message(&usage::message(&error));
                ExitCode::FAILURE
            }
        },
    }
}

/// The command line. Every command that takes the file of a character takes --figure, too.
fn command() -> clap::Command {
    let names = Figure::ALL.map(|made| PossibleValue::new(made.name()).help(made.about()));
    let figure = Arg::new("figure")
        .long("figure")
        .value_name("NAME")
        .value_parser(PossibleValuesParser::new(names))
        .help("Use a character made by code instead of a file; can be repeated where there are several inputs");
    let command = <Arguments as CommandFactory>::command();
    command.mut_subcommands(|verb| match verb.get_name() {
        "demo" | "bench" | "mocap" | "completions" | "man" => verb,
        _ => verb.arg(figure.clone()),
    })
}

/// Replaces `--figure NAME` by the path `figure:NAME`. An unknown name stays, and is refused later.
fn with_figures(words: Vec<OsString>) -> Vec<OsString> {
    let mut left = words.into_iter().peekable();
    let mut done = Vec::new();
    while let Some(word) = left.next() {
        let text = word.to_str().unwrap_or_default();
        let named = match text.strip_prefix("--figure=") {
            Some(name) => Some(name.to_owned()),
            None if text == "--figure" => left
                .peek()
                .and_then(|name| name.to_str())
                .map(str::to_owned),
            None => None,
        };
        match named.filter(|name| Figure::named(name).is_some()) {
            Some(name) => {
                if text == "--figure" {
                    left.next();
                }
                done.push(format!("{}{name}", files::FIGURE).into());
            }
            None => done.push(word),
        }
    }
    done
}

/// Inserts `view` (`info` without a display) if the first word is a file and not a command.
fn with_verb(mut words: Vec<OsString>) -> Vec<OsString> {
    if let Some(first) = words.get(1)
        && Path::new(first).is_file()
        && command().find_subcommand(first).is_none()
    {
        let verb = if !features::HAS_WINDOW {
            files::print_message(&format!(
                "{}; running `sinew info` instead",
                features::WAY_TO_WINDOW
            ));
            "info"
        } else if !has_display() {
            files::print_message("there is no display for a window; running `sinew info` instead");
            "info"
        } else {
            "view"
        };
        words.insert(1, verb.into());
    }
    words
}

/// True if a window can be opened. Always true on systems that need no environment variable for it.
fn has_display() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let by_environment = cfg!(all(unix, not(target_vendor = "apple")));
    !by_environment || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

fn refuse(error: &clap::Error) -> ExitCode {
    if usage::is_help(error) {
        let _ = error.print();
        return ExitCode::from(error.exit_code() as u8);
    }
    let verb = std::env::args_os().nth(1);
    let verb = verb.and_then(|verb| verb.into_string().ok());
    let known = |verb: &String| command().find_subcommand(verb).is_some();
    let verb = verb.filter(known);
    files::print_message(&usage::in_one_line(error, verb.as_deref()));
    ExitCode::from(2)
}
