// Cubic interpolation of the field that is written. The pass binds `field`.

// Weights of four taps: Lagrange's cubic for velocities, Catmull and Rom's for cell values.
fn cubic_weights(t: f32) -> vec4<f32> {
    if STAGGERING != CELL {
        let inner = t * (1.0 - t);
        let outer = (1.0 + t) * (2.0 - t);
        return vec4(
            inner * (2.0 - t) * (-1.0 / 6.0),
            outer * (1.0 - t) * 0.5,
            outer * t * 0.5,
            inner * (1.0 + t) * (-1.0 / 6.0),
        );
    }
    return vec4(
        ((1.0 - 0.5 * t) * t - 0.5) * t,
        (1.5 * t - 2.5) * (t * t) + 1.0,
        ((2.0 - 1.5 * t) * t + 0.5) * t,
        (0.5 * t - 0.5) * (t * t),
    );
}

// The four columns or rows of a cubic stencil, from one before the sample position on.
fn cubic_taps(axis: u32, at: i32) -> vec4<i32> {
    let on = STAGGERING;
    return vec4(tap(on, axis, at - 1), tap(on, axis, at), tap(on, axis, at + 1), tap(on, axis, at + 2));
}

fn field_at(column: i32, row: i32) -> Value {
    return from_at(linear_index(STAGGERING, column, row));
}

// The cubic interpolant along a row: the sum of four taps times their weights.
fn cubic_row(columns: vec4<i32>, row: i32, weight: vec4<f32>) -> Value {
    let low = field_at(columns.x, row) * weight.x + field_at(columns.y, row) * weight.y;
    let high = field_at(columns.z, row) * weight.z + field_at(columns.w, row) * weight.w;
    return low + high;
}
