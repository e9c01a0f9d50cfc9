//! Memory of planes. Large ones live in pages of their own: huge pages where the system has them, and those of a plane
//! that was dropped are used again, since fresh memory costs as much as a step.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use bytemuck::Pod;
use memmap2::MmapMut;

use super::request::{self, LARGE};

/// Dropped pages that are kept: as many as the planes of a picture's light and of its fire's, which are more than those of a
/// state and of what it was made from; and no more bytes than those of a large frame.
const KEPT: usize = 24;
const KEPT_BYTES: usize = 512 << 20;

static SPARE: Mutex<Vec<MmapMut>> = Mutex::new(Vec::new());

/// Gives dropped pages back to the system.
pub fn release() {
    let spare = std::mem::take(&mut *SPARE.lock().unwrap_or_else(PoisonError::into_inner));
    drop(spare);
}

/// Bytes of the dropped pages that are kept.
pub fn spare() -> u64 {
    SPARE.lock().unwrap_or_else(PoisonError::into_inner).iter().map(|pages| pages.len() as u64).sum()
}

/// Numbers of a plane. Memory is asked for as [`request`] has it.
pub struct Values<T>(Memory<T>);

enum Memory<T> {
    Heap(Vec<T>),
    Pages(Pages),
}

/// Pages that are used again once they are dropped.
struct Pages(Option<MmapMut>);

impl<T: Pod> Values<T> {
    /// Zeros.
    pub fn zeros(len: usize) -> Self {
        Self::pages(len).unwrap_or_else(|| request::zeros(len).into())
    }

    /// Anybody's values.
    pub fn uninitialised(len: usize) -> Self {
        let bytes = len * size_of::<T>();
        let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = spare.iter().position(|pages| pages.len() == bytes) {
            return Values(Memory::Pages(Pages(Some(spare.swap_remove(at)))));
        }
        drop(spare);
        Self::zeros(len)
    }

    /// The same bytes as values of another kind, as many of which as there is room for.
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

    /// Fresh pages, which are zeros; `None` for few values, and where the system gives none.
    fn pages(len: usize) -> Option<Self> {
        let bytes = len * size_of::<T>();
        if bytes < LARGE {
            return None;
        }
        request::permit(bytes);
        let pages = MmapMut::map_anon(bytes).ok()?;
        #[cfg(target_os = "linux")]
        if let Err(error) = pages.advise(memmap2::Advice::HugePage) {
            tracing::debug!(%error, "no huge pages");
        }
        Some(Values(Memory::Pages(Pages(Some(pages)))))
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

impl<T: Pod> Deref for Values<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Memory::Heap(values) => values,
            Memory::Pages(Pages(pages)) => pages.as_deref().map_or(&[], bytemuck::cast_slice),
        }
    }
}

impl<T: Pod> DerefMut for Values<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Memory::Heap(values) => values,
            Memory::Pages(Pages(pages)) => pages.as_deref_mut().map_or(&mut [], bytemuck::cast_slice_mut),
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
        let mut copy = Values::uninitialised(self.len());
        copy.copy_from_slice(self);
        copy
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_values_are_zeros_when_fresh_and_pages_are_used_again() {
        let len = 3 * LARGE / 4 + 1;
        // Other tests of the process may drop so many planes in between that these are gone.
        let used_again = (0..100).any(|_| {
            let mut first = Values::<i32>::zeros(len);
            assert!(matches!(first.0, Memory::Pages(_)) && first.iter().all(|&v| v == 0));
            first[len - 1] = 7;
            drop(first);
            Values::<i32>::uninitialised(len)[len - 1] == 7
        });
        assert!(used_again);
        assert!(Values::<i32>::zeros(len).iter().all(|&v| v == 0));
        assert!(matches!(Values::<i32>::uninitialised(8).0, Memory::Heap(_)));
    }
}
