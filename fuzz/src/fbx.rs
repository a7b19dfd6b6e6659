use crate::documents::{hold, is_settled, round_trip};
use crate::memory::within;
use sinew_io::fbx::import_bytes;

/// Checks that a file is refused, or read, deformed and preserved by a round trip through glTF.
pub fn fbx(bytes: &[u8]) {
    if let Ok(import) = within(bytes, 3 * 128, || import_bytes(bytes)) {
        hold(&import.character);
        if let Some(again) = round_trip(&import.character, None) {
            is_settled(&again, None);
        }
    }
}
