//! Parameter values as settings of the smoke.

use super::controls::{Id, JetField, jet_count};
use super::inputs::{HEAT, OBSTACLES, SOURCE, VELOCITY};
use crate::nodes::common::pictures::Wired;
use crate::nodes::common::values::{Moment, Values};
use crate::ofx::Result;
use crate::sim::channel::Channel;
use crate::sim::grid::Grid;
use crate::sim::smoke::settings::{
    Boundary, Brush, Constants, Disturbance, Fire, Jet, Noise, PointForce, Scheme, Settings, Slip, Slips, Solver,
    SourceMode, VelocityMode,
};

/// Reads the constants of the simulation.
///
/// # Errors
/// A call to the host fails.
pub fn constants(values: &impl Values<Id>, time: f64) -> Result<Constants> {
    let scheme = |id| -> Result<Scheme> {
        Ok(match values.choice(id, time)? {
            0 => Scheme::SemiLagrangian,
            1 => Scheme::MacCormack,
            _ => Scheme::Cubic,
        })
    };
    let slip = |id| -> Result<Slip> { Ok(if values.choice(id, time)? == 1 { Slip::No } else { Slip::Free }) };
    let edges = edges(values, time)?;
    let along_edges = if edges.contains(&Boundary::Closed) { slip(Id::EdgeSlip)? } else { Slips::default().edges };
    let update_every = u32::try_from(values.int(Id::UpdateEvery, time)?).unwrap_or(1).clamp(1, MOST_FRAMES_BETWEEN);
    Ok(Constants {
        edges,
        slip: Slips { edges: along_edges, obstacles: slip(Id::ObstacleSlip)? },
        velocity_scheme: scheme(Id::VelocityAdvection)?,
        dye_scheme: scheme(Id::DyeAdvection)?,
        flow_map: values.choice(Id::DyeAdvection, time)? == FLOW_MAP,
        reflection: values.switch(Id::Reflection, time)?,
        follow: follows(values, time)?,
        update_every,
    })
}

/// Option of `dyeAdvection`.
const FLOW_MAP: i32 = 3;

/// The edge conditions: left, right, bottom, top. Where one edge of an axis wraps, both do.
///
/// # Errors
/// A call to the host fails.
pub fn edges(values: &dyn Values<Id>, time: f64) -> Result<[Boundary; 4]> {
    let side = |id| -> Result<Boundary> {
        Ok(match values.choice(id, time)? {
            0 => Boundary::Closed,
            2 => Boundary::Wrap,
            _ => Boundary::Open,
        })
    };
    let axis = |low: Boundary, high: Boundary| {
        if [low, high].contains(&Boundary::Wrap) { [Boundary::Wrap; 2] } else { [low, high] }
    };
    let [left, right] = axis(side(Id::EdgeLeft)?, side(Id::EdgeRight)?);
    let [bottom, top] = axis(side(Id::EdgeBottom)?, side(Id::EdgeTop)?);
    Ok([left, right, bottom, top])
}

/// True if the grid follows a point.
///
/// # Errors
/// A call to the host fails.
pub fn follows(values: &dyn Values<Id>, time: f64) -> Result<bool> {
    Ok(values.choice(Id::GridMode, time)? == 1)
}

/// Size of the grid that follows a point, for a node whose own grid would be `whole`; its position is that of no frame.
///
/// # Errors
/// A call to the host fails.
pub fn following(values: &impl Values<Id>, time: f64, whole: Grid) -> Result<Grid> {
    let pixels = values.pair(Id::GridSize, time)?;
    let [width, height] = pixels.map(|side| {
        let side = if side.is_finite() { side } else { 1.0 };
        libm::ceil((side * whole.cells_per_pixel - 1e-6).clamp(1.0, 1e9)) as usize
    });
    Ok(Grid { width, height, ..whole })
}

/// Largest number of frames from one pressure solve to the next.
const MOST_FRAMES_BETWEEN: u32 = 100;

/// Reads the settings of a frame. Parameters without effect are not read and stay at a fixed value, so that their edits
/// invalidate no state.
///
/// # Errors
/// A call to the host fails.
pub fn settings(
    values: &impl Values<Id>,
    constants: &Constants,
    wired: Wired,
    moment: Moment,
    before: Option<&Settings>,
) -> Result<Settings> {
    let time = moment.time;
    let double = |id| values.double(id, time);
    let last = moment.frame as f64 - 1.0;
    let time_scale = double(Id::TimeScale)?;
    let time_lead = lead(before.map(|before| [before.time_scale, before.time_lead]), time_scale, last);
    let past = Past { settings: before, clock: time_scale * last + time_lead };
    let jets =
        (0..jet_count(values, time)?).map(|n| jet(values, n, wired, moment, &past)).collect::<Result<Vec<_>>>()?;
    let mut settings = Settings {
        frame: 0,
        time_scale,
        time_lead,
        substeps: values.int(Id::Substeps, time)?,
        max_cfl: double(Id::MaxCfl)?,
        solver: match values.choice(Id::Solver, time)? {
            1 => Solver::Multigrid,
            2 => Solver::ConjugateGradients,
            3 => Solver::IteratedProjection,
            4 => Solver::Jacobi,
            _ => Solver::Auto,
        },
        iterations: values.int(Id::Iterations, time)?,
        tolerance: double(Id::Tolerance)?,
        viscosity: double(Id::Viscosity)?,
        confinement: double(Id::Vorticity)?,
        dissipation: double(Id::Dissipation)?,
        drag: double(Id::Drag)?,
        cooling: double(Id::Cooling)?,
        weight: double(Id::Weight)?,
        lift: double(Id::Lift)?,
        ambient: double(Id::Ambient)?,
        gravity: double(Id::GravityDirection)?,
        wind: values.pair(Id::Wind, time)?,
        wind_drag: 0.0,
        attractor: None,
        vortex: None,
        noise: None,
        brush: None,
        jets: jets.into_iter().flatten().collect(),
        fire: None,
        source_mode: SourceMode::StartFrame,
        source_channel: Channel::Alpha,
        source_density: 0.0,
        velocity_mode: VelocityMode::Set,
        velocity_scale: 0.0,
        heat_channel: Channel::Red,
        heat_scale: 0.0,
        obstacle_push: 0.0,
        grid_centre: [0.0; 2],
        inherit: 0.0,
    };
    if settings.wind != [0.0; 2] {
        settings.wind_drag = double(Id::WindDrag)?;
    }
    settings.attractor =
        point_force(values, [Id::Attractor, Id::AttractorCentre, Id::AttractorRadius, Id::AttractorStrength], time)?;
    settings.vortex = point_force(values, [Id::Vortex, Id::VortexCentre, Id::VortexRadius, Id::VortexStrength], time)?;
    let strength = double(Id::Noise)?;
    if strength > 0.0 {
        let speed = double(Id::NoiseSpeed)?;
        settings.noise = Some(Noise {
            strength,
            size: double(Id::NoiseSize)?,
            octaves: values.int(Id::NoiseOctaves, time)?,
            speed,
            lead: past.lead(|before| before.noise.map(|noise| [noise.speed, noise.lead]), speed),
            drift: past.drift(settings.wind, settings.frame_time()),
            seed: values.int(Id::Seed, time)?,
        });
    }
    if values.switch(Id::Brush, time)? {
        let [centre, previous] = positions(values, Id::BrushCentre, moment)?;
        settings.brush = Some(Brush {
            centre,
            previous,
            radius: double(Id::BrushRadius)?,
            softness: double(Id::BrushSoftness)?,
            force: double(Id::BrushForce)?,
            colour: coloured(values.colour(Id::BrushColour, time)?, double(Id::BrushDensity)?),
        });
    }
    // Fire without fuel goes on until it is out.
    if settings.jets.iter().any(|jet| jet.fuel > 0.0) || before.is_some_and(|before| before.fire.is_some()) {
        settings.fire = Some(fire(values, time)?);
    }
    if wired.has(SOURCE) {
        read_source(&mut settings, values, moment)?;
    }
    if wired.has(VELOCITY) {
        settings.velocity_scale = double(Id::VelocityScale)?;
        if settings.velocity_scale != 0.0 && values.choice(Id::VelocityMode, time)? == 1 {
            settings.velocity_mode = VelocityMode::Add;
        }
    }
    if wired.has(HEAT) {
        settings.heat_scale = double(Id::HeatScale)?;
        if settings.heat_scale != 0.0 {
            let channels = [Channel::Red, Channel::Green, Channel::Blue, Channel::Alpha, Channel::Luminance];
            settings.heat_channel = Channel::from_index(channels, values.choice(Id::HeatChannel, time)?);
        }
    }
    if wired.has(OBSTACLES) {
        settings.obstacle_push = double(Id::ObstaclePush)?;
    }
    if constants.follow {
        settings.grid_centre = values.pair(Id::GridCentre, time)?;
        settings.inherit = double(Id::GridInherit)?;
    }
    let wanders = settings.jets.iter().any(|jet| jet.random > 0.0 || jet.breakup > 0.0 || jet.pulse_rate > 0.0);
    let disturbed = settings.fire.is_some_and(|fire| fire.disturbance.is_some());
    if wanders || disturbed || settings.noise.is_some() || constants.update_every > 1 {
        settings.frame = moment.frame;
    }
    Ok(settings)
}

fn read_source(settings: &mut Settings, values: &impl Values<Id>, moment: Moment) -> Result<()> {
    settings.source_mode = match values.choice(Id::SourceMode, moment.time)? {
        1 => SourceMode::Add,
        2 => SourceMode::Replace,
        3 => SourceMode::FillUp,
        _ => SourceMode::StartFrame,
    };
    if moment.first || settings.source_mode != SourceMode::StartFrame {
        settings.source_density = values.double(Id::SourceDensity, moment.time)?;
        settings.source_channel = Channel::from_index(Channel::ALL, values.choice(Id::SourceChannel, moment.time)?);
    }
    Ok(())
}

/// The previous frame, for values that continue from it.
struct Past<'a> {
    settings: Option<&'a Settings>,
    /// Simulated frames from frame 0 to that frame.
    clock: f64,
}

impl Past<'_> {
    /// Way of a pattern that is carried by a wind, from the first frame that has the pattern.
    fn drift(&self, wind: [f64; 2], time: f64) -> [f64; 2] {
        match self.settings.and_then(|before| before.noise) {
            Some(Noise { drift, .. }) => [0, 1].map(|axis| drift[axis] + wind[axis] * time),
            None => [0.0; 2],
        }
    }

    /// The phase offset (lead) at a new rate; `of` returns the previous rate and lead.
    fn lead(&self, of: impl Fn(&Settings) -> Option<[f64; 2]>, rate: f64) -> f64 {
        lead(self.settings.and_then(of), rate, self.clock)
    }
}

/// Lead that keeps `rate · clock + lead` continuous at `clock` when the rate changes: keys of a rate change a speed,
/// not a position.
fn lead(before: Option<[f64; 2]>, rate: f64, clock: f64) -> f64 {
    match before {
        Some([old, lead]) if old != rate => lead + (old - rate) * clock,
        Some([_, lead]) => lead,
        None => 0.0,
    }
}

fn jet(values: &impl Values<Id>, n: usize, wired: Wired, moment: Moment, past: &Past<'_>) -> Result<Option<Jet>> {
    let time = moment.time;
    let double = |field| values.double(Id::Jet(n, field), time);
    let on = match values.choice(Id::Jet(n, JetField::On), time)? {
        0 => !wired.has(SOURCE),
        1 => true,
        _ => false,
    };
    if !on {
        return Ok(None);
    }
    let number = n as i32 + 1;
    let [centre, previous] = positions(values, Id::Jet(n, JetField::Centre), moment)?;
    let (random, breakup) = (double(JetField::Random)?, double(JetField::Breakup)?);
    let varies = random > 0.0 || breakup > 0.0;
    let pulse_rate = double(JetField::PulseRate)?;
    let old = |before: &Settings| {
        before.jets.iter().find(|jet| jet.number == number).map(|jet| [jet.pulse_rate, jet.pulse_lead])
    };
    Ok(Some(Jet {
        number,
        centre,
        previous,
        direction: double(JetField::Direction)?,
        radius: double(JetField::Radius)?,
        softness: double(JetField::Softness)?,
        strength: double(JetField::Strength)?,
        colour: coloured(values.colour(Id::Jet(n, JetField::Colour), time)?, double(JetField::Density)?),
        heat: double(JetField::Heat)?,
        fuel: double(JetField::Fuel)?,
        spread: double(JetField::Spread)?,
        random,
        breakup,
        breakup_size: if breakup > 0.0 { double(JetField::BreakupSize)? } else { 0.0 },
        // Jets with the same seed vary independently of each other.
        seed: if varies { values.int(Id::Seed, time)?.wrapping_mul(MOST_JETS).wrapping_add(number) } else { 0 },
        pulse_rate,
        pulse_lead: past.lead(old, pulse_rate),
        pulse_duty: if pulse_rate > 0.0 { double(JetField::PulseDuty)? } else { 1.0 },
    }))
}

/// Reads the fire.
fn fire(values: &impl Values<Id>, time: f64) -> Result<Fire> {
    let double = |id| values.double(id, time);
    let strength = double(Id::Disturbance)?;
    let disturbance = if strength > 0.0 {
        let (size, pulse) = (double(Id::DisturbanceSize)?, double(Id::DisturbancePulse)?);
        Some(Disturbance { strength, size, pulse, seed: values.int(Id::Seed, time)? })
    } else {
        None
    };
    Ok(Fire {
        size: double(Id::FlameSize)?,
        rate: double(Id::BurnRate)?,
        pilot: double(Id::Pilot)?,
        ignition: double(Id::Ignition)?,
        heat: double(Id::BurnHeat)?,
        expansion: double(Id::Expansion)?,
        life: double(Id::FlameLife)?,
        radiation: double(Id::Radiation)?,
        diffusion: double(Id::FlameDiffusion)?,
        gas_diffusion: double(Id::GasDiffusion)?,
        soot: double(Id::BurnSoot)?,
        soot_decay: double(Id::SootDecay)?,
        soot_weight: double(Id::SootWeight)?,
        disturbance,
        shredding: double(Id::Shredding)?,
        updraft: double(Id::Updraft)?,
        updraft_drag: double(Id::UpdraftDrag)?,
    })
}

/// Position of a point, and its position a frame earlier.
fn positions(values: &impl Values<Id>, point: Id, moment: Moment) -> Result<[[f64; 2]; 2]> {
    let centre = values.pair(point, moment.time)?;
    Ok([centre, moment.previous.map_or(Ok(centre), |before| values.pair(point, before))?])
}

/// Jets whose seeds are kept apart.
const MOST_JETS: i32 = 8;

fn point_force(
    values: &impl Values<Id>,
    [on, centre, radius, strength]: [Id; 4],
    time: f64,
) -> Result<Option<PointForce>> {
    if !values.switch(on, time)? {
        return Ok(None);
    }
    Ok(Some(PointForce {
        centre: values.pair(centre, time)?,
        radius: values.double(radius, time)?,
        strength: values.double(strength, time)?,
    }))
}

fn coloured([red, green, blue]: [f64; 3], density: f64) -> [f64; 4] {
    [red, green, blue, density]
}

#[cfg(test)]
mod tests {
    use super::lead;

    #[test]
    fn a_rate_that_changes_goes_on_from_where_it_was() {
        let rate = |frame: i32| if frame < 1010 { 0.1 } else { 0.1 + 0.01 * f64::from(frame - 1009) };
        let mut before = None;
        let mut at = 0.1 * 1000.0;
        for frame in 1001..1030 {
            let now = lead(before, rate(frame), f64::from(frame) - 1.0);
            let next = rate(frame) * f64::from(frame) + now;
            assert!((next - at - rate(frame)).abs() < 1e-9, "frame {frame}: from {at} to {next}");
            assert!(frame >= 1010 || now == 0.0, "nothing to make up for");
            (before, at) = (Some([rate(frame), now]), next);
        }
    }
}
