//! FBX.

use crate::documents::{hold, is_settled, round_trip};
use crate::memory::within;
use sinew_io::fbx::import_bytes;

/// A file is refused, or read; what is read moves, and is the same when it went through glTF.
pub fn fbx(bytes: &[u8]) {
    if let Ok(import) = within(bytes, 3 * 128, || import_bytes(bytes)) {
        hold(&import.character);
        if let Some(again) = round_trip(&import.character, None) {
            is_settled(&again, None);
        }
    }
}
