//! From a drawing, reduced and cut, to its canonical lands: find each form, write it as bytes.

use smallvec::SmallVec;

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
    bytes: Vec<u8>,
    lands: Vec<Span>,
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
        } = self;
        bytes.clear();
        lands.clear();
        reduced.each_land(|land| {
            let start = bytes.len();
            match forms.get(land) {
                Some(form) => bytes.extend_from_slice(form),
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
    pub(super) fn sum_with(&self, others: &[&[u8]]) -> Position {
        match (&self.lands[..], others) {
            ([_], []) => return Position::from_land(&self.bytes),
            ([one, other], []) => {
                let [one, other] = [one, other].map(|span| &self.bytes[span.range()]);
                let (less, greater) = if other < one {
                    (other, one)
                } else {
                    (one, other)
                };
                return Position::from_lands([less, greater].into_iter());
            }
            _ => {}
        }
        let mut lands: SmallVec<[&[u8]; 8]> = self.lands().collect();
        lands.extend_from_slice(others);
        lands.sort_unstable();
        Position::from_lands(lands.into_iter())
    }
}
