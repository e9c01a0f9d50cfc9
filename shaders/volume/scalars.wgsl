// A scalar of conjugate gradients from sums by workgroup. mode: which one. count: number of sums.

@group(0) @binding(1) var<storage, read> sums: array<f32>;
@group(0) @binding(2) var<storage, read_write> scalars: array<f32>;

// A quotient, or 0 where it is not finite.
fn quotient(a: f32, b: f32) -> f32 {
    let value = a / b;
    return select(0.0, value, (bitcast<u32>(value) & 0x7f800000u) != 0x7f800000u);
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
    var sum = 0.0;
    for (var at = lane; at < params.count; at += 256u) {
        sum += sums[at];
    }
    let all = workgroup_sum(lane, sum);
    if lane > 0u {
        return;
    }
    if params.mode == PRODUCT {
        // The right-hand side of the cycle is minus the residual.
        scalars[RATIO] = quotient(-all, scalars[PRODUCT]);
        scalars[PRODUCT] = -all;
    } else if params.mode == STEP {
        scalars[STEP] = quotient(scalars[PRODUCT], all);
    } else {
        scalars[params.mode] = all;
    }
}
