//! The `sinew` program: one file per subcommand, without logic for library users.

mod bench;
mod bind;
mod clip;
mod compress;
mod convert;
mod demo;
mod extent;
mod features;
mod files;
mod ik;
mod info;
mod limits;
mod manual;
mod marker_file;
mod measure;
mod mesa;
mod mocap;
mod outputs;
mod plot;
mod progress;
mod render;
mod retarget;
mod sample;
mod several;
mod skin;
mod units;
mod usage;
mod view;
mod weights;

use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// Skeletal character animation from the command line.
///
/// `sinew FILE` opens the viewer; `sinew demo` needs no file, and writes three to play with. `-` in place of a file is standard input or output, and commands that print a report take --json. Exit code 0: done; 1: the input is at fault or the
/// output cannot be written; 2: wrong usage.
#[derive(Parser)]
#[command(name = "sinew", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Run the whole pipeline on characters made by code: pose, skin by every method, measure, draw; needs no files
    Demo(demo::Arguments),
    /// Print what a file holds: joints, meshes, clips, influences, memory, the licence of an avatar, and what is odd about it
    Info(info::Arguments),
    /// Write the skinned mesh at a time of a clip to JSON, OBJ, PLY or GLB
    Skin(skin::Arguments),
    /// Render a character to a picture or an animation, without a window: PNG, JPEG, GIF or film
    Render(render::Arguments),
    /// Draw a clip's channels as rows over time, with its curves and events below: SVG
    Plot(plot::Arguments),
    /// Write the poses of a clip at given times to JSON or CSV, or list its events
    Sample(sample::Arguments),
    /// Inverse kinematics: rotate the joints of a chain, within their limits, so that its end reaches a goal
    Ik(ik::Arguments),
    /// Show or change the limits of joints: from a person's limits, or joint by joint
    Limits(limits::Arguments),
    /// Benchmark this machine: every kernel beside a copy and a plain loop in the same run
    Bench(bench::Arguments),
    /// Give weights to meshes that have none: to their own file's skin, or to another file's skeleton
    Bind(bind::Arguments),
    /// Show the weights of vertices, or set them
    Weights(weights::Arguments),
    /// Measure how well a character deforms by each skinning method, and fail where it is not well enough
    Measure(measure::Arguments),
    /// Turn the markers of a C3D file into a character that moves: glTF, GLB or VRM
    Mocap(mocap::Arguments),
    /// Write a character to another format: glTF, GLB, VRM or BVH
    Convert(convert::Arguments),
    /// Edit clips: cut, join, reverse, mirror, loop, sample anew, name, mark by events, take from other files
    Clip(clip::Arguments),
    /// Pack clips into a .sinew file: small, with a measured error, and as fast to sample at any time
    Compress(compress::Arguments),
    /// Retarget a motion to another character, with feet kept on the ground
    Retarget(retarget::Arguments),
    /// Open the viewer: files to play, look into and compare; without one, a figure made by code walks
    View(view::Arguments),
    /// Print a shell's completions of commands and options: `sinew completions bash > sinew.bash`
    Completions(manual::Completions),
    /// Print the manual page of the program or of a command: `sinew man skin | man -l -`
    Man(manual::Man),
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse_from(with_verb(std::env::args_os().collect())) {
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
        Verb::Compress(arguments) => compress::run(&arguments),
        Verb::Retarget(arguments) => retarget::run(&arguments),
        Verb::View(arguments) => view::run(&arguments),
        Verb::Completions(arguments) => manual::completions(&arguments, Arguments::command()),
        Verb::Man(arguments) => manual::man(&arguments, Arguments::command()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that closes the pipe is no failure.
        Err(error) if outputs::is_output_closed(&error) => ExitCode::SUCCESS,
        Err(error) => match error.downcast::<clap::Error>() {
            Ok(wrong) => refuse(&wrong),
            Err(error) => {
                files::say(&usage::message(&error));
                ExitCode::FAILURE
            }
        },
    }
}

/// Inserts `view` before an existing file that is no verb, or `info` without a display.
fn with_verb(mut words: Vec<OsString>) -> Vec<OsString> {
    if let Some(first) = words.get(1)
        && Path::new(first).is_file()
        && Arguments::command().find_subcommand(first).is_none()
    {
        let verb = if !features::HAS_WINDOW {
            files::say(&format!(
                "{}, so this is `sinew info`",
                features::WAY_TO_WINDOW
            ));
            "info"
        } else if !has_display() {
            files::say("there is no display to open a window on, so this is `sinew info`");
            "info"
        } else {
            "view"
        };
        words.insert(1, verb.into());
    }
    words
}

/// True where windows can be opened; always on systems that need no variable for it.
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
    let known = |verb: &String| Arguments::command().find_subcommand(verb).is_some();
    let verb = verb.filter(known);
    files::say(&usage::in_one_line(error, verb.as_deref()));
    ExitCode::from(2)
}
