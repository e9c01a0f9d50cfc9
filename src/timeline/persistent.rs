//! A vector whose copies share memory.

use std::ops::Index;
use std::sync::Arc;

/// Elements per block. Copying a vector costs one reference count per block; appending to a copy duplicates at most one
/// block.
const BLOCK: usize = 256;

/// A vector in reference-counted blocks of 256 elements, all full but the last. A sequence with one element per frame
/// of a shot is copied and extended at a cost that hardly depends on its length.
#[derive(Debug)]
pub struct PersistentVec<T> {
    blocks: Vec<Arc<Vec<T>>>,
}

impl<T> Default for PersistentVec<T> {
    fn default() -> Self {
        Self { blocks: Vec::new() }
    }
}

impl<T> Clone for PersistentVec<T> {
    fn clone(&self) -> Self {
        Self { blocks: self.blocks.clone() }
    }
}

impl<T> PersistentVec<T> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.blocks.last().map_or(0, |last| (self.blocks.len() - 1) * BLOCK + last.len())
    }

    /// Whether the vector has no elements.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The element at a position.
    pub fn get(&self, position: usize) -> Option<&T> {
        self.blocks.get(position / BLOCK)?.get(position % BLOCK)
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.blocks.iter().flat_map(|block| block.iter())
    }

    /// The last element.
    pub fn last(&self) -> Option<&T> {
        self.blocks.last()?.last()
    }
}

impl<T: Clone> PersistentVec<T> {
    /// Appends an element.
    pub fn push(&mut self, element: T) {
        match self.blocks.last_mut().filter(|last| last.len() < BLOCK) {
            Some(last) => Arc::make_mut(last).push(element),
            None => self.blocks.push(Arc::new(vec![element])),
        }
    }

    /// Drops the elements from a position on.
    pub fn truncate(&mut self, length: usize) {
        if length >= self.len() {
            return;
        }
        self.blocks.truncate(length.div_ceil(BLOCK));
        let rest = length - length.saturating_sub(1) / BLOCK * BLOCK;
        if let Some(last) = self.blocks.last_mut().filter(|last| last.len() > rest) {
            Arc::make_mut(last).truncate(rest);
        }
    }
}

impl<T> Index<usize> for PersistentVec<T> {
    type Output = T;

    fn index(&self, position: usize) -> &T {
        &self.blocks[position / BLOCK][position % BLOCK]
    }
}

impl<T: Clone> FromIterator<T> for PersistentVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut all = Self::default();
        elements.into_iter().for_each(|element| all.push(element));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_equals_a_vector() {
        for length in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 3 * BLOCK + 7] {
            let plain: Vec<usize> = (0..length).collect();
            let whole: PersistentVec<usize> = plain.iter().copied().collect();
            for cut in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, length, length + 9] {
                let mut copy = whole.clone();
                copy.truncate(cut);
                let kept = cut.min(length);
                assert_eq!((copy.len(), copy.is_empty()), (kept, kept == 0));
                assert!((0..kept).all(|position| copy[position] == position) && copy.get(kept).is_none());
                copy.push(1000);
                assert_eq!((copy.len(), copy.last()), (kept + 1, Some(&1000)));
            }
            assert_eq!(whole.len(), length, "a change of a copy is not seen by the others");
            assert!((0..length).all(|position| whole.get(position) == Some(&position)));
        }
    }

    #[test]
    fn copies_share_their_blocks() {
        let whole: PersistentVec<usize> = (0..10 * BLOCK + 3).collect();
        let mut copy = whole.clone();
        copy.push(0);
        let shared = whole.blocks.iter().zip(&copy.blocks).filter(|(a, b)| Arc::ptr_eq(a, b)).count();
        assert_eq!(shared, 10);
    }
}
