//! Group `simulation`.

use std::ffi::CStr;

use super::super::Id;
use super::blank;
use crate::nodes::common::controls::{Control, Reach, choice, double, int};
use crate::nodes::common::shared::{Shared, shared};

const SIMULATION: Control<Id> = blank(c"simulation");

/// A side of the frame's border.
const fn side(id: Id, name: &'static CStr, label: &'static CStr, hint: &'static CStr) -> Control<Id> {
    Control {
        id,
        name,
        label,
        hint,
        kind: choice(&[c"As Edges", c"Closed", c"Open", c"Absorb"], 0),
        animates: false,
        ..SIMULATION
    }
}

/// In the order of the panel.
pub const SIMULATION_CONTROLS: &[Control<Id>] = &[
    Control {
        id: Id::Preset,
        name: c"preset",
        label: c"Preset",
        hint: c"A look to begin with: sets what makes it, as one edit that Undo takes back. Ink in water, Ripples and Puddle \
               drying stand on water that a Source with alpha brings at the start; the others need no input, and take a \
               Terrain.",
        kind: choice(
            &[
                c"Choose",
                c"River",
                c"Rain on glass",
                c"Ink in water",
                c"Flood",
                c"Ripples",
                c"Waterfall",
                c"Puddle drying",
                c"Shaw classic",
            ],
            0,
        ),
        animates: false,
        reach: Reach::Work,
        ..SIMULATION
    },
    Control {
        id: Id::Model,
        name: c"model",
        label: c"Model",
        hint: c"Pipes: waves of a set speed, round ripples, no grid in the surface. Classic pipes: the look of the \
               original Flow tool, whose speed is a flow rate per step. Shallow water: deep water is faster, waves steepen \
               and break into bores, rivers run and drag. Ripples: a level surface on which the speed of a wave depends \
               on its length, so that a drop makes a train of rings and a boat a wake; without terrain, colour and \
               evaporation.",
        kind: choice(&[c"Pipes", c"Classic pipes", c"Shallow water", c"Ripples"], 0),
        animates: false,
        ..SIMULATION
    },
    shared(Shared::StartFrame, Id::StartFrame).hint(
        c"First frame of the simulation. Frames before it show the water as it is at the start. A shot that begins at 1001 \
               begins here, too: from 1 on, 1000 frames would be simulated that nobody sees.",
    ),
    shared(Shared::StartHere, Id::StartHere),
    shared(Shared::Preroll, Id::Preroll).hint(
        c"Frames simulated before the start frame, with parameters and inputs held at the start frame: the water \
               has already settled when the shot begins.",
    ),
    shared(Shared::InitialState, Id::InitialState).hint(
        c"An EXR to start from instead of the Source: a state of Flow's disk cache, which goes on with the same bits, \
               or any EXR with the water's height in alpha and the layers cross and diagonal. Its water is the Start \
               frame's, and Pre-roll has no part in it. %{NAME} stands for an environment variable.",
    ),
    Control {
        id: Id::Speed,
        name: c"speed",
        label: c"Speed",
        hint: c"Speed of the waves in full-resolution pixels per frame (Pipes; Ripples: of waves of Ripple length). Higher is faster water and more steps \
               per frame; nothing is retimed. Below about 0.04 pixels per step water no longer levels out.",
        kind: double(4.0, [0.0, 10_000.0], [0.0, 20.0]),
        ..SIMULATION
    },
    Control {
        id: Id::FlowRate,
        name: c"flowRate",
        label: c"Flow rate",
        hint:
            c"Share of a height difference that a pipe turns into flow in one step (Classic pipes). Above about 0.16 \
               the surface breaks up.",
        kind: double(0.1, [0.0, 1.0], [0.0, 0.2]),
        ..SIMULATION
    },
    Control {
        id: Id::Gravity,
        name: c"gravity",
        label: c"Gravity",
        hint: c"How hard slopes pull (Shallow water): the acceleration, in full-resolution pixels per frame and frame, where a height \
               of 1 is lost per pixel. Waves run at the square root of gravity times depth, pixels per frame. Higher is faster water and more \
               steps per frame.",
        kind: double(60.0, [0.0, 100_000.0], [0.0, 200.0]),
        ..SIMULATION
    },
    Control {
        id: Id::Friction,
        name: c"friction",
        label: c"Friction",
        hint: c"Drag of the bed (Shallow water), in height per full-resolution pixel: a frame takes friction times speed squared over depth. Thin water is slowed most: more makes films creep and rivers settle; 0 lets water slide for ever.",
        kind: double(0.0005, [0.0, 1000.0], [0.0, 0.01]),
        ..SIMULATION
    },
    Control {
        id: Id::RippleLength,
        name: c"rippleLength",
        label: c"Ripple length",
        hint: c"Length of the waves that have the Speed, in full-resolution pixels (Ripples). Waves four times as \
               long are twice as fast.",
        kind: double(60.0, [1.0, 1_000_000.0], [4.0, 200.0]),
        ..SIMULATION
    },
    Control {
        id: Id::SlowestRipple,
        name: c"slowestRipple",
        label: c"Slowest ripple",
        hint: c"Length of the slowest waves, in full-resolution pixels (Ripples): surface tension makes shorter ones \
               faster, so that they run ahead. 0 is without surface tension; 17 grid cells are the most.",
        kind: double(6.0, [0.0, 1_000_000.0], [0.0, 17.0]),
        ..SIMULATION
    },
    Control {
        id: Id::RippleDepth,
        name: c"rippleDepth",
        label: c"Depth",
        hint: c"Depth of the water in full-resolution pixels (Ripples), which slows waves that are longer than about \
               twice the depth. 0 is water without a bottom.",
        kind: double(0.0, [0.0, 1_000_000.0], [0.0, 100.0]),
        ..SIMULATION
    },
    Control {
        id: Id::RippleSmoothing,
        name: c"rippleSmoothing",
        label: c"Ripple smoothing",
        hint: c"Viscosity of the finest ripples, two to four pixels long (Ripples). Long waves are left alone.",
        kind: double(0.02, [0.0, 0.5], [0.0, 0.2]),
        ..SIMULATION
    },
    Control {
        id: Id::Substeps,
        name: c"substeps",
        label: c"Sub-steps",
        hint: c"Least number of simulation steps per frame. Pipes and Shallow water take more by themselves where \
               the speed needs it; \
               Classic pipes takes exactly these.",
        kind: int(1, [1, 1024], [1, 16]),
        ..SIMULATION
    },
    Control {
        id: Id::TimeScale,
        name: c"timeScale",
        label: c"Time scale",
        hint: c"Simulated time per frame: 0.5 is slow motion, 0 holds the water still.",
        kind: double(1.0, [0.0, 1000.0], [0.0, 4.0]),
        ..SIMULATION
    },
    Control {
        id: Id::Damping,
        name: c"damping",
        label: c"Damping",
        hint: c"Share of the flow lost per frame. 0 ripples for ever, 0.1 is thick, 1 stops at once.",
        kind: double(0.02, [0.0, 1.0], [0.0, 0.2]),
        ..SIMULATION
    },
    Control {
        id: Id::Smoothing,
        name: c"smoothing",
        label: c"Smoothing",
        hint: c"Viscosity of the finest ripples, two to four pixels long (Pipes). Long waves are left alone; 0 shows \
               grid noise behind fast fronts.",
        kind: double(0.1, [0.0, 0.5], [0.0, 0.5]),
        ..SIMULATION
    },
    Control {
        id: Id::DiagonalWeight,
        name: c"diagonalWeight",
        label: c"Diagonal weight",
        hint: c"Size of the diagonal pipes against the straight ones (Pipes). 0.25 makes ripples round; 0 makes them \
               diamonds.",
        kind: double(0.25, [0.0, 1.0], [0.0, 1.0]),
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Id::Edges,
        name: c"edges",
        label: c"Edges",
        hint: c"What the frame's border does to water. Closed: a wall. Open: water runs off. Wrap: what leaves on one \
               side enters on the other. Absorb: a wall that swallows waves, as if the water went on.",
        kind: choice(&[c"Closed", c"Open", c"Wrap", c"Absorb"], 0),
        animates: false,
        ..SIMULATION
    },
    side(Id::EdgeLeft, c"edgeLeft", c"Left edge", c"The left side, where it is not like the others."),
    side(Id::EdgeRight, c"edgeRight", c"Right edge", c"The right side, where it is not like the others."),
    side(Id::EdgeTop, c"edgeTop", c"Top edge", c"The upper side, where it is not like the others."),
    side(Id::EdgeBottom, c"edgeBottom", c"Bottom edge", c"The lower side, where it is not like the others."),
    Control {
        id: Id::AbsorbWidth,
        name: c"absorbWidth",
        label: c"Absorb width",
        hint: c"Width of the border that swallows waves, in full-resolution pixels (Absorb). Waves up to half as long again \
               come back with less than a fiftieth of their height; longer ones need a wider border.",
        kind: double(100.0, [0.0, 1_000_000.0], [0.0, 500.0]),
        ..SIMULATION
    },
    shared(Shared::Extent, Id::Extent),
    shared(Shared::Resolution, Id::Resolution).hint(
        c"Grid cells per full-resolution pixel, in percent. 50 simulates a quarter of the cells: faster, softer, \
               the same speed and size of waves.",
    ),
    shared(Shared::Proxy, Id::Proxy),
    Control {
        id: Id::MaxHeight,
        name: c"maxHeight",
        label: c"Max height",
        hint: c"Range of the heights, water and terrain: water above about this is cut. A smaller range is finer.",
        kind: double(8.0, [0.003_906_25, 65_536.0], [1.0, 64.0]),
        animates: false,
        ..SIMULATION
    },
    Control {
        id: Id::ColourRange,
        name: c"colourRange",
        label: c"Colour range",
        hint: c"Brightest colour that the water can carry. A smaller range is finer.",
        kind: double(16.0, [0.000_976_562_5, 65_536.0], [1.0, 64.0]),
        animates: false,
        ..SIMULATION
    },
];
