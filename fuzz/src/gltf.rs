//! glTF and GLB.

use crate::documents::{hold, is_settled, round_trip};
use crate::memory::within;
use sinew_io::gltf::import_bytes;

/// A file is refused with a reason, or read; what is read can be skinned and written, with what its document holds
/// besides and without, and is the same when it is read again.
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
