//! Eviction: the order in which states are removed when the budget is reached.
//!
//! The *level* of a frame is the number of times that its index in the chain can be halved. All frames have level 0 or
//! above, every 64th has level 6 or above, and the first has the highest. The skeleton is the set of states at or above
//! the lowest level whose total size fits [`SKELETON`] twelfths of the budget. The skeleton is removed last, so that
//! every frame is reached in fewer steps than the spacing of the skeleton. Of the other states, those with the largest
//! distance to any frame in use, relative to their level, are removed first. Abandoned chains are removed before all
//! others.

/// Part of the budget for the skeleton, in twelfths.
const SKELETON: u64 = 8;

/// Number of renders after which an unused chain counts as abandoned (by an edit, or a deleted node).
pub const ABANDONED_AFTER: u64 = 512;

/// The properties of a stored state that determine its eviction.
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

/// Lowest level whose states, together with those of all higher levels, fit the skeleton's part of the budget.
fn skeleton_level(candidates: &[Candidate], budget: u64) -> u32 {
    let mut by_level = [0_u64; 64];
    for candidate in candidates.iter().filter(|c| c.idle < ABANDONED_AFTER) {
        by_level[candidate.level() as usize] += candidate.bytes;
    }
    let share = budget / 12 * SKELETON;
    let mut filled = 0_u64;
    for level in (0..64).rev() {
        filled += by_level[level as usize];
        if filled > share {
            return level + 1;
        }
    }
    0
}

/// Positions of the candidates in the order of their removal.
pub fn order(candidates: &[Candidate], budget: u64) -> Vec<usize> {
    let skeleton = skeleton_level(candidates, budget);
    let rank = |position: &usize| {
        let c = &candidates[*position];
        let abandoned = c.idle >= ABANDONED_AFTER;
        let in_skeleton = c.level() >= skeleton;
        // Distance relative to the spacing of the level.
        let relative_distance = c.distance >> c.level().min(63);
        std::cmp::Reverse((abandoned, if abandoned { c.idle } else { 0 }, !in_skeleton, relative_distance, c.distance))
    };
    let mut positions: Vec<usize> = (0..candidates.len()).collect();
    positions.sort_by_cached_key(rank);
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Renders frames 0, 1, 2 … and returns the states that eviction keeps.
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
    fn gaps_between_states_are_bounded() {
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
    fn a_state_larger_than_the_budget_is_a_candidate() {
        let huge = Candidate { index: 0, distance: 0, bytes: 1 << 40, idle: 0 };
        assert_eq!(order(&[huge], 1), [0]);
        assert!(order(&[], 1).is_empty());
    }
}
