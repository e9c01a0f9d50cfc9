//! The lines of a shape.

use std::f64::consts::TAU;

use super::shape::{Form, Grip, Shaft, Shape, between, corners, plus};
use crate::ofx::{Drawing, LineColour, Viewer};

/// Half the size of the cross in the middle, in the screen's pixels.
const CROSS: f64 = 9.0;
/// Half the side of the square on a grip.
const KNOB: f64 = 3.5;
/// Length of an arrow's head.
const HEAD: f64 = 10.0;
/// Sides of a circle.
const SIDES: usize = 72;
/// Widths of a line, and of the dark rim under it.
const LINE: f32 = 1.5;
const RIM: f32 = 3.5;

/// A line through points, of a grip that can be highlighted.
struct Path {
    grip: Option<Grip>,
    points: Vec<[f64; 2]>,
    closed: bool,
}

/// Draws a shape; the grip `hot` is highlighted.
pub fn draw(shape: &Shape, hot: Option<Grip>, viewer: &Viewer, drawing: &mut Drawing<'_>) {
    let paths = paths(shape, viewer);
    for path in &paths {
        drawing.path(LineColour::Outline, RIM, &path.points, path.closed);
    }
    for path in &paths {
        let ink = if path.grip.is_some() && path.grip == hot { LineColour::Active } else { LineColour::Deselected };
        drawing.path(ink, LINE, &path.points, path.closed);
    }
}

fn paths(shape: &Shape, viewer: &Viewer) -> Vec<Path> {
    let mut paths = Vec::new();
    let [dx, dy] = viewer.pixel;
    let centre = shape.centre;
    let mut add = |grip, points: Vec<[f64; 2]>, closed| paths.push(Path { grip, points, closed });
    match shape.form {
        Some(Form::Circle(radius)) => {
            add(Some(Grip::Rim), circle(centre, radius), true);
            for side in [[radius, 0.0], [0.0, radius], [-radius, 0.0], [0.0, -radius]] {
                add(Some(Grip::Rim), knob(plus(centre, side), viewer), true);
            }
        }
        Some(Form::Dial(radius)) => add(None, circle(centre, radius), true),
        Some(Form::Rectangle(size)) => {
            let corners = corners(centre, size);
            add(Some(Grip::Corner), corners.to_vec(), true);
            corners.into_iter().for_each(|corner| add(Some(Grip::Corner), knob(corner, viewer), true));
        }
        Some(Form::Box(corners)) => {
            // Two corners share an edge if they differ along one axis.
            for (low, axis) in (0..8_usize).flat_map(|corner| (0..3).map(move |axis| (corner, axis))) {
                if low >> axis & 1 == 0 {
                    add(None, vec![corners[low], corners[low | 1 << axis]], false);
                }
            }
        }
        None => {}
    }
    if let Some(Shaft { root, tip, inward }) = shape.shaft {
        add(Some(Grip::Tip), vec![root, tip], false);
        let (from, to) = if inward { (tip, root) } else { (root, tip) };
        if let Some(head) = head(from, to, viewer) {
            add(Some(Grip::Tip), head.to_vec(), false);
        }
        if inward {
            add(Some(Grip::Tip), knob(tip, viewer), true);
        }
    }
    if shape.movable {
        add(Some(Grip::Centre), vec![plus(centre, [-CROSS * dx, 0.0]), plus(centre, [CROSS * dx, 0.0])], false);
        add(Some(Grip::Centre), vec![plus(centre, [0.0, -CROSS * dy]), plus(centre, [0.0, CROSS * dy])], false);
        add(Some(Grip::Centre), knob(centre, viewer), true);
    }
    paths
}

fn circle(centre: [f64; 2], radius: f64) -> Vec<[f64; 2]> {
    let point = |side| {
        let (sin, cos) = (side as f64 / SIDES as f64 * TAU).sin_cos();
        plus(centre, [cos * radius, sin * radius])
    };
    (0..SIDES).map(point).collect()
}

fn knob(centre: [f64; 2], viewer: &Viewer) -> Vec<[f64; 2]> {
    corners(centre, viewer.pixel.map(|size| 2.0 * KNOB * size)).to_vec()
}

/// The head of an arrow: a barb, the point, a barb; `None` for an arrow without length.
fn head(from: [f64; 2], to: [f64; 2], viewer: &Viewer) -> Option<[[f64; 2]; 3]> {
    let [dx, dy] = viewer.pixel;
    let [x, y] = between(to, from);
    // On the screen, where both axes are alike.
    let [x, y] = [x / dx, y / dy];
    let length = x.hypot(y);
    if length < 1.0 {
        return None;
    }
    let [x, y] = [x / length * HEAD, y / length * HEAD];
    let barb = |side: f64| plus(to, [(x - side * y * 0.45) * dx, (y + side * x * 0.45) * dy]);
    Some([barb(1.0), to, barb(-1.0)])
}
