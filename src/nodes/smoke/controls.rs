//! Parameters of the FlowSmoke node: their names, and the functions of conditions. The table is `parameters.txt`.

use super::presets::presets;
use super::values::edges;
use crate::nodes::common::controls::Holds;
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::sim::smoke::settings::Boundary;

/// Number of jets.
pub const JETS: usize = 4;

/// Option of `jet1` to `jet4`.
const OFF: i32 = 2;

crate::parameters! {
    table include_str!("parameters.txt");
    presets Some((Self::Preset, presets));
    conditions condition;
    own {
        Preset, Output, Lift, Weight, Noise, Vorticity, Dissipation, Cooling, TimeScale, NoiseSize, NoiseOctaves,
        NoiseSpeed, Seed, Wind, WindDrag, Viscosity, Drag, GravityDirection, Ambient, EdgeLeft, EdgeRight, EdgeBottom,
        EdgeTop, EdgeSlip, Overscan, GridMode, GridCentre, GridSize, GridFeather, GridInherit "gridVelocityInherit",
        SourceMode, SourceChannel, SourceDensity, VelocityMode, VelocityScale, HeatChannel, HeatScale, ObstaclePush,
        ObstacleSlip, Brush, BrushCentre, BrushRadius, BrushSoftness, BrushForce, BrushColour, BrushDensity, JetCount,
        Attractor, AttractorCentre, AttractorRadius, AttractorStrength, Vortex, VortexCentre, VortexRadius,
        VortexStrength, FlameSize, BurnRate, Pilot, Ignition, BurnHeat, Expansion, FlameLife, Radiation,
        FlameDiffusion, GasDiffusion, BurnSoot, SootDecay, SootWeight, Disturbance, DisturbanceSize, DisturbancePulse,
        Shredding, Updraft, UpdraftDrag, Depth, Opacity, FireEmber, FireKelvin, WorkingSpace, FireExposure,
        FireFalloff, FireSoot, FireOpacity, FlameCore, FlameOnset, FlameEdge, BlueBase, FireLight, LightDirection,
        LightElevation, LightSize, LightColour, AmbientLight, Shadow, Substeps, MaxCfl, Reflection, VelocityAdvection,
        DyeAdvection, Solver, Iterations, Tolerance, UpdateEvery,
    }
    /// A parameter of a jet.
    family Jet(JetField) times JETS ["jet1", "jet2", "jet3", "jet4"] {
        On "", Centre, Direction, Radius, Softness, Strength, Colour, Density, Heat, Fuel, Spread, Random, Breakup,
        BreakupSize, PulseRate, PulseDuty,
    }
}

/// The function of a condition.
fn condition(name: &str) -> Option<Holds<Id>> {
    Some(match name {
        "has_closed_edges" => has_closed_edges,
        "has_wind" => has_wind,
        "has_fuel" => has_fuel,
        "uses_seed" => uses_seed,
        _ => return None,
    })
}

/// True if an edge is closed.
fn has_closed_edges(values: &dyn Values<Id>, time: f64) -> Result<bool> {
    Ok(edges(values, time)?.contains(&Boundary::Closed))
}

/// True if there is wind.
fn has_wind(values: &dyn Values<Id>, time: f64) -> Result<bool> {
    Ok(values.pair(Id::Wind, time)? != [0.0; 2])
}

/// Number of jets in the panel.
pub fn jet_count(values: &dyn Values<Id>, time: f64) -> Result<usize> {
    Ok(values.int(Id::JetCount, time)?.clamp(1, JETS as i32) as usize)
}

/// True if a field is above 0 of any jet that is on.
fn any_jet(values: &dyn Values<Id>, time: f64, field: JetField) -> Result<bool> {
    for n in 0..jet_count(values, time)? {
        if values.choice(Id::Jet(n, JetField::On), time)? != OFF && values.double(Id::Jet(n, field), time)? > 0.0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// True if a jet brings fuel.
fn has_fuel(values: &dyn Values<Id>, time: f64) -> Result<bool> {
    any_jet(values, time, JetField::Fuel)
}

/// True if there is turbulence, a jet that wanders or is broken up, or fire that is disturbed.
fn uses_seed(values: &dyn Values<Id>, time: f64) -> Result<bool> {
    Ok(values.double(Id::Noise, time)? > 0.0
        || any_jet(values, time, JetField::Random)?
        || any_jet(values, time, JetField::Breakup)?
        || has_fuel(values, time)? && values.double(Id::Disturbance, time)? > 0.0)
}
