//! Solids of pictures: surfaces that a camera sees, thickened along its view.
//!
//! A position is in such a solid where the camera sees it at a pixel with a surface, and its distance along the axis of
//! the camera is that of the surface, or up to a thickness more. The solid of a frame stands still in the frame.

use std::fmt;
use std::sync::Arc;

use super::camera_view::CameraView;
use crate::sim::fingerprint::{Digest, Fingerprint};
use crate::sim::maths::clamp;
use crate::sim::request;

/// Farthest distance of a surface, and largest thickness.
const FAR: f64 = 1e9;

/// How much of a neighbourhood a solid covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cover {
    /// Nothing.
    None,
    /// An unknown part.
    Part,
    /// Everything.
    Whole,
}

/// The surfaces of the pixels in a block of a picture: the distance of the nearest one, infinite where there is none,
/// that of the farthest one, below 0 where there is none, and 1 if each pixel has a surface, else 0.
type Block = [f32; 3];

/// The block of no pixels.
const EMPTY: Block = [f32::INFINITY, f32::NEG_INFINITY, 1.0];

/// The block of two blocks.
fn joined(a: Block, b: Block) -> Block {
    [a[0].min(b[0]), a[1].max(b[1]), a[2].min(b[2])]
}

/// The block of a pixel.
fn block(distance: f32) -> Block {
    if distance < f32::INFINITY { [distance, distance, 1.0] } else { [f32::INFINITY, f32::NEG_INFINITY, 0.0] }
}

/// Blocks of a picture, rows from the lowest on.
#[derive(Clone, PartialEq)]
struct Level {
    size: [usize; 2],
    blocks: Vec<Block>,
}

/// The distance of the surface at each pixel, with blocks of 2, 4, 8, … pixels.
#[derive(Clone, PartialEq)]
pub struct Surfaces {
    size: [usize; 2],
    distances: Vec<f32>,
    levels: Vec<Level>,
}

impl Surfaces {
    /// The surfaces of a picture of `size` columns and rows, by the distance of each pixel; `None`, and distances that
    /// are not above 0 and finite, are no surface.
    pub fn new(size: [usize; 2], distance: impl Fn(usize) -> Option<f32>) -> Self {
        let mut distances = request::filled(size[0] * size[1], f32::INFINITY);
        for (at, to) in distances.iter_mut().enumerate() {
            *to = distance(at).filter(|distance| *distance > 0.0 && f64::from(*distance) < FAR).unwrap_or(*to);
        }
        let mut surfaces = Self { size, distances, levels: Vec::new() };
        let mut finer = size;
        while finer[0].max(finer[1]) > 1 {
            let size = finer.map(|count| count.div_ceil(2));
            let mut blocks = request::filled(size[0] * size[1], EMPTY);
            for (at, to) in blocks.iter_mut().enumerate() {
                let corner = [at % size[0], at / size[0]].map(|place| 2 * place);
                for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| (corner[0] + x, corner[1] + y)) {
                    if x < finer[0] && y < finer[1] {
                        *to = joined(*to, surfaces.block(surfaces.levels.len(), x + finer[0] * y));
                    }
                }
            }
            surfaces.levels.push(Level { size, blocks });
            finer = size;
        }
        surfaces
    }

    /// A block of 2^`level` pixels along each side.
    fn block(&self, level: usize, at: usize) -> Block {
        match level {
            0 => block(self.distances[at]),
            level => self.levels[level - 1].blocks[at],
        }
    }

    /// Distance of the surface at a place, pixels from the lower left corner; infinite where there is none.
    fn at(&self, place: [f64; 2]) -> f64 {
        let inside = (0..2).all(|axis| place[axis] >= 0.0 && place[axis] < self.size[axis] as f64);
        if !inside {
            return f64::INFINITY;
        }
        let [x, y] = place.map(|place| place as usize);
        f64::from(self.distances[x + self.size[0] * y])
    }

    /// A block that has at least the pixels from one place to another.
    fn between(&self, low: [f64; 2], high: [f64; 2]) -> Block {
        let mut all = EMPTY;
        let mut ends = [[0; 2]; 2];
        if self.distances.is_empty() {
            return block(f32::INFINITY);
        }
        for axis in 0..2 {
            let count = self.size[axis] as f64;
            // Written so that NaN is outside.
            if !(low[axis] >= 0.0 && high[axis] < count) {
                all[2] = 0.0;
            }
            if !(low[axis] < count && high[axis] >= 0.0) {
                return block(f32::INFINITY);
            }
            ends[axis] = [low[axis], high[axis]].map(|end| clamp(end, 0.0, count - 1.0) as usize);
        }
        let [[left, right], [bottom, top]] = ends;
        let longest = (right - left).max(top - bottom);
        let level = (0..self.levels.len()).find(|level| longest >> level <= 1).unwrap_or(self.levels.len());
        let columns = level.checked_sub(1).map_or(self.size[0], |level| self.levels[level].size[0]);
        for y in bottom >> level..=top >> level {
            for x in left >> level..=right >> level {
                all = joined(all, self.block(level, x + columns * y));
            }
        }
        all
    }
}

impl fmt::Debug for Surfaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surfaces").field("size", &self.size).finish_non_exhaustive()
    }
}

/// A solid of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectedSolid {
    camera: CameraView,
    /// The camera's [slopes](CameraView::slopes).
    slopes: [f64; 3],
    /// Thickness in the unit of distances, at least a cell.
    thickness: f64,
    /// Distance of the surface of a matte; `None` where the picture has the distances.
    matte: Option<f64>,
    /// The picture, which a frame that is simulated needs. Without one there is no solid.
    pub surfaces: Option<Arc<Surfaces>>,
}

impl ProjectedSolid {
    /// A solid before a camera, without its picture. `thickness`: in the unit of distances. `matte`: distance of the
    /// surface of a matte; `None` where the picture has the distances.
    pub fn new(camera: CameraView, thickness: f64, matte: Option<f64>) -> Self {
        let slopes = camera.slopes();
        // A thinner solid could lie between all faces and centres.
        let thickness = thickness.max(slopes[2]).min(FAR);
        Self { camera, slopes, thickness, matte, surfaces: None }
    }

    /// Distance of the surface of a matte; `None` where the picture has the distances.
    pub fn matte(&self) -> Option<f64> {
        self.matte
    }

    /// Whether a position lies in the solid.
    pub fn holds(&self, position: [f64; 3]) -> bool {
        let Some(surfaces) = &self.surfaces else { return false };
        let (place, distance) = self.camera.seen(position);
        if distance.is_nan() || distance <= self.camera.near {
            return false;
        }
        let surface = surfaces.at(place);
        surface <= distance && distance <= surface + self.thickness
    }

    /// How much of the ball of `radius` cells around a position the solid covers.
    pub fn cover(&self, position: [f64; 3], radius: f64) -> Cover {
        let Some(surfaces) = &self.surfaces else { return Cover::None };
        let (place, distance) = self.camera.seen(position);
        let [across, up, along] = self.slopes.map(|slope| slope * radius);
        let [least, most] = [distance - along, distance + along];
        if most.is_nan() || most <= self.camera.near {
            return Cover::None;
        }
        if least <= self.camera.near {
            return Cover::Part;
        }
        // With x the numerator and d the distance: |(x + δx)/(d + δd) − x/d| ≤ (|δx| + |x/d|·|δd|)/(d − |δd|).
        let reach = [0, 1].map(|axis| ([across, up][axis] + place[axis].abs() * along) / least);
        let [low, high] = [-1.0, 1.0].map(|sign| [0, 1].map(|axis| place[axis] + sign * reach[axis]));
        let [first, last, all] = surfaces.between(low, high);
        let [first, last] = [first, last].map(f64::from);
        if first > most || last + self.thickness < least {
            Cover::None
        } else if all == 1.0 && last <= least && first + self.thickness >= most {
            Cover::Whole
        } else {
            Cover::Part
        }
    }
}

impl Fingerprint for ProjectedSolid {
    fn enter(&self, digest: &mut Digest) {
        let Self { camera, slopes: _, thickness, matte, surfaces: _ } = self;
        camera.enter(digest);
        thickness.enter(digest);
        matte.enter(digest);
    }
}

/// The solids of pictures. Without any, nothing enters the fingerprint of the settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProjectedSolids(pub Vec<ProjectedSolid>);

impl Fingerprint for ProjectedSolids {
    fn enter(&self, digest: &mut Digest) {
        self.0.iter().for_each(|solid| solid.enter(digest));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A camera on the z axis, 100 cells in front of the picture's plane, where a pixel is a cell; 40 by 30 pixels.
    fn view(matte: Option<f64>, thickness: f64) -> ProjectedSolid {
        let distance = [0.0, 0.0, -1.0, 100.0];
        let across = |axis: usize, middle: f64| {
            let mut row = distance.map(|part| part * middle);
            row[axis] += 100.0;
            row[3] -= 100.0 * middle;
            row
        };
        let rows = [across(0, 20.0), across(1, 15.0), distance];
        ProjectedSolid::new(CameraView { rows, near: 1.0 }, thickness, matte)
    }

    const SIZE: [usize; 2] = [40, 30];

    /// Surfaces that lean, with holes and a step.
    fn rough(at: usize) -> Option<f32> {
        let [x, y] = [at % SIZE[0], at / SIZE[0]];
        let hole = (x > 25 && y > 20) || (x % 7 == 0 && y % 5 == 0);
        (!hole).then_some(90.0 + 0.5 * x as f32 - 0.25 * y as f32 + if x < 12 { 20.0 } else { 0.0 })
    }

    fn with(solid: ProjectedSolid, distance: impl Fn(usize) -> Option<f32>) -> ProjectedSolid {
        ProjectedSolid { surfaces: Some(Arc::new(Surfaces::new(SIZE, distance))), ..solid }
    }

    #[test]
    fn positions_behind_a_surface_are_solid_up_to_the_thickness() {
        let solid = with(view(Some(95.0), 10.0), |at| (at % 40 >= 20).then_some(95.0));
        assert!(!solid.holds([25.0, 15.0, 5.5]) && solid.holds([25.0, 15.0, 4.5]));
        assert!(solid.holds([25.0, 15.0, -4.5]) && !solid.holds([25.0, 15.0, -5.5]));
        assert!(!solid.holds([19.0, 15.0, 0.0]), "beside the matte");
        // At half the distance from the axis of the camera a pixel is half a cell.
        let near = with(view(None, 5.0), |at| (at % 40 >= 30).then_some(50.0));
        assert!(near.holds([25.5, 15.0, 48.0]) && !near.holds([24.5, 15.0, 48.0]));
        assert!(!solid.holds([25.0, 15.0, 150.0]), "behind the camera");
        assert!(!solid.holds([45.0, 15.0, 0.0]) && !solid.holds([f64::NAN; 3]), "outside the picture");
        assert!(!view(Some(95.0), 10.0).holds([25.0, 15.0, 0.0]), "without a picture");
    }

    #[test]
    fn a_cover_is_that_of_all_positions_of_the_ball() {
        let solid = with(view(None, 6.0), rough);
        let mut counts = [0; 3];
        for at in 0..9000 {
            let centre = [at % 30 * 2, at / 30 % 15 * 3, at / 450 * 3].map(f64::from);
            let centre = [centre[0] - 8.3, centre[1] - 6.6, centre[2] - 30.1];
            for radius in [0.75, 2.5] {
                let cover = solid.cover(centre, radius);
                counts[cover as usize] += 1;
                let inside = (0..27).filter(|corner| {
                    let offset = [corner % 3, corner / 3 % 3, corner / 9].map(|side| f64::from(side) - 1.0);
                    let length = offset.iter().map(|side| side * side).sum::<f64>().sqrt().max(1.0);
                    solid.holds([0, 1, 2].map(|axis| centre[axis] + radius * 0.999 * offset[axis] / length))
                });
                match cover {
                    Cover::None => assert_eq!(inside.count(), 0, "{centre:?}"),
                    Cover::Whole => assert_eq!(inside.count(), 27, "{centre:?}"),
                    Cover::Part => {}
                }
            }
        }
        assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
    }

    #[test]
    fn bad_pixels_and_numbers_are_no_solid() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -5.0, 1e30] {
            let solid = with(view(None, 10.0), |_| Some(bad));
            assert!(!solid.holds([20.0, 15.0, 0.0]), "{bad}");
            assert_eq!(solid.cover([20.0, 15.0, 0.0], 3.0), Cover::None, "{bad}");
        }
        let bad = ProjectedSolid::new(CameraView { rows: [[f64::NAN; 4]; 3], near: 1.0 }, f64::NAN, Some(f64::NAN));
        let bad = with(bad, |_| Some(90.0));
        assert!(!bad.holds([20.0, 15.0, 0.0]));
        assert_eq!(bad.cover([20.0, 15.0, 0.0], 1.0), Cover::None);
        let empty = ProjectedSolid { surfaces: Some(Arc::new(Surfaces::new([0, 0], |_| None))), ..view(None, 1.0) };
        assert!(!empty.holds([20.0, 15.0, 0.0]));
        assert_eq!(empty.cover([20.0, 15.0, 0.0], 1.0), Cover::None);
    }

    #[test]
    fn no_solid_enters_nothing_and_each_value_counts() {
        let of = |solids: Vec<ProjectedSolid>| {
            let mut digest = Digest::new("test");
            ProjectedSolids(solids).enter(&mut digest);
            digest.finish()
        };
        assert_eq!(of(Vec::new()), Digest::new("test").finish());
        let camera = view(None, 5.0).camera;
        let mut moved = camera;
        moved.rows[1][3] += 1.0;
        let all = [
            vec![view(None, 5.0)],
            vec![view(Some(95.0), 5.0)],
            vec![view(Some(96.0), 5.0)],
            vec![view(None, 6.0)],
            vec![view(None, 5.0), view(None, 5.0)],
            vec![ProjectedSolid::new(moved, 5.0, None)],
            vec![ProjectedSolid::new(CameraView { near: 2.0, ..camera }, 5.0, None)],
        ];
        let mut digests: Vec<u128> = all.into_iter().map(of).collect();
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), 7);
        assert_eq!(
            of(vec![with(view(None, 5.0), rough)]),
            of(vec![view(None, 5.0)]),
            "pixels have a hash of their own"
        );
    }
}
