// Faces at closed sides become 0, those that touch a solid cell its velocity, and the last ones of an axis that wraps
// follow the first. Sums the squares of what that changes at solids.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> solid: array<f32>;
@group(0) @binding(2) var<storage, read> given: array<f32>;
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

fn touches(place: vec2<i32>) -> bool {
    return has(SOLID) && (is_solid(place - unit(STAGGERING)) || is_solid(place));
}

@compute @workgroup_size(32, 8)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) nth: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let place = vec2<i32>(id.xy);
    var changed = 0.0;
    if is_place(place) {
        let axis = STAGGERING;
        let here = index(axis, place);
        let repeats = wraps(axis) && place[axis] == params.size[axis];
        var source = place;
        if repeats {
            source[axis] = 0;
        }
        let low = edge(2u * axis) == CLOSED && place[axis] == 0;
        let high = edge(2u * axis + 1u) == CLOSED && place[axis] == params.size[axis];
        // The first face is written only where it does not stay as it is: reading it here is safe.
        if touches(source) {
            let wanted = given[index(axis, source)];
            if !repeats {
                let before = select(faces[here], 0.0, low || high);
                changed = (before - wanted) * (before - wanted);
            }
            faces[here] = wanted;
        } else if low || high {
            faces[here] = 0.0;
        } else if repeats {
            faces[here] = faces[index(axis, source)];
        }
    }
    tally(nth, group, groups, vec2(changed, 0.0));
}
