// Products with coefficients in parts of 4096 and of 8192.

fn product(a: i32, coefficient: i32) -> i32 {
    let low = ((u32(a) & 4095u) * u32(coefficient) + 2048u) >> 12u;
    return (a >> 12u) * coefficient + i32(low);
}

fn half_product(a: i32, coefficient: i32) -> i32 {
    let low = ((u32(a) & 8191u) * u32(coefficient) + 4096u) >> 13u;
    return (a >> 13u) * coefficient + i32(low);
}
