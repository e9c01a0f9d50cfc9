//! Building the levels of the pyramid: cores, faces, links, masses and blur weights.
//!
//! The children of a block that open faces join form groups; the heaviest is the block's core. A coarse face is open
//! where the cores of both blocks share an open face, so that the pyramid joins no water that a wall divides.

use super::pyramid::{BLUR, DIAGONAL, FACE, FULL, LINKS, MASS, Pyramid, Stencil, WHOLE};
use super::tiles::{TILE, Tile};

/// Least length of an open face.
const SHORTEST: u32 = FULL / 4;
/// Weights of the four blocks nearest to a cell, before normalisation.
const SHARES: [u32; 4] = [9, 3, 3, 1];

/// Builds the cells of the tiles of a level from the finer level, and the links of the cells in these blocks.
pub(super) fn build(pyramid: &mut Pyramid, level: usize, tiles: &[Tile]) {
    let fine = level - 1;
    // Weights of the cells that restrict to a block away from walls.
    let outer = |at: usize| usize::from(at == 0 || at == 3);
    let open: [u32; 16] = std::array::from_fn(|at| MASS * u32::from(LINKS[outer(at % 4) + 2 * outer(at / 4)]));
    let [fine_width, fine_height] = [pyramid.levels[fine].width, pyramid.levels[fine].height];
    for (x, y) in tiles.iter().flat_map(Tile::cells) {
        let core = core(pyramid, fine, x, y);
        pyramid.levels[level].core.row_mut(y)[x] = core;
    }
    for (x, y) in tiles.iter().flat_map(Tile::cells) {
        let lengths = [0, 1].map(|axis| length(pyramid, level, axis, x, y) as u16);
        pyramid.levels[level].lengths.row_mut(y)[x] = lengths;
    }
    for (x, y) in tiles.iter().flat_map(Tile::cells) {
        for fy in 2 * y..(2 * y + 2).min(fine_height) {
            for fx in 2 * x..(2 * x + 2).min(fine_width) {
                let links = links(pyramid, fine, fx, fy);
                pyramid.levels[fine].links.row_mut(fy)[fx] = links;
                let plain = links == LINKS && next_to(pyramid, level, fx, fy);
                pyramid.flag(fine, fx, fy, Stencil::Prolong, plain);
            }
        }
    }
    for (x, y) in tiles.iter().flat_map(Tile::cells) {
        let (mass, plain) = if inside(pyramid, level, x, y) && pyramid.is_open(level, x, y) {
            (MASS as u16, true)
        } else {
            let stencil = pyramid.restrict(level, x, y);
            let sum: u32 = stencil.iter().map(|&(_, weight)| weight).sum();
            let mass = if sum == 0 { 0 } else { ((sum + 2 * FULL) / (4 * FULL)).clamp(1, u32::from(u16::MAX)) };
            let is_open = || stencil.iter().zip(open).all(|(&(_, weight), open)| weight == open);
            (mass as u16, inside(pyramid, level, x, y) && is_open())
        };
        pyramid.levels[level].mass.row_mut(y)[x] = mass;
        pyramid.flag(level, x, y, Stencil::Restrict, plain);
    }
    tiles.iter().for_each(|tile| weigh(pyramid, level, tile));
    flag_blur(pyramid, level, tiles);
}

/// Flags the cells of tiles that have the blur stencil of cells away from walls.
pub(super) fn flag_blur(pyramid: &mut Pyramid, level: usize, tiles: &[Tile]) {
    for (x, y) in tiles.iter().flat_map(Tile::cells) {
        let plain = inside(pyramid, level, x, y) && pyramid.mass(level, x, y) == MASS && {
            let weights = pyramid.blur(level, x, y).map(|(_, weight)| weight);
            let (face, diagonal) = (u32::from(FACE), u32::from(DIAGONAL));
            let all = [face, face, diagonal, diagonal, face, face, diagonal, diagonal];
            weights[..8] == all
        };
        pyramid.flag(level, x, y, Stencil::Blur, plain);
    }
}

/// Whether the blocks nearest to a cell of the finer level are on the grid, without wrapping.
fn next_to(pyramid: &Pyramid, level: usize, x: usize, y: usize) -> bool {
    let level = &pyramid.levels[level];
    let near = |at: usize, blocks: usize| if at.is_multiple_of(2) { at > 0 } else { at / 2 + 1 < blocks };
    near(x, level.width) && near(y, level.height)
}

/// Whether a cell has all its neighbours on the grid.
fn inside(pyramid: &Pyramid, level: usize, x: usize, y: usize) -> bool {
    let level = &pyramid.levels[level];
    x > 0 && y > 0 && x + 1 < level.width && y + 1 < level.height
}

/// The children of a block that belong to its core: a bit for each child.
fn core(pyramid: &Pyramid, fine: usize, x: usize, y: usize) -> u8 {
    let (width, height) = (pyramid.levels[fine].width, pyramid.levels[fine].height);
    let at = |child: usize| [2 * x + child % 2, 2 * y + child / 2];
    let on = |child: usize| at(child)[0] < width && at(child)[1] < height;
    let mass = [0, 1, 2, 3].map(|child| if on(child) { pyramid.mass(fine, at(child)[0], at(child)[1]) } else { 0 });
    let mut groups = [1_u8, 2, 4, 8];
    for (a, b, axis) in [(0, 1, 0), (2, 3, 0), (0, 2, 1), (1, 3, 1)] {
        if on(b) && pyramid.length(fine, axis, at(a)[0], at(a)[1]) > 0 {
            let both = groups[a] | groups[b];
            groups.iter_mut().filter(|group| **group & both != 0).for_each(|group| *group |= both);
        }
    }
    let weight = |group: u8| (0..4).filter(|child| group >> child & 1 == 1).map(|child| mass[child]).sum::<u32>();
    let water = (0..4).filter(|&child| mass[child] > 0).map(|child| groups[child]);
    water.fold(0, |best, group| if weight(group) > weight(best) { group } else { best })
}

/// Length of the face to the east (axis 0) or north (axis 1) of a coarse cell, in parts of [`FULL`]; 0 is closed.
fn length(pyramid: &Pyramid, level: usize, axis: usize, x: usize, y: usize) -> u32 {
    let (here, fine) = (&pyramid.levels[level], &pyramid.levels[level - 1]);
    let size = [here.width, here.height];
    let fine_size = [fine.width, fine.height];
    let mut far = [x, y];
    match pyramid.step(far[axis], 1, size[axis]) {
        Some(next) if next != far[axis] => far[axis] = next,
        _ => return 0,
    }
    let side = usize::from(2 * [x, y][axis] + 1 < fine_size[axis]);
    let cores = [here.core.at(x, y), here.core.at(far[0], far[1])];
    let (mut open, mut sum) = (false, 0);
    for across in 0..2 {
        let mut child = [2 * x, 2 * y];
        child[axis] += side;
        child[1 - axis] += across;
        if child[0] >= fine.width || child[1] >= fine.height {
            continue;
        }
        let length = pyramid.length(level - 1, axis, child[0], child[1]);
        let bit = |along: usize| if axis == 0 { along + 2 * across } else { across + 2 * along };
        open |= length > 0 && cores[0] >> bit(side) & 1 == 1 && cores[1] >> bit(0) & 1 == 1;
        sum += length;
    }
    if open { (sum / 2).max(SHORTEST) } else { 0 }
}

/// Links of a cell to its block and to the nearest neighbours of the block along x, along y and along the diagonal.
fn links(pyramid: &Pyramid, fine: usize, x: usize, y: usize) -> [u8; 4] {
    if pyramid.mass(fine, x, y) == 0 {
        return [0; 4];
    }
    let (here, coarse) = (&pyramid.levels[fine], &pyramid.levels[fine + 1]);
    let (cell, block, size) = ([x, y], [x / 2, y / 2], [here.width, here.height]);
    let blocks = [coarse.width, coarse.height];
    let is_core = |[x, y]: [usize; 2]| coarse.core.at(x / 2, y / 2) >> (x % 2 + 2 * (y % 2)) & 1 == 1;
    let nearer = [0, 1].map(|axis| pyramid.nearer(cell[axis], blocks[axis]));
    // Whether the face between a block and the one nearer along an axis is open.
    let open = |from: [usize; 2], axis: usize, to: usize| {
        let mut owner = from;
        if cell[axis].is_multiple_of(2) {
            owner[axis] = to;
        }
        coarse.lengths.at(owner[0], owner[1])[axis] > 0
    };
    let own = is_core(cell);
    let beside = [0, 1].map(|axis| {
        let Some(to) = nearer[axis] else { return false };
        if own && open(block, axis, to) {
            return true;
        }
        let by = if cell[axis].is_multiple_of(2) { -1 } else { 1 };
        let Some(next) = pyramid.step(cell[axis], by, size[axis]) else { return false };
        let mut far = cell;
        far[axis] = next;
        let owner = if by < 0 { far } else { cell };
        pyramid.length(fine, axis, owner[0], owner[1]) > 0 && is_core(far)
    });
    let diagonal = nearer[0].zip(nearer[1]).is_some_and(|(column, row)| {
        (beside[0] && open([column, block[1]], 1, row)) || (beside[1] && open([block[0], row], 0, column))
    });
    normalised([own, beside[0], beside[1], diagonal])
}

/// Links to the blocks that are `linked`: weights with the sum 1. A cell that is linked to none gets a link to its own
/// block.
fn normalised(linked: [bool; 4]) -> [u8; 4] {
    let Some(first) = linked.iter().position(|&is| is) else { return [WHOLE, 0, 0, 0] };
    let sum: u32 = (0..4).filter(|&at| linked[at]).map(|at| SHARES[at]).sum();
    let mut weights = [0, 1, 2, 3].map(|at| if linked[at] { (2 * FULL * SHARES[at] + sum) / (2 * sum) } else { 0 });
    weights[first] = FULL - (weights.iter().sum::<u32>() - weights[first]);
    weights.map(|weight| weight.min(u32::from(WHOLE)) as u8)
}

/// Number of cells on each side of a tile that its weights depend on.
const BORDER: usize = 3;
/// Columns and rows of a tile with its border.
const AROUND: usize = TILE + 2 * BORDER;

/// Computes the blur weights of a tile from the lengths of the faces; reduces them where their sum exceeds the limit
/// given by the mass of a cell.
fn weigh(pyramid: &mut Pyramid, level: usize, tile: &Tile) {
    let (width, height) = (pyramid.levels[level].width, pyramid.levels[level].height);
    let home = |at: usize, start: usize, count: usize| {
        let at = (start + at) as isize - BORDER as isize;
        if (0..count as isize).contains(&at) {
            Some(at as usize)
        } else {
            pyramid.wraps().then(|| at.rem_euclid(count as isize) as usize)
        }
    };
    let columns: [Option<usize>; AROUND] = std::array::from_fn(|at| home(at, tile.columns.start, width));
    let rows: [Option<usize>; AROUND] = std::array::from_fn(|at| home(at, tile.rows.start, height));
    let cell = |x: usize, y: usize| columns.get(x).copied().flatten().zip(rows.get(y).copied().flatten());
    let here = &pyramid.levels[level];
    let face = |x: usize, y: usize, axis: usize| cell(x, y).map_or(0, |(x, y)| u32::from(here.lengths.at(x, y)[axis]));
    let north_east = |x: usize, y: usize| {
        let (below, above) = (face(x, y, 0).min(face(x + 1, y, 1)), face(x, y, 1).min(face(x, y + 1, 0)));
        below.max(above)
    };
    let north_west = |x: usize, y: usize| {
        let (below, above) = (face(x - 1, y, 0).min(face(x - 1, y, 1)), face(x, y, 1).min(face(x - 1, y + 1, 0)));
        below.max(above)
    };
    let (used_columns, used_rows) = (tile.columns.len() + 2 * BORDER, tile.rows.len() + 2 * BORDER);
    // Lengths of the diagonals, then blur weights, of the pipes that each cell owns; not all for the outermost cells.
    let mut diagonals = [[[0_u32; 2]; AROUND]; AROUND];
    for (y, row) in diagonals.iter_mut().enumerate().take(used_rows) {
        for (x, pair) in row.iter_mut().enumerate().take(used_columns).skip(1) {
            *pair = [north_east(x, y), north_west(x, y)];
        }
    }
    let mut weights = [[[0_u32; 4]; AROUND]; AROUND];
    for y in 1..used_rows - 1 {
        for x in 1..used_columns - 1 {
            let of = |length: u32, beside: [u32; 4]| {
                let closed = beside.into_iter().filter(|&length| length == 0).count() as u32;
                if length == 0 { 0 } else { 4 * length + closed * (2 * length).saturating_sub(FULL) }
            };
            let [north_east, north_west] = diagonals[y][x];
            let east_above = [north_east, diagonals[y][x + 1][1]];
            let east_below = [diagonals[y - 1][x][0], diagonals[y - 1][x + 1][1]];
            let north_left = [north_west, diagonals[y][x - 1][0]];
            let north_right = [north_east, diagonals[y][x + 1][1]];
            weights[y][x] = [
                of(face(x, y, 0), [east_above[0], east_above[1], east_below[0], east_below[1]]),
                of(face(x, y, 1), [north_left[0], north_left[1], north_right[0], north_right[1]]),
                2 * north_east,
                2 * north_west,
            ];
        }
    }
    // Limit of the sum of a cell's weights, and the sum.
    let limits: [[[u32; 2]; AROUND]; AROUND] = std::array::from_fn(|y| {
        std::array::from_fn(|x| {
            let Some(home) = cell(x, y).filter(|_| x > 0 && y > 0 && x + 1 < used_columns && y + 1 < used_rows) else {
                return [1, 0];
            };
            let own: u32 = weights[y][x].iter().sum();
            let theirs =
                weights[y][x - 1][0] + weights[y - 1][x][1] + weights[y - 1][x - 1][2] + weights[y - 1][x + 1][3];
            [BLUR * u32::from(here.mass.at(home.0, home.1)), own + theirs]
        })
    });
    let mut found = [[[0_u16; 4]; TILE]; TILE];
    for y in 0..tile.rows.len() {
        for x in 0..tile.columns.len() {
            let [x, y] = [x + BORDER, y + BORDER];
            let ends = [[x + 1, y], [x, y + 1], [x + 1, y + 1], [x - 1, y + 1]];
            found[y - BORDER][x - BORDER] = std::array::from_fn(|pipe| {
                let weight = weights[y][x][pipe];
                let limited = |[limit, sum]: [u32; 2]| if sum > limit { weight * limit / sum } else { weight };
                let [far_x, far_y] = ends[pipe];
                limited(limits[y][x]).min(limited(limits[far_y][far_x])) as u16
            });
        }
    }
    for (y, row) in tile.rows.clone().zip(found) {
        let to = &mut pyramid.levels[level].weights.row_mut(y)[tile.columns.clone()];
        to.copy_from_slice(&row[..tile.columns.len()]);
    }
}
