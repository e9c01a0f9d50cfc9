// Arithmetic on values of one or four components.

// 0 in place of NaN. Tested by bits: drivers may assume that NaN does not occur.
fn without_nan(value: Value) -> Value {
    return select(value, Value(), (bitcast<Bits>(value) & Bits(0x7fffffffu)) > Bits(0x7f800000u));
}

// Clamped to ±VALUE_MAX; 0 for NaN.
fn sanitised(value: Value) -> Value {
    return clamp(without_nan(value), Value(-VALUE_MAX), Value(VALUE_MAX));
}

// The minimum; `b` where one is NaN.
fn least(a: Value, b: Value) -> Value {
    return select(b, a, a < b);
}

// The maximum; `b` where one is NaN.
fn greatest(a: Value, b: Value) -> Value {
    return select(b, a, a > b);
}
