// Quantities of the cells that determine the forces of a flame: share of the disturbance, velocity that shredding adds
// along x and y, relaxation to the updraft. The formulas are at `Operation::FlameForce` in `sim/fluid/operation.rs`.
//
// numbers: shredding, its largest velocity, length of the gradient, drag.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> solid: array<f32>;
@group(0) @binding(2) var<storage, read> temperature: array<f32>;
@group(0) @binding(3) var<storage, read> u: array<f32>;
@group(0) @binding(4) var<storage, read> v: array<f32>;
@group(0) @binding(5) var<storage, read_write> cells: array<vec4<f32>>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let position = vec2<i32>(id.xy);
    if !is_inside(position) {
        return;
    }
    let here = index(CELL, position);
    let heat = temperature[here];
    let gradient = 0.5 * vec2(
        temperature[near(position, vec2(1, 0))] - temperature[near(position, vec2(-1, 0))],
        temperature[near(position, vec2(0, 1))] - temperature[near(position, vec2(0, -1))],
    );
    let length = sqrt(gradient.x * gradient.x + gradient.y * gradient.y);
    var shredding = vec2(0.0);
    if length > 0.0 {
        let left = index(U, position);
        let below = index(V, position);
        let velocity = vec2(0.5 * (u[left] + u[left + 1]), 0.5 * (v[below] + v[below + params.size.x]));
        let normal = gradient / length;
        let along = clamp(velocity.x * normal.x + velocity.y * normal.y, -params.numbers.y, params.numbers.y);
        shredding = params.numbers.x * along * smoothstep(0.01, 0.06, length * params.numbers.z) * normal;
    }
    let disturbed = smoothstep(0.03, 0.15, heat) * (1.0 - smoothstep(0.75, 1.0, heat));
    let drag = 1.0 - exp(-params.numbers.w * (1.0 - smoothstep(0.05, 0.3, heat)));
    cells[here] = vec4(disturbed, shredding, drag);
}
