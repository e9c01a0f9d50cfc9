//! Memory of planes. Large ones live in pages of their own: huge pages where the system has them, and those of a plane
//! that was dropped are used again, since fresh memory costs as much as a step.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use memmap2::MmapMut;

/// Bytes from which on values get pages of their own.
const LARGE: usize = 1 << 20;
/// Dropped pages that are kept: as many as the planes of a state and of what it was made from, and no more bytes than
/// those of a large frame.
const KEPT: usize = 6;
const KEPT_BYTES: usize = 512 << 20;

static SPARE: Mutex<Vec<MmapMut>> = Mutex::new(Vec::new());

/// Gives dropped pages back to the system.
pub fn release() {
    let spare = std::mem::take(&mut *SPARE.lock().unwrap_or_else(PoisonError::into_inner));
    drop(spare);
}

/// Integers of a plane.
pub(super) enum Values {
    Heap(Vec<i32>),
    Pages(Pages),
}

/// Pages that are used again once they are dropped.
pub(super) struct Pages(Option<MmapMut>);

impl Values {
    /// Zeros.
    pub fn zeros(len: usize) -> Values {
        Values::pages(len).unwrap_or_else(|| Values::Heap(vec![0; len]))
    }

    /// Anybody's values.
    pub fn stale(len: usize) -> Values {
        let bytes = len * size_of::<i32>();
        let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = spare.iter().position(|pages| pages.len() == bytes) {
            return Values::Pages(Pages(Some(spare.swap_remove(at))));
        }
        drop(spare);
        Values::zeros(len)
    }

    /// Fresh pages, which are zeros; `None` for few values, and where the system gives none.
    fn pages(len: usize) -> Option<Values> {
        let bytes = len * size_of::<i32>();
        if bytes < LARGE {
            return None;
        }
        let pages = MmapMut::map_anon(bytes).ok()?;
        #[cfg(target_os = "linux")]
        if let Err(error) = pages.advise(memmap2::Advice::HugePage) {
            tracing::debug!(%error, "no huge pages");
        }
        Some(Values::Pages(Pages(Some(pages))))
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
        spare.extend(self.0.take());
        let mut gone = Vec::new();
        while spare.len() > KEPT || spare.iter().map(|pages| pages.len()).sum::<usize>() > KEPT_BYTES {
            gone.push(spare.remove(0));
        }
        drop(spare);
        drop(gone);
    }
}

impl Deref for Values {
    type Target = [i32];

    fn deref(&self) -> &[i32] {
        match self {
            Values::Heap(values) => values,
            Values::Pages(Pages(pages)) => pages.as_deref().map_or(&[], bytemuck::cast_slice),
        }
    }
}

impl DerefMut for Values {
    fn deref_mut(&mut self) -> &mut [i32] {
        match self {
            Values::Heap(values) => values,
            Values::Pages(Pages(pages)) => pages.as_deref_mut().map_or(&mut [], bytemuck::cast_slice_mut),
        }
    }
}

impl Clone for Values {
    fn clone(&self) -> Values {
        let mut copy = Values::stale(self.len());
        copy.copy_from_slice(self);
        copy
    }
}

impl PartialEq for Values {
    fn eq(&self, other: &Values) -> bool {
        **self == **other
    }
}

impl Eq for Values {}

impl std::fmt::Debug for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_values_are_zeros_when_fresh_and_pages_are_used_again() {
        let len = 3 * LARGE / 4 + 1;
        // Other tests of the process may drop so many planes in between that these are gone.
        let used_again = (0..100).any(|_| {
            let mut first = Values::zeros(len);
            assert!(matches!(first, Values::Pages(_)) && first.iter().all(|&v| v == 0));
            first[len - 1] = 7;
            drop(first);
            Values::stale(len)[len - 1] == 7
        });
        assert!(used_again);
        assert!(Values::zeros(len).iter().all(|&v| v == 0));
        assert!(matches!(Values::stale(8), Values::Heap(_)));
    }
}
