//! Burning and radiation of a cell, in any number of dimensions.

use crate::sim::fluid::combustion::{AGEING_MIN, Burning, COOLING_MIN, SOOT_AGES, smoothstep};

/// Burns the fuel of a cell: fuel, flame gas, flame gas times its age, soot. Returns the fuel burnt per frame.
pub(super) fn burn(burning: &Burning, temperature: &mut f32, gas: &mut [f32; 4]) -> f32 {
    if gas.iter().all(|amount| *amount == 0.0) {
        return 0.0;
    }
    let share = burning.share(*temperature);
    let [fuel, flame, aged, soot] = *gas;
    let burnt = fuel.min(burning.rate * share);
    if burnt > 0.0 {
        *temperature = 1.0 - (1.0 - *temperature) * libm::expf(-burning.heat * burnt);
    }
    let aged = aged + flame * (AGEING_MIN + (1.0 - AGEING_MIN) * share) * burning.ageing;
    let old = if flame > 0.0 { smoothstep(SOOT_AGES, aged / flame) } else { 0.0 };
    *gas = [fuel - burnt, flame, aged, soot * burning.keep + burning.soot * burnt * old];
    burnt * burning.per_frame
}

/// Radiation, exact for `dT/dt = −c·T⁴`; `rate`: 3·c·dt.
pub(super) fn cool(rate: f32, temperature: &mut f32) {
    let t = *temperature;
    if t > COOLING_MIN {
        *temperature = t / libm::cbrtf(1.0 + rate * (t * t * t));
    }
}
