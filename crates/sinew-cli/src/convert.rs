//! `sinew convert`: a character to another format.

use crate::files;
use anyhow::Result;
use sinew_io::gltf::{self, ExportOptions};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF, GLB, BVH or .sinew file, or - for standard input
    input: PathBuf,
    /// Where to: .glb, or .gltf with its buffer inside; - for GLB on standard output
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &["glb", "gltf"]))]
    output: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let output = &arguments.output;
    let import = files::load(&arguments.input)?;
    let options = ExportOptions {
        source: import.source.as_ref(),
    };
    let export = gltf::export(&import.character, &options)?;
    files::say_findings(&export.report);
    let bytes = match files::extension(output).as_str() {
        "gltf" => export.to_gltf()?.into_bytes(),
        _ => export.to_glb()?,
    };
    files::write(output, |out| out.write_all(&bytes))
}
