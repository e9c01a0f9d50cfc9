//! The drain: a moving disc that removes water.

use super::amounts::Basis;
use super::emitter;
use super::field::Field;
use super::fixed_point::pigment_share;
use super::plan::{MassBalance, Water};
use super::settings::{Drain, Emitter};
use crate::sim::grid::Grid;

/// The water after the drain of a frame of length `time`, and the removed amounts of water and pigment. `None` where
/// nothing is removed.
pub(super) fn drained(
    basis: &Basis<'_>,
    grid: &Grid,
    drain: &Drain,
    time: f64,
    water: &Water,
) -> Option<(Water, MassBalance)> {
    let Drain { centre, previous, radius, rate } = *drain;
    let disc = Emitter::disc(previous, centre, radius, rate);
    let amounts = emitter::amounts(basis, grid, [disc].iter(), time)?;
    let mut water = water.clone();
    let mut tally = MassBalance::default();
    for y in 1..=amounts.height() {
        for x in 1..=amounts.width() {
            let wanted = amounts.row(y, 0)[x];
            let height = water.height.row(y, 0)[x];
            let gone = wanted.min(height);
            if gone == 0 {
                continue;
            }
            water.height.row_mut(y, 0)[x] = height - gone;
            tally.drained[0] += i64::from(gone);
            if let Some(pigment) = &mut water.pigment {
                take_colour(pigment, [x, y], gone, height, &mut tally);
            }
        }
    }
    (tally.drained[0] > 0).then_some((water, tally))
}

fn take_colour(pigment: &mut Field, [x, y]: [usize; 2], gone: i32, height: i32, tally: &mut MassBalance) {
    for channel in 0..3 {
        let mass = &mut pigment.row_mut(y, channel)[x];
        let taken = if gone == height { *mass } else { pigment_share(*mass, gone, height) };
        *mass -= taken;
        tally.drained[channel + 1] += i64::from(taken);
    }
}
