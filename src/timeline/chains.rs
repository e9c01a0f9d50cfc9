//! Which chains are in use beyond the frame that is looked at.
//!
//! A render at frame 10 knows the keys of frames 1 to 10. Whether a state kept for frame 2,000 belongs to the same
//! chain, or to one that an edit has left behind, can't be told from them; but it can from the longest chain that was
//! ever followed and agrees with them.

use super::key::ChainKey;

/// Chains remembered, and keys in all of them (16 bytes each).
const MOST_CHAINS: usize = 64;
const MOST_KEYS: usize = 1 << 20;

/// A chain as far as renders have followed it.
#[derive(Debug)]
struct Chain {
    family: ChainKey,
    keys: Vec<ChainKey>,
}

/// The chains that renders have followed, the latest last.
#[derive(Debug, Default)]
pub(super) struct Chains(Vec<Chain>);

impl Chains {
    /// Notes that a render follows these keys of a family, from the first frame on.
    pub fn follow(&mut self, family: ChainKey, keys: &[ChainKey]) {
        let Some(last) = keys.last() else { return };
        let mut agreeing = Vec::new();
        let mut position = 0;
        while let Some(chain) = self.0.get(position) {
            // A key names all that came before it: two chains that agree at a frame agree up to it.
            let shared = chain.keys.len().min(keys.len());
            if chain.family == family && chain.keys[shared - 1] == keys[shared - 1] {
                agreeing.push(self.0.remove(position));
            } else {
                position += 1;
            }
        }
        // One that ends within these keys is a part of them.
        agreeing.retain(|chain| chain.keys.len() > keys.len() || chain.keys.last() == Some(last));
        if agreeing.is_empty() {
            agreeing.push(Chain { family, keys: keys.to_vec() });
        }
        self.0.append(&mut agreeing);
        while self.0.len() > MOST_CHAINS
            || self.0.len() > 1 && self.0.iter().map(|c| c.keys.len()).sum::<usize>() > MOST_KEYS
        {
            self.0.remove(0);
        }
    }

    /// Whether a state at a place may be on a chain that agrees with these keys.
    pub fn lies_on(&self, family: ChainKey, keys: &[ChainKey], index: u64, key: ChainKey) -> bool {
        let at = |keys: &[ChainKey]| usize::try_from(index).ok().and_then(|index| keys.get(index).copied());
        if at(keys).is_some() {
            return at(keys) == Some(key);
        }
        let Some(last) = keys.last() else { return false };
        self.0.iter().any(|chain| {
            chain.family == family && chain.keys.get(keys.len() - 1) == Some(last) && at(&chain.keys) == Some(key)
        })
    }

    /// Forgets a family.
    pub fn forget(&mut self, family: ChainKey) {
        self.0.retain(|chain| chain.family != family);
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILY: ChainKey = ChainKey(0);

    fn keys(of: u128, length: u128) -> Vec<ChainKey> {
        (0..length).map(|frame| ChainKey(if frame < 3 { frame } else { of * 1000 + frame })).collect()
    }

    #[test]
    fn frames_beyond_the_present_one_lie_on_the_chain_that_was_followed() {
        let mut chains = Chains::default();
        chains.follow(FAMILY, &keys(1, 10));
        assert!(chains.lies_on(FAMILY, &keys(1, 5), 9, ChainKey(1009)));
        assert!(!chains.lies_on(FAMILY, &keys(2, 5), 9, ChainKey(1009)), "an edit leaves them behind");
        assert!(!chains.lies_on(FAMILY, &keys(1, 5), 9, ChainKey(2009)));
        assert!(!chains.lies_on(FAMILY, &keys(1, 5), 10, ChainKey(1010)), "nobody has followed it so far");
        chains.follow(FAMILY, &keys(2, 8));
        assert!(!chains.lies_on(FAMILY, &keys(2, 5), 9, ChainKey(1009)));
        assert!(chains.lies_on(FAMILY, &keys(2, 3), 9, ChainKey(1009)), "before the edit it may be either");
        chains.follow(FAMILY, &keys(2, 12));
        assert_eq!(chains.0.len(), 2, "a longer one takes the place of its part");
        chains.follow(FAMILY, &keys(1, 2));
        assert_eq!(chains.0.len(), 2, "a part adds nothing");
        chains.forget(FAMILY);
        assert!(chains.0.is_empty());
    }

    #[test]
    fn the_memory_of_chains_is_bounded() {
        let mut chains = Chains::default();
        for of in 1..200 {
            chains.follow(FAMILY, &keys(of, 10));
        }
        assert_eq!(chains.0.len(), MOST_CHAINS);
        assert!(chains.lies_on(FAMILY, &keys(199, 5), 9, ChainKey(199_009)));
        for of in 1..20 {
            chains.follow(FAMILY, &keys(of, MOST_KEYS as u128 / 2));
        }
        assert!(chains.0.len() <= 2);
    }
}
