//! Writes the JavaScript that calls a WebAssembly program: `sinew-bindgen PROGRAM.wasm FOLDER NAME`.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, folder, name] = &arguments[..] else {
        eprintln!("usage: sinew-bindgen PROGRAM.wasm FOLDER NAME");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(program).out_name(name);
    let made = bindgen.web(true).and_then(|web| web.generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sinew-bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}
