//! A state as numbers and integer planes, for files, and back.

use crate::sim::request;
use std::sync::Arc;

use super::buffers::StateBuffers;
use super::domain::Domain;
use super::field::Field;
use super::fixed_point::{FLOW_MAX, HEIGHT_MAX, PIGMENT_MAX, WHOLE};
use super::ground::BuiltInGround;
use super::plan::{MassBalance, Water, flow_planes};
use super::ripples::margin::Margin;
use super::ripples::pyramid::Pyramid;
use super::settings::{Ground, Model};
use super::state::{Ledger, Spec, State};
use super::surface_maps;
use super::texture;
use super::time_step::{self, colour_range};
use crate::sim::exact::StateError;

/// Names of the flow planes: the pipes to the east, north, north-east and north-west; for Classic pipes, those back
/// follow.
const FLOWS: [&str; 8] = [
    "flow.east",
    "flow.north",
    "flow.northEast",
    "flow.northWest",
    "flow.eastBack",
    "flow.northBack",
    "flow.northEastBack",
    "flow.northWestBack",
];
/// Names of the flow planes of Shallow water: flows through the faces, unused diagonals, speeds of the faces.
const FACES: [&str; 6] = ["flow.east", "flow.north", "flow.northEast", "flow.northWest", "speed.east", "speed.north"];
const PIGMENTS: [&str; 3] = ["pigment.red", "pigment.green", "pigment.blue"];
const HEIGHT: &str = "height";
const TERRAIN: &str = "terrain";
const SOLID: &str = "solid";
const SURFACE_MAPS: [&str; surface_maps::PLANES] = ["foam", "wetness"];
const TEXTURE: [&str; texture::PHASES] = ["texture.first", "texture.second", "texture.third"];

fn flow_names(model: Model) -> &'static [&'static str] {
    match model {
        Model::ShallowWater => &FACES,
        Model::Pipes | Model::Classic | Model::Ripples => &FLOWS[..flow_planes(model)],
    }
}

/// Name of a plane of the margin of Ripples.
fn margin_name(plane: usize) -> String {
    format!("margin.{plane}")
}

/// A plane of a state, with the ring of one cell around the grid.
#[derive(Clone, Copy, Debug)]
pub struct ExactPlane<'a> {
    /// Final name of the quantity.
    pub name: &'a str,
    field: &'a Field,
    plane: usize,
}

impl<'a> ExactPlane<'a> {
    /// Row `y`, lowest first, with the ring: width + 2 values.
    pub fn row(&self, y: usize) -> &'a [i32] {
        self.field.row(y, self.plane)
    }
}

/// The planes of a state; solid cells are one plane, too.
pub struct ExactPlanes<'a> {
    state: &'a State,
    solid: Option<Field>,
    /// Names of the planes of the margin.
    margin: Vec<String>,
}

impl ExactPlanes<'_> {
    /// All planes: height, flows, and pigment, terrain, foam, wetness, texture coordinates and solid cells
    /// where the state has them.
    pub fn list(&self) -> Vec<ExactPlane<'_>> {
        let State { water, terrain, model, .. } = self.state;
        let water = water.water();
        let mut planes = vec![ExactPlane { name: HEIGHT, field: &water.height, plane: 0 }];
        let flows = flow_names(*model).iter().enumerate();
        planes.extend(flows.map(|(plane, name)| ExactPlane { name, field: &water.flow, plane }));
        let first = flow_planes(*model);
        let margin = self.margin.iter().enumerate();
        planes.extend(margin.map(|(at, name)| ExactPlane { name, field: &water.flow, plane: first + at }));
        if let Some(field) = &water.pigment {
            planes.extend(PIGMENTS.iter().enumerate().map(|(plane, name)| ExactPlane { name, field, plane }));
        }
        planes.extend(terrain.as_deref().map(|field| ExactPlane { name: TERRAIN, field, plane: 0 }));
        if let Some(field) = self.state.surface_maps() {
            planes.extend(SURFACE_MAPS.iter().enumerate().map(|(plane, name)| ExactPlane { name, field, plane }));
        }
        if let Some(field) = self.state.texture() {
            planes.extend(TEXTURE.iter().enumerate().map(|(plane, name)| ExactPlane { name, field, plane }));
        }
        planes.extend(self.solid.as_ref().map(|field| ExactPlane { name: SOLID, field, plane: 0 }));
        planes
    }
}

fn edges_name(edges: u64) -> String {
    ["Closed", "Open", "Wrap"].get(edges as usize).copied().unwrap_or("unknown").to_owned()
}

impl State {
    /// The planes. Fetches the water, which blocks, where a device still has it.
    pub fn exact_planes(&self) -> ExactPlanes<'_> {
        let solid = self.domain.solid().map(|solid| {
            let (width, height) = (self.domain.width(), self.domain.height());
            let mut field = Field::new(width, height, 1);
            for (y, row) in solid.chunks_exact(width).enumerate() {
                let cells = field.row_mut(y + 1, 0)[1..].iter_mut();
                cells.zip(row).for_each(|(cell, &is)| *cell = i32::from(is));
            }
            field
        });
        let first = flow_planes(self.model);
        let margin = (first..self.water().flow.planes()).map(|plane| margin_name(plane - first)).collect();
        ExactPlanes { state: self, solid, margin }
    }

    /// All other data that the next frame depends on, by name, as the bits of `f64` or `i64`.
    pub fn exact_numbers(&self) -> Vec<(String, u64)> {
        // The other fields are in the planes or in the grid, or follow from them.
        let State { units, colour_range, domain, rest_level, dt, age, ledger, ground, .. } = self;
        let Ledger { start, since: MassBalance { added, removed, drained, clamped } } = *ledger;
        let mut numbers = vec![
            ("units".to_owned(), units.to_bits()),
            ("colourRange".to_owned(), colour_range.to_bits()),
            ("edges".to_owned(), domain.edges() as u64),
            ("restLevel".to_owned(), rest_level.to_bits()),
            ("timeStep".to_owned(), dt.to_bits()),
            ("age".to_owned(), age.to_bits()),
            ("ground".to_owned(), ground.ground as u64),
            ("groundHeight".to_owned(), ground.height.to_bits()),
            ("groundOffset".to_owned(), ground.offset.to_bits()),
            ("overscanX".to_owned(), ground.overscan[0].to_bits()),
            ("overscanY".to_owned(), ground.overscan[1].to_bits()),
        ];
        for (name, account) in ACCOUNTS.into_iter().zip([start, added, removed, drained, clamped]) {
            numbers.extend(account.iter().enumerate().map(|(kind, &value)| (format!("{name}{kind}"), value as u64)));
        }
        numbers
    }

    /// A state from [`exact_numbers`](Self::exact_numbers) and [`exact_planes`](Self::exact_planes), each plane as its
    /// rows one after the other.
    ///
    /// # Errors
    /// The data are no state of the simulation of `spec`.
    pub fn from_exact(
        spec: &Spec,
        number: &dyn Fn(&str) -> Option<u64>,
        mut planes: Vec<(String, Vec<i32>)>,
    ) -> Result<State, StateError> {
        let Spec { grid, constants } = *spec;
        let units = time_step::units(&constants);
        let range = colour_range(&constants);
        let real = |name: &'static str| number(name).map(f64::from_bits).ok_or(StateError::Missing(name));
        let same = |what: &'static str, theirs: f64, ours: f64, show: fn(f64) -> String| {
            if theirs == ours {
                Ok(())
            } else {
                Err(StateError::Mismatch { what, theirs: show(theirs), ours: show(ours) })
            }
        };
        // The ceiling of a height is 2^28 units.
        same("Max height", real("units")?, units, |units| (f64::from(HEIGHT_MAX) / units).to_string())?;
        same("Colour range", real("colourRange")?, range, |range| range.to_string())?;
        let edges = number("edges").ok_or(StateError::Missing("edges"))?;
        if edges != constants.edges as u64 {
            let (theirs, ours) = (edges_name(edges), edges_name(constants.edges as u64));
            return Err(StateError::Mismatch { what: "Edges", theirs, ours });
        }
        let rest_level = real("restLevel")?;
        if !(0.0..=65536.0).contains(&rest_level) || (rest_level > 0.0) != (constants.model == Model::Ripples) {
            return Err(StateError::OutOfRange("restLevel"));
        }
        let dt = real("timeStep")?;
        if !(0.0..=1e9).contains(&dt) {
            return Err(StateError::OutOfRange("timeStep"));
        }
        let age = real("age")?;
        if !(0.0..=1e15).contains(&age) {
            return Err(StateError::OutOfRange("age"));
        }
        let ground = BuiltInGround {
            ground: number("ground").and_then(Ground::from_number).ok_or(StateError::Missing("ground"))?,
            height: real("groundHeight")?,
            offset: real("groundOffset")?,
            overscan: [real("overscanX")?, real("overscanY")?],
        };
        let mut accounts = [[0_i64; 4]; ACCOUNTS.len()];
        for (name, account) in ACCOUNTS.into_iter().zip(&mut accounts) {
            for (kind, value) in account.iter_mut().enumerate() {
                *value = number(&format!("{name}{kind}")).ok_or(StateError::Missing(name))? as i64;
            }
        }
        let [start, added, removed, drained, clamped] = accounts;

        let margin = (constants.model == Model::Ripples).then(|| Margin::new(&constants, grid.width, grid.height));
        let margin_planes = margin.map_or(0, |margin| margin.flow_planes() - flow_planes(constants.model));
        let stored = (0..margin_planes).map(|plane| {
            let name = margin_name(plane);
            let at = planes.iter().position(|(theirs, _)| *theirs == name).ok_or(StateError::Missing("margin"))?;
            Ok(planes.swap_remove(at).1)
        });
        let stored = stored.collect::<Result<Vec<_>, StateError>>()?;
        let mut take = |names: &[&'static str], [least, most]: [i32; 2], ring: bool| {
            let mut field = Field::new(grid.width, grid.height, names.len());
            for (plane, name) in names.iter().enumerate() {
                let Some(at) = planes.iter().position(|(theirs, _)| theirs == name) else {
                    return if plane == 0 { Ok(None) } else { Err(StateError::Missing(name)) };
                };
                let values = planes.swap_remove(at).1;
                fill(&mut field, plane, &values, [least, most], ring).ok_or(StateError::OutOfRange(name))?;
            }
            Ok(Some(field))
        };
        let least = match constants.model {
            Model::Pipes | Model::ShallowWater | Model::Ripples => -FLOW_MAX,
            Model::Classic => 0,
        };
        let height = take(&[HEIGHT], [0, HEIGHT_MAX], false)?.ok_or(StateError::Missing(HEIGHT))?;
        let mut flow =
            take(flow_names(constants.model), [least, FLOW_MAX], true)?.ok_or(StateError::Missing("flow"))?;
        if let Some(margin) = margin.filter(|margin| !margin.is_empty()) {
            flow = with_margin(&flow, &margin, &stored).ok_or(StateError::OutOfRange("margin"))?;
        }
        let pigment = take(&PIGMENTS, [0, PIGMENT_MAX], false)?;
        let terrain = take(&[TERRAIN], [-HEIGHT_MAX, HEIGHT_MAX], true)?;
        let surface_maps = take(&SURFACE_MAPS, [0, WHOLE as i32], false)?;
        let texture = take(&TEXTURE, [i32::MIN, i32::MAX], false)?;
        let solid = take(&[SOLID], [0, 1], false)?;
        let solid: Option<Vec<bool>> = solid.map(|field| {
            let rows = (1..=grid.height).flat_map(|y| field.row(y, 0)[1..=grid.width].iter().map(|&v| v == 1));
            request::collected(rows)
        });
        let domain = Arc::new(Domain::new(grid.width, grid.height, constants.edges, constants.shut, solid));
        Ok(State {
            grid,
            model: constants.model,
            units,
            colour_range: range,
            water: Arc::new(StateBuffers::new(Water { height, flow, pigment })),
            terrain: terrain.map(Arc::new),
            ground,
            pyramid: margin.map(|margin| Arc::new(Pyramid::new(margin.domain(&domain)))),
            domain,
            rest_level,
            dt,
            ledger: Ledger { start, since: MassBalance { added, removed, drained, clamped } },
            age,
            surface_maps: surface_maps.map(Arc::new),
            texture: texture.map(Arc::new),
        })
    }
}

/// Flows with the planes of a margin behind them; `None` for values out of range.
fn with_margin(flow: &Field, margin: &Margin, stored: &[Vec<i32>]) -> Option<Field> {
    let mut all = Field::new(flow.width(), flow.height(), margin.flow_planes());
    for plane in 0..flow.planes() {
        (0..flow.height() + 2).for_each(|y| all.row_mut(y, plane).copy_from_slice(flow.row(y, plane)));
    }
    for (at, values) in stored.iter().enumerate() {
        fill(&mut all, flow.planes() + at, values, [-FLOW_MAX, FLOW_MAX], true)?;
    }
    Some(all)
}

/// The accounts of the ledger, each for water, red, green and blue.
const ACCOUNTS: [&str; 5] = ["start", "added", "removed", "drained", "clamped"];

/// Sets a plane from its rows; `None` for a wrong number of values, a value out of range, or a ring that should be 0
/// and is not.
fn fill(field: &mut Field, plane: usize, values: &[i32], [least, most]: [i32; 2], ring: bool) -> Option<()> {
    let (stride, rows) = (field.stride(), field.height() + 2);
    if values.len() != stride * rows || !values.iter().all(|v| (least..=most).contains(v)) {
        return None;
    }
    for (y, row) in values.chunks_exact(stride).enumerate() {
        let outside = y == 0 || y + 1 == rows;
        let clear = if outside { row.iter().all(|&v| v == 0) } else { row[0] == 0 && row[stride - 1] == 0 };
        if !ring && !clear {
            return None;
        }
        field.row_mut(y, plane).copy_from_slice(row);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::settings::{Constants, Edges, Ground, Order};
    use super::*;
    use crate::sim::grid::Grid;

    fn spec(model: Model, edges: Edges) -> Spec {
        let grid = Grid { width: 5, height: 3, origin: [0.0; 2], cells_per_pixel: 1.0 };
        let constants = Constants {
            model,
            order: Order::Second,
            edges,
            shut: [false; 4],
            absorb: [false; 4],
            diagonal_weight: 0.25,
            max_height: 8.0,
            colour_range: 16.0,
        };
        Spec { grid, constants }
    }

    fn state(spec: &Spec, coloured: bool) -> State {
        let Grid { width, height, .. } = spec.grid;
        let margin = Margin::new(&spec.constants, width, height);
        let planes = match spec.constants.model {
            Model::Ripples => margin.flow_planes(),
            model => flow_planes(model),
        };
        let mut next = 1_i32;
        let mut field = |planes: usize, ring: bool| {
            let mut field = Field::new(width, height, planes);
            for (y, plane) in (0..height + 2).flat_map(|y| (0..planes).map(move |plane| (y, plane))) {
                for (x, value) in field.row_mut(y, plane).iter_mut().enumerate() {
                    next = next.wrapping_mul(1_103_515_245).wrapping_add(12345) & 0x03ff_ffff;
                    let inside = (1..=width).contains(&x) && (1..=height).contains(&y);
                    *value = if ring || inside { next } else { 0 };
                }
            }
            field
        };
        let water =
            Water { height: field(1, false), flow: field(planes, true), pigment: coloured.then(|| field(3, false)) };
        let shares = || {
            let mut field = Field::new(width, height, surface_maps::PLANES);
            (0..width * height).for_each(|i| field.set(i % width, i / width, i % 2, 65536 / (i as i32 + 1)));
            field
        };
        let solid = coloured.then(|| (0..width * height).map(|i| i % 7 == 2).collect());
        let domain = Arc::new(Domain::new(width, height, spec.constants.edges, spec.constants.shut, solid));
        let account = |n: i64| [n, -n, i64::MIN + n, i64::MAX - n];
        let since = MassBalance { added: account(2), removed: account(3), drained: account(4), clamped: account(5) };
        State {
            grid: spec.grid,
            model: spec.constants.model,
            units: time_step::units(&spec.constants),
            colour_range: 16.0,
            water: Arc::new(StateBuffers::new(water)),
            terrain: coloured.then(|| Arc::new(field(1, true))),
            ground: BuiltInGround { ground: Ground::Street, height: 0.7, offset: -0.1, overscan: [3.0, 0.5] },
            pyramid: (spec.constants.model == Model::Ripples).then(|| Arc::new(Pyramid::new(margin.domain(&domain)))),
            domain,
            rest_level: if spec.constants.model == Model::Ripples { 0.37 } else { 0.0 },
            dt: 1.0 / 3.0,
            ledger: Ledger { start: account(1), since },
            age: 7.25,
            surface_maps: coloured.then(|| Arc::new(shares())),
            texture: coloured.then(|| Arc::new(field(texture::PHASES, false))),
        }
    }

    type Parts = (Vec<(String, u64)>, Vec<(String, Vec<i32>)>);

    fn apart(state: &State) -> Parts {
        let planes = state.exact_planes();
        let rows = |plane: &ExactPlane<'_>| (0..state.grid().height + 2).flat_map(|y| plane.row(y).to_vec()).collect();
        (state.exact_numbers(), planes.list().iter().map(|plane| (plane.name.to_owned(), rows(plane))).collect())
    }

    fn together(spec: &Spec, (numbers, planes): Parts) -> Result<State, StateError> {
        let find = |name: &str| numbers.iter().find(|(theirs, _)| theirs == name).map(|(_, value)| *value);
        State::from_exact(spec, &find, planes)
    }

    #[test]
    fn a_state_comes_back_as_it_was() {
        for (model, edges) in [
            (Model::Pipes, Edges::Open),
            (Model::Classic, Edges::Wrap),
            (Model::Pipes, Edges::Closed),
            (Model::ShallowWater, Edges::Open),
            (Model::Ripples, Edges::Open),
            (Model::Ripples, Edges::Wrap),
        ] {
            for coloured in [false, true] {
                let spec = spec(model, edges);
                let state = state(&spec, coloured);
                assert_eq!(together(&spec, apart(&state)), Ok(state));
            }
        }
    }

    #[test]
    fn what_is_no_state_of_the_simulation_is_refused() {
        let here = spec(Model::Pipes, Edges::Closed);
        let parts = || apart(&state(&here, true));
        let refused = |change: &dyn Fn(&mut Parts)| {
            let mut parts = parts();
            change(&mut parts);
            together(&here, parts).err()
        };
        assert_eq!(refused(&|_| ()), None);
        assert_eq!(refused(&|(_, planes)| planes[0].1[8] = -1), Some(StateError::OutOfRange("height")));
        assert_eq!(refused(&|(_, planes)| planes[0].1[0] = 1), Some(StateError::OutOfRange("height")), "the ring is 0");
        assert_eq!(refused(&|(_, planes)| planes[1].1[8] = i32::MIN), Some(StateError::OutOfRange("flow.east")));
        assert_eq!(refused(&|(_, planes)| planes[2].1.truncate(3)), Some(StateError::OutOfRange("flow.north")));
        assert_eq!(refused(&|(_, planes)| drop(planes.remove(6))), Some(StateError::Missing("pigment.green")));
        assert_eq!(refused(&|(numbers, _)| drop(numbers.pop())), Some(StateError::Missing("clamped")));
        let other = Spec { constants: Constants { max_height: 64.0, ..here.constants }, ..here };
        assert!(matches!(together(&other, parts()), Err(StateError::Mismatch { what: "Max height", .. })));
        let other = spec(Model::Pipes, Edges::Wrap);
        let told = together(&other, parts()).expect_err("edges differ").to_string();
        assert_eq!(told, "Edges is Closed there and Wrap here");
    }
}
