//! Light of the flame of burning fuel: a body, coloured by temperature and age, a blue base where fuel begins to burn,
//! and soot.

use super::shading::Fire;
use crate::picture::maths::{clamped, decay};
use crate::sim::fluid::combustion::smoothstep;
use crate::sim::smoke::State;
use crate::sim::smoke::state::Fire as Fields;

/// Positions of the colours of the body, and their linear Rec. 709.
const RAMP: [(f32, [f32; 3]); 6] = [
    (0.0, [0.0, 0.0, 0.0]),
    (0.2, [0.12, 0.008, 0.0]),
    (0.4, [0.75, 0.11, 0.005]),
    (0.6, [1.5, 0.45, 0.03]),
    (0.8, [2.2, 1.1, 0.2]),
    (1.15, [2.8, 2.0, 0.8]),
];

/// Linear Rec. 709 of the blue base.
const BLUE: [f32; 3] = [0.02, 0.07, 0.4];

/// Exposure at which the ramp has its colours, stops.
const EXPOSURE: f64 = 3.0;

/// Share of the light that soot scatters.
const SOOT: f32 = 0.03;

/// Cells in the height of a flame for which gradients of fuel are given.
const FLAME_CELLS: f64 = 120.0;

/// The look of a flame.
pub struct Flame {
    ramp: [(f32, [f32; 3]); 6],
    /// Colour of the blue base.
    pub base_colour: [f32; 3],
    core: f32,
    onset: f32,
    /// Flame gas at which the body begins, and has its full light.
    edge: [f32; 2],
    gain: f32,
    /// Light of the blue base per fuel burnt per frame.
    blue: f32,
    /// Length of the gradient of fuel, cells.
    unit: f32,
    opacity: f32,
}

impl Flame {
    /// The look on a grid with so many cells per pixel.
    pub fn new(fire: &Fire, cells_per_pixel: f64) -> Self {
        let look = &fire.flame;
        let edge = clamped(look.edge, 0.0, 0.9);
        let gain = libm::exp2(clamped(fire.exposure, -20.0, 20.0) - EXPOSURE);
        Self {
            ramp: RAMP.map(|(warmth, colour)| (warmth, fire.working_space.of_rec709(colour))),
            base_colour: fire.working_space.of_rec709(BLUE),
            core: clamped(look.core, 0.0, 1.0) as f32,
            onset: clamped(look.onset, -1.0, 1.0) as f32,
            edge: [edge, 0.68 + 0.4 * edge].map(|value| value as f32),
            gain: gain as f32,
            blue: (clamped(look.blue, 0.0, 1e6) * gain / clamped(look.rate, 1e-6, 1e3)) as f32,
            unit: (clamped(look.size, 1e-3, 1e9) * cells_per_pixel / FLAME_CELLS) as f32,
            opacity: clamped(fire.opacity, 0.0, 1e6) as f32,
        }
    }

    /// Whether the body may be bright where there is so much flame gas.
    #[inline(always)]
    pub fn can_glow(&self, gas: f32) -> bool {
        gas > self.edge[0]
    }

    /// Light of the body of a cell with this gas; `None` where it is dark.
    #[inline(always)]
    pub fn body(&self, temperature: f32, [_, gas, aged, _]: [f32; 4]) -> Option<[f32; 3]> {
        let [warmth, share] = self.warmth(temperature, gas, aged)?;
        let light = share * self.gain;
        (light > 0.0).then(|| self.colour(warmth).map(|channel| channel * light))
    }

    /// Warmth of the body by temperature, flame gas and flame gas times its age, and the share of its light that it has,
    /// 0 to 1; `None` where it is dark.
    #[inline(always)]
    pub fn warmth(&self, temperature: f32, gas: f32, aged: f32) -> Option<[f32; 2]> {
        if !self.can_glow(gas) || temperature <= BODY[0] {
            return None;
        }
        let age = aged / gas;
        let young = 1.0 - age;
        let warmth = temperature * (self.core + (1.0 - self.core) * young);
        let share = smoothstep([self.onset, self.onset + 0.2], age)
            * smoothstep([0.0, 0.35], young)
            * smoothstep(BODY, temperature)
            * smoothstep(self.edge, gas);
        (share > 0.0).then_some([warmth, share])
    }

    /// Colour of the body, linear between the colours of the ramp.
    #[inline(always)]
    fn colour(&self, warmth: f32) -> [f32; 3] {
        let mut colour = self.ramp[0].1;
        for pair in self.ramp.windows(2) {
            let [(low, from), (high, to)] = [pair[0], pair[1]];
            if warmth > low {
                let share = ((warmth - low) / (high - low)).min(1.0);
                colour = [0, 1, 2].map(|channel| from[channel] + (to[channel] - from[channel]) * share);
            }
        }
        colour
    }

    /// Light of the blue base of a cell.
    #[inline(always)]
    fn base(&self, state: &State, fire: &Fields, [x, y]: [usize; 2]) -> [f32; 3] {
        let (width, height) = (state.grid.width, state.grid.height);
        let at = y * width + x;
        let [_, gas, aged, _] = fire.gas[at];
        let burning = fire.burning[at];
        if burning <= 0.0 || gas <= 0.0 {
            return [0.0; 3];
        }
        let fuel = |x: usize, y: usize| fire.gas[y * width + x][0];
        let along = 0.5 * (fuel((x + 1).min(width - 1), y) - fuel(x.saturating_sub(1), y));
        let up = 0.5 * (fuel(x, (y + 1).min(height - 1)) - fuel(x, y.saturating_sub(1)));
        let light = self.base_strength(burning, aged / gas, (along * along + up * up).sqrt());
        self.base_colour.map(|channel| channel * light)
    }

    /// Light of the blue base relative to its colour, by fuel burnt per frame, age, and gradient of fuel per cell.
    #[inline(always)]
    pub fn base_strength(&self, burning: f32, age: f32, gradient: f32) -> f32 {
        let edge = smoothstep([0.02, 0.2], gradient * self.unit);
        self.blue * burning * (1.0 - smoothstep([0.1, 0.4], age)) * edge
    }

    /// Lays soot and flame over the smoke of a cell. `light`: the light on the soot.
    #[inline(always)]
    pub fn over(&self, state: &State, fire: &Fields, [x, y]: [usize; 2], light: [f32; 3], pixel: &mut [f32; 4]) {
        let at = y * state.grid.width + x;
        let gas = fire.gas[at];
        if gas[3] > 0.0 {
            let soot = 1.0 - decay(0.5 * gas[3]);
            for (channel, light) in light.into_iter().enumerate() {
                pixel[channel] += (SOOT * light - pixel[channel]) * soot;
            }
            pixel[3] += (1.0 - pixel[3]) * soot;
        }
        let temperature = state.air.temperature.as_ref().map_or(0.0, |temperature| temperature[at]);
        let base = self.base(state, fire, [x, y]);
        let body = self.body(temperature, gas).unwrap_or_default();
        for channel in 0..3 {
            pixel[channel] += body[channel] + base[channel];
        }
        pixel[3] += (1.0 - pixel[3]) * (1.0 - decay(self.opacity * body[0]));
    }
}

/// Temperatures over which the body begins to glow.
const BODY: [f32; 2] = [0.1, 0.45];

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::sim::grid::Grid;
    use crate::sim::smoke::Air;
    use crate::sim::smoke::settings::Boundary;

    /// A row of cells of this gas and temperature, which burns nothing.
    fn row(gas: &[[f32; 4]], temperature: f32) -> State {
        let width = gas.len();
        let fire = Fields { gas: gas.to_vec().into(), burning: vec![0.0; width].into() };
        let temperature = Some(vec![temperature; width].into());
        let air = Air { dye: vec![[0.0; 4]; width].into(), temperature, fire: Some(fire), ..Air::default() };
        let grid = Grid { width, height: 1, origin: [0.0; 2], cells_per_pixel: 1.0 };
        State { grid, edges: [Boundary::Open; 4], air: Arc::new(air), solids: None, remainder: [0.0; 4] }
    }

    fn shown(state: &State, x: usize) -> [f32; 4] {
        let mut pixel = [0.0; 4];
        let fire = state.air.fire.as_ref().expect("there is fire");
        Flame::new(&Fire::default(), 1.0).over(state, fire, [x, 0], [1.0; 3], &mut pixel);
        pixel
    }

    #[test]
    fn the_body_glows_by_age_and_temperature() {
        let aged = |age: f32| row(&[[0.5, 1.0, age, 0.0]], 0.9);
        let light = |state: &State| shown(state, 0)[0];
        assert_eq!([0.0, 0.03, 1.0, 2.0].map(|age| light(&aged(age))), [0.0; 4], "too young, and too old");
        let [young, old] = [0.3, 0.7].map(|age| light(&aged(age)));
        assert!(young > old && old > 0.0, "{young} {old}");
        assert_eq!(light(&row(&[[0.5, 1.0, 0.3, 0.0]], 0.1)), 0.0, "cold gas");
        assert_eq!(light(&row(&[[0.5, 0.05, 0.015, 0.0]], 0.9)), 0.0, "thin gas");
    }

    #[test]
    fn the_base_is_blue_where_fuel_ends() {
        let mut state = row(&[[1.0, 1.0, 0.0, 0.0], [0.5, 1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]], 0.9);
        let air = Arc::make_mut(&mut state.air);
        air.fire.as_mut().expect("there is fire").burning.fill(0.03);
        let [r, g, b, _] = shown(&state, 1);
        assert!(b > g && g > r && r > 0.0, "{r} {g} {b}");
    }

    #[test]
    fn soot_covers_and_is_dark() {
        let [r, _, _, alpha] = shown(&row(&[[0.0, 0.0, 0.0, 3.0]], 0.0), 0);
        assert!((alpha - (1.0 - (-1.5_f32).exp())).abs() < 1e-5 && r < 0.03, "{r} {alpha}");
    }
}
