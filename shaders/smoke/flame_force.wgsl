// Forces of a flame on the faces of one axis, from the means of the two cells at each face.
//
// numbers: velocity per soot, fraction of the disturbance, updraft along the axis. more: gradient of the share of the
// updraft along x and y, the share at the origin.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> field: array<f32>;
// Results of `flame_cells`.
@group(0) @binding(2) var<storage, read> cells: array<vec4<f32>>;
// Fuel, flame gas, flame gas times its age, soot.
@group(0) @binding(3) var<storage, read> gas: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> disturbance: array<f32>;
@group(0) @binding(5) var<storage, read_write> forced: array<f32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let position = vec2<i32>(id.xy);
    if !is_inside(position) {
        return;
    }
    let here = index(STAGGERING, position);
    let first = clamped_cell(position - unit(STAGGERING));
    let second = clamped_cell(position);
    let mean = 0.5 * (cells[first] + cells[second]);
    var force = 0.5 * (gas[first].w + gas[second].w) * params.numbers.x;
    if has(DISTURBED) {
        force += mean.x * (disturbance[here] * params.numbers.y);
    }
    force += select(mean.z, mean.y, STAGGERING == U);
    let value = field[here] + force;
    let place = vec2<f32>(position) + select(vec2(0.5, 0.0), vec2(0.0, 0.5), STAGGERING == U);
    let share = clamp(params.more.x * place.x + (params.more.y * place.y + params.more.z), 0.0, 1.0);
    forced[here] = value + (params.numbers.z * share - value) * mean.w;
}
