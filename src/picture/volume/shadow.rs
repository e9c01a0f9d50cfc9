//! Shadows of directional lights, and of point lights far enough outside the medium: the optical depth between a light
//! and each value of a volume.
//!
//! Layers are the planes of values normal to the main axis of the light. There is one ray for each cell of a layer. The
//! optical depth is added up along each ray, layer by layer from the light, and interpolated bilinearly between rays at
//! the values of each layer. Rays of a directional light are parallel and one cell apart; those of a point light are
//! one cell apart in the layer farthest from it.

use super::sample::Volume;
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::{Wide, wide};
use crate::sim::request;

/// Extinction of a box of values, with its axes in the order of memory.
#[derive(Clone, Copy)]
pub struct Block<'a> {
    /// Number of values along the fastest axis, the middle one, and the slowest one.
    pub size: [usize; 3],
    /// The values.
    pub values: &'a [f32],
}

/// Positions of the rays in a layer, along one of the two axes normal to the main axis: ray `first + i` is at `start +
/// i·step`.
#[derive(Clone, Copy)]
struct Row {
    first: i64,
    start: f64,
    step: f64,
}

/// Rays of a light through a block: their positions in each layer, counted from the light.
#[derive(Clone, Copy)]
pub enum Rays {
    /// Parallel rays: ray X is at X + slope·layer.
    Parallel {
        /// Displacement per layer along the two axes normal to the main axis, the one that is faster in memory first.
        slopes: [f64; 2],
    },
    /// Rays from a point: ray X is at `point + X·(height + layer)/far`.
    Point {
        /// Position of the point along the two axes normal to the main axis.
        point: [f64; 2],
        /// Distance from the point to layer 0.
        height: f64,
        /// Distance from the point to the last layer.
        far: f64,
    },
}

impl Rays {
    /// Ray `ray` is at `origin + ray·step` in a layer.
    fn places(&self, axis: usize, layer: usize) -> (f64, f64) {
        match *self {
            Rays::Parallel { slopes } => (slopes[axis] * layer as f64, 1.0),
            Rays::Point { point, height, far } => (point[axis], (height + layer as f64) / far),
        }
    }

    /// Positions of the rays of a layer along an axis, from the last one before value 0 on.
    fn row(&self, axis: usize, layer: usize) -> Row {
        let (origin, step) = self.places(axis, layer);
        let first = libm::floor(-origin / step);
        Row { first: first as i64, start: origin + first * step, step }
    }

    /// Number of rays of a layer along an axis that are needed to interpolate at a row of `count` values.
    fn count(&self, axis: usize, layer: usize, count: usize) -> usize {
        let (origin, step) = self.places(axis, layer);
        let (first, last) = (libm::floor(-origin / step), libm::floor(((count - 1) as f64 - origin) / step));
        (last - first) as usize + 2
    }

    /// Range of the rays of all layers along an axis: the first one and the one after the last.
    fn range(&self, axis: usize, layers: usize, count: usize) -> [i64; 2] {
        let ends = [0, layers - 1].map(|layer| {
            let first = self.row(axis, layer).first;
            [first, first + self.count(axis, layer, count) as i64]
        });
        [ends[0][0].min(ends[1][0]), ends[0][1].max(ends[1][1])]
    }

    /// Length of a ray between two layers.
    fn length(&self, rays: [f64; 2]) -> f64 {
        let slopes = match *self {
            Rays::Parallel { slopes } => slopes,
            Rays::Point { far, .. } => rays.map(|ray| ray / far),
        };
        libm::sqrt(1.0 + slopes[0] * slopes[0] + slopes[1] * slopes[1])
    }
}

/// Optical depths between a light and the layers of a block, stored per ray.
pub struct Depths {
    rays: Rays,
    /// Whether the main axis is the middle axis of the block; otherwise it is the slowest one.
    is_middle: bool,
    /// Whether the first layer in memory is the farthest from the light.
    is_reversed: bool,
    size: [usize; 3],
    /// First row of rays.
    first: i64,
    /// For each row of rays, the optical depths of its rays from [`Row::first`] on, layer after layer.
    rows: Vec<RayRow>,
}

/// A row of rays.
struct RayRow {
    /// The first layer in which the row of rays is next to a value.
    from: usize,
    /// First entry of each layer, and the end.
    starts: Vec<u32>,
    depths: Vec<f32>,
}

impl Depths {
    /// Adds up the extinction along rays, on the threads of `cpu`. The main axis is the middle one of the block
    /// (`is_middle`) or the slowest one; the light is beyond its high end if `is_reversed`, beyond its low end
    /// otherwise.
    pub fn new(cpu: &Cpu, block: Block<'_>, rays: Rays, is_middle: bool, is_reversed: bool) -> Self {
        let [_, middle, slow] = block.size;
        let (layers, across) = if is_middle { (middle, slow) } else { (slow, middle) };
        let [first, end] = rays.range(1, layers, across);
        let mut depths = Self { rays, is_middle, is_reversed, size: block.size, first, rows: Vec::new() };
        let rows = (first..end).collect();
        depths.rows = cpu.each(rows, |row: i64| wide(March { depths: &depths, block, row }));
        depths
    }

    fn layers(&self) -> usize {
        self.size[if self.is_middle { 1 } else { 2 }]
    }

    fn across(&self) -> usize {
        self.size[if self.is_middle { 2 } else { 1 }]
    }

    /// The row of values of a layer with index `across` along the axis normal to the main axis and to the rows.
    #[inline(always)]
    fn values<'a>(&self, block: Block<'a>, layer: usize, across: usize) -> &'a [f32] {
        let [count, middle, _] = self.size;
        let layer = if self.is_reversed { self.layers() - 1 - layer } else { layer };
        let at = if self.is_middle { layer + middle * across } else { across + middle * layer };
        &block.values[count * at..][..count]
    }

    #[inline(always)]
    fn ray_row(&self, block: Block<'_>, row: i64) -> RayRow {
        let (layers, across, count) = (self.layers(), self.across(), self.size[0]);
        // The layers in which the row of rays is between values or next to one.
        let place = |layer: usize| {
            let (origin, step) = self.rays.places(1, layer);
            (origin + row as f64 * step, step)
        };
        let near = |layer: &usize| {
            let (place, step) = place(*layer);
            place > -step.max(1.0) - 1e-6 && place < (across - 1) as f64 + step.max(1.0) + 1e-6
        };
        let Some(from) = (0..layers).find(near) else {
            return RayRow { from: 0, starts: Vec::new(), depths: Vec::new() };
        };
        let end = (from..layers).rfind(near).map_or(from, |last| last + 1);
        let mut starts = request::with_capacity(end - from + 1);
        let mut total = 0;
        for layer in from..end {
            starts.push(total as u32);
            total += self.rays.count(0, layer, count);
        }
        starts.push(total as u32);
        let mut depths = request::zeros::<f32>(total);
        let [low, high] = self.rays.range(0, layers, count);
        let width = (high - low) as usize;
        let mut lengths = request::with_capacity(width);
        lengths.extend((low..high).map(|ray| (0.5 * self.rays.length([ray as f64, row as f64])) as f32));
        let mut sums = request::zeros::<f32>(width);
        let mut before = request::zeros::<f32>(width);
        // A row of values with a zero on each side.
        let mut line = request::zeros::<f32>(count + 2);
        for layer in from..end {
            let (place, _) = place(layer);
            let low_value = libm::floor(place);
            let share = (place - low_value) as f32;
            self.mix_rows(block, layer, low_value as i64, share, &mut line[1..=count]);
            let Row { first, start, step } = self.rays.row(0, layer);
            let at = (first - low) as usize;
            let range = starts[layer - from] as usize..starts[layer - from + 1] as usize;
            let length = range.len();
            let (sums, before, lengths) =
                (&mut sums[at..at + length], &mut before[at..at + length], &lengths[at..at + length]);
            match self.rays {
                Rays::Parallel { .. } => {
                    // Ray i is between the values i − 1 and i.
                    let share = (1.0 + start) as f32;
                    let pairs = line[..length].iter().zip(&line[1..]);
                    for ((((low, high), sum), before), length) in pairs.zip(sums.iter_mut()).zip(before).zip(lengths) {
                        let here = low + (high - low) * share;
                        *sum += length * (here + *before);
                        *before = here;
                    }
                }
                Rays::Point { .. } => {
                    let (start, step) = (start as f32 + 1.0, step as f32);
                    for (i, ((sum, before), length)) in sums.iter_mut().zip(before).zip(lengths).enumerate() {
                        let place = (start + i as f32 * step).max(0.0).min((count + 1) as f32);
                        let low = (place as usize).min(count);
                        let here = line[low] + (line[low + 1] - line[low]) * (place - low as f32);
                        *sum += length * (here + *before);
                        *before = here;
                    }
                }
            }
            depths[range].copy_from_slice(sums);
        }
        RayRow { from, starts, depths }
    }

    /// Writes the values of a layer between its rows `low` and `low + 1`, interpolated at the fraction `share`. Rows
    /// outside the block are 0.
    #[inline(always)]
    fn mix_rows(&self, block: Block<'_>, layer: usize, low: i64, share: f32, out: &mut [f32]) {
        let across = self.across() as i64;
        let inside = |row: i64| (0..across).contains(&row).then(|| self.values(block, layer, row as usize));
        match (inside(low), inside(low + 1)) {
            (Some(below), Some(above)) => {
                for ((to, below), above) in out.iter_mut().zip(below).zip(above) {
                    *to = below + (above - below) * share;
                }
            }
            (Some(below), None) => {
                out.iter_mut().zip(below).for_each(|(to, below)| *to = below - below * share);
            }
            (None, Some(above)) => {
                out.iter_mut().zip(above).for_each(|(to, above)| *to = above * share);
            }
            (None, None) => out.fill(0.0),
        }
    }

    /// The optical depths of the row of values with index `middle` along the middle axis and `slow` along the slowest.
    #[inline(always)]
    fn read(&self, middle: usize, slow: usize, out: &mut [f32]) {
        let (layer, across) = if self.is_middle { (middle, slow) } else { (slow, middle) };
        let layer = if self.is_reversed { self.layers() - 1 - layer } else { layer };
        let (origin, step) = self.rays.places(1, layer);
        let place = (across as f64 - origin) / step;
        let low = libm::floor(place);
        let share = (place - low) as f32;
        let rows = [low as i64, low as i64 + 1].map(|row| self.ray_depths(row, layer));
        let [below, above] = rows;
        let Row { start, step, .. } = self.rays.row(0, layer);
        match self.rays {
            Rays::Parallel { .. } => {
                // Value x is between the rays x and x + 1.
                let along = -start as f32;
                let rows = below.iter().zip(&below[1..]).zip(above.iter().zip(&above[1..]));
                for (((a, b), (c, d)), to) in rows.zip(out) {
                    let (low, high) = (a + (b - a) * along, c + (d - c) * along);
                    *to = low + (high - low) * share;
                }
            }
            Rays::Point { .. } => {
                for (x, to) in out.iter_mut().enumerate() {
                    let place = (((x as f64 - start) / step) as f32).max(0.0);
                    let at = (place as usize).min(below.len() - 2);
                    let along = place - at as f32;
                    let low = below[at] + (below[at + 1] - below[at]) * along;
                    let high = above[at] + (above[at + 1] - above[at]) * along;
                    *to = low + (high - low) * share;
                }
            }
        }
    }

    /// Writes the optical depths at the values of plane `slow`, `[width, height]` of them. Where the block of the rays
    /// is the transposed extinction, the result is transposed back.
    #[inline(always)]
    pub fn read_plane(&self, slow: usize, is_exchanged: bool, [width, height]: [usize; 2], out: &mut [f32]) {
        if is_exchanged {
            let mut columns = request::zeros::<f32>(width * height);
            for (x, column) in columns.chunks_exact_mut(height).enumerate() {
                self.read(x, slow, column);
            }
            transpose(&columns, height, out);
        } else {
            for (y, row) in out.chunks_exact_mut(width).enumerate() {
                self.read(y, slow, row);
            }
        }
    }

    #[inline(always)]
    fn ray_depths(&self, row: i64, layer: usize) -> &[f32] {
        let row = &self.rows[(row - self.first) as usize];
        let at = layer - row.from;
        &row.depths[row.starts[at] as usize..row.starts[at + 1] as usize]
    }
}

/// A job: the optical depths of one row of rays.
struct March<'a> {
    depths: &'a Depths,
    block: Block<'a>,
    row: i64,
}

impl Wide for March<'_> {
    type Output = RayRow;

    #[inline(always)]
    fn run(self) -> RayRow {
        self.depths.ray_row(self.block, self.row)
    }
}

/// The extinction with x and y exchanged (transposed), plane by plane.
pub fn transposed(cpu: &Cpu, volume: &Volume<f32>) -> Vec<f32> {
    let [width, height, _] = volume.size;
    let mut values = request::zeros::<f32>(volume.values.len());
    let planes = values.chunks_mut(width * height).zip(volume.values.chunks(width * height)).collect();
    cpu.each(planes, |(to, from): (&mut [f32], &[f32])| transpose(from, width, to));
    values
}

/// Transposes a plane with rows of `width` values, in blocks that fit the cache.
#[inline(always)]
fn transpose(from: &[f32], width: usize, to: &mut [f32]) {
    const SIDE: usize = 16;
    let height = from.len() / width;
    for y in (0..height).step_by(SIDE) {
        for x in (0..width).step_by(SIDE) {
            for column in x..(x + SIDE).min(width) {
                for row in y..(y + SIDE).min(height) {
                    to[column * height + row] = from[row * width + column];
                }
            }
        }
    }
}
