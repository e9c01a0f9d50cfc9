//! Convergence of the solver, and its equation.

use super::*;
use crate::sim::particles::random::pcg4d;
use crate::sim::volume::state::face_sizes;

const CLOSED: [[Side; 2]; 3] = [[Side::Closed; 2]; 3];

/// Open shares of the faces between cells that are not solid.
fn openings(n: usize, sides: [[Side; 2]; 3], solid: impl Fn([usize; 3]) -> bool) -> [Vec<f32>; 3] {
    std::array::from_fn(|axis| {
        let size = face_sizes([n; 3], axis);
        let faces = (0..size.iter().product()).map(|face: usize| {
            let at = [face % size[0], face / size[0] % size[1], face / (size[0] * size[1])];
            let cell = |shift: usize| {
                let mut cell = at;
                cell[axis] = (at[axis] + n - shift) % n;
                cell
            };
            let side = if at[axis] == 0 { Some(sides[axis][0]) } else { (at[axis] == n).then_some(sides[axis][1]) };
            let inner = if at[axis] == 0 { cell(0) } else { cell(1) };
            let closed = match side {
                Some(Side::Closed) => true,
                Some(Side::Open) => solid(inner),
                Some(Side::Wrapped) | None => solid(cell(0)) || solid(cell(1)),
            };
            f32::from(u8::from(!closed))
        });
        faces.collect()
    })
}

/// The divergence of a smooth force that drives a vortex and a plume, through open faces.
fn divergence(n: usize, open: &[Vec<f32>; 3]) -> Vec<f32> {
    let flow = |axis: usize, at: [usize; 3]| {
        let size = face_sizes([n; 3], axis);
        let place: [f64; 3] =
            std::array::from_fn(|along| (at[along] as f64 + if along == axis { 0.0 } else { 0.5 }) / n as f64);
        let bump = |centre: [f64; 3], width: f64| {
            (-(0..3).map(|i| ((place[i] - centre[i]) / width).powi(2)).sum::<f64>()).exp()
        };
        let speed = match axis {
            1 => bump([0.45, 0.25, 0.55], 0.12) + 0.5 * bump([0.7, 0.7, 0.3], 0.1),
            0 => 0.3 * bump([0.3, 0.6, 0.4], 0.2),
            _ => -0.3 * bump([0.6, 0.4, 0.6], 0.15),
        };
        f64::from(open[axis][at[0] + size[0] * (at[1] + size[1] * at[2])]) * speed
    };
    let cells = (0..n * n * n).map(|cell| {
        let at = [cell % n, cell / n % n, cell / (n * n)];
        let out = |axis: usize| {
            let mut next = at;
            next[axis] += 1;
            flow(axis, next) - flow(axis, at)
        };
        (0..3).map(out).sum::<f64>() as f32
    });
    cells.collect()
}

/// The solved equation, and its work.
fn solved(cpu: &Cpu, n: usize, sides: [[Side; 2]; 3], solid: impl Fn([usize; 3]) -> bool) -> Solves {
    let open = openings(n, sides, solid);
    let mut right = divergence(n, &open);
    let mut pressure = SolidPressure::new(cpu, [n; 3], sides, open.each_ref().map(|open| &open[..]));
    let solves = pressure.solve(cpu, (&mut right, n), 1e-4, 60);
    // The residual by the equation, cell by cell.
    let value = |[x, y, z]: [usize; 3]| pressure.pressure.get([x, y, z]);
    let (mut squares, mut all) = (0.0, 0.0);
    for (cell, right) in right.iter().enumerate() {
        let at = [cell % n, cell / n % n, cell / (n * n)];
        let mut sum = 0.0;
        let mut any = false;
        for axis in 0..3 {
            let size = face_sizes([n; 3], axis);
            for end in [0, 1] {
                let mut face = at;
                face[axis] += end;
                let share = open[axis][face[0] + size[0] * (face[1] + size[1] * face[2])];
                let mut other = at;
                other[axis] = (at[axis] + n + 2 * end - 1) % n;
                let beyond = face[axis] == 0 || face[axis] == n;
                let there = if beyond && sides[axis][end] == Side::Open { 0.0 } else { value(other) };
                sum += f64::from(share) * (f64::from(there) - f64::from(value(at)));
                any |= share > 0.0;
            }
        }
        if any {
            squares += (sum - f64::from(*right)).powi(2);
            all += f64::from(*right).powi(2);
        }
    }
    let found = (squares / all).sqrt();
    // The solver's residual has the rounding of single precision.
    assert!((found - solves.residual).abs() <= 0.1 * solves.residual + 1e-5, "{found} for {solves:?} {sides:?}");
    // At 128 cells, the rounding of the pressure itself is a residual of about 2e-4.
    assert!(solves.residual <= if n > 64 { 3e-4 } else { 1.1e-4 }, "{solves:?}");
    solves
}

#[test]
fn iterations_stay_few_among_solids() {
    let cpu = Cpu::new(2);
    // The full size, with `FLOW_GATES` set, takes minutes.
    let n = if std::env::var_os("FLOW_GATES").is_some() { 128 } else { 32 };
    let scale = |part: f64| part * n as f64;
    let sphere =
        |at: [usize; 3]| at.iter().map(|x| (*x as f64 + 0.5 - scale(0.5)).powi(2)).sum::<f64>() < scale(0.2).powi(2);
    let porous = |[x, y, z]: [usize; 3]| pcg4d([x as u32, y as u32, z as u32, 5])[0] < u32::MAX / 5;
    // Walls of one cell between rooms of a quarter of the box, each with a door.
    let rooms = |at: [usize; 3]| {
        let room = n / 4;
        let walls = at.map(|x| x % room == room - 1 && x < n - 1);
        let door = |axis: usize| {
            let [a, b] = [at[(axis + 1) % 3] % room, at[(axis + 2) % 3] % room];
            a * 4 >= room && a * 4 < 2 * room && b * 4 >= room && b * 4 < 2 * room
        };
        walls.iter().filter(|wall| **wall).count() > 1 || (0..3).any(|axis| walls[axis] && !door(axis))
    };
    // A plate of one cell across the box with a hole of a sixteenth of its width.
    let plate = |[x, y, z]: [usize; 3]| {
        let hole = |at: usize| (at as f64 + 0.5 - scale(0.5)).abs() < scale(1.0 / 32.0).max(1.0);
        y == n / 2 && !(hole(x) && hole(z))
    };
    let found = [
        ("sphere", solved(&cpu, n, CLOSED, sphere), 5),
        ("porous", solved(&cpu, n, CLOSED, porous), 6),
        ("rooms", solved(&cpu, n, CLOSED, rooms), 17),
        ("plate with a hole", solved(&cpu, n, CLOSED, plate), 20),
    ];
    for (name, solves, most) in found {
        println!("{n}³ {name}: {solves:?}, at most {most}");
    }
    assert!(found.iter().all(|(_, solves, most)| solves.cycles <= *most), "{found:?}");
}

#[test]
fn open_and_wrapped_sides_and_closed_rooms_have_a_solution() {
    let cpu = Cpu::new(2);
    let n = 24;
    let ball = |at: [usize; 3]| at.iter().map(|x| (*x as f64 - 9.0).powi(2)).sum::<f64>() < 30.0;
    let mixed = [[Side::Open; 2], [Side::Closed, Side::Open], [Side::Wrapped; 2]];
    for sides in [[[Side::Open; 2]; 3], [[Side::Wrapped; 2]; 3], mixed] {
        assert!(solved(&cpu, n, sides, ball).cycles <= 8, "{sides:?}");
    }
    // A shell with air inside: a closed region in an open box.
    let shell = |at: [usize; 3]| {
        let square = at.iter().map(|x| (*x as f64 - 11.5).powi(2)).sum::<f64>();
        (30.0..80.0).contains(&square)
    };
    assert!(solved(&cpu, n, [[Side::Open; 2]; 3], shell).cycles <= 8);
}

#[test]
fn regions_are_those_of_a_flood() {
    let cpu = Cpu::new(2);
    let size = [16, 8, 24];
    let cells = size.iter().product::<usize>();
    let sides = [
        CLOSED,
        [[Side::Wrapped; 2], [Side::Closed; 2], [Side::Wrapped; 2]],
        [[Side::Closed; 2], [Side::Open, Side::Closed], [Side::Closed; 2]],
        [[Side::Open, Side::Closed], [Side::Wrapped; 2], [Side::Closed, Side::Open]],
    ];
    let mut regions_found = 0;
    for (number, sides) in sides.into_iter().enumerate() {
        for closed in [0.55, 0.75, 0.95] {
            let areas: [Vec<f32>; 3] = std::array::from_fn(|axis| {
                let faces = face_sizes(size, axis);
                let share = |face: usize| {
                    let mut at = [face % faces[0], face / faces[0] % faces[1], face / (faces[0] * faces[1])];
                    // The last faces of a wrapped axis are the first.
                    at[axis] %= if sides[axis][0] == Side::Wrapped { size[axis] } else { usize::MAX };
                    let [x, y, z] = at.map(|place| place as u32);
                    let random = f64::from(pcg4d([x, y, z, (3 * number + axis) as u32])[0]);
                    f32::from(u8::from(random > closed * f64::from(u32::MAX)))
                };
                (0..faces.iter().product()).map(share).collect()
            });
            let face = |axis: usize, [x, y, z]: [usize; 3]| {
                let sizes = face_sizes(size, axis);
                areas[axis][x + sizes[0] * (y + sizes[1] * z)] > 0.0
            };
            let place = |cell: usize| [cell % size[0], cell / size[0] % size[1], cell / (size[0] * size[1])];
            let index = |[x, y, z]: [usize; 3]| x + size[0] * (y + size[1] * z);
            // The cell through a face of another, and whether there is air beyond an open side instead.
            let through = |cell: usize, axis: usize, end: usize| -> (Option<usize>, bool) {
                let at = place(cell);
                let mut next = at;
                next[axis] += end;
                let is_side = next[axis] == 0 || next[axis] == size[axis];
                let side = sides[axis][end];
                if !face(axis, next) || (is_side && side == Side::Closed) {
                    return (None, false);
                }
                let mut other = at;
                other[axis] = (at[axis] + size[axis] + 2 * end - 1) % size[axis];
                if is_side && side == Side::Open { (None, true) } else { (Some(index(other)), false) }
            };
            let all = || (0..3).flat_map(|axis| [(axis, 0), (axis, 1)]);
            let mut wanted = vec![None; cells];
            let mut count = 0;
            for first in 0..cells {
                if wanted[first].is_some() {
                    continue;
                }
                let (mut flood, mut members, mut is_open) = (vec![first], Vec::new(), false);
                wanted[first] = Some(u32::MAX);
                while let Some(cell) = flood.pop() {
                    members.push(cell);
                    for (axis, end) in all() {
                        let (other, beyond) = through(cell, axis, end);
                        is_open |= beyond;
                        if let Some(other) = other.filter(|other| wanted[*other].is_none()) {
                            wanted[other] = Some(u32::MAX);
                            flood.push(other);
                        }
                    }
                }
                let at = place(first);
                let shut = |axis: usize| {
                    let mut next = at;
                    next[axis] += 1;
                    !face(axis, at) && !face(axis, next)
                };
                if !is_open && (members.len() > 1 || !(0..3).all(shut)) {
                    members.iter().for_each(|member| wanted[*member] = Some(count));
                    count += 1;
                }
            }
            let found = Regions::new(&cpu, size, areas.each_ref().map(|areas| &areas[..]), sides);
            let mut members: Vec<Vec<u32>> = vec![Vec::new(); count as usize];
            for (cell, region) in (0..).zip(&wanted) {
                if let Some(region) = region.filter(|region| *region != u32::MAX) {
                    members[region as usize].push(cell);
                }
            }
            let counts: Vec<usize> = members.iter().map(Vec::len).collect();
            let found = found.map_or((Vec::new(), Vec::new()), |regions| regions.members());
            assert_eq!(found, (members.concat(), counts), "{sides:?}, {closed}");
            regions_found += count;
        }
    }
    assert!(regions_found > 100, "{regions_found} regions");
}
