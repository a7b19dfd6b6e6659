//! Shell completions, `man` pages, and the verb implied by a file.

use crate::program::{folder, good, refused, run, write};
use sinew_io::gltf::{ExportOptions, to_glb};
use sinew_samples::tube_character;

#[test]
fn a_file_alone_is_described() {
    let folder = folder("file_alone");
    let bytes = to_glb(&tube_character(), &ExportOptions::default()).expect("a tube");
    write(&folder, "tube.glb", bytes);
    let alone = good(&folder, &["tube.glb"]);
    let info = good(&folder, &["info", "tube.glb"]);
    assert!(!info.is_empty());
    assert_eq!(alone, info);
    let missing = run(&folder, &["nothing.glb"]);
    assert_eq!(missing.status.code(), Some(2));
    // A verb wins over a file of the same name.
    write(&folder, "info", b"not a character");
    assert_eq!(good(&folder, &["info", "tube.glb"]), info);
}

#[test]
fn shells_and_man_are_given_every_verb() {
    let folder = folder("manual");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let text = good(&folder, &["completions", shell]);
        assert!(
            text.contains("retarget") && text.contains("max-error"),
            "{shell}"
        );
    }
    let program = good(&folder, &["man"]);
    assert!(program.contains(".TH") && program.contains("compress"));
    let verb = good(&folder, &["man", "compress"]);
    assert!(verb.contains("max\\-error"));
    refused(
        &folder,
        &["man", "comprss"],
        &["comprss", "did you mean compress?"],
    );
}
