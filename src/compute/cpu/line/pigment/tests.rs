use super::super::super::lanes::tests::{Check, every, numbers};
use super::super::{BLOCKS, Run};
use super::*;
use crate::sim::fixed::{FLOW_MAX, HEIGHT_MAX, pigment_share};

/// The extremes and some of each magnitude, and as many zeros as fill a block.
fn some(top: i32, step: usize) -> Vec<i32> {
    numbers(top).into_iter().step_by(step).chain([0, 1, top]).collect()
}

struct Carried;

impl Check for Carried {
    fn with<V: Lanes>(&self, name: &str) {
        let run = Run { from: 0, len: BLOCK };
        let mut row = [Line::ZERO; 3];
        let (mut height, mut flow, mut depth) = (Line::ZERO, [Line::ZERO; 8], Depth::ZERO);
        let (empty, none) = ([Line::ZERO; 3], Line::ZERO);
        let mut cases = Vec::new();
        for h in some(HEIGHT_MAX, 3) {
            for o in some(FLOW_MAX, 5).into_iter().chain([h.min(FLOW_MAX), (h - 1).max(0)]).filter(|&o| o <= h) {
                cases.extend(some(PIGMENT_MAX, 29).into_iter().map(|m| (h, o, m)));
            }
        }
        for cases in cases.chunks(BLOCK) {
            for (x, &(h, o, m)) in cases.iter().enumerate() {
                (height.cells_mut(run)[x], flow[1].cells_mut(run)[x]) = (h, o);
                for (c, line) in row.iter_mut().enumerate() {
                    line.cells_mut(run)[x] = m >> c;
                }
            }
            let mut bare = [0; BLOCKS];
            depth.fill::<V>(&height, &row, &mut bare, 1);
            for (x, _) in cases.iter().enumerate().filter(|(_, (h, o, _))| o > &(h / 2)) {
                bare[0] |= 1 << x;
            }
            let mut rise = Rise::ZERO;
            let before = row;
            let over = carry::<V, false>(&mut Row {
                flow: &flow,
                height: Pair { here: &height, above: &none },
                depth: [&depth, &depth],
                pigment: &mut row,
                above: &empty,
                rise: &mut rise,
                still: 0,
                bare: [&bare, &[0; BLOCKS]],
                blocks: 1,
            });
            assert!(!over || row.iter().any(|line| line.cells(run).contains(&PIGMENT_MAX)), "{name}");
            for (x, &(h, o, m)) in cases.iter().enumerate() {
                for c in 0..3 {
                    let truth = if o == 0 { 0 } else { pigment_share(m >> c, o, h) };
                    let gone = before[c].cells(run)[x] - row[c].cells(run)[x];
                    assert_eq!(gone, truth, "{name}: {o} of {h} takes of {}", m >> c);
                    assert_eq!(rise.straight[c].cells(run)[x], truth, "{name}: {o} of {h} brings of {}", m >> c);
                }
            }
        }
    }
}

#[test]
fn the_shares_of_pigment_are_those_of_the_fixed_point() {
    every(&Carried);
}
