use crate::documents::{hold, is_settled, round_trip};
use crate::memory::peak_of;
use sinew_io::fbx::{import_bytes, memory_limit};

/// Checks that a file is refused, or that it deforms and survives a round trip through glTF.
pub fn fbx(bytes: &[u8]) {
    let (read, peak) = peak_of(|| import_bytes(bytes));
    let limit = 3 * memory_limit(bytes);
    let len = bytes.len();
    assert!(
        peak <= limit,
        "{len} bytes took {peak} bytes of memory, of {limit}"
    );
    if let Ok(import) = read {
        hold(&import.character);
        if let Some(again) = round_trip(&import.character, None) {
            is_settled(&again, None);
        }
    }
}
