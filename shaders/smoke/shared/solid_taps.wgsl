// Taps of the solid cells. The pass binds `solid`.

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
