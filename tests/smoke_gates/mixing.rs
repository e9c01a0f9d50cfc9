//! Dye in a chaotic flow: the change of its amount by advection schemes that are not conservative.

use std::f64::consts::TAU;

use flow_ofx::sim::fluid::{Advection, Backend, Boundary, Domain, Operation, Scheme, Session};

use crate::defaults;
use crate::devices::Under;
use crate::record::{Line, Scale, in_full};
use crate::smoke::projected::Random;
use crate::smoke::{advect, air, dye, load, settings, spec, traces};

/// Cells along each side.
const N: usize = 256;
/// Radius of the dye at the start, in cells: a small dab.
const RADIUS: f64 = 6.0;
const FRAMES: usize = 200;
/// Displacement of the fastest air per frame, in cells.
const FASTEST: f64 = 2.0;
/// Frames until the flow changes from one axis to the other.
const HALF: usize = 16;

/// The dye relative to its start, by frame, in Pierrehumbert's sine flow (1994): along x by the sine of y, then along y
/// by that of x, each time with another phase. The discrete velocity has no divergence either.
fn mixed<B: Backend>(on: &Under<B>, scheme: Scheme) -> Vec<[f64; 2]> {
    let spec = spec(N, N, [Boundary::Wrap; 4]);
    let disc = |[x, y]: [f64; 2]| {
        let off = (x - N as f64 / 2.0).hypot(y - N as f64 / 2.0);
        [(RADIUS + 0.5 - off).clamp(0.0, 1.0) as f32; 4]
    };
    let session = &mut Session::new(&on.backend);
    let domain = Domain::plane([N; 2], spec.constants.edges, spec.constants.slip, None);
    let advection = Advection { scheme, keep: 1.0, cooling: 0.0, ambient: 0.0 };
    let [mut from, mut to, mut there] = [(); 3].map(|()| dye(session, &domain));
    let start = air(&spec, |_| [0.0; 2], disc);
    let (_, first) = load(session, &start.air);
    session.run(&[Operation::Copy { from: first, to: from.colour }]).expect("works");
    let all = |session: &Session<'_, B>, colour| -> f64 {
        session.download(colour).expect("works").iter().step_by(4).map(|value| f64::from(*value)).sum()
    };
    let before = all(session, from.colour);
    let mut random = Random(19);
    let mut curve = vec![[0.0, 1.0]];
    for turn in 0..FRAMES.div_ceil(HALF) {
        let phase = TAU * f64::from(random.next());
        let speed = |along: f64| FASTEST * (TAU * along / N as f64 + phase).sin();
        let flow =
            air(&spec, |[x, y]| if turn.is_multiple_of(2) { [speed(y), 0.0] } else { [0.0, speed(x)] }, |_| [0.0; 4]);
        let (wind, unused) = load(session, &flow.air);
        let traces = traces(session, &domain, wind, 1.0);
        for _ in turn * HALF..((turn + 1) * HALF).min(FRAMES) {
            advect(session, &domain, advection, traces, [&mut from, &mut there, &mut to]);
            curve.push([curve.len() as f64, all(session, from.colour) / before]);
        }
        session.free(&[unused]);
        for unused in [wind, traces[0], traces[1]] {
            session.free(&unused);
        }
    }
    curve
}

fn dye_is_not_conserved<B: Backend>(on: &Under<B>) {
    let mut record = on.record("mixing");
    let (mut node, mut usual) = (spec(N, N, [Boundary::Wrap; 4]), settings());
    defaults::apply(&mut node, &mut usual);
    let mut lines: Vec<Line> = Vec::new();
    for (scheme, name) in [
        (Scheme::SemiLagrangian, "semi-Lagrangian"),
        (Scheme::MacCormack, "MacCormack"),
        (Scheme::Cubic, "Catmull-Rom"),
    ] {
        // A software graphics device takes ten seconds for each.
        if !on.is_cpu() && !in_full() && scheme != node.constants.dye_scheme {
            continue;
        }
        let default = if node.constants.dye_scheme == scheme { ", the node's default" } else { "" };
        record.under(format!(
            "{N}×{N} cells, edges Wrap, a disc of {RADIUS} cells, dye {name}, fastest air {FASTEST} cells a frame, no projection, the axis changes every {HALF} frames"
        ));
        let curve = mixed(on, scheme);
        let what = format!("dye after {FRAMES} frames in a chaotic flow over that at the start, {name}{default}");
        record.row(what, "1 is exact", curve[FRAMES][1]);
        lines.push((name.to_owned(), curve));
    }
    record.plot("Dye in a chaotic flow", ["frame", "dye over that at the start"], [Scale::Linear; 2], &lines, &[]);
    record.save();
}

crate::gate!(dye_growth_in_a_chaotic_flow_is_measured, super::dye_is_not_conserved);
