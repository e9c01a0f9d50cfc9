//! The chains that recent renders have followed.
//!
//! A render at frame 10 knows the keys of frames 1 to 10. They do not determine whether a stored state of frame 2,000
//! belongs to the same chain or to one that an edit has abandoned. The longest followed chain that contains these keys
//! does.

use super::key::ChainKey;
use super::persistent::PersistentVec;

/// Keys of a chain, from its first frame on.
pub type Keys = PersistentVec<ChainKey>;

/// Limits of remembered chains, and of keys in all of them (16 bytes each).
const MOST_CHAINS: usize = 64;
const MOST_KEYS: usize = 1 << 20;

/// A chain as far as renders have followed it.
#[derive(Debug)]
pub(super) struct Chain {
    pub family: ChainKey,
    pub keys: Keys,
    /// Tick of the last render whose keys this chain contains.
    pub used: u64,
}

impl Chain {
    /// Whether the chain contains a state.
    pub fn has(&self, family: ChainKey, index: u64, key: ChainKey) -> bool {
        self.family == family && usize::try_from(index).is_ok_and(|index| self.keys.get(index) == Some(&key))
    }
}

/// The followed chains, the latest last.
#[derive(Debug, Default)]
pub(super) struct Chains(Vec<Chain>);

impl Chains {
    /// Records that a render follows these keys of a family, from the first frame on. Every chain that contains them is
    /// marked as used at `tick`. Returns the chains that were dropped by the limits.
    #[must_use]
    pub fn follow(&mut self, family: ChainKey, keys: &Keys, tick: u64) -> Vec<Chain> {
        if keys.is_empty() {
            return Vec::new();
        }
        let mut agreeing = Vec::new();
        let mut position = 0;
        while let Some(chain) = self.0.get(position) {
            // A key depends on all frames before it: chains with equal keys at a frame are equal up to it.
            let shared = chain.keys.len().min(keys.len());
            if chain.family == family && chain.keys[shared - 1] == keys[shared - 1] {
                agreeing.push(self.0.remove(position));
            } else {
                position += 1;
            }
        }
        // Chains that are a prefix of the new keys are replaced by them.
        agreeing.retain(|chain| chain.keys.len() >= keys.len());
        if agreeing.is_empty() {
            agreeing.push(Chain { family, keys: keys.clone(), used: tick });
        }
        agreeing.iter_mut().for_each(|chain| chain.used = tick);
        self.0.append(&mut agreeing);
        let mut forgotten = Vec::new();
        while self.0.len() > MOST_CHAINS
            || self.0.len() > 1 && self.0.iter().map(|c| c.keys.len()).sum::<usize>() > MOST_KEYS
        {
            forgotten.push(self.0.remove(0));
        }
        forgotten
    }

    /// Tick of the last use of a chain that contains a state; 0 if there is no such chain.
    pub fn used(&self, family: ChainKey, index: u64, key: ChainKey) -> u64 {
        self.0.iter().filter(|chain| chain.has(family, index, key)).map(|chain| chain.used).max().unwrap_or(0)
    }

    /// Drops the chains of a family.
    pub fn forget(&mut self, family: ChainKey) {
        self.0.retain(|chain| chain.family != family);
    }

    /// Drops all chains.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILY: ChainKey = ChainKey(0);

    fn keys(of: u128, length: u128) -> Keys {
        (0..length).map(|frame| ChainKey(if frame < 3 { frame } else { of * 1000 + frame })).collect()
    }

    #[test]
    fn later_frames_of_a_followed_chain_count_as_used() {
        let mut chains = Chains::default();
        let mut tick = 0;
        let mut follow = |chains: &mut Chains, keys: Keys| {
            tick += 1;
            assert!(chains.follow(FAMILY, &keys, tick).is_empty());
            tick
        };
        let used = |chains: &Chains, index: u64, key: u128| chains.used(FAMILY, index, ChainKey(key));
        follow(&mut chains, keys(1, 10));
        let now = follow(&mut chains, keys(1, 5));
        assert_eq!(used(&chains, 9, 1009), now);
        let edited = follow(&mut chains, keys(2, 5));
        assert_eq!((used(&chains, 9, 1009), used(&chains, 4, 2004)), (now, edited), "an edit leaves them behind");
        assert_eq!(used(&chains, 9, 2009), 0, "no render has followed it");
        assert_eq!(used(&chains, 1, 1), edited, "before the edit they are used");
        follow(&mut chains, keys(2, 8));
        let both = follow(&mut chains, keys(2, 3));
        assert_eq!((used(&chains, 9, 1009), used(&chains, 7, 2007)), (both, both), "before the edit it may be either");
        follow(&mut chains, keys(2, 12));
        assert_eq!(chains.0.len(), 2, "a longer one takes the place of its part");
        follow(&mut chains, keys(1, 2));
        assert_eq!(chains.0.len(), 2, "a part adds nothing");
        chains.forget(FAMILY);
        assert!(chains.0.is_empty());
    }

    #[test]
    fn remembered_chains_are_bounded() {
        let mut chains = Chains::default();
        let forgotten: usize = (1..200).map(|of| chains.follow(FAMILY, &keys(of, 10), 1).len()).sum();
        assert_eq!((chains.0.len(), forgotten), (MOST_CHAINS, 199 - MOST_CHAINS));
        assert_eq!(chains.used(FAMILY, 9, ChainKey(199_009)), 1);
        for of in 1..20 {
            drop(chains.follow(FAMILY, &keys(of, MOST_KEYS as u128 / 2), 2));
        }
        assert!(chains.0.len() <= 2);
    }
}
