use crate::documents::{hold, is_settled, round_trip};
use crate::memory::within;
use sinew_io::bvh::{BvhError, import_bytes};

/// Checks that a file is refused with a line number, or deforms and survives a round trip.
pub fn bvh(bytes: &[u8]) {
    match within(bytes, 16, || import_bytes(bytes)) {
        Err(refusal) => {
            let says_where = refusal.to_string().starts_with("line ");
            let whole = matches!(refusal, BvhError::NotBvh { .. } | BvhError::Utf16);
            assert!(says_where || whole, "{refusal}");
        }
        Ok(import) => {
            hold(&import.character);
            if let Some(again) = round_trip(&import.character, None) {
                is_settled(&again, None);
            }
        }
    }
}
