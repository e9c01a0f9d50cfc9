"""Compiled loops over cells, in parallel by rows: once as one would first write them, once as they compile best."""

import numba
import numpy
from numba import njit, prange

from . import edge_factors


class Loops:
    device = "CPU"
    version = numba.__version__

    def __init__(self, scene, constants):
        _, height, width = scene.shape
        self.scene = scene
        f = numpy.float32
        self.constants = (f(constants["keep"]), f(constants["smoothing"]), f(constants["diagonal"]))
        self.factors = (edge_factors(height, constants["cross"]), edge_factors(width, constants["cross"]))
        self.reset()

    def run(self, steps):
        for _ in range(steps):
            self.step(self.water, self.ground, self.flow, self.head, self.share, self.factors, self.constants)


class Naive(Loops):
    def reset(self):
        self.ground, self.water, self.flow = self.scene[0].copy(), self.scene[1].copy(), self.scene[2:].copy()
        self.head, self.share = numpy.zeros_like(self.water), numpy.zeros_like(self.water)

    def state(self):
        return numpy.concatenate([self.water[None], self.flow])

    @staticmethod
    @njit(cache=True, parallel=True)
    def step(water, ground, flow, head, share, factors, constants):
        height, width = water.shape
        along_rows, along_columns = factors
        keep, smoothing, diagonal = constants
        zero, one = numpy.float32(0), numpy.float32(1)
        for y in prange(height):
            for x in range(width):
                gain = -flow[0, y, x] - flow[1, y, x] - flow[2, y, x] - flow[3, y, x]
                if x > 0:
                    gain += flow[0, y, x - 1]
                if y > 0:
                    gain += flow[1, y - 1, x]
                    if x > 0:
                        gain += flow[2, y - 1, x - 1]
                    if x < width - 1:
                        gain += flow[3, y - 1, x + 1]
                head[y, x] = water[y, x] + ground[y, x] + smoothing * gain
        for y in prange(height):
            for x in range(width):
                if x < width - 1:
                    flow[0, y, x] = keep * flow[0, y, x] + along_rows[y] * (head[y, x] - head[y, x + 1])
                if y < height - 1:
                    flow[1, y, x] = keep * flow[1, y, x] + along_columns[x] * (head[y, x] - head[y + 1, x])
                    if x < width - 1:
                        flow[2, y, x] = keep * flow[2, y, x] + diagonal * (head[y, x] - head[y + 1, x + 1])
                    if x > 0:
                        flow[3, y, x] = keep * flow[3, y, x] + diagonal * (head[y, x] - head[y + 1, x - 1])
        for y in prange(height):
            for x in range(width):
                out = zero
                for p in range(4):
                    out += max(flow[p, y, x], zero)
                if x > 0:
                    out -= min(flow[0, y, x - 1], zero)
                if y > 0:
                    out -= min(flow[1, y - 1, x], zero)
                    if x > 0:
                        out -= min(flow[2, y - 1, x - 1], zero)
                    if x < width - 1:
                        out -= min(flow[3, y - 1, x + 1], zero)
                share[y, x] = water[y, x] / out if out > water[y, x] else one
        for y in prange(height):
            for x in range(width):
                # A closed pipe's flow is 0: no value beyond the edge is read.
                own = share[y, x]
                e, n, ne, nw = flow[0, y, x], flow[1, y, x], flow[2, y, x], flow[3, y, x]
                flow[0, y, x] = e * (own if e >= 0 else share[y, x + 1])
                flow[1, y, x] = n * (own if n >= 0 else share[y + 1, x])
                flow[2, y, x] = ne * (own if ne >= 0 else share[y + 1, x + 1])
                flow[3, y, x] = nw * (own if nw >= 0 else share[y + 1, x - 1])
        for y in prange(height):
            for x in range(width):
                gain = -flow[0, y, x] - flow[1, y, x] - flow[2, y, x] - flow[3, y, x]
                if x > 0:
                    gain += flow[0, y, x - 1]
                if y > 0:
                    gain += flow[1, y - 1, x]
                    if x > 0:
                        gain += flow[2, y - 1, x - 1]
                    if x < width - 1:
                        gain += flow[3, y - 1, x + 1]
                water[y, x] += gain


class Padded(Loops):
    """A ring of cells around the grid, so that no cell asks where it is; rows as slices and few of them in each loop, so
    that the compiler can tell that they do not overlap and makes vector code."""

    def reset(self):
        padded = numpy.pad(self.scene, ((0, 0), (1, 1), (1, 1)))
        self.ground, self.water, self.flow = padded[0].copy(), padded[1].copy(), padded[2:].copy()
        self.head, self.share = numpy.zeros_like(self.water), numpy.zeros_like(self.water)

    def state(self):
        return numpy.concatenate([self.water[None], self.flow])[:, 1:-1, 1:-1]

    @staticmethod
    @njit(cache=True, parallel=True, fastmath=True, error_model="numpy")
    def step(water, ground, flow, head, share, factors, constants):
        height, width = water.shape[0] - 2, water.shape[1] - 2
        keep, smoothing, diagonal = constants
        zero, least = numpy.float32(0), numpy.float32(1e-30)
        for row in prange(height):
            y = row + 1
            gain = gains(flow, y, width)
            to, w, g = head[y, 1:-1], water[y, 1:-1], ground[y, 1:-1]
            for x in range(width):
                to[x] = w[x] + g[x] + smoothing * gain[x]
        for row in prange(height):
            accelerate(flow, head, row, factors, (keep, diagonal))
        for row in prange(height):
            y = row + 1
            out = numpy.empty(width, numpy.float32)
            a, b, c, d = flow[0, y, 1:-1], flow[1, y, 1:-1], flow[2, y, 1:-1], flow[3, y, 1:-1]
            for x in range(width):
                out[x] = max(a[x], zero) + max(b[x], zero) + max(c[x], zero) + max(d[x], zero)
            a, b, c, d = flow[0, y, :-2], flow[1, y - 1, 1:-1], flow[2, y - 1, :-2], flow[3, y - 1, 2:]
            for x in range(width):
                out[x] -= min(a[x], zero) + min(b[x], zero) + min(c[x], zero) + min(d[x], zero)
            to, w = share[y, 1:-1], water[y, 1:-1]
            for x in range(width):
                to[x] = min(numpy.float32(1), w[x] / max(out[x], least))
        for row in prange(height):
            y = row + 1
            own = share[y, 1:-1]
            q, there = flow[0, y, 1:-1], share[y, 2:]
            for x in range(width):
                q[x] = max(q[x], zero) * own[x] + min(q[x], zero) * there[x]
            q, there = flow[1, y, 1:-1], share[y + 1, 1:-1]
            for x in range(width):
                q[x] = max(q[x], zero) * own[x] + min(q[x], zero) * there[x]
            q, there = flow[2, y, 1:-1], share[y + 1, 2:]
            for x in range(width):
                q[x] = max(q[x], zero) * own[x] + min(q[x], zero) * there[x]
            q, there = flow[3, y, 1:-1], share[y + 1, :-2]
            for x in range(width):
                q[x] = max(q[x], zero) * own[x] + min(q[x], zero) * there[x]
        for row in prange(height):
            y = row + 1
            gain = gains(flow, y, width)
            w = water[y, 1:-1]
            for x in range(width):
                w[x] += gain[x]


@njit(cache=True, fastmath=True)
def accelerate(flow, head, row, factors, constants):
    """The flows out of a row of cells, by the differences of heads; the diagonals at the frame's edges stay 0."""
    height, width = head.shape[0] - 2, head.shape[1] - 2
    along_rows, along_columns = factors
    keep, diagonal = constants
    zero, y, along = numpy.float32(0), row + 1, along_rows[row]
    here, there, q = head[y, 1:-1], head[y, 2:], flow[0, y, 1:-1]
    for x in range(width):
        q[x] = keep * q[x] + along * (here[x] - there[x])
    q[width - 1] = zero
    if row < height - 1:
        there, q = head[y + 1, 1:-1], flow[1, y, 1:-1]
        for x in range(width):
            q[x] = keep * q[x] + along_columns[x] * (here[x] - there[x])
        there, q = head[y + 1, 2:], flow[2, y, 1:-1]
        for x in range(width):
            q[x] = keep * q[x] + diagonal * (here[x] - there[x])
        q[width - 1] = zero
        there, q = head[y + 1, :-2], flow[3, y, 1:-1]
        for x in range(width):
            q[x] = keep * q[x] + diagonal * (here[x] - there[x])
        q[0] = zero


@njit(cache=True, fastmath=True)
def gains(flow, y, width):
    """Inflow less outflow of a row of cells."""
    gain = numpy.empty(width, numpy.float32)
    a, b, c, d = flow[0, y, :-2], flow[1, y - 1, 1:-1], flow[2, y - 1, :-2], flow[3, y - 1, 2:]
    for x in range(width):
        gain[x] = a[x] + b[x] + c[x] + d[x]
    a, b, c, d = flow[0, y, 1:-1], flow[1, y, 1:-1], flow[2, y, 1:-1], flow[3, y, 1:-1]
    for x in range(width):
        gain[x] -= a[x] + b[x] + c[x] + d[x]
    return gain
