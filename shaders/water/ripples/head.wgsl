// Heads of level 0: the blurred sum of the levels, the stencil of level 0, and viscosity.

@group(0) @binding(2) var<storage, read> plane: array<i32>;
@group(0) @binding(3) var<storage, read> pressed: array<i32>;
@group(0) @binding(4) var<storage, read> flow: array<i32>;
@group(0) @binding(5) var<storage, read> control: array<i32>;
@group(0) @binding(6) var<storage, read_write> head: array<i32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let x = i32(id.x);
    let y = i32(id.y);
    if x >= params.width || y >= params.height {
        return;
    }
    let cell = y * params.width + x;
    let count = params.width * params.height;
    if cells[cell].z == 0u {
        head[cell] = 0;
        return;
    }
    var faces = 0;
    var diagonals = 0;
    var net = 0;
    for (var pipe = 0u; pipe < 8u; pipe++) {
        let far = around(x, y, pipe);
        if far.y > 0 {
            let difference = pressed[cell] - pressed[far.x];
            if (pipe & 3u) < 2u {
                faces += difference;
                diagonals += (far.y / 256 - 4) * difference;
            } else {
                diagonals += 2 * difference;
            }
        }
        // A closed pipe may still have a flow, if a solid has just moved there.
        var offsets = OFFSETS;
        let owner = neighbour(x, y, offsets[pipe].x, offsets[pipe].y);
        if pipe < 4u {
            net -= flow[i32(pipe) * count + cell];
        } else if owner >= 0 {
            net += flow[i32(pipe & 3u) * count + owner];
        }
    }
    let local = product(pressed[cell], params.coefficients.x) + product(faces, params.coefficients.y)
        + half_product(diagonals, params.coefficients.z);
    var viscous = mul(clamp(net, -HEIGHT_MAX, HEIGHT_MAX), params.smoothing);
    if has(CONTROL) {
        viscous = part_signed(viscous, u32(control[3 * count + cell]));
    }
    head[cell] = clamp(blur(x, y) + local + viscous, -HEAD, HEAD);
}
