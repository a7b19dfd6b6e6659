//! `sinew convert`: a character to another format.

use crate::files;
use anyhow::{Result, bail};
use sinew_io::gltf::{self, ExportOptions};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF or GLB file, or - for standard input
    input: PathBuf,
    /// Where to: .glb, or .gltf with its buffer inside
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let output = &arguments.output;
    let import = files::load(&arguments.input)?;
    let options = ExportOptions {
        source: Some(&import.source),
    };
    let bytes = match files::extension(output).as_str() {
        "glb" => gltf::to_glb(&import.character, &options)?,
        "gltf" => gltf::to_gltf(&import.character, &options)?.into_bytes(),
        _ if files::is_standard(output) => gltf::to_glb(&import.character, &options)?,
        other => bail!("cannot write \".{other}\" files; name the output .glb or .gltf"),
    };
    files::write(output, |out| out.write_all(&bytes))
}
