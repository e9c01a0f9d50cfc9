//! The passes: their shaders and their bindings.

use super::layout::{LevelParams, Params, flag, level_flag};
use crate::compute::gpu::pipeline::Binding::{self, Read, Write};
use crate::compute::gpu::pipeline::{Table, passes};

const PARAMS: Binding = Binding::Entry(size_of::<Params>() as u64);
const LEVEL: Binding = Binding::Entry(size_of::<LevelParams>() as u64);

/// Whether a pass runs over a level of the multigrid hierarchy, else over a domain.
fn is_on_level(pass: Pass) -> bool {
    pass.shader().source.contains("struct Level {")
}

passes! {
    of pass;
    constants: if is_on_level(pass) { &["FLAGS", "BOUNDARIES"] } else { &["FLAGS", "BOUNDARIES", "STAGGERING"] },
    flags: if is_on_level(pass) { level_flag::NAMES } else { flag::NAMES };

    Backtrace: "smoke/backtrace"
        ["smoke/shared/constants", "smoke/shared/domain", "smoke/shared/sample", "smoke/shared/walls"]
        => [PARAMS, Read, Read, Read, Write, Write];
    Advect: "smoke/advect"
        ["smoke/shared/constants", "smoke/shared/domain", "smoke/shared/scalar", "smoke/shared/value", "smoke/shared/sample", "smoke/shared/walls", "smoke/shared/taps", "smoke/shared/solid_taps", "smoke/shared/cubic", "smoke/shared/fluid_taps"]
        => [PARAMS, Read, Read, Read, Read, Write];
    AdvectDye: "smoke/advect"
        ["smoke/shared/constants", "smoke/shared/domain", "smoke/shared/colour", "smoke/shared/value", "smoke/shared/sample", "smoke/shared/walls", "smoke/shared/taps", "smoke/shared/solid_taps", "smoke/shared/cubic", "smoke/shared/fluid_taps"]
        => [PARAMS, Read, Read, Read, Read, Write];
    MacCormack: "smoke/maccormack"
        ["smoke/shared/constants", "smoke/shared/domain", "smoke/shared/scalar", "smoke/shared/value", "smoke/shared/sample", "smoke/shared/walls", "smoke/shared/taps", "smoke/shared/solid_taps"]
        => [PARAMS, Read, Read, Read, Read, Read, Read, Read, Write];
    MacCormackDye: "smoke/maccormack"
        ["smoke/shared/constants", "smoke/shared/domain", "smoke/shared/colour", "smoke/shared/value", "smoke/shared/sample", "smoke/shared/walls", "smoke/shared/taps", "smoke/shared/solid_taps"]
        => [PARAMS, Read, Read, Read, Read, Read, Read, Read, Write];
    Shift: "smoke/shift" ["smoke/shared/constants", "smoke/shared/domain"]
        => [PARAMS, Read, Write];
    Scale: "smoke/scale" ["smoke/shared/constants", "smoke/shared/domain"]
        => [PARAMS, Read, Write];
    VelocityStatistics: "smoke/velocity_statistics" ["smoke/shared/constants", "smoke/shared/domain"]
        => [PARAMS, Read, Write];
    Sanitise: "smoke/sanitise" ["smoke/shared/constants", "smoke/shared/domain"]
        => [PARAMS, Write];
    Stamp: "smoke/stamp" ["smoke/shared/constants", "smoke/shared/domain", "smoke/shared/scalar", "smoke/shared/value"]
        => [PARAMS, Read, Read, Write];
    Force: "smoke/force" ["smoke/shared/constants", "smoke/shared/domain"]
        => [PARAMS, Read, Read, Read, Write];
    Curl: "smoke/curl" ["smoke/shared/constants", "smoke/shared/domain", "smoke/shared/neighbours"]
        => [PARAMS, Read, Read, Read, Write];
    Confine: "smoke/confine" ["smoke/shared/constants", "smoke/shared/domain", "smoke/shared/neighbours"]
        => [PARAMS, Read, Read, Write];
    Burn: "smoke/burn" ["smoke/shared/constants", "smoke/shared/domain"]
        => [PARAMS, Write, Write, Write];
    Cool: "smoke/cool" ["smoke/shared/constants", "smoke/shared/domain"]
        => [PARAMS, Write];
    Spread: "smoke/spread" ["smoke/shared/constants", "smoke/shared/domain", "smoke/shared/near"]
        => [PARAMS, Read, Read, Write];
    FlameCells: "smoke/flame_cells" ["smoke/shared/constants", "smoke/shared/domain", "smoke/shared/near"]
        => [PARAMS, Read, Read, Read, Read, Write];
    FlameForce: "smoke/flame_force" ["smoke/shared/constants", "smoke/shared/domain"]
        => [PARAMS, Read, Read, Read, Read, Write];
    AdvectMap: "smoke/advect_map"
        ["smoke/shared/constants", "smoke/shared/domain", "smoke/shared/colour", "smoke/shared/value", "smoke/shared/sample", "smoke/shared/walls", "smoke/shared/taps", "smoke/shared/solid_taps", "smoke/shared/cubic", "smoke/shared/fluid_taps"]
        => [PARAMS, Read, Read, Read, Read, Write];
    ReadMap: "smoke/read_map"
        ["smoke/shared/constants", "smoke/shared/domain", "smoke/shared/colour", "smoke/shared/value", "smoke/shared/sample", "smoke/shared/taps", "smoke/shared/cubic"]
        => [PARAMS, Read, Read, Read, Write];
    StampMap: "smoke/stamp_map"
        ["smoke/shared/constants", "smoke/shared/domain", "smoke/shared/colour", "smoke/shared/value"]
        => [PARAMS, Read, Read, Read, Write, Write];
    FillSolids: "smoke/fill_solids" ["smoke/shared/constants", "smoke/shared/domain"]
        => [PARAMS, Read, Read, Write];
    Diffuse: "smoke/diffuse" ["smoke/shared/constants", "smoke/shared/domain"]
        => [PARAMS, Read, Read, Read, Write];
    Reflect: "smoke/reflect" ["smoke/shared/constants", "smoke/shared/domain"]
        => [PARAMS, Read, Write];
    EnforceBoundaries: "smoke/enforce_boundaries"
        ["smoke/shared/constants", "smoke/shared/domain", "smoke/shared/reduce"]
        => [PARAMS, Read, Read, Write, Write];
    Divergence: "smoke/divergence" ["smoke/shared/constants", "smoke/shared/level", "smoke/shared/reduce"]
        => [LEVEL, Read, Read, Read, Read, Write, Write];
    SubtractGradient: "smoke/subtract_gradient" ["smoke/shared/constants", "smoke/shared/level"]
        => [LEVEL, Read, Read, Read, Write, Write, Write];
    RegionSums: "smoke/region_sums" ["smoke/shared/constants", "smoke/shared/domain"]
        => [PARAMS, Read, Read, Write];
    RemoveMeans: "smoke/remove_means" ["smoke/shared/constants", "smoke/shared/domain"]
        => [PARAMS, Read, Read, Write];
    Relax: "smoke/relax" ["smoke/shared/constants", "smoke/shared/level", "smoke/shared/stencil", "smoke/shared/jacobi"]
        => [LEVEL, Read, Read, Read, Read, Write];
    RelaxOutOfPlace: "smoke/relax_out_of_place"
        ["smoke/shared/constants", "smoke/shared/level", "smoke/shared/stencil", "smoke/shared/jacobi"]
        => [LEVEL, Read, Read, Read, Read, Read, Write];
    Residual: "smoke/residual"
        ["smoke/shared/constants", "smoke/shared/level", "smoke/shared/stencil", "smoke/shared/reduce"]
        => [LEVEL, Read, Read, Read, Read, Write, Write];
    Restrict: "smoke/restrict" ["smoke/shared/constants", "smoke/shared/level", "smoke/shared/stencil"]
        => [LEVEL, Read, Read, Read, Read, Write];
    Prolong: "smoke/prolong" ["smoke/shared/constants", "smoke/shared/level"]
        => [LEVEL, Read, Read, Write];
    CoarseSolve: "smoke/coarse_solve"
        ["smoke/shared/constants", "smoke/shared/level", "smoke/shared/stencil", "smoke/shared/jacobi"]
        => [LEVEL, Read, Read, Read, Read, Write];
    DotProducts: "smoke/dot_products" ["smoke/shared/constants", "smoke/shared/domain", "smoke/shared/reduce"]
        => [PARAMS, Read, Read, Read, Write];
    CgUpdate: "smoke/cg_update" ["smoke/shared/constants", "smoke/shared/domain", "smoke/shared/reduce"]
        => [PARAMS, Read, Read, Write, Write, Write];
    Xpay: "smoke/xpay" ["smoke/shared/constants", "smoke/shared/domain"]
        => [PARAMS, Read, Write];
    SumOfSquares: "smoke/sum_of_squares" ["smoke/shared/constants", "smoke/shared/domain", "smoke/shared/reduce"]
        => [PARAMS, Read, Write];
}
