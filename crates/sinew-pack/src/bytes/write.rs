//! Writes numbers as little-endian bytes.

pub(crate) trait Write {
    fn put(&mut self, bytes: &[u8]);

    fn u8(&mut self, value: u8) {
        self.put(&[value]);
    }

    fn u16(&mut self, value: u16) {
        self.put(&value.to_le_bytes());
    }

    /// Writes a count or length as a `u32`. The encoder has already rejected larger values.
    fn u32(&mut self, value: usize) {
        self.put(&(value as u32).to_le_bytes());
    }

    fn f64(&mut self, value: f64) {
        self.put(&value.to_le_bytes());
    }

    fn f32s(&mut self, values: &[f32]) {
        for value in values {
            self.put(&value.to_le_bytes());
        }
    }

    fn text(&mut self, text: &str) {
        self.u32(text.len());
        self.put(text.as_bytes());
    }
}

impl Write for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}
