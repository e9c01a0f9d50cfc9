//! Tests of the pictures of water.

use std::sync::Arc;

use super::surface::Slopes;
use super::*;
use crate::compute::cpu::Isa;
use crate::picture::layers::Draw;
use crate::picture::testing::{constants, still};
use crate::picture::{Components, Depth, Format};
use crate::sim::grid::Grid;
use crate::sim::water::inputs::{Inputs, SourcePixels};
use crate::sim::water::settings::Edges;
use crate::sim::water::{Spec, next_frame, start_frame};

const OUTPUTS: [Output; 7] = [
    Output::Shaded,
    Output::Normals,
    Output::Velocity,
    Output::Motion,
    Output::RefractionMap,
    Output::Displacement,
    Output::Caustics,
];

/// Water of a height and over a ground that functions give for a cell, after so many frames.
fn water(
    size: [usize; 2],
    edges: Edges,
    frames: usize,
    height: impl Fn(usize, usize) -> f32,
    ground: impl Fn(usize, usize) -> f32,
) -> (State, u32) {
    let [width, rows] = size;
    let grid = Grid { width, height: rows, origin: [0.0; 2], cells_per_pixel: 1.0 };
    let spec = Spec { grid, constants: constants(edges) };
    let settings = still();
    let picture = |value: &dyn Fn(usize, usize) -> f32| -> Arc<Vec<[f32; 4]>> {
        Arc::new((0..width * rows).map(|i| [value(i % width, i / width); 4]).collect())
    };
    let source = SourcePixels { pixels: picture(&height), has_alpha: true, premultiplied: false };
    let inputs = Inputs { source: Some(source), terrain: Some(picture(&ground)), ..Inputs::default() };
    let cpu = Cpu::new(1);
    let (mut state, mut told) = start_frame(&spec, &settings, &inputs, &cpu);
    for _ in 0..frames {
        (state, told) = next_frame(&spec, &state, &settings, &inputs, &cpu, &mut || true).expect("never interrupted");
    }
    (state, told.steps)
}

/// Waves over hills, some of them dry.
fn waves(size: [usize; 2], edges: Edges) -> (State, u32) {
    let wave = |x: usize, y: usize, a: f32, b: f32| (x as f32 * a).sin() * (y as f32 * b).cos();
    water(size, edges, 4, |x, y| 0.4 + wave(x, y, 0.3, 0.2) * 0.5, |x, y| 0.3 + 0.3 * wave(x, y, 0.11, 0.17))
}

/// A picture over pixel bounds at a scale.
fn painted(threads: usize, water: &(State, u32), output: Output, shading: &Shading, bounds: [i32; 4]) -> Vec<[f32; 4]> {
    at_scale(threads, water, output, shading, bounds, 1.0)
}

fn at_scale(
    threads: usize,
    (state, steps): &(State, u32),
    output: Output,
    shading: &Shading,
    bounds: [i32; 4],
    scale: f64,
) -> Vec<[f32; 4]> {
    let grid = Placement::of_pixels([0, 0, state.grid().width as i32, state.grid().height as i32], [1.0; 2], 1.0);
    let placement = Placement::of_pixels(bounds, [scale; 2], 1.0);
    let format = Format { depth: Depth::Float, components: Components::Rgba };
    let mut pixels = vec![[7.5_f32; 4]; placement.x.count * placement.y.count];
    let rows = bytemuck::cast_slice_mut(&mut pixels).chunks_mut(placement.x.count * 16).collect();
    paint_water(
        &Cpu::new(threads),
        state,
        *steps,
        output,
        &Scene::of(shading),
        &grid,
        Canvas { placement, format, rows },
    );
    pixels
}

fn whole(water: &(State, u32), output: Output, shading: &Shading) -> Vec<[f32; 4]> {
    painted(1, water, output, shading, [0, 0, water.0.grid().width as i32, water.0.grid().height as i32])
}

#[test]
fn a_lake_at_rest_is_flat_up_to_its_shore() {
    // An island and a slope stand out of a lake whose surface is at 1.
    let ground = |x: usize, y: usize| if (8..12).contains(&x) && y > 5 { 1.5 } else { x as f32 / 16.0 };
    let lake = water([31, 17], Edges::Closed, 0, |x, y| (1.0 - ground(x, y)).max(0.0), ground);
    for scale in [1.0, 2.0] {
        let (width, height) = ((31.0 * scale) as i32, (17.0 * scale) as i32);
        let show = |output| at_scale(1, &lake, output, &Shading::default(), [0, 0, width, height], scale);
        let (normals, map, shift) = (show(Output::Normals), show(Output::RefractionMap), show(Output::Displacement));
        let mut wet = 0;
        for (i, pixel) in normals.iter().enumerate() {
            let (x, y) = (i as i32 % width, i as i32 / width);
            let place = [(x, width), (y, height)].map(|(at, of)| ((f64::from(at) + 0.5) / f64::from(of)) as f32);
            assert_eq!(map[i][..3], [place[0], place[1], 0.0], "{x}, {y}");
            assert_eq!(shift[i][..2], [0.0, 0.0]);
            if pixel[3] == 1.0 {
                wet += 1;
                assert_eq!(pixel[..3], [0.0, 0.0, 1.0], "{x}, {y}");
            }
        }
        assert!(wet > 150, "{wet} wet");
    }
    assert!(whole(&lake, Output::Velocity, &Shading::default()).iter().all(|pixel| *pixel == [0.0; 4]));
    assert!(whole(&lake, Output::Motion, &Shading::default()).iter().all(|pixel| *pixel == [0.0; 4]));
}

#[test]
fn normals_are_those_of_a_plane() {
    // 1/32 up per cell to the right, 1/64 down per cell upwards: exact in units.
    let surface = |x: usize, y: usize| 2.0 + x as f32 / 32.0 - y as f32 / 64.0;
    let state = water([20, 20], Edges::Closed, 0, |_, _| 1.0, |x, y| surface(x, y) - 1.0);
    let picture = whole(&state, Output::Normals, &Shading { relief: 16.0, ..Shading::default() });
    let length = (0.5_f32 * 0.5 + 0.25 * 0.25 + 1.0).sqrt();
    for (x, y) in [(1, 1), (7, 12), (18, 18)] {
        let [nx, ny, nz, wet] = picture[y * 20 + x];
        let truth = [-0.5 / length, 0.25 / length, 1.0 / length];
        assert!([nx, ny, nz].iter().zip(truth).all(|(a, b)| (a - b).abs() < 1e-6), "{nx} {ny} {nz}");
        assert_eq!(wet, 1.0);
    }
}

#[test]
fn rays_follow_snells_law() {
    for index in [1.0, 1.333, 2.4] {
        let refraction = Refraction::new(&Shading { relief: 10.0, index_of_refraction: index, ..Shading::default() });
        assert_eq!(refraction.offset(3.0, 0.0, 0.0), [0.0; 2]);
        for slope in [0.01_f64, 0.3, 1.0, 5.0] {
            let [x, y] = refraction.offset(2.0, slope as f32, 0.0);
            // The ray is tilted against the normal, which leans to the left; below it is tilted less.
            let tilt = slope.atan();
            let inside = (tilt.sin() / index).asin();
            let truth = 20.0 * (tilt - inside).tan();
            assert!((f64::from(x) - truth).abs() < 2e-5 * (1.0 + truth), "{index} {slope}: {x} for {truth}");
            assert_eq!(y, 0.0);
            assert_eq!(refraction.offset(2.0, 0.0, slope as f32), [0.0, x]);
        }
    }
}

#[test]
fn the_map_is_the_displacement_in_parts_of_the_frame() {
    let state = waves([40, 24], Edges::Closed);
    let [map, shift] = [Output::RefractionMap, Output::Displacement].map(|o| whole(&state, o, &Shading::default()));
    assert!(shift.iter().any(|pixel| pixel[0].abs() > 1.0));
    for (i, (map, shift)) in map.iter().zip(&shift).enumerate() {
        let [x, y] = [(i % 40) as f32 + 0.5 + shift[0], (i / 40) as f32 + 0.5 + shift[1]];
        assert!((map[0] * 40.0 - x).abs() < 1e-4 && (map[1] * 24.0 - y).abs() < 1e-4, "{map:?} {shift:?}");
    }
}

fn shaded<'a>(cpu: &Cpu, state: &'a State, shading: &Shading) -> Shaded<'a> {
    Shaded::new(cpu, state, Surface::new(state, None, shading.relief), &Scene::of(shading))
}

#[test]
fn light_obeys_its_laws() {
    let facing = optics::facing_reflectance(1.333) as f32;
    assert!((facing - 0.02037).abs() < 1e-4);
    assert_eq!(optics::fresnel(facing, 1.0), facing);
    assert!((optics::fresnel(facing, 0.0) - 1.0).abs() < 1e-6);
    // Twice as deep lets through the square.
    let absorption = crate::picture::absorption::Absorption::new(0.8);
    for colour in [[0.0, 0.1, 0.7], [0.3; 3], [1.0, 0.5, 0.0]] {
        let [none, once, twice] = [0.0, 1.0, 2.0].map(|height| absorption.transmittance(colour, height));
        assert!(once.iter().zip(twice).all(|(once, twice)| (once * once - twice).abs() < 1e-6), "{colour:?}");
        assert_eq!(none, [1.0; 3]);
        // The clarity is the height that leaves 1/e of the brightest channel.
        let clear = absorption.transmittance(colour, 0.8).into_iter().fold(0.0, f32::max);
        assert!((clear - (-1.0_f32).exp()).abs() < 1e-6, "{clear}");
    }
    // GGX: the distribution over the projected half space is 1.
    for alpha in [0.1_f64, 0.5, 1.0] {
        let steps = 20_000;
        let sum: f64 = (0..steps)
            .map(|i| {
                let cosine = (f64::from(i) + 0.5) / f64::from(steps);
                f64::from(optics::ggx(alpha as f32, cosine as f32)) * 2.0 * cosine / f64::from(steps)
            })
            .sum();
        assert!((sum - 1.0).abs() < 1e-2, "{alpha}: {sum}");
    }
}

#[test]
fn deep_water_has_its_colour_and_thin_water_shows_the_bed() {
    let (state, _) = water([5, 5], Edges::Closed, 0, |_, _| 1.0, |_, _| 0.0);
    let shading = Shading {
        light_colour: [0.0; 3],
        index_of_refraction: 1.0,
        sky_colour: [1.0; 3],
        horizon_colour: [1.0; 3],
        water_colour: [0.1, 0.5, 1.0],
        ground_colour: [0.3, 0.2, 0.1],
        sky_contrast: 0.0,
        clarity: 1.0,
        murkiness: 1.0,
        ..Shading::default()
    };
    let cpu = Cpu::new(1);
    let bed = |bed: [f64; 3]| bed.map(|value| value as f32);
    let over = (shaded(&cpu, &state, &shading), bed(shading.ground_colour));
    let alone = Shading { alpha_mode: AlphaMode::WaterOnly, ..shading };
    let alone = (shaded(&cpu, &state, &alone), bed([0.0; 3]));
    let near = |pixel: [f32; 4], truth: [f32; 4]| {
        assert!(pixel.iter().zip(truth).all(|(a, b)| (a - b).abs() < 1e-5), "{pixel:?} for {truth:?}");
    };
    let flat = Slopes::FLAT.facet(0);
    let at = |(shaded, bed): &(Shaded<'_>, [f32; 3]), water: [f32; 4]| shaded.pixel([0, 0], water, flat, *bed, 0.0);
    near(at(&over, [0.0; 4]), [0.3, 0.2, 0.1, 1.0]);
    near(at(&alone, [0.0; 4]), [0.0; 4]);
    near(at(&over, [0.0, 0.0, 0.0, 30.0]), [0.1, 0.5, 1.0, 1.0]);
    near(at(&alone, [0.0, 0.0, 0.0, 30.0]), [0.1, 0.5, 1.0, 1.0]);
    // Pigment takes the place of the water's own colour.
    near(at(&over, [1.0, 0.25, 0.5, 30.0]), [1.0, 0.25, 0.5, 1.0]);
    // Water alone over a bed of any one brightness is water over that bed, but for what it filters.
    let [r, _, b, alpha] = at(&alone, [0.0, 0.0, 0.0, 0.3]);
    let [over_r, _, over_b, _] = at(&over, [0.0, 0.0, 0.0, 0.3]);
    assert!(r < over_r && b < over_b && alpha > 0.0 && alpha < 1.0);
    // White water is lit as the light says.
    let sunny = Shading { light_colour: [2.0; 3], light_elevation: 30.0, roughness: 1.0, ..shading };
    let sunny = (shaded(&cpu, &state, &sunny), bed([0.0; 3]));
    near(at(&sunny, [1.0, 1.0, 1.0, 30.0]), [2.0, 2.0, 2.0, 1.0]);
}

#[test]
fn a_picture_does_not_depend_on_threads_or_vectors() {
    let shading = Shading::default();
    for edges in [Edges::Closed, Edges::Open, Edges::Wrap] {
        let state = waves([300, 120], edges);
        for output in OUTPUTS {
            let one = painted(1, &state, output, &shading, [-3, -2, 310, 125]);
            assert!(one == painted(3, &state, output, &shading, [-3, -2, 310, 125]), "{output:?}");
            for (i, pixel) in one.iter().enumerate() {
                let (x, y) = (i % 313, i / 313);
                let inside = (3..303).contains(&x) && (2..122).contains(&y);
                assert!(inside || output == Output::RefractionMap || *pixel == [0.0; 4], "{output:?} {x} {y}");
            }
            // A part is cut from the whole.
            let part = painted(1, &state, output, &shading, [40, 7, 301, 9]);
            let one = &one;
            let cut: Vec<_> = (7..9).flat_map(|y| (40..301).map(move |x| one[(y + 2) * 313 + x + 3])).collect();
            assert!(part == cut, "{output:?}");
        }
        let cpu = Cpu::new(1);
        let shaded = shaded(&cpu, &state.0, &shading);
        let velocity = Velocity { state: &state.0, steps: state.1 };
        let rows = Isa::available().into_iter().map(|isa| {
            let mut out = [vec![[0.0; 4]; 297], vec![[0.0; 4]; 297]];
            isa.run(Draw { cells: &shaded, y: 60, from: 3, out: &mut out[0] });
            isa.run(Draw { cells: &velocity, y: 60, from: 3, out: &mut out[1] });
            out
        });
        let rows: Vec<_> = rows.collect();
        assert!(rows.iter().all(|row| *row == rows[0]));
    }
}

#[test]
fn light_falls_the_same_whatever_threads_there_are() {
    // High enough for several bands of light.
    for edges in [Edges::Closed, Edges::Wrap] {
        let state = waves([40, 5000], edges);
        let shading = Shading { relief: 60.0, light_elevation: 25.0, ..Shading::default() };
        let one = whole(&state, Output::Caustics, &shading);
        assert!(one == painted(3, &state, Output::Caustics, &shading, [0, 0, 40, 5000]), "{edges:?}");
        let mean = one.iter().map(|pixel| f64::from(pixel[0])).sum::<f64>() / one.len() as f64;
        assert!((mean - 1.0).abs() < 1e-5, "{edges:?}: {mean}");
        assert!(one.iter().any(|pixel| pixel[0] > 1.5));
    }
}

#[test]
fn caustics_leave_dry_ground_as_it_is() {
    for edges in [Edges::Closed, Edges::Wrap] {
        // Steep ground, so that there is deep water beside dry land.
        let wave = |x: usize, y: usize| 0.3 * (x as f32 * 0.4).sin() * (y as f32 * 0.3).cos();
        let ground = |x: usize, y: usize| if (x / 12 + y / 10).is_multiple_of(2) { 1.8 } else { 0.0 };
        let (state, steps) = water([96, 60], edges, 4, |x, y| (1.0 + wave(x, y) - ground(x, y)).max(0.0), ground);
        let shading = Shading { relief: 60.0, light_elevation: 40.0, ..Shading::default() };
        let light = whole(&(state, steps), Output::Caustics, &shading);
        let dry: Vec<f32> = light.iter().filter(|pixel| pixel[3] == 0.0).map(|pixel| pixel[0]).collect();
        let lit = light.iter().filter(|pixel| pixel[3] == 1.0 && (pixel[0] - 1.0).abs() > 0.2).count();
        let off = dry.iter().map(|light| (light - 1.0).abs()).fold(0.0, f32::max);
        println!("{edges:?}: {} dry cells, {lit} lit by waves, dry light off by {off}", dry.len());
        assert!(dry.len() > 1000 && lit > 500);
        assert_eq!(off, 0.0);
        // Light that does not reach the shores stays in the water.
        let mean = light.iter().map(|pixel| f64::from(pixel[0])).sum::<f64>() / light.len() as f64;
        assert!((mean - 1.0).abs() < 1e-5, "{edges:?}: {mean}");
    }
}

#[test]
fn absurd_shading_gives_finite_pictures() {
    for size in [[1, 1], [1, 300], [300, 1], [13, 9]] {
        for edges in [Edges::Closed, Edges::Wrap] {
            let state = waves(size, edges);
            for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 1e300, -1e300] {
                for alpha_mode in [AlphaMode::OverBed, AlphaMode::WaterOnly] {
                    let shading = Shading {
                        relief: value,
                        index_of_refraction: value,
                        water_colour: [value; 3],
                        clarity: value,
                        murkiness: value,
                        sky_contrast: value,
                        clouds: value,
                        skyline: Some(Row::Trees),
                        skyline_height: value,
                        view_elevation: value,
                        light_size: value,
                        detail_strength: value,
                        detail_size: value,
                        alpha_mode,
                        ground_colour: [value; 3],
                        sky_colour: [value; 3],
                        horizon_colour: [value; 3],
                        light_direction: value,
                        light_elevation: value,
                        light_colour: [value; 3],
                        roughness: value,
                        terrain_shadow: value,
                        caustics: value,
                        reflection_distance: value,
                        foam_colour: [value, value, 1.0],
                        wet_darkening: value,
                    };
                    for output in OUTPUTS {
                        for pixel in whole(&state, output, &shading) {
                            assert!(pixel.iter().all(|v| v.is_finite()), "{output:?} {value} {size:?} {pixel:?}");
                        }
                    }
                }
            }
        }
    }
}
