// Flows of a step before the outflow limit (`raw`), and after it; `shares` has the limits of the cells as factors.

fn share(cell: vec2<i32>) -> u32 {
    return shares[index(cell, 0u, 1u)];
}

fn raw_at(cell: vec2<i32>, plane: u32) -> i32 {
    return raw[index(cell, plane, params.planes)];
}

// Flow of a balanced pipe after the outflow limit of the cell that it leaves. A balanced pipe has one signed flow,
// positive from `owner` to `far`.
fn limited(owner: vec2<i32>, far: vec2<i32>, pipe: u32) -> i32 {
    let q = raw_at(owner, pipe);
    if q > 0 {
        return part_signed(q, share(owner));
    }
    if q < 0 {
        return part_signed(q, share(far));
    }
    return 0;
}

// Flows of a classic pipe after the outflow limits: from `owner` to `far`, and back. A classic pipe has two one-way
// flows.
fn limited_pair(owner: vec2<i32>, far: vec2<i32>, pipe: u32) -> vec2<i32> {
    let there = raw_at(owner, pipe);
    let back = raw_at(owner, pipe + 4u);
    return vec2(part_signed(there, share(owner)), part_signed(back, share(far)));
}

// Outflow and inflow of a cell along the pipe to its neighbour ahead (0) or behind (1).
fn out_and_in(cell: vec2<i32>, pipe: u32, behind: u32) -> vec2<i32> {
    if behind == 0u {
        let far = home(cell + ahead(pipe));
        if has(CLASSIC) {
            return limited_pair(cell, far, pipe);
        }
        let q = limited(cell, far, pipe);
        return vec2(max(q, 0), max(-q, 0));
    }
    let owner = home(cell - ahead(pipe));
    if has(CLASSIC) {
        return limited_pair(owner, cell, pipe).yx;
    }
    let q = limited(owner, cell, pipe);
    return vec2(max(-q, 0), max(q, 0));
}
