// Shifts a field by whole cells; 0 where nothing moves in. area: the shift per axis.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> field: array<f32>;
@group(0) @binding(2) var<storage, read_write> moved: array<f32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let position = vec2<i32>(id.xy);
    if !is_inside(position) {
        return;
    }
    let wanted = position + params.area.xy;
    let found = all(wanted >= vec2(0)) && is_inside(wanted);
    let values = select(1, 4, has(FOUR));
    let to = index(STAGGERING, position) * values;
    let source = select(0, index(STAGGERING, wanted) * values, found);
    for (var component = 0; component < values; component++) {
        moved[to + component] = select(0.0, field[source + component], found);
    }
}
