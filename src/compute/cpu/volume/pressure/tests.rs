//! Convergence of the cycle.

use super::*;
use crate::sim::particles::random::pcg4d;

/// Mean factor of the residual in the cycles 2 to 4, of a random right-hand side.
fn factor(cpu: &Cpu, cells: [usize; 3], sides: [[Side; 2]; 3]) -> f64 {
    let mut pressure = Pressure::new(cpu, cells, sides, None);
    pressure.fill_rows(cpu, |[y, z], row| {
        for (x, value) in row.iter_mut().enumerate() {
            *value = pcg4d([x as u32, y as u32, z as u32, 7])[0] as f32 / u32::MAX as f32 - 0.5;
        }
    });
    let mut norms = Vec::new();
    for cycle in 0..4 {
        pressure.cycle(cpu, 0, cycle == 0);
        norms.push(norm(cpu, &pressure.levels[0], Of::Residual));
    }
    (norms[3] / norms[0]).cbrt()
}

#[test]
fn a_cycle_gains_a_factor_of_ten_at_any_size() {
    use Side::{Closed, Open};
    let cpu = Cpu::new(2);
    let mixed = [[Closed, Open], [Open, Closed], [Open, Open]];
    let mut all = Vec::new();
    for cells in [[25, 40, 33], [32; 3], [64, 48, 56], [17, 64, 30]] {
        for sides in [[[Closed; 2]; 3], [[Open; 2]; 3], mixed] {
            let found = factor(&cpu, cells, sides);
            println!("{cells:?} {sides:?}: {found:.3}");
            all.push(found);
        }
    }
    assert!(all.iter().all(|factor| *factor <= 0.10), "{all:?}");
    let wrapped = factor(&cpu, [32; 3], [[Side::Wrapped; 2]; 3]);
    assert!(wrapped <= 0.10, "{wrapped}");
    let odd = factor(&cpu, [40, 24, 56], [[Side::Wrapped; 2]; 3]);
    assert!(odd <= 0.15, "{odd}");
}

#[test]
fn an_open_column_of_pressure_is_that_of_the_equation() {
    // p'' = 1 between the zero points at −½ and n + ½ along z, with closed sides across: p(z) = ½(z + ½)(z − n − ½).
    let cpu = Cpu::new(1);
    let n = 24;
    let mut sides = [[Side::Closed; 2]; 3];
    sides[2] = [Side::Open; 2];
    let mut pressure = Pressure::new(&cpu, [16, 16, n], sides, None);
    pressure.fill_rows(&cpu, |_, row| row.fill(1.0));
    // Single precision ends near 1e-5.
    let solves = pressure.solve(&cpu, 5e-5, 12);
    assert!(solves.residual <= 5e-5, "{solves:?}");
    for z in 0..n {
        let place = z as f64 + 0.5;
        let exact = 0.5 * (place + 0.5) * (place - n as f64 - 0.5);
        for x in [1, 9, 16] {
            let found = f64::from(pressure.row([5, z])[x]);
            assert!((found - exact).abs() < 2e-2, "{z}: {found} for {exact}");
        }
    }
}

#[test]
fn a_relaxation_that_starts_from_0_has_the_bits_of_one_of_zeros() {
    use Side::{Closed, Open, Wrapped};
    for threads in [1, 2] {
        let cpu = Cpu::new(threads);
        for (cells, sides) in [
            ([48, 40, 64], [[Open; 2]; 3]),
            ([25, 18, 33], [[Closed, Open], [Open, Closed], [Closed; 2]]),
            ([32, 16, 24], [[Wrapped; 2]; 3]),
        ] {
            let solved = |start: Start, before: f32| {
                let mut pressure = Pressure::new(&cpu, cells, sides, None);
                pressure.fill_rows(&cpu, |[y, z], row| {
                    for (x, value) in row.iter_mut().enumerate() {
                        *value = pcg4d([x as u32, y as u32, z as u32, 7])[0] as f32 / u32::MAX as f32 - 0.5;
                    }
                });
                let level = &mut pressure.levels[0];
                level.p.fill(before);
                relax(&cpu, level, FACTOR, start);
                let rows: Vec<f32> = (0..cells[1] * cells[2])
                    .flat_map(|row| pressure.row([row % cells[1], row / cells[1]]).to_vec())
                    .collect();
                rows.into_iter().map(f32::to_bits).collect::<Vec<_>>()
            };
            assert!(solved(Start::Zero, f32::NAN) == solved(Start::Pressure, 0.0), "{cells:?}");
        }
    }
}
