//! From a drawing, reduced and cut, to its canonical lands: find each form, write it as bytes.

use smallvec::SmallVec;

use super::bytes::{Bytes, NEXT_LAND};
use super::canonical::Canonizer;
use super::distinct::Distinct;
use super::drawing::Span;
use super::position::Position;
use super::recognise::{Forms, hash_of};
use super::reduce::Reducer;

/// Brings drawings into canonical form; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Former {
    canonizer: Canonizer,
    forms: Forms,
    /// How many different lands there were.
    pub(super) distinct: Distinct,
    /// The canonical lands, one after another.
    bytes: Bytes,
    lands: Vec<Span>,
    /// A sum of two; memory to reuse.
    sum: Bytes,
}

impl Former {
    /// Finds the canonical lands of what is left of a sketch.
    pub(super) fn form(&mut self, reduced: &mut Reducer) {
        let Self {
            canonizer,
            forms,
            distinct,
            bytes,
            lands,
            ..
        } = self;
        bytes.clear();
        lands.clear();
        reduced.each_land(|land| {
            let start = bytes.len();
            match forms.get(land) {
                Some(form) => form.append_to(bytes),
                None => {
                    canonizer.form(land, bytes);
                    let form = &bytes[start..];
                    distinct.add(hash_of(form));
                    forms.put(land, form);
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
    pub(super) fn sum_with(&mut self, others: &[&[u8]]) -> Position {
        let Self {
            bytes, lands, sum, ..
        } = self;
        match (&lands[..], others) {
            ([land], []) => Position::from_form(bytes, land.range(), 1),
            ([one, other], []) => {
                let [one, other] = [one, other].map(|span| span.range());
                let in_order = bytes[one.clone()] <= bytes[other.clone()];
                let (less, greater) = if in_order { (one, other) } else { (other, one) };
                sum.clear();
                sum.append(bytes, less);
                sum.push(NEXT_LAND);
                sum.append(bytes, greater);
                Position::from_form(sum, 0..sum.len(), 2)
            }
            _ => {
                let mut lands: SmallVec<[&[u8]; 8]> = self.lands().collect();
                lands.extend_from_slice(others);
                lands.sort_unstable();
                Position::from_lands(lands.into_iter())
            }
        }
    }
}
