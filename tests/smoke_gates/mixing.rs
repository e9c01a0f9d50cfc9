//! Dye in a chaotic flow: what advection, which conserves nothing by itself, adds to it.

use std::f64::consts::TAU;

use flow_ofx::sim::smoke::machine::{Cells, Ground, Lattice, Machine, Way};
use flow_ofx::sim::smoke::settings::{Scheme, Side};

use crate::carry::advect;
use crate::defaults;
use crate::devices::Under;
use crate::record::{Line, Scale};
use crate::smoke::projected::Random;
use crate::smoke::{air, looks, settings, spec};

/// Cells along each side.
const N: usize = 256;
/// Cells from the middle of the dye to its edge at the start: a small dab.
const RADIUS: f64 = 6.0;
const FRAMES: usize = 200;
/// Cells that the fastest air moves in a frame.
const FASTEST: f64 = 2.0;
/// Frames until the flow turns from one axis to the other.
const HALF: usize = 16;

/// The dye over that at the start, by frame, in Pierrehumbert's sine flow (1994): along x by the sine of y, then along y by
/// that of x, each time with another phase. It has no divergence on the faces of cells either.
fn mixed<M: Machine>(on: &Under<M>, scheme: Scheme) -> Vec<[f64; 2]> {
    let spec = spec(N, N, [Side::Wrap; 4]);
    let disc = |[x, y]: [f64; 2]| {
        let off = (x - N as f64 / 2.0).hypot(y - N as f64 / 2.0);
        [(RADIUS + 0.5 - off).clamp(0.0, 1.0) as f32; 4]
    };
    let machine = &on.machine;
    let ground = Ground { width: N, height: N, edges: spec.constants.edges, slip: spec.constants.slip, solids: None };
    let way = Way { scheme, keep: 1.0, cooling: 0.0, ambient: 0.0 };
    let stale = || Cells { dye: machine.stale(ground.len(Lattice::Dye)).expect("memory"), temperature: None };
    let [mut from, mut to, mut there] = [stale(), stale(), stale()];
    let start = air(&spec, |_| [0.0; 2], disc);
    let (_, first, _) = machine.load(&start.air).expect("memory");
    machine.copy(&first.dye, &mut from.dye);
    let all = |dye: &M::Plane| -> f64 {
        machine.down(dye).expect("works").iter().step_by(4).map(|value| f64::from(*value)).sum()
    };
    let before = all(&from.dye);
    let mut random = Random(19);
    let mut curve = vec![[0.0, 1.0]];
    for turn in 0..FRAMES.div_ceil(HALF) {
        let phase = TAU * f64::from(random.next());
        let speed = |along: f64| FASTEST * (TAU * along / N as f64 + phase).sin();
        let flow =
            air(&spec, |[x, y]| if turn.is_multiple_of(2) { [speed(y), 0.0] } else { [0.0, speed(x)] }, |_| [0.0; 4]);
        let (wind, ..) = machine.load(&flow.air).expect("memory");
        let [back, ahead] = looks(machine, &ground, &wind, 1.0);
        for _ in turn * HALF..((turn + 1) * HALF).min(FRAMES) {
            advect(machine, &ground, &way, [&back, &ahead], [&mut from, &mut there, &mut to]);
            curve.push([curve.len() as f64, all(&from.dye) / before]);
        }
    }
    curve
}

fn dye_is_not_conserved<M: Machine>(on: &Under<M>) {
    let mut record = on.record("mixing");
    let (mut node, mut usual) = (spec(N, N, [Side::Wrap; 4]), settings());
    defaults::apply(&mut node, &mut usual);
    let mut lines: Vec<Line> = Vec::new();
    for (scheme, name) in [
        (Scheme::SemiLagrangian, "semi-Lagrangian"),
        (Scheme::MacCormack, "MacCormack"),
        (Scheme::Cubic, "Catmull-Rom"),
    ] {
        let default = if node.constants.dye_scheme == scheme { ", the node's default" } else { "" };
        record.under(format!(
            "{N}×{N} cells, edges Wrap, a disc of {RADIUS} cells, dye {name}, fastest air {FASTEST} cells a frame, no projection, turned every {HALF} frames"
        ));
        let curve = mixed(on, scheme);
        let what = format!("dye after {FRAMES} frames in a chaotic flow over that at the start, {name}{default}");
        record.row(what, "1 is exact", curve[FRAMES][1]);
        lines.push((name.to_owned(), curve));
    }
    record.plot("Dye in a chaotic flow", ["frame", "dye over that at the start"], [Scale::Linear; 2], &lines, &[]);
    record.save();
}

crate::gate!(dye_in_a_chaotic_flow_is_counted, super::dye_is_not_conserved);
