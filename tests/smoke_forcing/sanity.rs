//! Extreme values, sizes and numbers of threads.

use super::*;

fn assert_finite(forcing: &Forcing) {
    let once = forcing.initial_source.iter().map(|once| match once {
        InitialSource::Replace(patch) | InitialSource::FillUp(patch) => patch,
    });
    assert!(once.chain(&forcing.dye).flat_map(|p| p.values.iter().flatten()).all(|v| v.is_finite()), "dye");
    assert!(forcing.heat.iter().flat_map(|p| &p.values).all(|v| v.is_finite()), "heat");
    for push in forcing.u.iter().chain(&forcing.v) {
        match push {
            VelocityForcing::Add(patch) => assert!(patch.values.iter().all(|v| v.is_finite()), "added"),
            VelocityForcing::Steer(patch) => {
                assert!(patch.values.iter().all(|[v, w]| v.is_finite() && (0.0..=1.0).contains(w)), "steered");
            }
        }
    }
    let solids = forcing.solids.iter().flat_map(|s| s.u.iter().chain(&s.v));
    assert!(solids.into_iter().all(|v| v.is_finite()), "solids");
}

/// Sets every number of the settings to this one.
fn all(value: f64) -> Settings {
    let pole = PointForce { centre: [value; 2], radius: value, strength: value };
    let brush = Brush {
        centre: [value; 2],
        previous: [value; 2],
        radius: value,
        softness: value,
        force: value,
        colour: [value; 4],
    };
    let jet = Jet {
        number: 1,
        centre: [value; 2],
        previous: [value; 2],
        direction: value,
        radius: value,
        softness: value,
        strength: value,
        colour: [value; 4],
        heat: value,
        fuel: value,
        spread: value,
        random: value,
        breakup: value,
        breakup_size: value,
        seed: i32::MIN,
        pulse_rate: value,
        pulse_lead: value,
        pulse_duty: value,
    };
    Settings {
        time_lead: value,
        wind: [value; 2],
        wind_drag: value,
        attractor: Some(pole),
        vortex: Some(PointForce { centre: [4.0; 2], ..pole }),
        noise: Some(Noise {
            strength: value,
            size: value,
            octaves: i32::MAX,
            speed: value,
            lead: value,
            drift: [value; 2],
            seed: i32::MAX,
        }),
        brush: Some(brush),
        jets: vec![jet, Jet { centre: [4.0; 2], ..jet }, Jet { radius: 3.0, centre: [4.0; 2], ..jet }],
        source_density: value,
        velocity_scale: value,
        heat_scale: value,
        obstacle_push: value,
        grid_centre: [value; 2],
        inherit: value,
        ..settings()
    }
}

#[test]
fn extreme_settings_give_finite_forcing() {
    let values = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, -1.0, 0.0, 1e-300, 7.0];
    for (width, height) in [(9, 7), (1, 1), (1, 50)] {
        for edges in [Boundary::Open, Boundary::Wrap] {
            let mut spec = spec(width, height, 1.0);
            spec.constants.edges = [edges; 4];
            for value in values {
                let v = value as f32;
                let pictures = picture(&spec, |x, y| if (x + y) % 3 == 0 { [v; 4] } else { [1.0, -1.0, 0.5, 1.0] });
                let inputs = Inputs {
                    source: Some(with_alpha(pictures.clone())),
                    velocity: Some(pictures.clone()),
                    heat: Some(with_alpha(pictures.clone())),
                    obstacles: Some(pictures.clone()),
                    obstacle_velocity: Some(pictures.clone()),
                    mask: Some(pictures.clone()),
                };
                for frame_number in [0, 3, i64::MIN, i64::MAX] {
                    let mut s = Settings { frame: frame_number, ..all(value) };
                    for time in [1.0, value] {
                        s.velocity_mode = if time == 1.0 { VelocityMode::Add } else { VelocityMode::Set };
                        assert_finite(&frame(&spec, &s, &inputs, time));
                        assert_finite(&frame(
                            &spec,
                            &s,
                            &Inputs { mask: None, obstacles: None, ..inputs.clone() },
                            time,
                        ));
                        s.brush.iter_mut().for_each(|b| (b.centre, b.radius) = ([4.0; 2], 2.0));
                    }
                }
            }
        }
    }
}

#[test]
fn patches_cover_the_drawn_pixels_only() {
    let spec = spec(50, 40, 1.0);
    let inputs = source(&spec, true, true, |x, y| if (10..13).contains(&x) && y > 35 { [1.0; 4] } else { [0.0; 4] });
    let forcing = frame(&spec, &settings(), &inputs, 1.0);
    assert_eq!(forcing.dye, [Patch { x: 10, y: 36, width: 3, height: 4, values: vec![[1.0; 4]; 12] }]);
}

#[test]
fn missing_rows_of_short_pictures_count_as_0() {
    let spec = spec(6, 4, 1.0);
    let short: Pixels = Arc::new(vec![[1.0; 4]; 5]);
    let inputs = Inputs {
        source: Some(SourcePixels { pixels: short.clone(), has_alpha: true, premultiplied: true }),
        velocity: Some(short.clone()),
        heat: Some(with_alpha(short.clone())),
        obstacles: Some(Arc::new(Vec::new())),
        obstacle_velocity: Some(short.clone()),
        mask: Some(short),
    };
    let forcing = frame(&spec, &settings(), &inputs, 1.0);
    near(total(&forcing.dye)[3], 5.0, 1e-6, "five cells");
    assert_eq!(forcing.solids, None);
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let spec = spec(150, 90, 1.0);
    let s = Settings {
        noise: noise(9).noise,
        jets: vec![Jet { spread: 40.0, random: 0.7, ..jet() }],
        wind: [1.0, 2.0],
        wind_drag: 0.1,
        ..brush([30.0, 20.0], [100.0, 85.0], 12.0)
    };
    let mut inputs = source(&spec, true, false, |x, y| [x as f32 / 150.0, f32::NAN, y as f32 / 90.0, (x % 2) as f32]);
    inputs.obstacles = Some(box_matte(&spec, 30, 30, 9, 9));
    inputs.velocity = Some(picture(&spec, |x, y| [x as f32, y as f32, 0.0, 0.0]));
    let before = state(&spec, None);
    let [a, b] = [&Alone as &dyn Workers, &Crowd]
        .map(|workers| rasterise(&spec, &s, &inputs, &still(&spec), Some(&before), 0.7, workers));
    assert!(a == b);
    assert_finite(&a);
}
