//! The passes: their shaders, and what each binds.

use crate::compute::gpu::pipeline::{Binding, Shader, Table, shader};

use super::layout::{Level, Params, flag, level_flag};

macro_rules! ground {
    ($file:literal as $name:literal: $($shared:literal),*) => {
        shader!($file as $name: "smoke/shared/domain" $(, $shared)*)
    };
}

macro_rules! level {
    ($file:literal as $name:literal: $($shared:literal),*) => {
        shader!($file as $name: "smoke/shared/level" $(, $shared)*)
    };
}

/// Every shader, in the order of the passes.
pub static SHADERS: [Shader; 30] = [
    ground!("smoke/backtrace" as "smoke/backtrace": "smoke/shared/sample", "smoke/shared/walls"),
    ground!("smoke/advect" as "smoke/advect": "smoke/shared/scalar", "smoke/shared/value", "smoke/shared/sample", "smoke/shared/walls", "smoke/shared/taps"),
    ground!("smoke/advect" as "smoke/advect of dye": "smoke/shared/colour", "smoke/shared/value", "smoke/shared/sample", "smoke/shared/walls", "smoke/shared/taps"),
    ground!("smoke/maccormack" as "smoke/maccormack": "smoke/shared/scalar", "smoke/shared/value", "smoke/shared/sample", "smoke/shared/walls", "smoke/shared/taps"),
    ground!("smoke/maccormack" as "smoke/maccormack of dye": "smoke/shared/colour", "smoke/shared/value", "smoke/shared/sample", "smoke/shared/walls", "smoke/shared/taps"),
    ground!("smoke/shift" as "smoke/shift":),
    ground!("smoke/scale" as "smoke/scale":),
    ground!("smoke/velocity_statistics" as "smoke/velocity_statistics":),
    ground!("smoke/sanitise" as "smoke/sanitise":),
    ground!("smoke/stamp" as "smoke/stamp": "smoke/shared/scalar", "smoke/shared/value"),
    ground!("smoke/force" as "smoke/force":),
    ground!("smoke/curl" as "smoke/curl": "smoke/shared/neighbours"),
    ground!("smoke/confine" as "smoke/confine": "smoke/shared/neighbours"),
    ground!("smoke/diffuse" as "smoke/diffuse":),
    ground!("smoke/reflect" as "smoke/reflect":),
    ground!("smoke/enforce_boundaries" as "smoke/enforce_boundaries": "smoke/shared/reduce"),
    level!("smoke/divergence" as "smoke/divergence": "smoke/shared/reduce"),
    level!("smoke/subtract_gradient" as "smoke/subtract_gradient":),
    ground!("smoke/region_sums" as "smoke/region_sums":),
    ground!("smoke/remove_means" as "smoke/remove_means":),
    level!("smoke/relax" as "smoke/relax": "smoke/shared/stencil", "smoke/shared/jacobi"),
    level!("smoke/relax_out_of_place" as "smoke/relax_out_of_place": "smoke/shared/stencil", "smoke/shared/jacobi"),
    level!("smoke/residual" as "smoke/residual": "smoke/shared/stencil", "smoke/shared/reduce"),
    level!("smoke/restrict" as "smoke/restrict": "smoke/shared/stencil"),
    level!("smoke/prolong" as "smoke/prolong":),
    level!("smoke/coarse_solve" as "smoke/coarse_solve": "smoke/shared/stencil", "smoke/shared/jacobi"),
    ground!("smoke/dot_products" as "smoke/dot_products": "smoke/shared/reduce"),
    ground!("smoke/cg_update" as "smoke/cg_update": "smoke/shared/reduce"),
    ground!("smoke/xpay" as "smoke/xpay":),
    ground!("smoke/sum_of_squares" as "smoke/sum_of_squares": "smoke/shared/reduce"),
];

/// A pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    Backtrace,
    Advect,
    AdvectDye,
    MacCormack,
    MacCormackDye,
    Shift,
    Scale,
    VelocityStatistics,
    Sanitise,
    Stamp,
    Force,
    Curl,
    Confine,
    Diffuse,
    Reflect,
    EnforceBoundaries,
    Divergence,
    SubtractGradient,
    RegionSums,
    RemoveMeans,
    Relax,
    RelaxOutOfPlace,
    Residual,
    Restrict,
    Prolong,
    CoarseSolve,
    DotProducts,
    CgUpdate,
    Xpay,
    SumOfSquares,
}

/// Constants of the shaders over a lattice, or over a level.
const OF_GROUND: &[&str] = &["FLAGS", "EDGES", "STAGGERING"];
const OF_LEVEL: &[&str] = &["FLAGS", "EDGES"];

const PARAMS: Binding = Binding::Entry(size_of::<Params>() as u64);
const LEVEL: Binding = Binding::Entry(size_of::<Level>() as u64);

impl Table for Pass {
    const ALL: &'static [Pass] = &[
        Pass::Backtrace,
        Pass::Advect,
        Pass::AdvectDye,
        Pass::MacCormack,
        Pass::MacCormackDye,
        Pass::Shift,
        Pass::Scale,
        Pass::VelocityStatistics,
        Pass::Sanitise,
        Pass::Stamp,
        Pass::Force,
        Pass::Curl,
        Pass::Confine,
        Pass::Diffuse,
        Pass::Reflect,
        Pass::EnforceBoundaries,
        Pass::Divergence,
        Pass::SubtractGradient,
        Pass::RegionSums,
        Pass::RemoveMeans,
        Pass::Relax,
        Pass::RelaxOutOfPlace,
        Pass::Residual,
        Pass::Restrict,
        Pass::Prolong,
        Pass::CoarseSolve,
        Pass::DotProducts,
        Pass::CgUpdate,
        Pass::Xpay,
        Pass::SumOfSquares,
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
            Pass::Backtrace => &[PARAMS, Read, Read, Read, Write, Write],
            Pass::Advect | Pass::AdvectDye => &[PARAMS, Read, Read, Read, Read, Write],
            Pass::MacCormack | Pass::MacCormackDye => &[PARAMS, Read, Read, Read, Read, Read, Read, Read, Write],
            Pass::Shift | Pass::Scale | Pass::VelocityStatistics | Pass::Reflect | Pass::Xpay | Pass::SumOfSquares => {
                &[PARAMS, Read, Write]
            }
            Pass::Confine => &[PARAMS, Read, Read, Write],
            Pass::Sanitise => &[PARAMS, Write],
            Pass::Stamp | Pass::RegionSums | Pass::RemoveMeans => &[PARAMS, Read, Read, Write],
            Pass::Force | Pass::Curl | Pass::Diffuse => &[PARAMS, Read, Read, Read, Write],
            Pass::EnforceBoundaries => &[PARAMS, Read, Read, Write, Write],
            Pass::DotProducts => &[PARAMS, Read, Read, Read, Write],
            Pass::CgUpdate => &[PARAMS, Read, Read, Write, Write, Write],
            Pass::Divergence => &[LEVEL, Read, Read, Read, Write, Write],
            Pass::SubtractGradient => &[LEVEL, Read, Read, Read, Write, Write, Write],
            Pass::Relax | Pass::CoarseSolve => &[LEVEL, Read, Read, Read, Read, Write],
            Pass::RelaxOutOfPlace => &[LEVEL, Read, Read, Read, Read, Read, Write],
            Pass::Residual => &[LEVEL, Read, Read, Read, Read, Write, Write],
            Pass::Restrict => &[LEVEL, Read, Read, Read, Read, Write],
            Pass::Prolong => &[LEVEL, Read, Read, Write],
        }
    }
}
