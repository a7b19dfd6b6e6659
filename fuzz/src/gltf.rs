use crate::documents::{hold, is_settled, round_trip};
use crate::memory::within;
use sinew_io::gltf::import_bytes;

/// Checks that a file is refused with a reason, or survives round trips with and without source.
pub fn gltf(bytes: &[u8]) {
    match within(bytes, 8, || import_bytes(bytes, None)) {
        Err(refusal) => assert!(!refusal.to_string().is_empty()),
        Ok(import) => {
            hold(&import.character);
            for source in [None, Some(&import.source)] {
                if let Some(again) = round_trip(&import.character, source) {
                    is_settled(&again, source.map(|_| &again.source));
                }
            }
        }
    }
}
