use half::f16;

use super::*;
use crate::compute::cpu::Cpu;
use crate::picture::camera::Camera;
use crate::picture::masks::Scene;
use crate::picture::placement::{Axis, Placement};
use crate::sim::volume::fields::{Bounds, Lattice, VolumeView};

/// Pixels along a side of the pictures.
pub const SIDE: usize = 40;

/// A volume of given fields in front of the default camera, for tests.
pub struct Volume {
    lattice: Lattice,
    bounds: Bounds,
    pub scalars: Vec<[f16; 4]>,
    pub gases: Option<Vec<[f16; 4]>>,
    pub tints: Option<Vec<[f16; 4]>>,
    /// Velocity at the faces across each axis, cells per frame.
    velocity: Option<[Vec<f32>; 3]>,
}

impl Volume {
    /// `cells` cells of 1 unit around the middle of the picture. `fields`: those of a cell by its position from −1 to 1.
    pub fn new(cells: [usize; 3], fields: impl Fn([f64; 3]) -> [f32; 4]) -> Self {
        let low = [-(cells[0] as i32) / 2, -(cells[1] as i32) / 2, -(cells[2] as i32) / 2];
        let middle = SIDE as f64 / 2.0;
        let mut scalars = Vec::new();
        for z in 0..cells[2] {
            for y in 0..cells[1] {
                for x in 0..cells[0] {
                    let at = [(x, cells[0]), (y, cells[1]), (z, cells[2])]
                        .map(|(at, count)| (at as f64 + 0.5) / count as f64 * 2.0 - 1.0);
                    scalars.push(fields(at).map(f16::from_f32));
                }
            }
        }
        Self {
            lattice: Lattice { origin: [middle, middle, 0.0], spacing: 1.0 },
            bounds: Bounds { low, cells },
            scalars,
            gases: None,
            tints: None,
            velocity: None,
        }
    }

    /// The volume in an even wind, cells per frame.
    pub fn in_wind(mut self, wind: [f32; 3]) -> Self {
        let faces = |axis: usize| {
            let mut counts = self.bounds.cells;
            counts[axis] += 1;
            vec![wind[axis]; counts.iter().product()]
        };
        self.velocity = Some([0, 1, 2].map(faces));
        self
    }

    pub fn view(&self) -> VolumeView<'_> {
        VolumeView {
            lattice: self.lattice,
            bounds: self.bounds,
            detail: 1,
            scalars: &self.scalars,
            gases: self.gases.as_deref(),
            tints: self.tints.as_deref(),
            velocity: self.velocity.as_ref().map(|faces| faces.each_ref().map(|faces| &faces[..])),
        }
    }
}

/// Density of a lumpy ball, 0 near the border.
pub fn lumps([x, y, z]: [f64; 3]) -> f32 {
    let wave = libm::sin(7.0 * x + 2.0 * z) * libm::sin(6.0 * y - 3.0 * x + 1.0) * libm::sin(8.0 * z + y);
    let radius = libm::sqrt(x * x + y * y + z * z);
    ((0.75 + 0.2 * wave - radius) * 3.0).clamp(0.0, 1.0) as f32
}

pub fn ball(cells: usize) -> Volume {
    Volume::new([cells; 3], |at| [lumps(at), 0.0, 0.0, 0.0])
}

fn square() -> Placement {
    let axis = Axis { start: 0.0, size: 1.0, count: SIDE };
    Placement { x: axis, y: axis }
}

pub fn shot(camera: Camera) -> Shot<'static> {
    Shot { camera, shutter: &[], grid: square(), scene: Scene::default(), pixels: square() }
}

pub fn directional(to_light: [f64; 3]) -> Light {
    Light { kind: LightKind::Directional { to_light }, colour: [1.0, 0.8, 0.6], intensity: 1.0, shadow: 1.0 }
}

/// Lights of each kind.
pub fn all_lights() -> [Light; 4] {
    let of = |kind| Light { kind, colour: [0.3, 0.6, 1.0], intensity: 2.0, shadow: 0.7 };
    [
        directional([1.0, 2.0, 0.5]),
        directional([-3.0, 1.0, 1.0]),
        of(LightKind::Point { position: [25.0, 21.0, 3.0], reach: 10.0 }),
        of(LightKind::Spot { position: [60.0, 70.0, 20.0], reach: 60.0, axis: [-1.0, -1.0, -0.3], cone: [10.0, 25.0] }),
    ]
}

/// Settings for cells of 1 unit.
pub fn look() -> VolumeLook {
    VolumeLook { density: 15.0, fire_depth: 10.0, ..VolumeLook::default() }
}

pub fn render(volume: &Volume, look: &VolumeLook, lights: &[Light], shot: &Shot<'_>, layers: &[Layer]) -> Layers {
    let cpu = Cpu::new(2);
    Lit::new(&cpu, &volume.view(), look, lights).render(&cpu, shot, layers)
}

pub const COLOURS: [Layer; 7] = [
    Layer::Beauty,
    Layer::Light(0),
    Layer::Light(1),
    Layer::Light(2),
    Layer::Light(3),
    Layer::Ambient,
    Layer::Emission,
];

const DATA: [Layer; 6] =
    [Layer::Transmittance, Layer::Alpha, Layer::Depth, Layer::Position, Layer::Normal, Layer::Projected];

/// A burning ball with soot.
pub fn burning(with_gas: bool) -> Volume {
    burning_of(24, with_gas)
}

/// A burning ball with soot, of so many cells along each axis.
pub fn burning_of(cells: usize, with_gas: bool) -> Volume {
    let mut volume = Volume::new([cells; 3], |at| {
        let density = lumps(at);
        [density * 0.5, (1.2 * density).min(1.0), 0.0, if at[1] > 0.2 { density } else { 0.0 }]
    });
    if with_gas {
        let gases = volume.scalars.iter().map(|[density, ..]| {
            let gas = (2.0 * density.to_f32()).min(1.0);
            [gas, gas * 0.35, 0.0, 0.0].map(f16::from_f32)
        });
        volume.gases = Some(gases.collect());
    }
    volume
}

#[test]
fn the_beauty_is_the_sum_of_its_layers() {
    for volume in [burning(false), burning(true)] {
        let layers = render(&volume, &look(), &all_lights(), &shot(Camera::default()), &COLOURS);
        for (at, beauty) in layers.get(Layer::Beauty).iter().enumerate() {
            let mut sum = [0.0; 3];
            for layer in &COLOURS[1..] {
                sum.iter_mut().zip(layers.get(*layer)[at]).for_each(|(sum, part)| *sum += part);
            }
            assert_eq!(beauty[..3], sum);
        }
        let brightest = |layer: Layer| layers.get(layer).iter().flatten().fold(0.0_f32, |most, v| most.max(*v));
        for layer in COLOURS {
            assert!(brightest(layer) > 0.005, "{layer:?} shows something");
        }
    }
}

#[test]
fn pictures_depend_neither_on_threads_nor_on_skipped_tiles() {
    let camera = Camera { translate: [20.0, 8.0, -40.0], rotate: [-10.0, 25.0, 3.0], ..Camera::default() };
    // Eight balls: rays go on in the dark behind the first ones.
    let mut volume = Volume::new([48; 3], |at| {
        let density = lumps(at.map(|part| 2.0 * part.abs() - 1.0));
        [density, density, 0.0, if at[0] > 0.3 { 0.3 * density } else { 0.0 }]
    });
    volume.gases = Some(
        volume
            .scalars
            .iter()
            .map(|[density, ..]| [*density, *density * f16::from_f32(0.35), f16::ZERO, f16::ZERO])
            .collect(),
    );
    // Smoke has a colour where the gas is not far.
    let tint = |[density, heat, ..]: &[f16; 4]| {
        let tint = if heat.to_f32() > 0.7 { *density } else { f16::ZERO };
        [f16::ZERO, tint, tint, f16::ZERO]
    };
    volume.tints = Some(volume.scalars.iter().map(tint).collect());
    let (look, lights) = (VolumeLook { density: 60.0, ..look() }, all_lights());
    let layers: Vec<Layer> = COLOURS.into_iter().chain(DATA).collect();
    let pictures: Vec<Layers> = [(1, false), (3, false), (2, true)]
        .into_iter()
        .map(|(threads, is_all)| {
            let cpu = Cpu::new(threads);
            let lit = Lit::new(&cpu, &volume.view(), &look, &lights);
            let shot = shot(camera);
            if is_all { lit.render_all(&cpu, &shot, &layers) } else { lit.render(&cpu, &shot, &layers) }
        })
        .collect();
    for layer in layers {
        let bits = |layers: &Layers| -> Vec<u32> { layers.get(layer).iter().flatten().map(|v| v.to_bits()).collect() };
        assert!(bits(&pictures[0]).iter().any(|bits| *bits != 0), "{layer:?} shows something");
        assert!(bits(&pictures[0]) == bits(&pictures[1]), "{layer:?}: threads");
        assert!(bits(&pictures[0]) == bits(&pictures[2]), "{layer:?}: tiles");
    }
}

#[test]
fn a_grey_furnace_is_invisible_where_nothing_is_absorbed() {
    let sky = Sky::between([1.0; 3], [1.0; 3]);
    let furnace = |albedo: f64| {
        let look = VolumeLook { albedo: [albedo; 3], sky, density: 40.0, ..look() };
        let layers = render(&ball(32), &look, &[], &shot(Camera::default()), &[Layer::Beauty, Layer::Transmittance]);
        let beauty = layers.get(Layer::Beauty).iter().map(|pixel| pixel[0]);
        beauty.zip(layers.get(Layer::Transmittance)).map(|(light, clear)| light + clear[0]).collect::<Vec<_>>()
    };
    for sum in furnace(1.0) {
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
    }
    let darkest = furnace(0.9).into_iter().fold(f32::INFINITY, f32::min);
    assert!((0.2..0.6).contains(&darkest), "smoke that absorbs is darker: {darkest}");
}

#[test]
fn a_scene_ends_rays_and_a_holdout_hides() {
    let volume = Volume::new([24; 3], |_| [1.0, 0.0, 0.0, 0.0]);
    let centre = SIDE / 2 + SIDE * (SIDE / 2);
    let camera = Camera::default();
    let distance = SIDE as f64 * 50.0 / 24.576;
    let alpha = |depth: f64| {
        let depths = vec![[depth as f32, 0.0, 0.0, 1.0]; SIDE * SIDE];
        let scene = Scene { depth: Some(&depths), holdout: None };
        render(&volume, &look(), &[], &Shot { scene, ..shot(camera) }, &[Layer::Alpha]).get(Layer::Alpha)[centre][0]
    };
    // From the front face, at distance − 12 with half a cell of fade, on.
    for (depth, cells) in [(distance - 13.0, 0.0), (distance - 8.0, 4.0), (distance + 0.26, 12.26), (0.0, 24.0)] {
        let expected = 1.0 - libm::exp(-0.15 * cells);
        let seen = alpha(depth);
        assert!((f64::from(seen) - expected).abs() < 2e-3, "{depth}: {seen} {expected}");
    }
    let holdout = vec![[0.0, 0.0, 0.0, 0.25]; SIDE * SIDE];
    let scene = Scene { depth: None, holdout: Some(&holdout) };
    let layers = [Layer::Beauty, Layer::Ambient, Layer::Transmittance];
    let whole = render(&volume, &look(), &[], &shot(camera), &layers);
    let held = render(&volume, &look(), &[], &Shot { scene, ..shot(camera) }, &layers);
    let [a, b] = [&whole, &held].map(|layers| layers.get(Layer::Beauty)[centre]);
    assert_eq!(a.map(|value| value * 0.75), b);
    assert_eq!(held.get(Layer::Ambient)[centre][0], b[0]);
    let clear = held.get(Layer::Transmittance)[centre];
    assert!((clear[0] - (1.0 - b[3])).abs() < 1e-6, "{clear:?}");
}

#[test]
fn depths_and_normals_are_those_of_a_slab() {
    let volume = Volume::new([32, 32, 16], |_| [1.0, 0.0, 0.0, 0.0]);
    let layers = render(&volume, &look(), &[], &shot(Camera::default()), &DATA);
    let centre = SIDE / 2 + SIDE * (SIDE / 2);
    let front = SIDE as f64 * 50.0 / 24.576 - 8.0;
    let [first, mean, half, last] = layers.get(Layer::Depth)[centre].map(f64::from);
    let sigma = 0.15;
    let whole = 1.0 - libm::exp(-sigma * 16.0);
    let expected = 1.0 / sigma - 16.0 * libm::exp(-sigma * 16.0) / whole;
    assert!((first - front).abs() < 1.0 && (last - front - 16.0).abs() < 1.0, "{first} {last} {front}");
    assert!((half - front - std::f64::consts::LN_2 / sigma).abs() < 0.1, "{half}");
    assert!((mean - front - expected).abs() < 0.1, "{mean} {expected}");
    let [x, y, z, alpha] = layers.get(Layer::Normal)[centre];
    assert!(z > 0.999 && x.abs() < 0.02 && y.abs() < 0.02, "towards the camera: {x} {y} {z}");
    assert!((f64::from(alpha) - whole).abs() < 1e-3);
    let [x, y, z, _] = layers.get(Layer::Position)[centre].map(f64::from);
    assert!((x - 20.5).abs() < 0.5 && (y - 20.5).abs() < 0.5 && (z - (8.0 - expected)).abs() < 0.1, "{x} {y} {z}");
    assert!((f64::from(layers.get(Layer::Projected)[centre][0]) - 2.4).abs() < 0.01);
}

#[test]
fn motion_is_that_of_the_velocity_in_the_picture() {
    let volume = Volume::new([16; 3], |_| [1.0, 0.0, 0.0, 0.0]);
    let faces = [0.5_f32, -0.25, 0.0].map(|velocity| vec![velocity; 17 * 16 * 16]);
    let view = VolumeView { velocity: Some([&faces[0], &faces[1], &faces[2]]), ..volume.view() };
    let (cpu, look) = (Cpu::new(1), look());
    let layers =
        Lit::new(&cpu, &view, &look, &[]).render(&cpu, &shot(Camera::default()), &[Layer::Motion, Layer::Depth]);
    let centre = SIDE / 2 + SIDE * (SIDE / 2);
    let scale = SIDE as f32 * 50.0 / 24.576 / layers.get(Layer::Depth)[centre][1];
    for (seen, expected) in layers.get(Layer::Motion)[centre].into_iter().zip([0.5, -0.25, -0.5, 0.25]) {
        assert!((seen - expected * scale).abs() < 1e-4, "{seen} {expected}");
    }
    assert_eq!(layers.get(Layer::Motion)[0], [0.0; 4], "nothing is seen");
    let none = render(&volume, &look, &[], &shot(Camera::default()), &[Layer::Motion]);
    assert_eq!(none.get(Layer::Motion)[centre], [0.0; 4], "there is no velocity");
}

#[test]
fn a_shutter_shows_the_mean_of_its_cameras() {
    let volume = burning(true);
    let layers = [Layer::Beauty, Layer::Light(0), Layer::Ambient, Layer::Emission, Layer::Depth];
    let moved = Camera { translate: [4.0, 0.0, 0.0], ..Camera::default() };
    let exposed = |camera| Exposure { camera, ..Exposure::default() };
    let of = |shutter: &[Exposure]| {
        let shot = Shot { shutter, ..shot(Camera::default()) };
        render(&volume, &look(), &all_lights()[..1], &shot, &layers)
    };
    let (here, moved) = (exposed(Camera::default()), exposed(moved));
    let [still, there, both] = [&[][..], &[moved], &[here, moved]].map(of);
    for (at, beauty) in both.get(Layer::Beauty).iter().enumerate() {
        let mut sum = [0.0; 3];
        for layer in &layers[1..4] {
            sum.iter_mut().zip(both.get(*layer)[at]).for_each(|(sum, part)| *sum += part);
        }
        assert_eq!(beauty[..3], sum);
        for (channel, value) in beauty.iter().enumerate() {
            let mean = (still.get(Layer::Beauty)[at][channel] + there.get(Layer::Beauty)[at][channel]) / 2.0;
            assert!((value - mean).abs() < 1e-5, "{value} {mean}");
        }
    }
    assert!(both.get(Layer::Depth) == still.get(Layer::Depth), "data is that of the camera");
}

/// The largest difference of two pictures, and the largest value.
fn difference(a: &Layers, b: &Layers) -> [f32; 2] {
    let values = a.get(Layer::Beauty).as_flattened().iter().zip(b.get(Layer::Beauty).as_flattened());
    values.fold([0.0; 2], |[most, largest], (a, b)| [most.max((a - b).abs()), largest.max(a.abs())])
}

#[test]
fn an_exposure_shows_the_medium_where_it_is_at_its_time() {
    // Away from the sides of the box, which the medium leaves in no exposure.
    let moved = |place: [f64; 3]| {
        Volume::new([32; 3], move |at| [lumps([0, 1, 2].map(|axis| (at[axis] - place[axis]) * 1.6)), 0.0, 0.0, 0.0])
    };
    let (look, lights) =
        (VolumeLook { occlusion: 0.0, ..look() }, [Light { shadow: 0.0, ..directional([1.0, 2.0, 0.5]) }]);
    let cpu = Cpu::new(2);
    let still = moved([0.0; 3]).in_wind([6.0, -3.0, 2.0]);
    let seen = |volume: &Volume, time_scale: f64, exposures: &[Exposure]| {
        let view = volume.view();
        let lit = Lit::new(&cpu, &view, &look, &lights).with_time_scale(time_scale).in_motion(&cpu, 1.0);
        lit.render(&cpu, &Shot { shutter: exposures, ..shot(Camera::default()) }, &[Layer::Beauty])
    };
    let at = |time: f64| Exposure { time, ..Exposure::default() };
    let there = seen(&moved([6.0 / 16.0, -3.0 / 16.0, 2.0 / 16.0]), 1.0, &[]);
    let [most, largest] = difference(&there, &seen(&still, 1.0, &[at(1.0)]));
    assert!(largest > 0.2 && most < 1e-3 * largest, "{most} of {largest}");
    let [most, _] = difference(&there, &seen(&still, 2.0, &[at(0.5)]));
    assert!(most < 1e-3 * largest, "twice the time scale: {most} of {largest}");
    let [most, _] = difference(&there, &seen(&still, 1.0, &[at(0.0)]));
    assert!(most > 0.1 * largest, "the motion is seen: {most} of {largest}");
    let shifted = Exposure { shift: [6.0, -3.0, 2.0], ..Exposure::default() };
    let [most, _] = difference(&there, &seen(&still, 1.0, &[shifted]));
    assert!(most < 1e-3 * largest, "a box that moves: {most} of {largest}");
    // Exposures tend to the mean over the time of the shutter, which pixels sample at moments of their own.
    let blurred = |count: i32| {
        let exposures: Vec<Exposure> = (0..count).map(|n| at((f64::from(n) + 0.5) / f64::from(count) - 0.5)).collect();
        seen(&still, 1.0, &exposures)
    };
    let truth = blurred(48);
    let errors = [2, 8].map(|count| {
        let picture = blurred(count);
        let pairs = picture.get(Layer::Beauty).as_flattened().iter().zip(truth.get(Layer::Beauty).as_flattened());
        let [sum, square] = pairs.fold([0.0_f64; 2], |[sum, square], (a, b)| {
            let error = f64::from(a - b);
            [sum + error, square + error * error]
        });
        let values = picture.get(Layer::Beauty).as_flattened().len() as f64;
        assert!((sum / values).abs() < 1e-3 * f64::from(largest), "the pattern changes no mean: {}", sum / values);
        (square / values).sqrt()
    });
    assert!(errors[1] < 0.4 * errors[0] && errors[0] > 0.0, "{errors:?}");
}

#[test]
fn a_turned_sky_has_its_light_elsewhere() {
    let sky = Sky { mean: [1.0, 2.0, 3.0], slope: [[0.5, 0.2, -0.1], [0.3, 0.0, 0.4], [0.0, 1.0, 0.2]] };
    let turned = sky.turned(90.0, 2.0);
    // To the left as seen from above: what was on the right, +x, is in front of the camera, −z.
    for (from, to) in
        [([1.0, 0.0, 0.0], [0.0, 0.0, -1.0]), ([0.0, 0.0, -1.0], [-1.0, 0.0, 0.0]), ([0.0, 1.0, 0.0], [0.0, 1.0, 0.0])]
    {
        let (before, after) = (sky.radiance(from), turned.radiance(to));
        assert!((0..3).all(|channel| (after[channel] - 2.0 * before[channel]).abs() < 1e-12), "{before:?} {after:?}");
    }
}

#[test]
fn bad_input_gives_finite_pictures() {
    let layers: Vec<Layer> = COLOURS.into_iter().chain(DATA).collect();
    let check = |name: &str, volume: &Volume, look: &VolumeLook, lights: &[Light], camera: Camera| {
        let pictures = render(volume, look, lights, &shot(camera), &layers);
        let mut sum = 0.0;
        for layer in &layers {
            for value in pictures.get(*layer).as_flattened() {
                assert!(value.is_finite(), "{name}: {layer:?} has {value}");
                sum += f64::from(value.abs());
            }
        }
        sum
    };
    let volume = burning(true);
    let plain = Camera::default();
    let inside = Camera { translate: [0.0, 0.0, -(SIDE as f64) * 50.0 / 24.576], ..plain };
    let away = Camera { rotate: [0.0, 180.0, 0.0], ..plain };
    let along = Camera { translate: [0.0; 3], rotate: [0.0; 3], ..inside };
    for (name, camera) in [("inside", inside), ("away", away), ("along", along)] {
        check(name, &volume, &look(), &all_lights(), camera);
    }
    let mut broken = burning(true);
    for (i, values) in broken.scalars.iter_mut().enumerate() {
        match i % 7 {
            0 => *values = [f16::NAN; 4],
            1 => *values = [f16::INFINITY; 4],
            2 => *values = [f16::NEG_INFINITY; 4],
            _ => {}
        }
    }
    broken.tints = Some(vec![[f16::NAN, f16::INFINITY, f16::NEG_INFINITY, f16::NAN]; broken.scalars.len()]);
    if let Some(gases) = &mut broken.gases {
        gases.iter_mut().step_by(5).for_each(|gas| *gas = [f16::NAN, f16::INFINITY, f16::NAN, f16::NAN]);
    }
    for absorbs_by_colour in [false, true] {
        check("cells", &broken, &VolumeLook { absorbs_by_colour, ..look() }, &all_lights(), plain);
    }
    let nan = f64::NAN;
    let lights = [
        directional([0.0; 3]),
        directional([nan, 1.0, 0.0]),
        Light {
            kind: LightKind::Point { position: [nan; 3], reach: nan },
            colour: [nan; 3],
            intensity: 1.0,
            shadow: nan,
        },
        Light {
            kind: LightKind::Spot { position: [20.0; 3], reach: 1e30, axis: [0.0; 3], cone: [nan, -5.0] },
            ..directional([1.0; 3])
        },
        Light { kind: LightKind::Point { position: [-1e30; 3], reach: 1.0 }, ..directional([1.0; 3]) },
        Light { kind: LightKind::Point { position: [1e30; 3], reach: 1.0 }, ..directional([1.0; 3]) },
    ];
    check("lights", &volume, &look(), &lights, plain);
    let odd = VolumeLook {
        density: nan,
        edge: [nan; 2],
        albedo: [nan, 2.0, -1.0],
        extinction: [nan, 1e30, -1.0],
        lobes: [1.0, nan],
        step: 0.0,
        sky: Sky::between([nan; 3], [1e300; 3]),
        ..look()
    };
    check("look", &volume, &odd, &all_lights(), plain);
    let dense = VolumeLook { density: 1e9, ..look() };
    assert!(check("dense", &volume, &dense, &all_lights(), plain) > 0.0);
    let flat = Volume::new([8, 8, 64], |_| [1.0, 0.0, 0.0, 0.0]);
    assert!(check("long", &flat, &look(), &all_lights(), plain) > 0.0);
    let none = Volume { bounds: Bounds::default(), scalars: Vec::new(), ..burning(false) };
    check("no cells", &none, &look(), &all_lights(), plain);
    let nowhere = Volume { lattice: Lattice { origin: [nan; 3], spacing: 1.0 }, ..burning(false) };
    check("nowhere", &nowhere, &look(), &all_lights(), plain);
    let bad = Camera { focal: nan, translate: [nan; 3], ..plain };
    check("camera", &volume, &look(), &all_lights(), bad);
}
