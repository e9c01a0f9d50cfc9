//! Operations of a flow map as passes.

use super::backend::{Plane, SmokeBackend, lease, over};
use super::layout::flag;
use super::passes::Pass;
use super::transport::{params, solid};
use crate::compute::gpu::pipeline::on;
use crate::sim::fluid::flow_map::FlowMap;
use crate::sim::fluid::{Domain, FieldId, Fields, Operation, Stamp};
use crate::sim::smoke::FieldKind;

impl SmokeBackend {
    /// Records an operation of a flow map; false where it is none.
    pub(super) fn flow_map(&self, fields: &Fields<Plane>, operation: Operation<'_>) -> bool {
        let id = |id: FieldId| lease(fields, id);
        match operation {
            Operation::AdvectMap { domain, backtrace, from, to } => {
                let buffers = [id(backtrace[0]), id(backtrace[1]), solid(fields, domain), id(from), id(to)];
                self.whole(Pass::AdvectMap, domain, &params(domain, FieldKind::Dye), &buffers);
            }
            Operation::ReadMap { domain, map, fading, to } => {
                if let Some((old, _)) = fading {
                    self.read_map(fields, domain, old, None, to);
                }
                self.read_map(fields, domain, map, fading.map(|fading| fading.1), to);
            }
            Operation::StampMap { domain, stamp, first, size, values, dye, map } => {
                let mut params = params(domain, FieldKind::Dye);
                params.flags |= on(stamp == Stamp::FillUp, flag::FILL_UP);
                params.area = [first[0], first[1], size[0], size[1]].map(|n| n as i32);
                let buffers = [solid(fields, domain), id(values), id(dye), id(map.map), id(map.residual)];
                self.pass(Pass::StampMap, &params, &buffers, over([size[0], size[1]]));
            }
            Operation::FillSolids { domain, from, to } => {
                let buffers = [solid(fields, domain), id(from), id(to)];
                self.whole(Pass::FillSolids, domain, &params(domain, FieldKind::Dye), &buffers);
            }
            _ => return false,
        }
        true
    }

    /// Records reading the dye of a map into `to`, or its `share` of it.
    fn read_map(&self, fields: &Fields<Plane>, domain: &Domain, map: FlowMap, share: Option<f32>, to: FieldId) {
        let mut params = params(domain, FieldKind::Dye);
        params.flags |= on(share.is_some(), flag::FADING);
        params.numbers = [map.scale, share.unwrap_or_default(), 0.0, 0.0];
        params.area = [map.shift[0], map.shift[1], 0, 0];
        let buffers = [map.map, map.base, map.residual, to].map(|id| lease(fields, id));
        self.whole(Pass::ReadMap, domain, &params, &buffers);
    }
}
