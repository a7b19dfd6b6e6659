//! Codec for triangles. One byte per triangle refers to a recent edge and a recent vertex.

use super::error::MeshoptError;
use super::indices::write_index;
use super::varint::{Reader, signed, write, zigzag};

const HEADER: u8 = 0xe1;
/// Header of the older version, in which all vertex codes below [`FREE`] are recent vertices.
const HEADER_0: u8 = 0xe0;
/// Number of vertex code pairs that take one byte.
const TABLE: usize = 16;
/// First code of triangles without a shared edge.
const NO_EDGE: u8 = 0xf0;
/// First code whose vertex codes are in the next byte instead of the table.
const NO_TABLE: u8 = 0xfe;
/// Vertex code for the index one below the last index that was stored in full.
const STEP_DOWN: u8 = 13;
/// Vertex code for the index one above the last index that was stored in full.
const STEP_UP: u8 = 14;
/// Vertex code for an index that is stored in full.
const FREE: u8 = 15;

struct Recent<T> {
    items: [T; 16],
    next: usize,
}

impl<T: Copy + Default> Recent<T> {
    fn new() -> Self {
        Self {
            items: [T::default(); 16],
            next: 0,
        }
    }

    fn push(&mut self, item: T) {
        self.items[self.next & 15] = item;
        self.next = self.next.wrapping_add(1);
    }

    /// Item at `back` steps back. 1 is the last item.
    fn before(&self, back: u8) -> T {
        self.items[self.next.wrapping_sub(usize::from(back)) & 15]
    }
}

struct Decoder<'s> {
    data: Reader<'s>,
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
    unseen: u32,
    free: u32,
    /// First vertex code that does not mean a recent vertex.
    first_step: u8,
}

impl Decoder<'_> {
    fn take_unseen(&mut self) -> u32 {
        let index = self.unseen;
        self.unseen = self.unseen.wrapping_add(1);
        index
    }

    fn take_free(&mut self) -> Result<u32, MeshoptError> {
        self.free = self.free.wrapping_add(signed(self.data.unsigned()?));
        Ok(self.free)
    }

    fn on_edge(&mut self, code: u8) -> Result<[u32; 3], MeshoptError> {
        let [a, b] = self.edges.before(1 + (code >> 4));
        let vertex = code & 15;
        let c = match vertex {
            0 => self.take_unseen(),
            back if back < self.first_step => self.vertices.before(1 + back),
            STEP_DOWN => {
                self.free = self.free.wrapping_sub(1);
                self.free
            }
            STEP_UP => {
                self.free = self.free.wrapping_add(1);
                self.free
            }
            _ => self.take_free()?,
        };
        if vertex == 0 || vertex >= self.first_step {
            self.vertices.push(c);
        }
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    /// Decodes a triangle without a shared edge. `codes` holds the codes of the last two vertices.
    fn alone(&mut self, first_is_free: bool, codes: u8) -> Result<[u32; 3], MeshoptError> {
        let codes = [if first_is_free { FREE } else { 0 }, codes >> 4, codes & 15];
        let mut triangle = [0; 3];
        for (index, code) in triangle.iter_mut().zip(codes) {
            *index = match code {
                0 => self.take_unseen(),
                FREE => 0,
                back => self.vertices.before(back),
            };
        }
        for (index, code) in triangle.iter_mut().zip(codes) {
            if code == FREE {
                *index = self.take_free()?;
            }
        }
        for (index, code) in triangle.into_iter().zip(codes) {
            if matches!(code, 0 | FREE) {
                self.vertices.push(index);
            }
        }
        let [a, b, c] = triangle;
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok(triangle)
    }
}

pub(super) fn decode(stream: &[u8], size: usize, out: &mut [u8]) -> Result<(), MeshoptError> {
    let indices = out.len() / size;
    if !indices.is_multiple_of(3) {
        return Err(MeshoptError::Triangles { count: indices });
    }
    let (&found, rest) = stream.split_first().ok_or(MeshoptError::Short)?;
    let first_step = match found {
        HEADER => STEP_DOWN,
        HEADER_0 => FREE,
        _ => {
            let expected = "triangle";
            return Err(MeshoptError::Header { found, expected });
        }
    };
    let split = rest.split_at_checked(indices / 3);
    let (codes, rest) = split.ok_or(MeshoptError::Short)?;
    let data = rest.len().checked_sub(TABLE).ok_or(MeshoptError::Short)?;
    let (data, table) = rest.split_at(data);
    let mut decoder = Decoder {
        data: Reader(data),
        edges: Recent::new(),
        vertices: Recent::new(),
        unseen: 0,
        free: 0,
        first_step,
    };
    for (&code, out) in codes.iter().zip(out.chunks_exact_mut(3 * size)) {
        let triangle = match code {
            ..NO_EDGE => decoder.on_edge(code)?,
            NO_EDGE..NO_TABLE => decoder.alone(false, table[usize::from(code & 15)])?,
            _ => {
                let pair = decoder.data.byte()?;
                // The table already has a pair of unseen vertices, so a 0 here restarts the count.
                if pair == 0 {
                    decoder.unseen = 0;
                }
                decoder.alone(code != NO_TABLE, pair)?
            }
        };
        for (index, out) in triangle.into_iter().zip(out.chunks_exact_mut(size)) {
            write_index(out, index);
        }
    }
    decoder.data.finish()
}

/// Common codes of the second and third vertex. The last two pairs are unused.
const CODE_PAIRS: [u8; TABLE] = [
    0x00, 0x76, 0x87, 0x56, 0x67, 0x78, 0xa9, 0x86, 0x65, 0x89, 0x68, 0x98, 0x01, 0x69, 0, 0,
];

impl<T: Copy + Default> Recent<Option<T>> {
    /// Number of steps back to the last match. 1 is the last item.
    fn find(&self, mut is_it: impl FnMut(T) -> bool) -> Option<u8> {
        (1..=16).find(|&back| self.before(back).is_some_and(&mut is_it))
    }
}

struct Encoder {
    codes: Vec<u8>,
    data: Vec<u8>,
    edges: Recent<Option<[u32; 2]>>,
    vertices: Recent<Option<u32>>,
    unseen: u32,
    free: u32,
}

impl Encoder {
    fn is_unseen(&mut self, index: u32) -> bool {
        let is_next = index == self.unseen;
        self.unseen = self.unseen.wrapping_add(u32::from(is_next));
        is_next
    }

    fn write_free(&mut self, index: u32) {
        write(zigzag(index.wrapping_sub(self.free)), &mut self.data);
        self.free = index;
    }

    fn push_edges<const N: usize>(&mut self, edges: [[u32; 2]; N]) {
        for edge in edges {
            self.edges.push(Some(edge));
        }
    }

    fn triangle(&mut self, triangle: [u32; 3]) {
        let rotations = [0, 1, 2].map(|rotation| [0, 1, 2].map(|i| triangle[(rotation + i) % 3]));
        let mut rotated = triangle;
        let edge = self.edges.find(|edge| {
            let rotation = rotations.iter().find(|rotation| rotation[..2] == edge);
            rotated = *rotation.unwrap_or(&rotated);
            rotation.is_some()
        });
        match edge {
            Some(edge @ ..=15) => self.on_edge(edge - 1, rotated),
            _ => {
                let rotation = rotations.iter().find(|rotation| rotation[0] == self.unseen);
                self.alone(*rotation.unwrap_or(&triangle));
            }
        }
    }

    fn on_edge(&mut self, edge: u8, [a, b, c]: [u32; 3]) {
        let seen = self.vertices.find(|vertex| vertex == c);
        let vertex = match seen.map(|back| back - 1) {
            Some(back) if (1..STEP_DOWN).contains(&back) => back,
            _ if self.is_unseen(c) => 0,
            _ if c.wrapping_add(1) == self.free => STEP_DOWN,
            _ if c == self.free.wrapping_add(1) => STEP_UP,
            _ => FREE,
        };
        self.codes.push(edge << 4 | vertex);
        match vertex {
            FREE => self.write_free(c),
            STEP_DOWN | STEP_UP => self.free = c,
            _ => {}
        }
        if vertex == 0 || vertex >= STEP_DOWN {
            self.vertices.push(Some(c));
        }
        self.push_edges([[c, b], [a, c]]);
    }

    fn alone(&mut self, triangle: [u32; 3]) {
        // Another mesh begins, with indices from 0.
        let is_anew = triangle == [0, 1, 2] && self.unseen > 0;
        if is_anew {
            self.unseen = 0;
            self.vertices = Recent::new();
        }
        let mut corners = [FREE; 3];
        for (corner, &index) in triangle.iter().enumerate() {
            let seen = self.vertices.find(|vertex| vertex == index);
            corners[corner] = match seen {
                Some(back @ ..FREE) if corner > 0 => back,
                _ if self.is_unseen(index) => 0,
                _ => FREE,
            };
        }
        let two = corners[1] << 4 | corners[2];
        let listed = CODE_PAIRS[..14].iter().position(|&corners| corners == two);
        match listed.filter(|_| corners[0] == 0 && !is_anew) {
            Some(entry) => self.codes.push(NO_EDGE | entry as u8),
            None => {
                self.codes.push(NO_TABLE | u8::from(corners[0] != 0));
                self.data.push(two);
            }
        }
        for (index, code) in triangle.into_iter().zip(corners) {
            if code == FREE {
                self.write_free(index);
            }
            if matches!(code, 0 | FREE) {
                self.vertices.push(Some(index));
            }
        }
        let [a, b, c] = triangle;
        self.push_edges([[b, a], [c, b], [a, c]]);
    }
}

/// Encodes triangles. Keeps their order and winding, but may rotate their corners.
pub(super) fn encode(indices: &[u32]) -> Vec<u8> {
    let mut encoder = Encoder {
        codes: vec![HEADER],
        data: Vec::new(),
        edges: Recent::new(),
        vertices: Recent::new(),
        unseen: 0,
        free: 0,
    };
    for triangle in indices.as_chunks::<3>().0 {
        encoder.triangle(*triangle);
    }
    let mut out = encoder.codes;
    out.extend(encoder.data);
    out.extend(CODE_PAIRS);
    out
}
