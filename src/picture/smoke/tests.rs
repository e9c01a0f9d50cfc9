//! Tests of the pictures of smoke.

use std::sync::Arc;

use super::blackbody::{self, WorkingSpace};
use super::firelight::Firelight;
use super::glow::Glow;
use super::testing::smoke;
use super::*;
use crate::compute::cpu::Isa;
use crate::compute::cpu::wide::Wide;
use crate::picture::{Components, Depth, Format};
use crate::sim::smoke::Air;
use crate::sim::smoke::quantities::QUANTITIES;
use crate::sim::smoke::settings::Boundary;
use crate::sim::smoke::state::Solids;

fn grey(density: f32) -> ([f32; 4], f32) {
    ([density; 4], 0.0)
}

/// Uneven smoke, the same on every machine.
fn cloud(x: usize, y: usize) -> ([f32; 4], f32) {
    let wave = |a: f32, b: f32| ((x as f32 * a).sin() * (y as f32 * b).cos()).max(0.0);
    let density = wave(0.31, 0.17) + 0.4 * wave(0.07, 0.23);
    ([density * 0.9, density * 0.5, density * 0.2, density], wave(0.11, 0.05))
}

/// The picture over pixel bounds.
fn painted(threads: usize, state: &State, output: Output, shading: &Shading, bounds: [i32; 4]) -> Vec<[f32; 4]> {
    let placement = |bounds| Placement::of_pixels(bounds, [1.0; 2], 1.0);
    let grid = placement([0, 0, state.grid.width as i32, state.grid.height as i32]);
    let placement = placement(bounds);
    let format = Format { depth: Depth::Float, components: Components::Rgba };
    let mut pixels = vec![[7.5_f32; 4]; placement.x.count * placement.y.count];
    let rows = bytemuck::cast_slice_mut(&mut pixels).chunks_mut(placement.x.count * 16).collect();
    paint_smoke(&Cpu::new(threads), state, output, shading, &grid, Canvas { placement, format, rows });
    pixels
}

fn whole(state: &State, output: Output, shading: &Shading) -> Vec<[f32; 4]> {
    painted(1, state, output, shading, [0, 0, state.grid.width as i32, state.grid.height as i32])
}

/// Light that shows shadows alone: of one beam, in the plane.
fn plain(direction: f64) -> Shading {
    Shading {
        light_direction: direction,
        light_elevation: 0.0,
        light_size: 0.0,
        light_colour: [1.0; 3],
        ambient: [0.0; 3],
        shadow: 2.0,
        opacity: 1.0,
        ..Shading::default()
    }
}

#[test]
fn black_bodies_have_their_chromaticities() {
    // CIE 1931, 2°: the Planckian locus.
    for (kelvin, x, y) in [(1500.0, 0.5857, 0.3931), (3000.0, 0.4369, 0.4041), (6500.0, 0.3135, 0.3237)] {
        let [big_x, big_y, big_z] = blackbody::xyz(kelvin);
        let sum = big_x + big_y + big_z;
        let (off_x, off_y) = (big_x / sum - x, big_y / sum - y);
        assert!(off_x.abs() < 0.001 && off_y.abs() < 0.001, "{kelvin} K is off by {off_x}, {off_y}");
    }
    let [r, g, b] = blackbody::rgb(6500.0, REC_709);
    assert!(r > 0.95 && g > 0.93 && b > 0.93, "nearly white: {r} {g} {b}");
}

const REC_709: WorkingSpace = WorkingSpace::Rec709;

#[test]
fn a_working_space_changes_the_colour_of_heat_and_keeps_white() {
    // A body of 2000 K, brightest channel 1.
    for (space, expected) in [
        (REC_709, [1.0, 0.26, 0.01]),
        (WorkingSpace::AcesCg, [1.0, 0.45, 0.09]),
        (WorkingSpace::Rec2020, [1.0, 0.43, 0.065]),
    ] {
        let colour = blackbody::rgb(2000.0, space);
        let off = colour.iter().zip(expected).map(|(a, b): (&f32, f32)| (a - b).abs()).fold(0.0, f32::max);
        assert!(off < 0.02, "{space:?}: {colour:?}");
        let white = space.of_rec709([1.0; 3]);
        assert!(white.iter().all(|channel| (channel - 1.0).abs() < 1e-5), "{space:?}: {white:?}");
    }
}

#[test]
fn heat_goes_from_red_to_blue_and_never_through_pink_or_green() {
    let mut last = blackbody::rgb(500.0, REC_709);
    assert!(last[0] == 1.0 && last[1] < 0.1 && last[2] == 0.0, "{last:?}");
    for kelvin in (500..20_000).step_by(25) {
        let [r, g, b] = blackbody::rgb(f64::from(kelvin), REC_709);
        assert!(kelvin > 6000 || (r >= g && g >= b), "{kelvin} K is {r} {g} {b}");
        assert!(b / r >= last[2] / last[0] - 1e-5, "hotter is bluer at {kelvin} K");
        last = [r, g, b];
    }
}

#[test]
fn light_falls_off_exponentially_in_even_smoke() {
    let density = 0.6;
    for (direction, steps) in [(90.0, [0, 1, 7, 39]), (0.0, [0, 1, 7, 39]), (-90.0, [0, 1, 7, 39])] {
        let state = smoke([201, 201], |_, _| grey(density));
        let picture = whole(&state, Output::Smoke, &plain(direction));
        for step in steps {
            let at = match direction {
                90.0 => (200 - step) * 201 + 100,
                0.0 => 100 * 201 + 200 - step,
                _ => step * 201 + 100,
            };
            let alpha = 1.0 - (-f64::from(density)).exp();
            let light = (-f64::from(density) * 0.02 * (step as f64 + 0.5)).exp();
            let [r, _, _, a] = picture[at].map(f64::from);
            assert!((a - alpha).abs() < 1e-6, "{a} for {alpha}");
            assert!((r / (alpha * light) - 1.0).abs() < 1e-5, "{direction}° {step}: {r} for {}", alpha * light);
        }
    }
    // Aslant the way is longer by 1 / cos.
    let state = smoke([401, 401], |_, _| grey(density));
    let picture = whole(&state, Output::Smoke, &plain(60.0));
    let way = 20.5 / 60_f64.to_radians().sin();
    let truth = (1.0 - (-f64::from(density)).exp()) * (-f64::from(density) * 0.02 * way).exp();
    let r = f64::from(picture[(400 - 20) * 401 + 100][0]);
    assert!((r / truth - 1.0).abs() < 1e-5, "{r} for {truth}");
}

#[test]
fn shadows_deepen_away_from_the_light_and_fade_under_a_high_one() {
    let state = smoke([64, 64], |_, _| grey(1.0));
    let line = |shading: &Shading| -> Vec<f32> {
        let picture = whole(&state, Output::Smoke, shading);
        (0..64).rev().map(|y| picture[y * 64 + 32][0]).collect()
    };
    for direction in [90.0, 70.0, 120.0, 135.0] {
        let shading = Shading { light_size: 12.0, shadow: 20.0, ..plain(direction) };
        let low = line(&shading);
        assert!(low[..30].windows(2).all(|pair| pair[1] < pair[0]), "{direction}°: {low:?}");
        let high = line(&Shading { light_elevation: 60.0, depth: 10.0, ..shading });
        assert!(low.iter().zip(&high).skip(2).all(|(low, high)| low < high), "{direction}°");
        let front = line(&Shading { light_elevation: 90.0, ..shading });
        let own = (1.0 - (-1_f32).exp()) * (-0.1_f32 / 90_f32.to_radians().sin()).exp();
        assert!(front.iter().all(|v| *v > own * 0.9), "only its own half cell is before it: {front:?}");
    }
    let dense = line(&Shading { shadow: 40.0, ..plain(90.0) });
    let thin = line(&Shading { shadow: 20.0, ..plain(90.0) });
    assert!(dense.iter().zip(&thin).all(|(dense, thin)| dense < thin));
}

#[test]
fn a_reflected_light_on_reflected_smoke_gives_the_reflected_picture() {
    let (width, height) = (90, 70);
    let state = smoke([width, height], cloud);
    let reflected = smoke([width, height], |x, y| cloud(width - 1 - x, y));
    let transposed = smoke([width, height], |x, y| cloud(x, height - 1 - y));
    let standing = smoke([height, width], |x, y| cloud(y, x));
    for direction in [0.0, 20.0, 45.0, 77.0, 90.0, 200.0, 310.0] {
        let with = |direction| Shading { light_direction: direction, shadow: 12.0, ..Shading::default() };
        let picture = whole(&state, Output::Smoke, &with(direction));
        let same = |other: Vec<[f32; 4]>, what: &str, at: &dyn Fn(usize, usize) -> usize| {
            for (i, pixel) in picture.iter().enumerate() {
                let twin = other[at(i % width, i / width)];
                let off = pixel.iter().zip(twin).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                assert!(off < 1e-5, "{direction}° {what} {i}: {pixel:?} {twin:?}");
            }
        };
        let left = whole(&reflected, Output::Smoke, &with(180.0 - direction));
        same(left, "left to right", &|x, y| y * width + width - 1 - x);
        let down = whole(&transposed, Output::Smoke, &with(-direction));
        same(down, "upside down", &|x, y| (height - 1 - y) * width + x);
        same(whole(&standing, Output::Smoke, &with(90.0 - direction)), "over the diagonal", &|x, y| x * height + y);
    }
}

#[test]
fn colour_is_that_of_the_dye_and_premultiplied() {
    let state = smoke([3, 1], |x, _| ([[0.0; 4], [0.2, 0.1, 0.0, 0.4], [0.002, 0.001, 0.0, 0.004]][x], 0.0));
    let shading = Shading { shadow: 0.0, light_colour: [1.0, 2.0, 3.0], ..plain(0.0) };
    let picture = whole(&state, Output::Smoke, &shading);
    assert_eq!(picture[0], [0.0; 4]);
    for (pixel, density) in [(picture[1], 0.4_f32), (picture[2], 0.004)] {
        let alpha = -(-density).exp_m1();
        for (value, truth) in pixel.into_iter().zip([0.5 * alpha, 0.5 * alpha, 0.0, alpha]) {
            assert!((value - truth).abs() < 1e-6, "{pixel:?}");
        }
    }
}

#[test]
fn fire_adds_light_and_a_little_alpha() {
    let state = smoke([4, 1], |x, _| ([0.3, 0.3, 0.3, 0.3], [0.0, -1.0, 0.5, 1.0][x]));
    let shading = Shading { fire: Fire { light: 0.0, ..Fire::default() }, ..Shading::default() };
    let (smoke, fire) = (whole(&state, Output::Smoke, &shading), whole(&state, Output::Fire, &shading));
    assert_eq!(smoke[..2], fire[..2]);
    let [r, g, b] = blackbody::rgb(shading.fire.kelvin, REC_709).map(|v| v * shading.fire.exposure.exp2() as f32);
    let left = (-shading.fire.soot).exp() as f32;
    for (i, glow) in [r, g, b].into_iter().enumerate() {
        assert!((fire[3][i] - (smoke[3][i] * left + glow)).abs() < 1e-4, "{:?}", fire[3]);
    }
    let hidden = 1.0 - (-shading.fire.opacity).exp() as f32;
    assert!((fire[3][3] - (smoke[3][3] + hidden * (1.0 - smoke[3][3]))).abs() < 1e-5);
    let ratio = (fire[2][0] - smoke[2][0] * (-shading.fire.soot / 4.0).exp() as f32) / r;
    assert!((ratio - 0.5_f32.powf(shading.fire.falloff as f32)).abs() < 1e-4, "{ratio}");
    let added = Shading { fire: Fire { opacity: 0.0, ..shading.fire }, ..shading };
    assert_eq!(whole(&state, Output::Fire, &added)[3][3], smoke[3][3]);
}

/// The light that a fire of radius `radius` at `middle`, so deep, sheds on the cells of a grid, the lowest row first.
fn firelight(size: [usize; 2], cells_per_pixel: f64, middle: [f64; 2], radius: f64, depth: f64) -> Vec<[f32; 3]> {
    let mut state = smoke(size, |x, y| {
        let way = [x, y].map(|at| (at as f64 + 0.5) / cells_per_pixel);
        // Soft, so that it has the same heat on any grid.
        let out = (way[0] - middle[0]).hypot(way[1] - middle[1]) / radius;
        ([0.0; 4], (1.0 - out * out).max(0.0) as f32)
    });
    state.grid.cells_per_pixel = cells_per_pixel;
    let (glow, temperature) = (Glow::new(&Fire::default()), state.air.temperature.as_ref().unwrap());
    let shed = |at: usize| {
        let [r, g, b, _] = glow.of(temperature[at]);
        (temperature[at] > 0.0).then_some([r, g, b])
    };
    let light = Firelight::new(&Cpu::new(2), &state.grid, shed, 1.0, depth).unwrap();
    let mut cells = vec![[0.0; 3]; size[0] * size[1]];
    cells.chunks_exact_mut(size[0]).enumerate().for_each(|(y, row)| light.row(y, 0, row));
    cells
}

#[test]
fn the_light_of_fire_falls_with_the_square_of_the_distance_all_around() {
    let middle = [301.0, 288.0];
    let cells = firelight([600, 600], 1.0, middle, 10.0, 0.0);
    let deep = firelight([600, 600], 1.0, middle, 10.0, 1e6);
    let at = |cells: &[[f32; 3]], way: f64, degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let [x, y] = [middle[0] + way * cos, middle[1] + way * sin].map(|at| at.floor() as usize);
        f64::from(cells[y * 600 + x][0])
    };
    let mean = |cells: &[[f32; 3]], way: f64| (0..48).map(|i| at(cells, way, f64::from(i) * 7.5)).sum::<f64>() / 48.0;
    let ways: Vec<f64> = (0..14).map(|i| 25.0 * 1.18_f64.powi(i)).collect();
    // That of fire that is endlessly deep falls with the distance; the borders are too near to it for the last of them.
    for (cells, power, ways) in [(&cells, 2, &ways[..]), (&deep, 1, &ways[..7])] {
        let law: Vec<f64> = ways.iter().map(|&way| mean(cells, way) * way.powi(power)).collect();
        let typical = law.iter().sum::<f64>() / law.len() as f64;
        assert!(law.iter().all(|law| (law / typical - 1.0).abs() < 0.15), "{power}: {law:?}");
    }
    for way in ways {
        let ring: Vec<f64> = (0..48).map(|i| at(&cells, way, f64::from(i) * 7.5) / mean(&cells, way)).collect();
        assert!(ring.iter().all(|part| (part - 1.0).abs() < 0.25), "{way}: {ring:?}");
    }
    // No square shows: the light bends from cell to cell as 1 / r² does, by 6 / r² of itself, and not much more.
    for (y, row) in cells.chunks_exact(600).enumerate() {
        for (x, three) in row.windows(3).enumerate() {
            let far = (x as f64 + 1.5 - middle[0]).hypot(y as f64 + 0.5 - middle[1]);
            let [a, b, c] = [three[0][0], three[1][0], three[2][0]];
            let bend = f64::from(((a - b) - (b - c)).abs() / b);
            assert!(far < 25.0 || bend < 0.002 + 12.0 / (far * far), "{bend} at {far}");
        }
    }
}

#[test]
fn the_light_of_fire_moves_with_it_and_is_the_same_on_coarser_grids() {
    let away = |cells: &[[f32; 3]], width: usize, cells_per_pixel: f64, middle: [f64; 2]| -> Vec<f64> {
        let part = |x: f64, y: f64| {
            let [x, y] = [middle[0] + x, middle[1] + y].map(|at| (at * cells_per_pixel) as usize);
            f64::from(cells[y * width + x][0])
        };
        [[0.5, 0.5], [20.5, 4.5], [-44.5, 30.5], [8.5, -120.5], [150.5, 150.5]].map(|[x, y]| part(x, y)).to_vec()
    };
    let still = away(&firelight([640, 360], 1.0, [320.0, 160.0], 12.0, 80.0), 640, 1.0, [320.0, 160.0]);
    for step in 1..9 {
        let middle = [320.0 + f64::from(step), 160.0 - f64::from(step)];
        let moved = away(&firelight([640, 360], 1.0, middle, 12.0, 80.0), 640, 1.0, middle);
        for (moved, still) in moved.iter().zip(&still) {
            assert!((moved / still - 1.0).abs() < 0.06, "{step}: {moved} {still}");
        }
    }
    // Squares of other sizes follow the law by other steps.
    for (size, cells_per_pixel, off) in [([320, 180], 0.5, 0.1), ([1280, 720], 2.0, 0.1), ([480, 270], 0.75, 0.3)] {
        let cells = firelight(size, cells_per_pixel, [320.0, 160.0], 12.0, 80.0);
        for (other, still) in away(&cells, size[0], cells_per_pixel, [320.0, 160.0]).iter().zip(&still) {
            assert!((other / still - 1.0).abs() < off, "{cells_per_pixel}: {other} {still}");
        }
    }
}

#[test]
fn smoke_beside_fire_is_lit_by_it_and_only_as_much_as_is_asked_for() {
    let state = smoke([200, 100], |x, y| {
        let hot = (20..40).contains(&x) && (40..60).contains(&y);
        ([0.25, 0.5, 0.0, 0.5], if hot { 1.0 } else { 0.0 })
    });
    let with = |light: f64| Shading { fire: Fire { light, ..Fire::default() }, ..Shading::default() };
    let smoke = whole(&state, Output::Smoke, &with(1.0));
    let [none, once, twice] = [0.0, 1.0, 2.0].map(|light| whole(&state, Output::Fire, &with(light)));
    let mut last = f32::INFINITY;
    for x in (48..200).step_by(8) {
        let at = 50 * 200 + x;
        assert_eq!(none[at], smoke[at], "no light of it at {x}");
        assert_eq!(once[at][3], smoke[at][3]);
        let [red, green, blue] = [0, 1, 2].map(|i| once[at][i] - none[at][i]);
        assert!(red > 0.0 && red < last && blue == 0.0, "{x}: {red} {green} {blue}");
        // In the colour of the fire, and of the smoke.
        assert!(red > green, "{x}: {red} {green}");
        let more = twice[at][0] - none[at][0];
        assert!((more / red - 2.0).abs() < 1e-3, "{x}: {more} for {red}");
        last = red;
    }
}

#[test]
fn a_picture_does_not_depend_on_threads_or_vectors_and_ends_with_the_grid() {
    let state = smoke([300, 170], cloud);
    let raw = QUANTITIES.map(|named| Output::Raw(named.quantity));
    for output in [Output::Smoke, Output::Fire, Output::Ink].into_iter().chain(raw) {
        let one = painted(1, &state, output, &Shading::default(), [-3, -2, 310, 175]);
        assert_eq!(one, painted(3, &state, output, &Shading::default(), [-3, -2, 310, 175]), "{output:?}");
        for (i, pixel) in one.iter().enumerate() {
            let (x, y) = (i % 313, i / 313);
            let inside = (3..303).contains(&x) && (2..172).contains(&y);
            assert!(inside || *pixel == [0.0; 4], "{output:?} {x} {y}");
        }
    }
    struct Line<'a>(&'a Shaded<'a>, &'a mut [[f32; 4]]);
    impl Wide for Line<'_> {
        type Output = ();
        #[inline(always)]
        fn run(self) {
            self.0.row(60, 3, self.1);
        }
    }
    let shading = Shading::default();
    let lines: Vec<Vec<[f32; 4]>> = Isa::available()
        .into_iter()
        .map(|isa| {
            let cpu = Cpu::new(1);
            let lit = Lit::with(&cpu, isa, &state, &shading);
            let mut line = vec![[0.0; 4]; 297];
            isa.run(Line(&Shaded::new(&cpu, &state, &shading, Some(&shading.fire), &lit), &mut line));
            line
        })
        .collect();
    assert!(lines.iter().all(|line| *line == lines[0]));
}

#[test]
fn absurd_smoke_and_looks_give_finite_pictures() {
    let numbers = [0.0, 1e30, -1e30, f32::NAN, f32::INFINITY, 1e-42, 1.0, f32::NEG_INFINITY];
    for size in [[1, 1], [1, 500], [500, 1], [13, 9]] {
        let number = |i: usize| numbers[i % numbers.len()];
        let state = smoke(size, |x, y| ([0, 1, 3, 5].map(|k| number(x * k + y * 3 + k)), number(x * 5 + y)));
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 1e300] {
            let fire = Fire {
                ember: value,
                kelvin: value,
                soot: value,
                exposure: value,
                falloff: value,
                opacity: value,
                light: value,
                working_space: WorkingSpace::AcesCg,
                flame: FlameLook { core: value, onset: value, edge: value, blue: value, rate: value, size: value },
            };
            let absurd = Shading {
                light_direction: value,
                light_elevation: value,
                light_size: value,
                light_colour: [value; 3],
                ambient: [value; 3],
                shadow: value,
                depth: value,
                opacity: value,
                fire,
                motion: FrameMotion { time_scale: value, shifts: [[value; 2]; 2] },
                feather: value,
            };
            for shading in [absurd, Shading::default(), Shading { fire, ..Shading::default() }] {
                for output in [Quantity::Velocity, Quantity::Motion].map(Output::Raw) {
                    let shown = whole(&state, output, &shading);
                    assert!(shown.iter().flatten().all(|v| v.is_finite()), "{output:?} {size:?} {shading:?}");
                }
                for output in [Output::Smoke, Output::Fire] {
                    for pixel in whole(&state, output, &shading) {
                        assert!(pixel.iter().all(|v| v.is_finite()), "{output:?} {size:?} {pixel:?} {shading:?}");
                        assert!((0.0..=1.0).contains(&pixel[3]), "{pixel:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_feather_fades_premultiplied_pictures_towards_the_sides_and_nothing_else() {
    let state = smoke([40, 24], |_, _| ([0.5, 0.25, 0.125, 1.0], 0.5));
    for output in [Output::Raw(Quantity::Dye), Output::Smoke, Output::Fire, Output::Raw(Quantity::Velocity)] {
        let hard = whole(&state, output, &Shading::default());
        let soft = whole(&state, output, &Shading { feather: 8.0, ..Shading::default() });
        if output == Output::Raw(Quantity::Velocity) {
            assert_eq!(hard, soft);
            continue;
        }
        let share = |x: usize, y: usize| soft[y * 40 + x][3] / hard[y * 40 + x][3];
        assert_eq!([share(8, 8), share(31, 15), share(20, 12)], [1.0; 3], "{output:?}: the middle is as it was");
        assert!(share(0, 12) < 0.02 && share(0, 0) < 1e-3, "{output:?}: {}, {}", share(0, 12), share(0, 0));
        assert!((1..8).all(|x| share(x, 12) > share(x - 1, 12)), "{output:?}");
        assert_eq!(share(3, 12), share(36, 12), "{output:?}");
        // What is premultiplied stays so.
        let [r, _, _, a] = soft[12 * 40 + 3];
        let [hard_r, _, _, hard_a] = hard[12 * 40 + 3];
        assert!((r / a - hard_r / hard_a).abs() < 1e-5, "{output:?}");
    }
}

/// A layer's row, to be drawn with some instruction set.
struct Row<'a>(&'a State, Quantity, &'a mut [[f32; 4]]);

impl Wide for Row<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        Raw { state: self.0, layer: self.1, motion: FrameMotion::default() }.row(2, 0, self.2);
    }
}

/// Checks a row of each layer against its cells one by one, with every instruction set.
#[track_caller]
fn check_row(state: &State) {
    let width = state.grid.width;
    for layer in QUANTITIES.map(|named| named.quantity) {
        let bits = |cells: &[[f32; 4]]| cells.iter().map(|cell| cell.map(f32::to_bits)).collect::<Vec<_>>();
        let mut alone = vec![[7.5; 4]; width];
        alone.chunks_exact_mut(1).enumerate().for_each(|(x, cell)| state.quantity_cells(layer, 2, x, cell, 1.0));
        for isa in Isa::available() {
            let mut row = vec![[7.5; 4]; width];
            isa.run(Row(state, layer, &mut row));
            assert!(bits(&row) == bits(&alone), "{layer:?} {:?} {isa:?}", state.edges);
        }
        let mut row = vec![[7.5; 4]; width];
        layer_row(state, layer, 2, &mut row);
        assert!(bits(&row) == bits(&alone), "{layer:?} {:?}", state.edges);
    }
}

#[test]
fn a_row_of_a_layer_is_its_cells_with_any_instruction_set() {
    for side in [Boundary::Open, Boundary::Wrap] {
        let [width, height] = [37, 5];
        let mut state = smoke([width, height], |x, y| ([x as f32, y as f32, 0.5, 2.0], x as f32));
        // Slow and fast ones side by side, cells that stand still, and a solid among them.
        let speed = |at: usize| if (at / 4).is_multiple_of(3) { 0.0 } else { ((at * at) % 97) as f32 * 0.2 - 9.0 };
        let mut solid = vec![false; width * height];
        (solid[2 * width + 5], solid[2 * width + 20]) = (true, true);
        let air = Air {
            u: (0..(width + 1) * height).map(speed).collect(),
            v: (0..width * (height + 1)).map(|at| speed(at + 1) * 0.3).collect(),
            ..(*state.air).clone()
        };
        let (u, v) = (vec![1.25; (width + 1) * height], vec![-3.5; width * (height + 1)]);
        (state.air, state.solids, state.edges) = (Arc::new(air), Some(Arc::new(Solids { solid, u, v })), [side; 4]);
        check_row(&state);
    }
}

/// In such a wind cells side by side come from places side by side.
#[test]
fn a_row_of_a_layer_is_its_cells_in_a_gentle_wind() {
    let [width, height] = [70, 5];
    for side in [Boundary::Open, Boundary::Wrap] {
        for blow in [-1.0, 1.0] {
            let mut state = smoke([width, height], |x, y| ([x as f32, y as f32, 0.5, 2.0], x as f32));
            let wind = |at: usize, columns: usize| [(at % columns) as f32, (at / columns) as f32];
            let of_u = |at| wind(at, width + 1);
            let u = (0..(width + 1) * height).map(|at| blow * (0.6 + 0.002 * of_u(at)[0] + 0.02 * of_u(at)[1]));
            let of_v = |at| wind(at, width);
            let v = (0..width * (height + 1)).map(|at| blow * (0.003 * of_v(at)[0] - 0.3 + 0.01 * of_v(at)[1]));
            let air = Air { u: u.collect(), v: v.collect(), ..(*state.air).clone() };
            (state.air, state.edges) = (Arc::new(air), [side; 4]);
            check_row(&state);
        }
    }
}
