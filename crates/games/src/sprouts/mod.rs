//! Sprouts: spots joined by curves that never cross, three curves a spot.
//!
//! A move draws a curve between two spots, or from a spot to itself, without crossing anything,
//! and puts a new spot on it. No spot may get more than three ends of curves. Who cannot move
//! loses. J. H. Conway and M. Paterson, 1967. From n spots a game lasts 2n to 3n-1 moves: a
//! position has *lives*, 3 minus the degree for each spot, and a move uses up one.
//!
//! Positions are written as by Applegate, Jacobson and Sleator, "Computer analysis of Sprouts"
//! (1991): a *region* (a face of the drawing) is a set of *boundaries*, a boundary the cyclic
//! list of the living vertices that one meets walking along it. Regions that share vertices
//! form a *land*; lands are independent, so a position is the sum of its lands.
//!
//! | file | what it does |
//! | --- | --- |
//! | `position.rs`, `bytes.rs` | positions as bytes, as a search keeps them |
//! | `notation.rs`, `check.rs`, `planar.rs` | text, and what text is a drawing in the plane |
//! | `drawing.rs`, `sketch.rs`, `row.rs` | the workbench: regions of boundaries of vertices, in flat memory |
//! | `moves.rs`, `kinds.rs`, `twins.rs` | curves, and which of them are the same |
//! | `reduce.rs`, `lands.rs` | what has become meaningless is dropped; lands fall apart |
//! | `pairs.rs`, `code.rs`, `survey.rs`, `occurrence.rs`, `refine.rs`, `canonical/`, `arrange.rs` | one form for all drawings that are the same |
//! | `recognise.rs` | drawings whose form was found lately |
//! | `form.rs` | all of these steps in a row |
//! | `offspring.rs` | lands whose children were made lately |
//! | `distinct.rs` | about how many lands there were |
//! | `mobility.rs`, `knowledge.rs` | about how many moves there are, and how much work |
//! | `symmetric.rs`, `naive.rs` | drawings that are the same, and moves without any tricks, for tests |
//!
//! Moves have no names: a move is written as the canonical child it leads to. Moves to the same
//! child are one.

mod arrange;
mod bytes;
mod canonical;
mod check;
mod code;
mod distinct;
mod drawing;
mod form;
mod kinds;
mod knowledge;
mod lands;
mod mobility;
mod moves;
#[cfg(test)]
mod naive;
mod notation;
mod occurrence;
mod offspring;
mod pairs;
mod planar;
mod position;
mod recognise;
mod reduce;
mod refine;
mod row;
mod sketch;
mod survey;
mod symmetric;
#[cfg(test)]
mod tests;
mod twins;

use std::ops::ControlFlow;

use bouton_game::{Game, Impartial, List, Made, Notation, NotationError, excerpt};

pub use knowledge::LivesAndMoves;
pub use position::Position;

use distinct::Distinct;
use drawing::{Drawing, Vertex};
use form::Former;
use mobility::Mobility;
use moves::Generator;
use offspring::Offspring;
use reduce::Reducer;
use sketch::Sketch;

/// The rules of Sprouts, and memory that is used again for each position.
#[derive(Clone, Debug, Default)]
pub struct Sprouts {
    /// The drawing whose children are made.
    parent: Drawing<Vertex>,
    sketch: Sketch,
    reducer: Reducer,
    generator: Generator,
    former: Former,
    offspring: Offspring,
    /// Children made, duplicates included.
    made: u64,
}

impl Sprouts {
    /// Adds the children of the land in `parent`, each summed with the other lands.
    fn add_children(
        &mut self,
        others: &[&[u8]],
        into: &mut List<Position>,
        enough: &mut impl FnMut(&mut Self, &Position) -> bool,
    ) -> ControlFlow<()> {
        // Taken out while children are made, since `enough` may use the rest.
        let parent = std::mem::take(&mut self.parent);
        let mut generator = std::mem::take(&mut self.generator);
        // Long children count for more: a full list of them would not fit into memory.
        let weight = 1 + parent.vertices.len() / 64;
        let most = List::<Position>::LIMIT / weight;
        let are_few = Generator::are_fewer(&parent, most);
        let flow = if !are_few && generator.fewest_children(&parent) > most {
            into.overflow();
            ControlFlow::Break(())
        } else {
            generator.each_child(&parent, |child| {
                self.made += 1;
                let child = self.former.form(child, others);
                let is_last = enough(self, &child);
                into.push(child);
                if is_last || into.overflowed() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
        };
        self.parent = parent;
        self.generator = generator;
        flow
    }

    /// Draws a position into `parent`; says whether it is a single land of which reduction leaves
    /// all. Its children can then be made from it as it is drawn: they are the same for all
    /// drawings.
    fn draw_reduced_land(&mut self, position: &Position) -> bool {
        if !position.is_one_land() {
            return false;
        }
        position.draw(&mut self.parent);
        self.sketch.copy(&self.parent);
        self.reducer.reduce(&self.sketch);
        self.reducer.has_left_all(&self.sketch)
    }

    /// Adds the children of a sum of canonical lands, until the list is full or there are enough.
    /// Equal lands have equal children.
    fn add_children_of_sum(
        &mut self,
        sum: &Position,
        into: &mut List<Position>,
        mut enough: impl FnMut(&mut Self, &Position) -> bool,
    ) -> ControlFlow<()> {
        let lands: Vec<&[u8]> = sum.lands().collect();
        for (index, &land) in lands.iter().enumerate() {
            if index > 0 && lands[index - 1] == land {
                continue;
            }
            let others = [&lands[..index], &lands[index + 1..]].concat();
            self.parent.clear();
            bytes::draw_land(land, &mut self.parent);
            self.add_children(&others, into, &mut enough)?;
        }
        ControlFlow::Continue(())
    }

    /// Whether a curve in a position, drawn as it is, leads to a canonical child. What reduction drops has
    /// moves too, to children that are worth the same as others and look different.
    fn leads_to(&mut self, position: &Position, child: &Position) -> bool {
        let mut drawn = List::new();
        // If it breaks off, the list is full: what is missing there is not looked at.
        let _ = self.add_children_of_sum(position, &mut drawn, |_, _| false);
        drawn.iter().any(|drawn| self.canonical(drawn) == *child)
    }
}

impl Game for Sprouts {
    type Position = Position;
    type Move = Position;

    /// Adds the distinct canonical children, sorted.
    fn moves(&mut self, position: &Position, into: &mut List<Position>) {
        let sum = self.canonical(position);
        // If it breaks off, the list is full and remembers it.
        let _ = self.add_children_of_sum(&sum, into, |_, _| false);
        into.sort_and_dedup();
    }

    fn play(&self, _: &Position, mv: &Position) -> Position {
        mv.clone()
    }

    fn canonical(&mut self, position: &Position) -> Position {
        position.draw(&mut self.parent);
        self.sketch.copy(&self.parent);
        self.reducer.reduce(&self.sketch);
        self.former.form(&mut self.reducer, &[])
    }

    fn symmetric(&self, position: &Position, into: &mut List<Position>) {
        for variant in symmetric::variants(position) {
            into.push(variant);
        }
    }

    /// The moves are the children.
    fn children(&mut self, position: &Position, into: &mut List<Position>) {
        self.children_until(position, into, |_, _| false);
    }

    fn children_until(
        &mut self,
        position: &Position,
        into: &mut List<Position>,
        mut enough: impl FnMut(&mut Self, &Position) -> bool,
    ) {
        if self.offspring.get(position, into) {
            return;
        }
        let was_empty = into.is_empty();
        let flow = match self.draw_reduced_land(position) {
            true => self.add_children(&[], into, &mut enough),
            false => {
                let sum = self.canonical(position);
                self.add_children_of_sum(&sum, into, enough)
            }
        };
        into.sort_and_dedup();
        if was_empty && flow.is_continue() {
            self.offspring.put(position, into);
        }
    }

    fn allow(&mut self, bytes: usize) -> usize {
        self.offspring.allow(bytes);
        self.made = 0;
        self.former.distinct = Distinct::default();
        bytes
    }

    fn kept_bytes(&self) -> usize {
        self.offspring.bytes()
    }

    fn made(&self) -> Option<Made> {
        Some(Made {
            children: self.made,
            components: self.former.distinct.estimate(),
        })
    }

    fn mobility(&mut self, position: &Position) -> u64 {
        // A number beyond u64 becomes the greatest.
        Mobility::of(position).moves.round() as u64
    }

    fn heap_bytes(position: &Position) -> usize {
        position.heap_bytes()
    }
}

impl Impartial for Sprouts {
    /// The lands of a canonical position are canonical.
    fn components(&mut self, position: &Position, into: &mut List<Position>) {
        for land in position.lands() {
            into.push(Position::from_land(land));
        }
    }

    #[inline]
    fn is_whole(&self, position: &Position) -> bool {
        position.is_one_land()
    }
}

impl Notation for Sprouts {
    const NAME: &'static str = "sprouts";
    const SUMMARY: &'static str = "join spots by curves that do not cross, with a new spot on \
                                   each; at most three ends a spot; who cannot move loses";
    const SIZES: &'static str = "12 or 0*12";
    const POSITIONS: &'static str = "lands joined by +, regions by |, boundaries by `.`: \
                                     0*18|1a1a, 0.AB|AB; the older 0.AB.}AB.}]! too";
    const MOVES: &'static str = "the child's position";
    const EXAMPLES: &'static [&'static str] = &["2", "3", "0.AB|AB", "1aAa|0*2.A", "0*2+0.AB|0.AB"];

    fn open(text: &str) -> Result<(Self, Position), NotationError> {
        let position = notation::read(text).map_err(|fault| {
            let text = excerpt(text);
            NotationError::new::<Self>(format_args!("{fault} (position \"{text}\")"))
        })?;
        Ok((Self::default(), position))
    }

    fn write(&self, position: &Position) -> String {
        notation::write(position)
    }

    fn write_move(&self, _: &Position, mv: &Position) -> String {
        notation::write(mv)
    }

    /// Any text of the child will do, not only the canonical one.
    fn read_move(&mut self, position: &Position, text: &str) -> Result<Position, NotationError> {
        let (_, child) = Self::open(text)?;
        let child = self.canonical(&child);
        let mut legal = List::new();
        self.moves(position, &mut legal);
        if legal.contains(&child) || self.leads_to(position, &child) {
            return Ok(child);
        }
        Err(NotationError::not_a_move(self, position, text))
    }

    /// A position says all by itself.
    fn setting(&self) -> Option<String> {
        Some(String::new())
    }

    fn pack(&self, position: &Position, into: &mut Vec<u8>) {
        into.extend_from_slice(position.bytes());
    }

    fn unpack(&self, bytes: &[u8]) -> Option<Position> {
        let position = notation::unpack(bytes)?;
        (Self::default().canonical(&position) == position).then_some(position)
    }
}
