//! A figure at a time: its position, its grips, and the values that a drag sets.

use super::super::controls::{Controls, Kind};
use super::super::geometry::Rect;
use super::super::presets::Value;
use super::super::values::Values;
use super::space::Anchor;
use super::{Arrow, Figure, Outline, Place, Space};
use crate::ofx::{Result, Viewer};

/// Largest distance of the pen at which it grips a point, in pixels of the screen.
const NEAR: f64 = 8.0;
/// Largest distance of the pen at which it grips a line, in pixels of the screen.
const NEAR_LINE: f64 = 5.0;
/// Radius of a dial, in the screen's pixels.
pub const DIAL: f64 = 44.0;
/// Least distance of a speed's arrow from the middle, so that its tip can be gripped.
const LEAST_REACH: f64 = 22.0;

/// A figure at a time, in canonical coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Its middle.
    pub centre: [f64; 2],
    /// Whether the middle can be dragged.
    pub movable: bool,
    /// Canonical pixels per unit of the lengths of its parameters.
    pub scale: f64,
    /// Its outline.
    pub form: Option<Form>,
    /// Its arrow.
    pub shaft: Option<Shaft>,
}

/// The outline of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// A circle of a radius.
    Circle(f64),
    /// A rectangle of a width and a height.
    Rectangle([f64; 2]),
    /// A circle that cannot be dragged.
    Dial(f64),
    /// The corners of a box, each axis from its lower to its upper side, the first axis fastest.
    Box([[f64; 2]; 8]),
}

/// An arrow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shaft {
    /// Its fixed end.
    pub root: [f64; 2],
    /// Its end that is dragged.
    pub tip: [f64; 2],
    /// Whether it points from the tip to the root.
    pub inward: bool,
}

/// The part of a shape that the pen grips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grip {
    /// The middle.
    Centre,
    /// The dragged end of an arrow.
    Tip,
    /// A corner of a rectangle.
    Corner,
    /// A circle.
    Rim,
}

/// The vector from one point to another.
pub fn between([x, y]: [f64; 2], [to_x, to_y]: [f64; 2]) -> [f64; 2] {
    [to_x - x, to_y - y]
}

/// A point plus a vector.
pub fn plus([x, y]: [f64; 2], [by_x, by_y]: [f64; 2]) -> [f64; 2] {
    [x + by_x, y + by_y]
}

/// The vector of a length in a direction, in degrees.
pub fn polar(degrees: f64, length: f64) -> [f64; 2] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    [cos * length, sin * length]
}

/// Canonical pixels per pixel of the screen: the geometric mean of both axes.
pub fn unit(viewer: &Viewer) -> f64 {
    (viewer.pixel[0] * viewer.pixel[1]).sqrt()
}

/// The corners of a rectangle around a point.
pub fn corners([x, y]: [f64; 2], [width, height]: [f64; 2]) -> [[f64; 2]; 4] {
    let (w, h) = (width / 2.0, height / 2.0);
    [[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]]
}

impl<Id: Controls> Figure<Id> {
    /// The shape of the figure in a frame, a node's space and a viewer; `None` behind the camera.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn shape(
        &self,
        values: &impl Values<Id>,
        frame: Rect,
        space: Option<&Space>,
        viewer: &Viewer,
    ) -> Result<Option<Shape>> {
        let (time, unit) = (viewer.time, unit(viewer));
        let double = |id| values.double(id, time);
        let Some((centre, scale)) = self.seen(values, frame, space, time)? else { return Ok(None) };
        let movable = match self.place {
            Place::Frame(_) => false,
            Place::AtDepth { position, .. } => anchor(space, position).is_none_or(|anchor| anchor.is_tracked),
            _ => true,
        };
        let form = match self.outline {
            // A radius without effect, such as that of an emitter whose shape is a file, has no circle.
            Some(Outline::Circle(id)) => match id.matters(values, time)? {
                true => Some(Form::Circle(double(id)?.max(0.0) * scale)),
                false => None,
            },
            Some(Outline::Rectangle(id)) => Some(Form::Rectangle(values.pair(id, time)?)),
            Some(Outline::Box) => space.and_then(edges),
            Some(Outline::Sides(sides)) => self.box_around(values, sides, space, time)?,
            None => self.dial().then_some(Form::Dial(DIAL * unit)),
        };
        let shaft = match self.arrow {
            Some(Arrow::Speed { direction, strength, frames }) => {
                let (degrees, root) = (double(direction)?, reach(form, unit));
                let tip = polar(degrees, root + double(strength)? * frames * scale);
                let root = polar(degrees, root);
                Some(Shaft { root: plus(centre, root), tip: plus(centre, tip), inward: false })
            }
            Some(Arrow::Turn { direction, choice, options }) if options.contains(&values.choice(choice, time)?) => {
                let tip = plus(centre, polar(double(direction)?, reach(form, unit)));
                Some(Shaft { root: centre, tip, inward: false })
            }
            Some(Arrow::Light { direction, elevation }) => {
                let length = DIAL * unit * double(elevation)?.to_radians().cos();
                Some(Shaft { root: centre, tip: plus(centre, polar(double(direction)?, length)), inward: true })
            }
            Some(Arrow::Turn { .. }) | None => None,
        };
        Ok(Some(Shape { centre, movable, scale, form, shaft }))
    }

    /// The place of its middle, and canonical pixels per unit of its lengths; `None` behind the camera.
    fn seen(
        &self,
        values: &impl Values<Id>,
        [x1, y1, x2, y2]: Rect,
        space: Option<&Space>,
        time: f64,
    ) -> Result<Option<([f64; 2], f64)>> {
        Ok(match (self.place, space) {
            (Place::Frame([x, y]), _) => Some(([x1 + (x2 - x1) * x, y1 + (y2 - y1) * y], 1.0)),
            (Place::InBox(_), None) => None,
            (Place::InBox(id), Some(space)) => {
                let seen = space.project(space.of_box(values.triple(id, time)?));
                seen.map(|seen| (seen.place, seen.scale * space.unit()))
            }
            (_, space) => {
                let [x, y, z] = self.scene(values, space, time)?;
                match space {
                    Some(space) => space.project([x, y, z]).map(|seen| (seen.place, seen.scale)),
                    None => Some(([x, y], 1.0)),
                }
            }
        })
    }

    /// Its position in the scene, where it has one in pixels.
    fn scene(&self, values: &impl Values<Id>, space: Option<&Space>, time: f64) -> Result<[f64; 3]> {
        let at = |position, depth| -> Result<[f64; 3]> {
            let [x, y] = values.pair(position, time)?;
            Ok([x, y, values.double(depth, time)?])
        };
        Ok(match self.place {
            Place::At(id) => {
                let [x, y] = values.pair(id, time)?;
                [x, y, 0.0]
            }
            Place::AtDepth { position, depth } => match anchor(space, position) {
                Some(anchor) => anchor.position,
                None => at(position, depth)?,
            },
            Place::Beside { offset, depth, of: [position, origin] } => {
                let from = match anchor(space, position) {
                    Some(anchor) => anchor.position,
                    None => at(position, origin)?,
                };
                let by = at(offset, depth)?;
                std::array::from_fn(|axis| from[axis] + by[axis])
            }
            Place::InBox(_) | Place::Frame(_) => [0.0; 3],
        })
    }

    /// A box of these sides around its position; `None` where a corner is behind the camera.
    fn box_around(
        &self,
        values: &impl Values<Id>,
        sides: [Id; 3],
        space: Option<&Space>,
        time: f64,
    ) -> Result<Option<Form>> {
        let centre = self.scene(values, space, time)?;
        let mut halves = [0.0; 3];
        for (half, side) in halves.iter_mut().zip(sides) {
            *half = values.double(side, time)? / 2.0;
        }
        let bounds = [-1.0, 1.0].map(|sign| std::array::from_fn(|axis| centre[axis] + sign * halves[axis]));
        Ok(box_of(bounds, |[x, y, z]| match space {
            Some(space) => space.project([x, y, z]).map(|seen| seen.place),
            None => Some([x, y]),
        }))
    }

    /// Whether its arrow is on a dial.
    fn dial(&self) -> bool {
        matches!(self.arrow, Some(Arrow::Light { .. }))
    }

    /// The parameter values with which the grip is at a point.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn drag(
        &self,
        values: &impl Values<Id>,
        shape: &Shape,
        grip: Grip,
        to: [f64; 2],
        space: Option<&Space>,
        viewer: &Viewer,
    ) -> Result<Vec<(Id, Value)>> {
        let unit = unit(viewer);
        // A step of a length that is no finer than the screen.
        let step = unit / shape.scale.max(1e-9);
        let way = between(shape.centre, to);
        let length = way[0].hypot(way[1]);
        let position = |id, at: [f64; 2]| {
            let steps = viewer.pixel.map(|pixel| pixel / shape.scale.max(1e-9));
            (id, Value::Pair([rounded(at[0], steps[0]), rounded(at[1], steps[1])]))
        };
        let number = |id: Id, value: f64, step: f64| (id, Value::Double(within(id, rounded(value, step))));
        // Of the equivalent angles the one nearest to the previous value, so that interpolation between keys takes the
        // short way.
        let angle = |id: Id| -> Result<(Id, Value)> {
            let before = values.double(id, viewer.time)?;
            let turn = way[1].atan2(way[0]).to_degrees() - before;
            Ok(number(id, before + turn - 360.0 * (turn / 360.0).round(), 0.1))
        };
        Ok(match (grip, self.place, self.outline, self.arrow) {
            (Grip::Centre, Place::At(id), ..) => vec![position(id, to)],
            (Grip::Centre, Place::AtDepth { position: id, .. }, ..) if anchor(space, id).is_some() => {
                vec![position(id, to)]
            }
            (Grip::Centre, Place::AtDepth { position: id, depth }, ..) => {
                let depth = values.double(depth, viewer.time)?;
                let at = space.map_or(Some(to), |space| space.at_depth(depth, to));
                at.map(|at| position(id, at)).into_iter().collect()
            }
            (Grip::Centre, Place::Beside { offset, depth, of: [origin, behind] }, ..) => {
                let [x, y, z] = match anchor(space, origin) {
                    Some(anchor) => anchor.position,
                    None => {
                        let [x, y] = values.pair(origin, viewer.time)?;
                        [x, y, values.double(behind, viewer.time)?]
                    }
                };
                let depth = z + values.double(depth, viewer.time)?;
                let at = space.map_or(Some(to), |space| space.at_depth(depth, to));
                at.map(|at| position(offset, between([x, y], at))).into_iter().collect()
            }
            (Grip::Centre, Place::InBox(id), ..) => {
                let from = values.triple(id, viewer.time)?;
                let at = space.and_then(|space| space.moved(from, to));
                at.map(|at| (id, Value::Triple(at.map(|side| within(id, rounded(side, step)))))).into_iter().collect()
            }
            (Grip::Rim, _, Some(Outline::Circle(id)), _) => vec![number(id, length / shape.scale.max(1e-9), step)],
            (Grip::Corner, _, Some(Outline::Rectangle(id)), _) => {
                let size = [0, 1].map(|axis| within(id, rounded(2.0 * way[axis].abs(), viewer.pixel[axis])));
                vec![(id, Value::Pair(size))]
            }
            (Grip::Tip, .., Some(Arrow::Speed { direction, strength, frames })) => {
                let speed = (length - reach(shape.form, unit)).max(0.0) / frames / shape.scale.max(1e-9);
                vec![angle(direction)?, number(strength, speed, step / frames)]
            }
            (Grip::Tip, .., Some(Arrow::Turn { direction, .. })) => {
                vec![angle(direction)?]
            }
            (Grip::Tip, .., Some(Arrow::Light { direction, elevation })) => {
                let height = (length / (DIAL * unit)).min(1.0).acos().to_degrees();
                // A light from below stays there.
                let side = if values.double(elevation, viewer.time)? < 0.0 { -1.0 } else { 1.0 };
                vec![angle(direction)?, number(elevation, height * side, 0.1)]
            }
            _ => Vec::new(),
        })
    }
}

/// The anchor of a position parameter in a space.
fn anchor<Id: Controls>(space: Option<&Space>, position: Id) -> Option<Anchor> {
    space.and_then(|space| space.anchor(position.control().name))
}

/// The edges of the box of a space; `None` where a corner is behind the camera.
fn edges(space: &Space) -> Option<Form> {
    box_of(space.bounds, |corner| space.project(space.of_box(corner)).map(|seen| seen.place))
}

/// The edges of a box between two opposite corners, given the place of a position.
fn box_of(bounds: [[f64; 3]; 2], seen: impl Fn([f64; 3]) -> Option<[f64; 2]>) -> Option<Form> {
    let mut corners = [[0.0; 2]; 8];
    for (which, corner) in corners.iter_mut().enumerate() {
        let side = |axis: usize| bounds[which >> axis & 1][axis];
        *corner = seen([0, 1, 2].map(side))?;
    }
    Some(Form::Box(corners))
}

/// Distance of a speed's arrow from the middle.
fn reach(form: Option<Form>, unit: f64) -> f64 {
    let least = LEAST_REACH * unit;
    if let Some(Form::Circle(radius)) = form { radius.max(least) } else { least }
}

/// A number rounded to the decimals of a step.
fn rounded(value: f64, step: f64) -> f64 {
    let places = (-step.log10()).ceil().clamp(-6.0, 6.0);
    let scale = 10.0_f64.powf(places);
    (value * scale).round() / scale
}

/// A value clamped to the parameter's range.
fn within(id: impl Controls, value: f64) -> f64 {
    match id.control().kind {
        Kind::Double { range: [low, high], .. }
        | Kind::Vector { range: [low, high], .. }
        | Kind::Triple { range: [low, high], .. } => value.clamp(low, high),
        _ => value,
    }
}

impl Shape {
    /// The grip under the pen, and its distance in the screen's pixels; points precede lines.
    pub fn grip(&self, pen: [f64; 2], viewer: &Viewer) -> Option<(Grip, f64)> {
        let distance = |grip| {
            let [x, y] = between(self.anchor(grip, pen)?, pen);
            Some((grip, (x / viewer.pixel[0]).hypot(y / viewer.pixel[1])))
        };
        let points = [Grip::Tip, Grip::Centre, Grip::Corner].into_iter().filter_map(distance);
        let nearest = points.filter(|(_, away)| *away <= NEAR).min_by(|(_, a), (_, b)| a.total_cmp(b));
        nearest.or_else(|| distance(Grip::Rim).filter(|(_, away)| *away <= NEAR_LINE))
    }

    /// The point of a grip that is nearest to the pen; `None` where the shape has no such grip.
    pub fn anchor(&self, grip: Grip, pen: [f64; 2]) -> Option<[f64; 2]> {
        match (grip, self.form) {
            (Grip::Centre, _) => self.movable.then_some(self.centre),
            (Grip::Tip, _) => self.shaft.map(|shaft| shaft.tip),
            (Grip::Corner, Some(Form::Rectangle(size))) => {
                let away = |corner: &[f64; 2]| {
                    let [x, y] = between(*corner, pen);
                    x.hypot(y)
                };
                corners(self.centre, size).into_iter().min_by(|a, b| away(a).total_cmp(&away(b)))
            }
            (Grip::Rim, Some(Form::Circle(radius))) => {
                let [x, y] = between(self.centre, pen);
                let away = x.hypot(y);
                let [x, y] = if away > 0.0 { [x / away, y / away] } else { [1.0, 0.0] };
                Some(plus(self.centre, [x * radius, y * radius]))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEWER: Viewer = Viewer { time: 1.0, pixel: [0.5, 0.5] };

    #[test]
    fn the_pen_takes_the_nearest_point_and_then_a_line() {
        let shaft = Shaft { root: [10.0, 0.0], tip: [40.0, 0.0], inward: false };
        let form = Some(Form::Circle(10.0));
        let shape = Shape { centre: [0.0; 2], movable: true, scale: 1.0, form, shaft: Some(shaft) };
        let grip = |x, y| shape.grip([x, y], &VIEWER).map(|(grip, _)| grip);
        assert_eq!(grip(1.0, 1.0), Some(Grip::Centre));
        assert_eq!(grip(38.0, 1.0), Some(Grip::Tip));
        assert_eq!(grip(0.0, 11.0), Some(Grip::Rim));
        assert_eq!(grip(0.0, 18.0), None);
        // The same way from the rim on a screen that shows more.
        assert_eq!(
            shape.grip([0.0, 18.0], &Viewer { pixel: [2.0, 2.0], ..VIEWER }).map(|(grip, _)| grip),
            Some(Grip::Rim)
        );
        assert_eq!(Shape { movable: false, ..shape }.grip([1.0, 1.0], &VIEWER), None);
    }

    #[test]
    fn numbers_are_no_finer_than_the_screen() {
        assert_eq!(rounded(12.345_678, 1.0), 12.0);
        assert_eq!(rounded(12.345_678, 0.3), 12.3);
        assert_eq!(rounded(12.345_678, 0.05), 12.35);
        assert_eq!(rounded(1234.5, 20.0), 1230.0);
    }
}
