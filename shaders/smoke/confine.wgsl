// Vorticity confinement on one kind of faces. Numbers: strength.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> curl: array<f32>;
@group(0) @binding(2) var<storage, read> solid: array<f32>;
@group(0) @binding(3) var<storage, read_write> faces: array<f32>;

// |ω| of the cell at a place beside another.
fn size_at(place: vec2<i32>, far: vec2<i32>) -> f32 {
    if is_still(0u, far.x) || is_still(1u, far.y) {
        return 0.0;
    }
    return abs(curl[index(CELL, beside(place, far))]);
}

// The force on a cell along the axis.
fn force(place: vec2<i32>) -> f32 {
    let at = vec2(near(CELL, 0u, place.x), near(CELL, 1u, place.y));
    let left = size_at(at, at - vec2(1, 0));
    let right = size_at(at, at + vec2(1, 0));
    let below = size_at(at, at - vec2(0, 1));
    let above = size_at(at, at + vec2(0, 1));
    let gradient = vec2(0.5 * (right - left), 0.5 * (above - below));
    let length = sqrt(gradient.x * gradient.x + gradient.y * gradient.y);
    let turn = curl[index(CELL, at)];
    let size = abs(turn);
    let held = size + 1e-6;
    let share = max(0.0, held - 2.0 * length) / (held * ((length + 0.02 * size) + 1e-6)) * turn;
    return select(-gradient.x * share, gradient.y * share, STAGGERING == U);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = vec2<i32>(id.xy);
    if !is_place(place) {
        return;
    }
    let both = force(place - unit(STAGGERING)) + force(place);
    faces[index(STAGGERING, place)] += params.numbers.x * (0.5 * both);
}
