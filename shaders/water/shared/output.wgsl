// Output of a pixel: the rows that the slab owns, without the ring, four channels a cell.

fn put(place: vec2<i32>, pixel: vec4<u32>) {
    let first = max(params.own_first, 1u);
    picture[(u32(place.y) - first) * params.width + u32(place.x) - 1u] = pixel;
}
