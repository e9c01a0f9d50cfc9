//! The smoke as a file's content.

use std::collections::BTreeMap;

use flow_cache::{Header, Layer, Plane, PlaneRows};

use super::told::Told;
use crate::picture::smoke::layer_row;
use crate::sim::smoke::quantities::QUANTITIES;
use crate::sim::smoke::state::BadPixels;
use crate::sim::smoke::{self, Diagnostics, Spec, State};
use crate::timeline::disk::Stored;

/// What the names of the model begin with.
const MODEL: &str = "org.flowofx.FlowSmoke ";

/// The model as the header names it, and its version. Each class of devices makes bits of its own.
pub fn model(class: &str) -> (String, u32) {
    (format!("{MODEL}{class}"), smoke::MODEL_VERSION)
}

/// Whether a header names this model, on whatever class of devices.
pub fn is_model(name: &str) -> bool {
    name.starts_with(MODEL)
}

/// What a chain has told so far, by name.
fn notices_as_numbers(notices: &Diagnostics) -> [(&'static str, u64); 16] {
    let Diagnostics {
        substeps,
        iterations,
        residual,
        cfl,
        divergence,
        cfl_cut,
        discarded,
        bad_pixels,
        source_everywhere,
        solid_everywhere,
    } = *notices;
    let BadPixels { source, velocity, heat, obstacles, obstacle_velocity, mask, start } = bad_pixels;
    [
        ("told.substeps", u64::from(substeps)),
        ("told.iterations", u64::from(iterations)),
        ("told.residual", residual.to_bits()),
        ("told.cfl", cfl.to_bits()),
        ("told.divergence", divergence.to_bits()),
        ("told.cflCut", u64::from(cfl_cut)),
        ("told.discarded", discarded),
        ("told.badSource", source),
        ("told.badVelocity", velocity),
        ("told.badHeat", heat),
        ("told.badObstacles", obstacles),
        ("told.badObstacleVelocity", obstacle_velocity),
        ("told.badMask", mask),
        ("told.badStart", start),
        ("told.sourceEverywhere", u64::from(source_everywhere)),
        ("told.solidEverywhere", u64::from(solid_everywhere)),
    ]
}

fn notices_of(numbers: &BTreeMap<String, u64>) -> Diagnostics {
    let number = |name: &str| numbers.get(name).copied().unwrap_or(0);
    let count = |name: &str| u32::try_from(number(name)).unwrap_or(0);
    let real = |name: &str| Some(f64::from_bits(number(name))).filter(|value| value.is_finite()).unwrap_or(0.0);
    Diagnostics {
        substeps: count("told.substeps"),
        iterations: count("told.iterations"),
        residual: real("told.residual"),
        cfl: real("told.cfl"),
        divergence: real("told.divergence"),
        cfl_cut: number("told.cflCut") != 0,
        discarded: number("told.discarded"),
        bad_pixels: BadPixels {
            source: number("told.badSource"),
            velocity: number("told.badVelocity"),
            heat: number("told.badHeat"),
            obstacles: number("told.badObstacles"),
            obstacle_velocity: number("told.badObstacleVelocity"),
            mask: number("told.badMask"),
            start: number("told.badStart"),
        },
        source_everywhere: number("told.sourceEverywhere") != 0,
        solid_everywhere: number("told.solidEverywhere") != 0,
    }
}

/// The smoke of a file, for the simulation that `spec` says on a device of that class.
///
/// # Errors
/// Why it is no state of that simulation.
pub fn restore(spec: &Spec, class: &'static str, header: &Header, planes: Vec<Plane>) -> Result<Told, String> {
    let planes = planes.into_iter().map(Plane::into_floats).collect::<Result<_, _>>()?;
    let number = |name: &str| header.numbers.get(name).copied();
    let smoke = State::from_exact(spec, &number, planes).map_err(|unfit| unfit.to_string())?;
    Ok(Told { smoke, class, notices: notices_of(&header.numbers) })
}

impl Stored for Told {
    fn header(&self) -> Header {
        let (name, version) = model(self.class);
        let grid = self.smoke.grid;
        let told = notices_as_numbers(&self.notices).map(|(name, value)| (name.to_owned(), value));
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
            units: 1.0,
            numbers: self.smoke.exact_numbers().into_iter().chain(told).collect(),
            parameters: String::new(),
            state: 0,
        }
    }

    fn show(&self, to: &mut dyn FnMut(&[PlaneRows<'_>], &[Layer<'_>])) {
        let smoke = &self.smoke;
        let planes: Vec<PlaneRows<'_>> =
            smoke.exact_planes().into_iter().map(|plane| PlaneRows::floats(plane.name, plane.fill)).collect();
        let layers = QUANTITIES.map(|named| Layer {
            names: named.channels.iter().map(|name| (*name).to_owned()).collect(),
            row: Box::new(move |y, out| layer_row(smoke, named.quantity, y, out)),
        });
        to(&planes, &layers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_chain_has_told_comes_back() {
        let notices = Diagnostics {
            substeps: 3,
            iterations: 4,
            residual: 1e-4,
            cfl: 1.75,
            divergence: 3e-5,
            cfl_cut: true,
            discarded: 7,
            bad_pixels: BadPixels {
                source: 1,
                velocity: 2,
                heat: 3,
                obstacles: 4,
                obstacle_velocity: 5,
                mask: 6,
                start: 7,
            },
            source_everywhere: true,
            solid_everywhere: true,
        };
        let numbers = notices_as_numbers(&notices).map(|(name, value)| (name.to_owned(), value)).into();
        assert_eq!(notices_of(&numbers), notices);
    }

    #[test]
    fn states_of_every_class_of_devices_are_of_this_model() {
        assert!(["cpu", "gpu"].into_iter().all(|class| is_model(&model(class).0)));
        assert!(!is_model("org.flowofx.Flow Pipes") && !is_model("org.flowofx.FlowSmokeToo cpu"));
    }
}
