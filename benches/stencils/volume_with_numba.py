"""Compiled loops over cells, in parallel by planes, as they compile best: unsigned indices, which are not checked for
counting from the end; rows as slices where neighbours are fixed, so that the loops become vector code."""

import numba
import numpy
from numba import njit, prange

from .volume import coverage

FAST = {"fastmath": True, "error_model": "numpy"}

f = numpy.float32
index, whole = numpy.uint64, numpy.int64
HALF, QUARTER, SIXTH, ZERO = f(0.5), f(0.25), f(1 / 6), f(0)


class Volume:
    version = numba.__version__
    threads = numba.get_num_threads()

    def __init__(self, plume, sweeps):
        n = plume["cells"]
        zeros = lambda *shape: numpy.zeros(shape, f)
        faces = lambda: (zeros(n, n, n + 1), zeros(n, n + 1, n), zeros(n + 1, n, n))
        self.velocity, self.forced, self.spare_velocity = faces(), faces(), faces()
        self.scalars, self.first, self.spare_scalars = (zeros(n, n, n, 4) for _ in range(3))
        self.pressure, self.spare = (zeros(n + 2, n + 2, n + 2) for _ in range(2))
        self.curl, self.push = (tuple(zeros(n, n, n) for _ in range(3)) for _ in range(2))
        self.back, self.forth = (tuple(zeros(n, n, n + 2) for _ in range(3)) for _ in range(2))
        self.size, self.divergence = zeros(n, n, n), zeros(n, n, n)
        self.cover, corner = coverage(plume)
        self.corner = tuple(corner)
        self.amounts = f(plume["density"]), f(plume["temperature"])
        self.lift, self.strength, self.sweeps = f(plume["buoyancy"]), f(plume["confinement"]), sweeps

    def keep(self):
        self.kept = [field.copy() for field in (*self.velocity, self.scalars, self.pressure)]

    def reset(self):
        for field, kept in zip((*self.velocity, self.scalars, self.pressure), self.kept):
            field[:] = kept

    def state(self):
        return *self.velocity, self.scalars, self.divergence

    def run(self, steps):
        for _ in range(steps):
            self.step()

    def step(self):
        u, v, w = self.velocity
        emit(self.scalars, self.cover, *self.corner, *self.amounts)
        turn(u, v, w, *self.curl, self.size)
        accelerate(*self.curl, self.size, self.scalars, *self.push, self.strength, self.lift)
        force(u, v, w, *self.push, *self.forced)
        displace(u, v, w, *self.back, f(-1))
        displace(u, v, w, *self.forth, f(1))
        # The velocity before the forces is no longer needed: it takes the result.
        for axis, (before, first, to) in enumerate(zip(self.forced, self.spare_velocity, self.velocity)):
            side = [int(at == axis) for at in range(3)]
            advect_faces(before, *self.back, first, *side)
            correct(before, first, *self.back, *self.forth, to, *side)
        advect_scalars(self.scalars, *self.back, self.first)
        correct_scalars(self.scalars, self.first, *self.back, *self.forth, self.spare_scalars)
        self.scalars, self.spare_scalars = self.spare_scalars, self.scalars
        diverge(u, v, w, self.divergence)
        sweep(self.pressure, self.spare, self.divergence, self.sweeps)
        if self.sweeps % 2 == 1:
            self.pressure, self.spare = self.spare, self.pressure
        subtract(u, v, w, self.pressure)


@njit(**FAST)
def emit(scalars, cover, low_z, low_y, low_x, density, temperature):
    planes, rows, columns = cover.shape
    for z in range(planes):
        for y in range(rows):
            for x in range(columns):
                cell, share = scalars[low_z + z, low_y + y, low_x + x], cover[z, y, x]
                cell[0], cell[1] = max(cell[0], density * share), max(cell[1], temperature * share)


@njit(**FAST)
def turned(rows, x, left, right):
    """Vorticity of a cell of a row; the sums of its neighbours' faces are four times the central differences."""
    w0, w1, w2, w3, v0, v1, v2, v3, u0, u1, u2, u3, w4, w5, v4, v5 = rows
    dw_dy, dv_dz = (w0[x] + w1[x]) - (w2[x] + w3[x]), (v0[x] + v1[x]) - (v2[x] + v3[x])
    du_dz, du_dy = (u0[x] + u0[x + 1]) - (u1[x] + u1[x + 1]), (u2[x] + u2[x + 1]) - (u3[x] + u3[x + 1])
    dw_dx = (w4[right] + w5[right]) - (w4[left] + w5[left])
    dv_dx = (v4[right] + v5[right]) - (v4[left] + v5[left])
    return QUARTER * (dw_dy - dv_dz), QUARTER * (du_dz - dw_dx), QUARTER * (dv_dx - du_dy)


@njit(parallel=True, **FAST)
def turn(u, v, w, to_x, to_y, to_z, to_size):
    n = to_size.shape[0]
    for z in prange(n):
        back, front = max(z - 1, 0), min(z + 1, n - 1)
        for y in range(n):
            low, high = max(y - 1, 0), min(y + 1, n - 1)
            rows = (
                w[z, high], w[z + 1, high], w[z, low], w[z + 1, low],
                v[front, y], v[front, y + 1], v[back, y], v[back, y + 1],
                u[front, y], u[back, y], u[z, high], u[z, low],
                w[z, y], w[z + 1, y], v[z, y], v[z, y + 1],
            )
            along, up, across, size = to_x[z, y], to_y[z, y], to_z[z, y], to_size[z, y]
            for x in range(1, n - 1):
                along[x], up[x], across[x] = turned(rows, x, x - 1, x + 1)
            along[0], up[0], across[0] = turned(rows, 0, 0, 1)
            along[n - 1], up[n - 1], across[n - 1] = turned(rows, n - 1, n - 2, n - 1)
            for x in range(n):
                size[x] = numpy.sqrt(along[x] * along[x] + up[x] * up[x] + across[x] * across[x])


@njit(**FAST)
def confined(here, rows, x, left, right, strength):
    """The force of confinement on a cell of a row."""
    below, above, behind, before, wx, wy, wz = rows
    a, b, c = here[right] - here[left], above[x] - below[x], before[x] - behind[x]
    scale = strength / (numpy.sqrt(a * a + b * b + c * c) + f(1e-6))
    return scale * (b * wz[x] - c * wy[x]), scale * (c * wx[x] - a * wz[x]), scale * (a * wy[x] - b * wx[x])


@njit(parallel=True, **FAST)
def accelerate(curl_x, curl_y, curl_z, size, scalars, to_x, to_y, to_z, strength, lift):
    n = size.shape[0]
    for z in prange(n):
        for y in range(n):
            here, packs = size[z, y], scalars[z, y]
            rows = (
                size[z, max(y - 1, 0)], size[z, min(y + 1, n - 1)], size[max(z - 1, 0), y], size[min(z + 1, n - 1), y],
                curl_x[z, y], curl_y[z, y], curl_z[z, y],
            )
            along, up, across = to_x[z, y], to_y[z, y], to_z[z, y]
            for x in range(1, n - 1):
                along[x], up[x], across[x] = confined(here, rows, x, x - 1, x + 1, strength)
            along[0], up[0], across[0] = confined(here, rows, 0, 0, 1, strength)
            along[n - 1], up[n - 1], across[n - 1] = confined(here, rows, n - 1, n - 2, n - 1, strength)
            for x in range(n):
                up[x] += lift * packs[x, 1]


@njit(parallel=True, **FAST)
def force(u, v, w, push_x, push_y, push_z, to_u, to_v, to_w):
    n = v.shape[0]
    for plane in prange(n + 1):
        z = whole(plane)
        # Beyond the sides the cells at them count.
        behind, here = max(z - 1, 0), min(z, n - 1)
        for y in range(n):
            row, low, high, to = w[z, y], push_z[behind, y], push_z[here, y], to_w[z, y]
            for x in range(n):
                to[x] = row[x] + HALF * (low[x] + high[x])
        if z < n:
            for y in range(n):
                row, push, to = u[z, y], push_x[z, y], to_u[z, y]
                to[0], to[n] = row[0] + push[0], row[n] + push[n - 1]
                for x in range(1, n):
                    to[x] = row[x] + HALF * (push[x - 1] + push[x])
            for y in range(n + 1):
                row, low, high, to = v[z, y], push_y[z, max(y - 1, 0)], push_y[z, min(y, n - 1)], to_v[z, y]
                for x in range(n):
                    to[x] = row[x] + HALF * (low[x] + high[x])


@njit(**FAST)
def place(q, values):
    """Index and fraction of a place on an axis with so many values."""
    q = min(max(q, ZERO), f(values - 1))
    i = min(int(q), values - 2)
    return index(i), q - f(i)


@njit(**FAST)
def places(values, x, y, z):
    return place(x, values.shape[2]), place(y, values.shape[1]), place(z, values.shape[0])


@njit(**FAST)
def corners(values, i, j, k):
    one = index(1)
    return (
        values[k, j, i], values[k, j, i + one], values[k, j + one, i], values[k, j + one, i + one],
        values[k + one, j, i], values[k + one, j, i + one], values[k + one, j + one, i],
        values[k + one, j + one, i + one],
    )


@njit(**FAST)
def mixed(at, r, s, t):
    a, b = at[0] + (at[1] - at[0]) * r, at[2] + (at[3] - at[2]) * r
    c, d = at[4] + (at[5] - at[4]) * r, at[6] + (at[7] - at[6]) * r
    low, high = a + (b - a) * s, c + (d - c) * s
    return low + (high - low) * t


@njit(**FAST)
def sample(values, x, y, z):
    """Trilinear, at a place in values."""
    (i, r), (j, s), (k, t) = places(values, x, y, z)
    return mixed(corners(values, i, j, k), r, s, t)


@njit(parallel=True, **FAST)
def displace(u, v, w, to_x, to_y, to_z, time):
    """Displacements of the cells over a time, negative for the way back, with one more value at each end of a row."""
    n = u.shape[0]
    half = QUARTER * time
    for z in prange(n):
        for y in range(n):
            across, low, high, behind, front = u[z, y], v[z, y], v[z, y + 1], w[z, y], w[z + 1, y]
            along, up, away = to_x[z, y, 1:], to_y[z, y, 1:], to_z[z, y, 1:]
            for x in range(n):
                at_x = f(x) + half * (across[x] + across[x + 1])
                at_y, at_z = f(y) + half * (low[x] + high[x]), f(z) + half * (behind[x] + front[x])
                along[x] = time * sample(u, at_x + HALF, at_y, at_z)
                up[x] = time * sample(v, at_x, at_y + HALF, at_z)
                away[x] = time * sample(w, at_x, at_y, at_z + HALF)
            for row in (to_x[z, y], to_y[z, y], to_z[z, y]):
                row[0], row[n + 1] = row[1], row[n]


@njit(**FAST)
def beside(by, n, z, y, across_x, across_y, across_z):
    """The displacements of the cells before and after the faces of a row; a side has the same cells twice."""
    # Displacements of rows begin one before the first cell.
    low, high = by[max(z - across_z, 0), max(y - across_y, 0)], by[min(z, n - 1), min(y, n - 1)]
    return low[1 - across_x :], high[1:]


@njit(parallel=True, **FAST)
def advect_faces(values, x_back, y_back, z_back, to, across_x, across_y, across_z):
    """The first pass of faces: values at the backtraced positions. `across…` is 1 along the normal of faces, else 0."""
    n = x_back.shape[0]
    planes, rows, columns = values.shape
    for plane in prange(planes):
        z = whole(plane)
        for y in range(rows):
            x_low, x_high = beside(x_back, n, z, y, across_x, across_y, across_z)
            y_low, y_high = beside(y_back, n, z, y, across_x, across_y, across_z)
            z_low, z_high = beside(z_back, n, z, y, across_x, across_y, across_z)
            row = to[z, y]
            for x in range(columns):
                by_x, by_y, by_z = x_low[x] + x_high[x], y_low[x] + y_high[x], z_low[x] + z_high[x]
                row[x] = sample(values, f(x) + HALF * by_x, f(y) + HALF * by_y, f(z) + HALF * by_z)


@njit(parallel=True, **FAST)
def correct(values, first, x_back, y_back, z_back, x_forth, y_forth, z_forth, to, across_x, across_y, across_z):
    """The second pass: half the error of the way there and back, within the values around the backtraced position."""
    n = x_back.shape[0]
    planes, rows, columns = values.shape
    for plane in prange(planes):
        z = whole(plane)
        for y in range(rows):
            x_low, x_high = beside(x_back, n, z, y, across_x, across_y, across_z)
            y_low, y_high = beside(y_back, n, z, y, across_x, across_y, across_z)
            z_low, z_high = beside(z_back, n, z, y, across_x, across_y, across_z)
            x_there, x_here = beside(x_forth, n, z, y, across_x, across_y, across_z)
            y_there, y_here = beside(y_forth, n, z, y, across_x, across_y, across_z)
            z_there, z_here = beside(z_forth, n, z, y, across_x, across_y, across_z)
            before, there, row = values[z, y], first[z, y], to[z, y]
            for x in range(columns):
                by_x, by_y, by_z = x_there[x] + x_here[x], y_there[x] + y_here[x], z_there[x] + z_here[x]
                again = sample(first, f(x) + HALF * by_x, f(y) + HALF * by_y, f(z) + HALF * by_z)
                by_x, by_y, by_z = x_low[x] + x_high[x], y_low[x] + y_high[x], z_low[x] + z_high[x]
                (i, _), (j, _), (k, _) = places(values, f(x) + HALF * by_x, f(y) + HALF * by_y, f(z) + HALF * by_z)
                a, b, c, d, e, g, h, m = corners(values, i, j, k)
                least = min(min(min(a, b), min(c, d)), min(min(e, g), min(h, m)))
                most = max(max(max(a, b), max(c, d)), max(max(e, g), max(h, m)))
                row[x] = min(max(there[x] + HALF * (before[x] - again), least), most)


@njit(**FAST)
def packs(values, i, j, k, c):
    one = index(1)
    return (
        values[k, j, i, c], values[k, j, i + one, c], values[k, j + one, i, c], values[k, j + one, i + one, c],
        values[k + one, j, i, c], values[k + one, j, i + one, c], values[k + one, j + one, i, c],
        values[k + one, j + one, i + one, c],
    )


@njit(parallel=True, **FAST)
def advect_scalars(scalars, x_back, y_back, z_back, to):
    n = scalars.shape[0]
    for z in prange(n):
        for y in range(n):
            for x in range(n):
                by_x, by_y, by_z = x_back[z, y, x + 1], y_back[z, y, x + 1], z_back[z, y, x + 1]
                (i, r), (j, s), (k, t) = places(scalars, f(x) + by_x, f(y) + by_y, f(z) + by_z)
                for c in range(4):
                    to[z, y, x, c] = mixed(packs(scalars, i, j, k, c), r, s, t)


@njit(parallel=True, **FAST)
def correct_scalars(scalars, first, x_back, y_back, z_back, x_forth, y_forth, z_forth, to):
    n = scalars.shape[0]
    for z in prange(n):
        for y in range(n):
            for x in range(n):
                by_x, by_y, by_z = x_forth[z, y, x + 1], y_forth[z, y, x + 1], z_forth[z, y, x + 1]
                (i, r), (j, s), (k, t) = places(scalars, f(x) + by_x, f(y) + by_y, f(z) + by_z)
                by_x, by_y, by_z = x_back[z, y, x + 1], y_back[z, y, x + 1], z_back[z, y, x + 1]
                (o, _), (p, _), (q, _) = places(scalars, f(x) + by_x, f(y) + by_y, f(z) + by_z)
                for c in range(4):
                    again = mixed(packs(first, i, j, k, c), r, s, t)
                    a, b, d, e, g, h, l, m = packs(scalars, o, p, q, c)
                    least = min(min(min(a, b), min(d, e)), min(min(g, h), min(l, m)))
                    most = max(max(max(a, b), max(d, e)), max(max(g, h), max(l, m)))
                    value = first[z, y, x, c] + HALF * (scalars[z, y, x, c] - again)
                    to[z, y, x, c] = min(max(value, least), most)


@njit(parallel=True, **FAST)
def diverge(u, v, w, to):
    n = to.shape[0]
    for z in prange(n):
        for y in range(n):
            row, along, low, high, behind, front = to[z, y], u[z, y], v[z, y], v[z, y + 1], w[z, y], w[z + 1, y]
            for x in range(n):
                row[x] = (along[x + 1] - along[x]) + (high[x] - low[x]) + (front[x] - behind[x])


@njit(parallel=True, **FAST)
def sweep(pressure, spare, divergence, sweeps):
    """Jacobi sweeps of the pressure, which has a ring of zeros."""
    n = divergence.shape[0]
    for _ in range(sweeps):
        for plane in prange(n):
            z = plane + 1
            for y in range(1, n + 1):
                to, wanted = spare[z, y, 1:-1], divergence[plane, y - 1]
                left, right = pressure[z, y, :-2], pressure[z, y, 2:]
                below, above = pressure[z, y - 1, 1:-1], pressure[z, y + 1, 1:-1]
                behind, front = pressure[z - 1, y, 1:-1], pressure[z + 1, y, 1:-1]
                for x in range(n):
                    sum = (left[x] + right[x]) + (below[x] + above[x]) + (behind[x] + front[x])
                    to[x] = SIXTH * (sum - wanted[x])
        pressure, spare = spare, pressure


@njit(parallel=True, **FAST)
def subtract(u, v, w, pressure):
    n = u.shape[0]
    for z in prange(n + 1):
        for y in range(n):
            row, behind, here = w[z, y], pressure[z, y + 1, 1:], pressure[z + 1, y + 1, 1:]
            for x in range(n):
                row[x] -= here[x] - behind[x]
        if z < n:
            for y in range(n):
                row, here = u[z, y], pressure[z + 1, y + 1]
                for x in range(n + 1):
                    row[x] -= here[x + 1] - here[x]
            for y in range(n + 1):
                row, low, high = v[z, y], pressure[z + 1, y, 1:], pressure[z + 1, y + 1, 1:]
                for x in range(n):
                    row[x] -= high[x] - low[x]
