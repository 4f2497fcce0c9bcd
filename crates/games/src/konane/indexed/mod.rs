//! Every position of a board as a bit: the strong solution of Konane.
//!
//! A row is a set of black stones, the least of its images; a bit of it is a set of white stones,
//! seen through the same symmetry. So the index of a position is orbit(black) x 2^(white squares)
//! plus white, and rows sorted by their number of stones fall into levels: Black's moves take white
//! stones and keep the number of black ones, White's moves take one black stone or more.
//!
//! The thesis (sections 3.9.1 and 3.9.2) ranks single positions and keeps those that were reached
//! in a set. Here a jump is a shift of whole rows (see `shift`), 64 positions at a time, which is
//! so much faster that all positions get a value, whether they can be reached or not.
//!
//! The two removals that open the game keep to other rules, and have two levels of their own:
//! the full board, and the boards with one black stone removed. Wherever black stones have
//! symmetries of their own, two bits may be the same position; the lesser of them counts.

mod halves;
mod lines;
mod permutation;
mod shift;

use std::collections::HashMap;
use std::sync::Arc;

use bouton_game::Player;
use bouton_game::indexed::{Index, Indexed, Level, Place, Row, Rows, TooLarge, Values, one_by_one};

use super::{Konane, Position};
use halves::{Halves, ones};
use lines::{Jump, jumps, lines};

/// The places of all positions of a board.
#[derive(Clone, Debug)]
pub struct KonaneIndex {
    game: Konane,
    shared: Arc<Shared>,
    scratch: Scratch,
}

/// What all threads use; never changes.
#[derive(Debug)]
struct Shared {
    halves: Halves,
    /// The jumps of Black and those of White.
    jumps: [Vec<Jump>; 2],
    levels: Vec<Level>,
    /// The sets of white stones that count in a row, by the symmetries that keep its black ones.
    counted: HashMap<u8, Vec<u64>>,
}

/// Memory of one thread, used again for every row.
#[derive(Clone, Debug)]
struct Scratch {
    /// The jumps of a row, by the symmetry through which they are seen.
    found: Vec<Found>,
    /// A row, seen through a symmetry.
    seen: Vec<u64>,
    /// What becomes of it.
    image: Vec<u64>,
}

/// A jump of a row: through which symmetry it leads where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    symmetry: usize,
    row: Row,
    jump: usize,
}

/// The full board, Black to move.
const START: usize = 0;
/// One black stone removed, White to move.
const OPENED: usize = 1;
/// The first level of boards with jumps.
const JUMPS: usize = 2;

impl Indexed for Konane {
    type Index = KonaneIndex;

    fn index(&self, _: &Position) -> Result<KonaneIndex, TooLarge> {
        if self.size().cells() > KonaneIndex::MOST_SQUARES {
            let most = format!("boards of at most {} squares", KonaneIndex::MOST_SQUARES);
            return Err(TooLarge { most });
        }
        Ok(KonaneIndex::new(self))
    }
}

impl KonaneIndex {
    /// Beyond, a set of positions takes terabytes.
    pub const MOST_SQUARES: usize = 40;

    fn new(game: &Konane) -> Self {
        let board = &game.board;
        let lines = lines(board.size);
        let busy = |square: u8| {
            let all = lines.iter();
            let touching = all.filter(|line| {
                line.from == square
                    || line.landings.contains(&square)
                    || line.over.contains(&square)
            });
            touching.count()
        };
        let halves = Halves::new(board, busy);
        let words = 1 << (halves.digits() - permutation::LOW);
        let most_taken = lines.iter().map(|line| line.over.len()).max().unwrap_or(0);
        let shared = Shared {
            jumps: jumps(&lines, &halves, board.black),
            levels: levels(&halves, most_taken),
            counted: counted(&halves, words),
            halves,
        };
        Self {
            game: game.clone(),
            shared: Arc::new(shared),
            scratch: Scratch {
                found: Vec::new(),
                seen: vec![0; words],
                image: vec![0; words],
            },
        }
    }

    /// The side to move and the number of black stones in a level of jumps.
    fn side_and_stones(&self, level: usize) -> (Player, usize) {
        let most = self.shared.halves.black.len();
        let side = match (level - JUMPS) % 2 {
            0 => Player::Black,
            _ => Player::White,
        };
        (side, most - (level - JUMPS) / 2)
    }

    fn level(&self, side: Player, black_stones: usize) -> usize {
        let most = self.shared.halves.black.len();
        JUMPS + 2 * (most - black_stones) + side as usize
    }

    /// Lists the jumps of a row, those seen through the same symmetry together.
    fn find_jumps(&mut self, row: Row) {
        let (side, stones) = self.side_and_stones(row.level);
        let shared = Arc::clone(&self.shared);
        let black = shared.halves.least(stones)[row.row].stones;
        self.scratch.found.clear();
        for (number, jump) in shared.jumps[side as usize].iter().enumerate() {
            if black & jump.care == jump.want {
                let image = shared.halves.image(black ^ jump.flip);
                self.scratch.found.push(Found {
                    symmetry: image.symmetry,
                    row: Row {
                        level: self.level(!side, stones - jump.taken),
                        row: image.row,
                    },
                    jump: number,
                });
            }
        }
        self.scratch.found.sort_unstable();
    }

    /// Whether the rules of the opening hold at a place among jumps, or none at all.
    fn is_outside(&self, row: Row, white: u32) -> bool {
        let (side, stones) = self.side_and_stones(row.level);
        let missing = self.shared.halves.black.len() - stones;
        let opening = missing == 0 || (missing == 1 && side == Player::White);
        opening && white == self.shared.halves.all_white()
    }
}

impl Index for KonaneIndex {
    type Game = Konane;
    const VERSION: u32 = 1;

    fn game(&mut self) -> &mut Konane {
        &mut self.game
    }

    fn levels(&self) -> &[Level] {
        &self.shared.levels
    }

    fn place(&mut self, position: &Position) -> Option<Place> {
        let halves = &self.shared.halves;
        if position.stones & !self.game.board.all != 0 {
            return None;
        }
        let (black, white) = halves.split(position.stones);
        let missing = (halves.all_black() ^ black).count_ones();
        let image = halves.image(black);
        let at = |level, row, bit| {
            let row = Row { level, row };
            Some(Place { row, bit })
        };
        if white == halves.all_white() {
            match (missing, position.side) {
                (0, Player::Black) => return at(START, 0, 0),
                (0, Player::White) => return None,
                (1, Player::White) => return at(OPENED, 0, image.row),
                _ => {}
            }
        }
        let stones = black.count_ones() as usize;
        let keeps = halves.least(stones)[image.row].keeps;
        let white = halves.symmetries[image.symmetry].white.image(white);
        let white = halves.least_white(white, keeps);
        at(self.level(position.side, stones), image.row, white as usize)
    }

    fn position(&mut self, place: Place) -> Option<Position> {
        let halves = &self.shared.halves;
        let Place { row, bit } = place;
        match row.level {
            START => Some(self.game.start()),
            OPENED => {
                let least = halves.least(halves.black.len() - 1)[bit];
                let stones = halves.join(least.stones, halves.all_white());
                let side = Player::White;
                Some(Position { stones, side })
            }
            level => {
                let (side, stones) = self.side_and_stones(level);
                let least = halves.least(stones)[row.row];
                let white = bit as u32;
                let counts = white & !halves.all_white() == 0
                    && halves.least_white(white, least.keeps) == white
                    && !self.is_outside(row, white);
                let stones = halves.join(least.stones, white);
                counts.then_some(Position { stones, side })
            }
        }
    }

    fn positions(&mut self, row: Row, into: &mut [u64]) {
        if row.level < JUMPS {
            into[0] = (1 << self.shared.levels[row.level].bits) - 1;
            return;
        }
        let (_, stones) = self.side_and_stones(row.level);
        let halves = &self.shared.halves;
        into.copy_from_slice(&self.shared.counted[&halves.least(stones)[row.row].keeps]);
        let full = halves.all_white();
        if self.is_outside(row, full) {
            into[full as usize / 64] &= !(1 << (full % 64));
        }
    }

    fn wins(&mut self, row: Row, values: &impl Values, into: &mut [u64]) {
        if row.level < JUMPS {
            return one_by_one::wins(self, row, values, into);
        }
        into.fill(0);
        let (side, _) = self.side_and_stones(row.level);
        self.find_jumps(row);
        let shared = &*self.shared;
        let Scratch { found, seen, image } = &mut self.scratch;
        for alike in found.chunk_by(|one, other| one.symmetry == other.symmetry) {
            let symmetry = alike[0].symmetry;
            seen.fill(0);
            for found in alike {
                let jump = &shared.jumps[side as usize][found.jump];
                jump.shifts[symmetry].add_wins(values.row(found.row), seen);
            }
            let back = shared.halves.symmetries[symmetry].inverse;
            shared.halves.symmetries[back].white.apply(seen, image);
            for (into, &image) in into.iter_mut().zip(&*image) {
                *into |= image;
            }
        }
    }

    fn immobile(&mut self, row: Row, into: &mut [u64]) {
        if row.level < JUMPS {
            return one_by_one::immobile(self, row, into);
        }
        into.fill(0);
        let (side, stones) = self.side_and_stones(row.level);
        let black = self.shared.halves.least(stones)[row.row].stones;
        // Whoever can jump over several stones can jump over the first of them.
        let jumps = self.shared.jumps[side as usize].iter();
        for jump in jumps.filter(|jump| jump.single && black & jump.care == jump.want) {
            jump.shifts[0].add_legal(into);
        }
        into.iter_mut().for_each(|word| *word = !*word);
    }

    fn spread(&mut self, row: Row, positions: &[u64], into: &impl Rows) {
        if row.level < JUMPS {
            return one_by_one::spread(self, row, positions, into);
        }
        let (side, _) = self.side_and_stones(row.level);
        self.find_jumps(row);
        let shared = &*self.shared;
        let Scratch { found, seen, .. } = &mut self.scratch;
        for alike in found.chunk_by(|one, other| one.symmetry == other.symmetry) {
            let symmetry = alike[0].symmetry;
            shared.halves.symmetries[symmetry]
                .white
                .apply(positions, seen);
            for same_row in alike.chunk_by(|one, other| one.row == other.row) {
                into.with(same_row[0].row, |into| {
                    for found in same_row {
                        let jump = &shared.jumps[side as usize][found.jump];
                        jump.shifts[symmetry].play(seen, into);
                    }
                });
            }
        }
    }

    fn settle(&mut self, row: Row, bits: &mut [u64]) {
        if row.level < JUMPS {
            return;
        }
        let (_, stones) = self.side_and_stones(row.level);
        let shared = &*self.shared;
        let keeps = shared.halves.least(stones)[row.row].keeps;
        let Scratch { seen, image, .. } = &mut self.scratch;
        seen.copy_from_slice(bits);
        for symmetry in ones(keeps).skip(1) {
            shared.halves.symmetries[symmetry].white.apply(seen, image);
            for (bits, &image) in bits.iter_mut().zip(&*image) {
                *bits |= image;
            }
        }
        if keeps != 1 {
            for (bits, &counts) in bits.iter_mut().zip(&shared.counted[&keeps]) {
                *bits &= counts;
            }
        }
    }
}

/// The full board, the opened boards, and for every number of black stones the boards with Black
/// to move and those with White to move.
fn levels(halves: &Halves, most_taken: usize) -> Vec<Level> {
    let most = halves.black.len();
    let level_of = |side: Player, stones: usize| JUMPS + 2 * (most - stones) + side as usize;
    let one_row = |bits: usize, next: usize| Level {
        rows: 1,
        bits,
        next: vec![next],
    };
    let mut levels = vec![
        one_row(1, OPENED),
        one_row(
            halves.least(most - 1).len(),
            level_of(Player::Black, most - 1),
        ),
    ];
    for stones in (0..=most).rev() {
        let taken = 1..=most_taken.min(stones);
        for next in [
            vec![level_of(Player::White, stones)],
            taken
                .map(|taken| level_of(Player::Black, stones - taken))
                .collect(),
        ] {
            levels.push(Level {
                rows: halves.least(stones).len(),
                bits: 1 << halves.digits(),
                next,
            });
        }
    }
    levels
}

/// For all symmetries that black stones may have: the sets of white stones that are the least of
/// their images.
fn counted(halves: &Halves, words: usize) -> HashMap<u8, Vec<u64>> {
    let mut counted = HashMap::new();
    for least in (0..=halves.black.len()).flat_map(|stones| halves.least(stones)) {
        counted.entry(least.keeps).or_insert_with(|| {
            let mut row = vec![0; words];
            for white in 0..=halves.all_white() {
                if halves.least_white(white, least.keeps) == white {
                    bouton_game::indexed::set(&mut row, white as usize);
                }
            }
            row
        });
    }
    counted
}
