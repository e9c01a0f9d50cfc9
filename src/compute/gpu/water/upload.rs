//! Uploads of fields into the buffers of slabs.

use std::sync::Arc;

use super::slabs::{Partition, Slab};
use crate::compute::gpu::core::Core;
use crate::compute::gpu::fault::Fault;
use crate::compute::gpu::pool::{Lease, Use};
use crate::sim::request;
use crate::sim::water::domain::Domain;
use crate::sim::water::field::Field;

/// A buffer per slab.
pub(super) type Slabs = Vec<Arc<Lease>>;

/// Bytes of `planes` planes of a slab.
pub(super) fn bytes(partition: &Partition, slab: &Slab, planes: usize) -> u64 {
    (partition.stride() * slab.rows * planes * size_of::<i32>()) as u64
}

/// Buffers for `planes` planes, contents unspecified.
pub(super) fn planes(core: &Core, partition: &Partition, planes: usize) -> Result<Slabs, Fault> {
    partition
        .slabs
        .iter()
        .map(|slab| Ok(Arc::new(core.pool.take(bytes(partition, slab, planes), Use::Planes)?)))
        .collect()
}

/// Uploads a field.
pub(super) fn field(core: &Core, partition: &Partition, field: &Field) -> Result<Slabs, Fault> {
    let slabs = planes(core, partition, field.planes())?;
    for (slab, lease) in partition.slabs.iter().zip(&slabs) {
        let (first, last) = (slab.first, slab.first + slab.rows - 1);
        if (first..=last).all(|y| partition.source(y) == y) {
            core.queue.write_buffer(lease.buffer(), 0, bytemuck::cast_slice(field.rows(first, last)));
            continue;
        }
        let row = (field.row_len() * size_of::<i32>()) as u64;
        for y in first..=last {
            let source = partition.source(y);
            let to = slab.local(y) as u64 * row;
            core.queue.write_buffer(lease.buffer(), to, bytemuck::cast_slice(field.rows(source, source)));
        }
    }
    Ok(slabs)
}

/// Uploads the pipe codes, two cells a word; the code of a solid cell has the lowest four bits set.
pub(super) fn codes(core: &Core, partition: &Partition, domain: &Domain) -> Result<Slabs, Fault> {
    let words = partition.stride().div_ceil(2);
    let slabs = partition.slabs.iter().map(|slab| {
        let mut packed = request::zeros::<u32>(words * slab.rows);
        for (line, y) in packed.chunks_exact_mut(words).zip(slab.first..) {
            let y = partition.source(y);
            let solid = domain.solid().filter(|_| (1..=partition.height).contains(&y));
            let solid = solid.map(|s| &s[(y - 1) * partition.width..y * partition.width]);
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
