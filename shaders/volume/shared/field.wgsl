// Samples of the velocity `field`, with values beyond the sides: the wind beyond open ones, the nearest value beyond
// closed ones, the other end's beyond wrapped ones.

fn face(axis: u32, at: vec3<i32>) -> f32 {
    let n = faces(axis);
    var i = at;
    for (var a = 0u; a < 3u; a++) {
        if i[a] < 0 || i[a] >= n[a] {
            let condition = side(a, select(0u, 1u, i[a] >= 0));
            if condition == OPEN {
                return params.wind[axis];
            }
            if condition == CLOSED {
                i[a] = clamp(i[a], 0, n[a] - 1);
            } else {
                let period = params.size[a];
                i[a] = ((i[a] % period) + period) % period;
            }
        }
    }
    return field[face_index(axis, i)];
}

struct SamplePosition {
    // The value below.
    at: vec3<i32>,
    // Fractions above it.
    part: vec3<f32>,
}

// The sample position at a displacement from a value, at most one value beyond each side.
fn sample_position(axis: u32, at: vec3<i32>, offset: vec3<f32>) -> SamplePosition {
    let n = faces(axis);
    var by = offset;
    for (var a = 0u; a < 3u; a++) {
        let begin = f32(at[a]);
        if wraps(a) {
            let period = f32(params.size[a]);
            by[a] -= floor((begin + by[a]) / period) * period;
        }
        by[a] = clamp(by[a], -1.0 - begin, f32(n[a]) - begin);
    }
    let steps = floor(by);
    return SamplePosition(at + vec3<i32>(steps), by - steps);
}

struct Corners {
    low: vec4<f32>,
    high: vec4<f32>,
}

// The four values around a sample position in its plane and in the one above.
fn corners(axis: u32, at: vec3<i32>) -> Corners {
    return Corners(
        vec4(
            face(axis, at),
            face(axis, at + vec3(1, 0, 0)),
            face(axis, at + vec3(0, 1, 0)),
            face(axis, at + vec3(1, 1, 0)),
        ),
        vec4(
            face(axis, at + vec3(0, 0, 1)),
            face(axis, at + vec3(1, 0, 1)),
            face(axis, at + vec3(0, 1, 1)),
            face(axis, at + vec3(1, 1, 1)),
        ),
    );
}

// Trilinear interpolation.
fn sample(axis: u32, at: vec3<i32>, offset: vec3<f32>) -> f32 {
    let here = sample_position(axis, at, offset);
    let around = corners(axis, here.at);
    let square = around.low + (around.high - around.low) * here.part.z;
    let line = square.xy + (square.zw - square.xy) * here.part.y;
    return line.x + (line.y - line.x) * here.part.x;
}
