//! Backtraces and advection in velocities with known results.

use std::f64::consts::PI;

use super::super::Cpu;
use super::super::kernel::{Kernel, run_kernel};
use super::super::lanes::floats::{Floats, WIDTH};
use super::backtrace::{Backtraces as _, Finer};
use super::displacement::displacements;
use super::momentum;
use super::padded::Padded;
use super::scalars::Advection;
use crate::sim::volume::settings::Side;
use crate::sim::volume::state::face_sizes;

const OPEN: [[Side; 2]; 3] = [[Side::Open; 2]; 3];

/// A velocity, given in cells per frame at positions in cells.
fn velocity(cpu: &Cpu, cells: [usize; 3], of: impl Fn([f64; 3]) -> [f64; 3] + Sync) -> [Padded; 3] {
    std::array::from_fn(|axis| {
        let size = face_sizes(cells, axis);
        let mut field = Padded::uninitialised(size, 1, cpu.memory());
        cpu.each(field.planes(), |mut plane| {
            for y in 0..size[1] {
                let z = plane.z;
                for (x, value) in plane.row(y).iter_mut().enumerate() {
                    let at = [x, y, z];
                    let place = std::array::from_fn(|along| at[along] as f64 + if along == axis { 0.0 } else { 0.5 });
                    *value = of(place)[axis] as f32;
                }
            }
        });
        field.fill_layers(cpu, OPEN, Some(axis), 0.0);
        field
    })
}

#[test]
fn a_field_of_positions_gives_back_the_position() {
    let cpu = Cpu::new(2);
    let cells = [32, 24, 16];
    // The velocity is the position's distance from the middle, scaled: a back-trace of a linear field is exact.
    let rate = 0.05;
    let linear = velocity(&cpu, cells, |place| std::array::from_fn(|axis| rate * (place[axis] - 12.0)));
    let back = displacements(&cpu, linear.each_ref(), OPEN, 1.0);
    let midpoint = -(rate - rate * rate / 2.0);
    for (z, y, x) in [(4, 5, 6), (8, 12, 20), (10, 18, 25)] {
        let rows = back.rows([y, z]);
        for (axis, at) in [x, y, z].into_iter().enumerate() {
            let exact = midpoint * (at as f64 + 0.5 - 12.0);
            let found = f64::from(rows[axis][x + 1]);
            assert!((found - exact).abs() < 2e-6, "{axis} at {x} {y} {z}: {found} for {exact}");
        }
    }
    // The displacement of a face is the mean of those of its two cells, so that a linear velocity stays linear.
    let forth = displacements(&cpu, linear.each_ref(), OPEN, -1.0);
    let to = momentum::advect(&cpu, linear, [&back, &forth], OPEN, [0.0; 3]);
    let exact = rate * (1.0 + midpoint) * (16.0 - 12.0);
    let found = f64::from(to[0].row([12, 8])[16]);
    // MacCormack corrects the backtraced value by half the error of a backward and a forward trace.
    assert!((found - exact).abs() < 2e-3 * exact.abs().max(1.0), "{found} for {exact}");
}

/// LeVeque's deformation of a sphere and of a Gaussian, which end where they began.
#[test]
fn a_deformed_sphere_comes_back() {
    let cpu = Cpu::new(2);
    // The full size, with `FLOW_GATES` set, takes half a minute.
    let in_full = std::env::var_os("FLOW_GATES").is_some();
    let n = if in_full { 64 } else { 32 };
    let cells = [n; 3];
    let time = 1.5;
    let steps = 3 * n;
    let unit = 1.0 / n as f64;
    let closed = [[Side::Closed; 2]; 3];
    let mut packs = Padded::uninitialised(cells, 4, cpu.memory());
    let start = |at: [usize; 3]| {
        let distance = at.map(|x| (x as f64 + 0.5) * unit - 0.35).iter().map(|d| d * d).sum::<f64>().sqrt();
        let edge = ((0.15 - distance) / unit + 0.5).clamp(0.0, 1.0);
        [edge as f32, (-0.5 * (distance / 0.07).powi(2)).exp() as f32, 0.0, 0.0]
    };
    let fill = |packs: &mut Padded, of: &(dyn Fn([usize; 3]) -> [f32; 4] + Sync)| {
        cpu.each(packs.planes(), |mut plane| {
            for y in 0..n {
                let z = plane.z;
                for (x, pack) in plane.row(y).as_chunks_mut::<4>().0.iter_mut().enumerate() {
                    *pack = of([x, y, z]);
                }
            }
        });
        packs.fill_layers(&cpu, closed, None, 0.0);
    };
    fill(&mut packs, &start);
    for step in 0..steps {
        let share = (PI * (step as f64 + 0.5) / steps as f64).cos() * time / steps as f64 / unit;
        let field = velocity(&cpu, cells, |place| {
            let [x, y, z] = place.map(|x| x * unit * PI);
            let (s, c) = ([x.sin(), y.sin(), z.sin()], [(2.0 * x).sin(), (2.0 * y).sin(), (2.0 * z).sin()]);
            [
                2.0 * s[0] * s[0] * c[1] * c[2] * share,
                -c[0] * s[1] * s[1] * c[2] * share,
                -c[0] * c[1] * s[2] * s[2] * share,
            ]
        });
        let back = displacements(&cpu, field.each_ref(), closed, 1.0);
        let advection = Advection::new(&cpu, (&packs, [None; 2]), (&back, back.reach(&cpu)), closed);
        let mut next = vec![[0.0_f32; 4]; n * n * n];
        for (at, row) in next.chunks_exact_mut(n).enumerate() {
            advection.row([at % n, at / n], [Some(row.as_flattened_mut()), None, None]);
        }
        fill(&mut packs, &|[x, y, z]| next[x + n * (y + n * z)]);
    }
    let (mut errors, mut masses, mut mass) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    for z in 0..n {
        for y in 0..n {
            let from = packs.at([0, y, z]);
            for (x, pack) in packs.packs()[from..from + n].iter().enumerate() {
                let exact = start([x, y, z]);
                for channel in 0..2 {
                    errors[channel] += f64::from((pack[channel] - exact[channel]).abs());
                    masses[channel] += f64::from(exact[channel]);
                    mass[channel] += f64::from(pack[channel]);
                }
            }
        }
    }
    let relative = [errors[0] / masses[0], errors[1] / masses[1]];
    println!("L1 / mass {relative:?}, mass {:?}", [mass[0] / masses[0], mass[1] / masses[1]]);
    let most = if in_full { [0.35, 0.075] } else { [0.75, 0.4] };
    assert!(relative[0] <= most[0] && relative[1] <= most[1], "{relative:?}");
    let drift = if in_full { 0.02 } else { 0.05 };
    assert!((0..2).all(|channel| (mass[channel] / masses[channel] - 1.0).abs() <= drift));
}

/// Packs of which one channel has a value in every cell, and are the same otherwise, have nothing that could be skipped.
#[test]
fn advection_skips_nothing_but_zeros() {
    let cpu = Cpu::new(2);
    let size = [40, 24, 32];
    let blob = |at: [usize; 3], centre: [f64; 3]| {
        let offset: [f64; 3] = std::array::from_fn(|axis| at[axis] as f64 - centre[axis]);
        (2.5 - offset.iter().map(|x| x * x).sum::<f64>().sqrt()).max(0.0) as f32
    };
    let filled = |last: f32| {
        let mut packs = Padded::uninitialised(size, 4, cpu.memory());
        cpu.each(packs.planes(), |mut plane| {
            for y in 0..size[1] {
                let z = plane.z;
                for (x, pack) in plane.row(y).as_chunks_mut::<4>().0.iter_mut().enumerate() {
                    let parts = [[20.0, 12.0, 15.0], [0.0, 0.0, 31.0], [39.0, 20.0, 3.0]].map(|of| blob([x, y, z], of));
                    *pack = [parts[0], parts[1], parts[2], last];
                }
            }
        });
        packs.fill_layers(&cpu, OPEN, None, 0.0);
        packs
    };
    let (sparse, dense) = (filled(0.0), filled(1.0));
    for speed in [0.3, 3.0, 11.0] {
        let field =
            velocity(&cpu, size, |[x, y, z]| [(y * 0.7).sin(), (z * 0.4).cos(), (x * 0.3).sin()].map(|v| v * speed));
        let back = displacements(&cpu, field.each_ref(), OPEN, 1.0);
        let reach = back.reach(&cpu);
        let alone = Advection::new(&cpu, (&sparse, [None; 2]), (&back, reach), OPEN);
        let both = Advection::new(&cpu, (&dense, [Some(&sparse), None]), (&back, reach), OPEN);
        let mut moved = 0;
        for at in 0..size[1] * size[2] {
            let at = [at % size[1], at / size[1]];
            let [mut a, mut b, mut c] = [(); 3].map(|()| vec![[9.0_f32; 4]; size[0]]);
            alone.row(at, [Some(a.as_flattened_mut()), None, None]);
            both.row(at, [Some(b.as_flattened_mut()), Some(c.as_flattened_mut()), None]);
            for ((a, b), c) in a.iter().zip(&b).zip(&c) {
                assert_eq!((a[..3].to_vec(), *a), (b[..3].to_vec(), *c), "{at:?}, {speed} cells per frame");
                moved += usize::from(a.iter().any(|value| *value != 0.0));
            }
        }
        assert!(moved > 50, "{moved} cells have values");
    }
}

#[test]
fn backtraces_of_finer_cells_are_exact_in_a_linear_velocity() {
    let cpu = Cpu::new(2);
    let rate = 0.05;
    let linear = velocity(&cpu, [32, 24, 16], |place| std::array::from_fn(|axis| rate * (place[axis] - 12.0)));
    let midpoint = -(rate - rate * rate / 2.0);
    for detail in [2, 4] {
        let finer = Finer::new(linear.each_ref(), OPEN, detail, 1.0);
        let size = detail as f64;
        for cell in [[6, 5, 4], [20, 12, 8], [23, 18, 10]] {
            let at = cell.map(|cell| cell * detail + 1);
            for (axis, found) in offsets(&cpu, &finer, at).into_iter().enumerate() {
                for (lane, found) in found.into_iter().enumerate() {
                    let along = (at[axis] + if axis == 0 { lane } else { 0 }) as f64;
                    let exact = size * midpoint * ((along + 0.5) / size - 12.0);
                    // Beyond the box there is no air that moves.
                    if along < size * 30.0 {
                        assert!((f64::from(found) - exact).abs() < 2e-5, "{axis} at {along}: {found} for {exact}");
                    }
                }
            }
        }
        let reach = finer.reach(&cpu);
        let most = size * rate * 20.0;
        assert!((f64::from(reach[0]) - most).abs() < 1e-3, "{reach:?} for {most}");
    }
}

/// The displacements of the sixteen cells from `at` on.
fn offsets(cpu: &Cpu, finer: &Finer<'_>, at: [usize; 3]) -> [[f32; WIDTH]; 3] {
    struct Offsets<'a>(&'a Finer<'a>);
    impl Kernel<[usize; 3]> for Offsets<'_> {
        type Output = [[f32; WIDTH]; 3];

        fn run<F: Floats>(&self, at: [usize; 3]) -> Self::Output {
            self.0.of::<F>(at).map(|part| {
                let mut values = [0.0; WIDTH];
                part.store(&mut values);
                values
            })
        }
    }
    run_kernel(cpu.isa, &Offsets(finer), at)
}
