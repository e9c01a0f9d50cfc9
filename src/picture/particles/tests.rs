//! Tests of pictures of particles.

use std::sync::Arc;

use super::*;
use crate::picture::catcher::{Catcher, Surface};
use crate::picture::{Components, Depth, Format, Placement};
use crate::sim::particles::Particle;
use crate::sim::particles::random::pcg4d;
use crate::sim::particles::settings::EMITTERS;

const WHOLE: [i32; 4] = [0, 0, 200, 150];

pub fn sprite(sprite: Sprite) -> EmitterLook {
    EmitterLook {
        sprite,
        size: 24.0,
        size_spread: 0.0,
        size_skew: 0.0,
        sizes: [1.0; KEYS],
        opacity: 1.0,
        opacities: [1.0; KEYS],
        shock_cells: 0.0,
        colours: [[0.8, 0.5, 0.2]; 3],
        brightness: 1.0,
        cover: 1.0,
        stretch: 1.0,
        spin: 0.1,
        tumble: 0.0,
        seed: 4,
    }
}

pub fn look(emitters: &[EmitterLook]) -> Look {
    let mut all = [None; EMITTERS];
    all.iter_mut().zip(emitters).for_each(|(slot, look)| *slot = Some(*look));
    Look {
        output: Output::Beauty,
        emitters: all,
        futures: [const { None }; EMITTERS],
        scale: 1.0,
        shutter: 0.5,
        camera: Camera::default(),
        light: [120.0, 30.0],
        ambient: 0.3,
        self_shadow: 0.0,
        sprite_light: 0.0,
        catcher: None,
        near_fade: 0.0,
        soft_depth: 10.0,
        moving: None,
        focus: None,
        atlas: Atlas { frames: [2, 1], by_age: false },
    }
}

/// A particle in the middle of a life of ten frames.
pub fn particle(id: u64, emitter: u8, position: [f32; 3], velocity: [f32; 3]) -> Particle {
    Particle { id, emitter, born: 6, life: 10.0, position, velocity, colour: [1.0; 4], ..Particle::default() }
}

pub fn state(particles: Vec<Particle>) -> State {
    State { time: 10.0, particles: Arc::new(particles), ..State::default() }
}

/// Many particles of all sprites, at many depths.
pub fn crowd() -> (State, Look) {
    let mut particles = Vec::new();
    for emitter in 0..4 {
        for id in 0..300 {
            let random = |purpose: u32| pcg4d([id as u32, u32::from(emitter), purpose, 0]).map(|w| w as f32 / 4e9);
            let ([x, y, z, _], [u, v, w, _]) = (random(1), random(2));
            let position = [x * 240.0 - 20.0, y * 190.0 - 20.0, z * 80.0 - 40.0];
            particles.push(particle(id, emitter, position, [u * 30.0 - 15.0, v * 30.0 - 15.0, w * 4.0]));
        }
    }
    let mut looks = [Sprite::Spark, Sprite::Puff, Sprite::Star, Sprite::Flake].map(sprite);
    looks[0].cover = 0.0;
    looks[2] = EmitterLook { cover: 0.4, stretch: 0.0, opacity: 0.7, ..looks[2] };
    looks[1] = EmitterLook { size_skew: 0.3, tumble: 0.2, ..looks[1] };
    (state(particles), Look { self_shadow: 0.7, sprite_light: 2.0, ..look(&looks) })
}

/// The cells before the camera.
pub fn grid() -> Placement {
    Placement::of_pixels(WHOLE, [1.0; 2], 1.0)
}

/// Pixels of a window at a scale, with so many threads, and tiles of a side.
pub fn painted(state: &State, look: &Look, window: [i32; 4], scale: f64, threads: usize, side: usize) -> Vec<[f32; 4]> {
    let painting =
        Painting { state, look, grid: grid(), scene: Scene::default(), sprite: None, smoke: None, gpu: None };
    paint(painting, window, scale, threads, side)
}

fn paint(painting: Painting<'_>, window: [i32; 4], scale: f64, threads: usize, side: usize) -> Vec<[f32; 4]> {
    let placement = Placement::of_pixels(window, [scale; 2], 1.0);
    let mut pixels = vec![[7.0_f32; 4]; placement.x.count * placement.y.count];
    let rows = pixels.chunks_mut(placement.x.count).map(bytemuck::cast_slice_mut).collect();
    let format = Format { depth: Depth::Float, components: Components::Rgba };
    paint_in_tiles(&Cpu::new(threads), painting, Canvas { placement, format, rows }, side);
    pixels
}

pub fn bits(pixels: &[[f32; 4]]) -> Vec<[u32; 4]> {
    pixels.iter().map(|pixel| pixel.map(f32::to_bits)).collect()
}

fn sum(pixels: &[[f32; 4]], channel: usize) -> f64 {
    pixels.iter().map(|pixel| f64::from(pixel[channel])).sum()
}

#[test]
fn tiles_and_threads_change_no_bit() {
    let (state, mut look) = crowd();
    for output in [Output::Beauty, Output::Depth, Output::Motion, Output::Identity, Output::Count, Output::Emission] {
        look.output = output;
        let truth = painted(&state, &look, WHOLE, 1.0, 1, 32);
        assert!(truth.iter().flatten().all(|value| value.is_finite()));
        assert!(truth.iter().filter(|pixel| pixel[0] != 0.0).count() > 10_000, "{output:?}");
        for (threads, side) in [(2, 32), (3, 16), (1, 5)] {
            let other = painted(&state, &look, WHOLE, 1.0, threads, side);
            assert!(bits(&other) == bits(&truth), "{output:?}, {threads} threads, tiles of {side}");
        }
    }
}

#[test]
fn sprites_behind_add_nothing_to_closed_pixels_of_any_tile() {
    // A thick cloud, and a bright sprite behind it, which is larger.
    let place = |id: u64| pcg4d([id as u32, 9, 0, 0]).map(|word| word as f32 / u32::MAX as f32);
    let cloud = (0..400).map(|id| {
        let [x, y, z, _] = place(id);
        particle(id, 0, [60.0 + 80.0 * x, 40.0 + 70.0 * y, 30.0 * z], [3.0, 1.0, 0.0])
    });
    let cloud: Vec<Particle> = cloud.collect();
    let mut lit = cloud.clone();
    lit.push(particle(400, 1, [100.0, 75.0, -20.0], [0.0; 3]));
    let soft = EmitterLook { opacity: 0.6, size: 40.0, ..sprite(Sprite::SoftDisc) };
    let bright = EmitterLook { size: 300.0, brightness: 1000.0, ..sprite(Sprite::Disc) };
    for output in [Output::Beauty, Output::Emission] {
        let look = Look { output, ..look(&[EmitterLook { cover: 0.9, ..soft }, EmitterLook { cover: 0.5, ..bright }]) };
        let shown = |particles: &[Particle], threads, side| {
            painted(&state(particles.to_vec()), &look, WHOLE, 1.0, threads, side)
        };
        let [dark, seen] = [&cloud, &lit].map(|particles| shown(particles, 1, 32));
        let same = bits(&dark).iter().zip(bits(&seen)).filter(|(dark, seen)| **dark == *seen).count();
        assert!((1000..20_000).contains(&same), "{output:?}: {same} pixels are closed");
        for (dark, seen) in dark.iter().zip(&seen) {
            // A pixel that is nearly closed lets through more than 1/4096 of the light behind it.
            assert!(dark == seen || seen[0] > dark[0] + 0.05, "{output:?}: {dark:?} {seen:?}");
            assert!(output == Output::Emission || dark != seen || dark[3] == 1.0, "{dark:?} is opaque");
        }
        for (threads, side) in [(2, 32), (3, 16), (1, 5)] {
            assert!(bits(&shown(&lit, threads, side)) == bits(&seen), "{output:?}, tiles of {side}");
        }
    }
}

#[test]
fn sprites_behind_others_in_the_light_are_darker() {
    // Two rows of puffs, of which the left one has a wall of puffs on the side of the light.
    let puff = |id: u64, x: f32, y: f32, z: f32| particle(id, 0, [x, y, z], [0.0; 3]);
    let mut particles: Vec<Particle> = (0..10).map(|n| puff(n, 50.0, 10.0 + 3.0 * n as f32, 0.0)).collect();
    particles.extend((0..10).map(|n| puff(10 + n, 150.0, 10.0 + 3.0 * n as f32, 0.0)));
    particles.extend((0..200).map(|n| {
        puff(20 + n, 20.0 + 4.0 * (n % 15) as f32, 100.0 + 3.0 * (n / 15) as f32, 10.0 * (n % 7) as f32 - 30.0)
    }));
    let state = state(particles);
    let looks = [EmitterLook { opacity: 0.5, ..sprite(Sprite::Puff) }];
    let lit = Look { light: [90.0, 0.0], ambient: 0.0, ..look(&looks) };
    let shaded = Look { self_shadow: 1.0, ..lit.clone() };
    let light = |look: &Look, columns: std::ops::Range<usize>| {
        let pixels = painted(&state, look, WHOLE, 1.0, 2, 32);
        let rows = (0..50).flat_map(|y| columns.clone().map(move |x| y * 200 + x));
        rows.map(|at| pixels[at]).fold([0.0, 0.0], |[red, alpha], pixel| [red + pixel[0], alpha + pixel[3]])
    };
    let (dark, free) = (light(&shaded, 0..100), light(&shaded, 100..200));
    let plain = light(&lit, 0..100);
    assert!((dark[1] - plain[1]).abs() < 1e-3, "shadows change no alpha: {} and {}", dark[1], plain[1]);
    assert!(dark[0] < 0.25 * free[0], "{} and {}", dark[0], free[0]);
    // Only their own row shades the others: the uppermost has all the light.
    assert!(free[0] > 0.3 * plain[0] && free[0] < plain[0], "{} and {}", free[0], plain[0]);
    // Sprites that are all at one place do not hide the light from each other.
    let heap = State { particles: Arc::new((0..10).map(|n| puff(n, 100.0, 60.0, 0.0)).collect()), ..state.clone() };
    let brightest =
        |look: &Look| painted(&heap, look, WHOLE, 1.0, 1, 32).iter().fold(0.0, |most: f32, p| most.max(p[0]));
    assert!(brightest(&shaded) > 0.7 * brightest(&lit), "{} and {}", brightest(&shaded), brightest(&lit));
    // Light that sprites add is their own.
    let glowing = [EmitterLook { cover: 0.0, ..looks[0] }];
    let [own, shaded] = [0.0, 1.0].map(|self_shadow| Look { self_shadow, ..look(&glowing) });
    assert_eq!(bits(&painted(&state, &own, WHOLE, 1.0, 1, 32)), bits(&painted(&state, &shaded, WHOLE, 1.0, 1, 32)));
}

/// An atlas of two frames: a red square, and a green ring.
fn atlas() -> Vec<[f32; 4]> {
    let pixel = |place: usize| {
        let (x, y) = (place % 32, place / 32);
        let ring = ((x as f32 - 24.0).hypot(y as f32 - 8.0) - 5.0).abs() < 2.0;
        let cover = if x < 16 || ring { 0.75 } else { 0.0 };
        if x < 16 { [cover, 0.1, 0.0, cover] } else { [0.0, cover, 0.0, cover] }
    };
    (0..32 * 16).map(pixel).collect()
}

#[test]
fn tiles_and_threads_change_no_bit_out_of_focus_and_with_a_picture_of_sprites() {
    let (state, mut look) = crowd();
    let pixels = atlas();
    let picture = SpritePicture { pixels: &pixels, size: [32, 16], has_alpha: true, premultiplied: true };
    look.emitters[0] = Some(EmitterLook { cover: 0.9, ..sprite(Sprite::Picture) });
    for (by_age, focus) in
        [(false, None), (true, Some(DepthOfField { focus: 390.0, stop: 1.0, width: 0.5 })), (true, None)]
    {
        let look = Look { focus, atlas: Atlas { frames: [2, 1], by_age }, ..look.clone() };
        let scene = Scene::default();
        let painting =
            Painting { state: &state, look: &look, grid: grid(), scene, sprite: Some(picture), smoke: None, gpu: None };
        let truth = paint(painting, WHOLE, 1.0, 1, 32);
        assert!(truth.iter().flatten().all(|value| value.is_finite()));
        let sharp = paint(Painting { sprite: None, ..painting }, WHOLE, 1.0, 1, 32);
        assert!(bits(&truth) != bits(&sharp), "the picture of sprites is seen");
        for (threads, side) in [(2, 32), (3, 16), (1, 5)] {
            let other = paint(painting, WHOLE, 1.0, threads, side);
            assert!(bits(&other) == bits(&truth), "{focus:?}, {threads} threads, tiles of {side}");
        }
    }
}

#[test]
fn the_light_of_a_sprite_does_not_depend_on_its_focus() {
    let pixels = atlas();
    let picture = SpritePicture { pixels: &pixels, size: [32, 16], has_alpha: true, premultiplied: true };
    let even = [Sprite::Disc, Sprite::SoftDisc, Sprite::Spark, Sprite::Star, Sprite::Picture];
    let shapes = even.into_iter().chain([Sprite::Puff, Sprite::Flake, Sprite::Shard]);
    for shape in shapes {
        let glow = EmitterLook { cover: 0.0, spin: 0.0, ..sprite(shape) };
        let shown = |stop: Option<f64>, velocity: [f32; 3]| {
            let particles = state(vec![particle(0, 0, [101.3, 74.8, 0.0], velocity)]);
            let focus = stop.map(|stop| DepthOfField { focus: 300.0, stop, width: 0.5 });
            let look = Look { focus, ..look(&[glow]) };
            let scene = Scene::default();
            let painting = Painting {
                state: &particles,
                look: &look,
                grid: grid(),
                scene,
                sprite: Some(picture),
                smoke: None,
                gpu: None,
            };
            let pixels = paint(painting, WHOLE, 1.0, 1, 32);
            let widest = pixels.iter().filter(|pixel| pixel[0] > 0.0).count();
            ([0, 1].map(|channel| sum(&pixels, channel)), widest)
        };
        // The shapes of puffs and frames differ, and the measured energy of a flake is that of a larger one.
        let most = if matches!(shape, Sprite::Puff | Sprite::Flake | Sprite::Shard) { 0.2 } else { 0.03 };
        let (sharp, few) = shown(None, [0.0; 3]);
        let mut last = few;
        for stop in [16.0, 5.6, 2.8, 1.4] {
            let (soft, many) = shown(Some(stop), [0.0; 3]);
            for channel in 0..2 {
                let ratio = soft[channel] / sharp[channel].max(1e-9);
                assert!((ratio - 1.0).abs() < most || sharp[channel] < 1e-6, "{shape:?} at {stop}: {ratio}");
            }
            assert!(many >= last, "{shape:?} at {stop} is larger");
            last = many;
        }
        let (fast, _) = shown(Some(4.0), [16.0, 9.0, 0.0]);
        assert!((fast[1] / sharp[1].max(1e-9) - 1.0).abs() < most || sharp[1] < 1e-6, "{shape:?}: {fast:?} {sharp:?}");
    }
}

#[test]
fn a_window_shows_the_pixels_of_the_whole() {
    let (state, look) = crowd();
    let whole = painted(&state, &look, WHOLE, 1.0, 1, 32);
    let window = [33, 17, 150, 99];
    let part = painted(&state, &look, window, 1.0, 2, 32);
    let cut = (17..99).flat_map(|y: usize| whole[y * 200 + 33..y * 200 + 150].to_vec()).collect::<Vec<_>>();
    assert!(bits(&part) == bits(&cut));
    let outside = painted(&state, &look, [500, 500, 520, 510], 1.0, 1, 32);
    assert!(outside.iter().all(|pixel| *pixel == [0.0; 4]));
}

/// The light of one soft disc of this size and velocity in a picture at a scale.
fn light(size: f64, velocity: [f32; 3], scale: f64) -> f64 {
    let glow = EmitterLook { cover: 0.0, size, ..sprite(Sprite::SoftDisc) };
    let particles = state(vec![particle(0, 0, [101.3, 74.8, 0.0], velocity)]);
    let window = [0, 0, (200.0 * scale) as i32, (150.0 * scale) as i32];
    sum(&painted(&particles, &look(&[glow]), window, scale, 1, 32), 0) / (scale * scale)
}

#[test]
fn the_light_of_a_sprite_does_not_depend_on_stretch_and_proxy() {
    let still = light(24.0, [0.0; 3], 1.0);
    // The integral of (1 − r²)² over a disc is π/3.
    let exact = 0.8 * std::f64::consts::PI / 3.0 * 144.0;
    assert!((still / exact - 1.0).abs() < 0.01, "{still} {exact}");
    let fast: [([f32; 3], f64); 4] =
        [([30.0, 5.0, 0.0], 1.0), ([0.0; 3], 0.5), ([60.0, -80.0, 0.0], 0.5), ([0.0; 3], 2.0)];
    for (velocity, scale) in fast {
        let other = light(24.0, velocity, scale);
        assert!((other / still - 1.0).abs() < 0.02, "{velocity:?} {scale}: {other} {still}");
    }
    let [small, tiny] = [2.0_f64, 0.5].map(|size| light(size, [0.0; 3], 1.0) / (size * size) * 576.0);
    assert!((small / still - 1.0).abs() < 0.1 && (tiny / small - 1.0).abs() < 0.1, "{tiny} {small} {still}");
}

#[test]
fn near_sprites_cover_far_ones_and_light_adds() {
    let (far, near) = ([100.0, 75.0, -50.0], [100.0, 75.0, 50.0]);
    let red = EmitterLook { colours: [[1.0, 0.0, 0.0]; 3], ..sprite(Sprite::Disc) };
    let blue = EmitterLook { colours: [[0.0, 0.0, 1.0]; 3], ..red };
    let centre = |looks: &[EmitterLook], places: [[f32; 3]; 2]| {
        let particles = places.into_iter().enumerate().map(|(n, place)| particle(0, n as u8, place, [0.0; 3]));
        painted(&state(particles.collect()), &look(looks), WHOLE, 1.0, 1, 32)[75 * 200 + 100]
    };
    assert_eq!(centre(&[red, blue], [near, far]), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(centre(&[red, blue], [far, near]), [0.0, 0.0, 1.0, 1.0]);
    let [red_light, blue_light] = [red, blue].map(|look| EmitterLook { cover: 0.0, ..look });
    assert_eq!(centre(&[red_light, blue_light], [far, near]), [1.0, 0.0, 1.0, 0.0]);
    assert_eq!(centre(&[red, blue_light], [far, near]), [1.0, 0.0, 1.0, 1.0]);
    assert_eq!(centre(&[red_light, blue], [far, near]), [0.0, 0.0, 1.0, 1.0], "covered light is dark");
}

#[test]
fn data_are_those_of_the_nearest_sprite() {
    let places = [[100.0, 75.0, -50.0], [100.0, 75.0, 50.0]];
    let particles = places.into_iter().enumerate().map(|(n, place)| particle(7, n as u8, place, [3.0, -2.0, 0.0]));
    let shown = state(particles.collect());
    let centre = |output: Output| {
        let looks = [sprite(Sprite::Disc), sprite(Sprite::SoftDisc)];
        let data = Look { output, ..look(&looks) };
        painted(&shown, &data, WHOLE, 1.0, 1, 32)[75 * 200 + 100]
    };
    let distance = 200.0 * 50.0 / 24.576 - 50.0;
    assert!((f64::from(centre(Output::Depth)[0]) - distance).abs() < 1e-3);
    let [u, v, back_u, back_v] = centre(Output::Motion);
    assert!(u > 3.0 && v < -2.0 && back_u == -u && back_v == -v, "{u} {v}");
    // Born at 5, of age 5 at 10.
    assert_eq!(centre(Output::Identity), [7.0, 0.5, 2.0, 1.0]);
    assert_eq!(centre(Output::Count)[0], 2.0);
}

#[test]
fn a_camera_that_moves_stretches_sprites() {
    let still = state(vec![particle(0, 0, [100.0, 75.0, 0.0], [0.0; 3])]);
    let shown = |output: Output, across: f64| {
        let camera = |x: f64| Camera { translate: [x, 0.0, 0.0], ..Camera::default() };
        let moving = Some([-0.25, 0.25, -0.5, 0.5].map(|time| camera(time * across)));
        let moved = Look { output, moving, ..look(&[EmitterLook { stretch: 1.0, ..sprite(Sprite::Disc) }]) };
        painted(&still, &moved, WHOLE, 1.0, 1, 32)
    };
    let width = |pixels: &[[f32; 4]]| pixels[75 * 200..76 * 200].iter().filter(|pixel| pixel[3] > 0.0).count();
    // Half of 40 pixels a frame.
    assert!(width(&shown(Output::Beauty, 40.0)) >= width(&shown(Output::Beauty, 0.0)) + 19);
    let [u, v, ..] = shown(Output::Motion, 40.0)[75 * 200 + 100];
    assert!((u + 40.0).abs() < 1e-3 && v.abs() < 1e-3, "a pan to the right moves the picture to the left: {u} {v}");
}

#[test]
fn a_sprite_fades_by_its_age_and_is_gone_at_its_end() {
    let fading = EmitterLook { opacities: [0.0, 1.0, 1.0, 0.0], ..sprite(Sprite::SoftDisc) };
    let at = |time: f64| {
        let aged = State { time, ..state(vec![particle(0, 0, [100.0, 75.0, 0.0], [0.0; 3])]) };
        sum(&painted(&aged, &look(&[fading]), WHOLE, 1.0, 1, 32), 3)
    };
    let [young, middle, old] = [5.5, 10.0, 14.9].map(at);
    assert!(young < middle * 0.2 && old < middle * 0.05, "{young} {middle} {old}");
    assert_eq!(at(15.0), 0.0);
}

#[test]
fn a_scene_hides_what_is_behind_it_and_a_holdout_everything() {
    let particles = vec![particle(0, 0, [100.0, 75.0, 0.0], [0.0; 3])];
    let (particles, look) = (state(particles), look(&[sprite(Sprite::Disc)]));
    let distance = 200.0 * 50.0 / 24.576;
    let seen = |depth: f64, hidden: f32| {
        let (depth, holdout) =
            (vec![[depth as f32, 0.0, 0.0, 1.0]; 200 * 150], vec![[0.0, 0.0, 0.0, hidden]; 200 * 150]);
        let scene = Scene { depth: Some(&depth), holdout: Some(&holdout) };
        let painting =
            Painting { state: &particles, look: &look, grid: grid(), scene, sprite: None, smoke: None, gpu: None };
        paint(painting, WHOLE, 1.0, 1, 32)[75 * 200 + 100][3]
    };
    assert_eq!(seen(0.0, 0.0), 1.0, "no scene");
    assert_eq!(seen(distance + 20.0, 0.0), 1.0, "in front");
    assert_eq!(seen(distance - 1.0, 0.0), 0.0, "behind");
    assert!((seen(distance + 5.0, 0.0) - 0.5).abs() < 1e-3, "half of the soft distance");
    assert!((seen(0.0, 0.75) - 0.25).abs() < 1e-6, "held out");
}

/// Height of the floor of a shadow catcher.
const FLOOR: f64 = 20.0;

fn on(surface: Surface) -> Option<Catcher> {
    Some(Catcher { surface, shadow: 1.0, softness: 0.0, reflectance: [1.0, 0.5, 0.0] })
}

/// Distance of the floor at each pixel, in red; 0 above its horizon.
fn floor_depth() -> Vec<[f32; 4]> {
    let projection = Projection::new(Camera::default(), [0.0, 0.0, 200.0, 150.0]);
    let distance = |place: usize| {
        let ray = projection.ray([(place % 200) as f64 + 0.5, (place / 200) as f64 + 0.5]);
        let distance = (FLOOR - ray.origin[1]) / ray.direction[1];
        if distance > 0.0 { distance as f32 } else { 0.0 }
    };
    (0..200 * 150).map(|place| [distance(place), 0.0, 0.0, 0.0]).collect()
}

#[test]
fn sprites_cast_shadows_on_a_floor_and_on_the_same_floor_by_depth() {
    // A roof of discs at a height of 60, from x = 80 to 120, and the light above it.
    let roof = (0..1600).map(|n| {
        let [x, z] = [n % 40, n / 40].map(|part| part as f32);
        particle(n as u64, 0, [80.0 + x, 60.0, z - 40.0], [0.0; 3])
    });
    let state = state(roof.collect());
    let looks = [EmitterLook { size: 3.0, spin: 0.0, ..sprite(Sprite::Disc) }];
    let bare = Look { light: [90.0, 0.0], ambient: 0.0, ..look(&looks) };
    let floor = Look { catcher: on(Surface::Floor(FLOOR)), ..bare.clone() };
    let plain = painted(&state, &bare, WHOLE, 1.0, 2, 32);
    let caught = painted(&state, &floor, WHOLE, 1.0, 2, 32);
    // The floor 20 pixels behind the picture's plane is seen at a height of 22 to 23 pixels.
    let row = |pixels: &[[f32; 4]]| pixels[22 * 200..23 * 200].to_vec();
    assert!(row(&plain).iter().all(|pixel| *pixel == [0.0; 4]));
    let shadow = row(&caught);
    assert!(shadow[100][3] > 0.9 && shadow[20][3] < 1e-3 && shadow[180][3] < 1e-3, "{:?}", shadow[100]);
    assert!(shadow.iter().all(|pixel| pixel[..3] == [0.0; 3]), "sprites that cover do not shine");
    // Above the horizon there are the sprites alone, which do not shade each other.
    assert_eq!(bits(&plain[76 * 200..]), bits(&caught[76 * 200..]));
    let half = Look { catcher: floor.catcher.map(|catcher| Catcher { shadow: 0.5, ..catcher }), ..floor.clone() };
    let weaker = row(&painted(&state, &half, WHOLE, 1.0, 1, 16));
    assert!((weaker[100][3] * 2.0 - shadow[100][3]).abs() < 1e-3);
    // A wide light blurs the edges, here by a sixth of a height of 40, and leaves the middle.
    let wide = Look { catcher: floor.catcher.map(|catcher| Catcher { softness: 9.5, ..catcher }), ..floor.clone() };
    let blurred = row(&painted(&state, &wide, WHOLE, 1.0, 1, 16));
    let steepest = |row: &[[f32; 4]]| row.windows(2).map(|pair| (pair[1][3] - pair[0][3]).abs()).fold(0.0, f32::max);
    assert!(steepest(&blurred) < 0.6 * steepest(&shadow), "{} {}", steepest(&blurred), steepest(&shadow));
    assert!((blurred[100][3] - shadow[100][3]).abs() < 0.02 && blurred[20][3] < 1e-3);
    // Light from all around fills the shadow.
    let open = Look { ambient: 1.0, ..floor.clone() };
    let filled = row(&painted(&state, &open, WHOLE, 1.0, 1, 16))[100][3];
    assert!(filled > 0.02 && filled < 0.8 * shadow[100][3], "{filled}");
    let depth = floor_depth();
    let scene = Scene { depth: Some(&depth), holdout: None };
    let by_depth = Look { catcher: on(Surface::Depth), soft_depth: 0.0, ..floor };
    let painting =
        Painting { state: &state, look: &by_depth, grid: grid(), scene, sprite: None, smoke: None, gpu: None };
    let other = paint(painting, WHOLE, 1.0, 2, 32);
    for (floor, depth) in caught[..60 * 200].iter().zip(&other) {
        assert!((floor[3] - depth[3]).abs() < 0.01, "{floor:?} {depth:?}");
    }
}

#[test]
fn a_sprite_lights_a_floor_by_distance_and_cosine() {
    let state = state(vec![particle(1, 0, [100.0, 60.0, 0.0], [0.0; 3])]);
    let looks = [EmitterLook { cover: 0.0, spin: 0.0, ..sprite(Sprite::SoftDisc) }];
    let bare = look(&looks);
    let floor = Look { catcher: on(Surface::Floor(FLOOR)), ..bare.clone() };
    let whole = sum(&painted(&state, &bare, WHOLE, 1.0, 1, 32), 0);
    let caught = painted(&state, &floor, WHOLE, 1.0, 2, 32);
    for [x, y] in [[100, 19], [100, 12], [60, 19], [150, 19]] {
        let projection = Projection::new(Camera::default(), [0.0, 0.0, 200.0, 150.0]);
        let ray = projection.ray([x as f64 + 0.5, y as f64 + 0.5]);
        let distance = (FLOOR - ray.origin[1]) / ray.direction[1];
        let way = [0, 1, 2].map(|axis| ray.origin[axis] + ray.direction[axis] * distance - [100.0, 60.0, 0.0][axis]);
        let distance2: f64 = way.iter().map(|part| part * part).sum();
        let truth = whole * 40.0 / distance2.powf(1.5) / std::f64::consts::PI;
        let [red, green, blue, alpha] = caught[y * 200 + x];
        assert!((f64::from(red) / truth - 1.0).abs() < 0.02, "{x} {y}: {red} {truth}");
        assert!((green / red - 0.5 * 0.5 / 0.8).abs() < 1e-4 && blue == 0.0 && alpha == 0.0, "{green} {blue} {alpha}");
    }
    let emission = Look { output: Output::Emission, ..floor };
    let light = painted(&state, &emission, WHOLE, 1.0, 1, 32);
    assert!(light.iter().zip(&caught).all(|(light, beauty)| light[..3] == beauty[..3] && light[3] == 0.0));
}

#[test]
fn absurd_catchers_show_finite_pictures() {
    let (state, look) = crowd();
    let odd: Vec<[f32; 4]> =
        (0..200 * 150).map(|place| [[f32::NAN, f32::INFINITY, -1.0, 1e38][place % 4]; 4]).collect();
    let surfaces = [f64::NAN, f64::INFINITY, -1e300].map(Surface::Floor).into_iter().chain([Surface::Depth]);
    for surface in surfaces {
        let look = Look { catcher: on(surface), ..look.clone() };
        let scene = Scene { depth: (surface == Surface::Depth).then_some(&odd[..]), holdout: None };
        let painting =
            Painting { state: &state, look: &look, grid: grid(), scene, sprite: None, smoke: None, gpu: None };
        assert!(paint(painting, WHOLE, 1.0, 2, 32).iter().flatten().all(|value| value.is_finite()), "{surface:?}");
    }
}
