//! The part of a sub-step that burns fuel, and the forces in and around the flame.

use super::field::FieldKind;
use super::forcing::Forcing;
use super::run::upload_stamp;
use super::settings::Fire;
use super::step::{FieldStamp, Step};
use super::time_step::TimeStep;
use crate::sim::fluid::combustion::{Burning, Flame, FlameForces};
use crate::sim::fluid::{Backend, Failed, FieldId, Operation, Regions, Session, Stamp, VALUE_MAX, VectorField};
use crate::sim::maths::{bounded, clamp};

/// Cells in the height of a flame for which the constants of its operations are made.
const FLAME_CELLS: f64 = 120.0;

/// Height over which the updraft grows, as a share of the flame's height.
const RAMP: f64 = 0.5;

/// Largest velocity that shredding acts on, units per frame.
const SHREDDING_MAX: f64 = 4.0;

/// Largest number of a step of explicit diffusion.
const NUMBER_MAX: f64 = 0.25;

/// Largest number of steps of explicit diffusion in a sub-step.
const SPREADS_MAX: f64 = 256.0;

/// The operands of fire that are equal in all sub-steps of a frame.
pub(super) struct FireStep<'a> {
    pub settings: &'a Fire,
    /// Stamps on the gas and on the temperature per sub-step.
    pub stamps: Vec<FieldStamp>,
    /// The disturbance of a frame.
    pub disturbance: Option<VectorField>,
}

impl<'a> FireStep<'a> {
    /// Uploads the fuel and the disturbance of a frame.
    pub fn new<B: Backend>(
        session: &mut Session<'_, B>,
        settings: &'a Fire,
        forcing: &Forcing,
    ) -> Result<Self, Failed> {
        let mut stamps = Vec::new();
        for fuel in &forcing.fuel {
            stamps.push(upload_stamp(session, FieldKind::Dye, Stamp::Fuel, &fuel.gas)?);
            if let Some(patch) = &fuel.temperature {
                stamps.push(upload_stamp(session, FieldKind::Cell, Stamp::Raise, patch)?);
            }
        }
        let disturbance = match &forcing.disturbance {
            Some([u, v]) => Some(VectorField::new(&[session.upload(u)?, session.upload(v)?])),
            None => None,
        };
        Ok(FireStep { settings, stamps, disturbance })
    }

    fn burning(&self, time: f64) -> Burning {
        let Fire { rate, ignition, heat, life, soot, soot_decay, .. } = *self.settings;
        Burning {
            rate: (clamp(rate, 0.0, 1e3) * time) as f32,
            ignition: clamp(ignition, 0.0, 1.0) as f32,
            heat: clamp(heat, 0.0, 1e3) as f32,
            ageing: (time / clamp(life, 0.1, 1e6)) as f32,
            keep: libm::exp(-clamp(soot_decay, 0.0, 1e3) * time) as f32,
            soot: clamp(soot, 0.0, 1e3) as f32,
            per_frame: (1.0 / time) as f32,
        }
    }

    /// The forces over `time` frames on a grid of `size` cells, `scale` per pixel, with the unit vector `down` and this
    /// fraction of the disturbance.
    fn forces(
        &self,
        time: f64,
        scale: f64,
        [width, height]: [usize; 2],
        down: [f64; 2],
        disturbance: f64,
    ) -> FlameForces {
        let Fire { size, soot_weight, shredding, updraft, updraft_drag, .. } = *self.settings;
        let unit = clamp(size, 1e-3, 1e9) * scale / FLAME_CELLS;
        let along = |amount: f64| {
            let [x, y] = down.map(|d| (d * bounded(amount * scale, f64::from(VALUE_MAX))) as f32);
            [x, y, 0.0]
        };
        // The floor is the lowest corner of the grid.
        let rise = down.map(|d| -d / (RAMP * FLAME_CELLS * unit));
        let floor = rise[0].min(0.0) * width as f64 + rise[1].min(0.0) * height as f64;
        FlameForces {
            weight: along(soot_weight * time),
            disturbance: disturbance as f32,
            shredding: (clamp(shredding, 0.0, 1.0) * time) as f32,
            shredding_max: (SHREDDING_MAX * unit) as f32,
            unit: unit as f32,
            drag: (clamp(updraft_drag, 0.0, 1e3) * time) as f32,
            updraft: along(-updraft),
            ramp: [rise[0] as f32, rise[1] as f32, 0.0, -floor as f32],
        }
    }
}

impl Step<'_> {
    /// Burns advected gas over a sub-step: fuel comes in and burns, then the temperature falls and spreads. Takes both
    /// fields, and returns the temperature and the flame.
    pub fn burn<B: Backend>(
        &self,
        session: &mut Session<'_, B>,
        fire: &FireStep<'_>,
        mut gas: FieldId,
        mut temperature: FieldId,
    ) -> Result<(FieldId, Flame), Failed> {
        let (domain, time) = (self.domain, self.time_step.scalar_time);
        let flame = Flame { gas, burning: session.allocate(self.len(FieldKind::Cell))? };
        let onto = |stamp: &FieldStamp| if stamp.kind == FieldKind::Dye { gas } else { temperature };
        let mut list: Vec<_> = fire.stamps.iter().map(|stamp| stamp.onto(domain, onto(stamp))).collect();
        list.push(Operation::Burn { burning: fire.burning(time), temperature, flame });
        let rate = 3.0 * clamp(fire.settings.radiation, 0.0, 1e6) * time;
        if rate > 0.0 {
            list.push(Operation::Cool { rate: rate as f32, temperature });
        }
        session.run(&list)?;
        let number = |diffusion: f64| clamp(diffusion * self.scale * self.scale * time, 0.0, NUMBER_MAX * SPREADS_MAX);
        temperature = self.spread(session, FieldKind::Cell, number(fire.settings.diffusion), temperature)?;
        gas = self.spread(session, FieldKind::Dye, number(fire.settings.gas_diffusion), gas)?;
        Ok((temperature, Flame { gas, ..flame }))
    }

    /// A field after a diffusion number of diffusion; of gas, flame gas and its age. Takes the field.
    fn spread<B: Backend>(
        &self,
        session: &mut Session<'_, B>,
        kind: FieldKind,
        number: f64,
        mut field: FieldId,
    ) -> Result<FieldId, Failed> {
        let steps = (number / NUMBER_MAX).ceil();
        if steps == 0.0 {
            return Ok(field);
        }
        let number = (number / steps) as f32;
        let numbers = if kind == FieldKind::Dye { [0.0, number, number, 0.0] } else { [number, 0.0, 0.0, 0.0] };
        let mut other = session.allocate(self.len(kind))?;
        let (domain, shape) = (self.domain, kind.shape([self.domain.size[0], self.domain.size[1]]));
        for _ in 0..steps as u32 {
            session.run(&[Operation::Spread { domain, shape, numbers, from: field, to: other }])?;
            std::mem::swap(&mut field, &mut other);
        }
        session.free(&[other]);
        Ok(field)
    }

    /// Velocity after the forces in and around the flame over `time` frames. Takes the velocity.
    pub fn force_flame<B: Backend>(
        &self,
        session: &mut Session<'_, B>,
        from: VectorField,
        (fire, flame, temperature): (&FireStep<'_>, Flame, FieldId),
        time: f64,
    ) -> Result<VectorField, Failed> {
        let Fire { soot_weight, shredding, updraft_drag, .. } = *fire.settings;
        if fire.disturbance.is_none() && [soot_weight, shredding, updraft_drag] == [0.0; 3] {
            return Ok(from);
        }
        let down = TimeStep::down(self.settings);
        // Half steps of a reflection take half of the frame's amount.
        let disturbance = self.time_step.forcing_share() * time / self.time_step.velocity_time;
        let size = [self.domain.size[0], self.domain.size[1]];
        let forces = fire.forces(time, self.scale, size, down, disturbance);
        let to = self.allocate_velocity(session)?;
        session.run(&[Operation::FlameForce {
            domain: self.domain,
            forces,
            temperature,
            gas: flame.gas,
            disturbance: fire.disturbance,
            from,
            to,
        }])?;
        session.free(&from);
        Ok(to)
    }

    /// Divergence of the velocity while the flame burns, as a new field; `None` where it is 0.
    pub fn expansion<B: Backend>(
        &self,
        session: &mut Session<'_, B>,
        flame: Option<Flame>,
    ) -> Result<Option<FieldId>, Failed> {
        let expansion = self.fire.as_ref().map_or(0.0, |fire| clamp(fire.settings.expansion, 0.0, 100.0));
        let Some(flame) = flame.filter(|_| expansion > 0.0) else { return Ok(None) };
        let to = session.allocate(self.len(FieldKind::Cell))?;
        session.run(&[Operation::Scale { by: expansion as f32, from: flame.burning, to }])?;
        Ok(Some(to))
    }
}

/// Whether fuel comes into a region without an open edge.
pub(super) fn is_enclosed(forcing: &Forcing, regions: &Regions, width: usize) -> bool {
    let region = |at: usize| regions.labels.as_ref().map_or(0, |labels| labels[at] as usize);
    forcing.fuel.iter().any(|fuel| {
        let patch = &fuel.gas;
        patch.values.iter().enumerate().any(|(nth, value)| {
            let at = (patch.y + nth / patch.width) * width + patch.x + nth % patch.width;
            value[0] > 0.0 && regions.singular.get(region(at)) == Some(&true)
        })
    })
}
