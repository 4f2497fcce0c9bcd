//! Which regions of boundaries are a drawing in the plane, and which are only text.
//!
//! Letters must come in pairs, in the right places. The rest is planarity:
//!
//! - Boundaries that share letters, directly or through others, run along one connected piece
//!   of the drawing. Pieces and regions of a drawing in the plane form a tree: two pieces that
//!   met in two regions would enclose something between them. So the graph of regions and
//!   pieces, with an edge for each boundary, has no cycle.
//! - Within a piece, a boundary is a disc with its letters on the rim in this cyclic order, and
//!   a letter is a point where two discs touch (or one disc touches itself, lower case). Discs
//!   may be turned over one by one: for a region with other boundaries that turns over the
//!   pieces behind those, and the plane does not mind. A disc becomes a wheel, hub and rim, and
//!   a touching point an edge: the discs fit into the plane if and only if this graph is planar.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use bouton_game::excerpt;

use super::drawing::{Drawing, Vertex};
use super::notation::write_letter;
use super::planar::is_planar;

/// A vertex as it was written; letters by the number of their name, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    One,
    Two,
    Lower(usize),
    Upper(usize),
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        match *self {
            Self::One => text.push('1'),
            Self::Two => text.push('2'),
            Self::Lower(number) => write_letter('a', number, &mut text),
            Self::Upper(number) => write_letter('A', number, &mut text),
        }
        f.write_str(&excerpt(&text))
    }
}

/// The drawing that a land describes, or what is wrong with it and where.
pub(super) fn check(land: &Drawing<Symbol>) -> Result<Drawing<Vertex>, String> {
    if land.regions.is_empty() {
        return Err("the land is empty, expected a region".to_owned());
    }
    let mut checker = Checker {
        land,
        drawing: Drawing::default(),
        uppers: BTreeMap::new(),
    };
    for region in 0..land.regions.len() {
        checker.read_region(region)?;
    }
    checker.uppers_come_twice()?;
    let drawing = checker.drawing;
    let touching = touching_places(&drawing);
    if let Some(region) = region_in_ring(&drawing, &touching) {
        return Err(format!(
            "region {}: its boundaries are linked outside of it as well; in the plane, expected \
             boundaries of a region to be linked through it only",
            region + 1
        ));
    }
    if !discs_fit_into_the_plane(&drawing, &touching) {
        return Err(
            "its boundaries cross, whichever way they are turned; expected letters in an order \
             that can be drawn in the plane"
                .to_owned(),
        );
    }
    Ok(drawing)
}

/// Gives letters their ids and sees that each occurs where it may.
struct Checker<'a> {
    land: &'a Drawing<Symbol>,
    drawing: Drawing<Vertex>,
    uppers: BTreeMap<usize, UpperCase>,
}

/// Where an upper-case letter was seen.
struct UpperCase {
    id: usize,
    region: usize,
    boundary: usize,
    times: usize,
}

impl Checker<'_> {
    fn read_region(&mut self, index: usize) -> Result<(), String> {
        let region = self.land.regions[index];
        if region.zeros == 0 && region.boundaries.len() == 0 {
            return Err(format!("region {} is empty, expected vertices", index + 1));
        }
        for boundary in region.boundaries.range() {
            self.read_boundary(index, boundary).map_err(|fault| {
                let text = write_boundary(self.land.boundary(boundary));
                format!("region {}, boundary \"{text}\": {fault}", index + 1)
            })?;
        }
        self.drawing.close_region(region.zeros);
        Ok(())
    }

    fn read_boundary(&mut self, region: usize, boundary: usize) -> Result<(), String> {
        let symbols = self.land.boundary(boundary);
        if symbols.is_empty() {
            return Err("expected at least one vertex".to_owned());
        }
        lowers_come_twice(symbols)?;
        // Lower-case letters that wait for their second occurrence, the innermost last.
        let mut open: Vec<(usize, Vertex)> = Vec::new();
        let mut seen = BTreeSet::new();
        for &symbol in symbols {
            let vertex = match symbol {
                Symbol::One => Vertex::ONE,
                Symbol::Two => Vertex::TWO,
                Symbol::Lower(name) if seen.insert(name) => {
                    let letter = self.new_letter();
                    open.push((name, letter));
                    letter
                }
                Symbol::Lower(name) => match open.pop() {
                    Some((innermost, letter)) if innermost == name => letter,
                    _ => {
                        return Err(format!(
                            "{symbol} crosses another lower-case letter, expected pairs that are \
                             nested or apart"
                        ));
                    }
                },
                Symbol::Upper(name) => self.read_upper(name, region, boundary)?,
            };
            self.drawing.push(vertex);
        }
        self.drawing.close_boundary();
        Ok(())
    }

    fn new_letter(&mut self) -> Vertex {
        self.drawing.letters += 1;
        Vertex::letter(self.drawing.letters - 1)
    }

    fn read_upper(
        &mut self,
        name: usize,
        region: usize,
        boundary: usize,
    ) -> Result<Vertex, String> {
        let Some(seen) = self.uppers.get_mut(&name) else {
            let id = self.drawing.letters;
            let first = UpperCase {
                id,
                region,
                boundary,
                times: 1,
            };
            self.uppers.insert(name, first);
            return Ok(self.new_letter());
        };
        seen.times += 1;
        let letter = Symbol::Upper(name);
        if seen.times > 2 {
            Err(format!(
                "{letter} occurs for the third time in the land, expected twice"
            ))
        } else if seen.boundary == boundary {
            Err(format!(
                "{letter} occurs twice in the boundary, expected a lower-case letter for that"
            ))
        } else if seen.region == region {
            Err(format!(
                "{letter} occurs in another boundary of the region too, expected it in another \
                 region"
            ))
        } else {
            Ok(Vertex::letter(seen.id))
        }
    }

    fn uppers_come_twice(&self) -> Result<(), String> {
        let once = self.uppers.iter().find(|(_, seen)| seen.times == 1);
        once.map_or(Ok(()), |(&name, seen)| {
            let text = write_boundary(self.land.boundary(seen.boundary));
            Err(format!(
                "region {}, boundary \"{text}\": {} occurs once in the land, expected twice",
                seen.region + 1,
                Symbol::Upper(name)
            ))
        })
    }
}

fn lowers_come_twice(symbols: &[Symbol]) -> Result<(), String> {
    let mut times: BTreeMap<usize, usize> = BTreeMap::new();
    for symbol in symbols {
        if let Symbol::Lower(name) = symbol {
            *times.entry(*name).or_default() += 1;
        }
    }
    let wrong = times.into_iter().find(|&(_, times)| times != 2);
    wrong.map_or(Ok(()), |(name, times)| {
        let letter = Symbol::Lower(name);
        Err(format!(
            "{letter} occurs {times} times in the boundary, expected twice"
        ))
    })
}

fn write_boundary(symbols: &[Symbol]) -> String {
    let mut text = String::new();
    for symbol in symbols.iter().take(80) {
        // Writing to a string does not fail.
        let _ = write!(text, "{symbol}");
    }
    excerpt(&text)
}

/// A place where a letter occurs.
#[derive(Clone, Copy)]
struct Place {
    boundary: usize,
    vertex: usize,
}

/// The two places of each letter.
fn touching_places(drawing: &Drawing<Vertex>) -> Vec<[Place; 2]> {
    let nowhere = Place {
        boundary: usize::MAX,
        vertex: usize::MAX,
    };
    let mut places = vec![[nowhere; 2]; drawing.letters];
    for (boundary, span) in drawing.boundaries.iter().enumerate() {
        for vertex in span.range() {
            if let Some(id) = drawing.vertices[vertex].id() {
                let [first, second] = &mut places[id];
                let free = if first.boundary == usize::MAX {
                    first
                } else {
                    second
                };
                *free = Place { boundary, vertex };
            }
        }
    }
    places
}

/// A region that lies on a cycle of regions and pieces.
fn region_in_ring(drawing: &Drawing<Vertex>, touching: &[[Place; 2]]) -> Option<usize> {
    let boundaries = drawing.boundaries.len();
    let mut parents: Vec<usize> = (0..boundaries + drawing.regions.len()).collect();
    for [one, other] in touching {
        join(&mut parents, one.boundary, other.boundary);
    }
    drawing
        .regions
        .iter()
        .enumerate()
        .position(|(index, region)| {
            let mut edges = region.boundaries.range();
            edges.any(|boundary| !join(&mut parents, boundary, boundaries + index))
        })
}

/// Joins two sets; false if they were one already.
fn join(parents: &mut [usize], one: usize, other: usize) -> bool {
    let [one, other] = [one, other].map(|mut node| {
        while parents[node] != node {
            parents[node] = parents[parents[node]];
            node = parents[node];
        }
        node
    });
    parents[one] = other;
    one != other
}

fn discs_fit_into_the_plane(drawing: &Drawing<Vertex>, touching: &[[Place; 2]]) -> bool {
    let occurrences = drawing.vertices.len();
    let mut edges: Vec<_> = touching
        .iter()
        .map(|[one, other]| (one.vertex, other.vertex))
        .collect();
    for (boundary, span) in drawing.boundaries.iter().enumerate() {
        let hub = occurrences + boundary;
        let is_letter = |&vertex: &usize| drawing.vertices[vertex].id().is_some();
        let rim: Vec<_> = span.range().filter(is_letter).collect();
        edges.extend(rim.iter().map(|&vertex| (hub, vertex)));
        edges.extend(rim.windows(2).map(|pair| (pair[0], pair[1])));
        if let [first, _, .., last] = rim[..] {
            edges.push((last, first));
        }
    }
    is_planar(occurrences + drawing.boundaries.len(), &edges)
}
