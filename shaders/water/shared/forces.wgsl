// Input of the acceleration: flows before the step, terrain, control maps. The pass binds `flows`, `base`, `control`
// and `step`.

// A flow or speed before the step.
fn flow_at(cell: vec2<i32>, plane: u32) -> i32 {
    let q = flows[index(cell, plane, params.planes)];
    if step.index == 0u && any(params.rescale != vec2(1u, 0u)) {
        return rescale(q, params.rescale);
    }
    return q;
}

fn ground(cell: vec2<i32>) -> i32 {
    if has(BASE) {
        return base[index(cell, 0u, 1u)];
    }
    return 0;
}

// Planes of the control maps, as in `src/sim/water/plan.rs`: per cell, the share of the acceleration (PULL), of the
// damping (LOSS), of a flow that an absorbing edge leaves (REST) and of the viscosity (SMOOTHING), in parts of 65536.
const PULL: u32 = 0u;
const LOSS: u32 = 1u;
const REST: u32 = 2u;
const SMOOTHING: u32 = 3u;
const CONTROL_PLANES: u32 = 4u;

// Control share of a cell: a factor in parts of 65536; WHOLE (1) without control maps.
fn own_share(cell: vec2<i32>, plane: u32) -> u32 {
    if has(CONTROL) {
        return control[index(cell, plane, CONTROL_PLANES)];
    }
    return WHOLE;
}

// Control share of a pipe: the mean of the shares of both cells.
fn share(ends: vec4<i32>, plane: u32) -> u32 {
    return (own_share(ends.xy, plane) + own_share(ends.zw, plane)) / 2u;
}

// Flow of a pipe, or speed of a face, after the damping and the absorbing edges.
fn kept(q: i32, ends: vec4<i32>) -> i32 {
    let damped = mul(q, params.keep);
    if !has(CONTROL) {
        return damped;
    }
    return part_signed(q - part_signed(q - damped, share(ends, LOSS)), share(ends, REST));
}
