// Pipeline constants of every pass: each set of values is compiled into its own pipeline.

override FLAGS: u32 = 0u;
// Boundary conditions of the sides, two bits each: left, right, bottom, top.
override BOUNDARIES: u32 = 0u;

const CLOSED: u32 = 0u;
const OPEN: u32 = 1u;
const WRAP: u32 = 2u;

fn has(flag: u32) -> bool {
    return (FLAGS & flag) != 0u;
}

// Boundary condition of a side: left, right, bottom, top.
fn boundary(side: u32) -> u32 {
    return (BOUNDARIES >> (2u * side)) & 3u;
}
