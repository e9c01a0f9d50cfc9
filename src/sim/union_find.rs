//! Disjoint sets (Tarjan 1975, with path halving).

use super::request;

/// Disjoint sets of the numbers 0, 1, 2 …; the representative of a set is its least member.
#[derive(Default)]
pub(crate) struct UnionFind {
    /// A smaller member of the same set, or the number itself.
    parents: Vec<usize>,
}

impl UnionFind {
    /// The sets {0}, {1} … {count − 1}.
    pub fn new(count: usize) -> Self {
        Self { parents: request::collected(0..count) }
    }

    /// Adds a set of one new number, and returns that number.
    pub fn add(&mut self) -> usize {
        self.parents.push(self.parents.len());
        self.parents.len() - 1
    }

    /// The representative of the set of `member`.
    pub fn find(&mut self, mut member: usize) -> usize {
        while self.parents[member] != member {
            self.parents[member] = self.parents[self.parents[member]];
            member = self.parents[member];
        }
        member
    }

    /// Unites the sets of two numbers.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b)] = a.min(b);
    }
}
