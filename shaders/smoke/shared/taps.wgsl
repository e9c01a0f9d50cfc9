// Taps of the advected field, and of the solid cells.

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

// 1 in a solid cell, else 0.
fn solid_at(at: i32) -> f32 {
    return select(0.0, solid[max(at, 0)], at >= 0);
}

fn solids_at(at: vec4<i32>) -> vec4<f32> {
    return vec4(solid_at(at.x), solid_at(at.y), solid_at(at.z), solid_at(at.w));
}

// The value to store: after decay in the last pass; 0 in solid cells.
fn finish(value: Value, here: i32) -> Value {
    var kept = value;
    if has(DECAYS) {
        kept = decayed(value);
    }
    if has(SOLID) && solid[here] > 0.0 {
        kept = Value();
    }
    return kept;
}
