//! The connected parts of a matte, and how each has moved since the matte before.

use std::collections::HashMap;
use std::ops::Range;

use crate::sim::request;

/// Parts may grow or shrink by this factor and still be taken for the same.
const GROWTH: f64 = 2.0;

/// Parts that don't overlap may be as far from where they were as this many times their size (the root of their area).
const JUMP: f64 = 8.0;

/// Solid cells side by side in a row.
struct Run {
    x: Range<i64>,
    y: i64,
    part: usize,
}

/// A matte as parts: solid cells joined by their sides or corners.
pub(super) struct Parts {
    /// What the cell (0, 0) is called.
    corner: [i64; 2],
    /// Columns.
    width: i64,
    runs: Vec<Run>,
    /// First run of each row, and one more.
    starts: Vec<usize>,
    shapes: Vec<Shape>,
}

/// How the parts of a matte have moved since the one before.
pub(super) struct Motions {
    /// How far each part has moved as a whole, in cells.
    pub by: Vec<[f64; 2]>,
    /// The group of each part, now and before: what was one thing and is one.
    pub groups: [Vec<usize>; 2],
    /// How far each group has moved as a whole, in cells.
    pub moved: Vec<[f64; 2]>,
    /// The middle of each group now; 0 where it is gone.
    pub middles: Vec<[f64; 2]>,
    /// Whether a part of before is still there, or may have left over the border.
    pub stays: Vec<bool>,
    /// Whether a group of both mattes is not all where that motion, in whole cells, puts it.
    pub reshaped: Vec<bool>,
}

/// What there is to know of a part, or of several.
#[derive(Clone, Copy, Debug, Default)]
struct Shape {
    area: i64,
    /// Sums of the doubled places of its cells' middles.
    sums: [i64; 2],
    low: [i64; 2],
    high: [i64; 2],
    /// Whether it touches the left, right, bottom, top of the grid.
    cut: [bool; 4],
}

impl Parts {
    /// The parts of a matte, whose cell (0, 0) is called `corner`.
    pub fn new(solid: &[bool], width: usize, height: usize, corner: [i64; 2]) -> Parts {
        let mut runs: Vec<Run> = Vec::new();
        let mut starts = vec![0];
        let mut names = Names::default();
        for (row, y) in solid.chunks(width).zip(corner[1]..) {
            let before = starts.get(starts.len().wrapping_sub(2)).copied().unwrap_or(0)..runs.len();
            let mut lower = before.start;
            let mut x = 0;
            while let Some(from) = row[x..].iter().position(|&s| s).map(|p| x + p) {
                let to = row[from..].iter().position(|&s| !s).map_or(width, |p| from + p);
                let (part, range) = (names.fresh(), corner[0] + from as i64..corner[0] + to as i64);
                while lower < before.end && runs[lower].x.end < range.start {
                    lower += 1;
                }
                for run in runs[lower..before.end].iter().take_while(|run| run.x.start <= range.end) {
                    names.join(part, run.part);
                }
                request::push(&mut runs, Run { x: range, y, part });
                x = to;
            }
            starts.push(runs.len());
        }
        let mut numbers = HashMap::new();
        let mut shapes: Vec<Shape> = Vec::new();
        for run in &mut runs {
            let next = numbers.len();
            run.part = *numbers.entry(names.root(run.part)).or_insert(next);
            let shape = Shape::of(run, corner, [width as i64, height as i64]);
            match shapes.get_mut(run.part) {
                Some(all) => *all = all.with(&shape),
                None => shapes.push(shape),
            }
        }
        Parts { corner, width: width as i64, runs, starts, shapes }
    }

    /// What of some cells in a row is solid: the runs, and how many of the cells are theirs.
    fn met(&self, x: Range<i64>, y: i64) -> impl Iterator<Item = (&Run, i64)> {
        let row = match usize::try_from(y - self.corner[1]) {
            Ok(row) if row + 1 < self.starts.len() => &self.runs[self.starts[row]..self.starts[row + 1]],
            _ => &[],
        };
        let first = row.partition_point(|run| run.x.end <= x.start);
        row[first..]
            .iter()
            .take_while(move |run| run.x.start < x.end)
            .map(move |run| (run, run.x.end.min(x.end) - run.x.start.max(x.start)))
    }

    /// Gives all solid cells of the grid, in a plane of its cells, what their part is worth.
    pub fn paint<T: Copy>(&self, values: &[T], plane: &mut [T]) {
        for run in &self.runs {
            let start = (run.y - self.corner[1]) * self.width - self.corner[0];
            plane[(start + run.x.start) as usize..(start + run.x.end) as usize].fill(values[run.part]);
        }
    }

    /// What the cell (0, 0) is called.
    pub fn corner(&self) -> [i64; 2] {
        self.corner
    }

    /// How the parts have moved since `before`; both call cells by the same names.
    ///
    /// Parts that overlap are the same, and so are two left over that are each other's nearest, of about one area, and not
    /// far apart. Where several became one or one several they move together. A part that is whole moves as its middle;
    /// one that is cut by the border as its edges inside do. What appears stands still, and so does what changes its area
    /// twofold, or would be less where it is now had it moved so than had it stayed.
    pub fn motions(&self, before: &Parts) -> Motions {
        // Names of both: those of now, and then those of before.
        let count = self.shapes.len();
        let mut names = Names::default();
        for _ in 0..count + before.shapes.len() {
            names.fresh();
        }
        let mut known = vec![false; count + before.shapes.len()];
        for run in &self.runs {
            for (old, _) in before.met(run.x.clone(), run.y) {
                names.join(run.part, count + old.part);
                (known[run.part], known[count + old.part]) = (true, true);
            }
        }
        for (now, old) in leapt(&self.shapes, &known[..count], &before.shapes, &known[count..]) {
            names.join(now, count + old);
        }
        let roots: Vec<usize> = (0..known.len()).map(|name| names.root(name)).collect();
        let mut groups: Vec<(Option<Shape>, Option<Shape>)> = vec![(None, None); known.len()];
        for ((name, shape), &root) in self.shapes.iter().chain(&before.shapes).enumerate().zip(&roots) {
            let side = if name < count { &mut groups[root].0 } else { &mut groups[root].1 };
            *side = Some(side.map_or(*shape, |all| all.with(shape)));
        }
        let mut moved: Vec<_> = groups
            .iter()
            .map(|group| match group {
                (Some(now), Some(old)) if now.alike(old) || now.is_cut() || old.is_cut() => now.motion(old),
                _ => [0.0; 2],
            })
            .collect();
        // Cells of each group in both mattes, of which its motion explains so many, and rest so many.
        let mut cells = vec![[0; 3]; known.len()];
        let mut count_cells = |run: &Run, name: usize, other: &Parts, first: usize, way: i64| {
            let root = roots[name];
            let by = moved[root].map(|d| way * libm::round(d) as i64);
            let same = |part: usize| roots[first + part] == root;
            let rest = other.explained(run, [0; 2], same);
            let motion = if by == [0; 2] { rest } else { other.explained(run, by, same) };
            for (sum, value) in cells[root].iter_mut().zip([run.x.end - run.x.start, motion, rest]) {
                *sum += value;
            }
        };
        self.runs.iter().for_each(|run| count_cells(run, run.part, before, count, -1));
        before.runs.iter().for_each(|run| count_cells(run, count + run.part, self, 0, 1));
        let mut reshaped = vec![false; known.len()];
        for (group, ((moved, reshaped), [all, motion, rest])) in
            groups.iter().zip(moved.iter_mut().zip(&mut reshaped).zip(cells))
        {
            let sound = motion > rest || moved.iter().all(|&d| libm::round(d) == 0.0);
            if !sound {
                *moved = [0.0; 2];
            }
            *reshaped = matches!(group, (Some(_), Some(_))) && if sound { motion } else { rest } < all;
        }
        let by = roots[..count].iter().map(|&root| moved[root]).collect();
        let middles = groups.iter().map(|(now, _)| now.map_or([0.0; 2], |shape| shape.middle())).collect();
        let stays = roots[count..].iter().zip(&before.shapes);
        let stays = stays.map(|(&root, old)| groups[root].0.is_some() || old.is_cut()).collect();
        Motions { by, groups: [roots[..count].to_vec(), roots[count..].to_vec()], moved, middles, stays, reshaped }
    }

    /// How many cells of another matte's run, moved, lie on parts of this one, or where it can't be known.
    fn explained(&self, run: &Run, by: [i64; 2], part: impl Fn(usize) -> bool) -> i64 {
        let (x, y) = (run.x.start + by[0]..run.x.end + by[0], run.y + by[1]);
        let (left, right, low) = (self.corner[0], self.corner[0] + self.width, self.corner[1]);
        if !(low..low + self.starts.len() as i64 - 1).contains(&y) {
            return x.end - x.start;
        }
        let inside = (x.end.min(right) - x.start.max(left)).max(0);
        let met = self.met(x.clone(), y).filter(|(run, _)| part(run.part)).map(|met| met.1);
        x.end - x.start - inside + met.sum::<i64>()
    }
}

impl Shape {
    fn of(run: &Run, corner: [i64; 2], size: [i64; 2]) -> Shape {
        let area = run.x.end - run.x.start;
        let (low, high) = ([run.x.start, run.y], [run.x.end, run.y + 1]);
        Shape {
            area,
            sums: [(run.x.start + run.x.end) * area, (2 * run.y + 1) * area],
            low,
            high,
            cut: [
                low[0] == corner[0],
                high[0] == corner[0] + size[0],
                low[1] == corner[1],
                high[1] == corner[1] + size[1],
            ],
        }
    }

    fn with(&self, other: &Shape) -> Shape {
        Shape {
            area: self.area + other.area,
            sums: [0, 1].map(|i| self.sums[i] + other.sums[i]),
            low: [0, 1].map(|i| self.low[i].min(other.low[i])),
            high: [0, 1].map(|i| self.high[i].max(other.high[i])),
            cut: [0, 1, 2, 3].map(|i| self.cut[i] || other.cut[i]),
        }
    }

    fn is_cut(&self) -> bool {
        self.cut.contains(&true)
    }

    fn alike(&self, other: &Shape) -> bool {
        let (a, b) = (self.area as f64, other.area as f64);
        a <= b * GROWTH && b <= a * GROWTH
    }

    fn middle(&self) -> [f64; 2] {
        self.sums.map(|sum| sum as f64 / self.area as f64 / 2.0)
    }

    /// How far it has moved since `before`. Exactly 0 where it has not.
    fn motion(&self, before: &Shape) -> [f64; 2] {
        let cut = |side: usize| self.cut[side] || before.cut[side];
        let whole = !(0..4).any(cut);
        let (now, old) = (self.middle(), before.middle());
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
fn leapt(now: &[Shape], now_known: &[bool], old: &[Shape], old_known: &[bool]) -> Vec<(usize, usize)> {
    let lost = |known: &[bool]| -> Vec<usize> { (0..known.len()).filter(|&i| !known[i]).collect() };
    let (new, gone) = (lost(now_known), lost(old_known));
    // A matte of many crumbs tells nothing, and all pairs of them would take long.
    if new.len() * gone.len() > 10_000 {
        return Vec::new();
    }
    let square = |a: &Shape, b: &Shape| {
        let (p, q) = (a.middle(), b.middle());
        (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1])
    };
    let nearest = |from: &Shape, to: &[usize], shapes: &[Shape]| {
        to.iter().copied().min_by(|&a, &b| square(from, &shapes[a]).total_cmp(&square(from, &shapes[b])))
    };
    let back: Vec<_> = gone.iter().map(|&other| (other, nearest(&old[other], &new, now))).collect();
    let pair = |&(other, part): &(usize, Option<usize>)| {
        let part = part?;
        let near = square(&now[part], &old[other]) <= JUMP * JUMP * now[part].area as f64;
        let mutual = near && now[part].alike(&old[other]) && nearest(&now[part], &gone, old) == Some(other);
        mutual.then_some((part, other))
    };
    back.iter().filter_map(pair).collect()
}

/// Things that may turn out to be one.
#[derive(Default)]
struct Names {
    parents: Vec<usize>,
}

impl Names {
    fn fresh(&mut self) -> usize {
        self.parents.push(self.parents.len());
        self.parents.len() - 1
    }

    fn root(&mut self, mut name: usize) -> usize {
        while self.parents[name] != name {
            self.parents[name] = self.parents[self.parents[name]];
            name = self.parents[name];
        }
        name
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b);
    }
}
