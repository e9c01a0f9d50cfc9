//! Eviction: the order in which states are removed when the budget is reached.
//!
//! A frame's *level* is the number of times its distance from the chain's first frame can be halved: every frame is on
//! level 0 or above, every 64th on level 6 or above, the first on all. The states at or above the lowest level whose
//! states fit [`SKELETON`] of the budget are the skeleton: they stay, so that any frame is reached in fewer steps than
//! the skeleton's spacing. What room is left belongs to the frames in use: of the others, the one that is farthest from
//! any frame in use for its level goes first. Chains that nobody has asked for in a while go before all others.

/// The share of the budget, in twelfths, that the skeleton may fill.
const SKELETON: u64 = 8;

/// Renders after which a chain that none of them touched counts as abandoned (by an edit, or a deleted node).
pub const ABANDONED_AFTER: u64 = 512;

/// A stored state, as eviction sees it.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Frames since the first of its chain.
    pub index: u64,
    /// Distance in frames to the nearest frame in use of its family; `u64::MAX` without one.
    pub distance: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// Renders since its chain was last used.
    pub idle: u64,
}

impl Candidate {
    fn level(&self) -> u32 {
        if self.index == 0 { 63 } else { self.index.trailing_zeros().min(62) }
    }
}

/// Lowest level whose states, with all above, fit the skeleton's share.
fn skeleton_level(candidates: &[Candidate], budget: u64) -> u32 {
    let mut by_level = [0_u64; 64];
    for candidate in candidates.iter().filter(|c| c.idle < ABANDONED_AFTER) {
        by_level[candidate.level() as usize] += candidate.bytes;
    }
    let room = budget / 12 * SKELETON;
    let mut filled = 0_u64;
    for level in (0..64).rev() {
        filled += by_level[level as usize];
        if filled > room {
            return level + 1;
        }
    }
    0
}

/// The positions of the states, the one that goes first at the head.
pub fn order(candidates: &[Candidate], budget: u64) -> Vec<usize> {
    let skeleton = skeleton_level(candidates, budget);
    let rank = |position: &usize| {
        let c = &candidates[*position];
        let abandoned = c.idle >= ABANDONED_AFTER;
        let bone = c.level() >= skeleton;
        // Among the rest: how far it is from use, seen from its own level.
        let spared = c.distance >> c.level().min(63);
        std::cmp::Reverse((abandoned, if abandoned { c.idle } else { 0 }, !bone, spared, c.distance))
    };
    let mut positions: Vec<usize> = (0..candidates.len()).collect();
    positions.sort_by_cached_key(rank);
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Renders 0, 1, 2 … and keeps what eviction leaves.
    fn march(frames: u64, budget: u64) -> Vec<u64> {
        let mut kept: Vec<u64> = Vec::new();
        for head in 0..frames {
            kept.push(head);
            while kept.len() as u64 > budget {
                let candidates: Vec<_> = kept
                    .iter()
                    .map(|index| Candidate { index: *index, distance: head - index, bytes: 1, idle: 0 })
                    .collect();
                kept.remove(order(&candidates, budget)[0]);
            }
        }
        kept
    }

    #[test]
    fn any_frame_stays_within_reach() {
        let kept = march(2000, 57);
        assert_eq!(kept.len(), 57);
        let widest = kept.windows(2).map(|pair| pair[1] - pair[0]).max();
        assert!(widest <= Some(64), "widest gap {widest:?} in {kept:?}");
        assert_eq!(kept[0], 0);
        assert!(kept.ends_with(&[1997, 1998, 1999]), "the frames in use are dense: {kept:?}");
    }

    #[test]
    fn abandoned_chains_go_first() {
        let used = Candidate { index: 3, distance: 900, bytes: 1, idle: 0 };
        let left = Candidate { index: 64, distance: 0, bytes: 1, idle: ABANDONED_AFTER };
        assert_eq!(order(&[used, left, used], 2)[0], 1);
    }

    #[test]
    fn a_state_larger_than_the_budget_is_chosen_too() {
        let huge = Candidate { index: 0, distance: 0, bytes: 1 << 40, idle: 0 };
        assert_eq!(order(&[huge], 1), [0]);
        assert!(order(&[], 1).is_empty());
    }
}
