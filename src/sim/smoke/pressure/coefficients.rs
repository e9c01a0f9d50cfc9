//! Face coefficients of the pressure, where there are solids.
//!
//! On the finest level they are 1, or 0 at faces of solid cells and on closed sides. A coarser face has the sum of the
//! two that it covers, halved since the centres of its cells are twice as far apart.

use crate::sim::fluid::workspace::FaceCoefficients;
use crate::sim::fluid::{Boundary, Level};
use crate::sim::request;

/// The coefficients of the finest level.
pub fn finest(level: &Level, solid: &[bool]) -> FaceCoefficients {
    let [w, h, _] = level.size;
    let mut x: Vec<f32> = request::zeros((w + 1) * h);
    let mut y: Vec<f32> = request::zeros(w * (h + 1));
    let across = |side: usize, here: bool, there: bool| match level.sides[side / 2][side % 2] {
        Boundary::Closed => 0.0,
        Boundary::Open => f32::from(u8::from(!here)),
        Boundary::Wrap if level.size[side / 2] == 1 => 0.0,
        Boundary::Wrap => f32::from(u8::from(!here && !there)),
    };
    for j in 0..h {
        let row = &solid[j * w..][..w];
        let faces = &mut x[j * (w + 1)..][..w + 1];
        for (face, pair) in faces[1..].iter_mut().zip(row.windows(2)) {
            *face = f32::from(u8::from(!pair[0] && !pair[1]));
        }
        faces[0] = across(0, row[0], row[w - 1]);
        faces[w] = across(1, row[w - 1], row[0]);
    }
    for j in 0..=h {
        for (i, face) in y[j * w..][..w].iter_mut().enumerate() {
            let cell = |row: usize| solid[row * w + i];
            *face = match j {
                0 => across(2, cell(0), cell(h - 1)),
                _ if j == h => across(3, cell(h - 1), cell(0)),
                _ => f32::from(u8::from(!cell(j - 1) && !cell(j))),
            };
        }
    }
    with_inverse(level, x, y)
}

/// The coefficients of the next coarser level.
pub fn coarser(of: &FaceCoefficients, fine: &Level, coarse: &Level) -> FaceCoefficients {
    let ([fw, fh, _], [w, h, _]) = (fine.size, coarse.size);
    // The fine face and the fine cells at a coarse one, per axis.
    let step = [0, 1].map(|axis| if fine.size[axis] == coarse.size[axis] { 1 } else { 2 });
    let face = |axis: usize, at: usize| if at == coarse.size[axis] { fine.size[axis] } else { at * step[axis] };
    let cells = |axis: usize, at: usize| at * step[axis]..((at + 1) * step[axis]).min(fine.size[axis]);
    // The ratio of the distances of centres, inside and across an open side.
    let distance = |axis: usize, at: usize| {
        if (at == 0 || at == coarse.size[axis]) && fine.sides[axis][usize::from(at > 0)] == Boundary::Open {
            ((fine.spacing[axis] + 1.0) / (coarse.spacing[axis] + 1.0)) as f32
        } else {
            1.0 / step[axis] as f32
        }
    };
    let mut x: Vec<f32> = request::zeros((w + 1) * h);
    let mut y: Vec<f32> = request::zeros(w * (h + 1));
    for j in 0..h {
        for i in 0..=w {
            let sum: f32 = cells(1, j).map(|row| of.faces[0][row * (fw + 1) + face(0, i)]).sum();
            x[j * (w + 1) + i] = sum * distance(0, i);
        }
    }
    for j in 0..=h {
        let row = face(1, j);
        debug_assert!(row <= fh);
        for i in 0..w {
            let sum: f32 = cells(0, i).map(|column| of.faces[1][row * fw + column]).sum();
            y[j * w + i] = sum * distance(1, j);
        }
    }
    if coarse.wraps(0) && w == 1 {
        x.fill(0.0);
    }
    if coarse.wraps(1) && h == 1 {
        y.fill(0.0);
    }
    with_inverse(coarse, x, y)
}

fn with_inverse(level: &Level, x: Vec<f32>, y: Vec<f32>) -> FaceCoefficients {
    let [w, h, _] = level.size;
    let mut inverse: Vec<f32> = request::zeros(w * h);
    for j in 0..h {
        for (i, inverse) in inverse[j * w..][..w].iter_mut().enumerate() {
            let (west, south) = (j * (w + 1) + i, j * w + i);
            let sum = (x[west] + x[west + 1]) + (y[south] + y[south + w]);
            *inverse = if sum > 0.0 { 1.0 / sum } else { 0.0 };
        }
    }
    FaceCoefficients { faces: vec![x, y], inverse }
}
