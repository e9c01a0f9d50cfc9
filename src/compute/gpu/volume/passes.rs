//! The passes: their shaders and their bindings.

use super::layout::{Params, flag};
use crate::compute::gpu::pipeline::Binding::{self, Read, Write};
use crate::compute::gpu::pipeline::{Table, passes};

const PARAMS: Binding = Binding::Entry(size_of::<Params>() as u64);

passes! {
    constants: &["FLAGS", "SIDES", "AXIS"], flags: flag::NAMES;

    Expand: "volume/expand" ["volume/shared/box", "volume/shared/faces"]
        => [PARAMS, Read, Write];
    Displace: "volume/displace" ["volume/shared/box", "volume/shared/faces", "volume/shared/field"]
        => [PARAMS, Read, Write];
    Vorticity: "volume/vorticity" ["volume/shared/box", "volume/shared/faces", "volume/shared/field"]
        => [PARAMS, Read, Write];
    Accelerate: "volume/accelerate" ["volume/shared/box"]
        => [PARAMS, Read, Read, Read, Write];
    Force: "volume/force" ["volume/shared/box", "volume/shared/faces", "volume/shared/field"]
        => [PARAMS, Read, Read, Read, Read, Write];
    Blend: "volume/blend" ["volume/shared/box", "volume/shared/faces"]
        => [PARAMS, Read, Write];
    AdvectVelocity: "volume/advect_velocity"
        ["volume/shared/box", "volume/shared/faces", "volume/shared/field", "volume/shared/sides_of_face"]
        => [PARAMS, Read, Read, Write];
    MacCormack: "volume/maccormack"
        ["volume/shared/box", "volume/shared/faces", "volume/shared/field", "volume/shared/sides_of_face"]
        => [PARAMS, Read, Read, Read, Read, Read, Write];
    Widen: "volume/widen" ["volume/shared/box"]
        => [PARAMS, Read, Write];
    Emit: "volume/emit" ["volume/shared/box"]
        => [PARAMS, Read, Write, Write];
    Decay: "volume/decay" ["volume/shared/box"]
        => [PARAMS, Write];
    AdvectPacks: "volume/advect_packs" ["volume/shared/box", "volume/shared/faces", "volume/shared/field"]
        => [PARAMS, Read, Read, Read, Write];
    Burn: "volume/burn" ["volume/shared/box"]
        => [PARAMS, Write, Write];
    Mean: "volume/mean" ["volume/shared/box"]
        => [PARAMS, Read, Write];
    Divergence: "volume/divergence" ["volume/shared/box", "volume/shared/faces"]
        => [PARAMS, Read, Read, Write];
    Expel: "volume/expel" ["volume/shared/box"]
        => [PARAMS, Read, Write];
    Sum: "volume/sum" ["volume/shared/box", "volume/shared/sums"]
        => [PARAMS, Read, Write];
    SubtractMean: "volume/subtract_mean" ["volume/shared/box"]
        => [PARAMS, Read, Write];
    Relax: "volume/relax" ["volume/shared/box", "volume/shared/cells"]
        => [PARAMS, Read, Read, Write];
    RelaxOutOfPlace: "volume/relax_out_of_place" ["volume/shared/box", "volume/shared/cells"]
        => [PARAMS, Read, Read, Read, Write];
    SolveCoarsest: "volume/solve_coarsest" ["volume/shared/box", "volume/shared/cells"]
        => [PARAMS, Read, Read, Write];
    Restrict: "volume/restrict" ["volume/shared/box", "volume/shared/cells"]
        => [PARAMS, Read, Read, Read, Write, Write];
    Prolong: "volume/prolong" ["volume/shared/box"]
        => [PARAMS, Read, Read, Write];
    ResidualNorm: "volume/residual_norm" ["volume/shared/box", "volume/shared/cells", "volume/shared/sums"]
        => [PARAMS, Read, Read, Read, Write];
    SubtractGradient: "volume/subtract_gradient" ["volume/shared/box", "volume/shared/faces"]
        => [PARAMS, Read, Read, Write];
    FinishVelocity: "volume/finish_velocity" ["volume/shared/box"]
        => [PARAMS, Write, Write];
    Round: "volume/round" ["volume/shared/box"]
        => [PARAMS, Read, Write, Write];
}
