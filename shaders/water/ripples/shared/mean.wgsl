// Weighted means of any 32-bit integers, to the nearest, halves up. Weights sum up to 2^20 at most. Values are added up
// in digits of 11 bits, and the sum is divided digit by digit.

struct Sum {
    high: i32,
    middle: u32,
    low: u32,
}

fn add(sum: ptr<function, Sum>, weight: u32, value: i32) {
    (*sum).high += i32(weight) * (value >> 22u);
    (*sum).middle += weight * ((u32(value) >> 11u) & 2047u);
    (*sum).low += weight * (u32(value) & 2047u);
}

fn mean(sum: Sum, weights: u32) -> i32 {
    let divisor = i32(weights);
    var high = sum.high / divisor;
    var rest = sum.high - high * divisor;
    if rest < 0 {
        rest += divisor;
        high -= 1;
    }
    let middle = u32(rest) * 2048u + sum.middle;
    let low = (middle % weights) * 2048u + sum.low + weights / 2u;
    return (high << 22u) + i32((middle / weights) << 11u) + i32(low / weights);
}
