//! Strings of bytes as codes, as GIF packs them.

use std::collections::HashMap;

/// Codes of 9 to 12 bits for strings of bytes that came before (Welch 1984).
pub(super) fn lzw(bytes: &[u8]) -> Vec<u8> {
    const RESET: u16 = 256;
    const END: u16 = 257;
    const MOST: u16 = 4095;
    let mut out = Bits::default();
    let mut known: HashMap<(u16, u8), u16> = HashMap::new();
    let (mut next, mut width) = (END + 1, 9);
    out.push(RESET, width);
    let mut bytes = bytes.iter();
    let Some(&first) = bytes.next() else {
        out.push(END, width);
        return out.finish();
    };
    let mut string = u16::from(first);
    for &byte in bytes {
        if let Some(&longer) = known.get(&(string, byte)) {
            string = longer;
            continue;
        }
        out.push(string, width);
        if next <= MOST {
            known.insert((string, byte), next);
            // The reader is one behind: it needs the next width when this code is full.
            if next == 1 << width && width < 12 {
                width += 1;
            }
            next += 1;
        } else {
            out.push(RESET, width);
            known.clear();
            (next, width) = (END + 1, 9);
        }
        string = u16::from(byte);
    }
    out.push(string, width);
    // What it now knows may need another bit.
    if next == 1 << width && width < 12 {
        width += 1;
    }
    out.push(END, width);
    out.finish()
}

/// Bits from the lowest on.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    held: u32,
    count: u32,
}

impl Bits {
    fn push(&mut self, code: u16, width: u32) {
        self.held |= u32::from(code) << self.count;
        self.count += width;
        while self.count >= 8 {
            self.bytes.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.bytes.push(self.held as u8);
        }
        self.bytes
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// By the letter of the format.
    pub fn unpack(bytes: &[u8]) -> Vec<u8> {
        let mut strings: Vec<Vec<u8>> = Vec::new();
        let reset = |strings: &mut Vec<Vec<u8>>| {
            *strings = (0..=255_u8).map(|b| vec![b]).collect();
            strings.extend([Vec::new(), Vec::new()]);
        };
        reset(&mut strings);
        let (mut at, mut width, mut out) = (0, 9, Vec::new());
        let mut last: Option<Vec<u8>> = None;
        loop {
            let bit = |k: usize| usize::from(bytes[(at + k) / 8] >> ((at + k) % 8) & 1);
            let code = (0..width).map(|k| bit(k) << k).sum::<usize>();
            at += width;
            match code {
                256 => {
                    reset(&mut strings);
                    (width, last) = (9, None);
                    continue;
                }
                257 => return out,
                _ => {}
            }
            let string = match (&last, strings.get(code)) {
                (_, Some(known)) => known.clone(),
                (Some(last), None) if code == strings.len() => [&last[..], &last[..1]].concat(),
                _ => panic!("code {code} of {}", strings.len()),
            };
            if let Some(last) = last.filter(|_| strings.len() < 4096) {
                strings.push([&last[..], &string[..1]].concat());
            }
            if strings.len() == 1 << width && width < 12 {
                width += 1;
            }
            out.extend(&string);
            last = Some(string);
        }
    }

    /// Bytes in no order, by a linear congruence.
    fn noise(count: usize, colors: u32) -> Vec<u8> {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 16) % colors) as u8
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        for count in [0, 1, 2, 255, 256, 257, 3837, 3838, 3839, 3840, 5000, 60_000] {
            for colors in [1, 2, 5, 255] {
                let bytes = noise(count, colors);
                assert_eq!(unpack(&lzw(&bytes)), bytes, "{count} of {colors}");
            }
        }
    }
}
