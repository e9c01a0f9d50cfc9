//! Values of cells uncovered by moving solids.

use super::*;

/// Air with this dye and temperature, but none in solids.
fn full(spec: &Spec, solids: Option<Arc<Solids>>, value: impl Fn(usize, usize) -> [f32; 5]) -> State {
    let (width, cells) = (spec.grid.width, spec.grid.cells());
    let open = |cell: usize| !solids.as_ref().is_some_and(|solids| solids.solid[cell]);
    let values: Vec<[f32; 5]> =
        (0..cells).map(|c| if open(c) { value(c % width, c / width) } else { [0.0; 5] }).collect();
    let dye: Vec<[f32; 4]> = values.iter().map(|v| [v[0], v[1], v[2], v[3]]).collect();
    let temperature: Vec<f32> = values.iter().map(|v| v[4]).collect();
    let air = Air { dye: dye.into(), temperature: Some(temperature.into()), ..Air::default() };
    State { air: Arc::new(air), ..state(spec, solids) }
}

/// The forcing of a frame after a matte of solids.
fn after(
    spec: &Spec,
    from: Pixels,
    to: Pixels,
    moved: &GridMotion,
    value: impl Fn(usize, usize) -> [f32; 5],
) -> Forcing {
    let inputs = |pixels| Inputs { obstacles: Some(pixels), ..Inputs::default() };
    let first = rasterise(spec, &settings(), &inputs(from), &still(spec), None, 1.0, &Alone).solids;
    let before = full(spec, first, value);
    rasterise(spec, &settings(), &inputs(to), moved, Some(&before), 1.0, &Alone)
}

#[test]
fn uncovered_cells_take_the_values_of_their_neighbours() {
    let spec = spec(40, 30, 1.0);
    let value = |x: usize, y: usize| [x as f32, y as f32, 1.0, 2.0, -1.0];
    let boxes = [box_matte(&spec, 10, 10, 8, 6), box_matte(&spec, 13, 10, 8, 6)];
    let forcing = after(&spec, boxes[0].clone(), boxes[1].clone(), &still(&spec), value);
    let patch = forcing.fresh_cells.dye.expect("a wake");
    assert_eq!([patch.x, patch.y, patch.width, patch.height], [10, 10, 3, 6], "what was solid and is not");
    let dye = plane(&patch, 40, 30);
    let heat = plane(&forcing.fresh_cells.heat.expect("heat"), 40, 30);
    for y in 10..16 {
        for x in 10..13 {
            let [_, _, blue, density] = dye[y * 40 + x];
            assert_eq!((blue, density, heat[y * 40 + x]), (1.0, 2.0, -1.0), "at {x} {y}");
        }
    }
    // The mean of the three neighbours to the left, and layer by layer from there.
    assert_eq!(dye[13 * 40 + 10], [9.0, 13.0, 1.0, 2.0]);
    assert_eq!(dye[13 * 40 + 11], [9.0, 13.0, 1.0, 2.0]);
}

#[test]
fn cells_of_a_vanished_solid_are_empty() {
    let spec = spec(100, 60, 1.0);
    let cloud = |_: usize, _: usize| [1.0; 5];
    let two = picture(&spec, |x, y| {
        [0.0, 0.0, 0.0, f32::from(u8::from((10..20).contains(&y) && [1, 5].contains(&(x / 10))))]
    });
    let one =
        picture(&spec, |x, y| [0.0, 0.0, 0.0, f32::from(u8::from((10..20).contains(&y) && (12..22).contains(&x)))]);
    let forcing = after(&spec, two.clone(), one, &still(&spec), cloud);
    let patch = forcing.fresh_cells.dye.expect("behind the one that moved");
    assert_eq!([patch.x, patch.width], [10, 2]);
    let none = after(&spec, two, picture(&spec, |_, _| [0.0; 4]), &still(&spec), cloud);
    assert!(none.solids.is_none() && none.fresh_cells.dye.is_none() && none.fresh_cells.heat.is_none());
    // A solid that leaves over the border has not vanished.
    let [inside, out] = [box_matte(&spec, 96, 10, 4, 8), box_matte(&spec, 0, 0, 0, 0)];
    assert!(after(&spec, inside, out, &still(&spec), cloud).fresh_cells.dye.is_some());
}

#[test]
fn a_wake_keeps_its_position_on_a_following_grid() {
    let spec = spec(40, 30, 1.0);
    let mut moved = still(&spec);
    (moved.grid.origin[0], moved.shift[0]) = (2.0, 2);
    // In the world the box moves by 5 cells, on the grid by 3.
    let boxes = [box_matte(&spec, 10, 10, 8, 6), box_matte(&spec, 13, 10, 8, 6)];
    let forcing = after(&spec, boxes[0].clone(), boxes[1].clone(), &moved, |_, _| [1.0; 5]);
    let patch = forcing.fresh_cells.dye.expect("a wake");
    assert_eq!([patch.x, patch.width], [8, 5]);
    // A box at rest in the world uncovers no cell.
    let forcing = after(&spec, boxes[1].clone(), box_matte(&spec, 11, 10, 8, 6), &moved, |_, _| [1.0; 5]);
    assert_eq!(forcing.fresh_cells.dye, None);
}
