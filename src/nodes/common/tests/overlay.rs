//! Overlay handles of the toy.

use super::{Id, Panel};
use crate::nodes::common::controls::{Controls as _, Kind};
use crate::nodes::common::overlay::shape::{Form, Grip};
use crate::nodes::common::overlay::{Arrow, Figure, Outline, Place, When};
use crate::nodes::common::presets::Value;
use crate::ofx::Viewer;

#[test]
fn an_arrow_that_turns_ends_on_its_circle_and_goes_the_short_way() {
    let viewer = Viewer { time: 3.0, pixel: [0.5, 0.5] };
    let frame = [0.0, 0.0, 64.0, 32.0];
    let choices = Id::controls().iter().filter(|control| matches!(control.kind, Kind::Choice { default: 0, .. }));
    let choice = choices.map(|control| control.id).next().expect("nodes share a choice whose first option holds");
    let shown = When::OneOf(choice, &[0]);
    let turning = |options| Figure {
        shown,
        place: Place::At(Id::Centre),
        outline: Some(Outline::Circle(Id::Strength)),
        arrow: Some(Arrow::Turn { direction: Id::Strength, choice, options }),
    };
    assert_eq!(
        turning(&[7]).shape(&Panel, frame, None, &viewer).expect("is there").expect("before the camera").shaft,
        None,
        "of another option"
    );
    let figure = turning(&[0]);
    let shape = figure.shape(&Panel, frame, None, &viewer).expect("is there").expect("before the camera");
    assert_eq!((shape.centre, shape.form), ([32.0, 16.0], Some(Form::Circle(3.0))));
    let tip = shape.shaft.expect("an arrow").tip;
    // Beside a circle as small as that its tip could not be held.
    assert!(((tip[0] - 32.0).hypot(tip[1] - 16.0) - 11.0).abs() < 1e-9, "{tip:?}");
    assert_eq!(shape.grip(tip, &viewer).map(|(grip, _)| grip), Some(Grip::Tip));
    // 3 degrees, whose nearest like 6 is 6, and whose parameter ends at 10.
    for (turn, expected) in [(6.0_f64, 6.0), (40.0, 10.0), (-90.0, 0.0)] {
        let (sin, cos) = turn.to_radians().sin_cos();
        let to = [32.0 + cos * 30.0, 16.0 + sin * 30.0];
        let turned = figure.drag(&Panel, &shape, Grip::Tip, to, None, &viewer).expect("turns");
        assert_eq!(turned, [(Id::Strength, Value::Double(expected))]);
    }
}
