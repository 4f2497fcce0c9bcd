//! Generating moves: a curve within a boundary, or between two boundaries of a region.
//!
//! A move draws a curve through one region between two lives and puts a new vertex on it. The
//! three names of the description in the literature are kept: `N` is the new vertex, `T1` and
//! `T2` are the ends that had degree 1 and are seen from two sides from now on. A letter that
//! ends a curve is dead: it is not drawn there again, and reduction is told to drop it elsewhere.
//!
//! - A curve between two boundaries joins them into one.
//! - A curve within a boundary cuts the region in two, and every other boundary falls on either
//!   side. Boundaries that look alike are interchangeable: only how many of them go to the
//!   first side is chosen, by one counter for each kind. Isolated spots are one more kind.
//!
//! Of curves that a rotation of a boundary takes to each other, and of divisions that swapping
//! alike sides takes to each other, one is made. Where all boundaries of a region read the same
//! in both directions, the region may be turned round, which takes still more to each other. So do
//! letters, boundaries and regions that can change places (`twins.rs`). Other duplicates, one child in
//! fifty, are left to the canonical form. The number of divisions is a product of counters; nothing is
//! indexed by subsets, and [`Generator::fewest_children`] warns before a loop that would never end.
//!
//! The order matters to who stops at a child that decides: such a child is known already, and it
//! is small lands that are known. So small regions come first, which in a canonical land are the
//! last, and curves with few divisions before those with many.

use std::ops::ControlFlow;

use super::code::{Code, Coder};
use super::drawing::{Drawing, Vertex};
use super::kinds::{Kind, sort_into_kinds, sorted};
use super::reduce::Reducer;
use super::sketch::{Sketch, Vertices};
use super::twins::Twins;

/// Makes the children of a land; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Generator {
    coder: Coder,
    coded: Drawing<Code>,
    twins: Twins,
    /// The child being drawn, and the regions that its curve does not lie in.
    child: Reducer,
    others: Sketch,
    /// The boundaries of the region, alike ones next to each other.
    members: Vec<usize>,
    kinds: Vec<Kind>,
    /// They themselves in that order, with their ends.
    lined: Vertices,
    /// The new boundaries on both sides of a curve within a boundary, with their ends.
    sides: [Vec<Vertex>; 2],
    counters: Vec<Counter>,
}

/// How many boundaries of a kind go to the first side, out of how many.
#[derive(Clone, Copy, Debug)]
struct Counter {
    chosen: usize,
    all: usize,
}

/// What a curve starts from: an isolated spot, or some boundary of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Spot,
    Kind(usize),
}

/// One end of a curve between two boundaries.
#[derive(Clone, Copy, Debug)]
enum End {
    Spot,
    /// A vertex of the boundary at this place of `members`, by its index there.
    At {
        member: usize,
        index: usize,
    },
}

/// A region of a land, while curves are drawn in it.
struct Stage<'a, S> {
    land: &'a Drawing<Vertex>,
    zeros: usize,
    members: &'a [usize],
    kinds: &'a [Kind],
    lined: &'a Vertices,
    /// How many of the kinds change when they are turned round.
    crooked: usize,
    child: &'a mut Reducer,
    /// The child as far as it is the same for all curves: the other regions.
    others: &'a Sketch,
    sides: &'a mut [Vec<Vertex>; 2],
    counters: &'a mut Vec<Counter>,
    new: Vertex,
    turned: [Vertex; 2],
    sink: S,
}

impl Generator {
    /// Hands every child of a land, reduced, to `sink` until that says to stop.
    pub(super) fn each_child(
        &mut self,
        land: &Drawing<Vertex>,
        mut sink: impl FnMut(&mut Reducer) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.code(land);
        for index in (0..land.regions.len()).rev() {
            if self.twins.is_image(&self.coded, index) {
                continue;
            }
            self.sort_into_kinds(index);
            self.line_up(land);
            self.others.clear();
            self.others.letters = land.letters + 3;
            for (other, &region) in land.regions.iter().enumerate() {
                if other != index {
                    self.others.push_region(land, region);
                }
            }
            self.others.find_homes();
            let mut stage = Stage {
                land,
                zeros: land.regions[index].zeros,
                members: &self.members,
                kinds: &self.kinds,
                lined: &self.lined,
                crooked: self.kinds.iter().filter(|kind| kind.axis.is_none()).count(),
                others: &self.others,
                child: &mut self.child,
                sides: &mut self.sides,
                counters: &mut self.counters,
                new: Vertex::letter(land.letters),
                turned: [1, 2].map(|more| Vertex::letter(land.letters + more)),
                sink: &mut sink,
            };
            stage.curves_between_boundaries()?;
            stage.curves_within_boundaries()?;
        }
        ControlFlow::Continue(())
    }

    /// Whether [`each_child`](Self::each_child) surely makes fewer children than this,
    /// duplicates included; a glance tells.
    pub(super) fn are_fewer(land: &Drawing<Vertex>, limit: usize) -> bool {
        let children = land.regions.iter().map(|region| {
            let spans = &land.boundaries[region.boundaries.range()];
            let vertices: usize = spans.iter().map(|span| span.len()).sum();
            let divisions = 1usize.checked_shl(spans.len() as u32).unwrap_or(usize::MAX);
            // With a spot or two among the ends of a curve.
            let curves = (vertices + 2).saturating_mul(vertices + 2);
            curves
                .saturating_mul(divisions)
                .saturating_mul(region.zeros + 1)
        });
        children.fold(0, usize::saturating_add) < limit
    }

    /// A number of children, duplicates included, that [`each_child`](Self::each_child) makes
    /// at least.
    pub(super) fn fewest_children(&mut self, land: &Drawing<Vertex>) -> usize {
        self.code(land);
        let mut fewest = 0usize;
        for (index, region) in land.regions.iter().enumerate() {
            if self.twins.is_image(&self.coded, index) {
                continue;
            }
            self.sort_into_kinds(index);
            for base in 0..self.kinds.len() {
                let divisions = self.divisions(Base::Kind(base), region.zeros);
                let children = divisions.saturating_mul(self.kinds[base].fewest_curves());
                // At worst all sides are alike, and all curves have an image.
                fewest = fewest.saturating_add(children / 4);
            }
            if region.zeros > 0 {
                let divisions = self.divisions(Base::Spot, region.zeros);
                fewest = fewest.saturating_add(divisions / 2);
            }
        }
        fewest
    }

    fn sort_into_kinds(&mut self, region: usize) {
        let Self { coded, twins, .. } = self;
        sort_into_kinds(coded, twins, region, &mut self.members, &mut self.kinds);
    }

    /// Writes the boundaries of the region in a row.
    fn line_up(&mut self, land: &Drawing<Vertex>) {
        self.lined.clear();
        for &member in &self.members {
            self.lined.extend(land.boundary(member));
            self.lined.push(Vertex::END);
        }
    }

    /// In how many ways the boundaries beside `base` fall on two sides.
    fn divisions(&self, base: Base, zeros: usize) -> usize {
        let spots = zeros + usize::from(base != Base::Spot);
        let kinds = self.kinds.iter().enumerate();
        kinds.fold(spots, |product, (index, kind)| {
            product.saturating_mul(kind.size + usize::from(base != Base::Kind(index)))
        })
    }

    fn code(&mut self, land: &Drawing<Vertex>) {
        self.coder.code(land, &mut self.coded);
        self.twins.find(&self.coded);
    }
}

impl<'a, S: FnMut(&mut Reducer) -> ControlFlow<()>> Stage<'a, S> {
    fn curves_within_boundaries(&mut self) -> ControlFlow<()> {
        for base in 0..self.kinds.len() {
            let kind = self.kinds[base];
            for i in 0..kind.period {
                if self.is_first(i, || kind.turned(i)) {
                    self.curve_to_itself(base, i)?;
                }
                for j in i + 1..kind.length {
                    if (i, j) == kind.first_of_rotations(i, j)
                        && self.is_first((i, j), || kind.turned_curve(i, j))
                    {
                        self.curve_within(base, i, j)?;
                    }
                }
            }
        }
        if self.zeros > 0 {
            let around = [self.turned[0], self.new];
            self.set_sides(around.into_iter(), around.into_iter());
            self.divide(Base::Spot, NOT_WORN, true)?;
        }
        ControlFlow::Continue(())
    }

    /// Whether a curve comes before its image when the region is turned round, if that makes no
    /// difference, or is its own.
    fn is_first<T: PartialOrd + Copy>(&self, curve: T, image: impl FnOnce() -> T) -> bool {
        self.crooked > 0 || curve <= image()
    }

    /// A curve from a vertex of degree 1 back to it, around what falls on the first side.
    fn curve_to_itself(&mut self, base: usize, i: usize) -> ControlFlow<()> {
        let boundary = self.boundary(self.kinds[base].last());
        if boundary[i] != Vertex::ONE {
            return ControlFlow::Continue(());
        }
        let new = [self.new].into_iter();
        self.set_sides(new.clone(), rotated_past(boundary, i).chain(new));
        let sides_are_alike = self.sides_are_mirrored(base);
        self.divide(Base::Kind(base), NOT_WORN, sides_are_alike)
    }

    fn curve_within(&mut self, base: usize, i: usize, j: usize) -> ControlFlow<()> {
        let kind = self.kinds[base];
        let boundary = self.boundary(kind.last());
        if boundary[i] == boundary[j] && boundary[i].id().is_some() {
            return ControlFlow::Continue(());
        }
        let start = end_of_curve(boundary[i], self.turned[0]).into_iter();
        let end = end_of_curve(boundary[j], self.turned[1]).into_iter();
        let new = [self.new].into_iter();
        let inner = boundary[i + 1..j].iter().copied();
        let outer = boundary[j + 1..].iter().chain(&boundary[..i]).copied();
        let first = start.clone().chain(inner).chain(end.clone());
        let second = end.chain(outer).chain(start);
        self.set_sides(first.chain(new.clone()), second.chain(new));
        let is_half = 2 * (j - i) == kind.length && (j - i).is_multiple_of(kind.period);
        let sides_are_alike = is_half || self.sides_are_mirrored(base);
        let worn = [boundary[i], boundary[j]].map(worn);
        self.divide(Base::Kind(base), worn, sides_are_alike)
    }

    fn set_sides(
        &mut self,
        first: impl Iterator<Item = Vertex>,
        second: impl Iterator<Item = Vertex>,
    ) {
        let [one, other] = &mut *self.sides;
        // One by one: to ask chains how long they are takes longer.
        one.clear();
        first.for_each(|vertex| one.push(vertex));
        one.push(Vertex::END);
        other.clear();
        second.for_each(|vertex| other.push(vertex));
        other.push(Vertex::END);
    }

    /// Draws a child for every way in which the other boundaries fall on the two sides. If the sides
    /// are alike, swapping what falls on them makes no difference.
    fn divide(&mut self, base: Base, worn: [Vertex; 2], sides_are_alike: bool) -> ControlFlow<()> {
        self.counters.clear();
        for (index, kind) in self.kinds.iter().enumerate() {
            let all = kind.size - usize::from(base == Base::Kind(index));
            self.counters.push(Counter { chosen: 0, all });
        }
        let all = self.zeros - usize::from(base == Base::Spot);
        self.counters.push(Counter { chosen: 0, all });
        self.child.begin(self.others, worn, self.sides);
        if self.counters.iter().any(|counter| counter.all > 0) {
            self.child.remember();
        }
        let mut is_begun = true;
        loop {
            if !sides_are_alike || is_first_of_two(self.counters) {
                if !std::mem::take(&mut is_begun) {
                    self.child.recall();
                }
                self.draw_division();
                (self.sink)(self.child)?;
            }
            if !advance(self.counters) {
                return ControlFlow::Continue(());
            }
        }
    }

    /// Whether the two sides of a curve are the same, or will be when one of the new regions is turned
    /// round.
    fn sides_are_mirrored(&self, base: usize) -> bool {
        // Without their ends.
        let [first, second] = self.sides.each_ref().map(|side| &side[..side.len() - 1]);
        let Kind { axis, size, .. } = self.kinds[base];
        let base_is_crooked = axis.is_none() && size == 1;
        first == second
            || self.crooked == usize::from(base_is_crooked) && are_mirror_images(first, second)
    }

    fn draw_division(&mut self) {
        self.draw_side(0, |counter| (0, counter.chosen));
        self.draw_side(1, |counter| (counter.chosen, counter.all - counter.chosen));
        self.child.finish();
    }

    /// Draws one side of a curve with what falls there: of each kind so many, from one of them on.
    #[inline(always)]
    fn draw_side(&mut self, side: usize, part: impl Fn(&Counter) -> (usize, usize)) {
        self.child.push_side(side);
        for (kind, counter) in self.kinds.iter().zip(self.counters.iter()) {
            let (from, number) = part(counter);
            kind.draw(self.lined, from, number, self.child);
        }
        let spots = self.counters.last().map_or(0, |spots| part(spots).1);
        self.child.close_region(spots);
    }

    fn curves_between_boundaries(&mut self) -> ControlFlow<()> {
        if self.zeros >= 2 {
            self.connect(End::Spot, End::Spot)?;
        }
        for (index, &kind) in self.kinds.iter().enumerate() {
            for i in 0..kind.period {
                let end = End::at(kind.last(), i);
                if self.zeros >= 1 && self.is_first(i, || kind.turned(i)) {
                    self.connect(End::Spot, end)?;
                }
                // Two of the same kind: swapping them swaps the ends.
                for j in i..if kind.size >= 2 { kind.period } else { 0 } {
                    let image = || sorted(kind.turned(i), kind.turned(j));
                    if self.is_first((i, j), image) {
                        self.connect(end, End::at(kind.last() - 1, j))?;
                    }
                }
                for &other in &self.kinds[index + 1..] {
                    for j in 0..other.period {
                        if self.is_first((i, j), || (kind.turned(i), other.turned(j))) {
                            self.connect(end, End::at(other.last(), j))?;
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Joins two boundaries by a curve; everything else in the region stays.
    fn connect(&mut self, from: End, to: End) -> ControlFlow<()> {
        for side in self.sides.iter_mut() {
            side.clear();
        }
        let (mut zeros, mut dead) = (self.zeros, NOT_WORN);
        for (which, end) in [from, to].into_iter().enumerate() {
            match end {
                End::Spot => {
                    zeros -= 1;
                    self.sides[0].push(Vertex::ONE);
                }
                End::At { member, index } => {
                    dead[which] = worn(self.boundary(member)[index]);
                    self.push_opened(member, index, self.turned[which]);
                }
            }
            self.sides[0].push(self.new);
        }
        self.sides[0].push(Vertex::END);
        self.child.begin(self.others, dead, self.sides);
        for kind in self.kinds {
            // The last ones are used first.
            let used = [from, to].map(|end| usize::from(end.is_of(kind)));
            let left = kind.size - used[0] - used[1];
            kind.draw(self.lined, 0, left, self.child);
        }
        self.child.push_side(0);
        self.child.close_region(zeros);
        self.child.finish();
        (self.sink)(self.child)
    }

    /// A boundary as one walks around it, from the curve that now ends at `index` and back.
    fn push_opened(&mut self, member: usize, index: usize, turned: Vertex) {
        let boundary = self.boundary(member);
        let tip = end_of_curve(boundary[index], turned);
        let opened = tip
            .into_iter()
            .chain(rotated_past(boundary, index))
            .chain(tip);
        let side = &mut self.sides[0];
        opened.for_each(|vertex| side.push(vertex));
    }

    fn boundary(&self, member: usize) -> &'a [Vertex] {
        self.land.boundary(self.members[member])
    }
}

impl End {
    fn at(member: usize, index: usize) -> Self {
        Self::At { member, index }
    }

    /// Whether it is on a boundary of a kind.
    fn is_of(self, kind: &Kind) -> bool {
        let members = kind.first..kind.first + kind.size;
        matches!(self, Self::At { member, .. } if members.contains(&member))
    }
}

/// A curve that ends in no letter.
const NOT_WORN: [Vertex; 2] = [Vertex::END; 2];

/// What the end of a curve is from now on: seen from two sides, or dead and gone.
fn end_of_curve(vertex: Vertex, turned: Vertex) -> Option<Vertex> {
    (vertex == Vertex::ONE).then_some(turned)
}

/// The end of a curve, if it is a letter.
fn worn(vertex: Vertex) -> Vertex {
    match vertex {
        Vertex::ONE | Vertex::TWO => Vertex::END,
        letter => letter,
    }
}

/// All other vertices of a boundary, from the one behind `index` on.
fn rotated_past(boundary: &[Vertex], index: usize) -> impl Iterator<Item = Vertex> {
    let (before, after) = (&boundary[..index], &boundary[index + 1..]);
    after.iter().chain(before).copied()
}

/// Whether two boundaries are the same if one is read backwards. Long ones may be overlooked.
fn are_mirror_images(first: &[Vertex], second: &[Vertex]) -> bool {
    const LONG: usize = 32;
    let length = first.len();
    let turned = |by: usize| {
        let places = (0..length).map(|place| (by + length - place) % length);
        places
            .zip(first)
            .all(|(place, vertex)| second[place] == *vertex)
    };
    length == second.len() && length <= LONG && (0..length).any(turned)
}

/// Counts one further; after the last division all counters are back at 0.
fn advance(counters: &mut [Counter]) -> bool {
    for counter in counters {
        if counter.chosen < counter.all {
            counter.chosen += 1;
            return true;
        }
        counter.chosen = 0;
    }
    false
}

/// Whether a division comes before the one with the sides swapped, or is the same.
fn is_first_of_two(counters: &[Counter]) -> bool {
    let chosen = counters.iter().map(|counter| counter.chosen);
    chosen.le(counters.iter().map(|counter| counter.all - counter.chosen))
}
