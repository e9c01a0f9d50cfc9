// Viscosity: a sweep of Chebyshev's iteration over one kind of faces. Numbers: number, weight.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> solid: array<f32>;
@group(0) @binding(2) var<storage, read> rhs: array<f32>;
@group(0) @binding(3) var<storage, read> planes: array<f32>;
@group(0) @binding(4) var<storage, read_write> next: array<f32>;

// How many of the two cells at a face are solid.
fn solids(place: vec2<i32>) -> f32 {
    if !has(SOLID) {
        return 0.0;
    }
    return solid[near_cell(place - unit(STAGGERING))] + solid[near_cell(place)];
}

// Whether a face's velocity is given.
fn is_held(place: vec2<i32>) -> bool {
    let axis = STAGGERING;
    let low = edge(2u * axis) == CLOSED && place[axis] == 0;
    let high = edge(2u * axis + 1u) == CLOSED && place[axis] == params.size[axis];
    return low || high || solids(place) > 0.0;
}

// The neighbour at a place, where it is not across an edge.
fn is_neighbour(place: vec2<i32>, axis: u32) -> bool {
    return wraps(axis) || (place[axis] >= 0 && place[axis] < count(STAGGERING, axis));
}

fn inside(place: vec2<i32>) -> vec2<i32> {
    let on = STAGGERING;
    return vec2(near(on, 0u, place.x), near(on, 1u, place.y));
}

// Whether the neighbour at a place is in a solid that the air flows along.
fn is_solid(place: vec2<i32>, axis: u32) -> bool {
    return axis != STAGGERING && is_neighbour(place, axis) && solids(inside(place)) > 1.0;
}

// Whether the neighbour at a place is a wall that the air flows along without slip.
fn is_wall(place: vec2<i32>, axis: u32) -> bool {
    if axis != STAGGERING && !is_neighbour(place, axis) {
        return sticks(2u * axis + select(0u, 1u, place[axis] > 0));
    }
    return !has(FREE_SLIP_SOLIDS) && is_solid(place, axis);
}

// A neighbour's share times its value, and its share.
fn neighbour(place: vec2<i32>, axis: u32, by: i32) -> vec2<f32> {
    let far = place + by * unit(axis);
    let wall = is_wall(far, axis);
    let there = is_neighbour(far, axis);
    if (!there && !wall) || (has(FREE_SLIP_SOLIDS) && is_solid(far, axis)) {
        return vec2(0.0);
    }
    let opposite = is_wall(place - by * unit(axis), axis);
    let share = select(
        select(1.0, 4.0 / 3.0, opposite),
        select(8.0 / 3.0, 4.0, opposite),
        wall,
    );
    return vec2(select(0.0, share * planes[index(STAGGERING, inside(far))], there), share);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = vec2<i32>(id.xy);
    if !is_place(place) {
        return;
    }
    let here = index(STAGGERING, place);
    if is_held(place) {
        next[here] = rhs[here];
        return;
    }
    let columns = neighbour(place, 0u, -1) + neighbour(place, 0u, 1);
    let rows = neighbour(place, 1u, -1) + neighbour(place, 1u, 1);
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
