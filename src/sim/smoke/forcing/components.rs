//! The connected parts of a matte, and how each has moved since the matte before.

use std::collections::HashMap;
use std::ops::Range;

use crate::sim::request;
use crate::sim::union_find::UnionFind;

/// Parts may grow or shrink by this factor and still be taken for the same.
const AREA_RATIO_MAX: f64 = 2.0;

/// Parts that don't overlap may be as far from where they were as this many times their size (the root of their area).
const DISTANCE_MAX: f64 = 8.0;

/// Solid cells side by side in a row.
struct Span {
    x: Range<i64>,
    y: i64,
    component: usize,
}

/// A matte as parts: solid cells joined by their sides or corners.
pub(super) struct Components {
    /// What the cell (0, 0) is called.
    origin: [i64; 2],
    /// Columns.
    width: i64,
    spans: Vec<Span>,
    /// First run of each row, and one more.
    starts: Vec<usize>,
    geometries: Vec<Geometry>,
}

/// How the parts of a matte have moved since the one before.
pub(super) struct ComponentMotions {
    /// How far each part has moved as a whole, in cells.
    pub displacements: Vec<[f64; 2]>,
    /// The group of each part, now and before: what was one thing and is one.
    pub groups: [Vec<usize>; 2],
    /// How far each group has moved as a whole, in cells.
    pub group_displacements: Vec<[f64; 2]>,
    /// The middle of each group now; 0 where it is gone.
    pub group_centres: Vec<[f64; 2]>,
    /// Whether a part of before is still there, or may have left over the border.
    pub persists: Vec<bool>,
    /// Whether a group of both mattes is not all where that motion, in whole cells, puts it.
    pub deformed: Vec<bool>,
}

/// What there is to know of a part, or of several.
#[derive(Clone, Copy, Debug, Default)]
struct Geometry {
    area: i64,
    /// Sums of the doubled places of its cells' middles.
    sums: [i64; 2],
    low: [i64; 2],
    high: [i64; 2],
    /// Whether it touches the left, right, bottom, top of the grid.
    at_border: [bool; 4],
}

impl Components {
    /// The parts of a matte, whose cell (0, 0) is called `corner`.
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

    /// What of some cells in a row is solid: the runs, and how many of the cells are theirs.
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

    /// Gives all solid cells of the grid, in a plane of its cells, what their part is worth.
    pub fn paint<T: Copy>(&self, values: &[T], plane: &mut [T]) {
        for span in &self.spans {
            let start = (span.y - self.origin[1]) * self.width - self.origin[0];
            plane[(start + span.x.start) as usize..(start + span.x.end) as usize].fill(values[span.component]);
        }
    }

    /// What the cell (0, 0) is called.
    pub fn origin(&self) -> [i64; 2] {
        self.origin
    }

    /// How the parts have moved since `before`; both call cells by the same names.
    ///
    /// Parts that overlap are the same, and so are two left over that are each other's nearest, of about one area, and not
    /// far apart. Where several became one or one several they move together. A part that is whole moves as its middle;
    /// one that is cut by the border as its edges inside do. What appears stands still, and so does what changes its area
    /// twofold, or would be less where it is now had it moved so than had it stayed.
    pub fn motions(&self, before: &Components) -> ComponentMotions {
        // Names of both: those of now, and then those of before.
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
        // Cells of each group in both mattes, of which its motion explains so many, and rest so many.
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

    /// How many cells of another matte's run, moved, lie on parts of this one, or where it can't be known.
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

    /// How far it has moved since `before`. Exactly 0 where it has not.
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

/// Pairs of parts that overlap nothing and are each other's nearest, alike, and near enough.
fn nearest_pairs(now: &[Geometry], now_known: &[bool], old: &[Geometry], old_known: &[bool]) -> Vec<(usize, usize)> {
    let lost = |known: &[bool]| -> Vec<usize> { (0..known.len()).filter(|&i| !known[i]).collect() };
    let (new, gone) = (lost(now_known), lost(old_known));
    // A matte of many crumbs tells nothing, and all pairs of them would take long.
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
