//! Forms that were found lately, under the sketches they were found for.
//!
//! A land comes up again and again as the child of different parents, and more often than not
//! drawn the same way, since parents are drawn in canonical form. To recognise a drawing costs
//! a tenth of finding its form. The memory is a table of slots, form and drawing side by side; a new
//! one takes the place of whatever was in its slot.
//!
//! Slots are small, so that the table stays near the processor. Large lands do not fit in and are not
//! remembered; they seldom come up again: in lists of random plays nine of ten that were recognised had
//! less than 32 bytes, and of larger ones that were asked for one in thirteen was.
//!
//! The hash that leads to a slot comes with the names of the letters (`reduce.rs`). Drawings are compared
//! vertex by vertex, so what is recognised is true.

use super::bytes::Bytes;
use super::position::Position;
use super::sketch::{Face, Sketch};

/// The memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Forms {
    /// None before some forms were found: who asks for a few has no use for that much.
    slots: Vec<Slot>,
    found: usize,
}

/// The form, then a byte for each vertex of the drawing and two for each region, where it ends and its
/// spots; at the end how many bytes, vertices and regions that are. Nothing has no region.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Slot([u8; SLOT]);

const SLOT: usize = 32;
/// The bytes of a slot for the form and the drawing.
const ROOM: usize = SLOT - 3;
/// Half a megabyte: more slots remember more, but memory that is further away takes longer to ask
/// than most forms take to find.
const SLOTS: usize = 1 << 14;
/// Forms that are not worth it.
const FEW: usize = 64;
/// As many spots as a byte can say.
const MOST_SPOTS: u32 = 255;

/// A form that was recognised.
pub(super) struct Form<'a>(&'a Slot);

impl Form<'_> {
    /// Adds its bytes.
    #[inline]
    pub(super) fn append_to(&self, bytes: &mut Bytes) {
        let [form, ..] = self.0.lengths();
        bytes.append_few(&self.0.0, form);
    }

    /// The land by itself.
    #[inline]
    pub(super) fn position(&self) -> Position {
        let [form, ..] = self.0.lengths();
        Position::from_block(&self.0.0, form, 1)
    }
}

impl Slot {
    const EMPTY: Self = Self([0; SLOT]);

    /// How many bytes the form has, and how many vertices and regions the drawing.
    #[inline]
    fn lengths(&self) -> [usize; 3] {
        let Self([.., form, vertices, faces]) = *self;
        [form, vertices, faces].map(usize::from)
    }
}

impl Forms {
    /// The form of a land, if it was drawn in the same way.
    #[inline]
    pub(super) fn get(&self, land: &Sketch) -> Option<Form<'_>> {
        if !may_fit(land) {
            return None;
        }
        let slot = self.slots.get(place(land))?;
        let [form, vertices, faces] = slot.lengths();
        if vertices != land.vertices.len() || faces != land.faces.len() {
            return None;
        }
        let drawing = slot.0.get(form..form + vertices + 2 * faces)?;
        is_drawn(drawing, land).then_some(Form(slot))
    }

    /// Remembers the form of a land, whose letters are named by first appearance.
    pub(super) fn put(&mut self, land: &Sketch, form: &[u8]) {
        let (vertices, faces) = (land.vertices.len(), land.faces.len());
        let has_room = may_fit(land) && form.len() + vertices + 2 * faces <= ROOM;
        if !has_room || land.faces.iter().any(|face| face.zeros > MOST_SPOTS) {
            return;
        }
        if self.slots.is_empty() {
            self.found += 1;
            if self.found <= FEW {
                return;
            }
            self.slots = vec![Slot::EMPTY; SLOTS];
        }
        let Slot(slot) = &mut self.slots[place(land)];
        let (place, drawing) = slot.split_at_mut(form.len());
        place.copy_from_slice(form);
        draw(land, drawing);
        slot[ROOM..].copy_from_slice(&[form.len(), vertices, faces].map(|number| number as u8));
    }
}

/// Whether a land may fit into a slot, as far as a glance tells: its form has hardly fewer bytes than
/// its drawing has vertices.
#[inline]
fn may_fit(land: &Sketch) -> bool {
    land.vertices.len() + land.faces.len() <= ROOM.div_ceil(2)
}

/// The index of the slot.
#[inline]
fn place(land: &Sketch) -> usize {
    land.hash as usize % SLOTS
}

/// The two bytes of a region.
#[inline]
fn look(face: &Face) -> [u8; 2] {
    [face.end as u8, face.zeros as u8]
}

/// Writes a drawing that is small enough: there are not more names than vertices.
fn draw(land: &Sketch, into: &mut [u8]) {
    let (vertices, faces) = into.split_at_mut(land.vertices.len());
    for (byte, vertex) in vertices.iter_mut().zip(land.vertices.iter()) {
        *byte = vertex.low_byte();
    }
    for (bytes, face) in faces.chunks_exact_mut(2).zip(land.faces.iter()) {
        bytes.copy_from_slice(&look(face));
    }
}

/// Whether a land with as many vertices and regions looks like this.
#[inline]
fn is_drawn(drawing: &[u8], land: &Sketch) -> bool {
    let (vertices, faces) = drawing.split_at(land.vertices.len());
    // All are compared, which takes less than to ask for each whether to go on.
    let vertices = vertices.iter().zip(land.vertices.iter());
    let unlike = vertices.fold(0, |unlike, (byte, vertex)| {
        unlike | (byte ^ vertex.low_byte())
    });
    let faces = faces.chunks_exact(2).zip(land.faces.iter());
    let unlike = faces.fold(u32::from(unlike), |unlike, (bytes, face)| {
        unlike | (u32::from(bytes[0]) ^ face.end) | (u32::from(bytes[1]) ^ face.zeros)
    });
    unlike == 0
}

/// A hash of bytes.
#[inline]
pub(super) fn hash_of(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0xa076_1d64_78bd_642f;
    let stir = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word) * u128::from(FACTOR);
        (product as u64) ^ ((product >> 64) as u64)
    };
    let mut hash = FACTOR ^ bytes.len() as u64;
    let mut rest = bytes;
    while let Some((word, behind)) = rest.split_first_chunk::<8>() {
        hash = stir(hash, u64::from_le_bytes(*word));
        rest = behind;
    }
    // What is left over with some that came before, if there are any.
    let last = match bytes.last_chunk::<8>() {
        Some(last) => u64::from_le_bytes(*last),
        None => bytes
            .iter()
            .fold(0, |word, &byte| word << 8 | u64::from(byte)),
    };
    stir(stir(hash, last), FACTOR)
}

#[cfg(test)]
mod tests {
    use super::super::drawing::Drawing;
    use super::super::reduce::Reducer;
    use super::super::tests::{open, reachable_lands};
    use super::super::{Position, Sprouts};
    use super::*;

    fn each_land(position: &Position, mut show: impl FnMut(&Sketch)) {
        let (mut drawing, mut sketch) = (Drawing::default(), Sketch::default());
        position.draw(&mut drawing);
        sketch.copy(&drawing);
        let mut reducer = Reducer::default();
        reducer.reduce(&sketch);
        reducer.each_land(&mut show);
    }

    #[test]
    fn what_is_recognised_is_what_was_put() {
        let mut forms = Forms::default();
        let mut known = std::collections::HashMap::new();
        let (mut recognised, mut number) = (0, 0u32);
        for _ in 0..2 {
            for position in reachable_lands(&mut Sprouts::default(), "4") {
                each_land(&position, |land| {
                    let drawing = (
                        land.vertices.iter().map(|v| v.number()).collect::<Vec<_>>(),
                        land.faces
                            .iter()
                            .map(|f| (f.end, f.zeros))
                            .collect::<Vec<_>>(),
                    );
                    if let Some(form) = forms.get(land) {
                        let mut bytes = Bytes::default();
                        form.append_to(&mut bytes);
                        assert_eq!(
                            Some(&bytes[..]),
                            known.get(&drawing).map(|form: &[u8; 4]| &form[..])
                        );
                        recognised += 1;
                    }
                    number += 1;
                    forms.put(land, &number.to_le_bytes());
                    known.insert(drawing, number.to_le_bytes());
                });
            }
        }
        assert!(recognised > 100, "{recognised}");
    }

    #[test]
    fn what_bytes_cannot_say_is_not_recognised() {
        let mut forms = Forms::default();
        for (spots, is_recognised) in [(255, true), (256, false), (1000, false)] {
            each_land(&open(&format!("0*{spots}")), |land| {
                (0..=FEW).for_each(|_| forms.put(land, b"form"));
                assert_eq!(forms.get(land).is_some(), is_recognised, "{spots}");
            });
        }
    }
}
