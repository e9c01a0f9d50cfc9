// Bounds of the ripples, as in `src/sim/water/ripples/mod.rs`.

const DEVIATION: i32 = 0x400000;
const HEAD: i32 = 0x20000000;
const DROP: i32 = 0x8000000;
