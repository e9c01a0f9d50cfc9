//! Mattes that rotate, grow and bend.

use super::*;

/// A signed distance in cells; negative inside the solid.
type Distance<'a> = &'a dyn Fn([f64; 2]) -> f64;

const SIZE: usize = 160;

/// Velocity forcing of a frame in which one signed-distance matte replaces another.
fn pushed(from: Distance<'_>, to: Distance<'_>, workers: &dyn Workers) -> Arc<Solids> {
    let spec = spec(SIZE, SIZE, 1.0);
    let matte = |distance: Distance<'_>| {
        let solid = |x: usize, y: usize| f32::from(u8::from(distance([x as f64 + 0.5, y as f64 + 0.5]) < 0.0));
        Inputs { obstacles: Some(picture(&spec, |x, y| [0.0, 0.0, 0.0, solid(x, y)])), ..Inputs::default() }
    };
    let first = rasterise(&spec, &settings(), &matte(from), &still(&spec), None, 1.0, workers).solids.expect("solid");
    let before = state(&spec, Some(first));
    rasterise(&spec, &settings(), &matte(to), &still(&spec), Some(&before), 1.0, workers).solids.expect("solid")
}

/// A face between solid and fluid: position, outward direction, velocity along the axis.
type Face = ([f64; 2], [f64; 2], f64);

fn faces(solids: &Solids) -> Vec<Face> {
    let solid = |x: usize, y: usize| solids.solid[y * SIZE + x];
    let mut all = Vec::new();
    for b in 0..SIZE {
        for a in 1..SIZE {
            let (at, along) = (a as f64, b as f64 + 0.5);
            let way = |low: bool| if low { 1.0 } else { -1.0 };
            if solid(a - 1, b) != solid(a, b) {
                all.push(([at, along], [way(solid(a - 1, b)), 0.0], f64::from(solids.u[b * (SIZE + 1) + a])));
            }
            if solid(b, a - 1) != solid(b, a) {
                all.push(([along, at], [0.0, way(solid(b, a - 1))], f64::from(solids.v[a * SIZE + b])));
            }
        }
    }
    all
}

/// Root mean squares over the faces: of the expected velocity, and of the error.
fn errors(all: &[Face], wanted: &dyn Fn([f64; 2], usize) -> f64) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for (at, out, has) in all {
        let wanted = wanted(*at, usize::from(out[0] == 0.0));
        sums = [sums[0] + wanted * wanted, sums[1] + (has - wanted).powi(2)];
    }
    sums.map(|sum| (sum / all.len() as f64).sqrt())
}

/// The component of a velocity normal to a contour, along an axis.
fn across(distance: Distance<'_>, velocity: [f64; 2], at: [f64; 2], axis: usize) -> f64 {
    let slope = |axis: usize| {
        let mut ends = [at; 2];
        (ends[0][axis], ends[1][axis]) = (at[axis] - 0.5, at[axis] + 0.5);
        distance(ends[1]) - distance(ends[0])
    };
    let normal = [slope(0), slope(1)];
    let speed = (normal[0] * velocity[0] + normal[1] * velocity[1]) / (normal[0].powi(2) + normal[1].powi(2));
    normal[axis] * speed
}

/// Flow out of the solids.
fn outflow(solids: &Solids) -> f64 {
    faces(solids).iter().map(|(_, out, has)| (out[0] + out[1]) * has).sum()
}

/// A bar around `middle`, turned by `angle`.
fn bar(at: [f64; 2], middle: [f64; 2], half: [f64; 2], angle: f64) -> f64 {
    let (x, y) = (at[0] - middle[0], at[1] - middle[1]);
    let (sin, cos) = angle.sin_cos();
    let turned = [x * cos + y * sin, y * cos - x * sin];
    let over = [0, 1].map(|i| turned[i].abs() - half[i]);
    over[0].max(0.0).hypot(over[1].max(0.0)) + over[0].max(over[1]).min(0.0)
}

fn disc(at: [f64; 2], middle: [f64; 2], radius: f64) -> f64 {
    (at[0] - middle[0]).hypot(at[1] - middle[1]) - radius
}

#[test]
fn a_rotating_blade_pushes_on_one_side_and_pulls_on_the_other() {
    for (degrees, way) in [(3.0_f64, [0.0; 2]), (12.0, [0.0; 2]), (20.0, [0.0; 2]), (-7.0, [5.0, -3.0])] {
        let (middle, angle) = ([80.0 + way[0], 80.0 + way[1]], 0.4 + degrees.to_radians());
        let to = |at: [f64; 2]| bar(at, middle, [50.0, 6.0], angle);
        let solids = pushed(&|at| bar(at, [80.0; 2], [50.0, 6.0], 0.4), &to, &Alone);
        let turn = degrees.to_radians();
        let [all, error] =
            errors(&faces(&solids), &|at, axis| way[axis] + turn * [middle[1] - at[1], at[0] - middle[0]][axis]);
        println!("{degrees} degrees: {error:.3} of {all:.3}, outflow {:.2}", outflow(&solids));
        assert!(error <= 0.12 * all + 0.12, "{degrees} degrees: {error} of {all}");
        assert!(outflow(&solids).abs() <= 0.15 * all * 200.0, "it takes no more room than before");
    }
}

#[test]
fn a_growing_solid_displaces_its_growth() {
    let middle = [77.3, 81.9];
    for (from, to) in [(20.0, 21.5), (30.0, 26.0), (10.0, 18.0)] {
        let after = |at: [f64; 2]| disc(at, middle, to);
        let before = |at: [f64; 2]| disc(at, middle, from);
        let solids = pushed(&before, &after, &Alone);
        let [all, error] = errors(&faces(&solids), &|at, axis| {
            let far = (at[0] - middle[0]).hypot(at[1] - middle[1]);
            (at[axis] - middle[axis]) / far * (to - from)
        });
        println!("{from} to {to}: {error:.3} of {all:.3}, outflow {:.1}", outflow(&solids));
        assert!(error <= 0.1 * all + 0.05, "{from} to {to}: {error} of {all}");
        let round = 2.0 * PI * to * (to - from);
        assert!((outflow(&solids) - round).abs() <= 0.08 * round.abs(), "{} of {round}", outflow(&solids));
    }
}

#[test]
fn a_swinging_arm_does_not_move_the_body() {
    let figure = |at: [f64; 2], angle: f64| {
        let hand = [80.0 + 30.0 * angle.cos(), 90.0 + 30.0 * angle.sin()];
        bar(at, [80.0, 60.0], [20.0, 30.0], 0.0).min(bar(at, hand, [30.0, 3.0], angle))
    };
    // The hand moves further than the arm is wide: the shapes do not overlap there.
    let turn = 0.15;
    let to = |at: [f64; 2]| figure(at, 0.7);
    let solids = pushed(&|at| figure(at, 0.7 - turn), &to, &Alone);
    let mut far = 0;
    for (at, _, has) in faces(&solids) {
        let reach = (at[0] - 80.0).hypot(at[1] - 90.0);
        if at[1] < 80.0 {
            assert_eq!(has, 0.0, "the body stands at {at:?}");
        }
        far += usize::from(reach > 45.0 && has.abs() > 3.0);
    }
    // At its end and at the shoulder the contour turns too fast for the registration.
    let sides: Vec<_> = faces(&solids)
        .into_iter()
        .filter(|(at, _, _)| (35.0..52.0).contains(&(at[0] - 80.0).hypot(at[1] - 90.0)) && at[1] > 91.0)
        .collect();
    let [all, error] =
        errors(&sides, &|at, axis| across(&to, [turn * (90.0 - at[1]), turn * (at[0] - 80.0)], at, axis));
    println!("{error:.3} of {all:.3}");
    assert!(far > 20, "{far}");
    assert!(error <= 0.25 * all, "{error} of {all}");
}

#[test]
fn motion_by_fractions_of_cells_is_rigid() {
    let to = |at: [f64; 2]| disc(at, [70.0 + 2.4, 80.0 - 1.7], 25.0);
    let solids = pushed(&|at| disc(at, [70.0, 80.0], 25.0), &to, &Alone);
    let [mut u, mut v] = [Vec::new(), Vec::new()];
    for (_, out, has) in faces(&solids) {
        if out[0] == 0.0 { v.push(has) } else { u.push(has) }
    }
    assert!(u.iter().all(|has| *has == u[0]) && v.iter().all(|has| *has == v[0]), "one velocity for all of it");
    assert!((u[0] - 2.4).abs() < 0.05 && (v[0] + 1.7).abs() < 0.05, "{} {}", u[0], v[0]);
}

#[test]
fn a_flickering_edge_has_no_velocity() {
    let rough = |seed: f64| {
        move |at: [f64; 2]| {
            let noise = (at[0] * 12.9898 + at[1] * 78.233 + seed).sin() * 43758.5453;
            disc(at, [80.0; 2], 40.0) + 1.6 * (noise - noise.floor() - 0.5)
        }
    };
    let solids = pushed(&rough(0.0), &rough(1.0), &Alone);
    let [_, most] = errors(&faces(&solids), &|_, _| 0.0);
    println!("{most:.3}");
    assert!(most < 0.1, "{most}");
}

#[test]
fn mattes_that_cannot_be_registered_have_no_velocity() {
    // A much larger shape, out of the search's range; and one of edges only.
    let whole = |_: [f64; 2]| -1.0;
    let dot = |at: [f64; 2]| disc(at, [80.0; 2], 2.0);
    let grown = pushed(&dot, &|at| disc(at, [80.0; 2], 70.0), &Alone);
    assert!(faces(&grown).iter().all(|(_, _, has)| *has == 0.0));
    pushed(&dot, &whole, &Alone);
    pushed(&whole, &dot, &Alone);
    let checks = |phase: f64| move |at: [f64; 2]| (at[0] * PI).sin() * (at[1] * PI).sin() * phase;
    pushed(&checks(1.0), &checks(-1.0), &Alone);
    let crumbs =
        pushed(&|at| (at[0] * 0.7).sin() + (at[1] * 0.9).cos(), &|at| (at[0] * 0.8).sin() + at[1].cos(), &Alone);
    assert!(crumbs.u.iter().chain(&crumbs.v).all(|v| v.is_finite()));
}

#[test]
fn registration_does_not_depend_on_the_number_of_threads() {
    let shape = |at: [f64; 2], angle: f64, radius: f64| {
        bar(at, [60.0, 70.0], [40.0, 5.0], angle).min(disc(at, [120.0, 130.0], radius))
    };
    let [one, crowd] = [&Alone as &dyn Workers, &Crowd]
        .map(|workers| pushed(&|at| shape(at, 0.2, 12.0), &|at| shape(at, 0.35, 14.0), workers));
    assert!(*one == *crowd);
    assert!(one.solid.contains(&true) && one.u.iter().any(|v| *v != 0.0));
}
