//! From a drawing to its canonical lands: reduce, cut, find each form, write it as bytes.

use smallvec::SmallVec;

use super::canonical::Canonizer;
use super::code::{Code, Coder};
use super::drawing::{Drawing, Span, Vertex};
use super::position::{Position, Writer};
use super::reduce::Reducer;

/// Brings drawings into canonical form; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Former {
    pub(super) reducer: Reducer,
    coder: Coder,
    coded: Drawing<Code>,
    canonizer: Canonizer,
    writer: Writer,
    /// The canonical lands, one after another.
    bytes: Vec<u8>,
    lands: Vec<Span>,
}

impl Former {
    /// Finds the canonical lands of any drawing.
    pub(super) fn form(&mut self, drawing: &Drawing<Vertex>) {
        self.reducer.reduce(drawing);
        self.form_reduced();
    }

    /// Finds the canonical lands of what the reducer holds.
    pub(super) fn form_reduced(&mut self) {
        self.bytes.clear();
        self.lands.clear();
        for regions in self.reducer.lands() {
            let start = self.bytes.len();
            self.coder
                .code(&self.reducer.drawing, regions, &mut self.coded);
            let string = self.canonizer.form(&self.coded);
            self.writer.write(string, &mut self.bytes);
            self.lands.push(Span::new(start, self.bytes.len()));
        }
    }

    /// The lands found, in no particular order.
    pub(super) fn lands(&self) -> impl Iterator<Item = &[u8]> {
        self.lands.iter().map(|span| &self.bytes[span.range()])
    }

    /// The canonical sum of the lands found and `others`.
    pub(super) fn sum_with(&self, others: &[&[u8]]) -> Position {
        let mut lands: SmallVec<[&[u8]; 8]> = self.lands().collect();
        lands.extend_from_slice(others);
        lands.sort_unstable();
        Position::from_lands(lands.into_iter())
    }
}
