// Vorticity confinement (after Fedkiw, Stam and Jensen 2001) added to the faces of one axis: the formula is at
// `Operation::Force` in `sim/fluid/operation.rs`.
//
// numbers: strength.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> vorticities: array<f32>;
@group(0) @binding(2) var<storage, read> solid: array<f32>;
@group(0) @binding(3) var<storage, read_write> faces: array<f32>;

// |ω| of the cell `far`, a neighbour of `position`; 0 beyond a side without slip.
fn magnitude_at(position: vec2<i32>, far: vec2<i32>) -> f32 {
    if is_beyond_no_slip(0u, far.x) || is_beyond_no_slip(1u, far.y) {
        return 0.0;
    }
    return abs(vorticities[index(CELL, beside(position, far))]);
}

// The confinement force of a cell along the axis of the faces.
fn force(position: vec2<i32>) -> f32 {
    let at = vec2(clamped(CELL, 0u, position.x), clamped(CELL, 1u, position.y));
    let left = magnitude_at(at, at - vec2(1, 0));
    let right = magnitude_at(at, at + vec2(1, 0));
    let below = magnitude_at(at, at - vec2(0, 1));
    let above = magnitude_at(at, at + vec2(0, 1));
    let gradient = vec2(0.5 * (right - left), 0.5 * (above - below));
    let length = sqrt(gradient.x * gradient.x + gradient.y * gradient.y);
    let vorticity = vorticities[index(CELL, at)];
    let magnitude = abs(vorticity);
    let regularised = magnitude + 1e-6;
    let limited = max(0.0, regularised - 2.0 * length) / (regularised * ((length + 0.02 * magnitude) + 1e-6));
    let factor = limited * vorticity;
    return select(-gradient.x * factor, gradient.y * factor, STAGGERING == U);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let position = vec2<i32>(id.xy);
    if !is_inside(position) {
        return;
    }
    let both = force(position - unit(STAGGERING)) + force(position);
    faces[index(STAGGERING, position)] += params.numbers.x * (0.5 * both);
}
