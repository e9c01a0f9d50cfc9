//! The eight symmetries of the square: reflected or transposed air moves as the reflected or transposed result.

use std::sync::Arc;

use flow_ofx::sim::fluid::{Advection, Backend, Domain, Operation, Scalars, Session, VectorField};
use flow_ofx::sim::smoke::FieldKind;
use flow_ofx::sim::smoke::settings::Boundary::{self, Closed, Open, Wrap};
use flow_ofx::sim::smoke::settings::{Scheme, Slips, Solver};
use flow_ofx::sim::smoke::{Settings, Spec, State};

use crate::devices::Under;
use crate::smoke::{
    displacements, faces, field, run, settings, settings_text, solid_fields, spec, still, task, traces,
};

/// Columns and rows of cells.
const SIZE: [usize; 2] = [37, 22];

const SCHEMES: [Scheme; 3] = [Scheme::SemiLagrangian, Scheme::MacCormack, Scheme::Cubic];

/// Edge conditions of the two edges of an axis.
const AXES: [[Boundary; 2]; 5] = [[Closed, Closed], [Closed, Open], [Open, Closed], [Open, Open], [Wrap, Wrap]];

/// A symmetry of the square: reflections first, then the transpose.
#[derive(Clone, Copy, Debug)]
struct Symmetry {
    mirrored: [bool; 2],
    transposed: bool,
}

/// All eight, the identity among them.
fn symmetries() -> impl Iterator<Item = Symmetry> {
    (0..8).map(|bits| Symmetry { mirrored: [bits & 1 != 0, bits & 2 != 0], transposed: bits & 4 != 0 })
}

impl Symmetry {
    fn plane<T: Copy + Default>(self, [columns, rows]: [usize; 2], plane: &[T]) -> Vec<T> {
        let mut to = vec![T::default(); plane.len()];
        for (at, &value) in plane.iter().enumerate() {
            let [x, y] = [at % columns, at / columns];
            let x = if self.mirrored[0] { columns - 1 - x } else { x };
            let y = if self.mirrored[1] { rows - 1 - y } else { y };
            to[if self.transposed { x * rows + y } else { y * columns + x }] = value;
        }
        to
    }

    fn size(self, [width, height]: [usize; 2]) -> [usize; 2] {
        if self.transposed { [height, width] } else { [width, height] }
    }

    fn edges(self, edges: [Boundary; 4]) -> [Boundary; 4] {
        let [mut x, mut y] = [[edges[0], edges[1]], [edges[2], edges[3]]];
        if self.mirrored[0] {
            x.reverse();
        }
        if self.mirrored[1] {
            y.reverse();
        }
        let [[left, right], [bottom, top]] = if self.transposed { [y, x] } else { [x, y] };
        [left, right, bottom, top]
    }

    /// Velocities change sign with their axis.
    fn faces(self, [width, height]: [usize; 2], [u, v]: [&[f32]; 2]) -> [Vec<f32>; 2] {
        let moved = |kind: FieldKind, axis: usize, plane: &[f32]| -> Vec<f32> {
            let sign = if self.mirrored[axis] { -1.0 } else { 1.0 };
            let rotated: Vec<f32> = plane.iter().map(|value| sign * value).collect();
            self.plane(kind.size(width, height), &rotated)
        };
        let [u, v] = [moved(FieldKind::U, 0, u), moved(FieldKind::V, 1, v)];
        if self.transposed { [v, u] } else { [u, v] }
    }
}

/// The air before a pass.
#[derive(Clone)]
struct Scene {
    size: [usize; 2],
    edges: [Boundary; 4],
    solid: Option<Vec<f32>>,
    wind: [Vec<f32>; 2],
    from: [Vec<f32>; 2],
    dye: Vec<[f32; 4]>,
    temperature: Vec<f32>,
}

impl Scene {
    fn seen_by(&self, symmetry: Symmetry) -> Scene {
        let faces = |[u, v]: &[Vec<f32>; 2]| symmetry.faces(self.size, [u, v]);
        Scene {
            size: symmetry.size(self.size),
            edges: symmetry.edges(self.edges),
            solid: self.solid.as_ref().map(|solid| symmetry.plane(self.size, solid)),
            wind: faces(&self.wind),
            from: faces(&self.from),
            dye: symmetry.plane(self.size, &self.dye),
            temperature: symmetry.plane(self.size, &self.temperature),
        }
    }
}

/// All fields after a pass, or after a frame.
struct Moved {
    size: [usize; 2],
    faces: [Vec<f32>; 2],
    dye: Vec<[f32; 4]>,
    temperature: Vec<f32>,
}

impl Moved {
    /// The largest differences of velocity and advected fields from another's, relative to the largest value.
    fn apart(&self, other: &Moved) -> [f64; 2] {
        let far = |pairs: &mut dyn Iterator<Item = (f32, f32)>| {
            let most = |most: [f64; 2], (a, b): (f32, f32)| {
                [most[0].max(f64::from((a - b).abs())), most[1].max(f64::from(a.abs()))]
            };
            let [apart, largest] = pairs.fold([0.0, 1e-30], most);
            apart / largest
        };
        let faces = |moved: &Moved| moved.faces.concat();
        let cells = |moved: &Moved| [moved.dye.as_flattened(), &moved.temperature].concat();
        [far(&mut faces(self).into_iter().zip(faces(other))), far(&mut cells(self).into_iter().zip(cells(other)))]
    }

    fn seen_by(&self, symmetry: Symmetry) -> Moved {
        Moved {
            size: symmetry.size(self.size),
            faces: symmetry.faces(self.size, [&self.faces[0], &self.faces[1]]),
            dye: symmetry.plane(self.size, &self.dye),
            temperature: symmetry.plane(self.size, &self.temperature),
        }
    }
}

/// Pseudo-random numbers from −1 to 1.
fn noise(seed: u32) -> impl FnMut() -> f32 {
    let mut state = u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}

/// The advecting velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wind {
    /// Independent at every face.
    Torn,
    /// Two cells a frame along x: backtraces end on cell centres.
    Even,
    /// Along x, as a function of the height.
    Shear,
}

fn scene(edges: [Boundary; 4], wind: Wind, solid: bool) -> Scene {
    let [width, height] = SIZE;
    let mut random = noise(edges.iter().fold(7, |seed, side| seed * 3 + *side as u32));
    let mut faces = |most: f32| -> [Vec<f32>; 2] {
        let mut u: Vec<f32> = (0..(width + 1) * height).map(|_| most * random()).collect();
        let mut v: Vec<f32> = (0..width * (height + 1)).map(|_| most * random()).collect();
        for y in 0..height {
            let row = &mut u[y * (width + 1)..][..=width];
            match edges[0] {
                Wrap => row[width] = row[0],
                left => {
                    row[0] *= f32::from(u8::from(left != Closed));
                    row[width] *= f32::from(u8::from(edges[1] != Closed));
                }
            }
        }
        match edges[2] {
            Wrap => v.copy_within(..width, width * height),
            bottom => {
                v[..width].iter_mut().for_each(|v| *v *= f32::from(u8::from(bottom != Closed)));
                v[width * height..].iter_mut().for_each(|v| *v *= f32::from(u8::from(edges[3] != Closed)));
            }
        }
        [u, v]
    };
    let mut blows = faces(1.7);
    let from = faces(1.0);
    if wind != Wind::Torn {
        let speed = |y: usize| if wind == Wind::Even { 2.0 } else { (y as f32 * 0.4).sin() * 1.5 };
        blows =
            [(0..(width + 1) * height).map(|at| speed(at / (width + 1))).collect(), vec![0.0; width * (height + 1)]];
    }
    let solid = solid.then(|| {
        let disc = |at: usize| (at % width).abs_diff(9).pow(2) + (at / width).abs_diff(2).pow(2) < 14;
        let block = |at: usize| at % width > 29 && at % width != 34 && at / width > 17;
        (0..width * height).map(|at| f32::from(u8::from(disc(at) || block(at)))).collect::<Vec<f32>>()
    });
    let mut amount = || 0.6 + 0.4 * random();
    let mut dye: Vec<[f32; 4]> = (0..width * height).map(|_| [0; 4].map(|_| amount())).collect();
    let mut temperature: Vec<f32> = (0..width * height).map(|_| amount()).collect();
    if let Some(solid) = &solid {
        for at in (0..width * height).filter(|&at| solid[at] > 0.0) {
            (dye[at], temperature[at]) = ([0.0; 4], 0.0);
        }
    }
    Scene { size: SIZE, edges, solid, wind: blows, from, dye, temperature }
}

/// Advects all fields, without pressure.
fn advected<B: Backend>(backend: &B, scene: &Scene, scheme: Scheme) -> Moved {
    let session = &mut Session::new(backend);
    let [width, height] = scene.size;
    let solids = scene.solid.as_ref().map(|solid| {
        let still = |kind: FieldKind| vec![0.0; kind.shape([width, height]).len()];
        solid_fields(session, solid, [&still(FieldKind::U), &still(FieldKind::V)])
    });
    let domain = &Domain::plane(scene.size, scene.edges, Slips::default(), solids);
    let mut up = |values: &[f32]| session.upload(values).expect("memory");
    let [wind, velocity] = [&scene.wind, &scene.from].map(|of| VectorField::new(&[up(&of[0]), up(&of[1])]));
    let from = Scalars { colour: up(scene.dye.as_flattened()), temperature: Some(up(&scene.temperature)) };
    let mut scalars = || Scalars {
        colour: field(session, domain, FieldKind::Dye),
        temperature: Some(field(session, domain, FieldKind::Cell)),
    };
    let [mut to, corrected] = [scalars(), scalars()];
    let (mut next, backtrace) = (faces(session, domain), displacements(session, domain));
    let advection = Advection { scheme, keep: 0.9, cooling: 0.1, ambient: 0.2 };
    let list = [
        Operation::AdvectVelocity { domain, scheme, time: 1.0, wind, from: velocity, backtrace, to: next },
        Operation::AdvectScalars { domain, advection, backtrace, from, to },
    ];
    session.run(&list).expect("works");
    if scheme == Scheme::MacCormack {
        let advected = std::mem::replace(&mut next, faces(session, domain));
        let [_, forward] = traces(session, domain, wind, 1.0);
        let list = [
            Operation::CorrectVelocity { domain, time: 1.0, wind, backtrace, from: velocity, advected, to: next },
            Operation::CorrectScalars {
                domain,
                advection,
                traces: [backtrace, forward],
                from,
                advected: to,
                to: corrected,
            },
        ];
        session.run(&list).expect("works");
        to = corrected;
    }
    let down = |field| session.download(field).expect("works");
    Moved {
        size: scene.size,
        faces: [down(next[0]), down(next[1])],
        dye: bytemuck::cast_slice(&down(to.colour)).to_vec(),
        temperature: down(to.temperature.expect("there is one")),
    }
}

/// Bound for a whole frame.
fn frame_settings(scene: &Scene, scheme: Scheme) -> (Spec, Settings) {
    let [width, height] = scene.size;
    let mut spec = spec(width, height, scene.edges);
    (spec.constants.velocity_scheme, spec.constants.dye_scheme) = (scheme, scheme);
    // Cycles relax cells in two colours, which reflections exchange: the residual has to be negligible.
    let settings = Settings {
        max_cfl: 100.0,
        viscosity: 0.05,
        confinement: 0.2,
        solver: Solver::Multigrid,
        tolerance: 1e-7,
        iterations: 30,
        ..settings()
    };
    (spec, settings)
}

/// A whole frame: forces, advection and pressure.
fn framed<B: Backend>(on: &Under<B>, scene: &Scene, scheme: Scheme) -> Moved {
    let (spec, settings) = frame_settings(scene, scheme);
    let mut state: State = still(&spec);
    let air = Arc::make_mut(&mut state.air);
    (air.u, air.v) = (scene.wind[0].clone().into(), scene.wind[1].clone().into());
    (air.dye, air.temperature) = (scene.dye.clone().into(), Some(scene.temperature.clone().into()));
    let after = run(on.device, &task(&spec, &settings, 1.0), &state).0;
    let air = &after.air;
    Moved {
        size: scene.size,
        faces: [air.u.to_vec(), air.v.to_vec()],
        dye: air.dye.to_vec(),
        temperature: air.temperature.as_ref().expect("there is one").to_vec(),
    }
}

/// The largest difference of velocity and advected fields, over all symmetries.
fn apart(scene: &Scene, moved: impl Fn(&Scene) -> Moved) -> [f64; 2] {
    let plain = moved(scene);
    let mut most = [0.0_f64; 2];
    for symmetry in symmetries() {
        let apart = moved(&scene.seen_by(symmetry)).apart(&plain.seen_by(symmetry));
        most = [most[0].max(apart[0]), most[1].max(apart[1])];
    }
    most
}

fn keeps_symmetries<B: Backend>(on: &Under<B>) {
    let mut record = on.record("mirrors");
    for scheme in SCHEMES {
        let (mut advection, mut solid, mut frame) = ([0.0_f64; 2], [0.0_f64; 2], [0.0_f64; 2]);
        let note = |to: &mut [f64; 2], found: [f64; 2]| *to = [to[0].max(found[0]), to[1].max(found[1])];
        for (nth, [x, y]) in AXES.into_iter().flat_map(|x| AXES.map(|y| [x, y])).enumerate() {
            // A graphics device compiles each set of sides separately.
            if !on.is_cpu() && nth % 6 != 0 {
                continue;
            }
            let edges = [x[0], x[1], y[0], y[1]];
            for wind in [Wind::Torn, Wind::Even, Wind::Shear] {
                note(&mut advection, apart(&scene(edges, wind, false), |scene| advected(&on.backend, scene, scheme)));
                note(&mut solid, apart(&scene(edges, wind, true), |scene| advected(&on.backend, scene, scheme)));
            }
            if on.is_cpu() || nth == 0 {
                note(&mut frame, apart(&scene(edges, Wind::Torn, false), |scene| framed(on, scene, scheme)));
            }
        }
        for (what, found) in [("advection", advection), ("advection, solids", solid), ("a frame", frame)] {
            println!("{scheme:?}, {what}: {found:?}");
        }
        let pairs = if on.is_cpu() { "all pairs" } else { "five pairs" };
        let (spec, settings) = frame_settings(&scene([Closed; 4], Wind::Torn, false), scheme);
        let alone =
            format!("{}×{} cells, {pairs} of edges, advection alone, {scheme:?}, three winds", SIZE[0], SIZE[1]);
        for (what, found) in [("advection", advection), ("advection, solids", solid), ("a frame", frame)] {
            let others = if on.is_cpu() { "; and all other pairs of edges" } else { "" };
            let whole = || format!("{}{others}", settings_text(&spec, &settings, 1.0));
            record.under(if what == "a frame" { whole() } else { alone.clone() });
            record.at_most(format!("eight symmetries, {scheme:?}, {what}, velocity"), found[0], 1e-6);
            record.at_most(format!("eight symmetries, {scheme:?}, {what}, dye and temperature"), found[1], 1e-6);
        }
    }
    record.save();
}

crate::gate!(symmetries_of_the_square_are_kept, super::keeps_symmetries);
