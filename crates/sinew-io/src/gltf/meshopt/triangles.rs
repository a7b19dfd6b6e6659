//! Triangles: a byte each, which says what edge and what vertex of those seen last it shares.

use super::varint::{Reader, signed};
use super::{MeshoptError, write_index};

const HEADER: u8 = 0xe1;
/// Pairs of places in the list of vertices, that codes of one byte choose from.
const TABLE: usize = 16;
/// From here on, a triangle shares no edge.
const NO_EDGE: u8 = 0xf0;
/// From here on, its vertices are not in the table: the next byte has them.
const NO_TABLE: u8 = 0xfe;
/// Places in the list of vertices that are steps from the last free index instead.
const STEP_DOWN: u8 = 13;
const STEP_UP: u8 = 14;
/// A free index, which stands among the data.
const FREE: u8 = 15;

/// The sixteen that came last.
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

    /// 1 is the last one.
    fn before(&self, back: u8) -> T {
        self.items[self.next.wrapping_sub(usize::from(back)) & 15]
    }
}

struct Decoder<'s> {
    data: Reader<'s>,
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
    /// The first index that was not seen yet.
    unseen: u32,
    /// The last free one.
    free: u32,
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

    /// A triangle on an edge of those seen last.
    fn on_edge(&mut self, code: u8) -> Result<[u32; 3], MeshoptError> {
        let [a, b] = self.edges.before(1 + (code >> 4));
        let vertex = code & 15;
        let c = match vertex {
            0 => self.take_unseen(),
            STEP_DOWN => {
                self.free = self.free.wrapping_sub(1);
                self.free
            }
            STEP_UP => {
                self.free = self.free.wrapping_add(1);
                self.free
            }
            FREE => self.take_free()?,
            back => self.vertices.before(1 + back),
        };
        // One that is in the list already stays where it is.
        if vertex == 0 || vertex >= STEP_DOWN {
            self.vertices.push(c);
        }
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    /// One of its own; `places` are those of the second and third vertex.
    fn alone(&mut self, first_is_free: bool, places: u8) -> Result<[u32; 3], MeshoptError> {
        let places = [
            if first_is_free { FREE } else { 0 },
            places >> 4,
            places & 15,
        ];
        let mut triangle = [0; 3];
        for (index, place) in triangle.iter_mut().zip(places) {
            *index = match place {
                0 => self.take_unseen(),
                FREE => 0,
                back => self.vertices.before(back),
            };
        }
        for (index, place) in triangle.iter_mut().zip(places) {
            if place == FREE {
                *index = self.take_free()?;
            }
        }
        for (index, place) in triangle.into_iter().zip(places) {
            if matches!(place, 0 | FREE) {
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
    if found != HEADER {
        let wanted = "triangle";
        return Err(MeshoptError::Header { found, wanted });
    }
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
    };
    for (&code, out) in codes.iter().zip(out.chunks_exact_mut(3 * size)) {
        let triangle = match code {
            ..NO_EDGE => decoder.on_edge(code)?,
            NO_EDGE..NO_TABLE => decoder.alone(false, table[usize::from(code & 15)])?,
            _ => {
                let places = decoder.data.byte()?;
                // Both unseen would be in the table: it begins to count anew.
                if places == 0 {
                    decoder.unseen = 0;
                }
                decoder.alone(code != NO_TABLE, places)?
            }
        };
        for (index, out) in triangle.into_iter().zip(out.chunks_exact_mut(size)) {
            write_index(out, index);
        }
    }
    decoder.data.finish()
}
