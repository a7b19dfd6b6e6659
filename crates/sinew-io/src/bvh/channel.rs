//! Channels: the meaning of each number of a frame.

use sinew::transform::Axis;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channel {
    Position(Axis),
    Rotation(Axis),
    Scale(Axis),
    Unknown,
}

impl Channel {
    /// Parses `Xposition` in any case, and variants: `Xpos`, `Position_X`, `Rotation.X`, `Xscale`.
    pub(super) fn parse(word: &[u8]) -> Option<Self> {
        let mut letters = [0; 16];
        let mut length = 0;
        for byte in word.iter().filter(|byte| !matches!(byte, b'_' | b'.')) {
            *letters.get_mut(length)? = byte.to_ascii_lowercase();
            length += 1;
        }
        let letters = &letters[..length];
        let axis = |letter: &u8| match letter {
            b'x' => Some(Axis::X),
            b'y' => Some(Axis::Y),
            b'z' => Some(Axis::Z),
            _ => None,
        };
        let (axis, kind) = match letters {
            [first, kind @ ..] if axis(first).is_some() => (axis(first)?, kind),
            [kind @ .., last] => (axis(last)?, kind),
            [] => return None,
        };
        match kind {
            b"position" | b"pos" | b"translation" | b"trans" => Some(Self::Position(axis)),
            b"rotation" | b"rot" => Some(Self::Rotation(axis)),
            b"scale" | b"scaling" => Some(Self::Scale(axis)),
            _ => None,
        }
    }
}
