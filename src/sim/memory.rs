//! Buffers of numbers, of the size of a grid.
//!
//! A large buffer has separate memory pages: huge pages where the system has them. Fresh pages cost as much as a
//! simulation step, so a device has a [`PagePool`], which keeps the pages of dropped buffers for later ones.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use bytemuck::Pod;
use memmap2::MmapMut;

use super::request::{self, LARGE};

/// Least size of a pooled buffer with separate pages, bytes.
const POOLED: usize = 1 << 16;

/// Keeps the pages of dropped buffers. A device implements it, and its threads share it.
pub trait PagePool: Send + Sync {
    /// Pages of at least `bytes` bytes and little more, contents unspecified; `None` where none of about that size are
    /// kept.
    fn take(&self, bytes: usize) -> Option<MmapMut>;

    /// Takes the pages of a dropped buffer.
    fn keep(&self, pages: MmapMut);

    /// Frees all pages.
    fn release(&self);

    /// Bytes of the pages.
    fn bytes(&self) -> u64;
}

/// A buffer of numbers. Memory is asked for through [`request`].
pub struct Values<T>(Memory<T>);

enum Memory<T> {
    Heap(Vec<T>),
    Pages(Pages),
}

/// Mapped pages, and the pool that takes them when the buffer is dropped.
struct Pages {
    mapping: Option<MmapMut>,
    /// Bytes in use: pages that had another use may be more.
    bytes: usize,
    pool: Option<Arc<dyn PagePool>>,
}

impl<T: Pod> Values<T> {
    /// Zeros, in fresh memory.
    pub fn zeros(len: usize) -> Self {
        Self::pages(len, None).unwrap_or_else(|| request::zeros(len).into())
    }

    /// Contents unspecified, in memory of `pool`, to which it returns.
    pub fn uninitialised(len: usize, pool: &Arc<dyn PagePool>) -> Self {
        Self::with_room(len, len, pool)
    }

    /// As [`uninitialised`](Self::uninitialised), in pages that later hold up to `room` values of the same size.
    pub fn with_room(len: usize, room: usize, pool: &Arc<dyn PagePool>) -> Self {
        let home = Some(Arc::clone(pool));
        let bytes = len * size_of::<T>();
        match pool.take(room.max(len) * size_of::<T>()) {
            Some(mapping) => Values(Memory::Pages(Pages { mapping: Some(mapping), bytes, pool: home })),
            None => match Self::pages(room.max(len), home) {
                Some(mut values) => {
                    if let Memory::Pages(pages) = &mut values.0 {
                        pages.bytes = bytes;
                    }
                    values
                }
                None => request::zeros(len).into(),
            },
        }
    }

    /// A copy of `values`, in memory of `pool`.
    pub fn copied(values: &[T], pool: &Arc<dyn PagePool>) -> Self {
        let mut copy = Values::uninitialised(values.len(), pool);
        copy.copy_from_slice(values);
        copy
    }

    /// The same bytes as numbers of another type. Bytes that fill no whole number are dropped.
    pub fn cast<U: Pod>(self) -> Values<U> {
        Values(match self.0 {
            Memory::Pages(pages) => Memory::Pages(pages),
            Memory::Heap(values) => Memory::Heap(bytemuck::try_cast_vec(values).unwrap_or_else(|(_, values)| {
                let whole = values.len() * size_of::<T>() / size_of::<U>();
                let mut copy: Vec<U> = request::zeros(whole);
                let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut copy);
                bytes.copy_from_slice(&bytemuck::cast_slice(&values)[..whole * size_of::<U>()]);
                copy
            })),
        })
    }

    /// Fresh pages of zeros; `None` for a small buffer, and where the system maps none.
    fn pages(len: usize, pool: Option<Arc<dyn PagePool>>) -> Option<Self> {
        let bytes = len * size_of::<T>();
        if bytes < if pool.is_some() { POOLED } else { LARGE } {
            return None;
        }
        request::permit(bytes);
        let mapping = MmapMut::map_anon(bytes).ok()?;
        #[cfg(target_os = "linux")]
        if bytes >= LARGE
            && let Err(error) = mapping.advise(memmap2::Advice::HugePage)
        {
            tracing::debug!(%error, "no huge pages");
        }
        Some(Values(Memory::Pages(Pages { mapping: Some(mapping), bytes, pool })))
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        if let (Some(mapping), Some(pool)) = (self.mapping.take(), &self.pool) {
            pool.keep(mapping);
        }
    }
}

impl<T: Pod> Deref for Values<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Memory::Heap(values) => values,
            Memory::Pages(Pages { mapping, bytes, .. }) => {
                mapping.as_deref().map_or(&[], |pages| bytemuck::cast_slice(&pages[..*bytes]))
            }
        }
    }
}

impl<T: Pod> DerefMut for Values<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Memory::Heap(values) => values,
            Memory::Pages(Pages { mapping, bytes, .. }) => {
                mapping.as_deref_mut().map_or(&mut [], |pages| bytemuck::cast_slice_mut(&mut pages[..*bytes]))
            }
        }
    }
}

impl<T> From<Vec<T>> for Values<T> {
    fn from(values: Vec<T>) -> Self {
        Values(Memory::Heap(values))
    }
}

impl<T> FromIterator<T> for Values<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        request::collected(values).into()
    }
}

impl<'a, T: Pod> IntoIterator for &'a Values<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> Default for Values<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T: Pod> Clone for Values<T> {
    fn clone(&self) -> Self {
        match &self.0 {
            Memory::Pages(Pages { pool: Some(pool), .. }) => Values::copied(self, pool),
            _ => {
                let mut copy = Values::zeros(self.len());
                copy.copy_from_slice(self);
                copy
            }
        }
    }
}

impl<T: Pod + PartialEq> PartialEq for Values<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Pod + Eq> Eq for Values<T> {}

impl<T: Pod + std::fmt::Debug> std::fmt::Debug for Values<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
