//! A plane through a volume, which shows its values as they are simulated.

use half::f16;

use super::motion::Velocity;
use super::picture::Shot;
use crate::compute::cpu::Cpu;
use crate::picture::camera::Projection;
use crate::picture::catcher::along;
use crate::picture::masks::Masks;
use crate::sim::request;
use crate::sim::volume::fields::VolumeView;

/// Values of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SliceField {
    /// Density, temperature, fuel and soot.
    Scalars,
    /// Flame gas, its mean age in lives, fuel burnt per frame, and 0.
    Flame,
    /// Colour of the smoke, and density.
    Colour,
    /// Velocity along x, y and z, and speed; world units per frame.
    Velocity,
}

/// A plane across an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    /// 0 for x, 1 for y, 2 for z.
    pub axis: usize,
    /// Place along the axis: 0 at the low end of the box, 1 at the high end.
    pub place: f64,
    /// The values.
    pub field: SliceField,
}

/// Pixels of a slice through a view of a volume, rows from the lowest on, on the threads of `cpu`. A pixel has the value
/// of the cell at its middle, or the velocity interpolated there; 0 outside of the box, which begins at the origin of the
/// lattice and has `cells` cells of it, and where the scene hides the plane. `time_scale`: simulated frames
/// per frame.
pub fn slice_pixels(
    cpu: &Cpu,
    view: &VolumeView<'_>,
    (slice, cells, time_scale): (Slice, [usize; 3], f64),
    shot: &Shot<'_>,
) -> Vec<[f32; 4]> {
    let Shot { camera, grid, scene, pixels, .. } = *shot;
    let projection = Projection::new(camera, shot.frame());
    let masks = Masks::new(scene, &grid, &pixels);
    let mut velocity = Velocity::new(view);
    if let Some(velocity) = &mut velocity {
        velocity.time_scale = time_scale;
    }
    let cut = Cut { view, velocity, slice, cells };
    let mut picture = request::zeros(pixels.x.count * pixels.y.count);
    let rows = picture.chunks_mut(pixels.x.count.max(1)).enumerate().collect();
    cpu.each(rows, |(y, row): (usize, &mut [[f32; 4]])| {
        for (x, to) in row.iter_mut().enumerate() {
            let ray = projection.ray([pixels.x.middle(x), pixels.y.middle(y)]);
            let distance = cut.distance(ray.origin, ray.direction);
            // Written so that NaN is left out.
            if distance >= projection.near() && distance <= f64::from(masks.distance(x, y)) {
                *to = cut.value(along(&ray, distance)).unwrap_or_default();
            }
        }
    });
    picture
}

/// A plane through a view.
struct Cut<'a> {
    view: &'a VolumeView<'a>,
    velocity: Option<Velocity<'a>>,
    slice: Slice,
    cells: [usize; 3],
}

impl Cut<'_> {
    /// Distance of the plane along a ray; not finite where there is none.
    fn distance(&self, origin: [f64; 3], direction: [f64; 3]) -> f64 {
        let Slice { axis, place, .. } = self.slice;
        let lattice = self.view.lattice;
        let plane = lattice.origin[axis] + place * self.cells[axis] as f64 * lattice.spacing;
        (plane - origin[axis]) / direction[axis]
    }

    /// The value at a position of the plane; `None` outside of the box.
    fn value(&self, position: [f64; 3]) -> Option<[f32; 4]> {
        let VolumeView { lattice, bounds, scalars, gases, tints, .. } = *self.view;
        let axis = self.slice.axis;
        let mut cell = [0, 1, 2].map(|axis| (position[axis] - lattice.origin[axis]) / lattice.spacing);
        // Not the rounding of the position, and within the box at its end.
        cell[axis] = (self.slice.place * self.cells[axis] as f64).min(self.cells[axis] as f64 - 0.5);
        if (0..3).any(|axis| !(0.0..self.cells[axis] as f64).contains(&cell[axis])) {
            return None;
        }
        let index = || -> Option<usize> {
            let mut place = [0; 3];
            for axis in 0..3 {
                place[axis] = usize::try_from(cell[axis] as i64 - i64::from(bounds.low[axis])).ok()?;
                if place[axis] >= bounds.cells[axis] {
                    return None;
                }
            }
            Some(place[0] + bounds.cells[0] * (place[1] + bounds.cells[1] * place[2]))
        };
        let pack = |pack: &[[f16; 4]]| index().and_then(|at| pack.get(at)).map(|values| values.map(f32::from));
        let share = |part: f32, whole: f32| if whole > 0.0 { part / whole } else { 0.0 };
        let value = match self.slice.field {
            SliceField::Scalars => pack(scalars),
            SliceField::Flame => {
                gases.and_then(pack).map(|[flame, aged, burnt, _]| [flame, share(aged, flame), burnt, 0.0])
            }
            SliceField::Colour => pack(scalars).map(|[density, ..]| {
                let tint = tints.and_then(pack).unwrap_or_default();
                let [r, g, b] =
                    [0, 1, 2].map(|channel| if density > 0.0 { 1.0 - tint[channel] / density } else { 0.0 });
                [r, g, b, density]
            }),
            SliceField::Velocity => self.velocity.as_ref().filter(|_| index().is_some()).map(|field| {
                let velocity = field.at(position).map(|part| part as f32);
                let [x, y, z] = velocity;
                [x, y, z, velocity.iter().map(|part| part * part).sum::<f32>().sqrt()]
            }),
        };
        Some(value.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Placement;
    use crate::picture::camera::Camera;
    use crate::picture::masks::Scene;
    use crate::picture::placement::Axis;
    use crate::sim::volume::fields::{Bounds, Lattice};

    const SIZE: usize = 32;
    /// Cells of the box, and the first of those that are simulated.
    const CELLS: [usize; 3] = [16, 24, 16];
    const LOW: [i32; 3] = [0, 8, 8];
    const ACTIVE: [usize; 3] = [16, 16, 8];

    fn shot(depth: Option<&[[f32; 4]]>) -> Shot<'_> {
        let axis = Axis { start: 0.0, size: 1.0, count: SIZE };
        let pixels = Placement { x: axis, y: axis };
        Shot { camera: Camera::default(), shutter: &[], grid: pixels, scene: Scene { depth, holdout: None }, pixels }
    }

    /// Each cell has its place as its values; the velocity is that of a solid that turns.
    fn with_view(check: impl FnOnce(&VolumeView<'_>)) {
        let places = |[nx, ny, nz]: [usize; 3]| {
            (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])))
        };
        let scalars: Vec<[f16; 4]> =
            places(ACTIVE).map(|[x, y, z]| [x + 1, y + 8, z + 8, 7].map(|place| f16::from_f32(place as f32))).collect();
        let gases: Vec<[f16; 4]> = scalars.iter().map(|_| [0.5, 0.25, 2.0, 9.0].map(f16::from_f32)).collect();
        let tints: Vec<[f16; 4]> = scalars
            .iter()
            .map(|[density, ..]| [1.0, 0.5, 0.0, 0.0].map(|part| f16::from_f32(density.to_f32() * part)))
            .collect();
        let faces = [0, 1, 2].map(|axis| {
            let mut size = ACTIVE;
            size[axis] += 1;
            places(size).map(|[x, ..]| if axis == 1 { x as f32 } else { 0.0 }).collect::<Vec<_>>()
        });
        check(&VolumeView {
            // One cell is a pixel across, in the plane of the picture.
            lattice: Lattice { origin: [8.0, 4.0, -8.0], spacing: 1.0 },
            bounds: Bounds { low: LOW, cells: ACTIVE },
            detail: 1,
            scalars: &scalars,
            gases: Some(&gases),
            tints: Some(&tints),
            velocity: Some([&faces[0], &faces[1], &faces[2]]),
        });
    }

    fn at(picture: &[[f32; 4]], x: usize, y: usize) -> [f32; 4] {
        picture[x + SIZE * y]
    }

    #[test]
    fn a_slice_has_the_values_of_its_cells() {
        let cpu = Cpu::new(2);
        with_view(|view| {
            let of =
                |field, place| slice_pixels(&cpu, view, (Slice { axis: 2, place, field }, CELLS, 2.0), &shot(None));
            // The plane of the picture, at cell 8 along z.
            let scalars = of(SliceField::Scalars, 0.5);
            for x in 0..CELLS[0] {
                for y in 8..CELLS[1] {
                    assert_eq!(at(&scalars, 8 + x, 4 + y), [x as f32 + 1.0, y as f32, 8.0, 7.0], "cell {x}, {y}");
                }
            }
            assert_eq!(at(&scalars, 8, 11), [0.0; 4], "not simulated");
            for (x, y) in [(7, 20), (24, 20), (8, 28)] {
                assert_eq!(at(&scalars, x, y), [0.0; 4], "outside of the box");
            }
            assert_eq!(at(&of(SliceField::Flame, 0.5), 12, 16), [0.5, 0.5, 2.0, 0.0]);
            assert_eq!(at(&of(SliceField::Colour, 0.5), 12, 16), [0.0, 0.5, 1.0, 5.0]);
            let [x, y, z, speed] = at(&of(SliceField::Velocity, 0.5), 12, 16);
            assert!(x.abs() < 1e-4 && (y - 8.0).abs() < 1e-4 && z.abs() < 1e-4 && (speed - 8.0).abs() < 1e-4);
            assert!(of(SliceField::Scalars, 0.2).iter().all(|pixel| *pixel == [0.0; 4]), "tiles without contents");
            assert!(of(SliceField::Scalars, 1.0).iter().any(|pixel| pixel[2] == 15.0), "the last cells at the end");
        });
    }

    #[test]
    fn a_slice_is_hidden_by_what_is_before_it() {
        let cpu = Cpu::new(1);
        with_view(|view| {
            let slice = Slice { axis: 2, place: 0.5, field: SliceField::Scalars };
            let whole = slice_pixels(&cpu, view, (slice, CELLS, 1.0), &shot(None));
            let distance = Projection::new(Camera::default(), shot(None).frame()).ray([16.0; 2]).origin[2];
            let scene = |share: f64| vec![[(distance * share) as f32; 4]; SIZE * SIZE];
            let [near, far] = [0.9, 1.1].map(scene);
            let of = |depth| slice_pixels(&cpu, view, (slice, CELLS, 1.0), &shot(Some(depth)));
            assert!(of(&near).iter().all(|pixel| *pixel == [0.0; 4]));
            assert!(of(&far) == whole && whole.iter().any(|pixel| *pixel != [0.0; 4]));
            // Seen edge-on, a plane through the camera has no pixels.
            let edge = Slice { axis: 0, place: 0.5, ..slice };
            let edge = slice_pixels(&cpu, view, (edge, CELLS, 1.0), &shot(None));
            assert!(edge.iter().flatten().all(|part| part.is_finite()));
        });
    }
}
