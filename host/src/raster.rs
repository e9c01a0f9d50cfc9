//! Lines over a picture.

use crate::overlay::{Line, Viewer};
use crate::{Image, RectI};

/// Draws a line over an image of a project with pixels of an aspect, with soft edges.
pub(crate) fn line(image: &mut Image, line: &Line, viewer: &Viewer, par: f64) {
    let place = |[x, y]: [f64; 2]| [x * viewer.scale.0 / par, y * viewer.scale.1];
    // Pixels of the screen and of the picture.
    let radius = f64::from(line.width) / 2.0 * (viewer.pixel.0 * viewer.scale.0);
    let points: Vec<[f64; 2]> = line.points.iter().copied().map(place).collect();
    let mut ends: Vec<[[f64; 2]; 2]> = points.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    if let (true, Some(first), Some(last)) = (line.closed, points.first(), points.last()) {
        ends.push([*last, *first]);
    }
    // Pixels shared by lines of one path are drawn once.
    let extent = radius + 1.0;
    let span = |axis: usize| {
        let low = points.iter().map(|point| point[axis]).fold(f64::INFINITY, f64::min) - extent;
        let high = points.iter().map(|point| point[axis]).fold(f64::NEG_INFINITY, f64::max) + extent;
        (low.floor() as i32, high.ceil() as i32)
    };
    let ((x1, x2), (y1, y2)) = (span(0), span(1));
    let touched = RectI::new(x1, y1, x2, y2).intersect(&image.bounds());
    for y in touched.y1..touched.y2 {
        for x in touched.x1..touched.x2 {
            let at = [f64::from(x) + 0.5, f64::from(y) + 0.5];
            let away = ends.iter().map(|ends| distance(at, *ends)).fold(f64::INFINITY, f64::min);
            let share = (radius + 0.5 - away).clamp(0.0, 1.0) as f32 * line.colour[3];
            if share > 0.0 {
                let [r, g, b, a] = image.pixel(x, y);
                let over = |under: f32, part: usize| under + (line.colour[part] - under) * share;
                image.set_pixel(x, y, [over(r, 0), over(g, 1), over(b, 2), a + (1.0 - a) * share]);
            }
        }
    }
}

/// Distance of a point from a line segment.
fn distance([x, y]: [f64; 2], [[ax, ay], [bx, by]]: [[f64; 2]; 2]) -> f64 {
    let (wx, wy) = (bx - ax, by - ay);
    let length = wx * wx + wy * wy;
    let share = if length > 0.0 { (((x - ax) * wx + (y - ay) * wy) / length).clamp(0.0, 1.0) } else { 0.0 };
    (x - ax - share * wx).hypot(y - ay - share * wy)
}
