//! From a drawing to its canonical lands: reduce, cut, find each form, write it as bytes.

use smallvec::SmallVec;

use super::canonical::Canonizer;
use super::code::{Code, Coder};
use super::distinct::Distinct;
use super::drawing::{Drawing, Span};
use super::position::Position;
use super::recognise::{Forms, Look, hash_of};
use super::reduce::Reducer;
use super::sketch::Sketch;

/// Brings drawings into canonical form; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Former {
    pub(super) reducer: Reducer,
    coder: Coder,
    coded: Drawing<Code>,
    canonizer: Canonizer,
    look: Look,
    forms: Forms,
    /// How many different lands there were.
    pub(super) distinct: Distinct,
    /// The canonical lands, one after another.
    bytes: Vec<u8>,
    lands: Vec<Span>,
}

impl Former {
    /// Finds the canonical lands of any sketch.
    pub(super) fn form(&mut self, sketch: &Sketch) {
        self.reducer.reduce(sketch);
        self.form_reduced();
    }

    /// Finds the canonical lands of what the reducer holds.
    pub(super) fn form_reduced(&mut self) {
        self.bytes.clear();
        self.lands.clear();
        for regions in self.reducer.lands() {
            let start = self.bytes.len();
            let kept = &self.reducer.kept;
            let regions = regions.iter().map(|&(_, region)| region as usize);
            let is_small = self.look.take(kept, regions.clone());
            let hash = hash_of(self.look.bytes());
            match self.forms.get(self.look.bytes(), hash) {
                Some(form) if is_small => self.bytes.extend_from_slice(form),
                _ => {
                    self.coder.code_regions(kept, regions, &mut self.coded);
                    self.canonizer.form(&self.coded, &mut self.bytes);
                    let form = &self.bytes[start..];
                    self.distinct.add(hash_of(form));
                    if is_small {
                        self.forms.put(self.look.bytes(), hash, form);
                    }
                }
            }
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
