// Taps of a field. The pass binds `field`.

fn from_at(at: i32) -> Value {
    return select(Value(), field[max(at, 0)], at >= 0);
}

fn bilinear(a: Value, b: Value, c: Value, d: Value, fraction: vec2<f32>) -> Value {
    let low = a + (b - a) * fraction.x;
    let high = c + (d - c) * fraction.x;
    return low + (high - low) * fraction.y;
}

// `value` clamped to the range of the four bilinear taps that have a weight.
fn limited(value: Value, a: Value, b: Value, c: Value, d: Value, fraction: vec2<f32>) -> Value {
    let weights = has_weight(fraction);
    let right = select(a, b, weights.y > 0.0);
    let over = select(a, c, weights.z > 0.0);
    let beyond = select(select(right, c, weights.z > 0.0), d, weights.w > 0.0);
    let held = greatest(value, least(least(a, right), least(over, beyond)));
    return least(held, greatest(greatest(a, right), greatest(over, beyond)));
}
