// Weighted means of any 32-bit integers, to the nearest, halves up. Weights sum up to 2^23 at most. Values are added up
// in digits of 8 bits, and the sum is divided digit by digit.

struct Sum {
    // The highest digit has the sign.
    top: i32,
    digits: vec3<u32>,
}

fn add(sum: ptr<function, Sum>, weight: u32, value: i32) {
    (*sum).top += i32(weight) * (value >> 24u);
    (*sum).digits += weight * ((vec3(u32(value)) >> vec3(16u, 8u, 0u)) & vec3(255u));
}

fn mean(sum: Sum, weights: u32) -> i32 {
    let divisor = i32(weights);
    var top = sum.top / divisor;
    var rest = sum.top - top * divisor;
    if rest < 0 {
        rest += divisor;
        top -= 1;
    }
    let high = u32(rest) * 256u + sum.digits.x;
    let middle = (high % weights) * 256u + sum.digits.y;
    let low = (middle % weights) * 256u + sum.digits.z + weights / 2u;
    return (top << 24u) + i32((high / weights) << 16u) + i32((middle / weights) << 8u) + i32(low / weights);
}
