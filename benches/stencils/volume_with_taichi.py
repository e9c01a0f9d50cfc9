"""Taichi's own parallel loops over fields."""

import os

os.environ.setdefault("ENABLE_TAICHI_HEADER_PRINT", "0")

import taichi as ti

from .volume import coverage


class Volume:
    version = ".".join(map(str, ti.__version__))

    def __init__(self, plume, sweeps):
        ti.init(arch=ti.cpu, default_fp=ti.f32, log_level=ti.ERROR, offline_cache=False)
        self.threads = ti.lang.impl.current_cfg().cpu_max_num_threads
        n = plume["cells"]
        plane = lambda *shape: ti.field(ti.f32, shape)
        faces = lambda: (plane(n, n, n + 1), plane(n, n + 1, n), plane(n + 1, n, n))
        vectors = lambda size: ti.Vector.field(size, ti.f32, (n, n, n))
        self.velocity, self.forced, self.first = faces(), faces(), faces()
        self.scalars, self.first_scalars, self.spare_scalars = (vectors(4) for _ in range(3))
        self.curl, self.push, self.back, self.forth = (vectors(3) for _ in range(4))
        self.divergence, self.size = plane(n, n, n), plane(n, n, n)
        # With a ring of zeros.
        self.pressure, self.spare = (plane(n + 2, n + 2, n + 2) for _ in range(2))
        cover, corner = coverage(plume)
        self.cover = plane(*cover.shape)
        self.cover.from_numpy(cover)
        self.advance, self.sweep, self.subtract = kernels(n, plume, corner)
        self.sweeps = sweeps
        for field in (*self.velocity, self.scalars, self.pressure, self.spare):
            field.fill(0)

    def fields(self):
        return *self.velocity, self.scalars, self.pressure

    def keep(self):
        self.kept = [field.to_numpy() for field in self.fields()]

    def reset(self):
        for field, kept in zip(self.fields(), self.kept):
            field.from_numpy(kept)
        ti.sync()

    def state(self):
        return *(field.to_numpy() for field in (*self.velocity, self.scalars)), self.divergence.to_numpy()

    def run(self, steps):
        for _ in range(steps):
            self.advance(
                *self.velocity, *self.forced, *self.first, self.scalars, self.first_scalars, self.spare_scalars,
                self.cover, self.curl, self.size, self.push, self.back, self.forth, self.divergence,
            )
            self.scalars, self.spare_scalars = self.spare_scalars, self.scalars
            for _ in range(self.sweeps):
                self.sweep(self.pressure, self.divergence, self.spare)
                self.pressure, self.spare = self.spare, self.pressure
            self.subtract(self.pressure, *self.velocity)
        ti.sync()


field = ti.template()


@ti.func
def place(values: field, at):
    """Indices and fractions of a place in values, both in z, y, x."""
    last = ti.math.ivec3(values.shape) - 1
    q = ti.math.clamp(at, 0.0, ti.cast(last, ti.f32))
    i = ti.min(ti.cast(q, ti.i32), last - 1)
    return i, q - i


@ti.func
def mixed(values: field, i, part):
    """Trilinear."""
    z, y, x = i[0], i[1], i[2]
    t, s, r = part[0], part[1], part[2]
    a = values[z, y, x] + (values[z, y, x + 1] - values[z, y, x]) * r
    b = values[z, y + 1, x] + (values[z, y + 1, x + 1] - values[z, y + 1, x]) * r
    c = values[z + 1, y, x] + (values[z + 1, y, x + 1] - values[z + 1, y, x]) * r
    d = values[z + 1, y + 1, x] + (values[z + 1, y + 1, x + 1] - values[z + 1, y + 1, x]) * r
    low, high = a + (b - a) * s, c + (d - c) * s
    return low + (high - low) * t


@ti.func
def sample(values: field, at):
    i, part = place(values, at)
    return mixed(values, i, part)


@ti.func
def corrected(values: field, first: field, z, y, x, back, forth):
    """The second pass: half the error of the way there and back, within the values around the backtraced position."""
    at = ti.math.vec3(z, y, x)
    better = first[z, y, x] + 0.5 * (values[z, y, x] - sample(first, at + forth))
    i, _ = place(values, at + back)
    k, j, h = i[0], i[1], i[2]
    a, b, c, d = values[k, j, h], values[k, j, h + 1], values[k, j + 1, h], values[k, j + 1, h + 1]
    e, f, g, l = values[k + 1, j, h], values[k + 1, j, h + 1], values[k + 1, j + 1, h], values[k + 1, j + 1, h + 1]
    return ti.min(ti.max(better, ti.min(a, b, c, d, e, f, g, l)), ti.max(a, b, c, d, e, f, g, l))


@ti.func
def displacement(u: field, v: field, w: field, z, y, x, time):
    """That of a cell over some time, negative for the way back, by the midpoint rule."""
    half = 0.25 * time
    at = ti.math.vec3(
        z + half * (w[z, y, x] + w[z + 1, y, x]), y + half * (v[z, y, x] + v[z, y + 1, x]),
        x + half * (u[z, y, x] + u[z, y, x + 1]),
    )
    half_x, half_y, half_z = ti.math.vec3(0, 0, 0.5), ti.math.vec3(0, 0.5, 0), ti.math.vec3(0.5, 0, 0)
    return time * ti.math.vec3(sample(w, at + half_z), sample(v, at + half_y), sample(u, at + half_x))


def kernels(n, plume, corner):
    """All of a step but its pressure; a sweep; and the subtraction of the gradient."""
    lift, strength = plume["buoyancy"], plume["confinement"]
    density, temperature = plume["density"], plume["temperature"]
    low_z, low_y, low_x = corner

    @ti.func
    def between(by: field, z, y, x, dz, dy, dx):
        """The mean of the two cells of a face; a side has the same cell twice."""
        low = by[ti.max(z - dz, 0), ti.max(y - dy, 0), ti.max(x - dx, 0)]
        return 0.5 * (low + by[ti.min(z, n - 1), ti.min(y, n - 1), ti.min(x, n - 1)])

    @ti.kernel
    def advance(
        u: field, v: field, w: field, forced_u: field, forced_v: field, forced_w: field, first_u: field,
        first_v: field, first_w: field, scalars: field, first: field, to_scalars: field, cover: field, curl: field,
        size: field, push: field, back: field, forth: field, divergence: field,
    ):
        for z, y, x in cover:
            share = cover[z, y, x]
            cell = scalars[low_z + z, low_y + y, low_x + x]
            cell[0], cell[1] = ti.max(cell[0], density * share), ti.max(cell[1], temperature * share)
            scalars[low_z + z, low_y + y, low_x + x] = cell
        # The sums of the neighbours' faces are four times the central differences.
        for z, y, x in size:
            left, right = ti.max(x - 1, 0), ti.min(x + 1, n - 1)
            low, high = ti.max(y - 1, 0), ti.min(y + 1, n - 1)
            behind, front = ti.max(z - 1, 0), ti.min(z + 1, n - 1)
            dw_dy = (w[z, high, x] + w[z + 1, high, x]) - (w[z, low, x] + w[z + 1, low, x])
            dv_dz = (v[front, y, x] + v[front, y + 1, x]) - (v[behind, y, x] + v[behind, y + 1, x])
            du_dz = (u[front, y, x] + u[front, y, x + 1]) - (u[behind, y, x] + u[behind, y, x + 1])
            dw_dx = (w[z, y, right] + w[z + 1, y, right]) - (w[z, y, left] + w[z + 1, y, left])
            dv_dx = (v[z, y, right] + v[z, y + 1, right]) - (v[z, y, left] + v[z, y + 1, left])
            du_dy = (u[z, high, x] + u[z, high, x + 1]) - (u[z, low, x] + u[z, low, x + 1])
            turn = 0.25 * ti.math.vec3(dw_dy - dv_dz, du_dz - dw_dx, dv_dx - du_dy)
            curl[z, y, x], size[z, y, x] = turn, turn.norm()
        for z, y, x in push:
            slope = ti.math.vec3(
                size[z, y, ti.min(x + 1, n - 1)] - size[z, y, ti.max(x - 1, 0)],
                size[z, ti.min(y + 1, n - 1), x] - size[z, ti.max(y - 1, 0), x],
                size[ti.min(z + 1, n - 1), y, x] - size[ti.max(z - 1, 0), y, x],
            )
            force = strength / (slope.norm() + 1e-6) * slope.cross(curl[z, y, x])
            push[z, y, x] = force + ti.math.vec3(0, lift * scalars[z, y, x][1], 0)
        for z, y, x in forced_u:
            forced_u[z, y, x] = u[z, y, x] + between(push, z, y, x, 0, 0, 1).x
        for z, y, x in forced_v:
            forced_v[z, y, x] = v[z, y, x] + between(push, z, y, x, 0, 1, 0).y
        for z, y, x in forced_w:
            forced_w[z, y, x] = w[z, y, x] + between(push, z, y, x, 1, 0, 0).z
        for z, y, x in back:
            back[z, y, x] = displacement(u, v, w, z, y, x, -1.0)
            forth[z, y, x] = displacement(u, v, w, z, y, x, 1.0)
        for z, y, x in first_u:
            first_u[z, y, x] = sample(forced_u, ti.math.vec3(z, y, x) + between(back, z, y, x, 0, 0, 1))
        for z, y, x in first_v:
            first_v[z, y, x] = sample(forced_v, ti.math.vec3(z, y, x) + between(back, z, y, x, 0, 1, 0))
        for z, y, x in first_w:
            first_w[z, y, x] = sample(forced_w, ti.math.vec3(z, y, x) + between(back, z, y, x, 1, 0, 0))
        for z, y, x in u:
            by, ahead = between(back, z, y, x, 0, 0, 1), between(forth, z, y, x, 0, 0, 1)
            u[z, y, x] = corrected(forced_u, first_u, z, y, x, by, ahead)
        for z, y, x in v:
            by, ahead = between(back, z, y, x, 0, 1, 0), between(forth, z, y, x, 0, 1, 0)
            v[z, y, x] = corrected(forced_v, first_v, z, y, x, by, ahead)
        for z, y, x in w:
            by, ahead = between(back, z, y, x, 1, 0, 0), between(forth, z, y, x, 1, 0, 0)
            w[z, y, x] = corrected(forced_w, first_w, z, y, x, by, ahead)
        for z, y, x in first:
            first[z, y, x] = sample(scalars, ti.math.vec3(z, y, x) + back[z, y, x])
        for z, y, x in to_scalars:
            to_scalars[z, y, x] = corrected(scalars, first, z, y, x, back[z, y, x], forth[z, y, x])
        for z, y, x in divergence:
            across, up = u[z, y, x + 1] - u[z, y, x], v[z, y + 1, x] - v[z, y, x]
            divergence[z, y, x] = across + up + (w[z + 1, y, x] - w[z, y, x])

    @ti.kernel
    def sweep(pressure: field, divergence: field, to: field):
        # A loop within the parallel one becomes vector code.
        for z, y in ti.ndrange(n, n):
            for x in range(n):
                # The ring's value comes first.
                across = pressure[z + 1, y + 1, x] + pressure[z + 1, y + 1, x + 2]
                up = pressure[z + 1, y, x + 1] + pressure[z + 1, y + 2, x + 1]
                away = pressure[z, y + 1, x + 1] + pressure[z + 2, y + 1, x + 1]
                to[z + 1, y + 1, x + 1] = (across + up + away - divergence[z, y, x]) * (1 / 6)

    @ti.kernel
    def subtract(pressure: field, u: field, v: field, w: field):
        for z, y, x in u:
            u[z, y, x] -= pressure[z + 1, y + 1, x + 1] - pressure[z + 1, y + 1, x]
        for z, y, x in v:
            v[z, y, x] -= pressure[z + 1, y + 1, x + 1] - pressure[z + 1, y, x + 1]
        for z, y, x in w:
            w[z, y, x] -= pressure[z + 1, y + 1, x + 1] - pressure[z, y + 1, x + 1]

    return advance, sweep, subtract
