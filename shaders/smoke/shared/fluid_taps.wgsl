// Interpolation beside solids and walls. The pass binds `field` and `solid`.

// Bilinear interpolation without solid taps: the other weights are divided by their sum. Where that is 0, the value at
// `here`.
fn bilinear_without_solids(
    a: Value,
    b: Value,
    c: Value,
    d: Value,
    fraction: vec2<f32>,
    fluid: vec4<f32>,
    here: i32,
) -> Value {
    let weights = bilinear_weights(fraction) * fluid;
    let sum = (weights.x + weights.y) + (weights.z + weights.w);
    if sum > 0.0 {
        return ((a * weights.x + b * weights.y) + (c * weights.z + d * weights.w)) * (1.0 / sum);
    }
    return field[here];
}

fn wall_or_solid(column: i32, row: i32) -> f32 {
    let on = STAGGERING;
    if on == CELL {
        return solid_at(linear_index(CELL, column, row));
    }
    return wall_at(on, column, row);
}

// Whether a tap of the 4 × 4 stencil that has a weight lies in a solid or in a wall.
fn any_solid(columns: vec4<i32>, rows: vec4<i32>, fraction: vec2<f32>) -> bool {
    var found = 0.0;
    for (var y = 0; y < 4; y++) {
        for (var x = 0; x < 4; x++) {
            if (x == 1 || fraction.x != 0.0) && (y == 1 || fraction.y != 0.0) {
                found += wall_or_solid(columns[x], rows[y]);
            }
        }
    }
    return found > 0.0;
}
