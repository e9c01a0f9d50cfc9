//! The colour of black bodies in a working space: Planck's law, weighted with the CIE 1931 standard observer.

use std::sync::LazyLock;

/// Highest temperature of the table, kelvin; higher ones are clamped to it.
pub const HOTTEST: f64 = 20_000.0;

/// Step of the table, kelvin.
const STEP: f64 = 50.0;

/// Lowest temperature of the table; lower ones are clamped to it.
const COLDEST: f64 = 500.0;

/// First wavelength and step of the table of the observer, nanometres.
const WAVES: [f64; 2] = [380.0, 10.0];

/// x, y and z of the CIE 1931 standard observer, 2°.
const OBSERVER: [[f64; 3]; 41] = [
    [0.001368, 3.9e-05, 0.00645],
    [0.004243, 0.00012, 0.02005],
    [0.01431, 0.000396, 0.06785],
    [0.04351, 0.00121, 0.2074],
    [0.13438, 0.004, 0.6456],
    [0.2839, 0.0116, 1.3856],
    [0.34828, 0.023, 1.74706],
    [0.3362, 0.038, 1.77211],
    [0.2908, 0.06, 1.6692],
    [0.19536, 0.09098, 1.28764],
    [0.09564, 0.13902, 0.81295],
    [0.03201, 0.20802, 0.46518],
    [0.0049, 0.323, 0.272],
    [0.0093, 0.503, 0.1582],
    [0.06327, 0.71, 0.07825],
    [0.1655, 0.862, 0.04216],
    [0.2904, 0.954, 0.0203],
    [0.43345, 0.99495, 0.00875],
    [0.5945, 0.995, 0.0039],
    [0.7621, 0.952, 0.0021],
    [0.9163, 0.87, 0.00165],
    [1.0263, 0.757, 0.0011],
    [1.0622, 0.631, 0.0008],
    [1.0026, 0.503, 0.00034],
    [0.85445, 0.381, 0.00019],
    [0.6424, 0.265, 5.0e-05],
    [0.4479, 0.175, 2.0e-05],
    [0.2835, 0.107, 0.0],
    [0.1649, 0.061, 0.0],
    [0.0874, 0.032, 0.0],
    [0.04677, 0.017, 0.0],
    [0.0227, 0.00821, 0.0],
    [0.011359, 0.004102, 0.0],
    [0.00579, 0.002091, 0.0],
    [0.002899, 0.001047, 0.0],
    [0.00144, 0.00052, 0.0],
    [0.00069, 0.000249, 0.0],
    [0.000332, 0.00012, 0.0],
    [0.000166, 6.0e-05, 0.0],
    [8.3e-05, 3.0e-05, 0.0],
    [4.2e-05, 1.5e-05, 0.0],
];

/// The primaries and white point of linear pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WorkingSpace {
    /// Rec. 709, as sRGB.
    #[default]
    Rec709,
    /// ACEScg: AP1 with the white point of ACES.
    AcesCg,
    /// Rec. 2020.
    Rec2020,
}

impl WorkingSpace {
    const ALL: [Self; 3] = [Self::Rec709, Self::AcesCg, Self::Rec2020];

    /// The space of an option of the choice.
    pub fn of_option(option: i32) -> Self {
        usize::try_from(option).ok().and_then(|option| Self::ALL.get(option)).copied().unwrap_or_default()
    }

    /// The linear colour in this space of one in linear Rec. 709. The white point is adapted as Bradford has it.
    fn converted(self, rgb: [f64; 3]) -> [f64; 3] {
        let matrix = match self {
            Self::Rec709 => return rgb,
            Self::AcesCg => REC_709_TO_ACESCG,
            Self::Rec2020 => REC_709_TO_REC_2020,
        };
        matrix.map(|row| row.iter().zip(rgb).map(|(a, b)| a * b).sum())
    }

    /// The linear colour in this space of one in linear Rec. 709 that both can show.
    pub fn of_rec709(self, rgb: [f32; 3]) -> [f32; 3] {
        if self == Self::Rec709 { rgb } else { self.converted(rgb.map(f64::from)).map(|value| value as f32) }
    }
}

/// Linear Rec. 709 to ACEScg.
const REC_709_TO_ACESCG: [[f64; 3]; 3] = [
    [0.613_097_4, 0.339_523_1, 0.047_379_5],
    [0.070_193_7, 0.916_353_9, 0.013_452_4],
    [0.020_615_6, 0.109_569_8, 0.869_814_6],
];

/// Linear Rec. 709 to Rec. 2020 (ITU-R BT.2087).
const REC_709_TO_REC_2020: [[f64; 3]; 3] = [
    [0.627_403_9, 0.329_283_0, 0.043_313_1],
    [0.069_097_3, 0.919_540_4, 0.011_362_3],
    [0.016_391_4, 0.088_013_3, 0.895_595_3],
];

/// CIE XYZ to linear Rec. 709.
const TO_RGB: [[f64; 3]; 3] = [
    [3.240_969_9, -1.537_383_2, -0.498_610_8],
    [-0.969_243_6, 1.875_967_5, 0.041_555_1],
    [0.055_630_1, -0.203_977_0, 1.056_971_5],
];

/// XYZ of a black body, of luminance 1.
pub fn xyz(kelvin: f64) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for (i, seen) in OBSERVER.iter().enumerate() {
        // Logarithm of Planck's law, with hc/k in nanometre kelvins. Values are taken relative to that at 560 nm: those
        // of cold bodies would be rounded to 0.
        let planck = |nanometres: f64| {
            let exponent = 1.438_776_9e7 / (nanometres * kelvin);
            -exponent - libm::log(-libm::expm1(-exponent)) - 5.0 * libm::log(nanometres)
        };
        let radiance = libm::exp(planck(WAVES[0] + WAVES[1] * i as f64) - planck(560.0));
        sum.iter_mut().zip(seen).for_each(|(sum, seen)| *sum += radiance * seen);
    }
    sum.map(|value| value / sum[1])
}

/// Linear colour of a black body, scaled so that its largest channel is 1. Negative channels, of colours outside the
/// gamut, become 0.
fn colour(kelvin: f64, space: WorkingSpace) -> [f32; 3] {
    let xyz = xyz(kelvin);
    let rec709 = TO_RGB.map(|row| row.iter().zip(xyz).map(|(a, b)| a * b).sum::<f64>());
    let rgb = space.converted(rec709).map(|value| value.max(0.0));
    let most = rgb.into_iter().fold(0.0, f64::max);
    rgb.map(|value| (value / most) as f32)
}

/// Colours by temperature, of each working space.
static TABLES: LazyLock<[Vec<[f32; 3]>; 3]> = LazyLock::new(|| {
    let entries = ((HOTTEST - COLDEST) / STEP) as usize;
    WorkingSpace::ALL.map(|space| (0..=entries).map(|i| colour(COLDEST + i as f64 * STEP, space)).collect())
});

/// Linear colour of a black body, its brightest channel 1.
pub fn rgb(kelvin: f64, space: WorkingSpace) -> [f32; 3] {
    let table = &TABLES[space as usize];
    let place = (kelvin.clamp(COLDEST, HOTTEST) - COLDEST) / STEP;
    let low = (place as usize).min(table.len() - 2);
    let share = (place - low as f64) as f32;
    let (below, above) = (table[low], table[low + 1]);
    [0, 1, 2].map(|i| below[i] + (above[i] - below[i]) * share)
}
