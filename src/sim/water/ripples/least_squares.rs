//! Non-negative least squares for a few unknowns, by the active-set method: Lawson and Hanson 1974, chapter 23. Used by
//! `dispersion` to fit the coefficients of the head operator.

/// Number of unknowns.
pub(super) const COLUMNS: usize = 11;
/// Rows of the reduced problem: one for each unknown, and one for the residual.
const ROWS: usize = COLUMNS + 1;
/// Maximum number of active-set iterations.
const ITERATIONS: usize = 64;

/// A least-squares problem, reduced to upper triangular form equation by equation (Givens rotations).
pub(super) struct Problem {
    /// Rows of the triangle: coefficients, then the right-hand side.
    rows: [[f64; ROWS]; ROWS],
}

impl Problem {
    /// A problem without equations.
    pub fn new() -> Problem {
        Problem { rows: [[0.0; ROWS]; ROWS] }
    }

    /// Adds the equation Σ `coefficients`·x = `right`.
    pub fn add(&mut self, coefficients: &[f64; COLUMNS], right: f64) {
        let mut row = [0.0; ROWS];
        row[..COLUMNS].copy_from_slice(coefficients);
        row[COLUMNS] = right;
        for (column, pivot_row) in self.rows.iter_mut().enumerate() {
            rotate(pivot_row, &mut row, column);
        }
    }

    /// The non-negative unknowns with the least sum of squared residuals.
    pub fn solve(&self) -> [f64; COLUMNS] {
        let scale: [f64; COLUMNS] =
            std::array::from_fn(|column| libm::sqrt(self.rows.iter().map(|row| row[column] * row[column]).sum()));
        let mut found = [0.0; COLUMNS];
        let mut free = [false; COLUMNS];
        for _ in 0..ITERATIONS {
            let slopes = self.slopes(&found);
            let steepest =
                (0..COLUMNS).filter(|&column| !free[column] && scale[column] > 0.0).fold(None, |best, at| {
                    let slope = slopes[at] / scale[at];
                    if best.is_none_or(|(_, most)| slope > most) { Some((at, slope)) } else { best }
                });
            match steepest {
                Some((column, slope)) if slope > 1e-10 => free[column] = true,
                _ => break,
            }
            for _ in 0..COLUMNS {
                let wanted = self.solve_free(&free);
                let blocked = (0..COLUMNS).filter(|&column| free[column] && wanted[column] <= 0.0);
                let step = blocked
                    .map(|column| found[column] / (found[column] - wanted[column]))
                    .fold(f64::INFINITY, |least, step| if step < least { step } else { least });
                if step == f64::INFINITY {
                    found = wanted;
                    break;
                }
                for column in (0..COLUMNS).filter(|&column| free[column]) {
                    found[column] += step * (wanted[column] - found[column]);
                }
                for column in 0..COLUMNS {
                    if free[column] && (found[column] <= 1e-14 || (wanted[column] <= 0.0 && step == 0.0)) {
                        free[column] = false;
                        found[column] = 0.0;
                    }
                }
            }
        }
        found
    }

    /// The negative half of the gradient of the sum of squares at the unknowns `at`.
    fn slopes(&self, at: &[f64; COLUMNS]) -> [f64; COLUMNS] {
        let mut slopes = [0.0; COLUMNS];
        for row in &self.rows {
            let residual = row[COLUMNS] - (0..COLUMNS).map(|column| row[column] * at[column]).sum::<f64>();
            slopes.iter_mut().zip(row).for_each(|(slope, &value)| *slope += value * residual);
        }
        slopes
    }

    /// The unconstrained least-squares solution over the free unknowns; the other unknowns are 0.
    fn solve_free(&self, free: &[bool; COLUMNS]) -> [f64; COLUMNS] {
        let list: Vec<usize> = (0..COLUMNS).filter(|&column| free[column]).collect();
        let mut reduced = [[0.0; ROWS]; ROWS];
        for row in &self.rows {
            let mut row: [f64; ROWS] = std::array::from_fn(|at| match list.get(at) {
                Some(&column) => row[column],
                None if at == list.len() => row[COLUMNS],
                None => 0.0,
            });
            for (column, pivot_row) in reduced.iter_mut().enumerate().take(list.len() + 1) {
                rotate(pivot_row, &mut row, column);
            }
        }
        let mut found = [0.0; COLUMNS];
        for (at, &column) in list.iter().enumerate().rev() {
            let row = &reduced[at];
            let known: f64 = (at + 1..list.len()).map(|next| row[next] * found[list[next]]).sum();
            found[column] = if row[at] == 0.0 { 0.0 } else { (row[list.len()] - known) / row[at] };
        }
        found
    }
}

/// A Givens rotation of two rows that makes the value of `row` at `column` 0.
fn rotate(pivot_row: &mut [f64; ROWS], row: &mut [f64; ROWS], column: usize) {
    if row[column] == 0.0 {
        return;
    }
    let length = libm::sqrt(pivot_row[column] * pivot_row[column] + row[column] * row[column]);
    let (cosine, sine) = (pivot_row[column] / length, row[column] / length);
    for (a, b) in pivot_row.iter_mut().zip(row.iter_mut()) {
        (*a, *b) = (cosine * *a + sine * *b, cosine * *b - sine * *a);
    }
    row[column] = 0.0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_that_would_be_negative_is_zero_and_the_others_adapt() {
        let mut problem = Problem::new();
        let row = |a: f64, b: f64| std::array::from_fn(|column| [a, b].get(column).copied().unwrap_or(0.0));
        for (x, y) in [(0.0, 1.0), (1.0, 0.0), (2.0, -1.0)] {
            problem.add(&row(1.0, x), y);
        }
        // The line 1 − x has a negative slope; without one, the best constant is the mean, 0.
        let found = problem.solve();
        assert!(found.iter().all(|&value| value.abs() < 1e-12), "{found:?}");
        problem.add(&row(1.0, 5.0), 8.0);
        let found = problem.solve();
        assert!((found[0] + 1.0).abs() > 0.5 && found[0] >= 0.0 && found[1] > 0.0, "{found:?}");
    }
}
