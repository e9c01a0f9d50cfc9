//! The smoke's solver on the CPU: each gate of its numerics that is not the pressure's.

mod smoke;

use std::f64::consts::TAU;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::sim::smoke::settings::{Scheme, Side};
use smoke::{air, carried, carried_faces, each, spec};

const CLOSED: [Side; 4] = [Side::Closed; 4];

/// The places of a plane as its values: carried by a wind that is the place itself, a value is where it came from.
#[test]
fn interpolation_gives_the_place() {
    let spec = spec(16, 12, CLOSED);
    for slope in [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]] {
        let state = air(&spec, |[x, y]| [slope[0] * x, slope[1] * y], |_| [0.0; 4]);
        let time = 0.0625;
        let carried = carried_faces(&Cpu::new(1), Scheme::SemiLagrangian, &state, time as f32);
        // Twice back by the middle of the way: the place times this.
        let factor = 1.0 - time * (1.0 - 0.5 * time);
        each(17, 12, [0.0, 0.5], |at, [x, _]| {
            let expected = slope[0] * x * factor;
            assert!((f64::from(carried.u[at]) - expected).abs() < 4e-6, "u at {x}: {} {expected}", carried.u[at]);
        });
        each(16, 13, [0.5, 0.0], |at, [_, y]| {
            let expected = slope[1] * y * factor;
            assert!((f64::from(carried.v[at]) - expected).abs() < 4e-6, "v at {y}: {} {expected}", carried.v[at]);
        });
    }
}

/// Zalesak's disk in red and a Gaussian in green, after one turn: error of the disk, of the Gaussian, its peak.
fn turned(scheme: Scheme) -> [f64; 3] {
    let n = 200;
    let spec = spec(n, n, CLOSED);
    let disk = |[x, y]: [f64; 2]| {
        let slot = (x - 100.0).abs() < 5.0 && y < 170.0;
        if (x - 100.0).hypot(y - 150.0) < 30.0 && !slot { 1.0 } else { 0.0 }
    };
    let hill = |[x, y]: [f64; 2]| (-((x - 100.0).powi(2) + (y - 150.0).powi(2)) / (2.0 * 10.0 * 10.0)).exp();
    let dye = |place| [disk(place), hill(place), 0.0, 0.0].map(|v: f64| v as f32);
    let omega = TAU / 628.0;
    let state = air(&spec, |[x, y]| [-omega * (y - 100.0), omega * (x - 100.0)], dye);
    let after = carried(&Cpu::new(2), scheme, &state, 0.5, 1256);
    let error = |channel: usize| {
        let pairs = || after.iter().zip(&state.air.dye).map(|(a, b)| [f64::from(a[channel]), f64::from(b[channel])]);
        pairs().map(|[a, b]| (a - b).abs()).sum::<f64>() / pairs().map(|[_, b]| b).sum::<f64>()
    };
    [error(0), error(1), after.iter().map(|dye| f64::from(dye[1])).fold(0.0, f64::max)]
}

#[test]
fn a_notched_disk_turns_once() {
    let [soft, ..] = turned(Scheme::SemiLagrangian);
    let [maccormack, ..] = turned(Scheme::MacCormack);
    let [crisp, hill, peak] = turned(Scheme::CatmullRom);
    println!("semi-Lagrangian {soft:.4}, MacCormack {maccormack:.4}, Catmull-Rom {crisp:.4}; hill {hill:.4}, peak {peak:.4}");
    assert!((soft - 0.946).abs() < 0.03, "semi-Lagrangian {soft}");
    assert!(maccormack <= 0.49, "MacCormack {maccormack}");
    assert!(crisp <= 0.345, "Catmull-Rom {crisp}");
    assert!(hill <= 0.02 && peak >= 0.97, "Gaussian {hill}, peak {peak}");
}
