//! The defaults of the node, from its description.

use std::sync::OnceLock;

use flow_host::{Context, Profile};
use flow_ofx::sim::smoke::settings::{Scheme, Solver};
use flow_ofx::sim::smoke::{Settings, Spec};

use crate::common;
use crate::smoke;

/// The node's default settings of the simulation.
#[derive(Clone, Copy, PartialEq)]
struct Defaults {
    velocity: Scheme,
    dye: Scheme,
    reflection: bool,
    substeps: i32,
    max_cfl: f64,
    solver: Solver,
    iterations: i32,
    tolerance: f64,
}

impl Defaults {
    /// Reads them from the bundle's description.
    fn read() -> Defaults {
        let (_host, bundle) = common::loaded(Profile::generic());
        let plugin = bundle.plugin("org.flowofx.FlowSmoke").expect("the bundle has FlowSmoke");
        let described = plugin.describe(Context::General).expect("it describes itself");
        let text = |name: &str| -> &str {
            let param = described.params.iter().find(|param| param.name == name);
            &param.unwrap_or_else(|| panic!("there is no {name}")).default
        };
        let number = |name: &str| text(name).parse::<f64>().unwrap_or_else(|_| panic!("{name} is {}", text(name)));
        let scheme = |name: &str| match text(name) {
            "Semi-Lagrangian" => Scheme::SemiLagrangian,
            "MacCormack" => Scheme::MacCormack,
            "Cubic" | "Catmull-Rom" => Scheme::Cubic,
            other => panic!("{name} is {other}"),
        };
        let solver = match text("solver") {
            "Auto" => Solver::Auto,
            "Multigrid" => Solver::Multigrid,
            other => panic!("solver is {other}"),
        };
        Defaults {
            velocity: scheme("velocityAdvection"),
            dye: scheme("dyeAdvection"),
            reflection: text("reflection").parse().expect("true or false"),
            substeps: number("substeps") as i32,
            max_cfl: number("maxCfl"),
            solver,
            iterations: number("iterations") as i32,
            tolerance: number("tolerance"),
        }
    }

    fn get() -> Defaults {
        static READ: OnceLock<Defaults> = OnceLock::new();
        *READ.get_or_init(Defaults::read)
    }

    fn of(spec: &Spec, settings: &Settings) -> Defaults {
        Defaults {
            velocity: spec.constants.velocity_scheme,
            dye: spec.constants.dye_scheme,
            reflection: spec.constants.reflection,
            substeps: settings.substeps,
            max_cfl: settings.max_cfl,
            solver: settings.solver,
            iterations: settings.iterations,
            tolerance: settings.tolerance,
        }
    }
}

/// Applies the node's defaults to a simulation.
pub fn apply(spec: &mut Spec, settings: &mut Settings) {
    let Defaults { velocity, dye, reflection, substeps, max_cfl, solver, iterations, tolerance } = Defaults::get();
    spec.constants.velocity_scheme = velocity;
    spec.constants.dye_scheme = dye;
    spec.constants.reflection = reflection;
    settings.substeps = substeps;
    settings.max_cfl = max_cfl;
    settings.solver = solver;
    settings.iterations = iterations;
    settings.tolerance = tolerance;
    assert!(Defaults::of(spec, settings) == Defaults::get());
}

/// The settings of a frame, for the validation report. The node's defaults are named as such.
pub fn settings_text(spec: &Spec, settings: &Settings, time: f64) -> String {
    let name = if Defaults::of(spec, settings) == Defaults::get() { "the node's defaults: " } else { "" };
    format!("{name}{}", smoke::settings_text(spec, settings, time))
}
