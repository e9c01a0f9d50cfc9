// What a rectangle of values does to those under it. Numbers: share. Area: first column and row, columns and rows.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> solid: array<f32>;
@group(0) @binding(2) var<storage, read> values: array<f32>;
@group(0) @binding(3) var<storage, read_write> planes: array<f32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let local = vec2<i32>(id.xy);
    let place = local + params.area.xy;
    if any(local >= params.area.zw) || !is_place(place) {
        return;
    }
    let here = index(STAGGERING, place);
    if has(SOLID) && STAGGERING == CELL && solid[here] > 0.0 {
        return;
    }
    let source = local.y * params.area.z + local.x;
    if has(STEER) {
        let before = planes[here];
        planes[here] = bounded(before + (values[2 * source] - before) * values[2 * source + 1]);
        return;
    }
    let count = select(1, 4, has(FOUR));
    if has(REPLACE) || has(FILL_UP) {
        let level = select(0.0, planes[4 * here + 3], has(FILL_UP));
        if values[4 * source + 3] > level {
            for (var nth = 0; nth < 4; nth++) {
                planes[4 * here + nth] = bounded(values[4 * source + nth]);
            }
        }
        return;
    }
    for (var nth = 0; nth < count; nth++) {
        let at = count * here + nth;
        planes[at] = bounded(planes[at] + params.numbers.x * values[count * source + nth]);
    }
}
