//! Bytes that a call made: packed clips, measurements as JSON.

use crate::arguments::out;
use crate::status::{call, sinew_status};
use crate::table::{free, handle, read};

/// Bytes or a text that a call made. The caller frees it.
#[derive(Debug)]
pub struct sinew_bytes {
    _opaque: (),
}
handle!(sinew_bytes, Bytes, "sinew_bytes");

/// Bytes with a NUL after the last, so that a text is a C string.
pub(crate) struct Bytes(Vec<u8>);

impl Bytes {
    pub fn new(mut bytes: Vec<u8>) -> Self {
        bytes.push(0);
        Self(bytes)
    }
}

/// Address and length of the bytes, valid until they are freed. A NUL follows the last byte, so a
/// text is a C string. The length does not count it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_bytes_data(
    bytes: *const sinew_bytes,
    data: *mut *const u8,
    len: *mut usize,
) -> sinew_status {
    call(|| {
        let (data, len) = (out("data", data)?, out("len", len)?);
        let Bytes(found) = &*read(bytes)?;
        data.write(found.as_ptr());
        len.write(found.len() - 1);
        Ok(())
    })
}

/// Frees the bytes. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_bytes_free(bytes: *mut sinew_bytes) -> sinew_status {
    call(|| free(bytes))
}
