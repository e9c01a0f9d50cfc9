//! Planes of integers into buffers of slabs.

use std::sync::Arc;

use super::super::core::Core;
use super::super::fault::Fault;
use super::super::pool::{Lease, Use};
use super::slabs::{Cut, Slab};
use crate::sim::request;
use crate::sim::water::domain::Domain;
use crate::sim::water::field::Field;

/// A buffer per slab.
pub(in crate::compute::gpu) type Slabs = Vec<Arc<Lease>>;

/// Bytes of so many planes of a slab.
pub(in crate::compute::gpu) fn bytes(cut: &Cut, slab: &Slab, planes: usize) -> u64 {
    (cut.stride() * slab.rows * planes * size_of::<i32>()) as u64
}

/// Buffers for so many planes, with anything in them.
pub(in crate::compute::gpu) fn planes(core: &Core, cut: &Cut, planes: usize) -> Result<Slabs, Fault> {
    cut.slabs.iter().map(|slab| Ok(Arc::new(core.pool.take(bytes(cut, slab, planes), Use::Planes)?))).collect()
}

/// Sends a field up.
pub(in crate::compute::gpu) fn field(core: &Core, cut: &Cut, field: &Field) -> Result<Slabs, Fault> {
    let slabs = planes(core, cut, field.planes())?;
    for (slab, lease) in cut.slabs.iter().zip(&slabs) {
        let (first, last) = (slab.first, slab.first + slab.rows - 1);
        if (first..=last).all(|y| cut.source(y) == y) {
            core.queue.write_buffer(lease.buffer(), 0, bytemuck::cast_slice(field.rows(first, last)));
            continue;
        }
        let row = (field.row_len() * size_of::<i32>()) as u64;
        for y in first..=last {
            let source = cut.source(y);
            let to = slab.local(y) as u64 * row;
            core.queue.write_buffer(lease.buffer(), to, bytemuck::cast_slice(field.rows(source, source)));
        }
    }
    Ok(slabs)
}

/// Sends the codes of the pipes up: two cells a word, with a mark on solid cells.
pub(in crate::compute::gpu) fn codes(core: &Core, cut: &Cut, domain: &Domain) -> Result<Slabs, Fault> {
    let words = cut.stride().div_ceil(2);
    let slabs = cut.slabs.iter().map(|slab| {
        let mut packed = request::zeros::<u32>(words * slab.rows);
        for (line, y) in packed.chunks_exact_mut(words).zip(slab.first..) {
            let y = cut.source(y);
            let solid = domain.solid().filter(|_| (1..=cut.height).contains(&y));
            let solid = solid.map(|s| &s[(y - 1) * cut.width..y * cut.width]);
            for (x, &code) in domain.codes(y).iter().enumerate() {
                let marked = x > 0 && solid.is_some_and(|s| s.get(x - 1) == Some(&true));
                let code = u32::from(code) | if marked { 15 } else { 0 };
                line[x / 2] |= code << (16 * (x % 2));
            }
        }
        let lease = core.pool.take((packed.len() * 4) as u64, Use::Planes)?;
        core.queue.write_buffer(lease.buffer(), 0, bytemuck::cast_slice(&packed));
        Ok(Arc::new(lease))
    });
    slabs.collect()
}
