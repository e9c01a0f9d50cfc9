// Applies a rectangle of values to a field: adds them, steers towards them, replaces, fills up, raises, or brings fuel.
//
// numbers: fraction of the values that is added. area: first column and row, columns and rows.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> solid: array<f32>;
@group(0) @binding(2) var<storage, read> values: array<f32>;
@group(0) @binding(3) var<storage, read_write> field: array<f32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let local = vec2<i32>(id.xy);
    let position = local + params.area.xy;
    if any(local >= params.area.zw) || !is_inside(position) {
        return;
    }
    let here = index(STAGGERING, position);
    if has(SOLID) && STAGGERING == CELL && solid[here] > 0.0 {
        return;
    }
    let source = local.y * params.area.z + local.x;
    if has(STEER) {
        let before = field[here];
        field[here] = sanitised(before + (values[2 * source] - before) * values[2 * source + 1]);
        return;
    }
    let count = select(1, 4, has(FOUR));
    if has(REPLACE) || has(FILL_UP) {
        let level = select(0.0, field[4 * here + 3], has(FILL_UP));
        if values[4 * source + 3] > level {
            for (var component = 0; component < 4; component++) {
                field[4 * here + component] = sanitised(values[4 * source + component]);
            }
        }
        return;
    }
    if has(FUEL) {
        let at = 4 * here;
        let flame = values[4 * source + 1];
        field[at] = sanitised(max(field[at], values[4 * source]));
        field[at + 1] = sanitised(max(field[at + 1], flame));
        field[at + 2] *= 1.0 - flame;
        return;
    }
    if has(RAISE) {
        for (var component = 0; component < count; component++) {
            let at = count * here + component;
            field[at] = sanitised(max(field[at], values[count * source + component]));
        }
        return;
    }
    for (var component = 0; component < count; component++) {
        let at = count * here + component;
        field[at] = sanitised(field[at] + params.numbers.x * values[count * source + component]);
    }
}
