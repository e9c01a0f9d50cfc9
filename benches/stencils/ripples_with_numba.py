"""Ripples as compiled loops over rows, in parallel by rows: rows as slices and few of them in each loop, so that the
compiler makes vector code."""

import numba
import numpy
from numba import njit, prange

from . import edge_factors
from .ripples import BLUR, LEVELS, PROLONG, RESTRICT, Edges, sizes
from .with_numba import accelerate, gains


class Ripples:
    device = "CPU"
    version = numba.__version__

    def __init__(self, scene, constants):
        _, height, width = scene.shape
        self.scene = scene
        f = numpy.float32
        edges = Edges(constants["edges"])
        self.blurs = [edges.of(BLUR, level) for level in range(LEVELS)]
        self.restricts = [edges.of(RESTRICT, level) for level in range(LEVELS)]
        self.prolongs = [edges.of(PROLONG, level) for level in range(LEVELS)]
        self.levels = [f(e) for e in constants["levels"]]
        self.local = tuple(f(constants[name]) for name in ("cell", "faces", "diagonals"))
        self.keep, self.smoothing = f(constants["keep"]), f(constants["smoothing"])
        cross = [1.0 + count / 8.0 for count in range(5)]
        self.factors = (edge_factors(height, cross), edge_factors(width, cross))
        planes = lambda: [numpy.zeros(size, numpy.float32) for size in sizes(height, width)]
        # Blurred values; values on the way down, then heads; sums. The values of level 0 are the water itself.
        self.blurred, self.heads, self.sums = planes(), planes(), planes()
        self.top = self.heads[0]
        self.reset()

    def reset(self):
        self.water = self.scene[1].copy()
        self.flow = numpy.pad(self.scene[2:], ((0, 0), (1, 1), (1, 1)))
        self.head = numpy.zeros(self.flow.shape[1:], numpy.float32)

    def state(self):
        return numpy.concatenate([self.water[None], self.flow[:, 1:-1, 1:-1]])

    def run(self, steps):
        for _ in range(steps):
            self.step()

    def step(self):
        self.heads[0] = self.water
        for level in range(LEVELS):
            blur(self.heads[level], self.blurred[level], *self.blurs[level])
            if level + 1 < LEVELS:
                restrict(self.blurred[level], self.heads[level + 1], *self.restricts[level + 1])
        for level in reversed(range(LEVELS)):
            if level + 1 < LEVELS:
                coarse = self.heads[level + 1]
                add(self.blurred[level], self.levels[level], coarse, self.sums[level], *self.prolongs[level])
            else:
                numpy.multiply(self.blurred[level], self.levels[level], out=self.sums[level])
            if level > 0:
                blur(self.sums[level], self.heads[level], *self.blurs[level])
        blur(self.sums[0], self.top, *self.blurs[0])
        finish(self.top, self.head, self.water, self.flow, self.local, self.smoothing)
        move(self.water, self.flow, self.head, self.factors, self.keep)
        change(self.water, self.flow)


@njit(cache=True, fastmath=True)
def stencil(plane, near, weights):
    """A listed cell, by its stencil."""
    width, total = plane.shape[1], numpy.float32(0)
    for n in range(len(near)):
        total += weights[n] * plane[near[n] // width, near[n] % width]
    return total


@njit(cache=True, fastmath=True)
def blurred_row(below, here, above, out, scratch):
    """[1 2 1]² of a row, in parts of 1/16."""
    width = len(out)
    for x in range(width):
        scratch[x] = (below[x] + above[x] + here[x] + here[x]) * numpy.float32(1 / 16)
    for x in range(1, width - 1):
        out[x] = scratch[x - 1] + scratch[x] + scratch[x] + scratch[x + 1]
    first, last = scratch[min(1, width - 1)], scratch[max(width - 2, 0)]
    out[0] = scratch[0] * numpy.float32(3) + first
    out[width - 1] = scratch[width - 1] * numpy.float32(3) + last


@njit(cache=True, parallel=True, fastmath=True)
def blur(plane, out, cells, near, weights):
    height, width = plane.shape
    for y in prange(height):
        scratch = numpy.empty(width, numpy.float32)
        blurred_row(plane[max(y - 1, 0)], plane[y], plane[min(y + 1, height - 1)], out[y], scratch)
    for at in range(len(cells)):
        out[cells[at] // width, cells[at] % width] = stencil(plane, near[at], weights[at])


@njit(cache=True, parallel=True, fastmath=True)
def restrict(plane, out, cells, near, weights):
    height, width = plane.shape
    rows, columns = out.shape
    three = numpy.float32(3)
    for y in prange(rows):
        a, b = plane[max(2 * y - 1, 0)], plane[2 * y]
        c, d = plane[min(2 * y + 1, height - 1)], plane[min(2 * y + 2, height - 1)]
        column = numpy.empty(width, numpy.float32)
        for x in range(width):
            column[x] = (a[x] + three * (b[x] + c[x]) + d[x]) * numpy.float32(1 / 64)
        to = out[y]
        # The columns at both edges are in the list.
        for x in range(1, columns - 1):
            to[x] = column[2 * x - 1] + three * (column[2 * x] + column[2 * x + 1]) + column[2 * x + 2]
    for at in range(len(cells)):
        out[cells[at] // columns, cells[at] % columns] = stencil(plane, near[at], weights[at])


@njit(cache=True, parallel=True, fastmath=True)
def add(blurred, factor, coarse, out, cells, near, weights):
    """Blurred values times a factor, and the prolongation of the coarser level."""
    height, width = out.shape
    rows, columns = coarse.shape
    three = numpy.float32(3)
    for y in prange(height):
        own, other = coarse[y // 2], coarse[min(max(y // 2 + (y % 2) * 2 - 1, 0), rows - 1)]
        column = numpy.empty(columns, numpy.float32)
        for x in range(columns):
            column[x] = (three * own[x] + other[x]) * numpy.float32(1 / 16)
        of, to = blurred[y], out[y]
        for x in range(1, columns - 1):
            to[2 * x] = factor * of[2 * x] + three * column[x] + column[x - 1]
            to[2 * x + 1] = factor * of[2 * x + 1] + three * column[x] + column[x + 1]
        # Of the columns at both edges, those without a nearer neighbour are in the list.
        if columns > 1:
            last = columns - 1
            to[1] = factor * of[1] + three * column[0] + column[1]
            to[2 * last] = factor * of[2 * last] + three * column[last] + column[last - 1]
    for at in range(len(cells)):
        y, x = cells[at] // width, cells[at] % width
        out[y, x] = factor * blurred[y, x] + stencil(coarse, near[at], weights[at])


@njit(cache=True, parallel=True, fastmath=True)
def finish(top, head, water, flow, local, smoothing):
    """Heads: those of the pyramid, the terms of level 0, and the viscosity."""
    height, width = water.shape
    cell, faces, diagonals = local
    four, two = numpy.float32(4), numpy.float32(2)
    own = cell + four * faces + four * diagonals
    for y in prange(height):
        gain = gains(flow, y + 1, width)
        below, here, above = water[max(y - 1, 0)], water[y], water[min(y + 1, height - 1)]
        across, corners = numpy.empty(width, numpy.float32), numpy.empty(width, numpy.float32)
        for x in range(width):
            # What a column gives to its own cell, and to the cells beside.
            across[x] = own * here[x] - faces * (below[x] + above[x])
            corners[x] = faces * here[x] + diagonals * (below[x] + above[x])
        to, of, last = head[y + 1, 1:-1], top[y], width - 1
        for x in range(1, last):
            to[x] = of[x] + across[x] - corners[x - 1] - corners[x + 1] + smoothing * gain[x]
        to[0] = of[0] + across[0] - corners[0] - corners[1] + smoothing * gain[0]
        to[last] = of[last] + across[last] - corners[last] - corners[last - 1] + smoothing * gain[last]


@njit(cache=True, parallel=True, fastmath=True)
def move(water, flow, head, factors, keep):
    for row in prange(water.shape[0]):
        accelerate(flow, head, row, factors, (keep, numpy.float32(0.25)))


@njit(cache=True, parallel=True, fastmath=True)
def change(water, flow):
    height, width = water.shape
    for y in prange(height):
        gain = gains(flow, y + 1, width)
        w = water[y]
        for x in range(width):
            w[x] += gain[x]
