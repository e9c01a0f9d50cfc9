// Indices of the two cells next to a face; at a border that does not wrap, twice the inner cell.
fn cells_of_face(axis: u32, at: vec3<i32>) -> vec2<i32> {
    let n = params.size;
    let along = unit(axis);
    let coordinate = dot(at, along);
    let last = dot(n, along);
    var low = coordinate - 1;
    var high = coordinate;
    if coordinate == 0 {
        low = select(0, last - 1, wraps(axis));
    } else if coordinate == last {
        high = select(last - 1, 0, wraps(axis));
    }
    let rest = at * (vec3(1) - along);
    return vec2(index(rest + along * low, n), index(rest + along * high, n));
}
