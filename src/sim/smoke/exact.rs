//! A state as numbers and planes of floats, for storage, and its reconstruction.
//!
//! A plane is stored in a window of width + 2 by height + 2 values: value (x, y) in column x + 1 of row y + 1, and 0 in
//! the rest.

use std::sync::Arc;

use super::flow_map::SHIFT_MAX;
use super::settings::{Boundary, Spec};
use super::state::{Air, Base, DyeMap, Fire, MapState, Solids, State};
use crate::sim::StateError;
use crate::sim::fluid::VALUE_MAX;
use crate::sim::grid::Grid;
use crate::sim::memory::Values;
use crate::sim::request;

const SIDES: [&str; 4] = ["edgeLeft", "edgeRight", "edgeBottom", "edgeTop"];
const ORIGIN: [&str; 2] = ["originX", "originY"];
const REMAINDER: [&str; 4] = ["remainderX", "remainderY", "heldX", "heldY"];
const DYE: [&str; 4] = ["dye.red", "dye.green", "dye.blue", "dye.density"];
const GAS: [&str; 4] = ["fire.fuel", "fire.gas", "fire.age", "fire.soot"];
const BURNING: &str = "fire.burning";
const MAP_AGE: &str = "mapAge";

/// Names of the parts of a flow map.
struct MapNames {
    base: [&'static str; 4],
    map: [&'static str; 3],
    residual: [&'static str; 4],
    scale: &'static str,
    shift: [&'static str; 2],
}

const MAP: MapNames = MapNames {
    base: ["map.base.red", "map.base.green", "map.base.blue", "map.base.density"],
    map: ["map.x", "map.y", "map.survival"],
    residual: ["map.residual.red", "map.residual.green", "map.residual.blue", "map.residual.density"],
    scale: "mapScale",
    shift: ["mapShiftX", "mapShiftY"],
};

const FADING: MapNames = MapNames {
    base: ["fading.base.red", "fading.base.green", "fading.base.blue", "fading.base.density"],
    map: ["fading.x", "fading.y", "fading.survival"],
    residual: ["fading.residual.red", "fading.residual.green", "fading.residual.blue", "fading.residual.density"],
    scale: "fadingScale",
    shift: ["fadingShiftX", "fadingShiftY"],
};

/// Fills a row of a window, given as width + 2 zeros.
type Fill<'a> = Box<dyn Fn(usize, &mut [f32]) + Sync + Send + 'a>;

/// A plane of a state, computed by rows.
pub struct ExactPlane<'a> {
    /// Name in files; never changes.
    pub name: &'static str,
    /// `fill(y, out)` sets row y of the window.
    pub fill: Fill<'a>,
}

impl<'a> ExactPlane<'a> {
    /// A plane of rows of `columns` values.
    fn new<T: Copy + Sync>(
        name: &'static str,
        columns: usize,
        values: &'a [T],
        value: impl Fn(T) -> f32 + Sync + Send + 'a,
    ) -> Self {
        let fill = move |y: usize, out: &mut [f32]| {
            let row = y.checked_sub(1).and_then(|y| values.chunks_exact(columns).nth(y));
            for (out, &from) in out[1..].iter_mut().zip(row.unwrap_or_default()) {
                *out = value(from);
            }
        };
        Self { name, fill: Box::new(fill) }
    }

    fn floats(name: &'static str, columns: usize, values: &'a [f32]) -> Self {
        Self::new(name, columns, values, |value| value)
    }
}

/// The planes of the first channels of a field of cells.
fn channels<'a, const N: usize>(
    names: [&'static str; N],
    width: usize,
    values: &'a [[f32; 4]],
) -> impl Iterator<Item = ExactPlane<'a>> {
    let plane = move |(channel, name)| ExactPlane::new(name, width, values, move |value: [f32; 4]| value[channel]);
    names.into_iter().enumerate().map(plane)
}

impl State {
    /// The planes that the next frame depends on.
    pub fn exact_planes(&self) -> Vec<ExactPlane<'_>> {
        let width = self.grid.width;
        let Air { u, v, pressure, dye, dye_map, temperature, fire } = &*self.air;
        let floats = ExactPlane::floats;
        let mut planes = vec![floats("u", width + 1, u), floats("v", width, v), floats("pressure", width, pressure)];
        planes.extend(channels(DYE, width, dye));
        planes.extend(temperature.as_ref().map(|temperature| floats("temperature", width, temperature)));
        if let Some(Fire { gas, burning }) = fire {
            planes.extend(channels(GAS, width, gas));
            planes.push(floats(BURNING, width, burning));
        }
        for (names, MapState { base, map, residual, .. }) in maps(dye_map.as_ref()) {
            planes.extend(channels(names.base, width, &base.0));
            planes.extend(channels(names.map, width, map));
            planes.extend(channels(names.residual, width, residual));
        }
        if let Some(Solids { solid, u, v }) = self.solids.as_deref() {
            planes.push(ExactPlane::new("solid", width, solid, |solid| f32::from(u8::from(solid))));
            planes.extend([floats("solid.u", width + 1, u), floats("solid.v", width, v)]);
        }
        planes
    }

    /// The numbers that the next frame depends on, by name: the bits of an `f64`, or a `u64`.
    pub fn exact_numbers(&self) -> Vec<(String, u64)> {
        // The other fields are in the planes, or the same for all states of a simulation.
        let State { grid, edges, air, solids: _, remainder } = self;
        let dye_map = air.dye_map.as_ref();
        let reals = ORIGIN.into_iter().zip(grid.origin).chain(REMAINDER.into_iter().zip(*remainder));
        let sides = SIDES.into_iter().zip(edges).map(|(name, side)| (name, *side as u64));
        let of_maps = maps(dye_map).flat_map(|(names, MapState { scale, shift, .. })| {
            let [x, y] = shift.map(|by| f64::from(by).to_bits());
            [(names.scale, f64::from(*scale).to_bits()), (names.shift[0], x), (names.shift[1], y)]
        });
        let age = dye_map.map(|map| (MAP_AGE, u64::from(map.age)));
        let numbers = reals.map(|(name, value)| (name, value.to_bits())).chain(sides).chain(age).chain(of_maps);
        numbers.map(|(name, bits)| (name.to_owned(), bits)).collect()
    }

    /// The state with these [`exact_numbers`](Self::exact_numbers) and [`exact_planes`](Self::exact_planes), each
    /// window as its rows one after the other.
    ///
    /// # Errors
    /// [`StateError`] where they are no state, or a state of another simulation than `spec`.
    pub fn from_exact(
        spec: &Spec,
        number: &dyn Fn(&str) -> Option<u64>,
        planes: Vec<(String, Vec<f32>)>,
    ) -> Result<State, StateError> {
        let Spec { grid: Grid { width, height, .. }, constants } = *spec;
        let real = |name: &'static str| {
            let value = f64::from_bits(number(name).ok_or(StateError::Missing(name))?);
            if value.is_finite() { Ok(value) } else { Err(StateError::OutOfRange(name)) }
        };
        for (name, side) in SIDES.into_iter().zip(constants.edges) {
            let theirs = number(name).ok_or(StateError::Missing(name))?;
            if theirs != side as u64 {
                let (theirs, ours) = (side_name(theirs).to_owned(), side_name(side as u64).to_owned());
                return Err(StateError::Mismatch { what: name, theirs, ours });
            }
        }
        let [x, y] = ORIGIN;
        let [place_x, place_y, held_x, held_y] = REMAINDER;
        let mut windows = Windows { planes, width, height };
        let cells = [width, height];
        let dye = windows.channels(DYE)?;
        let solid = windows.take("solid", cells)?;
        let solids = match solid {
            Some(solid) if solid.iter().all(|value| [0.0, 1.0].contains(value)) => Some(Arc::new(Solids {
                solid: request::collected(solid.iter().map(|value| *value == 1.0)),
                u: windows.need("solid.u", [width + 1, height])?,
                v: windows.need("solid.v", [width, height + 1])?,
            })),
            Some(_) => return Err(StateError::OutOfRange("solid")),
            None => None,
        };
        let temperature = windows.take("temperature", cells)?.map(Values::from);
        let fire = match windows.take(BURNING, cells)? {
            Some(_) if temperature.is_none() => return Err(StateError::Missing("temperature")),
            Some(burning) => Some(Fire { gas: windows.channels(GAS)?, burning: burning.into() }),
            None => None,
        };
        let dye_map = match number(MAP_AGE) {
            Some(age) => Some(DyeMap {
                age: age.try_into().map_err(|_| StateError::OutOfRange(MAP_AGE))?,
                map: windows.map(&MAP, number)?.ok_or(StateError::Missing(MAP.scale))?,
                fading: windows.map(&FADING, number)?,
            }),
            None => None,
        };
        let air = Air {
            u: windows.need("u", [width + 1, height])?.into(),
            v: windows.need("v", [width, height + 1])?.into(),
            pressure: windows.need("pressure", cells)?.into(),
            dye,
            dye_map,
            temperature,
            fire,
        };
        let stood = [real(x)?, real(y)?];
        Ok(State {
            // A grid that does not follow a point has the position of the simulation.
            grid: Grid { origin: if constants.follow { stood } else { spec.grid.origin }, ..spec.grid },
            edges: constants.edges,
            air: Arc::new(air),
            solids,
            remainder: [real(place_x)?, real(place_y)?, real(held_x)?, real(held_y)?],
        })
    }
}

/// The maps of a state with their names.
fn maps(of: Option<&DyeMap>) -> impl Iterator<Item = (&'static MapNames, &MapState)> {
    let fading = of.and_then(|map| Some((&FADING, map.fading.as_ref()?)));
    of.map(|map| (&MAP, &map.map)).into_iter().chain(fading)
}

fn side_name(side: u64) -> &'static str {
    const NAMES: [(Boundary, &str); 3] =
        [(Boundary::Closed, "Closed"), (Boundary::Open, "Open"), (Boundary::Wrap, "Wrap")];
    NAMES.into_iter().find(|(known, _)| *known as u64 == side).map_or("unknown", |(_, name)| name)
}

/// The windows of a stored state.
struct Windows {
    planes: Vec<(String, Vec<f32>)>,
    width: usize,
    height: usize,
}

impl Windows {
    /// The values of a plane with `columns` × `rows` values; `None` where there is no such plane.
    fn take(&mut self, name: &'static str, [columns, rows]: [usize; 2]) -> Result<Option<Vec<f32>>, StateError> {
        let Some(at) = self.planes.iter().position(|(theirs, _)| theirs == name) else { return Ok(None) };
        let window = self.planes.swap_remove(at).1;
        let stride = self.width + 2;
        if window.len() != stride * (self.height + 2) {
            return Err(StateError::OutOfRange(name));
        }
        let inside = |x: usize, y: usize| (1..=columns).contains(&x) && (1..=rows).contains(&y);
        let mut values = request::with_capacity(columns * rows);
        for (y, row) in window.chunks_exact(stride).enumerate() {
            for (x, &value) in row.iter().enumerate() {
                if inside(x, y) {
                    values.push(value);
                } else if value != 0.0 {
                    return Err(StateError::OutOfRange(name));
                }
            }
        }
        // Pressure is unbounded, but finite in every state.
        let bound = if name == "pressure" { f32::MAX } else { VALUE_MAX };
        if values.iter().all(|value| value.abs() <= bound) {
            Ok(Some(values))
        } else {
            Err(StateError::OutOfRange(name))
        }
    }

    /// The values of a plane per channel as one field of cells, whose other channels are 0.
    fn channels<const N: usize>(&mut self, names: [&'static str; N]) -> Result<Values<[f32; 4]>, StateError> {
        let cells = [self.width, self.height];
        let mut field: Values<[f32; 4]> = Values::zeros(self.width * self.height);
        for (channel, name) in names.into_iter().enumerate() {
            for (cell, value) in field.iter_mut().zip(self.need(name, cells)?) {
                cell[channel] = value;
            }
        }
        Ok(field)
    }

    /// A flow map; `None` where there is none of these names.
    fn map(&mut self, names: &MapNames, number: &dyn Fn(&str) -> Option<u64>) -> Result<Option<MapState>, StateError> {
        let Some(scale) = number(names.scale).map(f64::from_bits) else { return Ok(None) };
        if !(0.0..=1.0).contains(&scale) {
            return Err(StateError::OutOfRange(names.scale));
        }
        let mut shift = [0; 2];
        for (shift, name) in shift.iter_mut().zip(names.shift) {
            let by = f64::from_bits(number(name).ok_or(StateError::Missing(name))?);
            *shift = by as i32;
            if f64::from(*shift) != by || by.abs() > f64::from(SHIFT_MAX) {
                return Err(StateError::OutOfRange(name));
            }
        }
        Ok(Some(MapState {
            base: Arc::new(Base(self.channels(names.base)?)),
            map: self.channels(names.map)?,
            residual: self.channels(names.residual)?,
            scale: scale as f32,
            shift,
        }))
    }

    /// As [`take`](Self::take), for a plane that the state has.
    fn need(&mut self, name: &'static str, size: [usize; 2]) -> Result<Vec<f32>, StateError> {
        self.take(name, size)?.ok_or(StateError::Missing(name))
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::{Constants, Scheme, Slips};
    use super::*;

    type Parts = (Vec<(String, u64)>, Vec<(String, Vec<f32>)>);

    fn spec(edges: [Boundary; 4]) -> Spec {
        Spec {
            grid: Grid { width: 5, height: 3, origin: [-2.0, 7.0], cells_per_pixel: 0.5 },
            constants: Constants {
                edges,
                slip: Slips::default(),
                velocity_scheme: Scheme::MacCormack,
                dye_scheme: Scheme::Cubic,
                flow_map: false,
                reflection: false,
                follow: true,
                update_every: 1,
            },
        }
    }

    fn state(spec: &Spec, full: bool) -> State {
        let mut next = 1_u32;
        let mut floats = |count: usize| -> Vec<f32> {
            let mut value = || {
                next = next.wrapping_mul(1_103_515_245).wrapping_add(12345);
                (next >> 8) as f32 / 4096.0 - 2048.0
            };
            (0..count).map(|_| value()).collect()
        };
        let (u, v, pressure) = (floats(6 * 3), floats(5 * 4), floats(15));
        let mut dye: Vec<[f32; 4]> = floats(60).chunks_exact(4).map(|c| [c[0], c[1], c[2], c[3]]).collect();
        dye[3] = [f32::MIN_POSITIVE / 4.0, -0.0, 1e-30, VALUE_MAX];
        let temperature = full.then(|| floats(15));
        let solids = full.then(|| {
            let solid = (0..15).map(|i| i % 4 == 1).collect();
            Arc::new(Solids { solid, u: floats(18), v: floats(20) })
        });
        let fire = full.then(|| {
            let gas: Vec<[f32; 4]> = floats(60).chunks_exact(4).map(|c| [c[0], c[1], c[2], c[3]]).collect();
            Fire { gas: gas.into(), burning: floats(15).into() }
        });
        let mut map = |scale, shift| {
            let mut field = || -> Values<[f32; 4]> { floats(60).as_chunks::<4>().0.iter().copied().collect() };
            let mut map = field();
            map.iter_mut().for_each(|cell| cell[3] = 0.0);
            MapState { base: Arc::new(Base(field())), map, residual: field(), scale, shift }
        };
        let dye_map = full.then(|| DyeMap { age: 3, map: map(1.0, [0, 0]), fading: Some(map(0.3, [-7, 12])) });
        let [u, v, pressure] = [u, v, pressure].map(Values::from);
        let temperature = temperature.map(Values::from);
        let air = Air { u, v, pressure, dye: dye.into(), dye_map, temperature, fire };
        State {
            grid: Grid { origin: [1.0 / 3.0, -5e7], ..spec.grid },
            edges: spec.constants.edges,
            air: Arc::new(air),
            solids,
            remainder: [0.25, -0.5, 1.0 / 7.0, 0.0],
        }
    }

    fn apart(state: &State) -> Parts {
        let window = |plane: ExactPlane<'_>| {
            let mut rows = vec![0.0; 7 * 5];
            rows.chunks_exact_mut(7).enumerate().for_each(|(y, row)| (plane.fill)(y, row));
            (plane.name.to_owned(), rows)
        };
        (state.exact_numbers(), state.exact_planes().into_iter().map(window).collect())
    }

    fn together(spec: &Spec, (numbers, planes): Parts) -> Result<State, StateError> {
        let find = |name: &str| numbers.iter().find(|(theirs, _)| theirs == name).map(|(_, value)| *value);
        State::from_exact(spec, &find, planes)
    }

    const EDGES: [Boundary; 4] = [Boundary::Wrap, Boundary::Wrap, Boundary::Closed, Boundary::Open];

    #[test]
    fn a_state_comes_back_as_it_was() {
        for full in [false, true] {
            let spec = spec(EDGES);
            let state = state(&spec, full);
            let back = together(&spec, apart(&state)).expect("it is one");
            assert_eq!(back, state);
            let bits = |state: &State| state.air.dye.iter().map(|d| d.map(f32::to_bits)).collect::<Vec<_>>();
            assert_eq!(bits(&back), bits(&state), "zeros keep their signs");
        }
    }

    #[test]
    fn a_grid_that_follows_nothing_stands_where_the_simulation_says() {
        let follows = spec(EDGES);
        let stays = Spec { constants: Constants { follow: false, ..follows.constants }, ..follows };
        let parts = || apart(&state(&follows, true));
        let origin = |spec: &Spec| together(spec, parts()).expect("it is one").grid.origin;
        assert_eq!((origin(&follows), origin(&stays)), ([1.0 / 3.0, -5e7], [-2.0, 7.0]));
    }

    #[test]
    fn what_is_no_state_of_the_simulation_is_refused() {
        let here = spec(EDGES);
        let refused = |change: &dyn Fn(&mut Parts)| {
            let mut parts = apart(&state(&here, true));
            change(&mut parts);
            together(&here, parts).err()
        };
        assert_eq!(refused(&|_| ()), None);
        assert_eq!(refused(&|(_, planes)| planes[0].1[8] = f32::NAN), Some(StateError::OutOfRange("u")));
        assert_eq!(refused(&|(_, planes)| planes[1].1[0] = 1.0), Some(StateError::OutOfRange("v")), "the ring is 0");
        assert_eq!(refused(&|(_, planes)| planes[3].1[9] = 1e9), Some(StateError::OutOfRange("dye.red")));
        assert_eq!(refused(&|(_, planes)| planes[2].1.truncate(3)), Some(StateError::OutOfRange("pressure")));
        assert_eq!(refused(&|(_, planes)| drop(planes.remove(4))), Some(StateError::Missing("dye.green")));
        assert_eq!(refused(&|(_, planes)| drop(planes.remove(7))), Some(StateError::Missing("temperature")));
        assert_eq!(refused(&|(_, planes)| drop(planes.remove(9))), Some(StateError::Missing("fire.gas")));
        let drop_plane = |planes: &mut Vec<(String, Vec<f32>)>, name: &str| planes.retain(|(theirs, _)| theirs != name);
        for name in ["map.survival", "fading.base.red"] {
            assert_eq!(refused(&|(_, planes)| drop_plane(planes, name)), Some(StateError::Missing(name)));
        }
        let change = |numbers: &mut Vec<(String, u64)>, name: &str, value: f64| {
            numbers.iter_mut().filter(|(theirs, _)| theirs == name).for_each(|(_, bits)| *bits = value.to_bits());
        };
        for (name, value) in [("mapScale", 1.5), ("mapScale", f64::NAN), ("fadingShiftY", 0.5), ("mapShiftX", 1e9)] {
            assert_eq!(refused(&|(numbers, _)| change(numbers, name, value)), Some(StateError::OutOfRange(name)));
        }
        assert_eq!(refused(&|(numbers, _)| drop(numbers.remove(0))), Some(StateError::Missing("originX")));
        assert_eq!(
            refused(&|(numbers, _)| numbers[2].1 = f64::NAN.to_bits()),
            Some(StateError::OutOfRange("remainderX"))
        );
        let told = together(
            &spec([Boundary::Wrap, Boundary::Wrap, Boundary::Open, Boundary::Open]),
            apart(&state(&here, true)),
        );
        let told = told.expect_err("edges differ").to_string();
        assert_eq!(told, "edgeBottom is Closed there and Open here");
    }
}
