//! The jets.

use super::*;

#[test]
fn a_jet_adds_velocity_and_dye_in_its_spread() {
    let spec = spec(120, 80, 1.0);
    let forcing = frame(&spec, &with_jet(jet()), &Inputs::default(), 1.0);
    let [u, v] = steered(&spec, &forcing);
    let (cos, sin) = (30f64.to_radians().cos(), 30f64.to_radians().sin());
    near(f64::from(u[40 * 121 + 60][0]), 6.0 * cos, 1e-6, "u in the middle");
    near(f64::from(v[40 * 120 + 60][0]), 6.0 * sin, 1e-6, "v in the middle");
    assert_eq!((u[40 * 121 + 60][1], u[40 * 121 + 75][1]), (1.0, 0.0));
    near(total(&forcing.dye)[3], 0.6 * PI * 100.0, 1e-5, "dye");
    let heat: f64 = forcing.heat[0].values.iter().map(|&v| f64::from(v)).sum();
    near(heat, 2.0 * PI * 100.0, 1e-5, "heat");

    let fan = Jet { direction: 0.0, spread: 60.0, ..jet() };
    let [_, v] = steered(&spec, &frame(&spec, &with_jet(fan), &Inputs::default(), 1.0));
    let slope = |y: usize| f64::from(v[y * 120 + 60][0]) / 6.0;
    for off in [2, 5, 8] {
        let angle = (off as f64 / 10.0 * 30.0).to_radians();
        near(slope(40 + off), angle.sin(), 1e-6, "the upper half blows up");
        near(slope(40 - off), -angle.sin(), 1e-6, "the lower half blows down");
    }
}

#[test]
fn a_jet_that_is_broken_up_keeps_its_mean_and_has_gaps() {
    let spec = spec(400, 400, 1.0);
    let broken =
        Jet { centre: [200.0; 2], previous: [200.0; 2], radius: 180.0, breakup: 1.0, breakup_size: 6.0, ..jet() };
    let at = |frame_number: i64| {
        let settings = Settings { frame: frame_number, ..with_jet(broken) };
        let forcing = frame(&spec, &settings, &Inputs::default(), 1.0);
        near(total(&forcing.dye)[3], 0.6 * PI * 180.0 * 180.0, 0.05, "as much dye as from an even one");
        plane(&forcing.dye[0], 400, 400)
    };
    let [first, next, later] = [10, 11, 40].map(at);
    let inner = |y: usize, x: usize| first[y * 400 + x][3];
    let values = || (150..250).flat_map(|y| (150..250).map(move |x| inner(y, x)));
    assert!(values().any(|value| value == 0.0) && values().any(|value| value > 1.1), "gaps and patches");
    let differ =
        |a: &[[f32; 4]], b: &[[f32; 4]]| a.iter().zip(b).map(|(a, b)| f64::from((a[3] - b[3]).powi(2))).sum::<f64>();
    assert!(differ(&first, &next) < 0.5 * differ(&first, &later), "patches change by and by");
}

#[test]
fn a_moving_jet_acts_evenly_along_its_path() {
    let spec = spec(300, 60, 1.0);
    let moving = Jet { previous: [40.0, 30.0], centre: [240.0, 30.0], radius: 4.0, direction: 90.0, ..jet() };
    let forcing = frame(&spec, &with_jet(moving), &Inputs::default(), 1.0);
    near(total(&forcing.dye)[3], 0.6 * PI * 16.0, 1e-5, "as much dye as from one that stands still");
    let heat: f64 = forcing.heat[0].values.iter().map(|&v| f64::from(v)).sum();
    near(heat, 2.0 * PI * 16.0, 1e-5, "heat");
    let dye = plane(&forcing.dye[0], 300, 60);
    let first = dye[30 * 300 + 50][3];
    assert!((50..230).all(|x| (dye[30 * 300 + x][3] / first - 1.0).abs() < 1e-5), "an even trail");
    let [_, v] = steered(&spec, &forcing);
    (40..240).for_each(|x| assert_eq!(v[30 * 300 + x], [6.0, 1.0], "at {x}"));

    // A fan spreads along the whole path of the jet.
    let fan = Jet { direction: 0.0, spread: 60.0, ..moving };
    let [_, v] = steered(&spec, &frame(&spec, &with_jet(fan), &Inputs::default(), 1.0));
    for x in [60, 140, 220] {
        near(f64::from(v[32 * 300 + x][0]), 6.0 * (2.0f64 / 4.0 * 30.0).to_radians().sin(), 1e-6, "the upper half");
    }
}

#[test]
fn a_soft_jet_fades_to_its_radius_and_has_the_direction_of_a_hard_one() {
    let spec = spec(120, 80, 1.0);
    let laid = |softness: f64, previous: [f64; 2]| {
        let soft = Jet { softness, radius: 20.0, previous, ..jet() };
        frame(&spec, &with_jet(soft), &Inputs::default(), 1.0)
    };
    let hard = laid(0.0, [60.0, 40.0]);
    for softness in [0.25, 0.5, 1.0] {
        let forcing = laid(softness, [60.0, 40.0]);
        let dye = plane(&forcing.dye[0], 120, 80);
        let middle = f64::from(dye[40 * 120 + 60][3]);
        // Its rim is drawn half a cell further out, and the cell is slightly off the centre.
        near(middle, 0.6, 0.1, "as dense in the middle");
        let cover = |x: usize| (20.5 - (x as f64 + 0.5 - 60.0).hypot(0.5)) / (1.0 + 19.5 * softness);
        for x in 40..90 {
            let (found, fades) = (f64::from(dye[40 * 120 + x][3]) / middle, cover(x) / cover(60).min(1.0));
            assert!((found - fades.clamp(0.0, 1.0)).abs() < 1e-5, "softness {softness} at {x}: {found} for {fades}");
        }
        assert_eq!((&forcing.u, &forcing.v), (&hard.u, &hard.v));
        // A cone holds a third of a cylinder; a moving jet adds as much.
        let share = (1.0 - softness / 2.0).powi(2) + softness * softness / 12.0;
        let heat: f64 = forcing.heat[0].values.iter().map(|&v| f64::from(v)).sum();
        near(heat, 2.0 * PI * 400.0 * share, 1e-5, "heat");
        near(total(&forcing.dye)[3], 0.6 * PI * 400.0 * share, 1e-5, "dye");
        near(total(&laid(softness, [45.0, 36.0]).dye)[3], 0.6 * PI * 400.0 * share, 1e-5, "dye on its way");
    }
    assert_eq!(laid(f64::NAN, [60.0, 40.0]), hard);
}

#[test]
fn a_soft_trail_is_uniform_along_its_path() {
    let spec = spec(300, 80, 1.0);
    let soft = Jet { previous: [40.0, 40.0], centre: [260.0, 40.0], radius: 16.0, softness: 1.0, ..jet() };
    let forcing = frame(&spec, &with_jet(soft), &Inputs::default(), 1.0);
    let dye = plane(&forcing.dye[0], 300, 80);
    let at = |x: usize, y: usize| f64::from(dye[y * 300 + x][3]);
    // The integral along a chord through a cone.
    let chord = |y: usize| {
        let (off, outer) = ((y as f64 + 0.5 - 40.0).abs(), 16.5f64);
        let half = (outer * outer - off * off).max(0.0).sqrt();
        half * outer - off * off * (half / off).asinh()
    };
    for y in 22..58 {
        (70..230).for_each(|x| near(at(x, y), at(150, y), 1e-5, "along"));
        near(at(150, y), at(150, 40) * chord(y) / chord(40), 1e-5, "across");
    }
}

#[test]
fn a_wandering_jet_moves_smoothly_within_bounds() {
    let spec = spec(120, 80, 1.0);
    let at = |frame_number: i64, random: f64, seed: i32| {
        let s = Settings { frame: frame_number, ..with_jet(Jet { random, seed, ..jet() }) };
        let [u, v] = steered(&spec, &frame(&spec, &s, &Inputs::default(), 1.0));
        let [u, v] = [u[40 * 121 + 60][0], v[40 * 120 + 60][0]].map(f64::from);
        (v.atan2(u).to_degrees(), u.hypot(v))
    };
    let mut last = at(-1, 1.0, 7);
    let (mut widest, mut strongest, mut weakest) = (0.0f64, 0.0f64, f64::MAX);
    for n in 0..600 {
        let (angle, speed) = at(n, 1.0, 7);
        assert!((angle - 30.0).abs() <= 60.0 + 1e-6 && (0.0..=12.0 + 1e-6).contains(&speed), "frame {n}");
        if speed > 0.5 && last.1 > 0.5 {
            assert!((angle - last.0).abs() < 15.0, "frame {n}: the direction leaps");
        }
        assert!((speed - last.1).abs() < 1.5, "frame {n}: the strength leaps");
        widest = widest.max((angle - 30.0).abs());
        (strongest, weakest) = (strongest.max(speed), weakest.min(speed));
        last = (angle, speed);
    }
    assert!(widest > 30.0 && strongest > 9.0 && weakest < 3.0, "{widest} {strongest} {weakest}");
    assert!((at(40, 0.5, 7).0 - 30.0).abs() <= 30.0);
    assert_ne!(at(40, 1.0, 7), at(40, 1.0, 8));
    assert_eq!(at(40, 1.0, 7), at(40, 1.0, 7));
}

#[test]
fn pulses_and_wandering_follow_the_simulated_time() {
    let spec = spec(120, 80, 1.0);
    let at = |frame_number: i64, time_scale: f64, time_lead: f64| {
        let jet = Jet { random: 1.0, pulse_rate: 0.04, pulse_duty: 0.5, ..jet() };
        let s = Settings { frame: frame_number, time_scale, time_lead, ..with_jet(jet) };
        frame(&spec, &s, &Inputs::default(), 1.0)
    };
    for clock in [4, 10, 30, 57] {
        let whole = at(clock, 1.0, 0.0);
        assert_eq!(at(2 * clock, 0.5, 0.0), whole, "{clock}: half as fast");
        assert_eq!(at(clock + 8, 1.0, -8.0), whole, "{clock}: later, for a time scale that has changed");
    }
    assert_ne!(at(10, 1.0, 0.0), at(12, 1.0, 0.0));
    let late = |pulse_lead: f64| {
        let jet = Jet { pulse_rate: 0.04, pulse_duty: 0.5, pulse_lead, ..jet() };
        frame(&spec, &Settings { frame: 5, ..with_jet(jet) }, &Inputs::default(), 1.0)
    };
    assert_eq!((late(1.0), late(0.5).dye.len()), (late(0.0), 0), "a lead is in pulses");
}

#[test]
fn a_pulsing_jet_switches_on_and_off() {
    let spec = spec(120, 80, 1.0);
    let laid = |frame_number: i64, pulse_rate: f64, pulse_duty: f64| {
        let s = Settings { frame: frame_number, ..with_jet(Jet { pulse_rate, pulse_duty, ..jet() }) };
        total(&frame(&spec, &s, &Inputs::default(), 1.0).dye)[3] / (0.6 * PI * 100.0)
    };
    for (rate, duty) in [(0.1, 0.3), (0.5, 0.5), (0.05, 0.8), (0.02, 0.5), (1.0 / 7.0, 0.2), (2.5, 0.4)] {
        let shares: Vec<f64> = (0..1400).map(|n| laid(n, rate, duty)).collect();
        near(shares.iter().sum::<f64>() / 1400.0, duty, 0.01, &format!("rate {rate} duty {duty}"));
    }
    assert_eq!((laid(0, 0.1, 0.3), laid(5, 0.1, 0.3)), (laid(10, 0.1, 0.3), 0.0));
    near(laid(1, 0.1, 0.3), 1.0, 1e-5, "on");
    near(laid(3, 0.0, 0.3), 1.0, 1e-5, "without a rate it blows all the time");
    near(laid(3, 0.1, 1.0), 1.0, 1e-5, "so it does with all the duty");
    assert_eq!(laid(3, 0.1, 0.0), 0.0);
}
