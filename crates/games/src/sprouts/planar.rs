//! Can a graph be drawn in the plane without crossings? The left-right test.
//!
//! Paper: U. Brandes, "The left-right planarity test" (2009), after de Fraysseix and
//! Rosenstiehl. A depth-first search orients the graph into tree edges and back edges. Two back
//! edges that leave the tree path between them are forced to the same side or to opposite
//! sides; the graph is planar exactly if all of these wishes can be met at once. A stack of
//! *conflict pairs* (two runs of back edges that must lie on opposite sides) collects them.
//!
//! Differences: no embedding is made, so sides are never assigned and only what the test reads
//! is kept. Both searches keep their own stack, since the depth is up to whoever wrote the text.
//! The time is linear but for the sorting of edges.

/// Whether the graph on the vertices `0..vertices` with these edges is planar. An edge may be
/// given twice; it has two different ends.
pub(super) fn is_planar(vertices: usize, edges: &[(usize, usize)]) -> bool {
    let mut simple: Vec<_> = edges.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    simple.sort_unstable();
    simple.dedup();
    if vertices >= 3 && simple.len() > 3 * vertices - 6 {
        return false;
    }
    let mut test = LeftRight::new(vertices, &simple);
    test.orient();
    test.sort_by_nesting();
    test.all_constraints_hold()
}

/// An index of an edge or a vertex that is not there.
const NONE: usize = usize::MAX;

/// An edge, oriented away from the root (tree edge) or back towards it.
#[derive(Clone, Copy)]
struct Edge {
    from: usize,
    to: usize,
    /// The height of the lowest vertex reached by a back edge of `to`'s subtree or this edge.
    low: usize,
    /// The same for the second lowest.
    second_low: usize,
    /// The back edge that reaches `low`.
    low_edge: usize,
    /// The next back edge further down in the interval that holds this back edge.
    below: usize,
    /// How many conflict pairs there were when the edge was entered.
    bottom: usize,
}

/// Back edges on one side, from the highest return point to the lowest; linked by `below`.
#[derive(Clone, Copy)]
struct Interval {
    high: usize,
    low: usize,
}

impl Interval {
    const EMPTY: Self = Self {
        high: NONE,
        low: NONE,
    };

    fn is_empty(self) -> bool {
        self.low == NONE
    }
}

/// Two intervals that must lie on opposite sides.
#[derive(Clone, Copy)]
struct Pair {
    left: Interval,
    right: Interval,
}

impl Pair {
    fn swap(&mut self) {
        std::mem::swap(&mut self.left, &mut self.right);
    }
}

struct LeftRight {
    edges: Vec<Edge>,
    /// Vertex by vertex: all incident edges at first, the outgoing ones once oriented.
    incident: Vec<Vec<usize>>,
    /// The distance from the root; `NONE` before the visit.
    height: Vec<usize>,
    /// The tree edge into each vertex.
    parent: Vec<usize>,
    roots: Vec<usize>,
    pairs: Vec<Pair>,
}

impl LeftRight {
    fn new(vertices: usize, edges: &[(usize, usize)]) -> Self {
        let mut incident = vec![Vec::new(); vertices];
        for (index, &(a, b)) in edges.iter().enumerate() {
            incident[a].push(index);
            incident[b].push(index);
        }
        let edge = |&(from, to): &(usize, usize)| Edge {
            from,
            to,
            low: NONE,
            second_low: NONE,
            low_edge: NONE,
            below: NONE,
            bottom: 0,
        };
        Self {
            edges: edges.iter().map(edge).collect(),
            incident,
            height: vec![NONE; vertices],
            parent: vec![NONE; vertices],
            roots: Vec::new(),
            pairs: Vec::new(),
        }
    }

    /// First search: orients every edge and finds its low points. An edge without a low point
    /// has not been oriented yet.
    fn orient(&mut self) {
        let mut next = vec![0; self.height.len()];
        for root in 0..self.height.len() {
            if self.height[root] != NONE {
                continue;
            }
            self.height[root] = 0;
            self.roots.push(root);
            let mut path = vec![root];
            while let Some(&at) = path.last() {
                let Some(&edge) = self.incident[at].get(next[at]) else {
                    path.pop();
                    if self.parent[at] != NONE {
                        self.pass_low_points_up(self.parent[at]);
                    }
                    continue;
                };
                next[at] += 1;
                if self.edges[edge].low != NONE {
                    continue;
                }
                let to = self.edges[edge].from ^ self.edges[edge].to ^ at;
                self.leave(edge, at, to);
                if self.height[to] == NONE {
                    self.parent[to] = edge;
                    self.height[to] = self.height[at] + 1;
                    path.push(to);
                } else {
                    self.edges[edge].low = self.height[to];
                    self.pass_low_points_up(edge);
                }
            }
        }
    }

    fn leave(&mut self, edge: usize, from: usize, to: usize) {
        let height = self.height[from];
        let edge = &mut self.edges[edge];
        (edge.from, edge.to) = (from, to);
        (edge.low, edge.second_low) = (height, height);
    }

    /// `edge` is done; the tree edge that leads to it may return as low.
    fn pass_low_points_up(&mut self, edge: usize) {
        let Edge {
            from,
            low,
            second_low,
            ..
        } = self.edges[edge];
        if self.parent[from] == NONE {
            return;
        }
        let parent = &mut self.edges[self.parent[from]];
        if low < parent.low {
            parent.second_low = parent.low.min(second_low);
            parent.low = low;
        } else if low > parent.low {
            parent.second_low = parent.second_low.min(low);
        } else {
            parent.second_low = parent.second_low.min(second_low);
        }
    }

    /// Outgoing edges in the order of the second search: those that return lowest come first,
    /// and of two that return equally low the one with a single return point.
    fn sort_by_nesting(&mut self) {
        let Self {
            edges,
            incident,
            height,
            ..
        } = self;
        for (vertex, out) in incident.iter_mut().enumerate() {
            out.retain(|&edge| edges[edge].from == vertex);
            out.sort_by_key(|&edge| {
                let edge = edges[edge];
                (edge.low, edge.second_low < height[vertex])
            });
        }
    }

    /// Second search: whether the wishes of all back edges can be met.
    fn all_constraints_hold(&mut self) -> bool {
        let mut next = vec![0; self.height.len()];
        for root in std::mem::take(&mut self.roots) {
            let mut path = vec![root];
            while let Some(&at) = path.last() {
                let Some(&edge) = self.incident[at].get(next[at]) else {
                    path.pop();
                    let Some(&before) = path.last() else { break };
                    self.forget_returns_to(before);
                    let tree_edge = self.incident[before][next[before]];
                    if !self.integrate(tree_edge, next[before] == 0) {
                        return false;
                    }
                    next[before] += 1;
                    continue;
                };
                self.edges[edge].bottom = self.pairs.len();
                let to = self.edges[edge].to;
                if self.parent[to] == edge {
                    path.push(to);
                    continue;
                }
                self.edges[edge].low_edge = edge;
                let only = Interval {
                    high: edge,
                    low: edge,
                };
                self.pairs.push(Pair {
                    left: Interval::EMPTY,
                    right: only,
                });
                if !self.integrate(edge, next[at] == 0) {
                    return false;
                }
                next[at] += 1;
            }
        }
        true
    }

    /// Brings the return edges of a finished edge together with those of its earlier siblings.
    fn integrate(&mut self, edge: usize, is_first: bool) -> bool {
        let Edge {
            from,
            low,
            low_edge,
            ..
        } = self.edges[edge];
        let parent = self.parent[from];
        if parent == NONE || low >= self.height[from] {
            return true;
        }
        if is_first {
            self.edges[parent].low_edge = low_edge;
            return true;
        }
        self.add_constraints(edge, parent)
    }

    fn add_constraints(&mut self, edge: usize, parent: usize) -> bool {
        let mut merged = Pair {
            left: Interval::EMPTY,
            right: Interval::EMPTY,
        };
        self.gather_own_returns(edge, parent, &mut merged)
            && self.gather_conflicts(edge, &mut merged)
            && {
                if !(merged.left.is_empty() && merged.right.is_empty()) {
                    self.pairs.push(merged);
                }
                true
            }
    }

    /// The return edges of `edge` itself must all lie on one side, the right one of `merged`.
    fn gather_own_returns(&mut self, edge: usize, parent: usize, merged: &mut Pair) -> bool {
        while self.pairs.len() > self.edges[edge].bottom {
            let Some(mut pair) = self.pairs.pop() else {
                break;
            };
            if !pair.left.is_empty() {
                pair.swap();
            }
            if !pair.left.is_empty() {
                return false;
            }
            if self.edges[pair.right.low].low > self.edges[parent].low {
                self.append(&mut merged.right, pair.right);
            } else {
                self.edges[pair.right.low].below = self.edges[parent].low_edge;
            }
        }
        true
    }

    /// Return edges of earlier siblings that end above the low point of `edge` must lie on the
    /// other side.
    fn gather_conflicts(&mut self, edge: usize, merged: &mut Pair) -> bool {
        let low = self.edges[edge].low;
        while let Some(&pair) = self.pairs.last() {
            if !self.conflicts(pair.left, low) && !self.conflicts(pair.right, low) {
                break;
            }
            let mut pair = pair;
            self.pairs.pop();
            if self.conflicts(pair.right, low) {
                pair.swap();
            }
            if self.conflicts(pair.right, low) {
                return false;
            }
            if !pair.right.is_empty() {
                self.append(&mut merged.right, pair.right);
            }
            self.append(&mut merged.left, pair.left);
        }
        true
    }

    fn conflicts(&self, interval: Interval, low: usize) -> bool {
        !interval.is_empty() && self.edges[interval.high].low > low
    }

    /// Joins a lower interval to the end of `upper`.
    fn append(&mut self, upper: &mut Interval, lower: Interval) {
        if upper.is_empty() {
            *upper = lower;
        } else {
            self.edges[upper.low].below = lower.high;
            upper.low = lower.low;
        }
    }

    /// Back edges that end at `vertex` bind nothing further up; they are the highest left.
    fn forget_returns_to(&mut self, vertex: usize) {
        let height = self.height[vertex];
        while self.pairs.last().is_some_and(|&p| self.lowest(p) == height) {
            self.pairs.pop();
        }
        if let Some(mut pair) = self.pairs.pop() {
            self.trim(&mut pair.left, vertex);
            self.trim(&mut pair.right, vertex);
            self.pairs.push(pair);
        }
    }

    fn lowest(&self, pair: Pair) -> usize {
        let ends = [pair.left, pair.right].into_iter();
        let lows = ends.filter(|side| !side.is_empty());
        lows.map(|side| self.edges[side.low].low)
            .min()
            .unwrap_or(NONE)
    }

    fn trim(&self, interval: &mut Interval, vertex: usize) {
        while interval.high != NONE && self.edges[interval.high].to == vertex {
            interval.high = self.edges[interval.high].below;
        }
        if interval.high == NONE {
            *interval = Interval::EMPTY;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete(n: usize) -> Vec<(usize, usize)> {
        (0..n).flat_map(|b| (0..b).map(move |a| (a, b))).collect()
    }

    fn bipartite(n: usize, m: usize) -> Vec<(usize, usize)> {
        (0..n)
            .flat_map(|a| (0..m).map(move |b| (a, n + b)))
            .collect()
    }

    fn grid(rows: usize, columns: usize) -> Vec<(usize, usize)> {
        let cell = |row, column| row * columns + column;
        let right = (0..rows).flat_map(|r| (1..columns).map(move |c| (cell(r, c - 1), cell(r, c))));
        let down = (1..rows).flat_map(|r| (0..columns).map(move |c| (cell(r - 1, c), cell(r, c))));
        right.chain(down).collect()
    }

    fn wheel(rim: usize) -> Vec<(usize, usize)> {
        (0..rim)
            .flat_map(|i| [(i, rim), (i, (i + 1) % rim)])
            .collect()
    }

    /// Replaces every edge by a path of `length` edges: planarity stays the same.
    fn subdivide(
        n: usize,
        edges: &[(usize, usize)],
        length: usize,
    ) -> (usize, Vec<(usize, usize)>) {
        let mut vertices = n;
        let mut finer = Vec::new();
        for &(a, b) in edges {
            let mut at = a;
            for _ in 1..length {
                finer.push((at, vertices));
                at = vertices;
                vertices += 1;
            }
            finer.push((at, b));
        }
        (vertices, finer)
    }

    #[test]
    fn kuratowski_graphs_are_not_planar() {
        assert!(is_planar(4, &complete(4)));
        assert!(!is_planar(5, &complete(5)));
        assert!(is_planar(5, &bipartite(2, 3)));
        assert!(!is_planar(6, &bipartite(3, 3)));
        for (n, edges) in [(5, complete(5)), (6, bipartite(3, 3))] {
            let (vertices, finer) = subdivide(n, &edges, 4);
            assert!(!is_planar(vertices, &finer));
            for missing in 0..edges.len() {
                let mut fewer = edges.clone();
                fewer.remove(missing);
                assert!(is_planar(n, &fewer));
            }
        }
    }

    #[test]
    fn grids_and_wheels_are_planar() {
        assert!(is_planar(0, &[]));
        assert!(is_planar(2, &[(0, 1), (1, 0), (0, 1)]));
        assert!(is_planar(70, &grid(7, 10)));
        let mut torus = grid(4, 4);
        torus.extend((0..4).flat_map(|i| [(i, 12 + i), (4 * i, 4 * i + 3)]));
        assert!(!is_planar(16, &torus));
        for rim in 3..40 {
            assert!(is_planar(rim + 1, &wheel(rim)));
        }
    }

    #[test]
    fn a_long_path_does_not_exhaust_the_stack() {
        let path: Vec<_> = (1..200_000).map(|i| (i - 1, i)).collect();
        assert!(is_planar(200_000, &path));
    }

    /// The number of labelled planar graphs on n vertices (OEIS A066537) by trying them all.
    #[test]
    fn as_many_labelled_graphs_are_planar_as_are_known() {
        for (n, known) in [(3, 8), (4, 64), (5, 1023), (6, 32_071)] {
            let all = complete(n);
            let planar = (0..1u32 << all.len()).filter(|set| {
                let chosen = (0..all.len()).filter(|i| set & (1 << i) != 0);
                let edges: Vec<_> = chosen.map(|i| all[i]).collect();
                is_planar(n, &edges)
            });
            assert_eq!(planar.count(), known, "{n} vertices");
        }
    }
}
