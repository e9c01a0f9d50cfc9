// The box of a volume, and the parameters of every pass.

// Pipeline constants: each set of values is compiled into its own pipeline.
override FLAGS: u32 = 0u;
// Conditions at the sides, two bits each: low and high along x, y and z.
override SIDES: u32 = 0u;
// Axis normal to the faces of the pass.
override AXIS: u32 = 0u;

const CLOSED: u32 = 0u;
const OPEN: u32 = 1u;
const WRAPPED: u32 = 2u;

// The velocity is twice the projected one minus the velocity before the projection.
const REFLECTED: u32 = 1u;
// Viscous friction acts.
const VISCOUS: u32 = 2u;
// Cells have accelerations.
const ACCELERATED: u32 = 4u;
// Packs have cells of their own, finer than the velocity's.
const FINER: u32 = 8u;
// Force fields act.
const FIELDS: u32 = 16u;
// Vorticity confinement acts.
const CONFINED: u32 = 32u;
// Burning expands the gas.
const EXPANDING: u32 = 64u;
// Cells of odd x + y + z change.
const BLACK: u32 = 128u;
// Gases change with the emission of fuel.
const GASES: u32 = 256u;
// Emission adds density.
const ADD: u32 = 512u;
// Emission replaces density.
const REPLACE: u32 = 1024u;
// Gas radiates.
const RADIATES: u32 = 2048u;
// Solids cover faces.
const COVERED: u32 = 4096u;
// Solids move.
const MOVING: u32 = 8192u;
// Smoke has tints.
const TINTED: u32 = 16384u;
// Packs other than the scalars are rounded.
const OTHERS: u32 = 32768u;

struct Params {
    // Cells of the velocity, or of a level, along each axis.
    size: vec3<i32>,
    // Cells of packs along each side of a cell of the velocity.
    detail: i32,
    // First cell of the lattice.
    low: vec3<i32>,
    number: u32,
    // First value of a part, or the shift from another box.
    first: vec3<i32>,
    mode: u32,
    // Values of a part, of another box or of a coarser level.
    part: vec3<i32>,
    count: u32,
    wind: vec3<f32>,
    time: f32,
    numbers: vec4<f32>,
    more: vec4<f32>,
}

@group(0) @binding(0) var<uniform> params: Params;

fn has(flag: u32) -> bool {
    return (FLAGS & flag) != 0u;
}

// Condition at a side.
fn side(axis: u32, high: u32) -> u32 {
    return (SIDES >> (2u * (2u * axis + high))) & 3u;
}

fn wraps(axis: u32) -> bool {
    return side(axis, 0u) == WRAPPED;
}

fn unit(axis: u32) -> vec3<i32> {
    return vec3(i32(axis == 0u), i32(axis == 1u), i32(axis == 2u));
}

// Number of faces normal to `axis`, along each axis.
fn faces(axis: u32) -> vec3<i32> {
    return params.size + unit(axis);
}

// Index of a value in a box of `size` values.
fn index(at: vec3<i32>, size: vec3<i32>) -> i32 {
    return at.x + size.x * (at.y + size.y * at.z);
}

// Whether a value lies in a box of `size` values.
fn inside(at: vec3<i32>, size: vec3<i32>) -> bool {
    return all(at >= vec3(0)) && all(at < size);
}
