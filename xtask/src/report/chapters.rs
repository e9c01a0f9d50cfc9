//! The chapters of the validation page, in order.

/// A part of the page.
pub struct Chapter {
    pub title: &'static str,
    /// The gates in it, in their order.
    pub gates: &'static [&'static str],
    pub text: &'static str,
}

pub const ALL: [Chapter; 14] = [
    Chapter {
        title: "Water: waves in Pipes",
        gates: &["water-dispersion", "water-round", "water-walls", "water-keyed"],
        text: "Standing waves in a wrapped box of 48² against the relation ω = 2·asin(½·√(k·Λ)) of the scheme itself, without smoothing: 1 would be a wave that knows no grid. The ring of a drop in the middle of 201²; waves beside walls; a speed keyed on the way.",
    },
    Chapter {
        title: "Water: the limit of a step",
        gates: &["water-noise", "water-grid-noise", "water-classic", "water-classic-limit"],
        text: "Noise between walls at the largest step that the pace allows, for every diagonal weight and smoothing; what the grid leaves behind a fast front. Classic pipes turn a slope into flow twice, so their waves are √2 faster and their limit is half as high: one sixth.",
    },
    Chapter {
        title: "Water: broken dams in Shallow water",
        gates: &["water-stoker", "water-ritter", "water-pipes-dam"],
        text: "A dam of 5 mm breaks onto 1 mm of water (Stoker) and onto dry ground (Ritter), 10 m long, after 6 seconds. Errors are relative, in L1. Pipes, whose waves know no depth, do not converge on it: that is why there is Shallow water.",
    },
    Chapter {
        title: "Water: basins in Shallow water",
        gates: &["water-planar", "water-radial", "water-swinging", "water-circling"],
        text: "Thacker's exact solutions, with a shore that moves: a plane surface in a trough after 5 periods, and in a round basin a bowl that swings up and down (its shore 0.8 m from the middle at first), a plane that swings straight from rest, and one that goes around from the velocity of its layers, after one period. Depths along the middle.",
    },
    Chapter {
        title: "Water: rest and mass",
        gates: &["water-lake", "water-mirrors", "water-mass", "water-colour"],
        text: "Lakes among dry islands, on every model. Random scenes in which everything is on and keyed (sources, emitter, rain, mask, walls that move, ground that rises, open edges, evaporation, colour): what is there against the ledger of what came and went, in units of the fixed point. Even colour stays even.",
    },
    Chapter {
        title: "Water: the same bits on every processor",
        gates: &["water-kernels", "water-tiles", "water-long", "water-threads"],
        text: "Random scenes with everything on, on every model and all edges: every plane and the ledger of every frame compared with `==`.",
    },
    Chapter {
        title: "Water: the same bits on graphics devices",
        gates: &["water-passes", "water-slabs", "water-odd", "water-500", "water-large", "water-painted"],
        text: "The same against the plain step on the CPU; and the layers that a device paints itself against those of its planes.",
    },
    Chapter {
        title: "Smoke: carrying",
        gates: &["carrying", "mixing", "mirrors"],
        text: "Zalesak's notched disk and a Gaussian hill turn once about the middle of 200² cells, half a frame at a time. In a chaotic flow (Pierrehumbert's sine flow, 1994), advected dye grows: no scheme conserves it. Random air in the eight symmetries of the square, with all kinds of edges: the largest difference after a frame.",
    },
    Chapter {
        title: "Smoke: energy",
        gates: &["eddies", "vortex", "waves", "confinement"],
        text: "Taylor and Green's eddies in a wrapped box of 128² keep their energy, but for what viscosity takes. Lamb and Oseen's vortex without viscosity keeps its peak. An internal gravity wave in stratified air of 64 × 32 cells, with reflection. The energy that vorticity confinement adds to four eddies, on proxies of a frame of 256².",
    },
    Chapter {
        title: "Smoke: a driven cavity",
        gates: &["cavity-100", "cavity-400", "cavity-1000"],
        text: "The lid of a closed box of 128² drives the air until it is steady; u on the upright middle line against Ghia, Ghia and Shin 1982. The graphics device goes on from the CPU's steady flow while the lid crosses the box once more. The same by the node's defaults, on the CPU.",
    },
    Chapter {
        title: "Smoke: pressure",
        gates: &["poisson", "cycles", "solids", "iterated", "tolerance"],
        text: "Manufactured solutions; what a multigrid cycle leaves of a random divergence; conjugate gradients among random discs and in 256 rooms with one-pixel walls; the iterated projection; what a stricter tolerance leaves.",
    },
    Chapter {
        title: "Smoke: plumes and solids",
        gates: &["plume", "faces", "slip", "edges"],
        text: "A puff of light smoke rises between closed walls, the same on both sides; a solid's faces have the solid's velocity. Viscous air in a channel of 16 cells, whose walls are edges or obstacles; closed edges against solid cells in their place.",
    },
    Chapter {
        title: "Smoke: a grid that follows",
        gates: &["following"],
        text: "A small grid moves past an eddy, not by whole cells a frame, and sees what a large one sees that stands; and through still air.",
    },
    Chapter {
        title: "Smoke: in the nodes, and between devices",
        gates: &["demo", "devices"],
        text: "What the projection leaves in each frame of the demo's scenes, a quarter as large, through the bundle; a chain of frames on the CPU against the same on a graphics device, each going on from its own.",
    },
];
