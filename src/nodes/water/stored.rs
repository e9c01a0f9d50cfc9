//! The water as a file's content.

use std::collections::BTreeMap;

use flow_cache::{Header, Layer, Plane, PlaneRows};

use super::frame_state::Told;
use crate::sim::water::settings::Model;
use crate::sim::water::surface_maps::{FOAM, WETNESS};
use crate::sim::{
    self,
    water::{BadPixels, Diagnostics, Spec, State},
};
use crate::timeline::disk::Stored;

/// The model as the header names it, and its version.
pub fn model(model: Model) -> (String, u32) {
    let name = match model {
        Model::Pipes => "org.flowofx.Flow Pipes",
        Model::Classic => "org.flowofx.Flow Classic pipes",
        Model::ShallowWater => "org.flowofx.Flow Shallow water",
        Model::Ripples => "org.flowofx.Flow Ripples",
    };
    (name.to_owned(), sim::water::MODEL_VERSION)
}

/// Name of the number that says how many steps the flows in a file's layers are the sum of: those of a frame of time scale
/// 1. Files without it hold flows per step.
const FLOW_STEPS: &str = "layers.steps";

/// The factor that makes flows per frame of those in the layers of a file, by its header.
pub fn flow_factor(header: &Header) -> f64 {
    let number = |name: &str| header.numbers.get(name).copied().map(f64::from_bits);
    match (number(FLOW_STEPS), number("timeStep")) {
        (None, Some(dt)) if dt > 0.0 && dt.is_finite() => 1.0 / dt,
        _ => 1.0,
    }
}

/// What a chain has told so far, by name.
fn notices_as_numbers(notices: &Diagnostics) -> [(&'static str, u64); 13] {
    let Diagnostics { steps, speed_cut, bad_pixels, luminance_for_alpha, alpha_everywhere, clamped, start_cut } =
        *notices;
    let BadPixels { source, terrain, obstacles, force, mask, control, goal } = bad_pixels;
    [
        ("told.steps", u64::from(steps)),
        ("told.speedCut", u64::from(speed_cut)),
        ("told.badSource", source),
        ("told.badTerrain", terrain),
        ("told.badObstacles", obstacles),
        ("told.badForce", force),
        ("told.badMask", mask),
        ("told.badControl", control),
        ("told.badGoal", goal),
        ("told.luminanceForAlpha", u64::from(luminance_for_alpha)),
        ("told.alphaEverywhere", u64::from(alpha_everywhere)),
        ("told.clamped", clamped as u64),
        ("told.startCut", u64::from(start_cut)),
    ]
}

fn notices_of(numbers: &BTreeMap<String, u64>) -> Diagnostics {
    let number = |name: &str| numbers.get(name).copied().unwrap_or(0);
    Diagnostics {
        steps: u32::try_from(number("told.steps")).unwrap_or(0),
        speed_cut: number("told.speedCut") != 0,
        bad_pixels: BadPixels {
            source: number("told.badSource"),
            terrain: number("told.badTerrain"),
            obstacles: number("told.badObstacles"),
            force: number("told.badForce"),
            mask: number("told.badMask"),
            control: number("told.badControl"),
            goal: number("told.badGoal"),
        },
        luminance_for_alpha: number("told.luminanceForAlpha") != 0,
        alpha_everywhere: number("told.alphaEverywhere") != 0,
        clamped: number("told.clamped") as i64,
        start_cut: number("told.startCut") != 0,
    }
}

/// The water of a file, for the simulation that `spec` says.
///
/// # Errors
/// Why it is no state of that simulation.
pub fn restore(spec: &Spec, header: &Header, planes: Vec<Plane>) -> Result<Told, String> {
    let planes = planes.into_iter().map(Plane::into_ints).collect::<Result<_, _>>()?;
    let number = |name: &str| header.numbers.get(name).copied();
    let water = State::from_exact(spec, &number, planes).map_err(|unfit| unfit.to_string())?;
    Ok(Told::new(water, notices_of(&header.numbers)))
}

impl Stored for Told {
    fn header(&self) -> Header {
        let (name, version) = model(self.water.model());
        let grid = self.water.grid();
        let told = notices_as_numbers(&self.notices).map(|(name, value)| (name.to_owned(), value));
        let steps = (FLOW_STEPS.to_owned(), f64::from(self.water.per_frame()).to_bits());
        Header {
            key: 0,
            family: 0,
            model: name,
            version,
            frame: 0,
            index: 0,
            grid: [grid.width, grid.height],
            origin: grid.origin,
            cells_per_pixel: grid.cells_per_pixel,
            units: self.water.units(),
            numbers: self.water.exact_numbers().into_iter().chain(told).chain([steps]).collect(),
            parameters: String::new(),
            state: 0,
        }
    }

    fn show(&self, to: &mut dyn FnMut(&[PlaneRows<'_>], &[Layer<'_>])) {
        let water = &self.water;
        let exact = water.exact_planes();
        let list = exact.list();
        let planes: Vec<PlaneRows<'_>> =
            list.iter().map(|plane| PlaneRows::ints(plane.name, move |y| plane.row(y))).collect();
        let steps = self.notices.steps;
        let mut layers = vec![
            layer(&["R", "G", "B", "A"], Box::new(|y, out| water.water_row(y, out))),
            layer(&["cross.R", "cross.G", "cross.B", "cross.A"], Box::new(|y, out| water.cross_row(y, out))),
            layer(
                &["diagonal.R", "diagonal.G", "diagonal.B", "diagonal.A"],
                Box::new(|y, out| water.diagonal_row(y, out)),
            ),
            layer(
                &["surface.surface", "surface.terrain", "surface.wet"],
                Box::new(|y, out| {
                    water.height_row(y, out);
                    out.iter_mut().for_each(|pixel| pixel.rotate_left(1));
                }),
            ),
            layer(&["velocity.x", "velocity.y"], Box::new(move |y, out| water.velocity_row(y, steps, out))),
        ];
        if water.surface_maps().is_some() {
            for (name, plane) in [("foam.foam", FOAM), ("wetness.wetness", WETNESS)] {
                layers.push(layer(&[name], Box::new(move |y, out| water.surface_map_cells(plane, y, 0, out))));
            }
        }
        to(&planes, &layers);
    }
}

type LayerRow<'a> = Box<dyn Fn(usize, &mut [[f32; 4]]) + Sync + Send + 'a>;

fn layer<'a>(names: &[&str], row: LayerRow<'a>) -> Layer<'a> {
    Layer { names: names.iter().map(|name| (*name).to_owned()).collect(), row }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_chain_has_told_comes_back() {
        let notices = Diagnostics {
            steps: 3,
            speed_cut: true,
            bad_pixels: BadPixels { source: 1, terrain: 2, obstacles: 3, force: 4, mask: 5, control: 6, goal: 7 },
            luminance_for_alpha: true,
            alpha_everywhere: true,
            clamped: -7,
            start_cut: true,
        };
        let numbers = notices_as_numbers(&notices).map(|(name, value)| (name.to_owned(), value)).into();
        assert_eq!(notices_of(&numbers), notices);
    }
}
