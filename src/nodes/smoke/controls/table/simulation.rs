//! How it is simulated, and where.

use super::super::Id;
use crate::nodes::common::controls::{Control, Kind, Reach, blank, choice, double, int};
use crate::nodes::common::shared::{EXTENTS, Shared, shared};

const SIMULATION: Control<Id> = blank(Id::TimeScale, c"simulation");
const GRID: Control<Id> = blank(Id::GridMode, c"grid");

/// Groups `simulation` and `grid`.
pub const SIMULATION_CONTROLS: &[Control<Id>] = &[
    Control {
        id: Id::Preset,
        name: c"preset",
        label: c"Preset",
        hint: c"A whole look at once: sets jets, brush, air and picture. Undo brings the old values back; every \
               value can be changed afterwards.",
        kind: choice(&[c"Choose", c"Ink", c"Candle", c"Campfire", c"Jet exhaust", c"Steam", c"Fog bank"], 0),
        animates: false,
        reach: Reach::Work,
        ..SIMULATION
    },
    shared(Shared::StartFrame, Id::StartFrame),
    shared(Shared::StartHere, Id::StartHere),
    shared(Shared::Preroll, Id::Preroll),
    shared(Shared::InitialState, Id::InitialState).hint(
        c"An EXR to start from instead of still air and of what comes in at the Start frame: a state of FlowSmoke's disk \
               cache, which goes on with the same bits, or any EXR with dye in RGB and density in alpha, and with \
               density.density, velocity.x, velocity.y and temperature.temperature where it has them. Its smoke is \
               the Start frame's, and Pre-roll has no part in it. %{NAME} stands for an environment variable.",
    ),
    Control {
        id: Id::TimeScale,
        name: c"timeScale",
        label: c"Time scale",
        hint: c"Simulated time per frame: 0.5 is slow motion, 0 holds the smoke still. Pulses, turbulence and the jets' \
               wandering slow down with it; brush, obstacles and Velocity (Set) push the air as fast as they are seen to \
               move.",
        kind: double(1.0, [0.0, 1000.0], [0.0, 4.0]),
        ..SIMULATION
    },
    Control {
        id: Id::Substeps,
        name: c"substeps",
        label: c"Sub-steps",
        hint: c"Least number of simulation steps per frame. Fast air takes more by itself, see Max CFL.",
        kind: int(1, [1, 64], [1, 8]),
        ..SIMULATION
    },
    Control {
        id: Id::MaxCfl,
        name: c"maxCfl",
        label: c"Max CFL",
        hint: c"How many cells the fastest air may cross in one step. Lower is finer in time and slower; above 4 \
               fast jets lose detail.",
        kind: double(2.0, [0.1, 100.0], [0.5, 8.0]),
        ..SIMULATION
    },
    Control {
        id: Id::VelocityAdvection,
        name: c"velocityAdvection",
        label: c"Velocity advection",
        hint:
            c"How the air carries its own motion. Cubic is the most exact and keeps eddies round; MacCormack never goes \
               beyond what is around, and takes longer; Semi-Lagrangian is soft and thick.",
        kind: choice(&[c"Semi-Lagrangian", c"MacCormack", c"Cubic"], 2),
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Id::DyeAdvection,
        name: c"dyeAdvection",
        label: c"Dye advection",
        hint: c"How the air carries dye and heat. Catmull-Rom is the crispest; Semi-Lagrangian blurs.",
        kind: choice(&[c"Semi-Lagrangian", c"MacCormack", c"Catmull-Rom"], 2),
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Id::Reflection,
        name: c"reflection",
        label: c"Reflection",
        hint: c"Moves the air in two halves and reflects in between: eddies hardly lose any energy, for twice the \
               pressure work.",
        kind: Kind::Bool { default: false },
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Id::Solver,
        name: c"solver",
        label: c"Pressure solver",
        hint: c"How the air is kept from piling up. Auto: multigrid, with conjugate gradients where there are \
               obstacles. Iterated projection: the whole frame is solved again and again with the obstacles' \
               motion put back. Jacobi: the soft, bouncy look of simple solvers.",
        kind: choice(&[c"Auto", c"Multigrid", c"Conjugate gradients", c"Iterated projection", c"Jacobi"], 0),
        ..SIMULATION
    },
    Control {
        id: Id::Iterations,
        name: c"iterations",
        label: c"Iterations",
        hint: c"Most cycles of the solver per step. Auto rarely needs more than 4; Jacobi needs thousands.",
        kind: int(20, [1, 10_000], [1, 60]),
        ..SIMULATION
    },
    Control {
        id: Id::Tolerance,
        name: c"tolerance",
        label: c"Tolerance",
        hint: c"Divergence that may be left, as a share of what there was. Smaller is stricter and slower.",
        kind: double(0.001, [0.0, 1.0], [0.0001, 0.1]),
        ..SIMULATION
    },
    Control {
        id: Id::EdgeLeft,
        name: c"edgeLeft",
        label: c"Left edge",
        hint: c"What the left of the frame, or of a grid that follows, does to air. Closed: a wall. Open: smoke \
               leaves, clear air enters. Wrap: joined to the opposite side, whichever of the two says so.",
        kind: choice(&[c"Closed", c"Open", c"Wrap"], 1),
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Id::EdgeRight,
        name: c"edgeRight",
        label: c"Right edge",
        hint: c"What the right of the frame, or of a grid that follows, does to air. Closed: a wall. Open: smoke \
               leaves, clear air enters. Wrap: joined to the opposite side, whichever of the two says so.",
        kind: choice(&[c"Closed", c"Open", c"Wrap"], 1),
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Id::EdgeBottom,
        name: c"edgeBottom",
        label: c"Bottom edge",
        hint: c"What the bottom of the frame, or of a grid that follows, does to air. Closed: a wall. Open: smoke \
               leaves, clear air enters. Wrap: joined to the opposite side, whichever of the two says so.",
        kind: choice(&[c"Closed", c"Open", c"Wrap"], 1),
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Id::EdgeTop,
        name: c"edgeTop",
        label: c"Top edge",
        hint: c"What the top of the frame, or of a grid that follows, does to air. Closed: a wall. Open: smoke \
               leaves, clear air enters. Wrap: joined to the opposite side, whichever of the two says so.",
        kind: choice(&[c"Closed", c"Open", c"Wrap"], 1),
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Id::EdgeSlip,
        name: c"edgeSlip",
        label: c"Edge slip",
        hint: c"How air moves along Closed edges. Free slip: without friction. No slip: it sticks to them, and Viscosity \
               slows the air beside them.",
        kind: choice(&[c"Free slip", c"No slip"], 0),
        animates: false,
        ..SIMULATION
    },
    // Smoke rises beyond a small element that it comes from.
    Control { kind: choice(EXTENTS, 2), ..shared(Shared::Extent, Id::Extent) },
    shared(Shared::Resolution, Id::Resolution),
    shared(Shared::Proxy, Id::Proxy),
    Control {
        id: Id::UpdateEvery,
        name: c"updateEvery",
        label: c"Update every",
        hint: c"Frames from one solution of the air to the next; in between, dye is carried by the last. 2 or 3 \
               for quick looks.",
        kind: int(1, [1, 100], [1, 8]),
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Id::GridMode,
        name: c"gridMode",
        label: c"Grid",
        hint: c"Frame: the whole frame is simulated. Follow: a smaller grid that follows Grid centre; outside it \
               the picture is empty.",
        kind: choice(&[c"Frame", c"Follow"], 0),
        animates: false,
        ..GRID
    },
    Control {
        id: Id::GridCentre,
        name: c"gridCentre",
        label: c"Grid centre",
        hint: c"Middle of the grid that follows, in full-resolution pixels. Track it to what burns.",
        kind: Kind::Position { default: [0.5, 0.5] },
        ..GRID
    },
    Control {
        id: Id::GridSize,
        name: c"gridSize",
        label: c"Grid size",
        hint: c"Width and height of the grid that follows, in full-resolution pixels.",
        kind: Kind::Vector { default: 512.0, range: [1.0, 16_384.0], display: [64.0, 2048.0] },
        animates: false,
        ..GRID
    },
    Control {
        id: Id::GridFeather,
        name: c"gridFeather",
        label: c"Grid feather",
        hint: c"Width of the border along which dye, smoke and fire fade out towards the sides of the grid that \
               follows, in full-resolution pixels. 0 cuts them off. Only the picture fades; the air does not.",
        kind: double(32.0, [0.0, 16_384.0], [0.0, 200.0]),
        reach: Reach::Picture,
        ..GRID
    },
    Control {
        id: Id::GridInherit,
        name: c"gridVelocityInherit",
        label: c"Velocity inherit",
        hint: c"Share of the grid's motion that its smoke takes part in. 0: smoke stays where it is in the frame \
               and trails behind. 1: it is carried along.",
        kind: double(0.0, [0.0, 1.0], [0.0, 1.0]),
        ..GRID
    },
];
