//! Solids in the fields of a box: open shares of faces, velocities of closed faces, and solid cells.

use super::super::Cpu;
use super::super::wide::Do;
use super::padded::Padded;
use crate::sim::memory::Values;
use crate::sim::volume::fields::{Bounds, TILE};
use crate::sim::volume::plan::StepPlan;
use crate::sim::volume::projected::Cover;
use crate::sim::volume::settings::Side;
use crate::sim::volume::solids::{Bodies, Cut};
use crate::sim::volume::state::face_sizes;

/// Values of a row that have something in common: the row, the first value, and the one after the last.
struct Run {
    y: usize,
    from: usize,
    to: usize,
    /// Velocity of closed faces.
    speed: f32,
}

/// The faces across one axis.
struct Faces {
    open: Values<f32>,
    /// The flow of the solids through the parts that they cover; `None` where all of them stand still.
    moved: Option<Values<f32>>,
    /// Closed faces, by plane.
    closed: Vec<Vec<Run>>,
}

/// The solids of a step in its box.
pub(in crate::compute) struct Solids {
    faces: [Faces; 3],
    /// Solid cells, by plane.
    cells: Vec<Vec<Run>>,
    size: [usize; 3],
}

/// Adds a value to the last of the runs, or begins one.
fn add(runs: &mut Vec<Run>, y: usize, x: usize, speed: f32) {
    match runs.last_mut() {
        Some(run) if run.y == y && run.to == x && run.speed == speed => run.to += 1,
        _ => runs.push(Run { y, from: x, to: x + 1, speed }),
    }
}

/// Radius of a ball that has a tile with all its faces, cells: half of its diagonal is 7.0.
const TILE_RADIUS: f64 = 8.0;

/// Values of a row, from the first on, that one of the solids may touch.
struct Near {
    boxes: Vec<[[i32; 3]; 2]>,
    /// For each row of tiles the first tile that a solid of a picture may touch, and the one after the last.
    tiles: Vec<[usize; 2]>,
    /// Tiles of the box along each axis.
    counts: [usize; 3],
    whole: bool,
}

impl Near {
    fn new(cpu: &Cpu, bodies: Bodies<'_>, bounds: Bounds) -> Self {
        let counts = bounds.cells.map(|cells| cells.div_ceil(TILE));
        let rows = if bodies.projected.is_empty() { 0 } else { counts[1] * counts[2] };
        let tiles = cpu.each((0..rows).collect(), |row: usize| {
            let touched = |x: &usize| {
                let tile = [*x, row % counts[1], row / counts[1]];
                let middle = |axis: usize| f64::from(bounds.low[axis]) + ((2 * tile[axis] + 1) * TILE) as f64 / 2.0;
                bodies.projected_cover([0, 1, 2].map(middle), TILE_RADIUS) != Cover::None
            };
            let mut all = (0..counts[0]).filter(touched);
            all.next().map_or([0; 2], |first| [first, all.next_back().unwrap_or(first) + 1])
        });
        let relative = |end: [i32; 3]| std::array::from_fn(|axis| end[axis] - bounds.low[axis]);
        let boxes = bodies.all.iter().map(|body| body.bounds().map(relative)).collect();
        Self { boxes, tiles, counts, whole: bodies.periods.iter().any(Option::is_some) }
    }

    /// The range in a row of `count` values.
    fn range(&self, [y, z]: [usize; 2], count: usize) -> std::ops::Range<usize> {
        if self.whole {
            return 0..count;
        }
        let inside = |low: i32, at: usize, high: i32| (low..=high).contains(&(at as i32));
        let near = self.boxes.iter().filter(|[low, high]| inside(low[1], y, high[1]) && inside(low[2], z, high[2]));
        let limit = |at: i32| at.clamp(0, count as i32) as usize;
        let near = near.map(|[low, high]| limit(low[0])..limit(high[0] + 1));
        near.chain(self.touched([y, z], count)).reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..0)
    }

    /// The range in a row of `count` values that solids of pictures may touch.
    fn touched(&self, [y, z]: [usize; 2], count: usize) -> Option<std::ops::Range<usize>> {
        // The faces at the far sides belong to the last tiles.
        let [y, z] = [(y, 1), (z, 2)].map(|(at, axis)| (at / TILE).min(self.counts[axis] - 1));
        let [first, end] = *self.tiles.get(y + self.counts[1] * z)?;
        let last = if end == self.counts[0] { count } else { end * TILE };
        (first < end).then_some(first * TILE..last.min(count))
    }
}

impl Faces {
    fn new(cpu: &Cpu, axis: usize, plan: &StepPlan, bodies: Bodies<'_>, near: &Near) -> Self {
        let (bounds, [low, high]) = (plan.bounds, plan.sides[axis]);
        let size = face_sizes(bounds.cells, axis);
        let plane = size[0] * size[1];
        let moves = bodies.all.iter().any(|body| !body.is_still());
        let mut open = Values::uninitialised(plane * size[2], cpu.memory());
        let mut moved = moves.then(|| Values::uninitialised(plane * size[2], cpu.memory()));
        let pieces: Vec<_> = match &mut moved {
            Some(moved) => open.chunks_exact_mut(plane).zip(moved.chunks_exact_mut(plane).map(Some)).collect(),
            None => open.chunks_exact_mut(plane).map(|open| (open, None)).collect(),
        };
        // The last faces of a wrapped axis are the first.
        let place = |at: [usize; 3]| {
            std::array::from_fn(|along| {
                let on = along == axis;
                let at = if on && low == Side::Wrapped { at[along] % bounds.cells[along] } else { at[along] };
                f64::from(bounds.low[along]) + at as f64 + if on { 0.0 } else { 0.5 }
            })
        };
        let wall = |at: usize| (at == 0 && low == Side::Closed) || (at == bounds.cells[axis] && high == Side::Closed);
        let closed = cpu.each(
            pieces.into_iter().enumerate().collect(),
            |(z, (open, mut moved)): (usize, (&mut [f32], Option<&mut [f32]>))| {
                let mut closed = Vec::new();
                open.fill(1.0);
                if let Some(moved) = &mut moved {
                    moved.fill(0.0);
                }
                for y in 0..size[1] {
                    for x in near.range([y, z], size[0]) {
                        let at = [x, y, z];
                        // The faces of a closed side of the box stay at rest.
                        if wall(at[axis]) {
                            continue;
                        }
                        let Some(Cut { open: share, speed }) = bodies.cut(axis, place(at)) else { continue };
                        open[x + size[0] * y] = share;
                        if let Some(moved) = &mut moved {
                            moved[x + size[0] * y] = (1.0 - share) * speed;
                        }
                        if share == 0.0 {
                            add(&mut closed, y, x, speed);
                        }
                    }
                }
                closed
            },
        );
        Self { open, moved, closed }
    }
}

impl Solids {
    /// The solids of a step; `None` where no face of the box is covered.
    pub fn new(cpu: &Cpu, plan: &StepPlan) -> Option<Self> {
        if plan.solids.is_empty() && plan.projected.is_empty() {
            return None;
        }
        let size = plan.bounds.cells;
        let periods = std::array::from_fn(|axis| (plan.sides[axis][0] == Side::Wrapped).then_some(size[axis] as f64));
        let bodies = Bodies { all: &plan.solids, projected: &plan.projected, periods };
        let near = Near::new(cpu, bodies, plan.bounds);
        let faces = [0, 1, 2].map(|axis| Faces::new(cpu, axis, plan, bodies, &near));
        if faces.iter().all(|faces| faces.open.iter().all(|open| *open == 1.0)) {
            return None;
        }
        let sizes = [0, 1, 2].map(|axis| face_sizes(size, axis));
        let closed = |axis: usize, [x, y, z]: [usize; 3]| {
            let at = x + sizes[axis][0] * (y + sizes[axis][1] * z);
            let step = [1, sizes[axis][0], sizes[axis][0] * sizes[axis][1]][axis];
            faces[axis].open[at] == 0.0 && faces[axis].open[at + step] == 0.0
        };
        let cells = cpu.each((0..size[2]).collect(), |z: usize| {
            let mut solid = Vec::new();
            for y in 0..size[1] {
                for x in near.range([y, z], size[0]) {
                    let at = [x, y, z];
                    let place = std::array::from_fn(|axis| f64::from(plan.bounds.low[axis]) + at[axis] as f64 + 0.5);
                    if bodies.holds(place) || (0..3).all(|axis| closed(axis, at)) {
                        add(&mut solid, y, x, 0.0);
                    }
                }
            }
            solid
        });
        Some(Self { faces, cells, size })
    }

    /// The open shares of the faces across each axis.
    pub fn open(&self) -> [&[f32]; 3] {
        self.faces.each_ref().map(|faces| &faces.open[..])
    }

    /// The flow of the solids through the covered parts of the faces across each axis, at a closed face the velocity of
    /// its solid; `None` where all of them stand still.
    pub fn moved(&self) -> Option<[&[f32]; 3]> {
        let [x, y, z] = self.faces.each_ref().map(|faces| faces.moved.as_deref());
        Some([x?, y?, z?])
    }

    /// A bit for each cell, which is set in solid ones.
    pub fn mask(&self) -> Vec<u32> {
        let [columns, rows, planes] = self.size;
        let mut mask = vec![0_u32; (columns * rows * planes).div_ceil(32)];
        for (z, runs) in self.cells.iter().enumerate() {
            for run in runs {
                let row = columns * (run.y + rows * z);
                (row + run.from..row + run.to).for_each(|cell| mask[cell / 32] |= 1 << (cell % 32));
            }
        }
        mask
    }

    /// Sets closed faces to the velocity of their solid.
    pub(super) fn enforce(&self, cpu: &Cpu, velocity: &mut [Padded; 3]) {
        for (field, faces) in velocity.iter_mut().zip(&self.faces) {
            cpu.each(field.planes(), |mut plane| {
                for run in &faces.closed[plane.z] {
                    plane.row(run.y)[run.from..run.to].fill(run.speed);
                }
            });
        }
    }

    /// Sets the packs of solid cells to 0; there are `detail`³ packs for each cell.
    pub(super) fn clear(&self, cpu: &Cpu, packs: &mut Padded, detail: usize) {
        cpu.each(packs.planes(), |mut plane| {
            for run in &self.cells[plane.z / detail] {
                for y in run.y * detail..(run.y + 1) * detail {
                    plane.row(y)[4 * detail * run.from..4 * detail * run.to].fill(0.0);
                }
            }
        });
    }

    /// Sets the packs of the solid cells of a row to 0, in each of the rows of packs that follow one another in `packs`.
    pub(super) fn clear_rows(&self, [y, z]: [usize; 2], packs: &mut [f32], detail: usize) {
        let runs = &self.cells[z];
        let first = runs.partition_point(|run| run.y < y);
        for run in runs[first..].iter().take_while(|run| run.y == y) {
            for row in packs.chunks_exact_mut(4 * detail * self.size[0]) {
                row[4 * detail * run.from..4 * detail * run.to].fill(0.0);
            }
        }
    }

    /// Net outflow of a row of cells through the open and the covered parts of their faces.
    pub(super) fn outflow<'a>(&'a self, cpu: &Cpu, velocity: [&'a Padded; 3], [y, z]: [usize; 2], to: &mut [f32]) {
        let columns = self.size[0];
        for (axis, faces) in self.faces.iter().enumerate() {
            let size = face_sizes(self.size, axis);
            let ends = match axis {
                0 => [[y, z]; 2],
                1 => [[y, z], [y + 1, z]],
                _ => [[y, z], [y, z + 1]],
            };
            let shift = usize::from(axis == 0);
            let part = |end: usize| {
                let u = velocity[axis].row(ends[end]);
                let [y, z] = ends[end];
                let from = shift * end;
                let row = |values: &'a [f32]| &values[(y + size[1] * z) * size[0] + from..][..columns];
                (&u[from..from + columns], row(&faces.open), faces.moved.as_ref().map(|moved| row(moved)))
            };
            let ((u0, open0, moved0), (u1, open1, moved1)) = (part(0), part(1));
            cpu.isa.run(Do(
                #[inline(always)]
                || {
                    for x in 0..to.len() {
                        let out = open1[x] * u1[x] - open0[x] * u0[x];
                        to[x] = if axis == 0 { out } else { to[x] + out };
                    }
                },
            ));
            if let (Some(moved0), Some(moved1)) = (moved0, moved1) {
                for ((to, low), high) in to.iter_mut().zip(moved0).zip(moved1) {
                    *to += high - low;
                }
            }
        }
    }
}
