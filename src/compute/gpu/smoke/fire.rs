//! Operations of fire as passes.

use super::backend::{Plane, SmokeBackend, lease};
use super::layout::{Params, flag};
use super::passes::Pass;
use super::transport::{KINDS, params, solid};
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pipeline::{in_a_row, on};
use crate::sim::fluid::{FieldId, Fields, Operation};
use crate::sim::smoke::FieldKind;

impl SmokeBackend {
    /// Records an operation of fire; false where it is none.
    pub(super) fn fire(&self, fields: &Fields<Plane>, operation: Operation<'_>) -> Result<bool, Fault> {
        let id = |id: FieldId| lease(fields, id);
        match operation {
            Operation::Burn { burning, temperature, flame } => {
                let len = fields.get(temperature).len;
                let params = Params {
                    numbers: [burning.rate, burning.ignition, burning.heat, burning.ageing],
                    area: [len as i32, 0, 0, 0],
                    more: [burning.keep, burning.soot, burning.per_frame, 0.0],
                    ..Params::default()
                };
                let buffers = [temperature, flame.gas, flame.burning].map(id);
                self.pass(Pass::Burn, &params, &buffers, in_a_row(len));
            }
            Operation::Cool { rate, temperature } => {
                self.row(Pass::Cool, fields.get(temperature).len, rate, &[id(temperature)]);
            }
            Operation::Spread { domain, shape, numbers, from, to } => {
                let params = Params { numbers, ..params(domain, FieldKind::of(&shape)) };
                self.whole(Pass::Spread, domain, &params, &[solid(fields, domain), id(from), id(to)]);
            }
            Operation::FlameForce { domain, forces, temperature, gas, disturbance, from, to } => {
                let cells = self.plane(4 * domain.size.iter().product::<usize>())?;
                let cells = Some(&cells.lease);
                let of_cells = Params {
                    numbers: [forces.shredding, forces.shredding_max, forces.unit, forces.drag],
                    ..params(domain, FieldKind::Cell)
                };
                let buffers = [solid(fields, domain), id(temperature), id(from[0]), id(from[1]), cells];
                self.whole(Pass::FlameCells, domain, &of_cells, &buffers);
                let [x, y, _, start] = forces.ramp;
                for (axis, kind) in KINDS.into_iter().enumerate() {
                    let mut params = params(domain, kind);
                    params.numbers = [forces.weight[axis], forces.disturbance, forces.updraft[axis], 0.0];
                    params.more = [x, y, start, 0.0];
                    params.flags |= on(disturbance.is_some(), flag::DISTURBED);
                    let disturbance = disturbance.and_then(|of| id(of[axis]));
                    let buffers = [id(from[axis]), cells, id(gas), disturbance, id(to[axis])];
                    self.whole(Pass::FlameForce, domain, &params, &buffers);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
