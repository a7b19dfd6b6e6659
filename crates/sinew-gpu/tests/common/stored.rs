//! Reference pictures under `tests/pictures`. `SINEW_UPDATE_PICTURES=1` rewrites them.

use sinew_gpu::{Picture, read_png, write_png};
use std::path::Path;

/// Max mean difference over all channels, out of 255.
const MEAN: f64 = 0.6;
/// Difference of a channel above which a pixel counts as different, out of 255.
const APART: u8 = 14;
/// Max fraction of different pixels. Drivers sample edges differently.
const OTHERS: f64 = 0.008;

/// Fails if a picture differs from the stored one, and saves it in the target folder.
pub fn assert_as_stored(name: &str, drawn: &Picture) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures");
    let path = folder.join(name).with_extension("png");
    if std::env::var_os("SINEW_UPDATE_PICTURES").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        return write(&path, drawn);
    }
    let anew = "SINEW_UPDATE_PICTURES=1 cargo test -p sinew-gpu writes it anew";
    let bytes = std::fs::read(&path);
    let bytes = bytes.unwrap_or_else(|e| panic!("{}: {e}; {anew}", path.display()));
    let stored = read_png(&bytes).unwrap();
    if let Err(why) = compare(&stored, drawn) {
        let left = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(name)
            .with_extension("png");
        write(&left, drawn);
        panic!(
            "{name} is not as stored: {why}. See {}; {anew}",
            left.display()
        );
    }
}

fn write(path: &Path, picture: &Picture) {
    write_png(&mut std::fs::File::create(path).unwrap(), picture).unwrap();
}

fn compare(stored: &Picture, drawn: &Picture) -> Result<(), String> {
    let Some((_, mean)) = stored.difference(drawn) else {
        return Err("it is of another size".to_owned());
    };
    let pixels = stored
        .rgba()
        .chunks_exact(4)
        .zip(drawn.rgba().chunks_exact(4));
    let all = pixels.len();
    let is_other = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > APART);
    let others = pixels.filter(is_other).count();
    match mean <= MEAN && others as f64 <= OTHERS * all as f64 {
        true => Ok(()),
        false => Err(format!(
            "{mean:.2} of 255 in the mean, {others} of {all} pixels are others"
        )),
    }
}
