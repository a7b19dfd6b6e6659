//! Binds the meshes of a file by one method, for scoring scripts: `bind METHOD IN.glb OUT.glb`.
//! Prints the seconds without file access.

use sinew_rig::weights::{BindMethod, BindOptions, bind_character};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [method, from, to] = &arguments[..] else {
        return Err("usage: bind METHOD IN.glb OUT.glb".into());
    };
    let method = match method.as_str() {
        "auto" => BindMethod::Auto,
        "heat" => BindMethod::Heat,
        "bezier" => BindMethod::Bezier,
        "bezier-wide" => BindMethod::BezierWide,
        "rigid" => BindMethod::Rigid,
        other => return Err(format!("there is no method {other}").into()),
    };
    let mut character = sinew_io::import(from)?.character;
    let options = BindOptions::default().method(method);
    let start = Instant::now();
    bind_character(&mut character, &options)?;
    println!("{:.3}", start.elapsed().as_secs_f64());
    sinew_io::save(to, &character)?;
    Ok(())
}
