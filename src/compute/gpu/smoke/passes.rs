//! The passes: their shaders and their bindings.

use crate::compute::gpu::pipeline::{Binding, Shader, Table, shader};

use super::layout::{LevelParams, Params, flag, level_flag};

macro_rules! domain {
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
    domain!("smoke/backtrace" as "smoke/backtrace": "smoke/shared/sample", "smoke/shared/walls"),
    domain!("smoke/advect" as "smoke/advect": "smoke/shared/scalar", "smoke/shared/value", "smoke/shared/sample", "smoke/shared/walls", "smoke/shared/taps"),
    domain!("smoke/advect" as "smoke/advect of dye": "smoke/shared/colour", "smoke/shared/value", "smoke/shared/sample", "smoke/shared/walls", "smoke/shared/taps"),
    domain!("smoke/maccormack" as "smoke/maccormack": "smoke/shared/scalar", "smoke/shared/value", "smoke/shared/sample", "smoke/shared/walls", "smoke/shared/taps"),
    domain!("smoke/maccormack" as "smoke/maccormack of dye": "smoke/shared/colour", "smoke/shared/value", "smoke/shared/sample", "smoke/shared/walls", "smoke/shared/taps"),
    domain!("smoke/shift" as "smoke/shift":),
    domain!("smoke/scale" as "smoke/scale":),
    domain!("smoke/velocity_statistics" as "smoke/velocity_statistics":),
    domain!("smoke/sanitise" as "smoke/sanitise":),
    domain!("smoke/stamp" as "smoke/stamp": "smoke/shared/scalar", "smoke/shared/value"),
    domain!("smoke/force" as "smoke/force":),
    domain!("smoke/curl" as "smoke/curl": "smoke/shared/neighbours"),
    domain!("smoke/confine" as "smoke/confine": "smoke/shared/neighbours"),
    domain!("smoke/diffuse" as "smoke/diffuse":),
    domain!("smoke/reflect" as "smoke/reflect":),
    domain!("smoke/enforce_boundaries" as "smoke/enforce_boundaries": "smoke/shared/reduce"),
    level!("smoke/divergence" as "smoke/divergence": "smoke/shared/reduce"),
    level!("smoke/subtract_gradient" as "smoke/subtract_gradient":),
    domain!("smoke/region_sums" as "smoke/region_sums":),
    domain!("smoke/remove_means" as "smoke/remove_means":),
    level!("smoke/relax" as "smoke/relax": "smoke/shared/stencil", "smoke/shared/jacobi"),
    level!("smoke/relax_out_of_place" as "smoke/relax_out_of_place": "smoke/shared/stencil", "smoke/shared/jacobi"),
    level!("smoke/residual" as "smoke/residual": "smoke/shared/stencil", "smoke/shared/reduce"),
    level!("smoke/restrict" as "smoke/restrict": "smoke/shared/stencil"),
    level!("smoke/prolong" as "smoke/prolong":),
    level!("smoke/coarse_solve" as "smoke/coarse_solve": "smoke/shared/stencil", "smoke/shared/jacobi"),
    domain!("smoke/dot_products" as "smoke/dot_products": "smoke/shared/reduce"),
    domain!("smoke/cg_update" as "smoke/cg_update": "smoke/shared/reduce"),
    domain!("smoke/xpay" as "smoke/xpay":),
    domain!("smoke/sum_of_squares" as "smoke/sum_of_squares": "smoke/shared/reduce"),
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

/// Pipeline constants of the shaders over a domain, and over a level.
const DOMAIN_CONSTANTS: &[&str] = &["FLAGS", "BOUNDARIES", "STAGGERING"];
const LEVEL_CONSTANTS: &[&str] = &["FLAGS", "BOUNDARIES"];

const PARAMS: Binding = Binding::Entry(size_of::<Params>() as u64);
const LEVEL: Binding = Binding::Entry(size_of::<LevelParams>() as u64);

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
        if self.bindings().contains(&LEVEL) { LEVEL_CONSTANTS } else { DOMAIN_CONSTANTS }
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
