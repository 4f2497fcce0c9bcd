//! From a drawing to its canonical lands: reduce, cut, find each form, write it as bytes.

use smallvec::SmallVec;

use super::canonical::Canonizer;
use super::distinct::Distinct;
use super::drawing::Span;
use super::position::Position;
use super::recognise::{Forms, Look, hash_of};
use super::reduce::Reducer;
use super::sketch::Sketch;

/// Brings drawings into canonical form; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Former {
    pub(super) reducer: Reducer,
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
        let Self {
            reducer,
            canonizer,
            look,
            forms,
            distinct,
            bytes,
            lands,
        } = self;
        bytes.clear();
        lands.clear();
        reducer.reduce(sketch);
        reducer.each_land(|land| {
            let start = bytes.len();
            let look = look.take(land).map(|look| (look, hash_of(look)));
            match look.and_then(|(look, hash)| forms.get(look, hash)) {
                Some(form) => bytes.extend_from_slice(form),
                None => {
                    canonizer.form(land, bytes);
                    let form = &bytes[start..];
                    distinct.add(hash_of(form));
                    if let Some((look, hash)) = look {
                        forms.put(look, hash, form);
                    }
                }
            }
            lands.push(Span::new(start, bytes.len()));
        });
    }

    /// The lands found, in no particular order.
    pub(super) fn lands(&self) -> impl Iterator<Item = &[u8]> {
        self.lands.iter().map(|span| &self.bytes[span.range()])
    }

    /// The canonical sum of the lands found and `others`.
    pub(super) fn sum_with(&self, others: &[&[u8]]) -> Position {
        if let ([_], []) = (&self.lands[..], others) {
            return Position::from_land(&self.bytes);
        }
        let mut lands: SmallVec<[&[u8]; 8]> = self.lands().collect();
        lands.extend_from_slice(others);
        lands.sort_unstable();
        Position::from_lands(lands.into_iter())
    }
}
