// Outflow of a cell per frame along a pipe that the cell or its neighbour owns; the ring is part of the state.

// A flow ≥ 0 per step as a height per frame: the float nearest to the exact product.
fn per_frame(flow: i32) -> u32 {
    let factor = shown.per_frame;
    let product = wide(u32(flow), (factor & 0x7fffffu) | 0x800000u);
    let exponent = i32(factor >> 23u) - (127 + 23) - shown.unit_power;
    if product.y == 0u {
        return float_bits(product.x, exponent, false);
    }
    // The highest 32 bits, and whether more follow.
    let shift = u32(bit_length(product.y));
    let high = (product.y << (32u - shift)) | (product.x >> shift);
    return float_bits(high, exponent + i32(shift), (product.x & ((1u << shift) - 1u)) != 0u);
}

fn flow_ahead(cell: vec2<i32>, pipe: u32) -> u32 {
    return per_frame(max(flows[index(cell, pipe, params.planes)], 0));
}

fn flow_back(owner: vec2<i32>, pipe: u32) -> u32 {
    let back = flows[index(owner, select(pipe, pipe + 4u, has(CLASSIC)), params.planes)];
    return per_frame(select(max(-back, 0), back, has(CLASSIC)));
}
