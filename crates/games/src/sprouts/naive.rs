//! Children made in the plainest way, to compare with: every curve, every subset of boundaries,
//! nothing shared with the generator, the reduction or the coding of positions but their texts.

use std::collections::{BTreeMap, BTreeSet};

/// 0, 1 and 2 are degrees, whatever is greater is a letter.
type Vertex = u32;
type Region = Vec<Vec<Vertex>>;
type Land = Vec<Region>;

const FIRST_LETTER: Vertex = 3;

/// The texts of all children of the position with this text.
pub(super) fn children(text: &str) -> BTreeSet<String> {
    let text = text.trim_end_matches('!');
    let lands: Vec<Land> = text.split('+').map(read_land).collect();
    let mut texts = BTreeSet::new();
    for (index, land) in lands.iter().enumerate() {
        for child in children_of_land(land) {
            let others = [&lands[..index], &lands[index + 1..]].concat();
            let mut parts: Vec<String> = others.iter().map(write_land).collect();
            parts.extend(cut(&child).iter().map(write_land));
            // Without the mark digits alone would be a number of spots.
            texts.insert(parts.join("+") + "!");
        }
    }
    texts
}

fn read_land(text: &str) -> Land {
    let mut letters = BTreeMap::new();
    let read_region = |(region, text): (usize, &str)| {
        let mut boundaries = Region::new();
        for (boundary, text) in text.split('.').enumerate() {
            if let Some(spots) = text.strip_prefix("0*") {
                let spots: usize = spots.parse().unwrap();
                boundaries.extend(vec![vec![0]; spots]);
                continue;
            }
            let read = |c: char| {
                // A lower-case letter has a meaning in its boundary only.
                let name = (c, c.is_lowercase().then_some((region, boundary)));
                let next = FIRST_LETTER + letters.len() as Vertex;
                c.to_digit(3)
                    .unwrap_or_else(|| *letters.entry(name).or_insert(next))
            };
            boundaries.push(text.chars().map(read).collect());
        }
        boundaries
    };
    text.split('|').enumerate().map(read_region).collect()
}

fn write_land(land: &Land) -> String {
    let mut names = BTreeMap::new();
    let write_boundary = |boundary: &Vec<Vertex>| {
        let mut lower = Vec::new();
        let write = |&vertex: &Vertex| {
            let twice = boundary.iter().filter(|&&other| other == vertex).count() == 2;
            if vertex < FIRST_LETTER {
                return char::from_digit(vertex, 3).unwrap();
            }
            if twice {
                let known = lower.iter().position(|&other| other == vertex);
                let number = known.unwrap_or_else(|| {
                    lower.push(vertex);
                    lower.len() - 1
                });
                return (b'a' + number as u8) as char;
            }
            let next = names.len() as u8;
            (b'A' + *names.entry(vertex).or_insert(next)) as char
        };
        boundary.iter().map(write).collect::<String>()
    };
    let mut write_region = {
        let mut write_boundary = write_boundary;
        move |region: &Region| {
            let texts: Vec<String> = region.iter().map(&mut write_boundary).collect();
            texts.join(".")
        }
    };
    let texts: Vec<String> = land.iter().map(&mut write_region).collect();
    texts.join("|")
}

fn children_of_land(land: &Land) -> Vec<Land> {
    let new = FIRST_LETTER + 10_000;
    let mut children = Vec::new();
    for (index, region) in land.iter().enumerate() {
        let others = [&land[..index], &land[index + 1..]].concat();
        for (at, boundary) in region.iter().enumerate() {
            let rest = [&region[..at], &region[at + 1..]].concat();
            for sides in curves_within(boundary, new) {
                for subset in 0..1u32 << rest.len() {
                    let mut child = others.clone();
                    for (side, boundary) in sides.iter().enumerate() {
                        let chosen = rest
                            .iter()
                            .enumerate()
                            .filter(|(bit, _)| subset >> bit & 1 == side as u32);
                        let mut region = vec![boundary.clone()];
                        region.extend(chosen.map(|(_, boundary)| boundary.clone()));
                        child.push(region);
                    }
                    children.push(reduced(child));
                }
            }
            for (to, other) in region.iter().enumerate().skip(at + 1) {
                for i in 0..boundary.len() {
                    for j in 0..other.len() {
                        let mut joined = opened(boundary, i, new + 1);
                        joined.push(new);
                        joined.extend(opened(other, j, new + 2));
                        joined.push(new);
                        let mut region = region.clone();
                        region.remove(to);
                        region[at] = joined;
                        let mut child = others.clone();
                        child.push(region);
                        children.push(reduced(child));
                    }
                }
            }
        }
    }
    children
}

/// A vertex at the end of a curve, seen from both sides of it.
fn ended(vertex: Vertex, turned: Vertex) -> Option<Vertex> {
    match vertex {
        0 | 1 => Some(turned),
        2 => None,
        letter => Some(letter),
    }
}

/// The boundaries on both sides of every curve from a boundary to itself.
fn curves_within(boundary: &[Vertex], new: Vertex) -> Vec<[Vec<Vertex>; 2]> {
    if boundary == [0] {
        return vec![[vec![new + 1, new], vec![new + 1, new]]];
    }
    let mut curves = Vec::new();
    for i in 0..boundary.len() {
        let from = |start: usize, end: usize| boundary[start..end].to_vec();
        if boundary[i] == 1 {
            let outer = [from(i + 1, boundary.len()), from(0, i), vec![new]].concat();
            curves.push([vec![new], outer]);
        }
        for j in i + 1..boundary.len() {
            if boundary[i] == boundary[j] && boundary[i] >= FIRST_LETTER {
                continue;
            }
            let start: Vec<_> = ended(boundary[i], new + 1).into_iter().collect();
            let end: Vec<_> = ended(boundary[j], new + 2).into_iter().collect();
            let inner = [start.clone(), from(i + 1, j), end.clone(), vec![new]].concat();
            let outer = [
                end,
                from(j + 1, boundary.len()),
                from(0, i),
                start,
                vec![new],
            ];
            curves.push([inner, outer.concat()]);
        }
    }
    curves
}

/// A walk around a boundary from the curve that ends at `i`, and back.
fn opened(boundary: &[Vertex], i: usize, turned: Vertex) -> Vec<Vertex> {
    if boundary == [0] {
        return vec![1];
    }
    let mut walk: Vec<_> = ended(boundary[i], turned).into_iter().collect();
    walk.extend(&boundary[i + 1..]);
    walk.extend(&boundary[..i]);
    walk.extend(ended(boundary[i], turned));
    walk
}

fn occurrences(land: &Land) -> BTreeMap<Vertex, usize> {
    let mut counts = BTreeMap::new();
    for &vertex in land.iter().flatten().flatten() {
        *counts.entry(vertex).or_insert(0) += 1;
    }
    counts
}

/// The reduction, step by step as in the literature.
fn reduced(mut land: Land) -> Land {
    let counts = occurrences(&land);
    for boundary in land.iter_mut().flatten() {
        boundary.retain(|vertex| *vertex < FIRST_LETTER || counts[vertex] <= 2);
        while let Some(at) = (0..boundary.len()).find(|&at| {
            let next = boundary[(at + 1) % boundary.len()];
            boundary.len() > 1 && boundary[at] == next && next >= FIRST_LETTER
        }) {
            boundary.remove(at);
        }
    }
    for region in &mut land {
        region.retain(|boundary| !boundary.is_empty());
    }
    let lives = |region: &Region| {
        let of_vertex = |&vertex: &Vertex| 3 - vertex.min(2) as usize;
        region.iter().flatten().map(of_vertex).sum::<usize>()
    };
    land.retain(|region| lives(region) >= 2);
    for region in &mut land {
        let all = region.concat();
        let times = |vertex: Vertex| all.iter().filter(|&&other| other == vertex).count();
        let is_pair = |vertex: Vertex| vertex >= FIRST_LETTER && times(vertex) == 2;
        let pairs = all.iter().filter(|&&vertex| is_pair(vertex)).count() / 2;
        if (2..=3).contains(&(lives(region) - pairs)) {
            let singles = all.iter().copied().filter(|&vertex| !is_pair(vertex));
            let mut flat: Vec<Vertex> = singles.collect();
            flat.extend(vec![2; pairs]);
            *region = vec![flat];
        }
    }
    let counts = occurrences(&land);
    for vertex in land.iter_mut().flatten().flatten() {
        if *vertex >= FIRST_LETTER && counts[vertex] == 1 {
            *vertex = 2;
        }
    }
    land
}

/// Regions that share a letter stay together.
fn cut(land: &Land) -> Vec<Land> {
    let mut parts: Vec<Land> = Vec::new();
    for region in land {
        let letters: BTreeSet<_> = region.iter().flatten().collect();
        let touches = |part: &Land| {
            let mut vertices = part.iter().flatten().flatten();
            vertices.any(|vertex| *vertex >= FIRST_LETTER && letters.contains(vertex))
        };
        let (joined, apart): (Vec<_>, Vec<_>) = parts.into_iter().partition(touches);
        parts = apart;
        let mut part = joined.concat();
        part.push(region.clone());
        parts.push(part);
    }
    parts
}
