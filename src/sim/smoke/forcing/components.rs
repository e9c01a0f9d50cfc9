//! Connected components of a matte, and their displacements since the previous matte.

use std::collections::HashMap;
use std::ops::Range;

use crate::sim::request;
use crate::sim::union_find::UnionFind;

/// Largest ratio of the areas of a component in two mattes.
const AREA_RATIO_MAX: f64 = 2.0;

/// Largest distance of a component from its previous position without overlap, as a multiple of the root of its area.
const DISTANCE_MAX: f64 = 8.0;

/// A run of solid cells in a row.
struct Span {
    x: Range<i64>,
    y: i64,
    component: usize,
}

/// The components of a matte: solid cells joined by sides or corners. Coordinates are those of a frame of reference
/// that both mattes share.
pub(super) struct Components {
    /// Coordinates of the grid's cell (0, 0).
    origin: [i64; 2],
    /// Columns.
    width: i64,
    spans: Vec<Span>,
    /// Index of the first span of each row, then the number of spans.
    starts: Vec<usize>,
    geometries: Vec<Geometry>,
}

/// Displacements of the components since the previous matte.
pub(super) struct ComponentMotions {
    /// Displacement of each component, cells.
    pub displacements: Vec<[f64; 2]>,
    /// Group of each component, in the current and in the previous matte: components that are one object.
    pub groups: [Vec<usize>; 2],
    /// Displacement of each group, cells.
    pub group_displacements: Vec<[f64; 2]>,
    /// Centroid of each group in the current matte; 0 for a group that the matte does not have.
    pub group_centres: Vec<[f64; 2]>,
    /// For each previous component: whether it still exists, or may have left the grid across the border.
    pub persists: Vec<bool>,
    /// For each group: whether it is in both mattes and has changed its shape: its previous cells, moved by the rounded
    /// displacement, are not its cells now.
    pub deformed: Vec<bool>,
}

/// Area, moments and bounds of one component or of several.
#[derive(Clone, Copy, Debug, Default)]
struct Geometry {
    area: i64,
    /// Sums of the doubled coordinates of the cells' centres.
    sums: [i64; 2],
    low: [i64; 2],
    high: [i64; 2],
    /// Whether a cell touches the left, right, bottom, top side of the grid.
    at_border: [bool; 4],
}

impl Components {
    /// The components of a matte with a flag per cell, whose cell (0, 0) has the coordinates `origin`.
    pub fn new(solid: &[bool], width: usize, height: usize, origin: [i64; 2]) -> Components {
        let mut spans: Vec<Span> = Vec::new();
        let mut starts = vec![0];
        let mut sets = UnionFind::default();
        for (row, y) in solid.chunks(width).zip(origin[1]..) {
            let before = starts.get(starts.len().wrapping_sub(2)).copied().unwrap_or(0)..spans.len();
            let mut lower = before.start;
            let mut x = 0;
            while let Some(from) = row[x..].iter().position(|&s| s).map(|p| x + p) {
                let to = row[from..].iter().position(|&s| !s).map_or(width, |p| from + p);
                let (component, range) = (sets.add(), origin[0] + from as i64..origin[0] + to as i64);
                while lower < before.end && spans[lower].x.end < range.start {
                    lower += 1;
                }
                for span in spans[lower..before.end].iter().take_while(|span| span.x.start <= range.end) {
                    sets.join(component, span.component);
                }
                request::push(&mut spans, Span { x: range, y, component });
                x = to;
            }
            starts.push(spans.len());
        }
        let mut numbers = HashMap::new();
        let mut geometries: Vec<Geometry> = Vec::new();
        for span in &mut spans {
            let next = numbers.len();
            span.component = *numbers.entry(sets.find(span.component)).or_insert(next);
            let geometry = Geometry::of(span, origin, [width as i64, height as i64]);
            match geometries.get_mut(span.component) {
                Some(all) => *all = all.union(&geometry),
                None => geometries.push(geometry),
            }
        }
        Components { origin, width: width as i64, spans, starts, geometries }
    }

    /// The spans that overlap the cells `x` of row `y`, and the number of common cells of each.
    fn overlaps(&self, x: Range<i64>, y: i64) -> impl Iterator<Item = (&Span, i64)> {
        let row = match usize::try_from(y - self.origin[1]) {
            Ok(row) if row + 1 < self.starts.len() => &self.spans[self.starts[row]..self.starts[row + 1]],
            _ => &[],
        };
        let first = row.partition_point(|span| span.x.end <= x.start);
        row[first..]
            .iter()
            .take_while(move |span| span.x.start < x.end)
            .map(move |span| (span, span.x.end.min(x.end) - span.x.start.max(x.start)))
    }

    /// Writes the value of its component to each solid cell of a plane.
    pub fn paint<T: Copy>(&self, values: &[T], plane: &mut [T]) {
        for span in &self.spans {
            let start = (span.y - self.origin[1]) * self.width - self.origin[0];
            plane[(start + span.x.start) as usize..(start + span.x.end) as usize].fill(values[span.component]);
        }
    }

    /// Coordinates of the grid's cell (0, 0).
    pub fn origin(&self) -> [i64; 2] {
        self.origin
    }

    /// Displacements since `before`; both mattes use the same coordinates.
    ///
    /// Overlapping components form a group, and so do two components without overlap that are nearest to each other, of
    /// similar area, and within [`DISTANCE_MAX`]. The displacement of a group is that of its centroid or, if the border
    /// cuts it, that of its bounds inside the grid. It is 0 for a group in one matte only, for a group whose area
    /// changes by more than [`AREA_RATIO_MAX`], and where a group at rest would explain more of its cells.
    pub fn motions(&self, before: &Components) -> ComponentMotions {
        // Numbers of both mattes' components: the current ones, then the previous ones.
        let count = self.geometries.len();
        let mut sets = UnionFind::default();
        for _ in 0..count + before.geometries.len() {
            sets.add();
        }
        let mut known = vec![false; count + before.geometries.len()];
        for span in &self.spans {
            for (old, _) in before.overlaps(span.x.clone(), span.y) {
                sets.join(span.component, count + old.component);
                (known[span.component], known[count + old.component]) = (true, true);
            }
        }
        for (now, old) in nearest_pairs(&self.geometries, &known[..count], &before.geometries, &known[count..]) {
            sets.join(now, count + old);
        }
        let roots: Vec<usize> = (0..known.len()).map(|name| sets.find(name)).collect();
        let mut groups: Vec<(Option<Geometry>, Option<Geometry>)> = vec![(None, None); known.len()];
        for ((name, geometry), &root) in self.geometries.iter().chain(&before.geometries).enumerate().zip(&roots) {
            let side = if name < count { &mut groups[root].0 } else { &mut groups[root].1 };
            *side = Some(side.map_or(*geometry, |all| all.union(geometry)));
        }
        let mut group_displacements: Vec<_> = groups
            .iter()
            .map(|group| match group {
                (Some(now), Some(old)) if now.has_similar_area(old) || now.touches_border() || old.touches_border() => {
                    now.displacement_from(old)
                }
                _ => [0.0; 2],
            })
            .collect();
        // Per group: the number of cells in both mattes, of those that the displacement explains, and of those that
        // rest explains.
        let mut cells = vec![[0; 3]; known.len()];
        let mut count_cells = |span: &Span, name: usize, other: &Components, first: usize, sign: i64| {
            let root = roots[name];
            let by = group_displacements[root].map(|d| sign * libm::round(d) as i64);
            let same = |component: usize| roots[first + component] == root;
            let rest = other.count_explained(span, [0; 2], same);
            let motion = if by == [0; 2] { rest } else { other.count_explained(span, by, same) };
            for (sum, value) in cells[root].iter_mut().zip([span.x.end - span.x.start, motion, rest]) {
                *sum += value;
            }
        };
        self.spans.iter().for_each(|span| count_cells(span, span.component, before, count, -1));
        before.spans.iter().for_each(|span| count_cells(span, count + span.component, self, 0, 1));
        let mut deformed = vec![false; known.len()];
        for (group, ((displacement, deformed), [all, motion, rest])) in
            groups.iter().zip(group_displacements.iter_mut().zip(&mut deformed).zip(cells))
        {
            let sound = motion > rest || displacement.iter().all(|&d| libm::round(d) == 0.0);
            if !sound {
                *displacement = [0.0; 2];
            }
            *deformed = matches!(group, (Some(_), Some(_))) && if sound { motion } else { rest } < all;
        }
        let displacements = roots[..count].iter().map(|&root| group_displacements[root]).collect();
        let group_centres =
            groups.iter().map(|(now, _)| now.map_or([0.0; 2], |geometry| geometry.centroid())).collect();
        let persists = roots[count..].iter().zip(&before.geometries);
        let persists = persists.map(|(&root, old)| groups[root].0.is_some() || old.touches_border()).collect();
        let groups = [roots[..count].to_vec(), roots[count..].to_vec()];
        ComponentMotions { displacements, groups, group_displacements, group_centres, persists, deformed }
    }

    /// Number of cells of a span of another matte, moved by `by`, that lie on components accepted by `component`, or
    /// off the grid, whose cells are unknown.
    fn count_explained(&self, span: &Span, by: [i64; 2], component: impl Fn(usize) -> bool) -> i64 {
        let (x, y) = (span.x.start + by[0]..span.x.end + by[0], span.y + by[1]);
        let (left, right, low) = (self.origin[0], self.origin[0] + self.width, self.origin[1]);
        if !(low..low + self.starts.len() as i64 - 1).contains(&y) {
            return x.end - x.start;
        }
        let inside = (x.end.min(right) - x.start.max(left)).max(0);
        let met = self.overlaps(x.clone(), y).filter(|(span, _)| component(span.component)).map(|met| met.1);
        x.end - x.start - inside + met.sum::<i64>()
    }
}

impl Geometry {
    fn of(span: &Span, origin: [i64; 2], size: [i64; 2]) -> Geometry {
        let area = span.x.end - span.x.start;
        let (low, high) = ([span.x.start, span.y], [span.x.end, span.y + 1]);
        Geometry {
            area,
            sums: [(span.x.start + span.x.end) * area, (2 * span.y + 1) * area],
            low,
            high,
            at_border: [
                low[0] == origin[0],
                high[0] == origin[0] + size[0],
                low[1] == origin[1],
                high[1] == origin[1] + size[1],
            ],
        }
    }

    fn union(&self, other: &Geometry) -> Geometry {
        Geometry {
            area: self.area + other.area,
            sums: [0, 1].map(|i| self.sums[i] + other.sums[i]),
            low: [0, 1].map(|i| self.low[i].min(other.low[i])),
            high: [0, 1].map(|i| self.high[i].max(other.high[i])),
            at_border: [0, 1, 2, 3].map(|i| self.at_border[i] || other.at_border[i]),
        }
    }

    fn touches_border(&self) -> bool {
        self.at_border.contains(&true)
    }

    fn has_similar_area(&self, other: &Geometry) -> bool {
        let (a, b) = (self.area as f64, other.area as f64);
        a <= b * AREA_RATIO_MAX && b <= a * AREA_RATIO_MAX
    }

    fn centroid(&self) -> [f64; 2] {
        self.sums.map(|sum| sum as f64 / self.area as f64 / 2.0)
    }

    /// Displacement since `before`, exactly 0 where nothing changed.
    fn displacement_from(&self, before: &Geometry) -> [f64; 2] {
        let cut = |side: usize| self.at_border[side] || before.at_border[side];
        let whole = !(0..4).any(cut);
        let (now, old) = (self.centroid(), before.centroid());
        [0, 1].map(|axis| {
            let (low, high) = (self.low[axis] - before.low[axis], self.high[axis] - before.high[axis]);
            match (cut(2 * axis), cut(2 * axis + 1)) {
                _ if whole => now[axis] - old[axis],
                (false, false) => (low + high) as f64 / 2.0,
                (true, false) => high as f64,
                (false, true) => low as f64,
                (true, true) => 0.0,
            }
        })
    }
}

/// Pairs of components without overlap that are nearest to each other, of similar area, and within [`DISTANCE_MAX`].
fn nearest_pairs(now: &[Geometry], now_known: &[bool], old: &[Geometry], old_known: &[bool]) -> Vec<(usize, usize)> {
    let lost = |known: &[bool]| -> Vec<usize> { (0..known.len()).filter(|&i| !known[i]).collect() };
    let (new, gone) = (lost(now_known), lost(old_known));
    // A matte of many fragments is noise, and comparing all pairs takes too long.
    if new.len() * gone.len() > 10_000 {
        return Vec::new();
    }
    let square = |a: &Geometry, b: &Geometry| {
        let (p, q) = (a.centroid(), b.centroid());
        (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1])
    };
    let nearest = |from: &Geometry, to: &[usize], geometries: &[Geometry]| {
        to.iter().copied().min_by(|&a, &b| square(from, &geometries[a]).total_cmp(&square(from, &geometries[b])))
    };
    let back: Vec<_> = gone.iter().map(|&other| (other, nearest(&old[other], &new, now))).collect();
    let pair = |&(other, component): &(usize, Option<usize>)| {
        let component = component?;
        let near = square(&now[component], &old[other]) <= DISTANCE_MAX * DISTANCE_MAX * now[component].area as f64;
        let mutual =
            near && now[component].has_similar_area(&old[other]) && nearest(&now[component], &gone, old) == Some(other);
        mutual.then_some((component, other))
    };
    back.iter().filter_map(pair).collect()
}
