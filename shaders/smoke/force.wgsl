// Drag, weight and lift on the faces of one axis, from the means of the two cells at each face.
//
// numbers: factor of velocity; weight and lift along the axis, per unit of density and of excess temperature; ambient
// temperature.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> field: array<f32>;
@group(0) @binding(2) var<storage, read> dye: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> temperature: array<f32>;
@group(0) @binding(4) var<storage, read_write> forced: array<f32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let position = vec2<i32>(id.xy);
    if !is_inside(position) {
        return;
    }
    let here = index(STAGGERING, position);
    let first = clamped_cell(position - unit(STAGGERING));
    let second = clamped_cell(position);
    let density = 0.5 * (dye[first].w + dye[second].w);
    var heat = 0.0;
    if has(TEMPERATURE) {
        let ambient = params.numbers.w;
        heat = 0.5 * (excess(temperature[first], ambient) + excess(temperature[second], ambient));
    }
    forced[here] = field[here] * params.numbers.x + (density * params.numbers.y + heat * params.numbers.z);
}
