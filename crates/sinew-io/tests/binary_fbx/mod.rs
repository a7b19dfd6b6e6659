//! Binary FBX files made by code, with compressed arrays.

/// A value of a node.
pub enum Value {
    Int(i32),
    Long(i64),
    Text(Vec<u8>),
    /// Code of the type, number of elements, encoding (1 for deflate) and bytes.
    Array(u8, u32, u32, Vec<u8>),
}

impl Value {
    pub fn text(text: &str) -> Self {
        Self::Text(text.as_bytes().to_vec())
    }

    pub fn doubles(numbers: &[f64]) -> Self {
        let bytes = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        Self::Array(b'd', numbers.len() as u32, 0, bytes)
    }

    /// An array of a repeated triple in `2 * pairs` deflate matches, and the number of repetitions.
    pub fn repeated(three: [i32; 3], pairs: usize) -> (Self, usize) {
        let once = three.map(i32::to_le_bytes).concat();
        // A match has 258 bytes, so two matches are 43 repetitions.
        let count = 1 + 43 * pairs;
        let mut bits = Bits::default();
        bits.low_first(0b011, 3);
        for &byte in &once {
            match byte {
                ..144 => bits.high_first(0b0011_0000 + u32::from(byte), 8),
                _ => bits.high_first(0b1_1001_0000 + u32::from(byte - 144), 9),
            }
        }
        for _ in 0..2 * pairs {
            // The longest match, at a distance of 12 bytes.
            bits.high_first(0b1100_0101, 8);
            bits.high_first(6, 5);
            bits.low_first(3, 2);
        }
        bits.high_first(0, 7);
        let mut bytes = vec![0x78, 0x01];
        bytes.extend(bits.bytes);
        bytes.extend(adler(once.iter().cycle().take(12 * count)).to_be_bytes());
        (Self::Array(b'i', 3 * count as u32, 1, bytes), count)
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Int(number) => {
                out.push(b'I');
                out.extend(number.to_le_bytes());
            }
            Self::Long(number) => {
                out.push(b'L');
                out.extend(number.to_le_bytes());
            }
            Self::Text(text) => {
                out.push(b'S');
                out.extend((text.len() as u32).to_le_bytes());
                out.extend(text);
            }
            Self::Array(kind, count, encoding, bytes) => {
                out.push(*kind);
                for number in [*count, *encoding, bytes.len() as u32] {
                    out.extend(number.to_le_bytes());
                }
                out.extend(bytes);
            }
        }
    }
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: usize,
}

impl Bits {
    fn push(&mut self, bit: u32) {
        if self.used.is_multiple_of(8) {
            self.bytes.push(0);
        }
        *self.bytes.last_mut().unwrap() |= (bit as u8) << (self.used % 8);
        self.used += 1;
    }

    fn low_first(&mut self, number: u32, bits: u32) {
        (0..bits).for_each(|bit| self.push(number >> bit & 1));
    }

    fn high_first(&mut self, number: u32, bits: u32) {
        (0..bits).rev().for_each(|bit| self.push(number >> bit & 1));
    }
}

fn adler<'a>(bytes: impl Iterator<Item = &'a u8>) -> u32 {
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in bytes {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    b << 16 | a
}

/// A node. Its offset in the file is not known yet.
#[derive(Clone)]
pub struct Node {
    name: String,
    values: usize,
    bytes: Vec<u8>,
    children: Vec<Self>,
}

pub fn node(name: &str, values: Vec<Value>, children: &[Node]) -> Node {
    let mut bytes = Vec::new();
    values.iter().for_each(|value| value.write(&mut bytes));
    Node {
        name: name.to_owned(),
        values: values.len(),
        bytes,
        children: children.to_vec(),
    }
}

impl Node {
    fn write(&self, out: &mut Vec<u8>) {
        let begin = out.len();
        for number in [0, self.values as u32, self.bytes.len() as u32] {
            out.extend(number.to_le_bytes());
        }
        out.push(self.name.len() as u8);
        out.extend(self.name.as_bytes());
        out.extend(&self.bytes);
        self.children.iter().for_each(|child| child.write(out));
        if !self.children.is_empty() {
            out.extend([0; 13]);
        }
        let end = out.len() as u32;
        out[begin..begin + 4].copy_from_slice(&end.to_le_bytes());
    }
}

/// A file of version 7400.
pub fn file(nodes: &[Node]) -> Vec<u8> {
    let mut out = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    out.extend(7400_u32.to_le_bytes());
    nodes.iter().for_each(|node| node.write(&mut out));
    out.extend([0; 13]);
    out
}
