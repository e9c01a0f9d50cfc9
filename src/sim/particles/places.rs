//! Random cells of a matte, each with a probability in proportion to its value.

use crate::sim::maths::clamp;
use crate::sim::request;

/// Largest value of a cell.
const BRIGHTEST: f64 = 1e6;

/// The sums of a matte's values up to each cell.
pub struct Places {
    sums: Vec<f64>,
}

impl Places {
    /// Places in proportion to the values of the cells; `None` if all are 0.
    pub fn weighted(values: impl ExactSizeIterator<Item = f32>) -> Option<Self> {
        let mut sums = request::with_capacity(values.len());
        let mut sum = 0.0;
        for value in values {
            sum += clamp(f64::from(value), 0.0, BRIGHTEST);
            sums.push(sum);
        }
        (sum > 0.0).then_some(Self { sums })
    }

    /// The cell at which the running sum of the values reaches the fraction `share`, 0 to 1, of their total.
    pub fn cell(&self, share: f64) -> usize {
        let total = self.sums.last().copied().unwrap_or_default();
        let wanted = share * total;
        // The first cell whose sum is above it: cells of value 0 are skipped.
        self.sums.partition_point(|sum| *sum <= wanted).min(self.sums.partition_point(|sum| *sum < total))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_in_proportion_to_their_values() {
        let values = [0.0, 1.0, 0.0, 3.0, f32::NAN, -1.0, 4.0, 0.0];
        let places = Places::weighted(values.into_iter()).expect("not all are 0");
        let mut counts = [0; 8];
        (0..800).for_each(|n| counts[places.cell(f64::from(n) / 800.0)] += 1);
        assert_eq!(counts, [0, 100, 0, 300, 0, 0, 400, 0]);
        assert_eq!(places.cell(1.0), 6, "rounding up is no other cell");
        assert!(Places::weighted([0.0, -2.0].into_iter()).is_none());
    }
}
