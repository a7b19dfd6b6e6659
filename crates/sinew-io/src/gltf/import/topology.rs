//! Index lists of points, lines and triangles, from all glTF modes.

use sinew::mesh::Topology;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Points,
    Lines,
    LineLoop,
    LineStrip,
    Triangles,
    TriangleStrip,
    TriangleFan,
}

impl Mode {
    pub(super) fn from_number(number: u64) -> Option<Self> {
        Some(match number {
            0 => Self::Points,
            1 => Self::Lines,
            2 => Self::LineLoop,
            3 => Self::LineStrip,
            4 => Self::Triangles,
            5 => Self::TriangleStrip,
            6 => Self::TriangleFan,
            _ => return None,
        })
    }

    pub(super) fn topology(self) -> Topology {
        match self {
            Self::Points => Topology::Points,
            Self::Lines | Self::LineLoop | Self::LineStrip => Topology::Lines,
            Self::Triangles | Self::TriangleStrip | Self::TriangleFan => Topology::Triangles,
        }
    }

    /// True if the indices are already a list.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Self::Points | Self::Lines | Self::Triangles)
    }

    /// Max length of the list that `count` indices of this mode become.
    pub(super) fn listed_length(self, count: usize) -> usize {
        if self.is_list() {
            count
        } else {
            count.saturating_mul(3)
        }
    }

    /// Converts strips, fans and loops to one list. `restart` separates them.
    pub(super) fn to_list_of_many(
        self,
        indices: &[u32],
        restart: u32,
        vertices: usize,
    ) -> Vec<u32> {
        let parts = indices.split(|index| *index == restart);
        parts
            .flat_map(|part| self.to_list(part, vertices))
            .collect()
    }

    /// Converts indices to a list. Omits parts that refer to missing vertices.
    pub(super) fn to_list(self, indices: &[u32], vertices: usize) -> Vec<u32> {
        let mut list = Vec::with_capacity(self.listed_length(indices.len()));
        let mut add = |part: &[u32]| {
            if part.iter().all(|index| (*index as usize) < vertices) {
                list.extend_from_slice(part);
            }
        };
        match self {
            Self::Points => indices.chunks_exact(1).for_each(add),
            Self::Lines => indices.chunks_exact(2).for_each(add),
            Self::Triangles => indices.chunks_exact(3).for_each(add),
            Self::LineStrip => indices.windows(2).for_each(add),
            Self::LineLoop => {
                indices.windows(2).for_each(&mut add);
                if let [first, .., last] = *indices {
                    add(&[last, first]);
                }
            }
            Self::TriangleStrip => {
                for (number, part) in indices.windows(3).enumerate() {
                    // Every second triangle of a strip is reversed.
                    if number % 2 == 0 {
                        add(part);
                    } else {
                        add(&[part[0], part[2], part[1]]);
                    }
                }
            }
            Self::TriangleFan => {
                for part in indices.get(1..).unwrap_or_default().windows(2) {
                    add(&[indices[0], part[0], part[1]]);
                }
            }
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_fans_and_loops_become_lists() {
        let list = |mode: Mode| mode.to_list(&[0, 1, 2, 3], 4);
        assert_eq!(list(Mode::TriangleStrip), [0, 1, 2, 1, 3, 2]);
        assert_eq!(list(Mode::TriangleFan), [0, 1, 2, 0, 2, 3]);
        assert_eq!(list(Mode::LineLoop), [0, 1, 1, 2, 2, 3, 3, 0]);
        assert_eq!(list(Mode::LineStrip), [0, 1, 1, 2, 2, 3]);
        assert_eq!(list(Mode::Lines), [0, 1, 2, 3]);
    }

    #[test]
    fn parts_with_missing_vertices_are_left_out() {
        assert_eq!(
            Mode::Triangles.to_list(&[0, 1, 2, 0, 9, 1, 2], 3),
            [0, 1, 2]
        );
        for mode in (0..7).filter_map(Mode::from_number) {
            assert!(mode.to_list(&[], 0).is_empty());
            assert!(mode.to_list(&[5], 1).is_empty());
        }
    }
}
