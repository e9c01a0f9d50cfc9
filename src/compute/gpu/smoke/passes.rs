//! The passes: their shaders, and what each binds.

use crate::compute::gpu::pipeline::{Binding, Shader, Table, shader};

use super::layout::{Level, Params, flag, level_flag};

macro_rules! ground {
    ($file:literal as $name:literal: $($shared:literal),*) => {
        shader!($file as $name: "smoke/shared/ground" $(, $shared)*)
    };
}

macro_rules! level {
    ($file:literal as $name:literal: $($shared:literal),*) => {
        shader!($file as $name: "smoke/shared/level" $(, $shared)*)
    };
}

/// Every shader, in the order of the passes.
pub static SHADERS: [Shader; 30] = [
    ground!("smoke/look" as "smoke/look": "smoke/shared/spot", "smoke/shared/walls"),
    ground!("smoke/carry" as "smoke/carry": "smoke/shared/number", "smoke/shared/value", "smoke/shared/spot", "smoke/shared/walls", "smoke/shared/from"),
    ground!("smoke/carry" as "smoke/carry of dye": "smoke/shared/colour", "smoke/shared/value", "smoke/shared/spot", "smoke/shared/walls", "smoke/shared/from"),
    ground!("smoke/correct" as "smoke/correct": "smoke/shared/number", "smoke/shared/value", "smoke/shared/spot", "smoke/shared/walls", "smoke/shared/from"),
    ground!("smoke/correct" as "smoke/correct of dye": "smoke/shared/colour", "smoke/shared/value", "smoke/shared/spot", "smoke/shared/walls", "smoke/shared/from"),
    ground!("smoke/shift" as "smoke/shift":),
    ground!("smoke/scale" as "smoke/scale":),
    ground!("smoke/survey" as "smoke/survey":),
    ground!("smoke/scrub" as "smoke/scrub":),
    ground!("smoke/stamp" as "smoke/stamp": "smoke/shared/number", "smoke/shared/value"),
    ground!("smoke/force" as "smoke/force":),
    ground!("smoke/curl" as "smoke/curl": "smoke/shared/beside"),
    ground!("smoke/confine" as "smoke/confine": "smoke/shared/beside"),
    ground!("smoke/diffuse" as "smoke/diffuse":),
    ground!("smoke/reflect" as "smoke/reflect":),
    ground!("smoke/hold" as "smoke/hold": "smoke/shared/tally"),
    level!("smoke/divergence" as "smoke/divergence": "smoke/shared/tally"),
    level!("smoke/gradient" as "smoke/gradient":),
    ground!("smoke/runs" as "smoke/runs":),
    ground!("smoke/means" as "smoke/means":),
    level!("smoke/relax" as "smoke/relax": "smoke/shared/stencil", "smoke/shared/jacobi"),
    level!("smoke/sweep" as "smoke/sweep": "smoke/shared/stencil", "smoke/shared/jacobi"),
    level!("smoke/residual" as "smoke/residual": "smoke/shared/stencil", "smoke/shared/tally"),
    level!("smoke/restrict" as "smoke/restrict": "smoke/shared/stencil"),
    level!("smoke/refine" as "smoke/refine":),
    level!("smoke/bottom" as "smoke/bottom": "smoke/shared/stencil", "smoke/shared/jacobi"),
    ground!("smoke/products" as "smoke/products": "smoke/shared/tally"),
    ground!("smoke/advance" as "smoke/advance": "smoke/shared/tally"),
    ground!("smoke/turn" as "smoke/turn":),
    ground!("smoke/square" as "smoke/square": "smoke/shared/tally"),
];

/// A pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    Look,
    Carry,
    CarryDye,
    Correct,
    CorrectDye,
    Shift,
    Scale,
    Survey,
    Scrub,
    Stamp,
    Force,
    Curl,
    Confine,
    Diffuse,
    Reflect,
    Hold,
    Divergence,
    Gradient,
    Runs,
    Means,
    Relax,
    Sweep,
    Residual,
    Restrict,
    Refine,
    Bottom,
    Products,
    Advance,
    Turn,
    Square,
}

/// Constants of the shaders over a lattice, or over a level.
const OF_GROUND: &[&str] = &["FLAGS", "EDGES", "LATTICE"];
const OF_LEVEL: &[&str] = &["FLAGS", "EDGES"];

const PARAMS: Binding = Binding::Entry(size_of::<Params>() as u64);
const LEVEL: Binding = Binding::Entry(size_of::<Level>() as u64);

impl Table for Pass {
    const ALL: &'static [Pass] = &[
        Pass::Look,
        Pass::Carry,
        Pass::CarryDye,
        Pass::Correct,
        Pass::CorrectDye,
        Pass::Shift,
        Pass::Scale,
        Pass::Survey,
        Pass::Scrub,
        Pass::Stamp,
        Pass::Force,
        Pass::Curl,
        Pass::Confine,
        Pass::Diffuse,
        Pass::Reflect,
        Pass::Hold,
        Pass::Divergence,
        Pass::Gradient,
        Pass::Runs,
        Pass::Means,
        Pass::Relax,
        Pass::Sweep,
        Pass::Residual,
        Pass::Restrict,
        Pass::Refine,
        Pass::Bottom,
        Pass::Products,
        Pass::Advance,
        Pass::Turn,
        Pass::Square,
    ];

    fn number(self) -> usize {
        self as usize
    }

    fn shader(self) -> &'static Shader {
        &SHADERS[self as usize]
    }

    fn constants(self) -> &'static [&'static str] {
        if self.bindings().contains(&LEVEL) { OF_LEVEL } else { OF_GROUND }
    }

    fn flags(self) -> &'static [(&'static str, u32)] {
        if self.bindings().contains(&LEVEL) { &level_flag::NAMES } else { &flag::NAMES }
    }

    fn bindings(self) -> &'static [Binding] {
        use Binding::{Read, Write};
        match self {
            Pass::Look => &[PARAMS, Read, Read, Read, Write, Write],
            Pass::Carry | Pass::CarryDye => &[PARAMS, Read, Read, Read, Read, Write],
            Pass::Correct | Pass::CorrectDye => &[PARAMS, Read, Read, Read, Read, Read, Read, Read, Write],
            Pass::Shift | Pass::Scale | Pass::Survey | Pass::Reflect | Pass::Turn | Pass::Square => {
                &[PARAMS, Read, Write]
            }
            Pass::Confine => &[PARAMS, Read, Read, Write],
            Pass::Scrub => &[PARAMS, Write],
            Pass::Stamp | Pass::Runs | Pass::Means => &[PARAMS, Read, Read, Write],
            Pass::Force | Pass::Curl | Pass::Diffuse => &[PARAMS, Read, Read, Read, Write],
            Pass::Hold => &[PARAMS, Read, Read, Write, Write],
            Pass::Products => &[PARAMS, Read, Read, Read, Write],
            Pass::Advance => &[PARAMS, Read, Read, Write, Write, Write],
            Pass::Divergence => &[LEVEL, Read, Read, Read, Write, Write],
            Pass::Gradient => &[LEVEL, Read, Read, Read, Write, Write, Write],
            Pass::Relax | Pass::Bottom => &[LEVEL, Read, Read, Read, Read, Write],
            Pass::Sweep => &[LEVEL, Read, Read, Read, Read, Read, Write],
            Pass::Residual => &[LEVEL, Read, Read, Read, Read, Write, Write],
            Pass::Restrict => &[LEVEL, Read, Read, Read, Read, Write],
            Pass::Refine => &[LEVEL, Read, Read, Write],
        }
    }
}
