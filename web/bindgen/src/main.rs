//! Writes the JavaScript that calls a WebAssembly program: `sinew-bindgen PROGRAM.wasm FOLDER NAME [--package]`.
//! With `--package`, it checks its arguments and comes with types for TypeScript.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (program, folder, name, is_package) = match &arguments[..] {
        [program, folder, name] => (program, folder, name, false),
        [program, folder, name, option] if option == "--package" => (program, folder, name, true),
        _ => {
            eprintln!("usage: sinew-bindgen PROGRAM.wasm FOLDER NAME [--package]");
            return ExitCode::from(2);
        }
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(program).out_name(name).debug(is_package).typescript(is_package);
    let made = bindgen.web(true).and_then(|web| web.generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sinew-bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}
