//! Children with all their images, each for the price of a few shifts.
//!
//! A jump empties a line of squares and fills the one at its end; the image of the jump under a
//! symmetry empties the image of the line. So the images of a child follow from those of its
//! parent, which are made once: clear a line, set a square, and this for every symmetry. The
//! least of them is the child's canonical form.
//!
//! A *frame* is a symmetry as it is needed here: where squares go, and the images of lines,
//! each as it would lie if the jump ended on the first square; a rotation brings it to where
//! the jump does end.

use super::board::{Board, Direction, squares};

/// One frame for each symmetry, the identity first.
#[derive(Debug, Default)]
pub(super) struct Frames(Vec<Frame>);

/// See the top of the file.
#[derive(Debug)]
struct Frame {
    /// The image of every square.
    squares: [u8; 64],
    /// What a jump empties, by the stones it passes (less one) and by its direction.
    lines: [[u64; 4]; MOST_PASSED],
}

/// How many stones a jump can pass, on a board of one row.
const MOST_PASSED: usize = 31;

/// As many symmetries as a square has.
const MOST_FRAMES: usize = 8;

/// A set of stones as each frame shows it.
pub(super) type Images = [u64; MOST_FRAMES];

/// A jump in one of the four directions.
#[derive(Clone, Copy)]
pub(super) struct Jump {
    /// Where it ends.
    pub(super) to: u8,
    /// The index of its direction.
    pub(super) way: usize,
    /// How many stones it passes, less one.
    pub(super) more: usize,
}

impl Frames {
    /// Frames for symmetries, each given as a map of sets of squares.
    pub(super) fn new(
        cells: usize,
        ways: &[Direction],
        symmetries: &[impl Fn(u64) -> u64],
    ) -> Self {
        let frame = |image: &_| Frame::new(cells, ways, image);
        Self(symmetries.iter().map(frame).collect())
    }

    /// The least image of the position after a jump.
    #[inline]
    pub(super) fn least_child(&self, parent: &Images, jump: Jump) -> u64 {
        let images = self.0.iter().zip(parent);
        let children = images.map(|(frame, stones)| {
            let to = u32::from(frame.squares[usize::from(jump.to % 64)]);
            let line = frame.lines[jump.more][jump.way].rotate_left(to);
            (stones & !line) | 1u64.rotate_left(to)
        });
        children.fold(u64::MAX, u64::min)
    }
}

impl Frame {
    fn new(cells: usize, ways: &[Direction], image: impl Fn(u64) -> u64) -> Self {
        let mut frame = Self {
            squares: [0; 64],
            lines: [[0; 4]; MOST_PASSED],
        };
        for square in 0..cells {
            frame.squares[square] = image(1 << square).trailing_zeros() as u8;
        }
        for (index, way) in ways.iter().enumerate() {
            // Where a jump over so many stones can end, be there stones or not.
            let mut ends = way.behind;
            for (more, lines) in frame.lines.iter_mut().enumerate() {
                let Some(to) = squares(ends).next() else {
                    break;
                };
                let steps = 1..=2 * (more as u32 + 1);
                let line = steps.fold(0, |line, steps| {
                    line | (1u64 << to).rotate_right(steps * way.one % 64)
                });
                lines[index] = image(line).rotate_right(u32::from(frame.squares[usize::from(to)]));
                ends = ends.rotate_left(way.two) & way.behind;
            }
        }
        frame
    }
}

impl Board {
    /// Calls `visit` with the least image of every position that a jump of the stones `own`
    /// over stones `other` leads to.
    #[inline]
    pub(super) fn each_child(&self, own: u64, other: u64, mut visit: impl FnMut(u64)) {
        let parent = self.images_at_once(own | other);
        self.each_jump(own, other, |jump| {
            visit(self.frames.least_child(&parent, jump));
        });
    }

    /// Whether one of the stones `own` has a jump over stones `other` after which `other` has
    /// none: a win at once.
    #[inline]
    pub(super) fn has_last_jump(&self, own: u64, other: u64) -> bool {
        self.any_jump(own, other, |jump| {
            let line = self.frames.0[0].lines[jump.more][jump.way].rotate_left(jump.to.into());
            let (own, other) = ((own & !line) | 1 << jump.to, other & !line);
            !self.has_jump(other, own)
        })
    }
}
