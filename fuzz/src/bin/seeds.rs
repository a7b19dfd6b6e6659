//! Writes the first inputs of the fuzzers. `seeds FOLDER [REAL]` makes a folder per target in
//! FOLDER, with files made by code and, if REAL is given, the small files of the folder REAL.

use sinew_fuzz::{TARGETS, seeds};
use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let Some(folder) = arguments.next() else {
        eprintln!("usage: seeds FOLDER [REAL]");
        std::process::exit(2);
    };
    let real = arguments.next();
    for (target, _) in TARGETS {
        let folder = folder.join(target);
        std::fs::create_dir_all(&folder)?;
        let found = real.iter().flat_map(|real| seeds::real(target, real));
        for (number, bytes) in seeds::made(target).into_iter().chain(found).enumerate() {
            std::fs::write(folder.join(format!("{number:03}")), bytes)?;
        }
    }
    Ok(())
}
