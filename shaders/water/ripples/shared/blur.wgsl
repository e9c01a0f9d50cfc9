// Blur of a cell of the plane `plane`.

const BLUR: u32 = 2u;

fn blur(x: i32, y: i32) -> i32 {
    let cell = y * params.width + x;
    let weights = BLUR * cells[cell].z;
    if weights == 0u {
        return 0;
    }
    var sum = Sum(0, vec3(0u));
    var rest = weights;
    for (var pipe = 0u; pipe < 8u; pipe++) {
        let far = around(x, y, pipe);
        if far.y > 0 {
            add(&sum, u32(far.y), plane[far.x]);
            rest -= u32(far.y);
        }
    }
    add(&sum, rest, plane[cell]);
    return mean(sum, weights);
}
