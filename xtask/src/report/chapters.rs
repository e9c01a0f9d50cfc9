//! The chapters of the validation page, in order.

/// A part of the page.
pub struct Chapter {
    pub title: &'static str,
    /// The gates of the chapter, in their order.
    pub gates: &'static [&'static str],
    pub text: &'static str,
}

pub const ALL: [Chapter; 18] = [
    Chapter {
        title: "Water: waves in Pipes",
        gates: &["water-dispersion", "water-round", "water-walls", "water-keyed"],
        text: "Standing waves in a wrapped box of 48² against the relation ω = 2·asin(½·√(k·Λ)) of the scheme itself, without smoothing: 1 is a wave without influence of the grid. The ring of a drop in the middle of 201²; waves beside walls; a keyed change of speed.",
    },
    Chapter {
        title: "Water: the limit of a step",
        gates: &["water-noise", "water-grid-noise", "water-classic", "water-classic-limit"],
        text: "Noise between walls at the largest stable time step, for every diagonal weight and smoothing; grid noise behind a fast front. Classic pipes turn a slope into flow twice, so their waves are √2 faster and their limit is half as high: one sixth.",
    },
    Chapter {
        title: "Water: Ripples",
        gates: &["ripples-speed", "ripples-energy", "ripples-tank", "ripples-sponge", "ripples-wake"],
        text: "Plane waves against ω² = (g·k + s·k³)·tanh(k·d); a drop among solids without damping; a drop in closed tanks against the series of cosines; waves that leave through an open edge; the wake of a pressure that moves. The node's defaults are a speed of 4 pixels a frame for waves of 60, the slowest waves at 6 pixels, infinite depth and a smoothing of 0.02.",
    },
    Chapter {
        title: "Water: broken dams in Shallow water",
        gates: &["water-stoker", "water-ritter", "water-pipes-dam", "water-bore"],
        text: "A dam of 5 mm breaks onto 1 mm of water (Stoker) and onto dry ground (Ritter), 10 m long, after 6 seconds. Errors are relative, in L1. Pipes, whose wave speed does not depend on depth, do not converge to it: the reason for Shallow water.",
    },
    Chapter {
        title: "Water: basins in Shallow water",
        gates: &["water-planar", "water-radial", "water-swinging", "water-circling"],
        text: "Thacker's exact solutions with a moving shore: a plane surface in a trough after 5 periods; in a round basin after one period a bowl that oscillates vertically (its shore 0.8 m from the middle at first), a plane that oscillates along a line from rest, and one that circulates, started from velocity layers. Depths along the middle.",
    },
    Chapter {
        title: "Water: rest and mass",
        gates: &["water-lake", "water-mirrors", "water-mass", "water-colour"],
        text: "Lakes among dry islands, on every model. Random scenes with all features on and keyed (sources, emitter, rain, mask, moving walls, rising ground, open edges, evaporation, colour): the water of each frame against the mass balance, in units of the fixed point. Even colour stays even.",
    },
    Chapter {
        title: "Water: the same bits on every processor",
        gates: &["water-kernels", "water-tiles", "water-long", "water-threads"],
        text: "Random scenes with all features on, on every model and all edges: every plane and the mass balance of every frame compared with `==`.",
    },
    Chapter {
        title: "Water: the same bits on graphics devices",
        gates: &["water-passes", "water-slabs", "water-odd", "water-500", "water-large", "water-painted"],
        text: "The same scenes against the reference step on the CPU; and the layers painted by a device against those of its planes.",
    },
    Chapter {
        title: "Smoke: advection",
        gates: &["carrying", "mixing", "mirrors"],
        text: "Zalesak's notched disk and a Gaussian hill rotate once about the middle of 200² cells, half a frame at a time. In a chaotic flow (Pierrehumbert's sine flow, 1994), advected dye grows: no scheme conserves it. Random velocities in the eight symmetries of the square, with all kinds of edges: the largest difference after a frame.",
    },
    Chapter {
        title: "Smoke: dye by a flow map",
        gates: &["flow-map", "devices-flow-map"],
        text: "Six flows with known velocities, by a flow map and by Catmull-Rom's cubic, against the exact dye: nine points of each cell are traced back through all frames. A picture is stirred; a jet replaces dye at an open edge; a plume is filled up; a brush adds dye, of which 1 % is lost per frame; a striped disc turns, in place and moving.",
    },
    Chapter {
        title: "Smoke: energy",
        gates: &["eddies", "vortex", "waves", "confinement"],
        text: "Taylor and Green's eddies in a wrapped box of 128² keep their energy, except for the loss by viscosity. Lamb and Oseen's vortex without viscosity keeps its peak. An internal gravity wave in stratified air of 64 × 32 cells, with reflection. The energy that vorticity confinement adds to four eddies, on proxies of a frame of 256².",
    },
    Chapter {
        title: "Smoke: a driven cavity",
        gates: &["cavity-100", "cavity-400", "cavity-1000"],
        text: "The lid of a closed box of 128² drives the air until it is steady; u on the upright middle line against Ghia, Ghia and Shin 1982. The graphics device continues from the CPU's steady flow while the lid crosses the box once more. The same with the node's defaults, on the CPU.",
    },
    Chapter {
        title: "Smoke: pressure",
        gates: &["poisson", "cycles", "solids", "iterated", "tolerance"],
        text: "Manufactured solutions; the remaining share of a random divergence after each multigrid cycle; conjugate gradients among random discs and in 256 chambers with one-pixel walls; the iterated projection; the divergence left by stricter tolerances.",
    },
    Chapter {
        title: "Smoke: plumes and solids",
        gates: &["plume", "faces", "slip", "edges"],
        text: "A puff of light smoke rises between closed walls, the same on both sides; a solid's faces have the solid's velocity. Viscous air in a channel of 16 cells, whose walls are edges or obstacles; closed edges against solid cells in their place.",
    },
    Chapter {
        title: "Smoke: fire with fuel",
        gates: &["fire", "fuel", "cold-fire", "boxed-fire"],
        text: "A campfire of about 120 cells: ranges of its fields, the volume that leaves against that which burning adds, and its height with one sub-step, with four and with reflection. Still gas full of fuel burns as long at any step; fields of fire without fuel change no bit of the smoke; a closed box is a uniform sink.",
    },
    Chapter {
        title: "Smoke: a following grid",
        gates: &["following"],
        text: "A small grid moves past an eddy by fractions of a cell a frame and agrees with a large fixed grid; it also moves through still air.",
    },
    Chapter {
        title: "Smoke: in the nodes, and between devices",
        gates: &["demo", "devices"],
        text: "Remaining divergence in each frame of the demo's scenes, at a quarter of the size, through the bundle; a chain of frames on the CPU against one on a graphics device, each continuing from its own state.",
    },
    Chapter {
        title: "Volume: flows and plumes",
        gates: &[
            "volume-vortices",
            "volume-closed-vortices",
            "volume-rings",
            "volume-plume",
            "volume-box",
            "volume-solids",
            "volume-push",
            "volume-turn",
            "volume-plate",
            "volume-projected",
            "volume-projected-wall",
            "volume-detail",
            "volume-gpu",
            "volume-gpu-solids",
        ],
        text: "Taylor-Green vortices and vortex rings in a wrapped and a closed box, with one projection a step and with reflection (the node's default); a plume in a box that stands, and in one that follows it (the node's default); a sphere in a plume and in still air, a square that turns, and a plate that holds smoke back; figures and a wall of pictures as solids, seen through the camera; smoke on cells twice as fine as those of the air; steps and frames on a graphics device against those of the CPU, in free air and among solids.",
    },
];

#[cfg(test)]
mod tests {
    use super::ALL;
    use crate::project;

    /// The texts of the Rust files in a folder and its folders.
    fn sources(folder: &std::path::Path, texts: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                sources(&path, texts);
            } else if path.extension().is_some_and(|end| end == "rs") {
                texts.push(std::fs::read_to_string(&path).expect("a text"));
            }
        }
    }

    #[test]
    fn every_gate_of_the_tests_has_a_chapter() {
        let mut texts = Vec::new();
        sources(&project::root().join("tests"), &mut texts);
        let mut gates = 0;
        for text in &texts {
            for after in text.split("Record::new(\"").skip(1) {
                let gate = after.split('"').next().unwrap_or_default();
                assert!(ALL.iter().any(|chapter| chapter.gates.contains(&gate)), "{gate}");
                gates += 1;
            }
        }
        assert!(gates > 30, "{gates}");
    }
}
