//! From a drawing, reduced and cut, to its canonical lands: find each form, write it as bytes.

use smallvec::SmallVec;

use super::bytes::{Bytes, NEXT_LAND};
use super::canonical::Canonizer;
use super::distinct::Distinct;
use super::drawing::Span;
use super::position::Position;
use super::recognise::{Forms, hash_of};
use super::reduce::Reducer;
use super::sketch::Sketch;

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
    /// The canonical sum of what is left of a sketch and `others`.
    #[inline]
    pub(super) fn form(&mut self, reduced: &mut Reducer, others: &[&[u8]]) -> Position {
        match reduced.only_land() {
            Some(land) if others.is_empty() => match self.forms.get(land) {
                Some(form) => form.position(),
                None => self.find_alone(land),
            },
            _ => self.find_several(reduced, others),
        }
    }

    /// The form of a single land that was not recognised.
    #[inline(never)]
    fn find_alone(&mut self, land: &Sketch) -> Position {
        self.bytes.clear();
        self.find(land);
        Position::from_form(&self.bytes, 0..self.bytes.len(), 1)
    }

    #[inline(never)]
    fn find_several(&mut self, reduced: &mut Reducer, others: &[&[u8]]) -> Position {
        self.bytes.clear();
        self.lands.clear();
        reduced.each_land(|land| {
            let start = self.bytes.len();
            match self.forms.get(land) {
                Some(form) => form.append_to(&mut self.bytes),
                None => self.find(land),
            }
            self.lands.push(Span::new(start, self.bytes.len()));
        });
        self.sum_with(others)
    }

    /// Adds the form of a land that was not recognised.
    #[inline]
    fn find(&mut self, land: &Sketch) {
        let start = self.bytes.len();
        self.canonizer.form(land, &mut self.bytes);
        let form = &self.bytes[start..];
        self.distinct.add(hash_of(form));
        self.forms.put(land, form);
    }

    /// The lands found, in no particular order.
    fn lands(&self) -> impl Iterator<Item = &[u8]> {
        self.lands.iter().map(|span| &self.bytes[span.range()])
    }

    /// The canonical sum of the lands found and `others`.
    #[inline]
    fn sum_with(&mut self, others: &[&[u8]]) -> Position {
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
                sum.append(bytes, less.start, less.len());
                sum.push(NEXT_LAND);
                sum.append(bytes, greater.start, greater.len());
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
