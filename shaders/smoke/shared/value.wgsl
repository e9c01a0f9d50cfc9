// Arithmetic on values.

// What is no number, told by its bits: drivers may take it that there is no such thing.
fn nothing(value: Value) -> Value {
    return select(value, Value(), (bitcast<Bits>(value) & Bits(0x7fffffffu)) > Bits(0x7f800000u));
}

// Within bounds, and a number.
fn bounded(value: Value) -> Value {
    return clamp(nothing(value), Value(-MOST), Value(MOST));
}

// The lesser; the second where one is no number.
fn least(a: Value, b: Value) -> Value {
    return select(b, a, a < b);
}

// The greater; the second where one is no number.
fn greatest(a: Value, b: Value) -> Value {
    return select(b, a, a > b);
}
