//! Forces: accelerations of cells, and their effect on faces.

use super::super::Cpu;
use super::super::wide::Do;
use super::force_points::ForcePoints;
use super::padded::Padded;
use super::vectors::{VectorPlane, Vectors};
use super::velocities::SourceVelocities;
use crate::sim::volume::plan::Forces;

/// Amount of smoke or heat from which on force fields have their full strength.
const STIRRED: f32 = 0.25;

/// Accelerations of cells.
pub(super) type Accelerations = Vectors<3>;

/// Packs of scalars by row.
pub(super) trait Rows: Sync {
    /// The packs of a row of cells.
    fn cells(&self, at: [usize; 2]) -> &[[f32; 4]];
}

impl Rows for Padded {
    fn cells(&self, [y, z]: [usize; 2]) -> &[[f32; 4]] {
        let at = self.at([0, y, z]);
        &self.packs()[at..at + self.size[0]]
    }
}

/// Writes the upward accelerations of a row of cells, given [y, z], and the share of the force fields that acts on
/// each.
pub(super) type Lift<'a> = &'a (dyn Fn([usize; 2], [&mut [f32]; 2]) + Sync);

/// The upward accelerations of a row of cells by their scalars, and the share of the force fields that acts on them.
pub(super) fn lift_row(cpu: &Cpu, forces: &Forces, scalars: &[[f32; 4]], [up, share]: [&mut [f32]; 2]) {
    cpu.isa.run(Do(
        #[inline(always)]
        || {
            let lift = forces.lift;
            for (to, of) in up.iter_mut().zip(scalars) {
                *to = (lift[0] * of[0] + lift[1] * of[1]) + (lift[2] * of[2] + lift[3] * of[3]);
            }
            if forces.fields.is_some() {
                for (to, [density, temperature, ..]) in share.iter_mut().zip(scalars) {
                    *to = (density.max(*temperature) * (1.0 / STIRRED)).min(1.0);
                }
            }
        },
    ));
}

/// Vorticity of the cells, per frame, and its magnitude.
fn vorticity(cpu: &Cpu, velocity: [&Padded; 3], size: [usize; 3]) -> (Vectors<3>, Vectors<1>) {
    let [columns, rows, _] = size;
    let mut to = Vectors::uninitialised(size, 0, cpu.memory());
    let mut magnitude = Vectors::uninitialised(size, 0, cpu.memory());
    let planes = to.planes_mut().into_iter().zip(magnitude.planes_mut()).collect();
    cpu.each(planes, |((z, vorticity), (_, [size])): (VectorPlane<'_, 3>, VectorPlane<'_, 1>)| {
        let [wx, wy, wz] = vorticity;
        for y in 0..rows {
            // A neighbour beyond the box is the layer's value.
            let line = |axis: usize, dy: isize, dz: isize, before: usize, after: usize| {
                let field = velocity[axis];
                let at = field.at([0, y, z]) as isize + field.stride() as isize * (dy + field.rows() as isize * dz);
                &field.values()[at as usize - before..at as usize + columns + after]
            };
            let to = y * columns..(y + 1) * columns;
            let (wx, wy) = (&mut wx[to.clone()], &mut wy[to.clone()]);
            let (wz, size) = (&mut wz[to.clone()], &mut size[to]);
            // Sums of the faces of neighbouring cells: four times the central difference.
            let [w0, w1, w2, w3] =
                [line(2, 1, 0, 0, 0), line(2, 1, 1, 0, 0), line(2, -1, 0, 0, 0), line(2, -1, 1, 0, 0)];
            let [v0, v1, v2, v3] =
                [line(1, 0, 1, 0, 0), line(1, 1, 1, 0, 0), line(1, 0, -1, 0, 0), line(1, 1, -1, 0, 0)];
            let [u0, u2] = [line(0, 0, 1, 0, 1), line(0, 0, -1, 0, 1)];
            let [u4, u6] = [line(0, 1, 0, 0, 1), line(0, -1, 0, 0, 1)];
            let [w4, w5] = [line(2, 0, 0, 1, 1), line(2, 0, 1, 1, 1)];
            let [v4, v5] = [line(1, 0, 0, 1, 1), line(1, 1, 0, 1, 1)];
            cpu.isa.run(Do(
                #[inline(always)]
                || {
                    for x in 0..columns {
                        let dw_dy = (w0[x] + w1[x]) - (w2[x] + w3[x]);
                        let dv_dz = (v0[x] + v1[x]) - (v2[x] + v3[x]);
                        let du_dz = (u0[x] + u0[x + 1]) - (u2[x] + u2[x + 1]);
                        let du_dy = (u4[x] + u4[x + 1]) - (u6[x] + u6[x + 1]);
                        let dw_dx = (w4[x + 2] + w5[x + 2]) - (w4[x] + w5[x]);
                        let dv_dx = (v4[x + 2] + v5[x + 2]) - (v4[x] + v5[x]);
                        let of = [dw_dy - dv_dz, du_dz - dw_dx, dv_dx - du_dy].map(|sum| 0.25 * sum);
                        wx[x] = of[0];
                        wy[x] = of[1];
                        wz[x] = of[2];
                        size[x] = (of[0] * of[0] + of[1] * of[1] + of[2] * of[2]).sqrt();
                    }
                },
            ));
        }
    });
    (to, magnitude)
}

/// Adds vorticity confinement (Fedkiw, Stam and Jensen 2001) to the accelerations of a row of cells with this vorticity.
fn confine(
    cpu: &Cpu,
    by: f32,
    ([wx, wy, wz], magnitude): ([&[f32]; 3], &Vectors<1>),
    [y, z]: [usize; 2],
    to: [&mut [f32]; 3],
) {
    let columns = wx.len();
    let [rows, planes] = [magnitude.rows(), magnitude.planes()];
    let row = |y: usize, z: usize| magnitude.row(0, [y, z]);
    let size = row(y, z);
    let (below, above) = (row(y.saturating_sub(1), z), row((y + 1).min(rows - 1), z));
    let (behind, front) = (row(y, z.saturating_sub(1)), row(y, (z + 1).min(planes - 1)));
    let [ax, ay, az] = to;
    cpu.isa.run(Do(
        #[inline(always)]
        || {
            for x in 0..columns {
                let left = size[x.max(1) - 1];
                let right = size[(x + 1).min(columns - 1)];
                let n = [right - left, above[x] - below[x], front[x] - behind[x]];
                let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
                let scale = by / (length + 1e-6);
                ax[x] += scale * (n[1] * wz[x] - n[2] * wy[x]);
                ay[x] += scale * (n[2] * wx[x] - n[0] * wz[x]);
                az[x] += scale * (n[0] * wy[x] - n[1] * wx[x]);
            }
        },
    ));
}

/// Accelerations of all cells of a box of this size by `forces` and the force fields, cells per frame²; `None` without
/// forces.
pub(super) fn accelerations(
    cpu: &Cpu,
    velocity: [&Padded; 3],
    lift: Lift<'_>,
    (forces, fields): (&Forces, Option<&ForcePoints<'_>>),
    size: [usize; 3],
) -> Option<Accelerations> {
    if fields.is_none() && forces.confinement == 0.0 && forces.lift == [0.0; 4] {
        return None;
    }
    let [columns, rows, _] = size;
    let places: Vec<_> = fields.iter().flat_map(|fields| (0..columns).map(|x| fields.place(0, x))).collect();
    // Accelerations take the place of the vorticity.
    let (mut to, magnitude) = if forces.confinement > 0.0 {
        let (vorticity, magnitude) = vorticity(cpu, velocity, size);
        (vorticity, Some(magnitude))
    } else {
        (Vectors::uninitialised(size, 0, cpu.memory()), None)
    };
    cpu.each(to.planes_mut(), |(z, plane): VectorPlane<'_, 3>| {
        let [ax, ay, az] = plane;
        let mut vorticity = [(); 3].map(|()| vec![0.0; columns]);
        let mut shares = vec![0.0; places.len()];
        let mut line = vec![[0.0; 3]; fields.map_or(0, |fields| fields.size[0])];
        for y in 0..rows {
            let to = y * columns..(y + 1) * columns;
            let (ax, ay, az) = (&mut ax[to.clone()], &mut ay[to.clone()], &mut az[to]);
            if magnitude.is_some() {
                vorticity.iter_mut().zip([&*ax, &*ay, &*az]).for_each(|(to, from)| to.copy_from_slice(from));
            }
            ax.fill(0.0);
            lift([y, z], [ay, &mut shares]);
            az.fill(0.0);
            if let Some(fields) = fields
                && let Some(first) = shares.iter().position(|share| *share > 0.0)
                && let Some(last) = shares.iter().rposition(|share| *share > 0.0)
            {
                fields.line(places[first].0..places[last].0 + 2, [y, z], &mut line);
                for x in first..=last {
                    let (share, (point, part)) = (shares[x], places[x]);
                    if share > 0.0 {
                        let [a, b] = [line[point], line[point + 1]];
                        ax[x] += share * (a[0] + (b[0] - a[0]) * part);
                        ay[x] += share * (a[1] + (b[1] - a[1]) * part);
                        az[x] += share * (a[2] + (b[2] - a[2]) * part);
                    }
                }
            }
            if let Some(magnitude) = &magnitude {
                let vorticity = vorticity.each_ref().map(|part| &part[..]);
                confine(cpu, forces.confinement, (vorticity, magnitude), [y, z], [ax, ay, az]);
            }
        }
    });
    Some(to)
}

/// The velocity to which forces are added.
pub(super) enum Base<'a> {
    /// The velocity itself.
    Plain,
    /// The reflection of the velocity across its projection: twice the projected velocity, which is given, minus the
    /// velocity.
    Reflected([&'a Padded; 3]),
}

/// The velocity (see `Base`) after forces over `time` frames; its layers of ghost values are unspecified. `by`: the
/// advecting velocity, with filled layers, whose Laplacian gives the viscous friction.
pub(super) fn forced(
    cpu: &Cpu,
    (by, velocity, base): ([&Padded; 3], [&Padded; 3], Base<'_>),
    accelerations: Option<&Accelerations>,
    sources: &SourceVelocities,
    forces: &Forces,
    time: f32,
) -> [Padded; 3] {
    // The relaxation to the wind is integrated exactly.
    let keep = libm::exp(-f64::from(forces.drag * time)) as f32;
    let friction = forces.viscosity * time;
    std::array::from_fn(|axis| {
        let from = velocity[axis];
        let size = from.size;
        let cells: [usize; 3] = std::array::from_fn(|along| size[along] - usize::from(along == axis));
        let mut to = Padded::uninitialised(size, 1, cpu.memory());
        let wind = forces.wind[axis];
        cpu.each(to.planes(), |mut plane| {
            let z = plane.z;
            for y in 0..size[1] {
                let to = plane.row(y);
                match &base {
                    Base::Plain => to.copy_from_slice(from.row([y, z])),
                    Base::Reflected(projected) => {
                        let (from, projected) = (from.row([y, z]), projected[axis].row([y, z]));
                        for ((to, from), projected) in to.iter_mut().zip(from).zip(projected) {
                            *to = 2.0 * projected - from;
                        }
                    }
                }
                if friction > 0.0 {
                    diffuse(cpu, by[axis], [y, z], friction, to);
                }
                if let Some(accelerations) = accelerations {
                    accelerate(accelerations, axis, [y, z], cells, time, to);
                }
                if keep < 1.0 {
                    to.iter_mut().for_each(|to| *to = wind + (*to - wind) * keep);
                }
                sources.blend(axis, [y, z], to);
            }
        });
        to
    })
}

/// Adds `by` times the Laplacian of a field to a row.
fn diffuse(cpu: &Cpu, field: &Padded, [y, z]: [usize; 2], by: f32, to: &mut [f32]) {
    let (values, at) = (field.values(), field.at([0, y, z]));
    let (stride, plane) = (field.stride(), field.stride() * field.rows());
    let row = |from: usize| &values[from..from + to.len()];
    let [here, left, right] = [row(at), row(at - 1), row(at + 1)];
    let [below, above, behind, front] = [row(at - stride), row(at + stride), row(at - plane), row(at + plane)];
    cpu.isa.run(Do(
        #[inline(always)]
        || {
            for x in 0..here.len() {
                let sum = (left[x] + right[x]) + (below[x] + above[x]) + (behind[x] + front[x]);
                to[x] += by * (sum - 6.0 * here[x]);
            }
        },
    ));
}

/// Adds the accelerations over `time` to a row of faces: the mean of both cells', at a border its one cell's.
fn accelerate(
    accelerations: &Accelerations,
    axis: usize,
    [y, z]: [usize; 2],
    cells: [usize; 3],
    time: f32,
    to: &mut [f32],
) {
    let sides = |at: usize| [at.max(1) - 1, at.min(cells[axis] - 1)];
    let rows = match axis {
        0 => {
            let row = accelerations.row(0, [y, z]);
            to[0] += time * row[0];
            to[row.len()] += time * row[row.len() - 1];
            for (to, pair) in to[1..].iter_mut().zip(row.windows(2)) {
                *to += 0.5 * time * (pair[0] + pair[1]);
            }
            return;
        }
        1 => sides(y).map(|y| [y, z]),
        _ => sides(z).map(|z| [y, z]),
    };
    let [a, b] = rows.map(|row| accelerations.row(axis, row));
    for ((to, a), b) in to.iter_mut().zip(a).zip(b) {
        *to += 0.5 * time * (a + b);
    }
}
