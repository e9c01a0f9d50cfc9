// A value of a scalar field.

alias Value = f32;
alias Bits = u32;

// Temperature after cooling towards ambient. numbers: unused, fraction of the excess that is lost, ambient.
fn decayed(value: Value) -> Value {
    return value - params.numbers.y * excess(value, params.numbers.z);
}
