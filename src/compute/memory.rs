//! The pool of memory pages of dropped buffers, which a device keeps between frames for new buffers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use memmap2::MmapMut;

use crate::sim::memory::PagePool;

/// Largest number of buffers that a pool keeps: those of a frame and of the shading of its picture.
const KEPT: usize = 64;
/// Largest number of bytes that a pool keeps: those of a 4K frame.
const KEPT_BYTES: usize = 1536 << 20;

/// Pages are taken for buffers that leave at most one part in so many unused: fields with and without layers of ghost
/// values, of 96 cells or more along each axis, take the same ones.
const SLACK: usize = 6;

/// Memory mappings of dropped buffers, the one dropped last at the end.
#[derive(Default)]
struct FreePages(Mutex<Vec<MmapMut>>);

/// An empty pool.
pub fn page_pool() -> Arc<dyn PagePool> {
    Arc::new(FreePages::default())
}

impl FreePages {
    fn lock(&self) -> MutexGuard<'_, Vec<MmapMut>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn total(pages: &[MmapMut]) -> usize {
    pages.iter().map(|pages| pages.len()).sum()
}

impl PagePool for FreePages {
    fn take(&self, bytes: usize) -> Option<MmapMut> {
        let mut free = self.lock();
        let most = bytes + bytes / SLACK;
        let fitting = free.iter().enumerate().filter(|(_, pages)| (bytes..=most).contains(&pages.len()));
        // Of pages of one size, those that were dropped last.
        let (at, _) = fitting.min_by_key(|(at, pages)| (pages.len(), usize::MAX - at))?;
        Some(free.remove(at))
    }

    fn keep(&self, pages: MmapMut) {
        let mut free = self.lock();
        free.push(pages);
        let mut excess = Vec::new();
        while free.len() > KEPT || total(&free) > KEPT_BYTES {
            excess.push(free.remove(0));
        }
        // Unmapping takes time: other threads need not wait for it.
        drop(free);
        drop(excess);
    }

    fn release(&self) {
        let freed = std::mem::take(&mut *self.lock());
        drop(freed);
    }

    fn bytes(&self) -> u64 {
        total(&self.lock()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::memory::Values;
    use crate::sim::request::LARGE;

    #[test]
    fn pages_of_a_dropped_buffer_are_used_again() {
        let pool = page_pool();
        let len = 3 * LARGE / 4 + 1;
        let mut first = Values::<i32>::uninitialised(len, &pool);
        assert!(first.iter().all(|&v| v == 0), "fresh pages are zeros");
        first[len - 1] = 7;
        drop(first);
        assert_eq!(pool.bytes(), 4 * len as u64);
        let second = Values::<f32>::uninitialised(len, &pool);
        assert_eq!((second[len - 1].to_bits(), pool.bytes()), (7, 0));
        drop(second.clone());
        assert_eq!(pool.bytes(), 4 * len as u64, "a copy is of the same pool");
        drop(second);
        pool.release();
        assert_eq!(pool.bytes(), 0);
        drop(Values::<i32>::zeros(len));
        drop(Values::<i32>::uninitialised(8, &pool));
        assert_eq!(pool.bytes(), 0, "small and pool-less buffers leave nothing");
    }

    #[test]
    fn pages_serve_a_buffer_that_is_a_little_smaller() {
        let pool = page_pool();
        let len = LARGE;
        let mut large = Values::<u8>::uninitialised(len, &pool);
        large[len - 1] = 3;
        drop(large);
        let small = len - len / 10;
        let mut first = Values::<u8>::uninitialised(small, &pool);
        assert_eq!((first.len(), pool.bytes()), (small, 0), "the pages of the large one");
        first[0] = 5;
        assert_eq!(first.clone(), first);
        drop(first);
        assert_eq!(pool.bytes(), (len + small) as u64);
        let exact = Values::<u8>::uninitialised(small, &pool);
        assert_eq!((exact[0], pool.bytes()), (5, len as u64), "the closest fit");
        let half = Values::<u8>::uninitialised(len / 2, &pool);
        assert_eq!((half[0], pool.bytes()), (0, len as u64), "fresh pages");
    }

    #[test]
    fn a_pool_keeps_no_more_than_its_limit() {
        let pool = page_pool();
        let buffers: Vec<_> = (0..KEPT + 3).map(|_| Values::<u8>::uninitialised(LARGE, &pool)).collect();
        drop(buffers);
        assert_eq!(pool.bytes(), (KEPT * LARGE) as u64);
    }
}
