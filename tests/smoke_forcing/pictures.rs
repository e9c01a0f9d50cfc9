//! Source, mask, velocity and heat.

use super::*;

#[test]
fn the_source_adds_or_replaces_smoke_by_its_mode() {
    let spec = spec(20, 10, 0.5);
    let inputs = source(&spec, true, true, |x, _| if x < 10 { [0.4, 0.2, 0.1, 0.5] } else { [0.0; 4] });
    let with = |source_mode| Settings { source_mode, source_density: 2.0, ..settings() };
    let level = [0.8f32, 0.4, 0.2, 1.0];
    let check = |patch: &Patch<[f32; 4]>, value: [f32; 4]| {
        for (cell, found) in plane(patch, 20, 10).iter().enumerate() {
            let expected = if cell % 20 < 10 { value } else { [0.0; 4] };
            assert!((0..4).all(|i| (found[i] - expected[i]).abs() < 1e-6), "{found:?} instead of {expected:?}");
        }
    };
    let add = frame(&spec, &with(SourceMode::Add), &inputs, 0.25);
    check(&add.dye[0], level.map(|v| v * 0.25));
    assert_eq!((add.dye.len(), &add.initial_source), (1, &None));
    let replace = frame(&spec, &with(SourceMode::Replace), &inputs, 0.25);
    let Some(InitialSource::Replace(patch)) = &replace.initial_source else { panic!("replaced") };
    check(patch, level);
    let fill = frame(&spec, &with(SourceMode::FillUp), &inputs, 0.25);
    let Some(InitialSource::FillUp(patch)) = &fill.initial_source else { panic!("filled up") };
    check(patch, level);
    assert_eq!(frame(&spec, &with(SourceMode::StartFrame), &inputs, 1.0), Forcing::default());
    for mode in [SourceMode::StartFrame, SourceMode::Add, SourceMode::Replace, SourceMode::FillUp] {
        let start = rasterise(&spec, &with(mode), &inputs, &still(&spec), None, 0.0, &Alone);
        let Some(InitialSource::Replace(patch)) = &start.initial_source else { panic!("smoke at the start") };
        check(patch, level);
        assert!(start.dye.is_empty());
    }
}

#[test]
fn the_source_may_be_premultiplied_straight_or_without_alpha() {
    let spec = spec(4, 4, 1.0);
    let found = |has_alpha, premultiplied, pixel: [f32; 4]| {
        let forcing = frame(&spec, &settings(), &source(&spec, has_alpha, premultiplied, |_, _| pixel), 1.0);
        forcing.dye.first().map(|patch| patch.values[0])
    };
    assert_eq!(found(true, true, [0.25, 0.5, 0.125, 0.5]), Some([0.25, 0.5, 0.125, 0.5]));
    assert_eq!(found(true, false, [0.25, 0.5, 0.125, 0.5]), Some([0.125, 0.25, 0.0625, 0.5]));
    assert_eq!(found(true, true, [0.25, 0.5, 0.125, 0.0]), None, "no density, no smoke");
    let [r, g, b, a] = found(false, false, [0.5, 0.25, 0.125, 1.0]).expect("smoke");
    near(f64::from(a), 0.2126 * 0.5 + 0.7152 * 0.25 + 0.0722 * 0.125, 1e-6, "luminance");
    assert_eq!([r, g, b], [0.5, 0.25, 0.125]);
}

#[test]
fn the_velocity_input_moves_air_at_its_visible_speed() {
    let spec = spec(20, 10, 1.0);
    let inputs = Inputs { velocity: Some(picture(&spec, |_, _| [2.0, 1.0, 0.0, 0.0])), ..Inputs::default() };
    for (time_scale, mode, speed) in [
        (0.5, VelocityMode::Set, 4.0),
        (1.0, VelocityMode::Set, 2.0),
        (4.0, VelocityMode::Set, 0.5),
        (0.5, VelocityMode::Add, 1.0),
    ] {
        let s = Settings { time_scale, velocity_mode: mode, ..settings() };
        let forcing = frame(&spec, &s, &inputs, time_scale);
        let found = match mode {
            VelocityMode::Set => steered(&spec, &forcing)[0][5 * 21 + 10][0],
            VelocityMode::Add => added(&spec, &forcing)[0][5 * 21 + 10],
        };
        assert_eq!(found, speed, "time scale {time_scale}, {mode:?}");
    }
}

#[test]
fn a_source_or_obstacles_that_cover_the_frame_are_reported() {
    let spec = spec(7, 5, 1.0);
    let matte = |clear: usize, alpha: f32| {
        move |x: usize, y: usize| [0.25, 0.25, 0.25, if y * 7 + x < clear { alpha } else { 1.0 }]
    };
    let everywhere = |settings: &Settings, inputs: &Inputs| {
        let diagnostics = frame(&spec, settings, inputs, 1.0).diagnostics();
        [diagnostics.source_everywhere, diagnostics.solid_everywhere]
    };
    let opaque = source(&spec, true, true, matte(0, 0.0));
    let with = |source_mode| Settings { source_mode, ..settings() };
    for mode in [SourceMode::Add, SourceMode::Replace, SourceMode::FillUp] {
        assert_eq!(everywhere(&with(mode), &opaque), [true, false]);
    }
    assert_eq!(everywhere(&with(SourceMode::StartFrame), &opaque), [false; 2], "not looked at");
    assert_eq!(everywhere(&Settings { source_density: 0.0, ..settings() }, &opaque), [false; 2], "no smoke of it");
    assert_eq!(everywhere(&settings(), &source(&spec, false, true, matte(0, 0.0))), [false; 2], "no alpha");
    assert_eq!(everywhere(&settings(), &source(&spec, true, true, matte(1, 0.99))), [false; 2], "a matte");
    let mask = Some(picture(&spec, matte(20, 0.0)));
    assert_eq!(everywhere(&settings(), &Inputs { mask, ..opaque }), [false; 2], "another picture is its matte");
    let solid = |clear| Inputs { obstacles: Some(picture(&spec, matte(clear, 0.5))), ..Inputs::default() };
    assert_eq!(everywhere(&settings(), &solid(0)), [false, true]);
    assert_eq!(everywhere(&settings(), &solid(1)), [false; 2]);
}

#[test]
fn the_mask_limits_by_its_alpha() {
    let spec = spec(120, 80, 1.0);
    let mask = picture(&spec, |x, _| [1.0, 1.0, 1.0, if x < 60 { 0.5 } else { 0.0 }]);
    let mut inputs = source(&spec, true, true, |_, _| [1.0; 4]);
    inputs.heat = Some(with_alpha(picture(&spec, |_, _| [3.0, 0.0, 0.0, 0.0])));
    inputs.velocity = Some(picture(&spec, |_, _| [2.0, 1.0, 0.0, 0.0]));
    let s = Settings { brush: brush([50.0, 40.0], [70.0, 40.0], 9.0).brush, jets: vec![jet()], ..settings() };
    let free = frame(&spec, &s, &inputs, 1.0);
    let held = frame(&spec, &s, &Inputs { mask: Some(mask), ..inputs }, 1.0);
    assert_eq!((held.dye.len(), held.heat.len(), held.u.len(), held.v.len()), (3, 2, 3, 3));
    for (a, b) in free.dye.iter().zip(&held.dye) {
        for (cell, (a, b)) in plane(a, 120, 80).iter().zip(plane(b, 120, 80)).enumerate() {
            let factor = if cell % 120 < 60 { 0.5 } else { 0.0 };
            (0..4).for_each(|i| assert!((a[i] * factor - b[i]).abs() < 1e-6));
        }
    }
    for (a, b) in free.heat.iter().zip(&held.heat) {
        for (cell, (a, b)) in plane(a, 120, 80).iter().zip(plane(b, 120, 80)).enumerate() {
            assert!((a * if cell % 120 < 60 { 0.5 } else { 0.0 } - b).abs() < 1e-6);
        }
    }
    for (a, b) in free.u.iter().zip(&held.u) {
        let (VelocityForcing::Steer(a), VelocityForcing::Steer(b)) = (a, b) else { panic!("steered") };
        for (face, (a, b)) in plane(a, 121, 80).iter().zip(plane(b, 121, 80)).enumerate() {
            let factor = [0.5, 0.25, 0.0][usize::from(face % 121 >= 60) + usize::from(face % 121 > 60)];
            assert!((a[1] * factor - b[1]).abs() < 1e-6, "{face}: {a:?} {b:?}");
            assert!(b[1] == 0.0 || a[0] == b[0], "a mask changes the share, not the velocity");
        }
    }
    let none = picture(&spec, |_, _| [0.0; 4]);
    let inputs = Inputs { mask: Some(none), ..source(&spec, true, true, |_, _| [1.0; 4]) };
    assert_eq!(frame(&spec, &s, &inputs, 1.0), Forcing::default(), "nothing drawn, nothing listed");
}

#[test]
fn the_velocity_input_reaches_the_faces() {
    let spec = spec(12, 8, 0.5);
    // A box of 4 × 2 cells.
    let within = |x: usize, y: usize| (4..8).contains(&x) && (3..5).contains(&y);
    let velocity = picture(&spec, |x, y| if within(x, y) { [3.0, -2.0, 0.0, 0.0] } else { [0.0; 4] });
    let inputs = Inputs { velocity: Some(velocity), ..Inputs::default() };
    let s = Settings { velocity_scale: 2.0, ..settings() };
    let [u, v] = steered(&spec, &frame(&spec, &s, &inputs, 1.0));
    assert_eq!((u[3 * 13 + 5], v[4 * 12 + 5]), ([3.0, 1.0], [-2.0, 1.0]), "inside: cells per frame");
    assert_eq!((u[3 * 13 + 4], v[3 * 12 + 5]), ([3.0, 0.5], [-2.0, 0.5]), "at the rim: half of the way");
    assert_eq!(u[3 * 13 + 3], [0.0; 2], "where the picture is 0 nothing is set");
    let added = added(&spec, &frame(&spec, &Settings { velocity_mode: VelocityMode::Add, ..s }, &inputs, 0.5));
    assert_eq!((added[0][3 * 13 + 5], added[0][3 * 13 + 4], added[1][4 * 12 + 5]), (1.5, 0.75, -1.0));
}

#[test]
fn pixels_that_are_not_finite_count_as_0_and_are_reported() {
    let spec = spec(10, 10, 1.0);
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30];
    let spoilt = |good: [f32; 4], channel: usize| {
        picture(&spec, move |x, y| {
            let mut pixel = good;
            if y == 0 && x < 4 {
                pixel[channel] = bad[x];
            }
            pixel
        })
    };
    let source = SourcePixels { pixels: spoilt([0.5, 0.5, 0.5, 1.0], 1), has_alpha: true, premultiplied: true };
    let inputs = Inputs {
        source: Some(source),
        velocity: Some(spoilt([1.0, 2.0, 0.0, 0.0], 1)),
        heat: Some(with_alpha(spoilt([1.0, 0.0, 0.0, 0.0], 0))),
        obstacles: Some(spoilt([0.0; 4], 3)),
        obstacle_velocity: Some(spoilt([0.0; 4], 0)),
        mask: Some(spoilt([1.0; 4], 3)),
    };
    let forcing = frame(&spec, &settings(), &inputs, 1.0);
    let counts = forcing.bad_pixels;
    assert_eq!((counts.source, counts.velocity, counts.heat), (4, 4, 4));
    assert_eq!((counts.obstacles, counts.obstacle_velocity, counts.mask), (3, 4, 3), "1e30 in a matte is just solid");
    let dye = plane(&forcing.dye[0], 10, 10);
    assert_eq!((dye[0], dye[3], dye[4]), ([0.0; 4], [0.0; 4], [0.5, 0.5, 0.5, 1.0]));
    assert_eq!(plane(&forcing.heat[0], 10, 10)[..5], [0.0, 0.0, 0.0, 0.0, 1.0]);
    let [u, _] = steered(&spec, &forcing);
    assert_eq!((u[1], u[4], u[5]), ([0.0; 2], [1.0, 0.5], [1.0, 1.0]), "the face by a bad pixel has the good one's");
    let fast = Inputs { velocity: Some(picture(&spec, |_, _| [600.0, 0.0, 0.0, 0.0])), ..Inputs::default() };
    let forcing = frame(&spec, &Settings { velocity_scale: 2000.0, ..settings() }, &fast, 1.0);
    assert_eq!((forcing.bad_pixels.velocity, forcing.u.len()), (100, 0), "1.2 million pixels per frame");
}

#[test]
fn heat_scales_with_the_time_scale() {
    let spec = spec(6, 6, 0.5);
    let heat = with_alpha(picture(&spec, |_, _| [3.0, 9.0, 9.0, 0.0]));
    let inputs = Inputs { heat: Some(heat), ..Inputs::default() };
    let forcing = frame(&spec, &Settings { heat_scale: -2.0, ..settings() }, &inputs, 0.5);
    assert_eq!(plane(&forcing.heat[0], 6, 6), vec![-3.0; 36]);
}

#[test]
fn heat_is_read_from_the_chosen_channel() {
    let spec = spec(6, 6, 1.0);
    let luminance = (0.2126 * 0.25 + 0.7152 * 0.5 + 0.0722 * 0.75) as f32;
    let channels = [
        (Channel::Red, true, 0.25),
        (Channel::Green, true, 0.5),
        (Channel::Blue, false, 0.75),
        (Channel::Alpha, true, 1.0),
        (Channel::Luminance, true, luminance),
        // The picture has no such channel.
        (Channel::Alpha, false, luminance),
    ];
    for (heat_channel, has_alpha, value) in channels {
        let heat = SourcePixels { has_alpha, ..with_alpha(picture(&spec, |_, _| [0.25, 0.5, 0.75, 1.0])) };
        let inputs = Inputs { heat: Some(heat), ..Inputs::default() };
        let forcing = frame(&spec, &Settings { heat_channel, heat_scale: 1.0, ..settings() }, &inputs, 1.0);
        assert_eq!(plane(&forcing.heat[0], 6, 6), vec![value; 36], "{heat_channel:?} {has_alpha}");
    }
}

#[test]
fn density_is_read_from_the_chosen_channel() {
    let spec = spec(6, 6, 1.0);
    let luminance = (0.2126 * 0.25 + 0.7152 * 0.5 + 0.0722 * 0.75) as f32;
    for (source_channel, density) in
        [(Channel::Red, 0.25), (Channel::Green, 0.5), (Channel::Blue, 0.75), (Channel::Luminance, luminance)]
    {
        for premultiplied in [false, true] {
            let inputs = source(&spec, true, premultiplied, |_, _| [0.25, 0.5, 0.75, 1.0]);
            let settings = Settings { source_channel, source_density: 2.0, ..settings() };
            let forcing = frame(&spec, &settings, &inputs, 1.0);
            assert_eq!(plane(&forcing.dye[0], 6, 6), vec![[0.5, 1.0, 1.5, 2.0 * density]; 36], "{source_channel:?}");
            assert!(!forcing.source_everywhere, "only an alpha is likely to have been filled");
        }
    }
}
