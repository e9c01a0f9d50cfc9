//! Point forces, wind and noise, and all forcing in a proxy.

use super::*;

#[test]
fn point_forces_are_strongest_at_their_radius() {
    let spec = spec(160, 120, 0.5);
    let pole = PointForce { centre: [160.0, 120.0], radius: 40.0, strength: 3.0 };
    let attractor = Settings { attractor: Some(pole), ..settings() };
    let vortex = Settings { vortex: Some(pole), ..settings() };
    let [u, _] = added(&spec, &frame(&spec, &attractor, &Inputs::default(), 1.0));
    // The point force is at (80, 60) in cells, its radius 20.
    let expected = |dx: f64, dy: f64| 1.5 * dx / 20.0 * (0.5 - (dx * dx + dy * dy) / 800.0).exp();
    for (x, y) in [(60, 60), (100, 59), (80, 70), (93, 48)] {
        let (dx, dy) = (80.0 - x as f64, 60.0 - (y as f64 + 0.5));
        assert!((f64::from(u[y * 161 + x]) - expected(dx, dy)).abs() < 1e-6, "{x} {y}");
    }
    let greatest = u.iter().fold(0.0f32, |a, b| a.max(b.abs()));
    assert!(greatest <= 1.5 && greatest > 1.499, "{greatest}");
    let both = frame(&spec, &Settings { vortex: vortex.vortex, ..attractor }, &Inputs::default(), 1.0);
    assert_eq!((both.u.len(), both.v.len()), (1, 1), "what is added to one place is added once");
    let [sum, _] = added(&spec, &both);
    let [spin, _] = added(&spec, &frame(&spec, &vortex, &Inputs::default(), 1.0));
    assert!((0..sum.len()).all(|i| (sum[i] - u[i] - spin[i]).abs() < 1e-6));
    let [u, v] = added(&spec, &frame(&spec, &vortex, &Inputs::default(), 0.5));
    assert!(v[60 * 160 + 100] > 0.7 && v[60 * 160 + 59] < -0.7 && u[80 * 161 + 80] < -0.7, "counter-clockwise");
}

#[test]
fn wind_closes_its_fraction_of_the_velocity_difference() {
    let spec = spec(8, 6, 0.5);
    let s = Settings { wind: [4.0, -2.0], wind_drag: 0.19, ..settings() };
    let [u, v] = steered(&spec, &frame(&spec, &s, &Inputs::default(), 0.5));
    assert!(u.iter().all(|w| w[0] == 2.0 && (w[1] - 0.1).abs() < 1e-6));
    assert!(v.iter().all(|w| w[0] == -1.0 && (w[1] - 0.1).abs() < 1e-6));
    assert_eq!(frame(&spec, &Settings { wind_drag: 0.0, ..s }, &Inputs::default(), 1.0), Forcing::default());
}

/// Largest divergence of cells, relative to the largest velocity.
fn divergence(spec: &Spec, [u, v]: &[Vec<f32>; 2]) -> f64 {
    let (w, h) = (spec.grid.width, spec.grid.height);
    let greatest = u.iter().chain(v).fold(0.0, |a: f64, b| a.max(f64::from(b.abs())));
    let cell = |x: usize, y: usize| {
        let across = f64::from(u[y * (w + 1) + x + 1]) - f64::from(u[y * (w + 1) + x]);
        across + f64::from(v[(y + 1) * w + x]) - f64::from(v[y * w + x])
    };
    (0..w * h).fold(0.0, |a: f64, i| a.max(cell(i % w, i / w).abs())) / greatest
}

fn mean_square(values: &[f32]) -> f64 {
    values.iter().map(|&v| f64::from(v) * f64::from(v)).sum::<f64>() / values.len() as f64
}

#[test]
fn noise_is_free_of_divergence_and_has_its_strength() {
    for (g, edges) in [(1.0, Boundary::Open), (0.5, Boundary::Open), (1.0, Boundary::Wrap)] {
        let mut spec = spec((960.0 * g) as usize, (720.0 * g) as usize, g);
        spec.constants.edges = [edges; 4];
        for n in [0, 11, 400] {
            let field = added(&spec, &frame(&spec, &noise(n), &Inputs::default(), 1.0));
            let off = divergence(&spec, &field);
            assert!(off < 1e-5, "divergence {off}");
            let strength = (mean_square(&field[0]) + mean_square(&field[1])).sqrt() / g;
            near(strength, 2.0, 0.05, &format!("strength at {g}, frame {n}"));
            if edges == Boundary::Wrap {
                (0..720).for_each(|y| assert_eq!(field[0][y * 961], field[0][y * 961 + 960]));
                assert_eq!(field[1][..960], field[1][720 * 960..]);
            }
        }
    }
}

#[test]
fn octaves_share_the_strength_of_a_noise_and_make_it_finer() {
    let spec = spec(960, 720, 1.0);
    let [one, four] = [1, 4].map(|octaves| {
        let mut settings = noise(11);
        settings.noise.iter_mut().for_each(|noise| (noise.size, noise.octaves) = (96.0, octaves));
        added(&spec, &frame(&spec, &settings, &Inputs::default(), 1.0))
    });
    for field in [&one, &four] {
        assert!(divergence(&spec, field) < 1e-5);
        near((mean_square(&field[0]) + mean_square(&field[1])).sqrt(), 2.0, 0.12, "strength");
    }
    let change = |[u, _]: &[Vec<f32>; 2]| {
        let rows = u.chunks_exact(961).flat_map(|row| row.windows(2).map(|pair| pair[1] - pair[0]));
        mean_square(&rows.collect::<Vec<_>>())
    };
    assert!(change(&four) > 16.0 * change(&one), "{} {}", change(&four), change(&one));
}

#[test]
fn noise_is_smooth_in_time_and_depends_on_its_seed() {
    let spec = spec(240, 160, 1.0);
    let at = |s: &Settings| added(&spec, &frame(&spec, s, &Inputs::default(), 1.0))[0].clone();
    let differ = |a: &[f32], b: &[f32]| {
        let off: Vec<f32> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        (mean_square(&off) / mean_square(a)).sqrt()
    };
    let start = at(&noise(100));
    // A turn of 0.02 changes the vector by 0.126 of its length.
    let next = differ(&start, &at(&noise(101)));
    assert!(next > 0.05 && next < 0.2, "{next} in a frame");
    assert!(differ(&start, &at(&noise(125))) > 1.0, "half a turn later it is another");
    let mut other = noise(100);
    other.noise.iter_mut().for_each(|n| n.seed = 4);
    assert!(differ(&start, &at(&other)) > 1.0);
    other.noise.iter_mut().for_each(|n| (n.seed, n.speed) = (3, 0.0));
    let frozen = at(&other);
    assert_eq!(frozen, at(&Settings { frame: 7, ..other }), "without speed it stands");
}

#[test]
fn noise_stays_where_it_is_when_the_grid_moves() {
    let near_spec = spec(120, 90, 1.0);
    let mut far = near_spec;
    far.grid.origin = [31.0, -17.0];
    let [u, v] = added(&near_spec, &frame(&near_spec, &noise(5), &Inputs::default(), 1.0));
    let [moved_u, moved_v] = added(&far, &frame(&far, &noise(5), &Inputs::default(), 1.0));
    for y in 0..60 {
        for x in 0..80 {
            assert!((u[y * 121 + x + 31] - moved_u[(y + 17) * 121 + x]).abs() < 1e-5);
            assert!((v[y * 120 + x + 31] - moved_v[(y + 17) * 120 + x]).abs() < 1e-5);
        }
    }
}

#[test]
fn the_wind_carries_a_noise_along() {
    let spec = spec(120, 90, 1.0);
    let at = |drift: [f64; 2]| {
        let mut settings = noise(5);
        settings.noise.iter_mut().for_each(|noise| (noise.drift, noise.octaves) = (drift, 3));
        added(&spec, &frame(&spec, &settings, &Inputs::default(), 1.0))
    };
    let ([u, _], [moved_u, _]) = (at([0.0; 2]), at([31.0, -17.0]));
    for (x, y) in (0..80).flat_map(|x| (17..70).map(move |y| (x, y))) {
        let off = u[y * 121 + x] - moved_u[(y - 17) * 121 + x + 31];
        assert!(off.abs() < 1e-5, "at {x}, {y}: {off}");
    }
}

#[test]
fn a_proxy_has_the_forcing_of_the_full_grid() {
    let (full, half) = (spec(320, 240, 1.0), spec(160, 120, 0.5));
    let s = Settings {
        noise: noise(5).noise,
        vortex: Some(PointForce { centre: [150.0, 100.0], radius: 30.0, strength: 2.0 }),
        attractor: Some(PointForce { centre: [90.0, 60.0], radius: 50.0, strength: -1.0 }),
        ..settings()
    };
    let [u, v] = added(&full, &frame(&full, &s, &Inputs::default(), 1.0));
    let [small_u, small_v] = added(&half, &frame(&half, &s, &Inputs::default(), 1.0));
    for y in 0..120 {
        for x in 0..160 {
            let fine = f64::midpoint(f64::from(u[2 * y * 321 + 2 * x]), f64::from(u[(2 * y + 1) * 321 + 2 * x]));
            assert!((2.0 * f64::from(small_u[y * 161 + x]) - fine).abs() < 0.01, "u at {x} {y}");
            let fine = f64::midpoint(f64::from(v[2 * y * 320 + 2 * x]), f64::from(v[2 * y * 320 + 2 * x + 1]));
            assert!((2.0 * f64::from(small_v[y * 160 + x]) - fine).abs() < 0.01, "v at {x} {y}");
        }
    }
    let s = brush([100.0, 120.0], [180.0, 90.0], 20.0);
    let (big, small) = (frame(&full, &s, &Inputs::default(), 1.0), frame(&half, &s, &Inputs::default(), 1.0));
    near(total(&small.dye)[3] * 4.0, total(&big.dye)[3], 1e-5, "dye in pixels");
    let dye = plane(&big.dye[0], 320, 240);
    for (cell, value) in plane(&small.dye[0], 160, 120).iter().enumerate() {
        let at = cell / 160 * 2 * 320 + cell % 160 * 2;
        let mean = (dye[at][3] + dye[at + 1][3] + dye[at + 320][3] + dye[at + 321][3]) / 4.0;
        assert!((value[3] - mean).abs() < 0.02, "{cell}: {} instead of {mean}", value[3]);
    }
    let ([u, _], [small_u, _]) = (steered(&full, &big), steered(&half, &small));
    assert_eq!((u[105 * 321 + 140], small_u[52 * 161 + 70]), ([80.0, 1.0], [40.0, 1.0]));
}
