use crate::documents::{hold, is_settled, round_trip};
use crate::memory::within;
use sinew_io::{Format, import_at};
use std::path::Path;

/// Checks that a file is refused, or that it survives a round trip through glTF.
pub fn mesh(bytes: &[u8]) {
    let path = Some(Path::new("none/a.obj"));
    if !matches!(Format::of(bytes, path), Some(Format::Obj | Format::Ply)) {
        return;
    }
    if let Ok(import) = within(bytes, 128, || import_at(bytes, path)) {
        hold(&import.character);
        if let Some(again) = round_trip(&import.character, None) {
            is_settled(&again, None);
        }
    }
}
