//! Drags in the viewer as edits of parameters.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::super::controls::Controls as _;
use super::super::geometry::Rect;
use super::super::instance::Instance;
use super::super::node::Node;
use super::super::params::Panel;
use super::super::shared::Shared;
use super::super::values::Values as _;
use super::shape::{Grip, Shape, between};
use super::{Figure, Space, stroke};
use crate::nodes::quirks;
use crate::ofx::{Drawing, EffectHandle, Pen, PenEvent, PenResponse, Result, Viewer};

/// Name of a drag in the host's history.
const EDIT: &std::ffi::CStr = c"Move in viewer";

/// The grip under the pen and the drag in progress of an instance. No lock is held while the host is called.
#[derive(Default)]
pub struct Held(Mutex<State>);

#[derive(Clone, Copy, Default)]
struct State {
    /// The figure under the pen, by its index in the table, and the grip.
    over: Option<(usize, Grip)>,
    drag: Option<Drag>,
}

/// A drag in progress.
#[derive(Clone, Copy)]
struct Drag {
    figure: usize,
    grip: Grip,
    /// Vector from the grip to the pen.
    offset: [f64; 2],
    /// Whether an edit of the host was begun.
    editing: bool,
    /// Whether the drag invalidates states.
    simulates: bool,
    /// The dragged tip of an arrow, before both of its parameters are set.
    tip: Option<[f64; 2]>,
}

impl Held {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self) -> State {
        *self.lock()
    }
}

/// The shapes of an overlay at a time.
struct Scene<'e, N: Node> {
    panel: Panel<'e, N::Id>,
    frame: Rect,
    space: Option<Space>,
    /// By place in the table.
    shapes: Vec<(usize, Shape)>,
}

impl<'e, N: Node> Scene<'e, N> {
    fn new(instance: &'e Instance<N>, effect: &'e EffectHandle<'e>, viewer: &Viewer) -> Result<Self> {
        let start = instance.panel(effect, 0).int(N::Id::shared(Shared::StartFrame), viewer.time)?;
        let panel = instance.panel(effect, i64::from(start));
        // Without a frame, figures at fixed positions are at the origin.
        let frame = instance.region(effect, i64::from(start)).unwrap_or_default();
        // Where the host calls every input connected, figures that may be on are shown.
        let known = !instance.clips.connections_are_doubtful(effect);
        let source = known && instance.clips.iter().any(|(input, _, clip)| input == 0 && clip.connected(effect));
        let space = N::space(&panel, viewer.time, frame)?;
        let mut shapes = Vec::new();
        for (place, figure) in N::FIGURES.iter().enumerate() {
            if figure.is_shown(&panel, source, viewer.time)? {
                let shape = figure.shape(&panel, frame, space.as_ref(), viewer)?;
                shapes.extend(shape.map(|shape| (place, shape)));
            }
        }
        Ok(Self { panel, frame, space, shapes })
    }

    /// The grip under the pen.
    fn grip(&self, pen: [f64; 2], viewer: &Viewer) -> Option<(usize, Grip, &Shape)> {
        let gripped = self.shapes.iter().filter_map(|(place, shape)| {
            let (grip, away) = shape.grip(pen, viewer)?;
            // A point of any figure takes precedence over a line.
            Some((*place, grip, shape, grip == Grip::Rim, away))
        });
        let (place, grip, shape, ..) =
            gripped.min_by(|(.., a_line, a), (.., b_line, b)| a_line.cmp(b_line).then(a.total_cmp(b)))?;
        Some((place, grip, shape))
    }
}

/// Draws the overlay.
///
/// # Errors
/// A call to the host fails.
pub fn draw<N: Node>(
    instance: &Instance<N>,
    effect: &EffectHandle<'_>,
    viewer: &Viewer,
    drawing: &mut Drawing<'_>,
) -> Result<()> {
    let State { over, drag } = instance.held.get();
    let hot = drag.map(|drag| (drag.figure, drag.grip)).or(over);
    for (place, mut shape) in Scene::<N>::new(instance, effect, viewer)?.shapes {
        let dragged = drag.filter(|drag| drag.figure == place).and_then(|drag| drag.tip);
        if let (Some(tip), Some(shaft)) = (dragged, &mut shape.shaft) {
            shaft.tip = tip;
        }
        let grip = hot.filter(|(figure, _)| *figure == place).map(|(_, grip)| grip);
        stroke::draw(&shape, grip, viewer, drawing);
    }
    Ok(())
}

/// Handles an event of the pen.
///
/// # Errors
/// The host refuses.
pub fn pen<N: Node>(
    instance: &Instance<N>,
    effect: &EffectHandle<'_>,
    viewer: &Viewer,
    pen: &Pen,
) -> Result<PenResponse> {
    let State { over, drag } = instance.held.get();
    match (pen.event, drag) {
        (PenEvent::Down, _) => {
            // The host may not have reported the last release.
            leave(instance, effect);
            let scene = Scene::<N>::new(instance, effect, viewer)?;
            let Some((figure, grip, shape)) = scene.grip(pen.position, viewer) else {
                return Ok(PenResponse::default());
            };
            let offset = shape.anchor(grip, pen.position).map_or([0.0; 2], |anchor| between(anchor, pen.position));
            instance.held.lock().drag =
                Some(Drag { figure, grip, offset, editing: false, simulates: false, tip: None });
            Ok(PenResponse { taken: true, redraw: true })
        }
        (PenEvent::Move, None) => {
            let scene = Scene::<N>::new(instance, effect, viewer)?;
            let now = scene.grip(pen.position, viewer).map(|(figure, grip, _)| (figure, grip));
            instance.held.lock().over = now;
            Ok(PenResponse { taken: false, redraw: now != over })
        }
        (PenEvent::Move, Some(drag)) => {
            let moved = move_to(instance, effect, viewer, drag, between(drag.offset, pen.position));
            if moved.is_err() {
                leave(instance, effect);
            }
            moved.map(|()| PenResponse { taken: true, redraw: true })
        }
        (PenEvent::Up, Some(_)) => {
            leave(instance, effect);
            Ok(PenResponse { taken: true, redraw: true })
        }
        (PenEvent::Up, None) => Ok(PenResponse::default()),
    }
}

/// Sets the parameters that move the grip of a drag to a point.
fn move_to<N: Node>(
    instance: &Instance<N>,
    effect: &EffectHandle<'_>,
    viewer: &Viewer,
    mut drag: Drag,
    to: [f64; 2],
) -> Result<()> {
    let scene = Scene::<N>::new(instance, effect, viewer)?;
    let figure: &Figure<N::Id> = &N::FIGURES[drag.figure];
    // A drag continues if its figure has been switched off in between.
    let space = scene.space.as_ref();
    let Some(shape) = figure.shape(&scene.panel, scene.frame, space, viewer)? else { return Ok(()) };
    let values = figure.drag(&scene.panel, &shape, drag.grip, to, space, viewer)?;
    let early = quirks::ends_edits_early(effect.host());
    if !early && !drag.editing && !values.is_empty() {
        drag.editing = effect.begin_edit(EDIT);
        instance.held.lock().drag = Some(drag);
    }
    drag.simulates |= values.iter().any(|(id, _)| instance.invalidates_states(effect, *id));
    match values[..] {
        // If both values were set alternately, each would be a separate edit.
        [first, second] if early => {
            instance.undo.drag(effect, &instance.params, [first, second], viewer.time)?;
            drag.tip = Some(to);
        }
        _ => {
            for &(id, value) in &values {
                instance.params.set(effect, id, value)?;
            }
        }
    }
    instance.held.lock().drag = Some(drag);
    Ok(())
}

/// Ends a drag: the host can undo it at once.
pub fn leave<N: Node>(instance: &Instance<N>, effect: &EffectHandle<'_>) {
    let State { drag, .. } = std::mem::take(&mut *instance.held.lock());
    let Some(drag) = drag else { return };
    instance.undo.end_drag(effect, &instance.params);
    // The digest tells hosts that hash one frame only that frames after a key have changed. It is a part of the edit.
    if drag.simulates {
        instance.update_digest(effect, false);
    }
    if drag.editing {
        effect.end_edit();
    }
    instance.show_report(effect);
}
