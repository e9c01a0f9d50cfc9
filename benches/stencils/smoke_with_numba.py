"""Compiled loops over cells, in parallel by rows, as they compile best: unsigned indices, which are not checked for
counting from the end; pressure with a ring of cells, and its rows as slices, so that the sweeps become vector code."""

import numba
import numpy
from numba import njit, prange

FAST = {"fastmath": True, "error_model": "numpy"}

f = numpy.float32
index = numpy.uint64
HALF, QUARTER, ZERO = f(0.5), f(0.25), f(0)


class Numba:
    kind = "plain"
    device = "CPU"
    version = numba.__version__

    def __init__(self, scene, constants):
        self.scene, self.lift, self.sweeps = scene, f(constants["lift"]), constants["sweeps"]
        self.reset()

    def reset(self):
        self.now = tuple(plane.copy() for plane in self.scene)
        self.next = tuple(plane.copy() for plane in self.scene)
        rows, columns = self.scene[2].shape[:2]
        self.forced = numpy.zeros_like(self.scene[1])
        self.divergence, self.x, self.y = (numpy.zeros((rows, columns), f) for _ in range(3))
        self.pressure, self.spare = (numpy.zeros((rows + 2, columns + 2), f) for _ in range(2))

    def state(self):
        return *self.now, self.divergence

    def run(self, steps):
        for _ in range(steps):
            self.carry(*self.now, *self.next)
            self.now, self.next = self.next, self.now
            diverge(self.now[0], self.now[1], self.divergence)
            sweep(self.pressure, self.spare, self.divergence, self.sweeps)
            if self.sweeps % 2 == 1:
                self.pressure, self.spare = self.spare, self.pressure
            take_off(self.now[0], self.now[1], self.pressure)

    def carry(self, u, v, dye, to_u, to_v, to_dye):
        force(v, dye, self.forced, self.lift)
        look_back(u, v, self.x, self.y)
        carry_u(u, self.x, self.y, to_u)
        carry_v(self.forced, self.x, self.y, to_v)
        carry_dye(dye, self.x, self.y, to_dye)


@njit(**FAST)
def place(q, values):
    """Index and fraction of a place on an axis with so many values."""
    q = min(max(q, ZERO), f(values - 1))
    i = min(int(q), values - 2)
    return index(i), q - f(i)


@njit(**FAST)
def sample(values, x, y):
    """Bilinear, at a place in values."""
    i, s = place(x, values.shape[1])
    j, t = place(y, values.shape[0])
    right, up = i + index(1), j + index(1)
    low = values[j, i] + (values[j, right] - values[j, i]) * s
    high = values[up, i] + (values[up, right] - values[up, i]) * s
    return low + (high - low) * t


@njit(parallel=True, **FAST)
def force(v, dye, to, lift):
    rows, columns = v.shape
    for j in prange(rows):
        for i in range(columns):
            to[j, i] = v[j, i]
            if 0 < j < rows - 1:
                to[j, i] += lift * HALF * (dye[j - 1, i, 3] + dye[j, i, 3])


@njit(parallel=True, **FAST)
def look_back(u, v, to_x, to_y):
    """Offsets from the cells to where they were."""
    rows, columns = to_x.shape
    for j in prange(rows):
        for i in range(columns):
            x = f(i) - QUARTER * (u[j, i] + u[j, i + 1])
            y = f(j) - QUARTER * (v[j, i] + v[j + 1, i])
            to_x[j, i], to_y[j, i] = -sample(u, x + HALF, y), -sample(v, x, y + HALF)


@njit(parallel=True, **FAST)
def carry_u(u, x, y, to):
    rows, columns = u.shape
    for j in prange(rows):
        to[j, 0] = to[j, columns - 1] = ZERO
        for i in range(1, columns - 1):
            along, across = HALF * (x[j, i - 1] + x[j, i]), HALF * (y[j, i - 1] + y[j, i])
            to[j, i] = sample(u, f(i) + along, f(j) + across)


@njit(parallel=True, **FAST)
def carry_v(v, x, y, to):
    rows, columns = v.shape
    for j in prange(rows):
        if j == 0 or j == rows - 1:
            to[j] = ZERO
        else:
            for i in range(columns):
                along, across = HALF * (x[j - 1, i] + x[j, i]), HALF * (y[j - 1, i] + y[j, i])
                to[j, i] = sample(v, f(i) + along, f(j) + across)


@njit(parallel=True, **FAST)
def carry_dye(dye, x, y, to):
    rows, columns, _ = dye.shape
    for j in prange(rows):
        for i in range(columns):
            left, s = place(f(i) + x[j, i], columns)
            below, t = place(f(j) + y[j, i], rows)
            right, above = left + index(1), below + index(1)
            for c in range(4):
                low = dye[below, left, c] + (dye[below, right, c] - dye[below, left, c]) * s
                high = dye[above, left, c] + (dye[above, right, c] - dye[above, left, c]) * s
                to[j, i, c] = low + (high - low) * t


@njit(parallel=True, **FAST)
def diverge(u, v, to):
    rows, columns = to.shape
    for j in prange(rows):
        row, flow, below, above = to[j], u[j], v[j], v[j + 1]
        for i in range(columns):
            row[i] = (flow[i + 1] - flow[i]) + (above[i] - below[i])


@njit(parallel=True, **FAST)
def sweep(pressure, spare, divergence, sweeps):
    rows, columns = divergence.shape
    for _ in range(sweeps):
        for row in prange(rows):
            y = row + 1
            to, wanted = spare[y, 1:-1], divergence[row]
            left, right, below, above = pressure[y, :-2], pressure[y, 2:], pressure[y - 1, 1:-1], pressure[y + 1, 1:-1]
            for x in range(columns):
                to[x] = QUARTER * ((left[x] + right[x]) + (below[x] + above[x]) - wanted[x])
            spare[y, 0], spare[y, columns + 1] = spare[y, 1], spare[y, columns]
        spare[0], spare[rows + 1] = spare[1], spare[rows]
        pressure, spare = spare, pressure


@njit(parallel=True, **FAST)
def take_off(u, v, pressure):
    rows, columns = u.shape[0], v.shape[1]
    for j in prange(rows):
        here, below = pressure[j + 1], pressure[j]
        along, across = u[j], v[j]
        for i in range(1, columns):
            along[i] -= here[i + 1] - here[i]
        if j > 0:
            for i in range(columns):
                across[i] -= here[i + 1] - below[i + 1]
