// A value is colour and density.

alias Value = vec4<f32>;
alias Bits = vec4<u32>;

// What is left of dye. Numbers: factor.
fn lost(value: Value) -> Value {
    return value * params.numbers.x;
}
