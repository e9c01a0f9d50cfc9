// What is carried, and the solid cells it is carried around.

fn from_at(at: i32) -> Value {
    return select(Value(), planes[max(at, 0)], at >= 0);
}

fn mixed(a: Value, b: Value, c: Value, d: Value, part: vec2<f32>) -> Value {
    let low = a + (b - a) * part.x;
    let high = c + (d - c) * part.x;
    return low + (high - low) * part.y;
}

// Held between the least and the greatest of four values, those without weight left out.
fn limited(value: Value, a: Value, b: Value, c: Value, d: Value, part: vec2<f32>) -> Value {
    let weights = weighted(part);
    let right = select(a, b, weights.y > 0.0);
    let over = select(a, c, weights.z > 0.0);
    let beyond = select(select(right, c, weights.z > 0.0), d, weights.w > 0.0);
    let held = greatest(value, least(least(a, right), least(over, beyond)));
    return least(held, greatest(greatest(a, right), greatest(over, beyond)));
}

// 1 where a value of a cell is in a solid.
fn solid_at(at: i32) -> f32 {
    return select(0.0, solid[max(at, 0)], at >= 0);
}

fn solids_at(at: vec4<i32>) -> vec4<f32> {
    return vec4(solid_at(at.x), solid_at(at.y), solid_at(at.z), solid_at(at.w));
}

// Solid cells hold nothing, and what is lost goes.
fn finished(value: Value, here: i32) -> Value {
    var kept = value;
    if has(DECAYS) {
        kept = lost(value);
    }
    if has(SOLID) && solid[here] > 0.0 {
        kept = Value();
    }
    return kept;
}
