//! Ripples: the gates of their numerics. `cargo xtask report` runs the long cases, too.

#[path = "water_ripples/basin.rs"]
mod basin;
mod record;
#[path = "water/mod.rs"]
mod water;

use std::f64::consts::PI;

use basin::{Basin, Reals, deep};
use flow_ofx::compute::cpu::water::reference::Reference;
use flow_ofx::compute::cpu::{Cpu, Isa};
use flow_ofx::sim::water::field::Field;
use flow_ofx::sim::water::ripples::UNITS;
use flow_ofx::sim::water::ripples::dispersion::{Coefficients, Dispersion};
use flow_ofx::sim::water::ripples::pyramid::Pyramid;
use flow_ofx::sim::water::settings::{Edges, Model, Settings};
use flow_ofx::sim::water::{Device, State};
use record::{Record, in_full};
use water::{Dice, EDGES};

/// Solid cells of a random mask.
fn random_mask(seed: u64, width: usize, height: usize, share: f64) -> Vec<bool> {
    let mut dice = Dice::new(seed);
    (0..width * height).map(|_| dice.chance(share)).collect()
}

/// Rooms of walls one cell thick, with doors.
fn rooms(width: usize, height: usize) -> Vec<bool> {
    (0..width * height)
        .map(|cell| {
            let (x, y) = (cell % width, cell / width);
            (x % 13 == 7 && y % 11 != 3) || (y % 17 == 5 && x % 9 != 4)
        })
        .collect()
}

/// A maze: walls on every second cell, and doors by chance.
fn maze(seed: u64, width: usize, height: usize) -> Vec<bool> {
    let mut dice = Dice::new(seed);
    (0..width * height)
        .map(|cell| match (cell % width % 2, cell / width % 2) {
            (1, 1) => true,
            (0, 0) => false,
            _ => dice.chance(0.4),
        })
        .collect()
}

fn drop_of(sigma: f64, centre: [f64; 2]) -> impl Fn(usize, usize) -> f64 {
    move |x, y| {
        let (dx, dy) = (x as f64 + 0.5 - centre[0], y as f64 + 0.5 - centre[1]);
        (-(dx * dx + dy * dy) / (2.0 * sigma * sigma)).exp()
    }
}

#[test]
fn plane_waves_have_the_speed_of_their_length() {
    let cpu = Cpu::new(2);
    let relations = [deep(1.0), deep(0.5), Dispersion { gravity: 0.5, tension: 0.1, depth: f64::INFINITY }];
    let mut record = Record::new("ripples-speed", "CPU");
    for of in relations {
        record.under(format!(
            "g {}, s {}, depth {}, 256 cells, wrapped, one step a frame",
            of.gravity, of.tension, of.depth
        ));
        let mut worst = [0.0_f64; 3];
        for (wave, diagonal) in
            [(1, false), (2, false), (5, false), (16, false), (45, false), (64, false), (3, true), (23, true)]
        {
            let rows = if diagonal { 256 } else { 128 };
            let mut basin = Basin::new(256, rows, Edges::Wrap, of, None);
            let k = 2.0 * PI * f64::from(wave) / 256.0;
            let vector = if diagonal { [k, k] } else { [k, 0.0] };
            let exact = of.square((vector[0] * vector[0] + vector[1] * vector[1]).sqrt()).sqrt();
            let steps = (1.5 * PI / exact).clamp(8.0, 60.0) as usize;
            let mode = |x: usize, y: usize| (vector[0] * (x as f64 + 0.5) + vector[1] * (y as f64 + 0.5)).cos();
            let (found, other) = basin.frequency(&cpu, steps, mode);
            let discrete = 2.0 * (0.5 * basin.coefficients.square(vector).sqrt()).asin();
            let name = format!("{of:?}, wave {wave} of 256 cells, diagonal {diagonal}: {found} of {exact}");
            assert!((found / exact - 1.0).abs() <= 0.01, "{name}");
            assert!((found / discrete - 1.0).abs() <= 1e-3, "{name}, discrete {discrete}");
            assert!(other <= 1e-3, "{name}: energy of other waves {other}");
            let now = [(found / exact - 1.0).abs(), (found / discrete - 1.0).abs(), other];
            worst = std::array::from_fn(|i| worst[i].max(now[i]));
        }
        record.at_most("phase speed of plane waves, largest error", worst[0], 0.01);
        record.at_most("the same against the relation of the scheme", worst[1], 1e-3);
        record.at_most("share of energy in other waves, largest", worst[2], 1e-3);
    }
    record.save();
}

#[test]
fn the_operator_is_symmetric_positive_and_stable_for_any_mask() {
    for (seed, share) in [(1, 0.0), (2, 0.1), (3, 0.35), (4, 0.5)] {
        for (width, height) in [(48, 40), (37, 29)] {
            let solid = (share > 0.0).then(|| random_mask(seed, width, height, share));
            let basin = Basin::new(width, height, Edges::Closed, deep(1.0), solid);
            let reals = Reals::new(&basin.pyramid, &basin.coefficients);
            let mut dice = Dice::new(seed + 9);
            let mut field = || -> Vec<f64> {
                (0..reals.cells())
                    .map(|cell| if reals.is_water(cell) { dice.between(-1.0, 1.0) } else { 0.0 })
                    .collect()
            };
            let (a, b) = (field(), field());
            let (pa, pb) = (reals.head(&a), reals.head(&b));
            let (ab, ba, scale) = (reals.dot(&b, &pa), reals.dot(&a, &pb), reals.dot(&a, &pa));
            assert!((ab - ba).abs() <= 1e-12 * scale && scale > 0.0, "{share}: {ab} and {ba}");
            // The largest eigenvalue of the step.
            let (mut mode, mut largest) = (a, 0.0);
            for _ in 0..300 {
                let next = reals.outflow(&reals.head(&mode));
                largest = (reals.dot(&next, &next) / reals.dot(&mode, &mode)).sqrt();
                let size = reals.dot(&next, &next).sqrt();
                mode = next.into_iter().map(|value| value / size).collect();
            }
            assert!(largest <= 3.8, "mask of {share}: {largest}");
        }
    }
}

#[test]
fn energy_is_conserved_in_floating_point() {
    for solid in [None, Some(random_mask(5, 44, 31, 0.35)), Some(rooms(44, 31)), Some(maze(6, 44, 31))] {
        let basin = Basin::new(44, 31, Edges::Closed, deep(1.0), solid);
        let reals = Reals::new(&basin.pyramid, &basin.coefficients);
        let start = drop_of(2.0, [20.0, 14.0]);
        let water = |cell: usize| reals.is_water(cell);
        let mut eta: Vec<f64> =
            (0..reals.cells()).map(|cell| if water(cell) { start(cell % 44, cell / 44) } else { 0.0 }).collect();
        let mut flow = vec![0.0; reals.pipes.len()];
        let mut first = None;
        for _ in 0..1000 {
            let head = reals.head(&eta);
            let before = flow.clone();
            for (q, &(a, b, weight)) in flow.iter_mut().zip(&reals.pipes) {
                *q += weight * (head[a] - head[b]);
            }
            let potential = reals.dot(&eta, &head);
            let moving = flow.iter().zip(&before).zip(&reals.pipes).map(|((q, before), pipe)| q * before / pipe.2);
            let energy = potential + moving.sum::<f64>();
            let first = *first.get_or_insert(energy);
            assert!((energy / first - 1.0).abs() <= 1e-9, "{energy} of {first}");
            for (q, &(a, b, _)) in flow.iter().zip(&reals.pipes) {
                eta[a] -= q;
                eta[b] += q;
            }
        }
    }
}

#[test]
fn a_lake_at_rest_stays_at_rest_and_volume_is_exact() {
    let cpu = Cpu::new(2);
    let (width, height) = (90, 70);
    let masks = [
        None,
        Some(random_mask(1, width, height, 0.1)),
        Some(random_mask(2, width, height, 0.35)),
        Some(random_mask(3, width, height, 0.5)),
        Some(rooms(width, height)),
        Some(maze(4, width, height)),
    ];
    for edges in [Edges::Closed, Edges::Wrap] {
        for solid in &masks {
            let mut basin = Basin::new(width, height, edges, deep(1.0), solid.clone());
            basin.smoothing = 0.02;
            basin.raise(|_, _| 777_777.0 / f64::from(UNITS));
            let still = basin.water.water().clone();
            basin.run(&cpu, 5);
            assert_eq!(*basin.water.water(), still, "{edges:?}");
            basin.raise(drop_of(3.0, [40.0, 30.0]));
            let volume = basin.water.totals();
            basin.run(&cpu, 60);
            assert_eq!(basin.water.totals(), volume);
            assert_eq!(basin.balance.drained, [0; 4]);
        }
    }
}

#[test]
fn undamped_energy_lasts_in_integers() {
    let cpu = Cpu::new(1);
    let (width, height) = (72, 56);
    let mut record = Record::new("ripples-energy", "CPU");
    let masks = [("a random mask of 35 %", random_mask(7, width, height, 0.35)), ("rooms", rooms(width, height))];
    let (count, steps) = if in_full() { (2, 3000) } else { (1, 900) };
    for (name, solid) in masks.into_iter().take(count) {
        record.under(format!("g 1, no smoothing, {width}×{height} cells with {name}, {steps} steps after a drop"));
        let mut basin = Basin::new(width, height, Edges::Closed, deep(1.0), Some(solid));
        let free = (0..width).find(|&x| !basin.solid(x, 30)).expect("a cell of water") as f64;
        basin.raise(drop_of(3.0, [free + 20.0, 30.0]));
        let pyramid = std::sync::Arc::clone(&basin.pyramid);
        let coefficients = basin.coefficients;
        let reals = Reals::new(&pyramid, &coefficients);
        let level = {
            let (sum, count) =
                basin.cells().fold((0.0, 0.0), |(sum, count), (x, y)| (sum + basin.eta(x, y), count + 1.0));
            sum / count
        };
        // Flows of a step, and those of the step before, at the same head.
        let energy = |basin: &Basin, before: &Basin| {
            let eta: Vec<f64> = (0..reals.cells())
                .map(|cell| if reals.is_water(cell) { before.eta(cell % width, cell / width) - level } else { 0.0 })
                .collect();
            let head = reals.head(&eta);
            let flow = |basin: &Basin, nth: usize| {
                let (cell, far, _) = reals.pipes[nth];
                let (dx, dy) =
                    (far as isize % width as isize - cell as isize % width as isize, far / width - cell / width);
                let pipe = match (dx, dy) {
                    (1, 0) => 0,
                    (0, 1) => 1,
                    (1, 1) => 2,
                    _ => 3,
                };
                f64::from(basin.water.water().flow.at(cell % width, cell / width, pipe)) / f64::from(UNITS)
            };
            let moving: f64 =
                (0..reals.pipes.len()).map(|nth| flow(basin, nth) * flow(before, nth) / reals.pipes[nth].2).sum();
            reals.dot(&eta, &head) + moving
        };
        let copy = |basin: &Basin| {
            let mut copy =
                Basin::new(width, height, Edges::Closed, deep(1.0), basin.domain.solid().map(<[bool]>::to_vec));
            copy.water = std::sync::Arc::clone(&basin.water);
            copy
        };
        basin.run(&cpu, 1);
        let before = copy(&basin);
        basin.run(&cpu, 1);
        let first = energy(&basin, &before);
        basin.run(&cpu, steps - 4);
        let before = copy(&basin);
        basin.run(&cpu, 1);
        let last = energy(&basin, &before);
        record.at_most("change of the energy in integers", (last / first - 1.0).abs(), 5e-3);
    }
    record.save();
}

#[test]
fn a_wall_lets_nothing_through() {
    let cpu = Cpu::new(2);
    let (width, height) = (120, 64);
    let walls: [&dyn Fn(usize, usize) -> bool; 5] = [
        &|x, _| x == 60,
        &|x, _| x == 60 || x == 61,
        &|x, _| (59..63).contains(&x),
        // A diagonal of one cell, and one with its corners closed off.
        &|x, y| x == 30 + y,
        &|x, y| x == 30 + y || x == 31 + y,
    ];
    for wall in walls {
        let solid = (0..width * height).map(|cell| wall(cell % width, cell / width)).collect();
        let mut basin = Basin::new(width, height, Edges::Closed, deep(1.0), Some(solid));
        basin.raise(|x, y| if x < 20 { drop_of(3.0, [14.0, 30.0])(x, y) } else { 0.0 });
        let beyond: Vec<_> = basin.cells().filter(|&(x, y)| (x..width).all(|x| !wall(x, y))).collect();
        basin.run(&cpu, 300);
        assert!(basin.cells().any(|(x, y)| x > 25 && basin.units(x, y) != 0), "waves arrive at the wall");
        for (x, y) in beyond {
            assert_eq!(basin.units(x, y), 0, "cell {x}, {y}");
        }
    }
}

/// Deviation of a closed tank by its cosine series.
fn tank(width: usize, height: usize, of: Dispersion, start: &dyn Fn(usize, usize) -> f64, time: f64) -> Vec<f64> {
    let cosines = |cells: usize| -> Vec<Vec<f64>> {
        (0..cells)
            .map(|m| (0..cells).map(|x| (PI * m as f64 * (x as f64 + 0.5) / cells as f64).cos()).collect())
            .collect()
    };
    let (across, up) = (cosines(width), cosines(height));
    let scale = |m: usize, cells: usize| if m == 0 { 1.0 } else { 2.0 } / cells as f64;
    let mut rows = vec![0.0; width * height];
    for y in 0..height {
        for m in 0..width {
            rows[y * width + m] = (0..width).map(|x| start(x, y) * across[m][x]).sum::<f64>() * scale(m, width);
        }
    }
    let mut modes = vec![0.0; width * height];
    for n in 0..height {
        for m in 0..width {
            let amplitude = (0..height).map(|y| rows[y * width + m] * up[n][y]).sum::<f64>() * scale(n, height);
            let [kx, ky] = [PI * m as f64 / width as f64, PI * n as f64 / height as f64];
            let k = (kx * kx + ky * ky).sqrt();
            let frequency = if k > 0.0 { of.square(k).sqrt() } else { 0.0 };
            modes[n * width + m] = amplitude * (frequency * time).cos();
        }
    }
    let mut half = vec![0.0; width * height];
    for y in 0..height {
        for m in 0..width {
            half[y * width + m] = (0..height).map(|n| modes[n * width + m] * up[n][y]).sum();
        }
    }
    (0..width * height)
        .map(|cell| (0..width).map(|m| half[cell / width * width + m] * across[m][cell % width]).sum())
        .collect()
}

#[test]
fn a_drop_in_a_closed_tank_is_the_cosine_series() {
    let cpu = Cpu::new(2);
    let of = deep(1.0);
    // Waves of the wave number 1 have turned by 20 radians.
    let steps = 20;
    let mut record = Record::new("ripples-tank", "CPU");
    for (width, height, wall, limit) in
        [(128, 96, 0, 0.05), (130, 97, 0, 0.05), (149, 101, 0, 0.05), (128, 96, 5, 0.12)]
    {
        // A wall beside the tank, off the grid of the blocks.
        let columns = width + wall;
        let solid = (wall > 0).then(|| (0..columns * height).map(|cell| cell % columns < wall).collect());
        let mut basin = Basin::new(columns, height, Edges::Closed, of, solid);
        let start = drop_of(3.0, [0.37 * width as f64, 0.41 * height as f64]);
        basin.raise(|x, y| start(x.wrapping_sub(wall), y));
        basin.start_at_rest(&cpu);
        basin.run(&cpu, steps);
        let exact = tank(width, height, of, &start, f64::from(steps));
        let (mut less, mut whole) = (0.0, 0.0);
        for (cell, value) in exact.iter().enumerate() {
            let found = basin.eta(cell % width + wall, cell / width);
            less += (found - value) * (found - value);
            whole += value * value;
        }
        let error = (less / whole).sqrt();
        record.under(format!("g 1, {width}×{height} cells beside a wall of {wall}, 20 steps, drop of σ 3"));
        record.at_most("a drop in a closed tank against the cosine series, relative L2", error, limit);
    }
    record.save();
}

#[test]
fn open_edges_absorb_waves() {
    let cpu = Cpu::new(2);
    let of = deep(0.5);
    let mut record = Record::new("ripples-sponge", "CPU");
    for (length, limit) in [(12.0, 0.01), (48.0, 0.01), (96.0, 0.01), (192.0, 0.10)] {
        let width = 200 + 8 * length as usize;
        let mut basin = Basin::with_shut(width, 4, Edges::Open, [false, true, false, true], of, None);
        let middle = 0.5 * width as f64;
        let packet = move |x: usize, _: usize| {
            let at = x as f64 + 0.5 - middle;
            (2.0 * PI * at / length).cos() * (-at * at / (2.0 * 0.64 * length * length)).exp()
        };
        basin.raise(packet);
        let squares = |basin: &Basin| basin.cells().map(|(x, y)| basin.eta(x, y) * basin.eta(x, y)).sum::<f64>();
        let first = squares(&basin);
        // A wave at rest parts in two, which run out of the grid at the speed of their group.
        let k = 2.0 * PI / length;
        let group = 0.5 * (of.gravity / k).sqrt();
        basin.run(&cpu, (0.85 * width as f64 / group) as u32);
        let back = 2.0 * squares(&basin) / first;
        record.under(format!("g 0.5, waves of {length} cells, open edges"));
        record.at_most("energy that comes back from an open edge", back, limit);
        assert_eq!(
            basin.water.totals()[0] + basin.balance.drained[0],
            Basin::at_rest(width, 4) + first_volume(&packet, width)
        );
    }
    record.save();
}

/// Units of a field of deviations.
fn first_volume(of: &dyn Fn(usize, usize) -> f64, width: usize) -> i64 {
    let cells = (0..4).flat_map(|y| (0..width).map(move |x| (x, y)));
    cells.map(|(x, y)| (of(x, y) * f64::from(UNITS)).round() as i64).sum()
}

#[test]
fn a_moving_pressure_has_the_wake_of_kelvin() {
    let cpu = Cpu::new(2);
    let (width, height, speed, gravity) = (640, 256, 2.2, 0.5);
    let mut basin = Basin::new(width, height, Edges::Open, deep(gravity), None);
    let steps = 230;
    let at = |step: u32| 60.0 + speed * f64::from(step);
    for step in 0..steps {
        let mut plan = basin.plan(1);
        let mut base = Field::new(width, height, 1);
        let bump = drop_of(4.0, [at(step), 128.0]);
        for (x, y) in basin.cells() {
            base.set(x, y, 0, (0.2 * bump(x, y) * f64::from(UNITS)) as i32);
        }
        plan.base = Some(std::sync::Arc::new(base));
        basin.run_plan(&cpu, plan);
    }
    let ship = at(steps);
    let eta = |x: usize, y: usize| basin.eta(x, y);
    // Transverse waves on the centre line: the distance of zero crossings.
    let line: Vec<f64> = (0..width).map(|x| 0.5 * (eta(x, 127) + eta(x, 128))).collect();
    let range = (ship - 260.0) as usize..(ship - 50.0) as usize;
    let crossings: Vec<f64> = range
        .filter(|&x| line[x] <= 0.0 && line[x + 1] > 0.0)
        .map(|x| x as f64 + line[x] / (line[x] - line[x + 1]))
        .collect();
    let length = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64;
    let exact = 2.0 * PI * speed * speed / gravity;
    let mut record = Record::new("ripples-wake", "CPU");
    record.under("g 0.5, a pressure of σ 4 cells at 2.2 cells a step, open edges, 640×256 cells");
    record.at_most("length of transverse waves against 2πU²/g, error", (length / exact - 1.0).abs(), 0.06);
    // The outer edge at half the height of the wake.
    let envelope = |x: usize, y: usize| (x - 25..x + 25).map(|x| eta(x, y).abs()).fold(0.0, f64::max);
    let edges: Vec<[f64; 2]> = (100..=240)
        .step_by(10)
        .map(|behind| {
            let x = (ship - f64::from(behind)) as usize;
            let column: Vec<f64> = (128..height).map(|y| envelope(x, y)).collect();
            let half = 0.5 * column.iter().fold(0.0, |a: f64, &b| a.max(b));
            let edge = column.iter().rposition(|&value| value >= half).unwrap_or(0);
            [f64::from(behind), edge as f64]
        })
        .collect();
    let mean = [0, 1].map(|axis| edges.iter().map(|edge| edge[axis]).sum::<f64>() / edges.len() as f64);
    let slope = edges.iter().map(|edge| (edge[0] - mean[0]) * (edge[1] - mean[1])).sum::<f64>()
        / edges.iter().map(|edge| (edge[0] - mean[0]) * (edge[0] - mean[0])).sum::<f64>();
    let angle = slope.atan().to_degrees();
    record.near("outer edge of the wake, degrees", angle, 19.5, 1.5);
    record.save();
}

#[test]
fn the_same_bits_for_any_threads_and_instruction_set_as_the_reference() {
    let cpus: Vec<(String, Cpu)> = [1, 2, 5]
        .into_iter()
        .flat_map(|threads| Isa::available().into_iter().map(move |isa| (threads, isa)))
        .map(|(threads, isa)| (format!("{threads} threads, {}", isa.name()), Cpu::with_isa(threads, isa)))
        .collect();
    let mut dice = Dice::new(3);
    for edges in EDGES {
        for (width, height) in [(1, 1), (2, 3), (5, 64), (131, 77), (64, 128), (333, 410)] {
            for share in [0.0, 0.01, 0.35] {
                // The largest grid has several bands with any mask.
                if width * height > 100_000 && share != 0.01 {
                    continue;
                }
                let tension = dice.pick(&[0.0, 0.1]);
                let depth = dice.pick(&[f64::INFINITY, 3.0]);
                let solid = (share > 0.0).then(|| random_mask(dice.next(), width, height, share));
                let of = Dispersion { gravity: 0.5, tension, depth };
                let mut basin = Basin::new(width, height, edges, of, solid);
                basin.smoothing = dice.pick(&[0.0, 0.02]);
                let wave = dice.between(0.05, 2.0);
                basin.raise(|x, y| (wave * x as f64).sin() * (0.3 * y as f64 + 1.0).cos());
                let steps = if width * height > 100_000 { 3 } else { 8 };
                let plan = std::sync::Arc::new(basin.plan(steps));
                let run =
                    |device: &dyn Device| device.run(&plan, &basin.water, &mut || true).expect("never interrupted");
                let exact = run(&Reference);
                for (name, cpu) in &cpus {
                    let found = run(cpu);
                    assert!(found == exact, "{name}, {edges:?}, {width} x {height}, mask of {share}");
                }
            }
        }
    }
}

#[test]
fn mirrored_and_transposed_water_has_mirrored_and_transposed_bits() {
    let cpu = Cpu::new(2);
    let size = 128;
    let run = |of: &dyn Fn(usize, usize) -> f64| {
        let mut basin = Basin::new(size, size, Edges::Closed, Dispersion { tension: 0.1, ..deep(0.5) }, None);
        basin.smoothing = 0.02;
        basin.raise(of);
        basin.run(&cpu, 50);
        basin
    };
    let start = |x: usize, y: usize| drop_of(3.0, [37.3, 81.9])(x, y) - 0.5 * drop_of(5.0, [100.0, 20.0])(x, y);
    let plain = run(&start);
    let mirrored = [run(&|x, y| start(size - 1 - x, y)), run(&|x, y| start(x, size - 1 - y)), run(&|x, y| start(y, x))];
    for (x, y) in plain.cells() {
        let expected = plain.units(x, y);
        let places = [[size - 1 - x, y], [x, size - 1 - y], [y, x]];
        for (basin, [x, y]) in mirrored.iter().zip(places) {
            assert_eq!(basin.units(x, y), expected);
        }
    }
}

#[test]
fn a_pyramid_that_is_built_again_near_moved_solids_is_the_whole_one() {
    let mut dice = Dice::new(8);
    for edges in [Edges::Closed, Edges::Wrap] {
        for (width, height) in [(300, 200), (77, 130), (20, 33)] {
            let mut solid = random_mask(dice.next(), width, height, 0.05);
            let mut pyramid = Basin::new(width, height, edges, deep(1.0), Some(solid.clone())).pyramid;
            for _ in 0..4 {
                let (x, y) = ((dice.next() % width as u64) as usize, (dice.next() % height as u64) as usize);
                let fill = dice.chance(0.5);
                for (cell, is_solid) in solid.iter_mut().enumerate() {
                    if (cell % width).abs_diff(x) < 6 && (cell / width).abs_diff(y) < 3 {
                        *is_solid = fill;
                    }
                }
                let whole = Basin::new(width, height, edges, deep(1.0), Some(solid.clone()));
                pyramid = std::sync::Arc::new(pyramid.moved(std::sync::Arc::clone(whole.pyramid.domain())));
                assert!(*pyramid == *whole.pyramid, "{edges:?} {width} x {height}");
                assert!(*pyramid == Pyramid::new(std::sync::Arc::clone(pyramid.domain())));
            }
        }
    }
}

#[test]
fn shots_have_the_same_bits_and_an_exact_ledger() {
    let cpu = Cpu::new(2);
    for seed in 0..24 {
        let edges = EDGES[seed as usize % 3];
        let shot = water::brief(water::shot(seed, 40 + seed as usize, 33, Model::Ripples, edges, 4), 12);
        let exact = water::play(&shot, &Reference);
        let found = water::play(&shot, &cpu);
        for (frame, (exact, found)) in exact.iter().zip(&found).enumerate() {
            assert!(exact == found, "seed {seed}, {edges:?}, frame {frame}");
            balanced(exact);
        }
    }
}

/// Checks the mass ledger of a state.
fn balanced(state: &State) {
    let (now, ledger) = (state.totals(), state.ledger());
    let since = ledger.since;
    let sum = ledger.start[0] + since.added[0] - since.removed[0] - since.drained[0] - since.clamped[0];
    assert_eq!(now[0], sum, "the ledger is exact");
    if state.domain().edges() != Edges::Open {
        assert!(since.drained[0] >= 0 || state.domain().solid().is_some(), "closed edges drain nothing");
    }
}

#[test]
fn the_coefficients_follow_the_settings() {
    let settings =
        Settings { speed: 3.0, ripple_length: 40.0, ripple_slowest: 6.0, smoothing: 0.02, ..water::settings() };
    let spec = water::spec(64, 64, Model::Ripples, Edges::Closed);
    let (steps, cut) = flow_ofx::sim::water::steps_per_frame(&spec, &settings);
    assert!((1..=4).contains(&steps) && !cut, "{steps} steps");
    let fast = Settings { speed: 1e6, ..settings };
    assert!(flow_ofx::sim::water::steps_per_frame(&spec, &fast).1, "the speed is lowered");
    assert_eq!(Coefficients::fit(&deep(0.0)), Coefficients::NONE);
}
