use super::super::super::super::lanes::tests::{Check, every, numbers};
use super::super::{BLOCKS, CellRange};
use super::*;
use crate::sim::water::fixed_point::{FLOW_MAX, HEIGHT_MAX, pigment_share};

/// The extremes and some of each magnitude, and as many zeros as fill a block.
fn some(top: i32, step: usize) -> Vec<i32> {
    numbers(top).into_iter().step_by(step).chain([0, 1, top]).collect()
}

struct Carried;

impl Check for Carried {
    fn with<V: Lanes>(&self, name: &str) {
        let run = CellRange { from: 0, len: BLOCK };
        let mut row = [Line::ZERO; 3];
        let (mut height, mut flow, mut divisors) = (Line::ZERO, [Line::ZERO; 8], Divisors::ZERO);
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
            divisors.fill::<V>(&height, &row, &mut bare, 1);
            for (x, _) in cases.iter().enumerate().filter(|(_, (h, o, _))| o > &(h / 2)) {
                bare[0] |= 1 << x;
            }
            let mut upflow = Upflow::ZERO;
            let before = row;
            let over = advect::<V, false>(&mut Row {
                flow: &flow,
                height: RowPair { here: &height, above: &none },
                divisors: [&divisors, &divisors],
                pigment: &mut row,
                above: &empty,
                upflow: &mut upflow,
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
                    assert_eq!(upflow.straight[c].cells(run)[x], truth, "{name}: {o} of {h} brings of {}", m >> c);
                }
            }
        }
    }
}

/// Blocks of the rows.
const WIDTH: usize = 3;
const COLUMNS: usize = WIDTH * BLOCK;
/// Ends of the pipes E, N, NE, NW: columns, and rows.
const ENDS: [[isize; 2]; 4] = [[1, 0], [0, 1], [1, 1], [-1, 1]];

/// A row of cells: heights, pigment, and the flows of its pipes, ahead and back.
#[derive(Clone)]
struct Cells {
    height: [i32; COLUMNS],
    pigment: [[i32; COLUMNS]; 3],
    ahead: [[i32; COLUMNS]; 4],
    back: [[i32; COLUMNS]; 4],
    /// Blocks without flow.
    still: u32,
}

impl Cells {
    fn new(height: i32, pigment: i32) -> Cells {
        let none = [[0; COLUMNS]; 4];
        Cells { height: [height; COLUMNS], pigment: [[pigment; COLUMNS]; 3], ahead: none, back: none, still: 0 }
    }
}

fn column(x: usize, by: isize) -> Option<usize> {
    x.checked_add_signed(by).filter(|&x| x < COLUMNS)
}

fn line(values: &[i32; COLUMNS]) -> Line {
    let mut line = Line::ZERO;
    line.cells_mut(CellRange { from: 0, len: COLUMNS }).copy_from_slice(values);
    line
}

/// The pigment of all rows but the last, by the fixed point, and the cells that may lose more than half of their water.
fn truth(rows: &[Cells]) -> (Vec<[[i32; COLUMNS]; 3]>, Vec<Bits>) {
    let mut after: Vec<_> = rows.iter().map(|row| row.pigment).collect();
    let mut depleted = vec![[0; BLOCKS]; rows.len()];
    for y in 0..rows.len() - 1 {
        for (p, [dx, dy]) in ENDS.into_iter().enumerate() {
            for x in 0..COLUMNS {
                let (here, far) = (Some((x, y)), column(x, dx).map(|x| (x, y + dy as usize)));
                for (out, from, to) in [(rows[y].ahead[p][x], here, far), (rows[y].back[p][x], far, here)] {
                    let (Some((i, k)), true) = (from, out > 0) else { continue };
                    depleted[k][i / BLOCK] |= u64::from(out > rows[k].height[i] / 2) << (i % BLOCK);
                    for (c, pigment) in rows[k].pigment.iter().enumerate() {
                        let taken = pigment_share(pigment[i], out, rows[k].height[i]);
                        after[k][c][i] -= taken;
                        if let Some((i, k)) = to {
                            after[k][c][i] += taken;
                        }
                    }
                }
            }
        }
    }
    after.pop();
    (after, depleted)
}

/// Moves the pigment of all rows but the last, as a sweep does.
fn carried<V: Lanes, const CLASSIC: bool>(rows: &[Cells], depleted: &[Bits]) -> Vec<[[i32; COLUMNS]; 3]> {
    let heights: Vec<_> = rows.iter().map(|row| line(&row.height)).collect();
    let mut pigment: Vec<_> = rows.iter().map(|row| row.pigment.each_ref().map(line)).collect();
    let mut bare = depleted.to_vec();
    let mut depths = vec![Divisors::ZERO; rows.len()];
    for (y, divisors) in depths.iter_mut().enumerate() {
        let mut saturated = [0; BLOCKS];
        divisors.fill::<V>(&heights[y], &pigment[y], &mut saturated, WIDTH);
        bare[y].iter_mut().zip(saturated).for_each(|(bare, saturated)| *bare |= saturated);
    }
    let mut upflow = Upflow::ZERO;
    for (y, row) in rows[..rows.len() - 1].iter().enumerate() {
        let mut flow = [Line::ZERO; 8];
        for p in 0..4 {
            let signed = std::array::from_fn(|x| row.ahead[p][x] - row.back[p][x]);
            flow[p] = line(if CLASSIC { &row.ahead[p] } else { &signed });
            flow[p + 4] = line(&row.back[p]);
        }
        let [here, above] = pigment.get_disjoint_mut([y, y + 1]).expect("two rows");
        advect::<V, CLASSIC>(&mut Row {
            flow: &flow,
            height: RowPair { here: &heights[y], above: &heights[y + 1] },
            divisors: [&depths[y], &depths[y + 1]],
            pigment: here,
            above,
            upflow: &mut upflow,
            still: row.still,
            bare: [&bare[y], &bare[y + 1]],
            blocks: WIDTH,
        });
    }
    pigment.pop();
    let cells = |line: &Line| line.cells(CellRange { from: 0, len: COLUMNS }).try_into().expect("all columns");
    pigment.iter().map(|row| row.each_ref().map(cells)).collect()
}

fn compare<V: Lanes>(rows: &[Cells], what: &str) {
    let (truth, depleted) = truth(rows);
    for (model, found) in
        [("pipes", carried::<V, false>(rows, &depleted)), ("classic", carried::<V, true>(rows, &depleted))]
    {
        for (y, (found, truth)) in found.iter().zip(&truth).enumerate() {
            for c in 0..3 {
                let differs = (0..COLUMNS).find(|&x| found[c][x] != truth[c][x]);
                assert_eq!(differs, None, "{what}, {model}: channel {c} of row {y}, first column that differs");
            }
        }
    }
}

struct Bare;

impl Check for Bare {
    fn with<V: Lanes>(&self, name: &str) {
        let height = 1 << 20;
        for x in [0, 1, 7, 8, 15, 16, 31, 32, 62, 63, 64, 65, 127, 128, COLUMNS - 1] {
            for (p, [dx, dy]) in ENDS.into_iter().enumerate() {
                for (saturated, out) in [(true, 1000), (false, height - height / 8), (false, height)] {
                    let mut rows = vec![Cells::new(height, height / 2); 4];
                    if saturated {
                        rows[1].pigment[x % 3][x] = 1 << 29;
                    }
                    let mut back = rows.clone();
                    rows[1].ahead[p][x] = out;
                    compare::<V>(&rows, &format!("{name}, {out} out of column {x} by pipe {p}"));
                    if let Some(owner) = column(x, -dx) {
                        back[1 - dy as usize].back[p][owner] = out;
                        compare::<V>(&back, &format!("{name}, {out} back out of column {x} by pipe {p}"));
                    }
                }
            }
        }
    }
}

struct Quiet;

impl Check for Quiet {
    fn with<V: Lanes>(&self, name: &str) {
        let mut z = 3u64;
        let mut random = |below: i32| {
            z = (z ^ (z >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(0x9e37_79b9_7f4a_7c15);
            ((z >> 33) % below as u64) as i32
        };
        for round in 0..100 {
            let mut rows = vec![Cells::new(0, 0); 7];
            for row in &mut rows {
                row.still = random(1 << WIDTH) as u32;
                for x in 0..COLUMNS {
                    row.height[x] = 1000 + random(1 << 20);
                    row.pigment.iter_mut().for_each(|line| line[x] = random(row.height[x]));
                    for (p, [dx, _]) in ENDS.into_iter().enumerate() {
                        if row.still & (1 << (x / BLOCK)) != 0 {
                            continue;
                        }
                        if random(2) == 0 || column(x, dx).is_none() {
                            row.ahead[p][x] = random(100);
                        } else {
                            row.back[p][x] = random(100);
                        }
                    }
                }
            }
            compare::<V>(&rows, &format!("{name}, round {round}"));
        }
    }
}

#[test]
fn cells_with_more_pigment_than_water_or_that_run_dry_give_what_they_should_wherever_they_lie() {
    every(&Bare);
}

#[test]
fn blocks_in_which_nothing_flows_get_what_comes_from_beside_and_below() {
    every(&Quiet);
}

#[test]
fn the_shares_of_pigment_are_those_of_the_fixed_point() {
    every(&Carried);
}
