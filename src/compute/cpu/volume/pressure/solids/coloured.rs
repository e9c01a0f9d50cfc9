//! Fields with the cells of each colour in an array of their own: all neighbours of a cell are in the other array.
//!
//! Cell (x, y, z) has the colour `(x + y + z) mod 2`. The cells of a colour in a row begin with x = t, where t = (y + z +
//! colour) mod 2: cell `i` has x = 2i + t. Its neighbours along y and z are the cells `i` of the other colour; those along
//! x are the cells `i + t − 1` and `i + t`.

use super::super::super::super::Cpu;
use crate::sim::memory::Values;

/// The size of a field and the layout of its arrays, which have a layer of ghost values around the cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layout {
    pub size: [usize; 3],
    pub wrapped: [bool; 3],
}

/// The cells of a colour in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Index of the first cell.
    pub at: usize,
    /// Column of the first cell, 0 or 1.
    pub parity: usize,
    /// Number of cells.
    pub count: usize,
}

impl Layout {
    /// Values of a row.
    pub fn stride(self) -> usize {
        self.size[0].div_ceil(2) + 2
    }

    /// Values of a plane.
    pub fn plane(self) -> usize {
        self.stride() * (self.size[1] + 2)
    }

    /// Number of cells.
    pub fn cells(self) -> usize {
        self.size.iter().product()
    }

    /// A row of a colour. The index is that in a plane if `within` is set.
    #[inline(always)]
    pub fn row(self, colour: usize, [y, z]: [usize; 2], within: bool) -> Row {
        let plane = if within { 0 } else { self.plane() * (z + 1) };
        let parity = (y + z + colour) % 2;
        Row { at: plane + self.stride() * (y + 1) + 1, parity, count: (self.size[0] + 1 - parity) / 2 }
    }
}

/// A field in two colours.
pub(super) struct Coloured {
    pub colours: [Values<f32>; 2],
    pub layout: Layout,
}

/// A plane of a field: the arrays of both colours.
pub(super) type Planes<'a> = [&'a mut [f32]; 2];

impl Coloured {
    /// A field of zeros.
    pub fn zeros(layout: Layout, cpu: &Cpu) -> Self {
        let len = layout.plane() * (layout.size[2] + 2);
        let mut field = Self { colours: std::array::from_fn(|_| Values::uninitialised(len, cpu.memory())), layout };
        field.clear(cpu);
        field
    }

    /// The planes of cells, with their numbers.
    pub fn planes(&mut self) -> Vec<(usize, Planes<'_>)> {
        let (plane, count) = (self.layout.plane(), self.layout.size[2]);
        let [red, black] = &mut self.colours;
        let planes = red.chunks_exact_mut(plane).zip(black.chunks_exact_mut(plane));
        planes.skip(1).take(count).map(|(red, black)| [red, black]).enumerate().collect()
    }

    /// Sets all values to 0.
    pub fn clear(&mut self, cpu: &Cpu) {
        let plane = self.layout.plane();
        let pieces = self.colours.iter_mut().flat_map(|values| values.chunks_mut(plane));
        cpu.each(pieces.collect(), |piece: &mut [f32]| piece.fill(0.0));
    }

    /// The value of a cell.
    #[cfg(test)]
    pub fn get(&self, [x, y, z]: [usize; 3]) -> f32 {
        let colour = (x + y + z) % 2;
        self.colours[colour][self.layout.row(colour, [y, z], false).at + x / 2]
    }

    /// Copies the values at the ends of wrapped axes to the ghost values beyond the other ends.
    pub fn wrap(&mut self) {
        let Layout { size, wrapped, .. } = self.layout;
        let layout = self.layout;
        // Where an axis has an odd number of cells, a ghost value has the other colour than the cell that it copies.
        let source = |colour: usize, axis: usize| (colour + size[axis]) % 2;
        if wrapped[0] {
            for (y, z) in (0..size[2]).flat_map(|z| (0..size[1]).map(move |y| (y, z))) {
                for colour in 0..2 {
                    let ghosts = layout.row(colour, [y, z], false);
                    let from = layout.row(source(colour, 0), [y, z], false);
                    if ghosts.parity == 1 {
                        self.colours[colour][ghosts.at - 1] =
                            self.colours[source(colour, 0)][from.at + (size[0] - 1) / 2];
                    }
                    if ghosts.parity == size[0] % 2 {
                        self.colours[colour][ghosts.at + size[0] / 2] = self.colours[source(colour, 0)][from.at];
                    }
                }
            }
        }
        let copy = |colours: &mut [Values<f32>; 2], axis: usize, colour: usize, to: usize, from: usize, len: usize| {
            let other = source(colour, axis);
            if other == colour {
                colours[colour].copy_within(from..from + len, to);
            } else {
                let [red, black] = colours;
                let (target, origin) = if colour == 0 { (red, black) } else { (black, red) };
                target[to..to + len].copy_from_slice(&origin[from..from + len]);
            }
        };
        let (stride, plane) = (layout.stride(), layout.plane());
        for colour in 0..2 {
            if wrapped[1] {
                for z in 1..=size[2] {
                    let row = |y: usize| plane * z + stride * y;
                    copy(&mut self.colours, 1, colour, row(0), row(size[1]), stride);
                    copy(&mut self.colours, 1, colour, row(size[1] + 1), row(1), stride);
                }
            }
            if wrapped[2] {
                copy(&mut self.colours, 2, colour, 0, plane * size[2], plane);
                copy(&mut self.colours, 2, colour, plane * (size[2] + 1), plane, plane);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compute::cpu::Cpu;

    #[test]
    fn ghost_values_of_wrapped_axes_are_those_of_the_other_end() {
        let cpu = Cpu::new(1);
        for size in [[8, 6, 4], [7, 5, 3], [8, 5, 3], [7, 6, 4], [2, 1, 2]] {
            let layout = Layout { size, wrapped: [true; 3] };
            let mut field = Coloured::zeros(layout, &cpu);
            let value = |[x, y, z]: [usize; 3]| (1 + x + 10 * y + 100 * z) as f32;
            for (z, planes) in field.planes() {
                for (colour, values) in planes.into_iter().enumerate() {
                    for y in 0..size[1] {
                        let row = layout.row(colour, [y, z], true);
                        for (i, to) in values[row.at..][..row.count].iter_mut().enumerate() {
                            *to = value([2 * i + row.parity, y, z]);
                        }
                    }
                }
            }
            field.wrap();
            for z in 0..size[2] {
                for y in 0..size[1] {
                    for colour in 0..2 {
                        let row = layout.row(colour, [y, z], false);
                        let other = &field.colours[1 - colour];
                        for i in 0..row.count {
                            let x = 2 * i + row.parity;
                            let here = row.at + i;
                            let found = [
                                other[here + row.parity - 1],
                                other[here + row.parity],
                                other[here - layout.stride()],
                                other[here + layout.stride()],
                                other[here - layout.plane()],
                                other[here + layout.plane()],
                            ];
                            let [a, b, c] = size;
                            let expected = [
                                [(x + a - 1) % a, y, z],
                                [(x + 1) % a, y, z],
                                [x, (y + b - 1) % b, z],
                                [x, (y + 1) % b, z],
                                [x, y, (z + c - 1) % c],
                                [x, y, (z + 1) % c],
                            ];
                            assert_eq!(found, expected.map(value), "{size:?} {x} {y} {z}");
                        }
                    }
                }
            }
        }
    }
}
