//! The brush.

use super::*;

#[test]
fn the_brush_adds_its_amount_at_any_size_and_motion() {
    for g in [0.25, 0.5, 1.0, 2.0] {
        let spec = spec((400.0 * g) as usize, (200.0 * g) as usize, g);
        for radius in [0.3, 1.0, 7.0, 40.0, 90.0] {
            for to in [[200.0, 100.0], [200.37, 100.81], [200.0003, 100.0], [206.0, 97.0], [110.0, 103.0]] {
                for time in [1.0, 0.25] {
                    let forcing = frame(&spec, &brush([200.0, 100.0], to, radius), &Inputs::default(), time);
                    let sums = total(&forcing.dye).map(|v| v / (g * g));
                    let amount = 0.8 * time * PI * radius * radius;
                    for (sum, colour) in sums.into_iter().zip([0.5, 0.25, 1.0, 1.0]) {
                        near(sum, amount * colour, 1e-5, &format!("g {g} radius {radius} to {to:?}"));
                    }
                }
            }
        }
    }
}

#[test]
fn a_fast_brush_leaves_no_gaps_and_moves_the_air() {
    let spec = spec(300, 60, 1.0);
    let forcing = frame(&spec, &brush([40.0, 30.0], [240.0, 30.0], 3.0), &Inputs::default(), 1.0);
    let dye = plane(&forcing.dye[0], 300, 60);
    let [u, v] = steered(&spec, &forcing);
    let middle: Vec<f32> = (50..230).map(|x| dye[30 * 300 + x][3]).collect();
    assert!(middle.iter().all(|d| *d > 0.0 && (d / middle[0] - 1.0).abs() < 1e-5), "an even stroke");
    for x in 40..=240 {
        assert_eq!(u[30 * 301 + x], [200.0, 1.0], "at {x}");
        assert_eq!(v[30 * 300 + x.min(299)], [0.0, 1.0], "at {x}");
    }
    assert_eq!((u[30 * 301 + 20], u[50 * 301 + 100]), ([0.0; 2], [0.0; 2]));
    assert!(u.iter().all(|[_, share]| (0.0..=1.0).contains(share)));
}

#[test]
fn a_brush_moves_air_at_its_visible_speed_for_any_time_scale() {
    let spec = spec(300, 60, 1.0);
    for (time, speed) in [(0.25, 160.0), (1.0, 40.0), (2.0, 20.0)] {
        let forcing = frame(&spec, &brush([40.0, 30.0], [80.0, 30.0], 3.0), &Inputs::default(), time);
        let [u, v] = steered(&spec, &forcing);
        assert_eq!((u[30 * 301 + 60], v[30 * 300 + 60]), ([speed, 1.0], [0.0, 1.0]), "time {time}");
    }
}

#[test]
fn a_resting_brush_adds_dye_and_no_velocity() {
    let spec = spec(80, 60, 1.0);
    let forcing = frame(&spec, &brush([40.0, 30.0], [40.0, 30.0], 5.0), &Inputs::default(), 1.0);
    assert_eq!((forcing.dye.len(), forcing.u.len(), forcing.v.len()), (1, 0, 0));
    let nothing = frame(&spec, &brush([40.0, 30.0], [45.0, 30.0], 0.0), &Inputs::default(), 1.0);
    assert_eq!(nothing, Forcing::default());
    let outside = frame(&spec, &brush([400.0, 30.0], [450.0, 30.0], 5.0), &Inputs::default(), 1.0);
    assert_eq!(outside, Forcing::default());
}

#[test]
fn a_brush_continues_across_wrapped_sides() {
    let mut spec = spec(80, 60, 1.0);
    spec.constants.edges = [Boundary::Wrap; 4];
    let forcing = frame(&spec, &brush([70.0, 50.0], [79.0, 59.0], 6.0), &Inputs::default(), 1.0);
    near(total(&forcing.dye)[3], 0.8 * PI * 36.0, 1e-5, "all of it is there");
    let dye = plane(&forcing.dye[0], 80, 60);
    assert!(dye[0][3] > 0.0 && dye[79][3] > 0.0 && dye[59 * 80][3] > 0.0);
    let [u, v] = steered(&spec, &forcing);
    (0..60).for_each(|y| assert_eq!(u[y * 81], u[y * 81 + 80], "row {y}: the last column is the first"));
    assert_eq!(v[..80], v[60 * 80..], "the last row is the first");
}
