// Boundary conditions of the faces of one axis: 0 at closed sides, the solid's velocity at solid cells; the last face
// of a wrapped axis repeats the first. Sums the squares of the changes at solids.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> solid: array<f32>;
@group(0) @binding(2) var<storage, read> solid_velocity: array<f32>;
@group(0) @binding(3) var<storage, read_write> faces: array<f32>;
@group(0) @binding(4) var<storage, read_write> sums: array<vec2<f32>>;

fn is_solid(cell: vec2<i32>) -> bool {
    let axis = STAGGERING;
    var at = cell;
    if wraps(axis) {
        at[axis] = modulo(at[axis], params.size[axis]);
    }
    if any(at < vec2(0)) || any(at >= params.size) {
        return false;
    }
    return solid[index(CELL, at)] > 0.0;
}

fn touches_solid(position: vec2<i32>) -> bool {
    return has(SOLID) && (is_solid(position - unit(STAGGERING)) || is_solid(position));
}

@compute @workgroup_size(32, 8)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let position = vec2<i32>(id.xy);
    var changed = 0.0;
    if is_inside(position) {
        let axis = STAGGERING;
        let here = index(axis, position);
        let repeats = wraps(axis) && position[axis] == params.size[axis];
        var source = position;
        if repeats {
            source[axis] = 0;
        }
        let low = boundary(2u * axis) == CLOSED && position[axis] == 0;
        let high = boundary(2u * axis + 1u) == CLOSED && position[axis] == params.size[axis];
        // The first face is read here only where its own invocation leaves it unchanged.
        if touches_solid(source) {
            let prescribed = solid_velocity[index(axis, source)];
            if !repeats {
                let before = select(faces[here], 0.0, low || high);
                changed = (before - prescribed) * (before - prescribed);
            }
            faces[here] = prescribed;
        } else if low || high {
            faces[here] = 0.0;
        } else if repeats {
            faces[here] = faces[index(axis, source)];
        }
    }
    reduce_workgroup(lane, group, groups, vec2(changed, 0.0));
}
