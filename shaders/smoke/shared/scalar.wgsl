// A value is one number.

alias Value = f32;
alias Bits = u32;

// What is left of temperature once the air has cooled. Numbers: –, share that is lost, ambient.
fn lost(value: Value) -> Value {
    return value - params.numbers.y * excess(value, params.numbers.z);
}
