//! Every bar inside a bar as a number: bars by their squares, those with as many by their rows.
//!
//! A bar is a partition of its squares into rows that do not grow, inside a rectangle. How many
//! there are with given rows, lengths and squares is a table; a bar's number among those with as
//! many squares is the number of those that come before it in the order of their rows. A bite
//! takes squares, so bars with fewer squares are the later levels.

use std::sync::Arc;

use bouton_game::indexed::{Index, Indexed, Level, Place, Row, TooLarge};

use super::{Bar, Chomp, Lengths};

/// The places of all bars inside a bar.
#[derive(Clone, Debug)]
pub struct ChompIndex {
    game: Chomp,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    columns: usize,
    rows: usize,
    /// How many bars there are with so many rows, no longer than this, with so many squares;
    /// empty rows included.
    bars: Vec<Vec<Vec<u64>>>,
    levels: Vec<Level>,
}

/// Places in a row: few enough that small bars have several.
const BITS: usize = 256;

impl ChompIndex {
    /// Beyond, there are too many bars to be counted here.
    pub const MOST_SQUARES: usize = 144;
}

impl Indexed for Chomp {
    type Index = ChompIndex;

    fn index(&self, root: &Bar) -> Result<ChompIndex, TooLarge> {
        let root = root.canonical();
        let (columns, rows) = (usize::from(root.0[0]), root.height());
        if columns * rows > ChompIndex::MOST_SQUARES {
            let most = format!("bars of at most {} squares", ChompIndex::MOST_SQUARES);
            return Err(TooLarge { most });
        }
        let bars = count_bars(columns, rows);
        let squares = columns * rows;
        let levels = (0..squares).map(|number| {
            let bars = bars[rows][columns][squares - number] as usize;
            Level {
                rows: bars.div_ceil(BITS),
                bits: BITS,
                next: (number + 1..squares).collect(),
            }
        });
        let levels = levels.collect();
        Ok(ChompIndex {
            game: *self,
            shared: Arc::new(Shared {
                columns,
                rows,
                bars,
                levels,
            }),
        })
    }
}

fn count_bars(columns: usize, rows: usize) -> Vec<Vec<Vec<u64>>> {
    let squares = columns * rows;
    let mut bars = vec![vec![vec![0; squares + 1]; columns + 1]; rows + 1];
    bars[0].iter_mut().for_each(|bars| bars[0] = 1);
    for row in 1..=rows {
        for most in 0..=columns {
            for squares in 0..=squares {
                let lengths = 0..=most.min(squares);
                bars[row][most][squares] = lengths
                    .map(|length| bars[row - 1][length][squares - length])
                    .sum();
            }
        }
    }
    bars
}

impl Index for ChompIndex {
    type Game = Chomp;
    const VERSION: u32 = 1;

    fn game(&mut self) -> &mut Chomp {
        &mut self.game
    }

    fn levels(&self) -> &[Level] {
        &self.shared.levels
    }

    fn place(&mut self, position: &Bar) -> Option<Place> {
        let shared = &*self.shared;
        let bar = position.canonical();
        if usize::from(bar.0[0]) > shared.columns || bar.0.len() > shared.rows {
            return None;
        }
        let squares: usize = bar.0.iter().map(|&length| usize::from(length)).sum();
        let (mut left, mut number) = (squares, 0);
        for row in 0..bar.0.len() {
            let length = usize::from(bar.0[row]);
            let rest = &shared.bars[shared.rows - row - 1];
            let shorter = (0..length).filter(|&length| length <= left);
            number += shorter
                .map(|length| rest[length][left - length])
                .sum::<u64>() as usize;
            left -= length;
        }
        let row = Row {
            level: shared.columns * shared.rows - squares,
            row: number / BITS,
        };
        let bit = number % BITS;
        Some(Place { row, bit })
    }

    fn position(&mut self, Place { row, bit }: Place) -> Option<Bar> {
        let shared = &*self.shared;
        let mut left = shared.columns * shared.rows - row.level;
        let mut number = (row.row * BITS + bit) as u64;
        if number >= shared.bars[shared.rows][shared.columns][left] {
            return None;
        }
        let mut lengths = Lengths::new();
        for row in 0..shared.rows {
            let rest = &shared.bars[shared.rows - row - 1];
            let mut length = 0;
            while number >= rest[length][left - length] {
                number -= rest[length][left - length];
                length += 1;
            }
            lengths.push(length as u16);
            left -= length;
        }
        let bar = Bar(lengths).trimmed();
        // Of a bar and its reflection one has a place.
        (bar.canonical() == bar).then_some(bar)
    }
}
