//! A basin of ripples for tests: frame plans with given coefficients, and the head operator in floating point.

use std::sync::Arc;

use flow_ofx::sim::water::domain::{CLOSED, Domain, PIPES};
use flow_ofx::sim::water::field::Field;
use flow_ofx::sim::water::fixed_point::Coefficient;
use flow_ofx::sim::water::plan::{FramePlan, Shallow};
use flow_ofx::sim::water::ripples::dispersion::{Coefficients, Dispersion, LEVELS, ONE};
use flow_ofx::sim::water::ripples::margin::Margin;
use flow_ofx::sim::water::ripples::pyramid::{BLUR, FULL, MASS, Pyramid};
use flow_ofx::sim::water::ripples::{REST, Ripples, UNITS};
use flow_ofx::sim::water::settings::{Constants, Edges, Model, Order};
use flow_ofx::sim::water::shallow::Gain;
use flow_ofx::sim::water::{Device, MassBalance, StateBuffers, Water};

/// Deep water without surface tension.
pub fn deep(gravity: f64) -> Dispersion {
    Dispersion { gravity, tension: 0.0, depth: f64::INFINITY }
}

/// A grid with its solid cells, and the water in it.
pub struct Basin {
    pub width: usize,
    pub height: usize,
    pub margin: Margin,
    pub domain: Arc<Domain>,
    pub pyramid: Arc<Pyramid>,
    pub coefficients: Coefficients,
    pub smoothing: f64,
    pub water: Arc<StateBuffers>,
    pub balance: MassBalance,
}

impl Basin {
    /// Water at rest.
    pub fn new(width: usize, height: usize, edges: Edges, of: Dispersion, solid: Option<Vec<bool>>) -> Basin {
        Basin::with_shut(width, height, edges, [false; 4], of, solid)
    }

    /// Units of a grid at rest.
    pub fn at_rest(width: usize, height: usize) -> i64 {
        i64::from(REST) * (width * height) as i64
    }

    /// Water at rest, with walls at some sides of open edges.
    pub fn with_shut(
        width: usize,
        height: usize,
        edges: Edges,
        shut: [bool; 4],
        of: Dispersion,
        solid: Option<Vec<bool>>,
    ) -> Basin {
        let constants = Constants {
            model: Model::Ripples,
            order: Order::Second,
            edges,
            shut,
            absorb: [false; 4],
            diagonal_weight: 0.25,
            max_height: 8.0,
            colour_range: 16.0,
        };
        let margin = Margin::new(&constants, width, height);
        let domain = Arc::new(Domain::new(width, height, edges, shut, solid));
        let pyramid = Arc::new(Pyramid::new(margin.domain(&domain)));
        let flow = Field::new(width, height, margin.flow_planes());
        let water = Water { height: Field::new(width, height, 1), flow, pigment: None };
        let mut basin = Basin {
            width,
            height,
            margin,
            domain,
            pyramid,
            coefficients: Coefficients::fit(&of),
            smoothing: 0.0,
            water: Arc::new(StateBuffers::new(water)),
            balance: MassBalance::default(),
        };
        basin.raise(|_, _| 0.0);
        basin
    }

    pub fn solid(&self, x: usize, y: usize) -> bool {
        self.domain.solid().is_some_and(|solid| solid[y * self.width + x])
    }

    /// Sets the deviations, in heights.
    pub fn raise(&mut self, of: impl Fn(usize, usize) -> f64) {
        let mut water = self.water.water().clone();
        for (x, y) in (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y))) {
            let units = (of(x, y) * f64::from(UNITS)).round() as i32;
            water.height.set(x, y, 0, if self.solid(x, y) { 0 } else { REST + units });
        }
        self.water = Arc::new(StateBuffers::new(water));
    }

    /// The plan of a frame of `steps` steps without sources.
    pub fn plan(&self, steps: u32) -> FramePlan {
        FramePlan {
            model: Model::Ripples,
            domain: Arc::clone(&self.domain),
            clear_solid: false,
            initial: None,
            rescale: None,
            shared_over: steps,
            steps,
            keep: Coefficient::new(1.0),
            cross: [Coefficient::ZERO; 5],
            diagonal: Coefficient::ZERO,
            smoothing: Coefficient::new(self.smoothing),
            shallow: Shallow::default(),
            ripples: Some(Ripples {
                coefficients: self.coefficients,
                pyramid: Arc::clone(&self.pyramid),
                margin: self.margin,
                push: Gain::default(),
            }),
            base: None,
            push: None,
            control: None,
            inflows: Vec::new(),
            evaporation: [0; 2],
            wet: 1,
        }
    }

    /// Takes steps.
    pub fn run(&mut self, device: &dyn Device, steps: u32) {
        self.run_plan(device, self.plan(steps));
    }

    pub fn run_plan(&mut self, device: &dyn Device, plan: FramePlan) {
        let (water, balance) = device.run(&Arc::new(plan), &self.water, &mut || true).expect("never interrupted");
        self.water = water;
        self.balance += balance;
    }

    /// Sets the flows of half a step before, so that the water is at rest now.
    pub fn start_at_rest(&mut self, device: &dyn Device) {
        let start = self.water.water().clone();
        self.run(device, 1);
        let mut flow = self.water.water().flow.clone();
        flow.rows_mut(0, self.height + 1).iter_mut().for_each(|q| *q = -*q / 2);
        self.water = Arc::new(StateBuffers::new(Water { flow, ..start }));
    }

    /// Deviation of a cell, in heights.
    pub fn eta(&self, x: usize, y: usize) -> f64 {
        f64::from(self.units(x, y)) / f64::from(UNITS)
    }

    /// Deviation of a cell, in units.
    pub fn units(&self, x: usize, y: usize) -> i32 {
        self.water.water().height.at(x, y, 0) - REST
    }

    /// The cells of water.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y))).filter(|&(x, y)| !self.solid(x, y))
    }

    /// The amplitude of a mode.
    pub fn amplitude(&self, mode: impl Fn(usize, usize) -> f64) -> f64 {
        let (sum, norm) = self.cells().fold((0.0, 0.0), |(sum, norm), (x, y)| {
            let value = mode(x, y);
            (sum + value * self.eta(x, y), norm + value * value)
        });
        sum / norm
    }

    /// The frequency, radians per step, of a standing wave in a mode, from `steps` steps; and the largest share of the
    /// energy in other modes.
    pub fn frequency(&mut self, device: &dyn Device, steps: usize, mode: impl Fn(usize, usize) -> f64) -> (f64, f64) {
        self.raise(|x, y| 0.5 * mode(x, y));
        let mut amplitudes = vec![self.amplitude(&mode)];
        let mut other = 0.0_f64;
        for _ in 0..steps {
            self.run(device, 1);
            let amplitude = self.amplitude(&mode);
            let (rest, whole) = self.cells().fold((0.0, 0.0), |(rest, whole), (x, y)| {
                let value = mode(x, y);
                let less = self.eta(x, y) - amplitude * value;
                (rest + less * less, whole + 0.25 * value * value)
            });
            other = other.max(rest / whole);
            amplitudes.push(amplitude);
        }
        let (products, squares) = amplitudes.windows(3).fold((0.0, 0.0), |(products, squares), three| {
            (products + three[1] * (three[0] + three[2]), squares + 2.0 * three[1] * three[1])
        });
        ((products / squares).acos(), other)
    }
}

/// The head operator and the pipes in floating point, over the stencils of a pyramid.
pub struct Reals<'a> {
    pyramid: &'a Pyramid,
    coefficients: &'a Coefficients,
    width: usize,
    height: usize,
    /// Open pipes: both cells, and the weight.
    pub pipes: Vec<(usize, usize, f64)>,
    /// Masses of the cells of each level, without rounding.
    masses: Vec<Vec<f64>>,
    /// Differences in the local terms: both cells, weight over faces, weight over diagonals.
    local: Vec<(usize, usize, [f64; 2])>,
}

impl<'a> Reals<'a> {
    pub fn new(pyramid: &'a Pyramid, coefficients: &'a Coefficients) -> Reals<'a> {
        let (width, height) = (pyramid.levels()[0].width, pyramid.levels()[0].height);
        let (mut pipes, mut local) = (Vec::new(), Vec::new());
        for cell in 0..width * height {
            let (x, y) = (cell % width, cell / width);
            for (pipe, (dx, dy)) in PIPES.into_iter().enumerate() {
                let code = pyramid.domain().codes(y + 1)[x + 1] >> (4 * pipe) & CLOSED;
                if code != CLOSED {
                    let far = (y as isize + dy).rem_euclid(height as isize) as usize * width
                        + (x as isize + dx).rem_euclid(width as isize) as usize;
                    let beside = f64::from(code);
                    pipes.push((cell, far, if pipe < 2 { 1.0 + beside / 8.0 } else { 0.25 }));
                    local.push((cell, far, if pipe < 2 { [1.0, beside / 2.0] } else { [0.0, 1.0] }));
                }
            }
        }
        let mut masses: Vec<Vec<f64>> = vec![
            (0..width * height).map(|cell| f64::from(pyramid.mass(0, cell % width, cell / width).min(1))).collect(),
        ];
        for level in 1..LEVELS {
            let (fine, here) = (&pyramid.levels()[level - 1], &pyramid.levels()[level]);
            let mut coarse = vec![0.0; here.width * here.height];
            for (cell, mass) in masses[level - 1].iter().enumerate().filter(|(_, mass)| **mass > 0.0) {
                for (block, weight) in pyramid.prolong(level - 1, cell % fine.width, cell / fine.width) {
                    coarse[block] += 0.25 * mass * f64::from(weight) / f64::from(FULL);
                }
            }
            masses.push(coarse);
        }
        Reals { pyramid, coefficients, width, height, pipes, masses, local }
    }

    pub fn cells(&self) -> usize {
        self.width * self.height
    }

    pub fn is_water(&self, cell: usize) -> bool {
        self.pyramid.mass(0, cell % self.width, cell / self.width) > 0
    }

    fn blur(&self, level: usize, values: &[f64]) -> Vec<f64> {
        let width = self.pyramid.levels()[level].width;
        let cell = |at: usize| {
            let mass = self.masses[level][at] * f64::from(BLUR * MASS);
            if mass == 0.0 {
                return 0.0;
            }
            let stencil = self.pyramid.blur(level, at % width, at / width);
            let far = &stencil[..8];
            values[at]
                + far.iter().map(|&(cell, weight)| f64::from(weight) * (values[cell] - values[at])).sum::<f64>() / mass
        };
        (0..values.len()).map(cell).collect()
    }

    /// P of a field.
    pub fn head(&self, values: &[f64]) -> Vec<f64> {
        let mut blurred = Vec::new();
        let mut coarse = values.to_vec();
        for level in 0..LEVELS {
            let fine = self.blur(level, &coarse);
            if level + 1 < LEVELS {
                let here = &self.pyramid.levels()[level];
                let masses = &self.masses[level + 1];
                coarse = vec![0.0; masses.len()];
                for (cell, value) in fine.iter().enumerate().filter(|&(cell, _)| self.masses[level][cell] > 0.0) {
                    for (block, weight) in self.pyramid.prolong(level, cell % here.width, cell / here.width) {
                        let share = 0.25 * self.masses[level][cell] * f64::from(weight) / f64::from(FULL);
                        coarse[block] += share * value / masses[block].max(f64::MIN_POSITIVE);
                    }
                }
            }
            blurred.push(fine);
        }
        let real = |part: i32| f64::from(part) / f64::from(ONE);
        let mut sum: Vec<f64> = Vec::new();
        for (level, fine) in blurred.iter().enumerate().rev() {
            let width = self.pyramid.levels()[level].width;
            let own = real(self.coefficients.levels[level]);
            let cell = |at: usize| {
                let coarser = if level + 1 < LEVELS && self.pyramid.mass(level, at % width, at / width) > 0 {
                    let stencil = self.pyramid.prolong(level, at % width, at / width);
                    stencil.iter().map(|&(cell, weight)| f64::from(weight) / f64::from(FULL) * sum[cell]).sum()
                } else {
                    0.0
                };
                own * fine[at] + coarser
            };
            sum = self.blur(level, &(0..fine.len()).map(cell).collect::<Vec<_>>());
        }
        let Coefficients { cell, faces, diagonals, .. } = *self.coefficients;
        for (at, sum) in sum.iter_mut().enumerate().filter(|&(at, _)| self.is_water(at)) {
            *sum += real(cell) * values[at];
        }
        for &(a, b, [over_face, over_diagonal]) in &self.local {
            let part = (real(faces) * over_face + real(diagonals) * over_diagonal) * (values[a] - values[b]);
            sum[a] += part;
            sum[b] -= part;
        }
        sum
    }

    /// Net outflow of the pipes for a head.
    pub fn outflow(&self, head: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; head.len()];
        for &(a, b, weight) in &self.pipes {
            let flow = weight * (head[a] - head[b]);
            out[a] += flow;
            out[b] -= flow;
        }
        out
    }

    /// Scalar product, in which P and the pipes are symmetric.
    pub fn dot(&self, a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }
}
