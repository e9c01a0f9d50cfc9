// Copies dye, with that of a solid cell the mean of the nearest fluid cells: the formula is at `Operation::FillSolids`
// in `sim/fluid/operation.rs`.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> solid: array<f32>;
@group(0) @binding(2) var<storage, read> dye: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> filled: array<vec4<f32>>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let position = vec2<i32>(id.xy);
    if !is_inside(position) {
        return;
    }
    let here = index(CELL, position);
    if !has(SOLID) || solid[here] == 0.0 {
        filled[here] = dye[here];
        return;
    }
    filled[here] = vec4(0.0);
    for (var distance = 1; distance <= 8; distance++) {
        var sum = vec4(0.0);
        var found = 0.0;
        for (var y = -distance; y <= distance; y++) {
            // All columns of the first and the last row, the ends of the others.
            let step = select(2 * distance, 1, abs(y) == distance);
            for (var x = -distance; x <= distance; x += step) {
                let there = clamped_cell(position + vec2(x, y));
                if solid[there] == 0.0 {
                    sum += dye[there];
                    found += 1.0;
                }
            }
        }
        if found > 0.0 {
            filled[here] = sum / found;
            return;
        }
    }
}
