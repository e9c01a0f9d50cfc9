//! Advection: one revolution of Zalesak's notched disk and a Gaussian hill.

use std::f64::consts::TAU;

use flow_ofx::sim::fluid::{Advection, Backend, Boundary, Domain, Operation, Scheme, Session, Slips};

use crate::devices::Under;
use crate::record::in_full;
use crate::smoke::{advect, air, dye, load, spec, traces};

/// Cells along each side; twice the resolution of the literature's disk.
const N: usize = 200;
/// Steps of half a frame in a quarter of a revolution.
const QUARTER: usize = 314;

/// The disk in red and the hill in green, exactly and as computed, after some quarters of a revolution.
fn rotated<B: Backend>(on: &Under<B>, scheme: Scheme, quarters: usize) -> [Vec<[f32; 4]>; 2] {
    let spec = spec(N, N, [Boundary::Closed; 4]);
    let disk = |[x, y]: [f64; 2]| {
        let slot = (x - 100.0).abs() < 5.0 && y < 170.0;
        if (x - 100.0).hypot(y - 150.0) < 30.0 && !slot { 1.0 } else { 0.0 }
    };
    let part = |l: usize| (l as f64 - 3.5) / 8.0;
    let disk = |[x, y]: [f64; 2]| (0..64).map(|l| disk([x + part(l % 8), y + part(l / 8)])).sum::<f64>() / 64.0;
    let hill = |[x, y]: [f64; 2]| (-((x - 100.0).powi(2) + (y - 150.0).powi(2)) / (2.0 * 14.0 * 14.0)).exp();
    let colour = |place| [disk(place), hill(place), 0.0, 0.0].map(|v: f64| v as f32);
    let omega = TAU / 628.0;
    let start = air(&spec, |[x, y]| [-omega * (y - 100.0), omega * (x - 100.0)], colour);

    let session = &mut Session::new(&on.backend);
    let domain = Domain::plane([N; 2], start.edges, Slips::default(), None);
    let advection = Advection { scheme, keep: 1.0, cooling: 0.0, ambient: 0.0 };
    let (wind, first) = load(session, &start.air);
    let traces = traces(session, &domain, wind, 0.5);
    let [mut from, mut to, mut there] = [(); 3].map(|()| dye(session, &domain));
    session.run(&[Operation::Copy { from: first, to: from.colour }]).expect("works");
    for step in 0..quarters * QUARTER {
        advect(session, &domain, advection, traces, [&mut from, &mut there, &mut to]);
        if step % 64 == 63 {
            // A download submits the recorded commands.
            session.run(&[Operation::VelocityStatistics { velocity: wind }]).expect("works");
        }
    }
    let after = bytemuck::cast_slice(&session.download(from.colour).expect("works")).to_vec();
    // A quarter to the left moves each cell onto another one.
    let mut exact = start.air.dye.to_vec();
    for _ in 0..quarters % 4 {
        exact = (0..N * N).map(|at| exact[(N - 1 - at % N) * N + at / N]).collect();
    }
    [exact, after]
}

/// Sum of a channel's differences over the sum of its values.
fn error([before, after]: &[Vec<[f32; 4]>; 2], channel: usize) -> f64 {
    let of = |dye: &[f32; 4]| f64::from(dye[channel]);
    let off = after.iter().zip(before).map(|(a, b)| (of(a) - of(b)).abs()).sum::<f64>();
    off / before.iter().map(of).sum::<f64>()
}

fn revolution<B: Backend>(on: &Under<B>) {
    let mut record = on.record("carrying");
    let mut shown_before = false;
    for (scheme, name, most) in [
        (Scheme::SemiLagrangian, "semi-Lagrangian", 0.976),
        (Scheme::MacCormack, "MacCormack", 0.49),
        (Scheme::Cubic, "Catmull-Rom", 0.345),
    ] {
        // Software graphics needs half a minute for a revolution.
        if !on.is_cpu() && !in_full() && scheme != Scheme::Cubic {
            continue;
        }
        let quarters = if on.is_cpu() || in_full() { 4 } else { 1 };
        let rotated = rotated(on, scheme, quarters);
        let steps = quarters * QUARTER;
        record.under(format!("{N}×{N} cells, dye {name}, a steady wind, {steps} steps of half a frame, no projection"));
        let way = if quarters == 4 { "one revolution" } else { "a quarter of a revolution" };
        record.at_most(format!("Zalesak's disk, {way}, L1 error, {name}"), error(&rotated, 0), most);
        // The region of the disk.
        let shown = |dye: &[[f32; 4]]| -> Vec<f32> {
            (100..N).flat_map(|y| (50..150).map(move |x| y * N + x)).map(|at| dye[at][0]).collect()
        };
        if !std::mem::replace(&mut shown_before, true) {
            record.image("before", 100, &shown(&rotated[0]));
        }
        record.image(name, 100, &shown(&rotated[1]));
        if scheme == Scheme::Cubic {
            record.at_most(format!("Gaussian hill, {way}, L1 error, Catmull-Rom"), error(&rotated, 1), 0.02);
            let peak = rotated[1].iter().map(|dye| f64::from(dye[1])).fold(0.0, f64::max);
            record.at_least(format!("Gaussian hill, {way}, peak, Catmull-Rom"), peak, 0.97);
        }
    }
    record.save();
}

crate::gate!(a_notched_disk_is_advected_once_around, super::revolution);
