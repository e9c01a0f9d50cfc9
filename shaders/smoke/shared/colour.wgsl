// A value of the dye: colour times density in RGB, density in A.

alias Value = vec4<f32>;
alias Bits = vec4<u32>;

// Dye after dissipation. numbers: factor.
fn decayed(value: Value) -> Value {
    return value * params.numbers.x;
}
