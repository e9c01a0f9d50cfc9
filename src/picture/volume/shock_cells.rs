//! Shock cells: the standing pattern of hot and cool gas in the exhaust of a jet that leaves its nozzle faster than sound,
//! and at another pressure than that of the air. Waves cross the jet, are reflected at its edge, and heat the gas where
//! they meet on the axis (Pack, *A note on Prandtl's formula for the wave-length of a supersonic gas jet*, 1950). The
//! solver's air is incompressible and has none: the pattern is a part of the picture.

/// Factor of the temperature in the middle of the first cell, less 1.
const HEATING: f32 = 0.6;

/// Share of the temperature that is missing on the axis between the first two cells.
const COOLING: f32 = 0.35;

/// Shock cells behind a nozzle, in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShockCells {
    /// Centre of the nozzle.
    pub nozzle: [f64; 3],
    /// Direction of the jet, of any length; 0: there are no cells.
    pub direction: [f64; 3],
    /// Radius of the jet, above 0.
    pub radius: f64,
    /// Length of a cell along the jet, above 0.
    pub length: f64,
    /// Number of cells, 0 and up. Towards the last they get weaker.
    pub count: f64,
}

/// Shock cells on a lattice, in its cells.
pub struct ShockTrain {
    nozzle: [f32; 3],
    /// Unit vector.
    axis: [f32; 3],
    per_radius: f32,
    per_length: f32,
    count: f32,
}

impl ShockTrain {
    /// The cells on a lattice with its value (0, 0, 0) at `origin`; `None` where they have no extent.
    pub fn new(cells: &ShockCells, origin: [f64; 3], spacing: f64) -> Option<Self> {
        let [x, y, z] = cells.direction;
        let speed = f64::sqrt(x * x + y * y + z * z);
        let sizes = [speed, cells.radius, cells.length, cells.count];
        if !sizes.iter().all(|size| *size > 0.0 && size.is_finite()) {
            return None;
        }
        Some(Self {
            nozzle: [0, 1, 2].map(|axis| ((cells.nozzle[axis] - origin[axis]) / spacing) as f32),
            axis: cells.direction.map(|part| (part / speed) as f32),
            per_radius: (spacing / cells.radius) as f32,
            per_length: (spacing / cells.length) as f32,
            count: cells.count as f32,
        })
    }

    /// Factor of the temperature at a position on the lattice.
    #[inline(always)]
    fn factor(&self, position: [f32; 3]) -> f32 {
        let offset: [f32; 3] = std::array::from_fn(|axis| position[axis] - self.nozzle[axis]);
        let along: f32 = (0..3).map(|axis| offset[axis] * self.axis[axis]).sum();
        let place = along * self.per_length;
        let is_in_jet = place > 0.0 && place < self.count;
        if !is_in_jet {
            return 1.0;
        }
        let squared: f32 = offset.iter().map(|part| part * part).sum();
        let radius = f32::sqrt((squared - along * along).max(0.0)) * self.per_radius;
        if radius >= 1.0 {
            return 1.0;
        }
        // A diamond about the middle of each cell: as wide as the jet, as long as the cell.
        let from_middle = (2.0 * (place - place.floor()) - 1.0).abs();
        let diamond = (1.0 - from_middle - radius).max(0.0);
        let cooling = from_middle * (1.0 - radius * radius);
        let contrast = 1.0 - place / self.count;
        1.0 + contrast * (HEATING * diamond - COOLING * cooling)
    }

    /// Heats and cools a row of gas along x, whose first value has the position `first`.
    #[inline(always)]
    pub fn apply(&self, first: [usize; 3], gas: &mut [[f32; 4]]) {
        let [x, y, z] = first.map(|place| place as f32);
        for (n, gas) in gas.iter_mut().enumerate() {
            if gas[0] > 0.0 {
                gas[0] *= self.factor([x + n as f32, y, z]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A jet along a diagonal, with cells 8 long and 4 in radius on the lattice.
    fn train(count: f64) -> ShockTrain {
        let cells = ShockCells { nozzle: [3.0, 5.0, 7.0], direction: [6.0, 0.0, 8.0], radius: 2.0, length: 4.0, count };
        ShockTrain::new(&cells, [1.0, 1.0, 1.0], 0.5).expect("cells")
    }

    fn at(train: &ShockTrain, along: f32, across: f32) -> f32 {
        train.factor([4.0 + 0.6 * along, 8.0 + across, 12.0 + 0.8 * along])
    }

    #[test]
    fn gas_is_hottest_in_the_middle_of_each_cell_and_weaker_in_the_next() {
        let train = train(4.0);
        let middles = [4.0, 12.0, 20.0, 28.0].map(|along| at(&train, along, 0.0));
        assert!((middles[0] - (1.0 + 0.875 * HEATING)).abs() < 1e-4, "{middles:?}");
        assert!(middles.is_sorted_by(|a, b| a > b) && middles[3] > 1.0, "{middles:?}");
        let between = [8.0, 16.0, 24.0].map(|along| at(&train, along, 0.0));
        assert!((between[0] - (1.0 - 0.75 * COOLING)).abs() < 1e-3, "{between:?}");
        assert!(between.is_sorted() && between[2] < 1.0, "{between:?}");
    }

    #[test]
    fn gas_outside_the_jet_before_its_nozzle_and_behind_the_last_cell_stays() {
        let train = train(4.0);
        for (along, across) in [(-1.0, 0.0), (32.5, 0.0), (4.0, 4.1), (8.0, -4.1)] {
            assert_eq!(at(&train, along, across), 1.0, "{along} {across}");
        }
        assert!(at(&train, 8.0, 3.9) > 1.0 - 0.1 * COOLING, "the factor has no step at the edge of the jet");
    }

    #[test]
    fn cells_without_an_extent_are_none() {
        let whole = ShockCells { nozzle: [0.0; 3], direction: [0.0, 1.0, 0.0], radius: 1.0, length: 1.0, count: 3.0 };
        let broken = [
            ShockCells { direction: [0.0; 3], ..whole },
            ShockCells { direction: [f64::NAN, 0.0, 0.0], ..whole },
            ShockCells { radius: 0.0, ..whole },
            ShockCells { length: f64::INFINITY, ..whole },
            ShockCells { count: 0.0, ..whole },
        ];
        let nowhere = ShockTrain::new(&ShockCells { nozzle: [f64::NAN; 3], ..whole }, [0.0; 3], 1.0).expect("cells");
        assert_eq!(nowhere.factor([0.0; 3]), 1.0);
        assert!(ShockTrain::new(&whole, [0.0; 3], 1.0).is_some());
        assert!(broken.iter().all(|cells| ShockTrain::new(cells, [0.0; 3], 1.0).is_none()));
    }

    #[test]
    fn a_row_is_heated_where_it_has_gas() {
        let train = train(4.0);
        let mut gas = [[0.5, 1.0, 0.25, 0.0]; 12];
        gas[3][0] = 0.0;
        train.apply([4, 8, 15], &mut gas);
        assert_eq!(gas[3], [0.0, 1.0, 0.25, 0.0]);
        assert_eq!(gas[2], [0.5 * train.factor([6.0, 8.0, 15.0]), 1.0, 0.25, 0.0]);
        assert!(gas.iter().any(|gas| gas[0] > 0.55));
    }
}
