//! The frames of a simulation after the start: next, and part of one.

use std::sync::Arc;

use super::amounts::{self, Basis};
use super::buffers::StateBuffers;
use super::depth_bounds::DepthBounds;
use super::domain::Domain;
use super::field::Field;
use super::fixed_point::{Coefficient, HEIGHT_MAX, to_units};
use super::goal::{Goal, Place};
use super::ground::BuiltInGround;
use super::inputs::Inputs;
use super::plan::{Device, FramePlan, Inflow, InitialSource, MassBalance, flow_planes};
use super::ripples::margin::Margin;
use super::ripples::pyramid::Pyramid;
use super::ripples::{self, Ripples};
use super::settings::{Edges, Model, Settings, SourceMode};
use super::shallow::Gain;
use super::state::{Diagnostics, Ledger, Spec, State, wet_limit};
use super::time_step::{self, TimeSteps, time_scale};
use super::{control, displace, drain, emitter, rain, start, surface_maps};
use crate::sim::Interrupted;
use crate::sim::grid::Grid;
use crate::sim::maths::clamp;

/// The state one frame after `previous`, from the settings and inputs of that frame.
///
/// `go_on` is called on the calling thread before every step, at most four steps ahead.
///
/// # Errors
/// [`Interrupted`] when `go_on` returns false.
pub fn next_frame(
    spec: &Spec,
    previous: &State,
    settings: &Settings,
    inputs: &Inputs,
    device: &dyn Device,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(State, Diagnostics), Interrupted> {
    advance(spec, previous, settings, inputs, Part::WHOLE, device, go_on)
}

/// The state a fraction `t` of a frame after `previous`, from the settings and inputs at that time; for pictures only.
///
/// Pipes take one frame of `time_scale`·t. Classic pipes, which have no time step, take the first floor(n·t) of the
/// frame's n steps, each with the inflow of a whole frame. `t` is clamped to 0 … 1.
///
/// # Errors
/// [`Interrupted`] when `go_on` returns false.
pub fn part_frame(
    spec: &Spec,
    previous: &State,
    settings: &Settings,
    inputs: &Inputs,
    t: f64,
    device: &dyn Device,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(State, Diagnostics), Interrupted> {
    let t = clamp(t, 0.0, 1.0);
    if t == 0.0 {
        return Ok((previous.clone(), Diagnostics::default()));
    }
    match spec.constants.model {
        Model::Classic => advance(spec, previous, settings, inputs, Part { steps: t, ..Part::WHOLE }, device, go_on),
        Model::Pipes | Model::ShallowWater | Model::Ripples => {
            let settings = Settings { time_scale: time_scale(settings) * t, ..*settings };
            advance(spec, previous, &settings, inputs, Part { time: t, ..Part::WHOLE }, device, go_on)
        }
    }
}

/// The part of a frame that is simulated.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// Share of the steps of the settings that are taken.
    pub steps: f64,
    /// Length of the settings' time in lengths of the frame.
    pub time: f64,
}

impl Part {
    /// A whole frame.
    pub const WHOLE: Part = Part { steps: 1.0, time: 1.0 };
}

fn advance(
    spec: &Spec,
    previous: &State,
    settings: &Settings,
    inputs: &Inputs,
    part: Part,
    device: &dyn Device,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(State, Diagnostics), Interrupted> {
    let time = time_scale(settings);
    if time == 0.0 {
        return Ok((previous.clone(), Diagnostics::default()));
    }
    let mut scene = Scene::new(spec, Some(previous), settings, inputs, device);
    let forces = amounts::forces(
        &scene.basis(1),
        settings,
        inputs.force.as_ref(),
        scene.terrain.as_deref(),
        spec.constants.edges == Edges::Wrap,
    );
    scene.bad.force = forces.bad;
    let base = forces.base.map(Arc::new).or_else(|| scene.terrain.clone());
    let (buffers, moved) = scene.displace_and_drain(previous, settings, time);
    let bounds = match spec.constants.model {
        Model::ShallowWater => {
            DepthBounds::new(&buffers, base.as_deref(), scene.units, settings, inputs, time, scene.area())
        }
        Model::Pipes | Model::Classic | Model::Ripples => DepthBounds::default(),
    };
    let time_steps = TimeSteps::new(spec, settings, bounds);
    let mut diagnostics = Diagnostics {
        steps: libm::floor(f64::from(time_steps.steps) * part.steps) as u32,
        speed_cut: time_steps.cut,
        ..Diagnostics::default()
    };
    let buffers = scene.drawn(previous, &buffers, settings, &time_steps, time);
    let sponge = control::Sponge::new(spec, settings, &time_steps, &buffers);
    let shares = control::shares(&scene.basis(1), spec, inputs.control.as_ref(), sponge.as_ref());
    scene.bad.control = shares.bad;
    let (initial, added) = scene.source(settings, inputs, time, time_steps.steps, &mut diagnostics);
    let mut inflow: Vec<Field> = added.into_iter().collect();
    inflow.extend(scene.inflow(settings, part, time_steps.steps));
    let inflows: Vec<Inflow> =
        inflow.into_iter().filter_map(|field| scene.basis(time_steps.steps).inflow(field)).collect();
    scene.count_bad(&mut diagnostics);

    let evaporates = spec.constants.model != Model::Ripples;
    let evaporation = if evaporates { clamp(settings.evaporation, 0.0, 65536.0) * time } else { 0.0 };
    let evaporation = to_units(evaporation, scene.units, 0, HEIGHT_MAX).unwrap_or(0);
    let steps = time_steps.steps as i32;
    let (cross, diagonal) = time_steps.pipes(spec.constants.model);
    let plan = Arc::new(FramePlan {
        model: spec.constants.model,
        domain: scene.domain.clone(),
        clear_solid: scene.pyramid.is_none()
            && scene.domain.solid().is_some()
            && !Arc::ptr_eq(&scene.domain, &previous.domain),
        initial,
        rescale: scene.rescale(previous.dt, time_steps.dt),
        shared_over: time_steps.steps,
        steps: diagnostics.steps,
        keep: Coefficient::new(time_steps.keep),
        cross,
        diagonal,
        smoothing: Coefficient::new(time_steps.smoothing),
        shallow: time_steps.shallow(scene.units, spec.constants.order),
        ripples: scene.ripples(&time_steps),
        base,
        push: forces.push,
        control: shares.field,
        inflows,
        evaporation: [evaporation / steps, evaporation % steps],
        wet: wet_limit(scene.units),
    });
    let (water, balance) = device.run(&plan, &buffers, go_on)?;
    let mut ledger = previous.ledger;
    ledger.since += moved;
    ledger.since += balance;
    diagnostics.clamped = balance.clamped[0] + moved.clamped[0];
    let dt = if diagnostics.steps > 0 { time_steps.dt } else { previous.dt };
    let elapsed = time * part.steps;
    let state = State { age: previous.age + elapsed, ..scene.state(water, dt, ledger) };
    let state = surface_maps::advected(
        state,
        &surface_maps::Frame {
            previous: Some(previous),
            settings,
            inflows: &plan.inflows,
            time: elapsed,
            steps: diagnostics.steps,
        },
        device,
    );
    Ok((state, diagnostics))
}

/// The terrain, domain and bad pixels of a frame.
pub(super) struct Scene<'a> {
    spec: &'a Spec,
    pub(super) grid: Grid,
    pub(super) units: f64,
    pub(super) colour_range: f64,
    pub(super) terrain: Option<Arc<Field>>,
    ground: BuiltInGround,
    pub(super) domain: Arc<Domain>,
    /// The grids of decreasing resolution on which the head operator of Ripples smooths, over the domain and its
    /// absorbing margin; `None` in other models.
    pub(super) pyramid: Option<Arc<Pyramid>>,
    /// Level of the surface of Ripples at rest, height; 0 in other models.
    pub(super) rest_level: f64,
    bad: super::state::BadPixels,
    inputs: &'a Inputs,
    device: &'a dyn Device,
}

impl<'a> Scene<'a> {
    pub(super) fn new(
        spec: &'a Spec,
        previous: Option<&State>,
        settings: &Settings,
        inputs: &'a Inputs,
        device: &'a dyn Device,
    ) -> Scene<'a> {
        let grid = Grid { width: spec.grid.width.max(1), height: spec.grid.height.max(1), ..spec.grid };
        let edges = spec.constants.edges;
        let mut bad = super::state::BadPixels::default();
        let solid = inputs.obstacles.as_ref().and_then(|pixels| {
            let (solid, count) = amounts::solid(grid.cells(), pixels);
            bad.obstacles = count;
            solid
        });
        let domain = match previous {
            Some(p) if p.domain.solid() == solid.as_deref() => p.domain.clone(),
            Some(p) => Arc::new(p.domain.moved(solid)),
            None => Arc::new(Domain::new(grid.width, grid.height, edges, spec.constants.shut, solid)),
        };
        let with_pyramid = spec.constants.model == Model::Ripples;
        let pyramid = with_pyramid.then(|| {
            let margin = Margin::new(&spec.constants, grid.width, grid.height);
            match previous.and_then(|p| p.pyramid.as_ref().map(|pyramid| (p, pyramid))) {
                Some((p, pyramid)) if Arc::ptr_eq(&p.domain, &domain) => Arc::clone(pyramid),
                Some((_, pyramid)) => Arc::new(pyramid.moved(margin.moved(pyramid.domain(), &domain))),
                None => Arc::new(Pyramid::new(margin.domain(&domain))),
            }
        });
        let rest_level = match previous {
            Some(previous) => previous.rest_level,
            None if with_pyramid => {
                Some(start::level(settings)).filter(|level| *level > 0.0).unwrap_or(ripples::DEFAULT_LEVEL)
            }
            None => 0.0,
        };
        let mut scene = Scene {
            spec,
            grid,
            units: time_step::units(&spec.constants),
            colour_range: time_step::colour_range(&spec.constants),
            terrain: None,
            ground: BuiltInGround { overscan: settings.overscan, ..BuiltInGround::default() },
            domain,
            pyramid,
            rest_level,
            bad,
            inputs,
            device,
        };
        if let Some(pixels) = inputs.terrain.as_ref().filter(|_| !with_pyramid) {
            let (terrain, count) = amounts::terrain(&scene.basis(1), settings, pixels);
            scene.bad.terrain = count;
            scene.terrain = match previous.and_then(|p| p.terrain.as_ref()) {
                Some(old) if **old == terrain => Some(old.clone()),
                _ => Some(Arc::new(terrain)),
            };
        }
        if inputs.terrain.is_none() {
            scene.ground = BuiltInGround::new(settings);
            scene.terrain = match previous.filter(|p| p.ground == scene.ground) {
                _ if with_pyramid || scene.ground.is_flat() => None,
                Some(p) => p.terrain.clone(),
                None => scene.ground.terrain(&scene.basis(1), &scene.grid).map(Arc::new),
            };
        }
        if let Some(mask) = &inputs.mask {
            scene.bad.mask = amounts::bad_mask(mask, grid.cells());
        }
        scene
    }

    /// `steps`: number of steps that share an amount.
    pub(super) fn basis(&self, steps: u32) -> Basis<'_> {
        Basis {
            width: self.grid.width,
            height: self.grid.height,
            units: self.units,
            colour_range: self.colour_range,
            scale: time_step::cells_per_pixel(self.spec),
            steps: steps.max(1),
            signed: self.pyramid.is_some(),
            domain: &self.domain,
            mask: self.inputs.mask.as_ref(),
            device: self.device,
        }
    }

    /// Area of the grid, full-resolution pixels.
    pub(super) fn area(&self) -> f64 {
        let scale = time_step::cells_per_pixel(self.spec);
        self.grid.cells() as f64 / (scale * scale)
    }

    pub(super) fn field(&self, planes: usize) -> Field {
        Field::new(self.grid.width, self.grid.height, planes)
    }

    /// Changes to the water before a frame's steps: moving obstacles push it, and a drain removes some. The planes are
    /// fetched only where something changes.
    fn displace_and_drain(&self, previous: &State, settings: &Settings, time: f64) -> (Arc<StateBuffers>, MassBalance) {
        let mut buffers = Arc::clone(&previous.water);
        let mut sum = MassBalance::default();
        if self.pyramid.is_some() {
            if !Arc::ptr_eq(&self.domain, &previous.domain) {
                let domains = [&*previous.domain, &*self.domain];
                if let Some((water, balance)) = ripples::sources::moved(domains, buffers.water()) {
                    buffers = Arc::new(StateBuffers::new(water));
                    sum += balance;
                }
            }
        } else if let Some(now) = self.domain.solid().filter(|_| !Arc::ptr_eq(&self.domain, &previous.domain)) {
            let edges = self.spec.constants.edges;
            let made = displace::displaced(&self.grid, edges, previous.domain.solid(), now, buffers.water());
            if let Some((water, balance)) = made {
                buffers = Arc::new(StateBuffers::new(water));
                sum += balance;
            }
        }
        if let Some(drain) = &settings.drain {
            let made = drain::drained(&self.basis(1), &self.grid, drain, time, buffers.water());
            if let Some((water, balance)) = made {
                buffers = Arc::new(StateBuffers::new(water));
                sum += balance;
            }
        }
        (buffers, sum)
    }

    /// Draws the water towards its goal velocities. The planes are fetched only where something changes.
    fn drawn(
        &mut self,
        previous: &State,
        buffers: &Arc<StateBuffers>,
        settings: &Settings,
        time_steps: &TimeSteps,
        time: f64,
    ) -> Arc<StateBuffers> {
        let place = Place {
            size: [self.grid.width, self.grid.height],
            edges: self.spec.constants.edges,
            scale: time_step::cells_per_pixel(self.spec),
        };
        let moved = self.domain.solid().zip(previous.domain.solid());
        let moved = moved.filter(|_| !Arc::ptr_eq(&self.domain, &previous.domain)).map(|(now, before)| [before, now]);
        let (goal, bad) = Goal::new(place, settings, time, self.inputs.goal.as_ref(), moved);
        self.bad.goal = bad;
        let Some(goal) = goal else { return Arc::clone(buffers) };
        // Flows are per step of the last step's length; without a last step, per step of the next one's.
        let dt = if previous.dt > 0.0 { previous.dt } else { time_steps.dt };
        let model = (self.spec.constants.model, self.rest_level);
        Arc::new(StateBuffers::new(goal.drawn(buffers.water(), model, time_steps, dt, time)))
    }

    /// Emitters and rain over a part of a frame. Rain is that of the whole frame: a part has the same drops.
    pub(super) fn inflow(&self, settings: &Settings, part: Part, steps: u32) -> impl Iterator<Item = Field> + use<> {
        let (basis, time) = (self.basis(steps), time_scale(settings));
        let emitter = emitter::amounts(&basis, &self.grid, settings.emitters.iter().flatten(), time);
        let rain = rain::amounts(&basis, &self.grid, self.spec.constants.edges, settings, time / part.time, part.time);
        [emitter, rain].map(|amounts| amounts.map(|amounts| self.blurred(amounts, steps))).into_iter().flatten()
    }

    /// Amounts of a source, shared over `steps`, as the model takes them.
    pub(super) fn blurred(&self, mut amounts: Field, steps: u32) -> Field {
        if let Some(pyramid) = &self.pyramid {
            ripples::sources::blur(&mut amounts, steps, pyramid, &self.margin());
        }
        amounts
    }

    fn margin(&self) -> Margin {
        Margin::new(&self.spec.constants, self.grid.width, self.grid.height)
    }

    /// Planes of flow of a state.
    pub(super) fn flow_planes(&self) -> usize {
        match &self.pyramid {
            Some(_) => self.margin().flow_planes(),
            None => flow_planes(self.spec.constants.model),
        }
    }

    fn ripples(&self, time_steps: &TimeSteps) -> Option<Ripples> {
        let pyramid = Arc::clone(self.pyramid.as_ref()?);
        let push = Gain::new(time_steps.push);
        Some(Ripples { coefficients: time_steps.head, pyramid, margin: self.margin(), push })
    }

    /// The source after the start frame: an initial source, or an amount over the frame.
    fn source(
        &self,
        settings: &Settings,
        inputs: &Inputs,
        time: f64,
        steps: u32,
        diagnostics: &mut Diagnostics,
    ) -> (Option<(InitialSource, Field)>, Option<Field>) {
        let Some(source) = inputs.source.as_ref().filter(|_| settings.source_mode != SourceMode::StartFrame) else {
            return (None, None);
        };
        let (factor, steps) = if settings.source_mode == SourceMode::Add { (time, steps) } else { (1.0, 1) };
        let found = amounts::source(&self.basis(steps), settings, source, factor);
        diagnostics.bad_pixels.source = found.bad;
        diagnostics.luminance_for_alpha = found.luminance_for_alpha;
        diagnostics.alpha_everywhere = found.alpha_everywhere;
        let amounts = self.blurred(found.amounts, steps);
        let initial = match settings.source_mode {
            SourceMode::Replace => InitialSource::Replace,
            SourceMode::FillUp => InitialSource::FillUp,
            SourceMode::Add | SourceMode::StartFrame => return (None, Some(amounts)),
        };
        (Some((initial, self.targets(amounts))), None)
    }

    /// Amounts of an initial source as heights of a state; 0 where it has no effect.
    fn targets(&self, mut amounts: Field) -> Field {
        if self.pyramid.is_some() {
            for cell in 0..self.grid.cells() {
                let (x, y) = (cell % self.grid.width, cell / self.grid.width);
                let amount = amounts.at(x, y, 0).min(ripples::DEVIATION);
                amounts.set(x, y, 0, if amount > 0 { ripples::REST + amount } else { 0 });
            }
        }
        amounts
    }

    /// Factor of the flows, in 2^−16, where the time step changed: flows are volumes per step. `None` for Classic
    /// pipes.
    fn rescale(&self, before: f64, now: f64) -> Option<u64> {
        let needed = self.spec.constants.model != Model::Classic && before > 0.0 && before != now;
        needed.then(|| libm::floor((now / before * 65536.0 + 0.5).min(1e18)) as u64)
    }

    pub(super) fn count_bad(&self, diagnostics: &mut Diagnostics) {
        let source = diagnostics.bad_pixels.source;
        diagnostics.bad_pixels = super::state::BadPixels { source, ..self.bad };
    }

    pub(super) fn state(self, water: Arc<StateBuffers>, dt: f64, ledger: Ledger) -> State {
        State {
            grid: self.grid,
            model: self.spec.constants.model,
            units: self.units,
            colour_range: self.colour_range,
            water,
            terrain: self.terrain,
            ground: self.ground,
            domain: self.domain,
            pyramid: self.pyramid,
            rest_level: self.rest_level,
            dt,
            ledger,
            age: 0.0,
            surface_maps: None,
            texture: None,
        }
    }
}
