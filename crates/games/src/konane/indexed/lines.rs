//! All jumps there can be, each with what it asks of the stones and does to them.
//!
//! A black stone lands on black squares and jumps over white ones: whether the black half allows
//! it does not depend on the white half, and the other way round. So for a row, which is a set of
//! black stones, the list of jumps is the same in all positions, and each is a [`Shift`].

use super::halves::Halves;
use super::shift::Shift;
use crate::grid::Size;

/// A jump in a straight line, by squares.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) from: u8,
    /// The squares landed on; the last is where it stops.
    pub(super) landings: Vec<u8>,
    /// The squares jumped over.
    pub(super) over: Vec<u8>,
}

/// All jumps of both sides on an empty board.
pub(super) fn lines(size: Size) -> Vec<Line> {
    let mut lines = Vec::new();
    for from in 0..size.cells() {
        for (south, east) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let mut line = Line {
                from: from as u8,
                landings: Vec::new(),
                over: Vec::new(),
            };
            let mut steps = 1;
            let ahead = |steps: isize| step(size, from, south * steps, east * steps);
            while let (Some(over), Some(landing)) = (ahead(steps), ahead(steps + 1)) {
                line.over.push(over);
                line.landings.push(landing);
                lines.push(line.clone());
                steps += 2;
            }
        }
    }
    lines
}

fn step(size: Size, from: usize, south: isize, east: isize) -> Option<u8> {
    let (row, column) = size.row_and_column(from);
    let row = row
        .checked_add_signed(south)
        .filter(|&row| row < size.rows)?;
    let column = column.checked_add_signed(east);
    let column = column.filter(|&column| column < size.columns)?;
    Some(size.cell(row, column) as u8)
}

/// A jump, as rows see it.
#[derive(Debug)]
pub(super) struct Jump {
    /// The black squares that matter, and what they must be before the jump.
    pub(super) care: u32,
    pub(super) want: u32,
    /// Those that it turns round.
    pub(super) flip: u32,
    /// How many black stones are taken.
    pub(super) taken: usize,
    /// Whether it passes one stone only.
    pub(super) single: bool,
    /// What it does to rows, when the board is seen through each symmetry.
    pub(super) shifts: Vec<Shift>,
}

/// The jumps of Black and those of White.
pub(super) fn jumps(lines: &[Line], halves: &Halves, black: u64) -> [Vec<Jump>; 2] {
    let mut jumps = [Vec::new(), Vec::new()];
    for line in lines {
        let set = |squares: &[u8]| squares.iter().fold(0, |set: u64, square| set | 1 << square);
        let stop = line.landings.last().copied();
        let from = set(&[line.from]);
        // The squares of the jumper's colour, and those of the other.
        let own = (
            from | set(&line.landings),
            from,
            from | set(stop.as_slice()),
        );
        let other = (set(&line.over), set(&line.over), set(&line.over));
        let by_black = from & black != 0;
        let (of_black, of_white) = if by_black { (own, other) } else { (other, own) };
        let whites = |set: u64| halves.split(set).1;
        let blacks = |set: u64| halves.split(set).0;
        let (care, want, flip) = of_white;
        let shift = |symmetry: &super::halves::Symmetry| {
            let image = |set: u64| symmetry.white.image(whites(set));
            Shift::new(image(care), image(want), image(flip))
        };
        let (care, want, flip) = of_black;
        jumps[usize::from(!by_black)].push(Jump {
            care: blacks(care),
            want: blacks(want),
            flip: blacks(flip),
            taken: if by_black { 0 } else { line.over.len() },
            single: line.over.len() == 1,
            shifts: halves.symmetries.iter().map(shift).collect(),
        });
    }
    jumps
}
