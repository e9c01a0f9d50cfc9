//! The raster of a node from the host's rectangles and scales.

use super::memory;
use super::node::GridSize;
use crate::ofx::{Error, Result};
use crate::picture::placement::{Axis, Placement};
use crate::sim::grid::Grid;
use crate::timeline::limits::Bound;

/// A rectangle `[x1, y1, x2, y2]` of the canonical plane (square full-resolution pixels, y up).
pub type Rect = [f64; 4];

/// Largest number of cells along one axis.
const MOST_SIDE: f64 = 16_384.0;

/// Tolerance in cells for rounding outward.
const SLACK: f64 = 1e-6;

/// Coordinates beyond this mean "infinite".
const INFINITE: f64 = 1e7;

/// Whether both sides of a rectangle are finite and of positive length.
pub fn is_proper(rect: &Rect) -> bool {
    let [x1, y1, x2, y2] = *rect;
    rect.iter().all(|v| v.is_finite() && v.abs() < INFINITE) && x1 < x2 && y1 < y2
}

/// A region of definition, clipped to the project along an infinite axis; `None` if the result is empty or infinite.
pub fn finite(rect: Rect, project: Option<Rect>) -> Option<Rect> {
    if is_proper(&rect) {
        return Some(rect);
    }
    let [px1, py1, px2, py2] = project?;
    let [x1, y1, x2, y2] = rect;
    let open = |v: f64| !v.is_finite() || v.abs() >= INFINITE;
    let cut = [
        if open(x1) { px1 } else { x1 },
        if open(y1) { py1 } else { y1 },
        if open(x2) { px2 } else { x2 },
        if open(y2) { py2 } else { y2 },
    ];
    is_proper(&cut).then_some(cut)
}

/// The bounding rectangle of two rectangles.
pub fn around([x1, y1, x2, y2]: Rect, other: Rect) -> Rect {
    [x1.min(other[0]), y1.min(other[1]), x2.max(other[2]), y2.max(other[3])]
}

/// A rectangle with margins to the left and right, and below and above.
pub fn widened([x1, y1, x2, y2]: Rect, [dx, dy]: [f64; 2]) -> Rect {
    [x1 - dx, y1 - dy, x2 + dx, y2 + dy]
}

/// A render scale; a factor outside the range of proxies becomes 1.
pub fn sane_scale(scale: [f64; 2]) -> [f64; 2] {
    scale.map(|s| if (1.0 / 4096.0..=64.0).contains(&s) { s } else { 1.0 })
}

/// A pixel aspect ratio; an impossible one becomes 1.
pub fn sane_aspect(aspect: f64) -> f64 {
    if aspect.is_finite() && aspect > 1e-3 && aspect < 1e3 { aspect } else { 1.0 }
}

/// The raster over a region at g cells per full-resolution pixel. Its corner is a multiple of the cell size from the
/// canonical origin, so that the cells of a scaled raster are the pixels of the scaled image.
pub fn raster(region: Rect, cells_per_pixel: f64) -> Grid {
    let g = cells_per_pixel;
    let [x1, y1, x2, y2] = region;
    let low = |v: f64| (v * g + SLACK).floor();
    let high = |v: f64| (v * g - SLACK).ceil();
    let [width, height] = [(high(x2) - low(x1)).max(1.0), (high(y2) - low(y1)).max(1.0)];
    Grid { width: width as usize, height: height as usize, origin: [low(x1) / g, low(y1) / g], cells_per_pixel: g }
}

/// Refuses a grid that is too large. `bytes`: memory of a cell during a step; `memory`: limit of the process.
///
/// # Errors
/// The grid has too many cells along an axis or in all; the error is a text for the artist.
pub fn check(GridSize { shape, fewer }: &GridSize, bytes: u32, (bound, memory): &(Bound, u64)) -> Result<()> {
    let cells = memory::cells(shape);
    if shape.iter().any(|side| *side as f64 > MOST_SIDE) {
        return Err(Error::message(format!(
            "The simulation grid would be {cells} cells; {MOST_SIDE} is the most on a side. {fewer}"
        )));
    }
    let needed = shape.iter().fold(f64::from(bytes), |bytes, side| bytes * *side as f64);
    if needed > *memory as f64 {
        return Err(Error::Memory(format!(
            "The simulation grid would be {cells} cells, which takes about {} of memory to simulate; {}. {fewer}{}",
            memory::size(needed as u64),
            memory::has(bound, *memory),
            if *bound == Bound::Machine { "" } else { " Or raise the limit." }
        )));
    }
    Ok(())
}

/// The position of a grid's cells.
pub fn placement(grid: &Grid) -> Placement {
    let size = 1.0 / grid.cells_per_pixel;
    Placement {
        x: Axis { start: grid.origin[0], size, count: grid.width },
        y: Axis { start: grid.origin[1], size, count: grid.height },
    }
}

/// The placement of the full-resolution pixels of a region, whose pixel aspect ratio is `aspect`.
pub fn pixels([x1, y1, x2, y2]: Rect, aspect: Option<f64>) -> Placement {
    let aspect = sane_aspect(aspect.unwrap_or(1.0));
    let mut pixels = placement(&raster([x1 / aspect, y1, x2 / aspect, y2], 1.0));
    (pixels.x.start, pixels.x.size) = (pixels.x.start * aspect, pixels.x.size * aspect);
    pixels
}

/// The rectangle that a grid covers.
pub fn frame(grid: &Grid) -> Rect {
    placement(grid).frame()
}

/// The scale of an image of a clip. Hosts state it in different places: the image only (Vegas), the action only
/// (Fusion), or neither (Resolve); the other places then have 1. The result is the first of the given scales at which
/// the clip's region of definition is as large as the image, or the first if none fits (an image smaller than its
/// clip).
pub fn image_scale(rod: Option<Rect>, bounds: [i32; 4], aspect: f64, offered: &[[f64; 2]]) -> [f64; 2] {
    let fallback = sane_scale(offered.first().copied().unwrap_or([1.0; 2]));
    let Some([x1, y1, x2, y2]) = rod.filter(is_proper) else { return fallback };
    let fits = |[sx, sy]: [f64; 2]| {
        let expected = [x1 * sx / aspect, y1 * sy, x2 * sx / aspect, y2 * sy];
        expected.iter().zip(bounds).all(|(want, have)| (want - f64::from(have)).abs() <= 2.0)
    };
    offered.iter().map(|scale| sane_scale(*scale)).find(|scale| fits(*scale)).unwrap_or(fallback)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ofx::Status;

    #[test]
    fn a_scaled_grid_lies_on_the_scaled_pixels() {
        let domain = [-7.0, 3.0, 1913.0, 1083.0];
        let full = raster(domain, 1.0);
        assert_eq!((full.width, full.height, full.origin), (1920, 1080, [-7.0, 3.0]));
        let half = raster(domain, 0.5);
        assert_eq!((half.width, half.height, half.origin), (961, 541, [-8.0, 2.0]));
        let pixels = Placement::of_pixels([-4, 1, 957, 542], [0.5, 0.5], 1.0);
        assert_eq!(placement(&half), pixels);
    }

    #[test]
    fn a_tiny_frame_has_one_cell_and_a_huge_one_an_error() {
        let tiny = raster([0.0, 0.0, 1.0, 1.0], 0.01);
        assert_eq!((tiny.width, tiny.height), (1, 1));
        let size = |Grid { width, height, .. }| GridSize { shape: vec![width, height], fewer: "Lower it." };
        let refused = |region, bound, memory| {
            let error = check(&size(raster(region, 4.0)), 256, &(bound, memory)).expect_err("too large");
            (error.status(), error.to_string())
        };
        let (_, message) = refused([0.0, 0.0, 8192.0, 10.0], Bound::Machine, u64::MAX);
        assert!(message.contains("32768 x 40") && message.ends_with("side. Lower it."), "{message}");
        let (status, message) = refused([0.0, 0.0, 3840.0, 2160.0], Bound::Machine, 16 << 30);
        assert!(
            message.contains("15360 x 8640") && message.ends_with("this machine has 16 GB. Lower it."),
            "{message}"
        );
        assert_eq!(status, Status::ERR_MEMORY);
        let (_, message) = refused([0.0, 0.0, 3840.0, 2160.0], Bound::AddressSpace, 3 << 30);
        assert!(message.ends_with("(ulimit -v) is limited to 3.0 GB. Lower it. Or raise the limit."), "{message}");
        assert_eq!(check(&size(tiny), 256, &(Bound::Machine, 256)), Ok(()));
        let box_of = |depth| GridSize { shape: vec![64, 32, depth], fewer: "Lower it." };
        assert_eq!(check(&box_of(16), 4, &(Bound::Machine, 131_072)), Ok(()));
        let error = check(&box_of(17), 4, &(Bound::Machine, 131_072)).expect_err("too large").to_string();
        assert!(error.contains("64 x 32 x 17 cells"), "{error}");
    }

    #[test]
    fn infinite_regions_become_the_project() {
        let project = Some([0.0, 0.0, 100.0, 50.0]);
        let infinity = f64::from(i32::MAX);
        assert_eq!(finite([-infinity, -infinity, infinity, infinity], project), project);
        assert_eq!(finite([10.0, 5.0, infinity, 40.0], project), Some([10.0, 5.0, 100.0, 40.0]));
        assert_eq!(finite([-infinity, 0.0, infinity, 1.0], None), None);
        assert_eq!(finite([5.0, 0.0, 5.0, 1.0], project), None);
    }

    #[test]
    fn a_wider_raster_has_the_cells_of_the_narrow_one() {
        let frame = [0.0, 0.0, 100.0, 50.0];
        let (narrow, wide) = (raster(frame, 0.5), raster(widened(frame, [16.0, 8.0]), 0.5));
        assert_eq!((wide.width, wide.height, wide.origin), (66, 33, [-16.0, -8.0]));
        assert_eq!(wide.frame([16.0, 8.0]).size, [narrow.width as f64, narrow.height as f64]);
    }

    #[test]
    fn two_rectangles_have_one_around_them() {
        assert_eq!(around([10.0, -5.0, 20.0, 30.0], [0.0, 0.0, 100.0, 25.0]), [0.0, -5.0, 100.0, 30.0]);
    }

    #[test]
    fn an_image_has_the_scale_at_which_it_fits_its_clip() {
        let rod = Some([0.0, 0.0, 960.0, 540.0]);
        let image = [0, 0, 240, 135];
        assert_eq!(image_scale(rod, image, 1.0, &[[0.25; 2], [1.0; 2]]), [0.25; 2]);
        assert_eq!(image_scale(rod, image, 1.0, &[[1.0; 2], [0.25; 2]]), [0.25; 2]);
        assert_eq!(image_scale(rod, [0, 0, 480, 540], 2.0, &[[1.0; 2]]), [1.0; 2]);
        assert_eq!(image_scale(rod, [10, 10, 50, 50], 1.0, &[[0.5; 2], [1.0; 2]]), [0.5; 2]);
        assert_eq!(image_scale(None, image, 1.0, &[[f64::NAN, -1.0]]), [1.0; 2]);
    }
}
