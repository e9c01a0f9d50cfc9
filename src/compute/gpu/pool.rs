//! Pooled buffers: fresh device memory costs more than a step.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use wgpu::BufferUsages;

use super::fault::Fault;

/// Frames after which an unused buffer is freed.
const KEPT_FRAMES: u64 = 8;

/// Use of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Storage that passes read and write.
    Planes,
    /// Uniforms.
    Uniform,
    /// Readback.
    Down,
}

impl Use {
    fn usages(self) -> BufferUsages {
        match self {
            Use::Planes => BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
            Use::Uniform => BufferUsages::UNIFORM | BufferUsages::COPY_DST,
            Use::Down => BufferUsages::MAP_READ | BufferUsages::COPY_DST,
        }
    }
}

struct Free {
    buffer: wgpu::Buffer,
    what: Use,
    since: u64,
}

#[derive(Default)]
struct Inner {
    free: Vec<Free>,
    /// Bytes of all buffers, leased or free.
    bytes: u64,
    frame: u64,
}

/// The buffers of a device.
pub(super) struct Pool {
    device: wgpu::Device,
    budget: u64,
    largest: u64,
    inner: Mutex<Inner>,
}

impl Pool {
    /// An empty pool: all buffers have at most `budget` bytes, each at most `largest`.
    pub fn new(device: wgpu::Device, budget: u64, largest: u64) -> Arc<Pool> {
        Arc::new(Pool { device, budget, largest, inner: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leases a buffer of `size` bytes, contents unspecified. A driver without enough memory reports that later, as a
    /// fault of the device.
    ///
    /// # Errors
    /// [`Fault::Memory`] beyond the limits of the pool.
    pub fn take(self: &Arc<Pool>, size: u64, what: Use) -> Result<Lease, Fault> {
        let size = size.max(16);
        if size > self.largest {
            return Err(Fault::Memory(format!("a buffer of {size} bytes is more than the {} it takes", self.largest)));
        }
        let mut inner = self.lock();
        if let Some(at) = inner.free.iter().position(|free| free.what == what && free.buffer.size() == size) {
            let buffer = inner.free.swap_remove(at).buffer;
            return Ok(Lease { buffer: Some(buffer), what, pool: Arc::clone(self) });
        }
        while inner.bytes + size > self.budget {
            let Some(free) = inner.free.pop() else {
                let (used, most) = (inner.bytes >> 20, self.budget >> 20);
                return Err(Fault::Memory(format!(
                    "{used} of {most} MB are in use, and {} more are needed",
                    size >> 20
                )));
            };
            inner.bytes -= free.buffer.size();
        }
        inner.bytes += size;
        drop(inner);
        let descriptor = wgpu::BufferDescriptor { label: None, size, usage: what.usages(), mapped_at_creation: false };
        Ok(Lease { buffer: Some(self.device.create_buffer(&descriptor)), what, pool: Arc::clone(self) })
    }

    /// Whether a buffer may have `size` bytes.
    pub fn holds(&self, size: u64) -> bool {
        size <= self.largest.min(self.budget)
    }

    /// Frees buffers that were not used for some frames; called once per frame.
    pub fn sweep(&self) {
        let mut inner = self.lock();
        inner.frame += 1;
        let oldest = inner.frame.saturating_sub(KEPT_FRAMES);
        let (kept, old): (Vec<_>, Vec<_>) = inner.free.drain(..).partition(|free| free.since >= oldest);
        inner.free = kept;
        inner.bytes -= old.iter().map(|free| free.buffer.size()).sum::<u64>();
    }
}

/// A leased buffer, which returns to the pool when dropped. Commands already submitted still run before those of the
/// next lease.
pub(super) struct Lease {
    buffer: Option<wgpu::Buffer>,
    what: Use,
    pool: Arc<Pool>,
}

impl Lease {
    /// The buffer.
    pub fn buffer(&self) -> &wgpu::Buffer {
        match &self.buffer {
            Some(buffer) => buffer,
            None => unreachable!("a lease has its buffer until it is dropped"),
        }
    }

    /// Whether the buffer is of that pool, and so of its device.
    pub fn is_of(&self, pool: &Arc<Pool>) -> bool {
        Arc::ptr_eq(&self.pool, pool)
    }

    /// Frees the buffer instead of returning it: it may still be mapped, or belong to a failed device.
    pub fn discard(mut self) {
        if let Some(buffer) = self.buffer.take() {
            self.pool.lock().bytes -= buffer.size();
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(buffer) = self.buffer.take() {
            let mut inner = self.pool.lock();
            let since = inner.frame;
            inner.free.push(Free { buffer, what: self.what, since });
        }
    }
}
