//! Forms that were found lately, under the sketches they were found for.
//!
//! A land comes up again and again as the child of different parents, and more often than not
//! drawn the same way, since parents are drawn in canonical form. To recognise a drawing costs
//! a tenth of finding its form. The memory is a table of slots of one cache line each, drawing
//! and form side by side; a new one takes the place of whatever was in its slot.
//!
//! Drawings are compared byte by byte, so what is recognised is true. Large lands do not fit
//! into a slot and are not remembered.

use super::sketch::Sketch;

/// A land as it is drawn, in a few bytes: its vertices, then for each region where it ends and its
/// spots.
#[derive(Clone, Debug)]
pub(super) struct Look([u8; LONGEST]);

const MOST_SPOTS: u32 = 255;

impl Default for Look {
    fn default() -> Self {
        Self([0; LONGEST])
    }
}

impl Look {
    /// Looks at a land whose letters are named by first appearance, if it is small enough to be
    /// recognised.
    #[inline]
    pub(super) fn take(&mut self, land: &Sketch) -> Option<&[u8]> {
        let length = land.vertices.len() + 2 * land.faces.len();
        let bytes = self.0.get_mut(..length)?;
        let (vertices, faces) = bytes.split_at_mut(land.vertices.len());
        for (byte, vertex) in vertices.iter_mut().zip(&land.vertices) {
            // There are not more names than vertices.
            *byte = vertex.low_byte();
        }
        let mut spots = 0;
        for (bytes, face) in faces.chunks_exact_mut(2).zip(&land.faces) {
            bytes[0] = face.end as u8;
            bytes[1] = face.zeros as u8;
            spots |= face.zeros;
        }
        (spots <= MOST_SPOTS).then_some(bytes)
    }
}

/// The memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Forms {
    /// None before some forms were found: who asks for a few has no use for a megabyte.
    slots: Vec<Slot>,
    found: usize,
}

/// Two lengths, then the drawing, then the form.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Slot([u8; SLOT]);

const SLOT: usize = 64;
/// As long as a drawing can be that a form may fit in beside it.
const LONGEST: usize = SLOT - 2;
/// A megabyte: more slots remember more, but memory that is further away takes longer to ask
/// than most forms take to find.
const SLOTS: usize = 1 << 14;
/// Forms that are not worth it.
const FEW: usize = 64;

impl Forms {
    /// The form of a drawing.
    #[inline]
    pub(super) fn get(&self, drawing: &[u8], hash: u64) -> Option<&[u8]> {
        let Slot(slot) = self.slots.get(place(hash))?;
        let (key, form) = contents(slot);
        (key == drawing).then_some(form)
    }

    /// Remembers the form of a drawing.
    pub(super) fn put(&mut self, drawing: &[u8], hash: u64, form: &[u8]) {
        let length = 2 + drawing.len() + form.len();
        if length > SLOT {
            return;
        }
        if self.slots.is_empty() {
            self.found += 1;
            if self.found <= FEW {
                return;
            }
            self.slots = vec![Slot([0; SLOT]); SLOTS];
        }
        let Slot(slot) = &mut self.slots[place(hash)];
        slot[0] = drawing.len() as u8;
        slot[1] = form.len() as u8;
        slot[2..2 + drawing.len()].copy_from_slice(drawing);
        slot[2 + drawing.len()..length].copy_from_slice(form);
    }
}

/// The index of the slot.
#[inline]
fn place(hash: u64) -> usize {
    hash as usize % SLOTS
}

#[inline]
fn contents(slot: &[u8; SLOT]) -> (&[u8], &[u8]) {
    let (drawing, form) = (usize::from(slot[0]), usize::from(slot[1]));
    (&slot[2..2 + drawing], &slot[2 + drawing..][..form])
}

/// A hash of a drawing: the low bits choose its slot.
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
