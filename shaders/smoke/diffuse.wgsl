// Viscosity: one sweep of Chebyshev's iteration (Golub and Varga 1961) over the faces of one axis, from the iterates
// `field` and `next` to `next`.
//
// numbers: diffusion number, weight.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> solid: array<f32>;
@group(0) @binding(2) var<storage, read> rhs: array<f32>;
@group(0) @binding(3) var<storage, read> field: array<f32>;
@group(0) @binding(4) var<storage, read_write> next: array<f32>;

// Number of solid cells among the two at a face.
fn solids(position: vec2<i32>) -> f32 {
    if !has(SOLID) {
        return 0.0;
    }
    return solid[clamped_cell(position - unit(STAGGERING))] + solid[clamped_cell(position)];
}

// Whether the boundary conditions prescribe the velocity of a face.
fn is_prescribed(position: vec2<i32>) -> bool {
    let axis = STAGGERING;
    let low = boundary(2u * axis) == CLOSED && position[axis] == 0;
    let high = boundary(2u * axis + 1u) == CLOSED && position[axis] == params.size[axis];
    return low || high || solids(position) > 0.0;
}

// Whether `position` is a face of the grid along `axis`, or wraps to one.
fn is_neighbour(position: vec2<i32>, axis: u32) -> bool {
    return wraps(axis) || (position[axis] >= 0 && position[axis] < count(STAGGERING, axis));
}

fn inside(position: vec2<i32>) -> vec2<i32> {
    let on = STAGGERING;
    return vec2(clamped(on, 0u, position.x), clamped(on, 1u, position.y));
}

// Whether the face at `position`, a neighbour across its own direction, lies inside a solid.
fn is_solid(position: vec2<i32>, axis: u32) -> bool {
    return axis != STAGGERING && is_neighbour(position, axis) && solids(inside(position)) > 1.0;
}

// Whether the face at `position` is a wall without slip.
fn is_wall(position: vec2<i32>, axis: u32) -> bool {
    if axis != STAGGERING && !is_neighbour(position, axis) {
        return is_no_slip(2u * axis + select(0u, 1u, position[axis] > 0));
    }
    return !has(FREE_SLIP_SOLIDS) && is_solid(position, axis);
}

// The weight of the neighbour at the distance `by` along `axis` times its value, and the weight. A wall without slip is
// half a cell away: see `wall_share` in `sim/fluid/parameters.rs`.
fn neighbour(position: vec2<i32>, axis: u32, by: i32) -> vec2<f32> {
    let far = position + by * unit(axis);
    let wall = is_wall(far, axis);
    let on_grid = is_neighbour(far, axis);
    if (!on_grid && !wall) || (has(FREE_SLIP_SOLIDS) && is_solid(far, axis)) {
        return vec2(0.0);
    }
    let opposite = is_wall(position - by * unit(axis), axis);
    let weight = select(
        select(1.0, 4.0 / 3.0, opposite),
        select(8.0 / 3.0, 4.0, opposite),
        wall,
    );
    return vec2(select(0.0, weight * field[index(STAGGERING, inside(far))], on_grid), weight);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let position = vec2<i32>(id.xy);
    if !is_inside(position) {
        return;
    }
    let here = index(STAGGERING, position);
    if is_prescribed(position) {
        next[here] = rhs[here];
        return;
    }
    let columns = neighbour(position, 0u, -1) + neighbour(position, 0u, 1);
    let rows = neighbour(position, 1u, -1) + neighbour(position, 1u, 1);
    let sum = columns + rows;
    let number = params.numbers.x;
    let weight = params.numbers.y;
    let value = (rhs[here] + number * sum.x) / (1.0 + number * sum.y);
    if weight == 1.0 {
        next[here] = value;
    } else {
        let before = next[here];
        next[here] = (value - before) * weight + before;
    }
}
