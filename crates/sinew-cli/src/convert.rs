//! `sinew convert`: a character to another format.

use crate::units::{self, Scale};
use crate::{files, outputs};
use anyhow::Result;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF, GLB, VRM, FBX, BVH or .sinew file, or - for standard input
    input: PathBuf,
    /// The output: .glb, .gltf with its buffer inside, or .vrm if it is an avatar; - for GLB on standard output
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &files::CHARACTERS))]
    output: PathBuf,
    /// The factor from the file's unit to metres, such as 0.01 for centimetres; `auto` takes the unit that the file
    /// states, or else one in which a person is as tall as people are. All lengths are multiplied by it
    #[arg(
        long,
        value_name = "FACTOR",
        default_value = "1",
        allow_negative_numbers = true
    )]
    scale: Scale,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let output = &arguments.output;
    outputs::check(output)?;
    let mut import = files::load(&arguments.input)?;
    let name = files::name(&arguments.input);
    for note in units::apply(arguments.scale, &mut import, &name)? {
        files::say(&note);
    }
    let what = outputs::contents(&import.character);
    outputs::character(output, &what, &import.character, import.source.as_ref())
}
