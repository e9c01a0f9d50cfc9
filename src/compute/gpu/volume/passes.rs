//! The passes: their shaders and their bindings.

use super::layout::{Params, flag};
use crate::compute::gpu::pipeline::Binding::{self, Read, Write};
use crate::compute::gpu::pipeline::{Table, passes};

const PARAMS: Binding = Binding::Entry(size_of::<Params>() as u64);

passes! {
    constants: &["FLAGS", "SIDES", "AXIS"], flags: flag::NAMES;

    Expand: "volume/expand" ["volume/shared/box", "volume/shared/faces"]
        => [PARAMS, Read, Write];
    Displacement: "volume/displacement" ["volume/shared/box", "volume/shared/faces", "volume/shared/field"]
        => [PARAMS, Read, Write];
    Vorticity: "volume/vorticity" ["volume/shared/box", "volume/shared/faces", "volume/shared/field"]
        => [PARAMS, Read, Write];
    Accelerate: "volume/accelerate" ["volume/shared/box"]
        => [PARAMS, Read, Read, Read, Write];
    Force: "volume/force" ["volume/shared/box", "volume/shared/faces", "volume/shared/field"]
        => [PARAMS, Read, Read, Read, Read, Write];
    EmitterVelocity: "volume/emitter_velocity" ["volume/shared/box", "volume/shared/faces"]
        => [PARAMS, Read, Write];
    AdvectVelocity: "volume/advect_velocity"
        ["volume/shared/box", "volume/shared/faces", "volume/shared/field", "volume/shared/cells_of_face"]
        => [PARAMS, Read, Read, Write];
    MacCormack: "volume/maccormack"
        ["volume/shared/box", "volume/shared/faces", "volume/shared/field", "volume/shared/cells_of_face"]
        => [PARAMS, Read, Read, Read, Read, Read, Write];
    Widen: "volume/widen" ["volume/shared/box"]
        => [PARAMS, Read, Write];
    Emit: "volume/emit" ["volume/shared/box"]
        => [PARAMS, Read, Read, Write, Write, Write];
    Decay: "volume/decay" ["volume/shared/box"]
        => [PARAMS, Write];
    AdvectPacks: "volume/advect_packs" ["volume/shared/box", "volume/shared/faces", "volume/shared/field"]
        => [PARAMS, Read, Read, Read, Write];
    Burn: "volume/burn" ["volume/shared/box"]
        => [PARAMS, Write, Write];
    Mean: "volume/mean" ["volume/shared/box"]
        => [PARAMS, Read, Write];
    Divergence: "volume/divergence" ["volume/shared/box", "volume/shared/faces"]
        => [PARAMS, Read, Read, Read, Read, Write];
    EmitterDivergence: "volume/emitter_divergence" ["volume/shared/box"]
        => [PARAMS, Read, Write];
    Sum: "volume/sum" ["volume/shared/box", "volume/shared/sums"]
        => [PARAMS, Read, Write];
    SubtractMean: "volume/subtract_mean" ["volume/shared/box"]
        => [PARAMS, Read, Write];
    Relax: "volume/relax" ["volume/shared/box", "volume/shared/operator"]
        => [PARAMS, Read, Read, Write];
    RelaxOutOfPlace: "volume/relax_out_of_place" ["volume/shared/box", "volume/shared/operator"]
        => [PARAMS, Read, Read, Read, Write];
    CoarseSolve: "volume/coarse_solve" ["volume/shared/box", "volume/shared/operator"]
        => [PARAMS, Read, Read, Write];
    Restrict: "volume/restrict" ["volume/shared/box", "volume/shared/operator"]
        => [PARAMS, Read, Read, Read, Write, Write];
    Prolong: "volume/prolong" ["volume/shared/box"]
        => [PARAMS, Read, Read, Write];
    ResidualNorm: "volume/residual_norm" ["volume/shared/box", "volume/shared/operator", "volume/shared/sums"]
        => [PARAMS, Read, Read, Read, Write];
    Enforce: "volume/enforce" ["volume/shared/box"]
        => [PARAMS, Read, Read, Write];
    ClearSolid: "volume/clear_solid" ["volume/shared/box"]
        => [PARAMS, Read, Write];
    CoarsenAreas: "volume/coarsen_areas" ["volume/shared/box", "volume/shared/faces"]
        => [PARAMS, Read, Write];
    Couplings: "volume/couplings" ["volume/shared/box", "volume/shared/faces"]
        => [PARAMS, Read, Read, Write];
    SolidRelax: "volume/relax" ["volume/shared/box", "volume/shared/solid_operator"]
        => [PARAMS, Read, Read, Write];
    SolidRelaxOutOfPlace: "volume/relax_out_of_place" ["volume/shared/box", "volume/shared/solid_operator"]
        => [PARAMS, Read, Read, Read, Write];
    SolidCoarseSolve: "volume/coarse_solve" ["volume/shared/box", "volume/shared/solid_operator"]
        => [PARAMS, Read, Read, Write];
    SolidRestrict: "volume/restrict" ["volume/shared/box", "volume/shared/solid_operator"]
        => [PARAMS, Read, Read, Read, Write, Write];
    SolidProlong: "volume/solid_prolong" ["volume/shared/box"]
        => [PARAMS, Read, Write];
    SpanSums: "volume/span_sums" ["volume/shared/box", "volume/shared/sums"]
        => [PARAMS, Read, Read, Read, Write];
    SubtractRegionMeans: "volume/subtract_region_means" ["volume/shared/box"]
        => [PARAMS, Read, Read, Read, Write];
    SolidResidual: "volume/solid_residual"
        ["volume/shared/box", "volume/shared/solid_operator", "volume/shared/sums"]
        => [PARAMS, Read, Read, Read, Write, Write];
    Dot: "volume/dot" ["volume/shared/box", "volume/shared/sums"]
        => [PARAMS, Read, Read, Write];
    Direction: "volume/direction" ["volume/shared/box", "volume/shared/scalars"]
        => [PARAMS, Read, Read, Write];
    Apply: "volume/apply" ["volume/shared/box", "volume/shared/solid_operator", "volume/shared/sums"]
        => [PARAMS, Read, Read, Write, Write];
    UpdatePressure: "volume/update_pressure" ["volume/shared/box", "volume/shared/scalars", "volume/shared/sums"]
        => [PARAMS, Read, Read, Read, Write, Write, Write];
    Scalars: "volume/scalars" ["volume/shared/box", "volume/shared/scalars", "volume/shared/sums"]
        => [PARAMS, Read, Write];
    SubtractGradient: "volume/subtract_gradient" ["volume/shared/box", "volume/shared/faces"]
        => [PARAMS, Read, Read, Write];
    SanitiseVelocity: "volume/sanitise_velocity" ["volume/shared/box"]
        => [PARAMS, Write, Write];
    Round: "volume/round" ["volume/shared/box"]
        => [PARAMS, Read, Write, Write];
}
