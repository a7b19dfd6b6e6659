//! The part of a picture that changes between two frames.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub left: usize,
    pub top: usize,
    pub width: usize,
    pub height: usize,
}

impl Part {
    pub fn whole(width: usize, height: usize) -> Self {
        Self {
            left: 0,
            top: 0,
            width,
            height,
        }
    }

    /// Smallest rectangle with all pixels that differ, or one pixel if none differs.
    pub fn changed<Pixel: PartialEq>(before: &[Pixel], now: &[Pixel], width: usize) -> Self {
        let (mut low, mut high) = ([usize::MAX; 2], [0; 2]);
        let width = width.max(1);
        let rows = before.chunks_exact(width).zip(now.chunks_exact(width));
        for (y, (a, b)) in rows.enumerate().filter(|(_, (a, b))| a != b) {
            let apart = |(a, b): (&Pixel, &Pixel)| a != b;
            let pairs = || a.iter().zip(b);
            let first = pairs().position(apart).unwrap_or(0);
            let last = pairs().rposition(apart).unwrap_or(0);
            low = [low[0].min(first), low[1].min(y)];
            high = [high[0].max(last), high[1].max(y)];
        }
        if low[0] == usize::MAX {
            low = [0; 2];
        }
        Self {
            left: low[0],
            top: low[1],
            width: high[0] - low[0] + 1,
            height: high[1] - low[1] + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_part_holds_what_changed() {
        let before = [0; 12];
        let mut now = before;
        assert_eq!(Part::changed(&before, &now, 4), Part::whole(1, 1));
        (now[6], now[9]) = (1, 2);
        let part = Part {
            left: 1,
            top: 1,
            width: 2,
            height: 2,
        };
        assert_eq!(Part::changed(&before, &now, 4), part);
    }
}
